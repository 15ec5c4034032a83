package app

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pages counts the writes that reach it.
type pages struct {
	mu    sync.Mutex
	text  strings.Builder
	count int
}

func (p *pages) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count++
	return p.text.Write(b)
}

func (p *pages) read() (string, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String(), p.count
}

func TestGathered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var to pages
		o := &gathered{to: &to}
		var want strings.Builder
		for i := range 100 {
			line := fmt.Sprintf("line %d\n", i)
			want.WriteString(line)
			if n, err := o.Write([]byte(line)); n != len(line) || err != nil {
				t.Fatal(n, err)
			}
		}
		if text, n := to.read(); n != 0 {
			t.Errorf("%q was written at once", text)
		}
		time.Sleep(gatherDelay)
		synctest.Wait()
		if text, n := to.read(); text != want.String() || n != 1 {
			t.Errorf("after the delay %d writes gave %q", n, text)
		}
		// A lot does not wait, and neither does anything at the end.
		large := strings.Repeat("x", gatherSize)
		o.Write([]byte(large))
		o.Write([]byte("last\n"))
		o.close()
		o.Write([]byte("after\n"))
		if text, n := to.read(); text != want.String()+large+"last\nafter\n" || n != 4 {
			t.Errorf("%d writes at the end, %d bytes", n, len(text))
		}
	})
}

func TestGatheredKeepsOrder(t *testing.T) {
	t.Parallel()
	var to pages
	o := &gathered{to: &to}
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 1000 {
				fmt.Fprintf(o, "%d %d\n", w, i)
				if i%100 == 0 {
					o.flush()
				}
			}
		})
	}
	wg.Wait()
	o.close()
	text, _ := to.read()
	next := map[int]int{}
	for line := range strings.Lines(text) {
		var w, i int
		if _, err := fmt.Sscan(line, &w, &i); err != nil || i != next[w] {
			t.Fatalf("%q where %d of %d was due (%v)", line, next[w], w, err)
		}
		next[w]++
	}
	for w := range 8 {
		if next[w] != 1000 {
			t.Errorf("%d lines of %d", next[w], w)
		}
	}
}

// The line that tells where the server is stands behind what was logged before
// it, through the one writer.
func TestAnnouncementStandsBehindTheLog(t *testing.T) {
	t.Parallel()
	var to pages
	c := onFreePorts(t)
	c.Output = &to
	a, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	a.log.Warn("before")
	a.announce()
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	text, _ := to.read()
	if log, line := strings.Index(text, "before"), strings.Index(text, " serves SQS on "); log < 0 || line < log {
		t.Errorf("the output is %q", text)
	}
}

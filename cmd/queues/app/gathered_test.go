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
		// A lot does not wait for the delay, and neither does anything at the end.
		large := strings.Repeat("x", gatherSize)
		o.Write([]byte(large))
		synctest.Wait()
		if text, n := to.read(); text != want.String()+large || n != 2 {
			t.Errorf("%d writes of a lot, %d bytes", n, len(text))
		}
		o.Write([]byte("last\n"))
		o.close()
		o.Write([]byte("after\n"))
		if text, n := to.read(); text != want.String()+large+"last\nafter\n" || n != 4 {
			t.Errorf("%d writes at the end, %d bytes", n, len(text))
		}
	})
}

// stuck is a reader of the log that takes nothing until it is let go.
type stuck struct {
	pages
	goOn    chan struct{}
	largest int
}

func (s *stuck) Write(b []byte) (int, error) {
	<-s.goOn
	s.largest = max(s.largest, len(b))
	return s.pages.Write(b)
}

// While somebody reads the log slowly, requests go on until a certain amount
// waits, and none of it is lost.
func TestGatheredWhileStuck(t *testing.T) {
	t.Parallel()
	to := stuck{goOn: make(chan struct{})}
	o := &gathered{to: &to}
	line := []byte(strings.Repeat("x", 1023) + "\n")
	const lines = 4 * gatherMost / 1024
	room, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := range lines {
			o.Write(line)
			if i == gatherMost/1024-2 {
				close(room)
			}
		}
		o.close()
	}()
	for _, what := range []chan struct{}{room, done} {
		select {
		case <-what:
		case <-time.After(patience):
			t.Fatal("a line waits for one that nobody reads, or for ever")
		}
		if what == room {
			close(to.goOn)
		}
	}
	if text, _ := to.read(); len(text) != lines*1024 {
		t.Errorf("%d bytes in the end, want %d", len(text), lines*1024)
	}
	if to.largest > gatherMost+len(line) {
		t.Errorf("%d bytes have waited, want %d at most", to.largest, gatherMost)
	}
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

package bench

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"queues/cmd/queues/load"
)

// far is a server that no test reaches.
func far(t *testing.T) *load.Server {
	t.Helper()
	w, err := load.NewWire(load.WireOptions{URL: "http://192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	return &load.Server{Name: "far", Wire: w}
}

func measureOf(messages int64) load.Measure {
	return load.Measure{Messages: messages, Jobs: messages, Elapsed: time.Second, Latency: &load.Histogram{}}
}

func TestProgressTellsLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := newProgress(&out)
	done := p.observe()
	p.tell(10, 0) // too soon
	p.shown = p.shown.Add(-linePace)
	p.tell(500, 3)
	done()
	if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, " messages/s  3 failures\n") || strings.Contains(got, "\x1b") {
		t.Errorf("got %q", got)
	}
}

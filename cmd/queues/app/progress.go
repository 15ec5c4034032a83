package app

import (
	"fmt"
	"io"
	"os"
	"time"
)

// How often progress is shown: on a terminal a line is written over, elsewhere
// each stays.
const (
	terminalPace = 200 * time.Millisecond
	linePace     = 5 * time.Second
)

// progress tells how far a transfer is.
type progress struct {
	to       io.Writer
	total    int64
	done     int64
	begun    time.Time
	next     time.Time
	terminal bool
	pace     time.Duration
}

func newProgress(to io.Writer, total int64) *progress {
	p := &progress{to: to, total: total, begun: time.Now(), pace: linePace, terminal: isTerminal(to)}
	if p.terminal {
		p.pace = terminalPace
	}
	p.next = p.begun.Add(p.pace)
	return p
}

// isTerminal reports whether somebody looks at what is written.
func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Write counts what was transferred.
func (p *progress) Write(b []byte) (int, error) {
	p.done += int64(len(b))
	if now := time.Now(); !now.Before(p.next) {
		p.next = now.Add(p.pace)
		p.show(now)
	}
	return len(b), nil
}

// show writes where the transfer stands. Nothing can be done about a terminal
// that is gone.
func (p *progress) show(now time.Time) {
	begin, end := "", "\n"
	if p.terminal {
		begin, end = "\r\x1b[K", ""
	}
	percent := int64(100)
	if p.total > 0 {
		percent = p.done * 100 / p.total
	}
	_, _ = fmt.Fprintf(p.to, "%s%3d %%, %s of %s, %s/s%s", begin, percent,
		megabytes(p.done), megabytes(p.total), megabytes(rate(p.done, now.Sub(p.begun))), end)
}

// clear takes the line off a terminal.
func (p *progress) clear() {
	if p.terminal {
		_, _ = fmt.Fprint(p.to, "\r\x1b[K")
	}
}

// rate is how many bytes that is in a second.
func rate(bytes int64, took time.Duration) int64 {
	return int64(float64(bytes) / max(took.Seconds(), 0.001))
}

// megabytes writes bytes for people.
func megabytes(bytes int64) string {
	return fmt.Sprintf("%.1f MB", float64(bytes)/1e6)
}

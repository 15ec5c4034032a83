package bench

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// linePace is between lines where nobody looks at a terminal.
const linePace = 5 * time.Second

// progress tells how it goes: on a terminal a line is written over, elsewhere
// each stays. Nothing can be done about an output that is gone.
type progress struct {
	*progressState
}

type progressState struct {
	mu       sync.Mutex
	to       io.Writer
	terminal bool
	begun    time.Time
	shown    time.Time
	// last is the count at the line before.
	last int64
}

func newProgress(to io.Writer) progress {
	p := &progressState{to: to}
	if p.to == nil {
		p.to = io.Discard
	}
	if file, ok := to.(*os.File); ok {
		info, err := file.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return progress{p}
}

// observe begins the telling; the function that it gives ends it.
func (p progress) observe() func() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.begun = time.Now()
	p.shown, p.last = p.begun, 0
	return p.clear
}

// tell takes the counts of the turn under way.
func (p progress) tell(messages, failed int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	since := now.Sub(p.shown)
	if !p.terminal && since < linePace {
		return
	}
	if messages < p.last {
		p.last = 0 // another turn
	}
	text := fmt.Sprintf("%3.0f s  %.0f messages/s  %d failures", now.Sub(p.begun).Seconds(), float64(messages-p.last)/max(since.Seconds(), 0.001), failed)
	if p.terminal {
		text = "\r\x1b[K" + text
	} else {
		text += "\n"
	}
	_, _ = fmt.Fprint(p.to, text)
	p.shown, p.last = now, messages
}

// clear takes the line off a terminal.
func (p progress) clear() {
	if p.terminal {
		_, _ = fmt.Fprint(p.to, "\r\x1b[K")
	}
}

package load

import (
	"context"
	"errors"
	"time"
)

// worker is one connection's part.
type worker struct {
	conn     *Conn
	latency  Histogram
	actions  [actionCount]*Histogram
	failures map[string]int64
	empty    int64
}

// use gives a worker a connection.
func (w *worker) use(c *Conn, l *load) {
	w.conn = c
	c.counting, c.actions = &l.counting, &w.actions
}

// work runs one connection's jobs to the end.
func (l *load) work(ctx context.Context, w *worker, do Job) error {
	for !l.over.Load() && (!l.late.Load() || l.idle()) {
		if l.options.Jobs > 0 && l.budget.Add(-1) < 0 {
			return nil
		}
		start := time.Now()
		n, err := do(w.conn)
		if err == nil && n == 0 {
			err = ErrEmpty
		}
		if err == nil && w.conn.ended && !l.server.Redials {
			if !l.options.Tolerant {
				return errEnded
			}
			err = l.renew(ctx, w)
		}
		switch {
		case err == nil:
			if l.counting.Load() {
				w.latency.Add(time.Since(start))
				l.done.Add(1)
				l.messages.Add(int64(n))
			}
		case ctx.Err() != nil || !l.options.Tolerant:
			return err
		default:
			if err := l.endure(ctx, w, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// endure counts a failure and sees to it that the worker can go on.
func (l *load) endure(ctx context.Context, w *worker, err error) error {
	if errors.Is(err, ErrEmpty) {
		w.empty++
		l.failures.Add(1)
		return nil
	}
	kind, fatal := kindOf(err)
	w.failed(kind, l)
	for fatal || w.conn.ended {
		if err := l.renew(ctx, w); err == nil {
			return nil
		} else if l.over.Load() {
			return nil
		} else if kind, _ = kindOf(err); ctx.Err() == nil {
			w.failed(kind, l)
		}
		if err := Pause(ctx, dialPause); err != nil {
			return err
		}
	}
	return nil
}

// maxKinds bounds the kinds of failure that are told apart.
const maxKinds = 20

func (w *worker) failed(kind string, l *load) {
	if _, known := w.failures[kind]; !known && len(w.failures) >= maxKinds {
		kind = "others"
	}
	w.failures[kind]++
	l.failures.Add(1)
}

// renew gives a worker a new connection for one that is of no more use.
func (l *load) renew(ctx context.Context, w *worker) error {
	w.conn.Quit()
	c, err := l.server.Dial(ctx)
	if err == nil {
		w.use(c, l)
	}
	return err
}

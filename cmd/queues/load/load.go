package load

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Options say how much work is done. With jobs it ends when they are done, or
// after the duration if one is given; without, after the duration, before which
// there is a warm-up.
type Options struct {
	Conns    int
	Duration time.Duration
	Jobs     int64
	// During runs beside a load by duration, from the moment at which counting
	// begins; the load goes on until it is over, for the duration at least. Its
	// error ends the turn. Nil for nothing.
	During func(context.Context) error
	// Tolerant counts failures and goes on after them. Without it the first
	// one ends the turn.
	Tolerant bool
	// Progress is told every second how many messages have been moved and how
	// much has failed; nil for nobody.
	Progress func(messages, failed int64)
}

// load is one turn under way.
type load struct {
	server  *Server
	options Options
	budget  atomic.Int64
	// counting is true within the window, over once it has ended; late is true
	// when it ends as soon as anything has finished.
	counting, over, late     atomic.Bool
	done, messages, failures atomic.Int64
	workers                  []*worker
}

// The times of a turn.
const (
	// maxWarmUp bounds the time before the window of a load by duration.
	maxWarmUp = 500 * time.Millisecond
	// maxStall bounds the window of a load in which nothing finishes.
	maxStall = 30 * time.Second
	// hang is when a turn by number is given up.
	hang = 10 * time.Minute
	// dialPause is between attempts to reach a server that is away.
	dialPause = 100 * time.Millisecond
	// progressPace is how often Progress is told.
	progressPace = time.Second
)

// Run lets connections to s work side by side. newJob makes the job of the i-th
// connection.
func Run(ctx context.Context, s *Server, o Options, newJob func(i int) Job) (Measure, error) {
	// A server that hangs must not hang us.
	ctx, cancel := context.WithTimeoutCause(ctx, o.Duration+hang, fmt.Errorf("%s hangs under load", s.Name))
	defer cancel()
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	l := &load{server: s, options: o}
	l.budget.Store(o.Jobs)
	l.counting.Store(o.Jobs > 0)
	defer func() {
		for _, w := range l.workers {
			w.conn.Quit()
		}
	}()
	for range o.Conns {
		c, err := s.Dial(ctx)
		if err != nil {
			return Measure{}, err
		}
		w := &worker{failures: map[string]int64{}}
		w.use(c, l)
		l.workers = append(l.workers, w)
	}
	before, err := l.takeStock()
	if err != nil {
		return Measure{}, err
	}
	stopProgress := l.tell(ctx)
	var wg sync.WaitGroup
	for i, w := range l.workers {
		wg.Go(func() {
			if err := l.work(ctx, w, newJob(i)); err != nil {
				l.over.Store(true)
				// The first failure counts; those that follow from it do not.
				fail(fmt.Errorf("%s: %w", s.Name, err))
			}
		})
	}
	var after stock
	if o.Jobs > 0 && o.Duration > 0 {
		end := time.AfterFunc(o.Duration, func() { l.late.Store(true) })
		defer end.Stop()
	}
	if o.Jobs == 0 {
		before, after, err = l.window(ctx)
		l.over.Store(true)
	}
	wg.Wait()
	stopProgress()
	if o.Jobs > 0 {
		after, err = l.takeStock()
	}
	if cause := context.Cause(ctx); cause != nil {
		err = cause
	}
	if err != nil {
		return Measure{}, err
	}
	return l.result(after.since(before))
}

// window waits until a load by duration has been measured.
func (l *load) window(ctx context.Context) (before, after stock, err error) {
	d := l.options.Duration
	err = Pause(ctx, min(d/4, maxWarmUp))
	l.counting.Store(true)
	if err == nil {
		before, err = l.takeStock()
	}
	begun := time.Now()
	if err == nil && l.options.During != nil {
		err = l.options.During(ctx)
	}
	for err == nil && (time.Since(begun) < d || l.idle() && time.Since(begun) < maxStall) {
		err = Pause(ctx, max(d-time.Since(begun), d/4, time.Millisecond))
	}
	if err == nil {
		after, err = l.takeStock()
	}
	return before, after, err
}

// idle tells whether nothing has finished yet. On a machine that is busy
// elsewhere a short time may see nothing finish: it goes on until something has.
func (l *load) idle() bool { return l.done.Load() == 0 && l.failures.Load() == 0 }

// result puts the workers' parts together.
func (l *load) result(m Measure) (Measure, error) {
	m.Latency = &Histogram{}
	for _, w := range l.workers {
		m.Latency.Merge(&w.latency)
		for a, h := range w.actions {
			m.Actions[a] = merged(m.Actions[a], h)
		}
		m.addFailures(Measure{Failures: w.failures, Empty: w.empty})
	}
	if m.Jobs == 0 && !l.options.Tolerant {
		return m, fmt.Errorf("%s did nothing in %v", l.server.Name, m.Elapsed)
	}
	return m, nil
}

// tell reports the progress until the function that it gives is called.
func (l *load) tell(ctx context.Context) func() {
	if l.options.Progress == nil {
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		for Pause(ctx, progressPace) == nil {
			l.options.Progress(l.messages.Load(), l.failures.Load())
		}
	})
	return func() { stop(); wg.Wait() }
}

// Pause waits, unless the context ends.
func Pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// stock is the state of all counters at one moment.
type stock struct {
	at             time.Time
	jobs, messages int64
	server, self   time.Duration
	// gone is true when the server's process cannot be read, as one that has
	// ended.
	gone bool
}

func (l *load) takeStock() (stock, error) {
	s := stock{at: time.Now(), jobs: l.done.Load(), messages: l.messages.Load()}
	var err error
	s.server, err = l.server.cpu()
	s.gone = err != nil
	if err != nil && !l.options.Tolerant {
		return stock{}, err
	}
	if s.self, err = CPUTime(0); errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return s, err
}

func (s stock) since(before stock) Measure {
	if s.gone || before.gone {
		s.server, before.server = 0, 0
	}
	return Measure{
		Elapsed: s.at.Sub(before.at), Jobs: s.jobs - before.jobs, Messages: s.messages - before.messages,
		Server: s.server - before.server, Generator: s.self - before.self,
	}
}

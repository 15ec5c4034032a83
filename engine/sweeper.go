package engine

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// sweepLag is the longest that background work waits after a commit. A receive
// and a count look after their own queue, so a lag is seen by nobody; it only
// spares the store a look after every commit.
const sweepLag = 30 * time.Second

// sweepPause is how long the sweeper leaves a store alone that has failed.
const sweepPause = 5 * time.Second

// sweeper does one kind of the store's background work, step by step, when
// something falls due. An idle store costs it nothing.
type sweeper struct {
	step     func(context.Context) (SweepResult, error)
	clock    Clock
	log      *slog.Logger
	activity <-chan struct{}
	kicked   chan struct{}
	cancel   context.CancelFunc
	ctx      context.Context
	started  sync.Once
	done     chan struct{}
}

// newSweeper makes a sweeper that also looks after commits, of which activity
// tells; nil for one that needs to be kicked.
func newSweeper(step func(context.Context) (SweepResult, error), clock Clock, log *slog.Logger, activity <-chan struct{}) *sweeper {
	ctx, cancel := context.WithCancel(context.Background())
	return &sweeper{
		step: step, clock: clock, log: log, activity: activity,
		kicked: make(chan struct{}, 1), ctx: ctx, cancel: cancel, done: make(chan struct{}),
	}
}

func (s *sweeper) start() { s.started.Do(func() { go s.run() }) }

// stop ends the background work and waits for a step under way. A sweeper that
// was never started cannot be started after it.
func (s *sweeper) stop() {
	s.cancel()
	s.started.Do(func() { close(s.done) })
	<-s.done
}

// kick asks for a step soon.
func (s *sweeper) kick() {
	select {
	case s.kicked <- struct{}{}:
	default:
	}
}

func (s *sweeper) run() {
	defer close(s.done)
	for s.ctx.Err() == nil {
		var next time.Time
		kicked := s.kicked
		res, err := s.step(s.ctx)
		switch {
		case s.ctx.Err() != nil:
			return
		case err != nil:
			s.log.Warn("background work failed and will be tried again", slog.Any("error", err))
			// However much it is asked for: it would fail again.
			next, kicked = s.clock.Now().Add(sweepPause), nil
		case res.More:
			continue
		default:
			next = res.Next
		}
		s.sleep(next, kicked)
	}
}

// sleep returns when something falls due: at next, if not zero; at once on a
// kick; a lag after the first commit.
func (s *sweeper) sleep(next time.Time, kicked <-chan struct{}) {
	activity := s.activity
	for {
		var timer Timer
		var due <-chan struct{}
		if !next.IsZero() {
			timer = s.clock.NewTimer(next)
			due = timer.C()
		}
		again := false
		select {
		case <-s.ctx.Done():
		case <-kicked:
		case <-due:
		case <-activity:
			// One commit is enough to be awake in time for all that follow.
			activity, again = nil, true
			if lag := s.clock.Now().Add(sweepLag); next.IsZero() || lag.Before(next) {
				next = lag
			}
		}
		if timer != nil {
			timer.Stop()
		}
		if !again {
			return
		}
	}
}

//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/load"
	"queues/integration/torture/wire"
)

const (
	// soakRound is how long one load works; then everything is checked, the
	// queues are emptied and the next one begins, so that a history stays small.
	soakRound = time.Minute
	// soakSamples is how many samples a soak has, but for its longest and
	// shortest distance.
	soakSamples = 500
	soakOften   = 200 * time.Millisecond
	soakSeldom  = 5 * time.Second
	// soakSay is how often progress is told.
	soakSay = 10 * time.Second
)

// soaker lets one server work for long.
type soaker struct {
	*torture
	dir, data string
	server    *server
	client    *wire.Client
	guests    *guests
	samples   []usage
	rounds    int
	calls     uint64
	events    int
	stored    int
	// unwatched is the number of rounds whose store did not hold still for a copy.
	unwatched int
}

// soak is the part of that name.
func soak(ctx context.Context, t *torture) error {
	s := &soaker{torture: t, dir: filepath.Join(t.dir, "soak"), client: wire.New()}
	s.data = filepath.Join(s.dir, "data")
	var err error
	if s.server, err = startServer(t.server, s.data, nil, "--admin=localhost:0"); err != nil {
		return err
	}
	defer func() { s.server.kill() }()
	if err := s.server.await(); err != nil {
		return err
	}
	s.client.Use(s.server.url)
	if err := load.Create(ctx, s.client); err != nil {
		return err
	}
	s.say("soak: %v in rounds of %v", t.Duration, soakRound)
	until := time.Now().Add(t.Duration)
	for time.Now().Before(until) && ctx.Err() == nil && !t.broken() {
		last := time.Until(until) < soakRound*3/2
		end := time.Now().Add(soakRound)
		if last {
			end = until
		}
		if err := s.round(ctx, end, last); err != nil {
			return err
		}
		if last {
			break
		}
	}
	s.judge()
	return ctx.Err()
}

// round lets a load work until a moment, and checks everything.
func (s *soaker) round(ctx context.Context, until time.Time, last bool) error {
	s.rounds++
	l := load.New(s.client, s.Seed+uint64(s.rounds))
	l.Round = s.rounds
	working, stop := context.WithDeadline(ctx, until)
	defer stop()
	s.guests = newGuests(working, s.server.url)
	l.Start(working)
	l.Open()
	err := s.watch(working, l)
	if err != nil && s.ended() {
		s.violated("soak: the server ended by itself: %v\n%s", s.server.err, s.server.text())
		err = nil
	}
	stop()
	l.Wait()
	s.guests.wait()
	if err != nil || ctx.Err() != nil || s.broken() {
		return err
	}
	for _, text := range s.guests.failed() {
		s.violated("soak: %s", text)
	}
	if err := s.check(ctx, l, last); err != nil {
		return err
	}
	if s.broken() {
		return keepHistory(l.History, s.dir)
	}
	if last {
		return nil
	}
	return s.empty(ctx, l)
}

func (s *soaker) ended() bool {
	select {
	case <-s.server.ended:
		return true
	default:
		return false
	}
}

// watch takes samples until the context ends.
func (s *soaker) watch(ctx context.Context, l *load.Load) error {
	tick := time.NewTicker(min(max(s.Duration/soakSamples, soakOften), soakSeldom))
	defer tick.Stop()
	said := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.server.ended:
			return errors.New("the server has ended")
		case <-tick.C:
		}
		u, err := s.server.usage(ctx, s.data)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		s.samples = append(s.samples, u)
		if time.Since(said) >= min(soakSay, s.Duration/4) {
			said = time.Now()
			s.say("soak: round %d, %d calls, %d events: %v", s.rounds, s.client.Calls(), s.events+l.History.Len(), &u)
		}
	}
}

// check compares what clients saw with what is stored. At the end the server is
// stopped for that; before, the files are copied while nothing is going on.
func (s *soaker) check(ctx context.Context, l *load.Load, last bool) error {
	state, err := quiet(ctx, l)
	if err != nil {
		s.violated("soak: %v", err)
		return nil
	}
	copied := filepath.Join(s.dir, "copy")
	source := s.data
	if last {
		if err := s.server.stop(); err != nil {
			s.violated("soak: %v", err)
			return nil
		}
	} else {
		source = filepath.Join(s.dir, "still")
		defer func() { _ = os.RemoveAll(source) }() // the whole folder goes at the end
		if still, err := copyStill(ctx, s.data, source); err != nil {
			return err
		} else if !still {
			s.unwatched++
			source = ""
		}
	}
	if source != "" {
		if err := examine(ctx, l.History, state, source, copied); err != nil {
			s.violated("soak: %v", err)
			return nil
		}
		for _, stored := range state.Contents {
			s.stored += len(stored)
		}
	}
	for _, found := range l.History.Check() {
		s.violated("soak: %v", found)
	}
	for _, text := range l.Failed() {
		s.violated("soak: %s", text)
	}
	s.events += l.History.Len()
	s.calls = s.client.Calls()
	return nil
}

// empty purges all queues.
func (s *soaker) empty(ctx context.Context, l *load.Load) error {
	for queue, rule := range l.History.Queues {
		a := s.client.Call(ctx, "PurgeQueue", wire.Args{"QueueUrl": wire.QueueURL(queue)})
		if a.Outcome != history.Done && rule.Lasting {
			return fmt.Errorf("cannot purge %s: status %d %s %s", queue, a.Status, a.Code, a.Message)
		}
		if a.Outcome != history.Done { // it is deleted
			a = s.client.Call(ctx, "CreateQueue", wire.Args{"QueueName": queue})
			if a.Outcome != history.Done {
				return fmt.Errorf("cannot create %s: status %d %s %s", queue, a.Status, a.Code, a.Message)
			}
		}
	}
	return nil
}

// judge says how everything went and what grew.
func (s *soaker) judge() {
	s.say("soak: %d rounds, %d calls, %d events, %d messages found stored, %d samples; %d rounds were judged without their store",
		s.rounds, s.calls, s.events, s.stored, len(s.samples), s.unwatched)
	for _, g := range gauges {
		t := trendOf(g, s.samples)
		s.say("soak: %v", &t)
		if t.grew() {
			s.violated("soak: grew: %v", &t)
		}
		if g.name == "log, MB" && t.most > walBound {
			s.violated("soak: the write-ahead log reached %.1f MB", mega(t.most))
		}
	}
}

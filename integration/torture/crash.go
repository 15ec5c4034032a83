//go:build linux

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"queues/integration/torture/load"
	"queues/integration/torture/wire"
)

// quietEvery is after how many kills everything is checked.
const quietEvery = 12

// crasher kills a server again and again while clients use it.
type crasher struct {
	*torture
	dir, data string
	load      *load.Load
	server    *server
	// kills counts them by their moment.
	kills  map[string]int
	total  int
	checks int
	// checked is how many kills there were at the last check.
	checked int
	stored  int
	// starts are the times from start to serving.
	starts []time.Duration
}

// moments are when a kill may come.
var moments = []string{"at any time", "after an answer", "after a purge or deletion", "in a move task", "at the start"}

// crash is the part of that name.
func crash(ctx context.Context, t *torture) error {
	c := &crasher{torture: t, dir: filepath.Join(t.dir, "crash"), kills: make(map[string]int), load: load.New(wire.New(), t.Seed)}
	c.data = filepath.Join(c.dir, "data")
	if err := c.start(); err != nil {
		return err
	}
	defer func() { c.server.kill() }()
	if err := load.Create(ctx, c.load.Client); err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	defer c.load.Wait()
	defer stop()
	c.load.Start(working)
	for c.total < c.Kills && ctx.Err() == nil {
		c.load.Open()
		c.killOnce()
		if err := c.start(); err != nil {
			t.violated("crash: after %d kills: %v", c.total, err)
			break
		}
		if c.total-c.checked >= quietEvery || c.total >= c.Kills {
			if err := c.check(ctx); err != nil {
				return err
			}
			if t.broken() {
				break
			}
		}
	}
	stop()
	c.load.Wait()
	c.summary()
	if t.broken() {
		return keepHistory(c.load.History, c.dir)
	}
	return ctx.Err()
}

// start starts the server and points the clients at it. Now and then it is
// killed in the middle of its start, up to three times in a row.
func (c *crasher) start() error {
	for again := 0; again < 3 && c.total > 0 && c.random.IntN(4) == 0; again++ {
		s, err := startServer(c.torture.server, c.data, nil)
		if err != nil {
			return err
		}
		time.Sleep(time.Duration(c.random.Int64N(int64(60 * time.Millisecond))))
		s.kill()
		c.count("at the start")
	}
	var err error
	if c.server, err = startServer(c.torture.server, c.data, nil); err != nil {
		return err
	}
	if err := c.server.await(); err != nil {
		return err
	}
	c.starts = append(c.starts, time.Since(c.server.begun))
	c.load.Client.Use(c.server.url)
	return nil
}

func (c *crasher) count(moment string) {
	c.kills[moment]++
	c.total++
}

// killOnce lets the clients work for a while and kills the server under them.
func (c *crasher) killOnce() {
	moment := moments[c.random.IntN(4)]
	most := 200*time.Millisecond + time.Duration(c.random.Int64N(int64(1300*time.Millisecond)))
	reached := make(chan struct{})
	var answers atomic.Int64
	var done atomic.Bool
	reach := func() {
		if done.CompareAndSwap(false, true) {
			close(reached)
		}
	}
	after := c.random.Int64N(600)
	pause := time.Duration(0)
	switch moment {
	case "after an answer":
		c.load.Watch(func(string) {
			if answers.Add(1) == after {
				reach()
				c.server.signalKill() // here, where the answer has just been read
			}
		})
	case "after a purge or deletion":
		most, pause = 4*time.Second, time.Duration(c.random.Int64N(int64(40*time.Millisecond)))
		c.load.Watch(func(action string) {
			if action == "PurgeQueue" || action == "DeleteQueue" {
				reach()
			}
		})
	case "in a move task":
		most, pause = 4*time.Second, time.Duration(c.random.Int64N(int64(60*time.Millisecond)))
		c.load.Watch(func(action string) {
			if action == "StartMessageMoveTask" {
				reach()
			}
		})
	}
	select {
	case <-reached:
		time.Sleep(pause)
	case <-time.After(most):
		moment = "at any time"
	case <-c.server.ended:
		if !done.Load() {
			c.violated("crash: the server ended by itself: %v\n%s", c.server.err, c.server.text())
		}
	}
	c.server.kill()
	c.load.Watch(nil)
	c.load.Shut()
	c.load.Settle()
	c.count(moment)
}

// check compares everything with everything, while nothing is going on: the
// server has been started and nobody calls it.
func (c *crasher) check(ctx context.Context) error {
	state, err := quiet(ctx, c.load)
	if err != nil {
		c.violated("crash: %v", err)
		return nil
	}
	if c.random.IntN(2) == 0 {
		c.server.kill()
	} else if err := c.server.stop(); err != nil {
		c.violated("crash: %v", err)
		return nil
	}
	if err := examine(ctx, c.load.History, state, c.data, filepath.Join(c.dir, "copy")); err != nil {
		c.violated("crash: %v", err)
		return nil
	}
	for _, found := range c.load.History.Check() {
		c.violated("crash: %v", found)
	}
	for _, text := range c.load.Failed() {
		c.violated("crash: %s", text)
	}
	c.checks++
	c.checked = c.total
	for _, stored := range state.Contents {
		c.stored += len(stored)
	}
	spent := time.Since(c.begun).Seconds()
	c.say("crash: %d of %d kills (%.1f a minute), %d calls, %d events, %d checks, %d violations",
		c.total, c.Kills, float64(c.total)/spent*60, c.load.Client.Calls(), c.load.History.Len(), c.checks, len(c.violations)-c.before)
	return c.start()
}

// summary says what the part has done.
func (c *crasher) summary() {
	var by []string
	for _, moment := range moments {
		by = append(by, fmt.Sprintf("%d %s", c.kills[moment], moment))
	}
	c.say("crash: %d kills: %s", c.total, strings.Join(by, ", "))
	c.say("crash: %d calls, %d events in the history; %d checks of the whole, %d messages found stored in them",
		c.load.Client.Calls(), c.load.History.Len(), c.checks, c.stored)
	c.say("crash: %s", c.load.History.Tally())
	c.say("crash: %d starts, from %v to %v", len(c.starts), minOf(c.starts), maxOf(c.starts))
}

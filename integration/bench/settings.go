//go:build linux

package main

import (
	"errors"
	"regexp"
	"time"
)

// settings are the sizes of a run.
type settings struct {
	// run chooses the rows by name.
	run *regexp.Regexp
	// reportOnly lets a run succeed although targets were missed.
	reportOnly bool
	// duration is the length of one turn, rounds how often each side has one.
	duration time.Duration
	rounds   int
	// conns is the number of connections under load.
	conns int
	// settle is the longest wait for memory to settle, window the time over
	// which an idle server is watched.
	settle, window time.Duration
	// shallow and deep are the backlogs that are compared, in messages, busy
	// the number of busy queues, polls that of idle long polls.
	shallow, deep, busy, polls int
	// deepest is the largest backlog, in small messages; many a number of queues
	// and standing one of groups, delayed messages and messages in flight that
	// must cost nothing; mass what a job beside a neighbour works off, in
	// messages.
	deepest, many, standing, mass int
	// wakes and starts are how often a wake-up and a start are measured.
	wakes, starts int
}

func defaultSettings() settings {
	return settings{
		duration: 3 * time.Second, rounds: 5, conns: 64, settle: 20 * time.Second, window: 10 * time.Second,
		shallow: 10_000, deep: 1_000_000, busy: 1000, polls: 10_000, wakes: 500, starts: 11,
		deepest: 10_000_000, many: 10_000, standing: 100_000, mass: 1_000_000,
	}
}

// shortSettings are for a look in CI: all rows in about a minute, with figures
// that only a regression of several times would show in.
func shortSettings() settings {
	return settings{
		duration: 300 * time.Millisecond, rounds: 2, conns: 64, settle: 2 * time.Second, window: 2 * time.Second,
		shallow: 2000, deep: 50_000, busy: 200, polls: 2000, wakes: 50, starts: 3,
		deepest: 200_000, many: 2000, standing: 5000, mass: 20_000,
	}
}

// check refuses sizes that mean nothing or that the server refuses.
func (s settings) check() error {
	if min(s.rounds, s.conns, s.deep, s.busy, s.polls, s.wakes, s.starts, s.many, s.mass) < 1 || s.shallow < 2*s.conns {
		return errors.New("a size is out of its range: all are at least 1, the smaller backlog twice the connections")
	}
	if s.deepest < 2*s.shallow || s.standing < 1 || s.standing > maxInFlight {
		return errors.New("a size is out of its range: the largest backlog is at least twice the smaller one, what stands up to 100,000")
	}
	if min(s.duration, s.settle, s.window) <= 0 || s.window > defaultSettings().window {
		return errors.New("a time is out of its range: all are above 0, the window up to 10s")
	}
	return nil
}

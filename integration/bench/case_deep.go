//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"queues/cmd/queues/load"
	"queues/engine"
)

// smallBody is the size of a small message, in bytes.
const smallBody = 64

// maxDeepStarts bounds how often a start at the deepest backlog is measured.
const maxDeepStarts = 5

// deepQueue is the name of the queue with the backlog, on each server.
const deepQueue = "backlog"

// veryDeep compares sends, receives and deletes of small messages at the deepest
// backlog with those at a shallow one, and the memory after them, each on a
// server of its own: what a deep queue costs may be that its store is large. A
// part of the backlog was received and is visible again, as all of the shallow
// one that a turn meets, since these come first; a part is in flight.
func (b *bench) veryDeep(ctx context.Context) (err error) {
	shallow, deep := filepath.Join(b.dir, "shallow"), filepath.Join(b.dir, "deep")
	defer func() { err = errors.Join(err, b.stopAll(), os.RemoveAll(shallow), os.RemoveAll(deep)) }()
	// The turns work off some of it.
	few := b.shallow + b.rounds*b.shallow/2
	if _, err := b.fillDeep(ctx, shallow, few, few-min(few/100, maxInFlight)); err != nil {
		return err
	}
	b.say("  filling a queue with %d messages", b.deepest)
	note, err := b.fillDeep(ctx, deep, b.deepest, b.deepest/10)
	if err != nil {
		return err
	}
	b.note("The deepest backlog: %s", note)
	if err := b.deepStarts(ctx, deep); err != nil {
		return err
	}
	if !b.wants(rowDeepSend) && !b.wants(rowDeepReceive) && !b.wants(rowDeepDelete) && !b.wants(rowDeepMemory) {
		return nil
	}
	ofShallow, err := b.serveOn(ctx, shallow)
	if err != nil {
		return err
	}
	ofDeep, err := b.serveOn(ctx, deep)
	if err != nil {
		return err
	}
	if err := b.deepCosts(ctx, ofShallow, ofDeep, few); err != nil {
		return err
	}
	less, err := ofShallow.settled(ctx, b.settle)
	if err != nil {
		return err
	}
	much, err := ofDeep.settled(ctx, b.settle)
	more := mega(much.Resident - less.Resident)
	b.add(rowDeepMemory, row{
		fmt.Sprintf("Memory after work at a backlog of %d small messages", b.deepest),
		atMost(64, 0, fmt.Sprintf("≤ 64 MB more than at %d", few)), more,
		fmt.Sprintf("%.1f MB more (%.1f MB, %.1f MB)", more, mega(much.Resident), mega(less.Resident)),
	})
	return err
}

// fillDeep makes a backlog of n small messages, some of them returned and one of
// a hundred in flight, and tells about it.
func (b *bench) fillDeep(ctx context.Context, dir string, n, returned int) (note string, err error) {
	begun, held := time.Now(), min(n/100, maxInFlight)
	err = prepare(ctx, dir, func(ctx context.Context, f *filler) error {
		queue, err := f.create(ctx, deepQueue)
		if err != nil {
			return err
		}
		if _, err := f.send(ctx, queue, n, plain(smallBody)); err != nil {
			return err
		}
		if err := f.receive(ctx, queue, held, hold); err != nil {
			return err
		}
		if err := f.returned(ctx, queue, returned); err != nil {
			return err
		}
		return f.counts(ctx, queue, engine.Counts{Visible: int64(n - held), InFlight: int64(held)})
	})
	if err != nil {
		return "", err
	}
	var size int64
	err = onData(dir, func(f *os.File) error {
		info, err := f.Stat()
		if err == nil {
			size = info.Size()
		}
		return err
	})
	return fmt.Sprintf("%d messages of %d bytes, %d of them visible again after a receive and %d in flight, written through the store itself in %.0f s; the data file has %.0f MB.",
		n, smallBody, returned, held, time.Since(begun).Seconds(), mega(size)), err
}

// deepStarts measures the time from the start of the process to its first answer
// and to the first message out of the backlog.
func (b *bench) deepStarts(ctx context.Context, dir string) error {
	if !b.wants(rowDeepStart) {
		return nil
	}
	var answers, messages []float64
	for range min(b.starts, maxDeepStarts) {
		if err := chill(dir); err != nil {
			return err
		}
		server, err := b.serveOn(ctx, dir)
		if err != nil {
			return err
		}
		answers = append(answers, load.Micros(time.Since(server.begun)))
		urls, err := server.urls(ctx, deepQueue)
		if err != nil {
			return err
		}
		var got struct{ Messages []struct{ Body string } }
		if err := server.ask(ctx, "ReceiveMessage", args{"QueueUrl": urls[0]}, &got); err != nil {
			return err
		}
		messages = append(messages, load.Micros(time.Since(server.begun)))
		if len(got.Messages) != 1 {
			return fmt.Errorf("%w at the deepest backlog", load.ErrEmpty)
		}
		if err := b.stop(server); err != nil {
			return err
		}
	}
	first := median(messages)
	b.add(rowDeepStart, row{
		fmt.Sprintf("Start to first message, %d messages, not in the system's cache", b.deepest), atMost(1e6, 0, "≤ 1 s"), first,
		fmt.Sprintf("%.1f ms (first answer %.1f ms, %d times)", first/1e3, median(answers)/1e3, len(messages)),
	})
	return nil
}

// life is a side in which small messages are sent, received and deleted one by
// one, by number, so that the backlog stays what it is.
func (b *bench) life(ctx context.Context, server *process, depth int) (side, error) {
	urls, err := server.urls(ctx, deepQueue)
	if err != nil {
		return side{}, err
	}
	wire, err := load.NewWire(load.WireOptions{URL: "http://" + server.Wire.Addr, Body: smallBody})
	if err != nil {
		return side{}, err
	}
	s := side{}
	for _, action := range deepActions {
		s.phases = append(s.phases, fmt.Sprintf("%s, small, at %d", action, depth))
	}
	o, work := load.Options{Conns: b.conns, Jobs: int64(b.shallow / 2)}, load.Work{Wire: wire, Queues: urls}
	s.run = func(ctx context.Context) ([]load.Measure, error) {
		held := &load.Handles{}
		var all []load.Measure
		for _, newJob := range []func(int) load.Job{work.Send(), work.Receive(held), work.Delete(held)} {
			m, err := server.under(ctx, o, newJob)
			if err != nil {
				return nil, err
			}
			all = append(all, m)
		}
		return all, nil
	}
	return s, nil
}

// deepActions are the phases of a life.
var deepActions = []string{"SendMessage", "ReceiveMessage of 1", "DeleteMessage"}

// deepCosts compares both backlogs.
func (b *bench) deepCosts(ctx context.Context, ofShallow, ofDeep *process, few int) error {
	shallow, err := b.life(ctx, ofShallow, few)
	if err != nil {
		return err
	}
	deep, err := b.life(ctx, ofDeep, b.deepest)
	if err != nil {
		return err
	}
	got, err := b.turns(ctx, shallow, deep)
	if err != nil {
		return err
	}
	for i, name := range []string{rowDeepSend, rowDeepReceive, rowDeepDelete} {
		b.add(name, costRow(fmt.Sprintf("%s, small, at a backlog of %d", deepActions[i], b.deepest),
			atMost(1.2, 0, fmt.Sprintf("≤ 1.2 × the cost at %d", few)), got[deep.phases[i]], got[shallow.phases[i]]))
	}
	return nil
}

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

// veryDeep compares sends, receives and deletes of small messages at the deepest
// backlog with those at a shallow one, on one server, and the memory of a server
// before and after. A part of the backlog was received and is visible again, a
// part is in flight.
func (b *bench) veryDeep(ctx context.Context) (err error) {
	dir := filepath.Join(b.dir, "deep")
	defer func() { err = errors.Join(err, b.stopAll(), os.RemoveAll(dir)) }()
	before, err := b.memoryWithout(ctx, "deep", b.fillShallow, func(ctx context.Context, server *process) error {
		urls, err := server.urls(ctx, "shallow")
		if err == nil {
			_, err = b.life(server, urls[0]).run(ctx)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := b.fillDeep(ctx, dir); err != nil {
		return err
	}
	if err := b.deepStarts(ctx, dir); err != nil {
		return err
	}
	if !b.wants(rowDeepSend) && !b.wants(rowDeepReceive) && !b.wants(rowDeepDelete) && !b.wants(rowDeepMemory) {
		return nil
	}
	server, err := b.serveOn(ctx, dir)
	if err != nil {
		return err
	}
	if err := b.deepCosts(ctx, server); err != nil {
		return err
	}
	after, err := server.settled(ctx, b.settle)
	if err != nil {
		return err
	}
	more := mega(after.Resident - before.Resident)
	b.add(rowDeepMemory, row{
		fmt.Sprintf("Memory after work at a backlog of %d small messages", b.deepest),
		atMost(64, 0, fmt.Sprintf("≤ 64 MB more than at %d", b.shallow)), more,
		fmt.Sprintf("%.1f MB more (%.1f MB, %.1f MB)", more, mega(after.Resident), mega(before.Resident)),
	})
	return nil
}

// memoryWithout is the memory of a server that has done the same work on a store
// without what a case is about.
func (b *bench) memoryWithout(ctx context.Context, name string, fill func(context.Context, *filler) error,
	work func(context.Context, *process) error,
) (m load.Memory, err error) {
	dir := filepath.Join(b.dir, name+"-without")
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := prepare(ctx, dir, fill); err != nil {
		return m, err
	}
	server, err := b.serveOn(ctx, dir)
	if err != nil {
		return m, err
	}
	if err := work(ctx, server); err != nil {
		return m, err
	}
	m, err = server.settled(ctx, b.settle)
	return m, errors.Join(err, b.stop(server))
}

func (b *bench) fillShallow(ctx context.Context, f *filler) error {
	queue, err := f.create(ctx, "shallow")
	if err == nil {
		_, err = f.send(ctx, queue, b.shallow, plain(smallBody))
	}
	return err
}

// fillDeep makes both backlogs.
func (b *bench) fillDeep(ctx context.Context, dir string) error {
	begun := time.Now()
	returned, held := b.deepest/10, min(b.deepest/100, maxInFlight)
	b.say("  filling a queue with %d messages", b.deepest)
	err := prepare(ctx, dir, func(ctx context.Context, f *filler) error {
		if err := b.fillShallow(ctx, f); err != nil {
			return err
		}
		deep, err := f.create(ctx, "deep")
		if err != nil {
			return err
		}
		if _, err := f.send(ctx, deep, b.deepest, plain(smallBody)); err != nil {
			return err
		}
		if err := f.receive(ctx, deep, held, hold); err != nil {
			return err
		}
		if err := f.returned(ctx, deep, returned); err != nil {
			return err
		}
		return f.counts(ctx, deep, engine.Counts{Visible: int64(b.deepest - held), InFlight: int64(held)})
	})
	if err != nil {
		return err
	}
	var size int64
	err = onData(dir, func(f *os.File) error {
		info, err := f.Stat()
		if err == nil {
			size = info.Size()
		}
		return err
	})
	b.note("The deepest backlog: %d messages of %d bytes, %d of them visible again after a receive and %d in flight, written through the store itself in %.0f s; the data file has %.0f MB.",
		b.deepest, smallBody, returned, held, time.Since(begun).Seconds(), mega(size))
	return err
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
		urls, err := server.urls(ctx, "deep")
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
func (b *bench) life(server *process, queue string) side {
	return side{phases: make([]string, 3), run: func(ctx context.Context) ([]load.Measure, error) {
		wire, err := load.NewWire(load.WireOptions{URL: "http://" + server.Wire.Addr, Body: smallBody})
		if err != nil {
			return nil, err
		}
		work, held := load.Work{Wire: wire, Queues: []string{queue}}, &load.Handles{}
		o := load.Options{Conns: b.conns, Jobs: int64(b.shallow / 2)}
		var all []load.Measure
		for _, newJob := range []func(int) load.Job{work.Send(), work.Receive(held), work.Delete(held)} {
			m, err := server.under(ctx, o, newJob)
			if err != nil {
				return nil, err
			}
			all = append(all, m)
		}
		return all, nil
	}}
}

// deepCosts compares both backlogs.
func (b *bench) deepCosts(ctx context.Context, server *process) error {
	urls, err := server.urls(ctx, "shallow", "deep")
	if err != nil {
		return err
	}
	shallow, deep := b.life(server, urls[0]), b.life(server, urls[1])
	actions := []string{"SendMessage", "ReceiveMessage of 1", "DeleteMessage"}
	for i, action := range actions {
		shallow.phases[i] = fmt.Sprintf("%s, small, at %d", action, b.shallow)
		deep.phases[i] = fmt.Sprintf("%s, small, at %d", action, b.deepest)
	}
	got, err := b.turns(ctx, shallow, deep)
	if err != nil {
		return err
	}
	for i, name := range []string{rowDeepSend, rowDeepReceive, rowDeepDelete} {
		b.add(name, costRow(fmt.Sprintf("%s of small messages at a backlog of %d", actions[i], b.deepest),
			atMost(1.2, 0, fmt.Sprintf("≤ 1.2 × the cost at %d", b.shallow)), got[deep.phases[i]], got[shallow.phases[i]]))
	}
	return nil
}

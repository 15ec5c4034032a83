//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"queues/cmd/queues/load"
)

// listed is how many queues the lists that are compared have.
const listed = 100

// veryManyQueues compares a server that has very many queues, all of them at
// work, with one that has few.
func (b *bench) veryManyQueues(ctx context.Context) (err error) {
	dirs := []string{filepath.Join(b.dir, "few"), filepath.Join(b.dir, "many")}
	defer func() { err = errors.Join(err, b.stopAll(), os.RemoveAll(dirs[0]), os.RemoveAll(dirs[1])) }()
	var servers []*process
	var names [][]string
	for i, n := range []int{1, b.many} {
		names = append(names, nil)
		for k := range n {
			names[i] = append(names[i], fmt.Sprintf("busy-%d", k))
		}
		b.say("  creating %d queues", n)
		if err := prepare(ctx, dirs[i], manyQueues(names[i], max(standing, standing*b.many/n))); err != nil {
			return err
		}
		server, err := b.serveOn(ctx, dirs[i])
		if err != nil {
			return err
		}
		servers = append(servers, server)
	}
	few, many := servers[0], servers[1]
	one, err := few.urls(ctx, names[0]...)
	if err != nil {
		return err
	}
	all, err := many.urls(ctx, names[1]...)
	if err != nil {
		return err
	}
	if err := b.manyCycles(ctx, few, many, one, all); err != nil {
		return err
	}
	if err := b.manyLooks(ctx, few, many, one, all); err != nil {
		return err
	}
	var memory [2]load.Memory
	for i, server := range servers {
		if memory[i], err = server.settled(ctx, b.settle); err != nil {
			return err
		}
	}
	more := mega(memory[1].Resident - memory[0].Resident)
	b.add(rowManyMemory, row{
		fmt.Sprintf("Memory of %d queues after work in all of them", b.many), atMost(64, 0, "≤ 64 MB more than with one"), more,
		fmt.Sprintf("%.1f MB more (%.1f MB, %.1f MB)", more, mega(memory[1].Resident), mega(memory[0].Resident)),
	})
	return nil
}

// manyQueues makes queues with some messages in each, and those to be listed.
func manyQueues(names []string, messages int) func(context.Context, *filler) error {
	return func(ctx context.Context, f *filler) error {
		for i := range listed {
			if _, err := f.create(ctx, fmt.Sprintf("listed-%d", i)); err != nil {
				return err
			}
		}
		for _, name := range names {
			queue, err := f.create(ctx, name)
			if err != nil {
				return err
			}
			if _, err := f.send(ctx, queue, messages, plain(load.DefaultBody)); err != nil {
				return err
			}
		}
		return nil
	}
}

func (b *bench) manyCycles(ctx context.Context, few, many *process, one, all []string) error {
	if !b.wants(rowManyQueues) && !b.wants(rowManyMemory) {
		return nil
	}
	o := load.Options{Conns: b.conns, Duration: b.duration}
	phaseOne, phaseMany := "send, receive, delete on the only queue", fmt.Sprintf("send, receive, delete over %d queues", b.many)
	got, err := b.turns(ctx,
		b.under(phaseOne, few, o, few.on(one...).Cycle()),
		b.under(phaseMany, many, o, many.on(all...).Cycle()),
	)
	if err != nil {
		return err
	}
	b.add(rowManyQueues, costRow(fmt.Sprintf("Full cycle over %d busy queues", b.many), atMost(1.5, 0, "≤ 1.5 × the cost with one"),
		got[phaseMany], got[phaseOne]))
	return nil
}

// manyLooks compares what only looks: the attributes of a queue with its counts,
// and a list of the same queues.
func (b *bench) manyLooks(ctx context.Context, few, many *process, one, all []string) error {
	if !b.wants(rowManyCounts) && !b.wants(rowManyList) {
		return nil
	}
	o := load.Options{Conns: b.conns, Duration: b.duration / 2}
	countsOne, countsMany := "GetQueueAttributes of the only queue", fmt.Sprintf("GetQueueAttributes over %d queues", b.many)
	listFew, listMany := fmt.Sprintf("ListQueues of %d among %d", listed, listed+1), fmt.Sprintf("ListQueues of %d among %d", listed, listed+b.many)
	got, err := b.turns(ctx,
		b.under(countsOne, few, o, few.on(one...).Attributes()),
		b.under(countsMany, many, o, many.on(all...).Attributes()),
		b.under(listFew, few, o, few.lists("listed-", listed)),
		b.under(listMany, many, o, many.lists("listed-", listed)),
	)
	if err != nil {
		return err
	}
	b.add(rowManyCounts, costRow(fmt.Sprintf("Attributes and counts over %d queues", b.many), atMost(1.5, 0, "≤ 1.5 × the cost with one"),
		got[countsMany], got[countsOne]))
	b.add(rowManyList, costRow(fmt.Sprintf("A list of %d queues among %d others", listed, b.many), atMost(1.2, 0, "≤ 1.2 × the cost without them"),
		got[listMany], got[listFew]))
	return nil
}

// lists is a list of the queues that begin with a prefix, which must be n. It
// counts as one message.
func (p *process) lists(prefix string, n int) func(int) load.Job {
	return load.Cycles([]load.Ask{p.Wire.ListQueuesOf(prefix).Judged(load.Queues(prefix, n))})
}

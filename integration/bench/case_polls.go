//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"queues/cmd/queues/load"
)

const (
	// pollQueues is how many queues the idle polls share.
	pollQueues = 100
	// spareFiles is what both sides need beside a file for each connection.
	spareFiles = 500
	// maxWait is the longest wait of a receive.
	maxWait = 20 * time.Second
)

// idlePolls watches a server with nothing but waiting receives.
func (b *bench) idlePolls(ctx context.Context) error {
	polls := b.allowFiles(b.polls)
	server, err := b.serve(ctx)
	if err != nil {
		return err
	}
	queues, err := server.createQueues(ctx, "polls", min(pollQueues, polls))
	if err != nil {
		return err
	}
	before, err := server.settled(ctx, b.settle)
	if err != nil {
		return err
	}
	waiting, err := b.park(ctx, server, queues, polls)
	defer func() {
		for _, c := range waiting {
			c.Quit()
		}
	}()
	if err != nil {
		return err
	}
	share, err := b.idleShare(ctx, server)
	if err != nil {
		return err
	}
	after, err := server.memory()
	if err != nil {
		return err
	}
	for _, c := range waiting {
		if gone, err := pending(c); gone || err != nil {
			return errors.Join(errors.New("a poll did not wait to its end"), err)
		}
	}
	b.say("  waiting for %d answers", polls)
	for _, c := range waiting {
		body, err := c.Do(load.ReceiveMessage, nil)
		if err != nil {
			return server.failed(fmt.Errorf("an idle poll: %w", err))
		}
		if got := server.Wire.HandlesIn(body); len(got) != 0 {
			return fmt.Errorf("%d messages from an empty queue", len(got))
		}
	}
	each := float64(after.Resident-before.Resident) / 1024 / float64(polls)
	b.note("Idle polls: VmRSS of the server %.1f MB before, %.1f MB with %d polls over %d queues; CPU watched for %v.",
		mega(before.Resident), mega(after.Resident), polls, len(queues), b.window)
	title := fmt.Sprintf("%d idle long polls", polls)
	b.add(rowPollCPU, row{title + ": CPU", atMost(0.01, 0, "≤ 1 % of a core"), share, fmt.Sprintf("%.2f %%", 100*share)})
	b.add(rowPollMemory, row{title + ": memory", atMost(40, 0, "≤ 40 KB each"), each, fmt.Sprintf("%.1f KB each", each)})
	return nil
}

// park opens n connections and leaves a receive waiting on each.
func (b *bench) park(ctx context.Context, server *process, queues []string, n int) ([]*load.Conn, error) {
	// All must still wait when the window ends.
	wait := (b.window + b.window/4 + 3*time.Second + time.Duration(n)*300*time.Microsecond).Truncate(time.Second)
	if wait > maxWait {
		wait = maxWait
	}
	requests := make([][]byte, len(queues))
	for i, q := range queues {
		requests[i] = server.Wire.Receive(q, 1, wait).Bytes()
	}
	var waiting []*load.Conn
	for range n {
		c, err := server.Dial(ctx)
		if err != nil {
			return waiting, err
		}
		waiting = append(waiting, c)
	}
	for i, c := range waiting {
		if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
			return waiting, err
		}
		if _, err := c.Write(requests[i%len(requests)]); err != nil {
			return waiting, err
		}
	}
	return waiting, nil
}

// idleShare is the share of a core that a server uses over the window, after a
// quarter of it to calm down.
func (b *bench) idleShare(ctx context.Context, server *process) (float64, error) {
	if err := load.Pause(ctx, b.window/4); err != nil {
		return 0, err
	}
	before, err := server.cpu()
	if err != nil {
		return 0, err
	}
	begun := time.Now()
	if err := load.Pause(ctx, b.window); err != nil {
		return 0, err
	}
	after, err := server.cpu()
	return float64(after-before) / float64(time.Since(begun)), err
}

// allowFiles raises the limit of open files as far as n connections need it,
// and gives the number that it allows.
func (b *bench) allowFiles(n int) int {
	want := uint64(n + spareFiles)
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur >= want {
		return n
	}
	raised := unix.Rlimit{Cur: want, Max: max(limit.Max, want)}
	if unix.Setrlimit(unix.RLIMIT_NOFILE, &raised) == nil {
		return n
	}
	raised = unix.Rlimit{Cur: limit.Max, Max: limit.Max}
	if unix.Setrlimit(unix.RLIMIT_NOFILE, &raised) != nil {
		raised = limit
	}
	if raised.Cur >= want {
		return n
	}
	allowed := max(int(raised.Cur)-spareFiles, 1)
	b.warn("the limit of open files allows %d polls, not %d", allowed, n)
	return allowed
}

// pending says whether a server has sent something that was not read, or closed
// the connection.
func pending(c *load.Conn) (bool, error) {
	if c.Buffered() {
		return true, nil
	}
	raw, err := c.Conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return false, err
	}
	var peek error
	err = raw.Control(func(fd uintptr) {
		var b [1]byte
		_, _, peek = syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	if peek == syscall.EAGAIN {
		return false, err
	}
	return true, errors.Join(err, peek)
}

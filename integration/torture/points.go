//go:build linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	_ "github.com/mattn/go-sqlite3" // to see from outside whether the server has work left

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

const (
	// shortPoints is at how many points the short form kills in each script.
	shortPoints = 4
	// settleLimit is how long background work may take after a start.
	settleLimit = 20 * time.Second
	// beyond is more calls than any script makes.
	beyond = 1 << 20
)

// pointer kills a server at the n-th call to the system that changes a file or
// answers a client, for every n.
type pointer struct {
	*torture
	dir, data, library string
	faults             *powercut.Faults
	faultFile          string
	// kills and again count the points and the kills after them, in the start
	// that followed.
	kills, again int
}

// base is what a script finds.
type base struct {
	dir string
	// states are what may be stored after so many answers.
	states func(answered int) []map[string]int
}

// points is the part of that name.
func points(ctx context.Context, t *torture) error {
	p, err := newPointer(ctx, t)
	if err != nil {
		return err
	}
	defer func() { _ = p.faults.Close() }() // the program is about to end
	all := scripts()
	for i := range all {
		if err := p.killAll(ctx, &all[i]); err != nil {
			return fmt.Errorf("%s: %w", all[i].name, err)
		}
		if t.broken() {
			return nil // the folder is the evidence
		}
	}
	t.say("points: %d scripts, %d kills at a call to the system of its own each, %d more in the starts that followed", len(all), p.kills, p.again)
	return ctx.Err()
}

// newPointer makes the folder and the faults of a pointer.
func newPointer(ctx context.Context, t *torture) (*pointer, error) {
	p := &pointer{torture: t, dir: filepath.Join(t.dir, "points")}
	p.data, p.faultFile = filepath.Join(p.dir, "data"), filepath.Join(p.dir, "control")
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if p.library, err = powercut.Build(ctx, p.dir); err != nil {
		return nil, err
	}
	p.faults, err = powercut.NewFaults(p.faultFile)
	return p, err
}

// killAll kills a script at all of its points, or at some with the same distance.
func (p *pointer) killAll(ctx context.Context, s *script) error {
	b, err := p.prepare(ctx, s)
	if err != nil {
		return err
	}
	// Once without a kill, to see how many points there are.
	calls, reached, err := p.killOnce(ctx, s, b, beyond)
	if err != nil || p.broken() {
		return err
	}
	if reached || calls == 0 {
		return fmt.Errorf("the script has %d calls", calls)
	}
	every := 1
	if p.Short {
		every = max(1, calls/shortPoints)
	}
	kills, first := 0, 0
	if every > 1 {
		first = p.random.IntN(every)
	}
	for n := first; ; n += every {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		_, reached, err := p.killOnce(ctx, s, b, n)
		if err != nil || p.broken() {
			return err
		}
		if !reached {
			break // how many calls there are differs a little from run to run
		}
		if kills++; kills%100 == 0 {
			p.say("points: %s: killed at %d of about %d calls", s.name, n, calls)
		}
	}
	p.kills += kills
	p.say("points: %s: about %d calls, killed at %d of them, at every %d from %d on; all was there afterwards", s.name, calls, kills, every, first)
	return nil
}

// prepare makes the base of a script.
func (p *pointer) prepare(ctx context.Context, s *script) (*base, error) {
	b := &base{dir: filepath.Join(p.dir, "base")}
	if err := errors.Join(os.RemoveAll(b.dir), os.MkdirAll(b.dir, 0o700)); err != nil {
		return nil, err
	}
	p.faults.Disarm()
	server, client, err := p.serve(b.dir, p.injected(b.dir))
	if err != nil {
		return nil, err
	}
	defer server.kill()
	before := &scribe{ctx: ctx, client: client, stored: make(map[string][]string)}
	if s.prepare(before); before.err != nil {
		return nil, before.err
	}
	b.states = func(answered int) []map[string]int { return s.states(before.stored, answered) }
	if s.starting {
		done := len(s.steps)
		b.states = func(int) []map[string]int { return s.states(before.stored, done) }
		// Killed at its last answer, it leaves the most to its next start.
		kill := powercut.Fault{Kind: powercut.Answer, Kill: true, Skip: uint32(done - 1), Times: 1}
		if err := p.faults.Arm(kill); err != nil {
			return nil, err
		}
		if n := perform(ctx, client, s.steps); n != done-1 {
			return nil, fmt.Errorf("%d of %d steps were answered, want all but one", n, done)
		}
	}
	return b, nil
}

// injected is the environment in which calls can fail.
func (p *pointer) injected(data string) []string {
	return []string{"LD_PRELOAD=" + p.library, "TORTURE_DATA=" + data, "TORTURE_FAULTS=" + p.faultFile}
}

// serve starts a server and a client of it.
func (p *pointer) serve(data string, env []string) (*server, *wire.Client, error) {
	server, err := startServer(p.torture.server, data, env)
	if err != nil {
		return nil, nil, err
	}
	if err := server.await(); err != nil {
		return server, nil, err
	}
	client := wire.New()
	client.Use(server.url)
	return server, client, nil
}

// killOnce kills a script once, after so many calls, and judges what comes of
// it. It tells how many calls there were, and whether it came to the kill.
func (p *pointer) killOnce(ctx context.Context, s *script, b *base, after int) (calls int, reached bool, err error) {
	if err := errors.Join(os.RemoveAll(p.data), contents.Copy(b.dir, p.data)); err != nil {
		return 0, false, err
	}
	env := p.injected(p.data)
	kill := powercut.Fault{Kind: powercut.Change, Kill: true, Skip: uint32(after), Times: 1}
	p.faults.Disarm()
	if s.starting {
		if err := p.faults.Arm(kill); err != nil {
			return 0, false, err
		}
	}
	server, client, err := p.serve(p.data, env)
	if server == nil {
		return 0, false, err
	}
	defer server.kill()
	answered := 0
	if client != nil {
		if !s.starting {
			if err := p.faults.Arm(kill); err != nil {
				return 0, false, err
			}
			answered = perform(ctx, client, s.steps)
		}
		if answered == len(s.steps) || s.starting {
			_ = p.settled(ctx, p.data, server) // the judge says what was not done
		}
	}
	calls, reached = p.faults.Seen(), p.faults.Fired() > 0
	server.kill()
	where := fmt.Sprintf("points: %s, killed at call %d", s.name, after)
	if client == nil && !reached {
		p.violated("%s: %v", where, err)
		return calls, reached, nil
	}
	if reached && after%4 == 3 { // and again, in the start that mends it
		again := kill
		again.Skip = uint32(p.random.IntN(40))
		if err := p.faults.Arm(again); err != nil {
			return calls, reached, err
		}
		second, err := startServer(p.torture.server, p.data, env)
		if err != nil {
			return calls, reached, err
		}
		_ = second.await() // it has ended, or serves and is killed here
		second.kill()
		p.again++
	}
	p.faults.Disarm()
	if text := p.judge(ctx, s, b.states(answered), answered); text != "" {
		p.violated("%s after %d answers: %s", where, answered, text)
	}
	return calls, reached, nil
}

// perform makes steps until one is not answered, and tells how many were.
func perform(ctx context.Context, client *wire.Client, steps []step) (answered int) {
	for _, s := range steps {
		if a := client.Call(ctx, s.action, s.in); a.Outcome != history.Done {
			break
		}
		answered++
	}
	return answered
}

// settled waits until a server has no background work left.
func (p *pointer) settled(ctx context.Context, data string, server *server) error {
	db, err := sql.Open("sqlite3", "file:"+filepath.Join(data, "queues.db")+"?mode=ro")
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // it was only read
	var left int
	for end := time.Now().Add(settleLimit); time.Now().Before(end); {
		err = db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM garbage) + (SELECT count(*) FROM moves WHERE status < 2)").Scan(&left)
		if err == nil && left == 0 {
			return nil
		}
		select {
		case <-server.ended:
			return errors.New("the server has ended")
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(2 * time.Millisecond):
		}
	}
	return errors.Join(err, fmt.Errorf("there are %d move tasks and epochs of garbage left after %v", left, settleLimit))
}

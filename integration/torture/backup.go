//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/load"
	"queues/integration/torture/wire"
)

// ballastCount is how many messages make a copy take its time.
const ballastCount = 300

// copier makes backups of a server that is at work, and kills one or the other.
type copier struct {
	*torture
	dir, data, copies string
	ballast           int
	load              *load.Load
	server            *server
	usual             time.Duration
	// made counts the copies that were finished, ended the other ends.
	made  int
	ended map[string]int
}

// backups is the part of that name.
func backups(ctx context.Context, t *torture) (err error) {
	c, err := newCopier(t, ballastCount)
	if err != nil {
		return err
	}
	if err := c.start(); err != nil {
		return err
	}
	defer func() { c.server.kill() }()
	if err := errors.Join(load.Create(ctx, c.load.Client), fillBallast(ctx, c.load.Client, c.ballast)); err != nil {
		return err
	}
	working, stop := context.WithCancel(ctx)
	defer c.load.Wait()
	defer stop()
	c.load.Start(working)
	for n := 0; n < c.Copies && ctx.Err() == nil && !t.broken(); n++ {
		c.load.Open()
		if err := c.once(ctx, n); err != nil {
			return err
		}
	}
	stop()
	c.load.Wait()
	if !t.broken() {
		c.end(ctx)
	}
	t.say("backup: %d copies were finished and restored, the usual one took %v; cut off: %v; %d calls, %d events",
		c.made, c.usual.Round(time.Millisecond), c.ended, c.load.Client.Calls(), c.load.History.Len())
	if t.broken() {
		return keepHistory(c.load.History, c.dir)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return cutBackups(ctx, t)
}

// newCopier makes the folders of a copier.
func newCopier(t *torture, ballast int) (*copier, error) {
	c := &copier{torture: t, dir: filepath.Join(t.dir, "backup"), ballast: ballast, load: load.New(wire.New(), t.Seed), ended: make(map[string]int)}
	c.data, c.copies = filepath.Join(c.dir, "data"), filepath.Join(c.dir, "copies")
	return c, os.MkdirAll(c.copies, 0o700)
}

// start starts the server, with its admin port.
func (c *copier) start() (err error) {
	if c.server, err = startServer(c.torture.server, c.data, nil, "--admin=127.0.0.1:0"); err != nil {
		return err
	}
	if err := c.server.await(); err != nil {
		return err
	}
	c.load.Client.Use(c.server.url)
	return c.leftovers()
}

// adminOf is the address of a server's admin port, which it tells last.
func adminOf(s *server) (string, error) {
	for deadline := time.Now().Add(startLimit); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, rest, ok := strings.Cut(s.text(), "health  http://"); ok {
			address, _, _ := strings.Cut(rest, "/")
			return address, nil
		}
	}
	return "", fmt.Errorf("the server does not tell its admin port: %s", s.text())
}

// leftovers finds what a start should have removed.
func (c *copier) leftovers() error {
	found, err := filepath.Glob(filepath.Join(c.data, "backup.tmp*"))
	if len(found) > 0 {
		c.violated("backup: a start leaves %v", found)
	}
	return err
}

// once makes one copy, or begins to.
func (c *copier) once(ctx context.Context, n int) error {
	admin, err := adminOf(c.server)
	if err != nil {
		return err
	}
	time.Sleep(time.Duration(c.random.Int64N(int64(400 * time.Millisecond)))) // the clients get on
	file := filepath.Join(c.copies, fmt.Sprintf("%d.db", n))
	var said bytes.Buffer
	client := exec.CommandContext(ctx, c.torture.server, "backup", "--admin="+admin, file)
	client.Env, client.Stdout, client.Stderr = withoutSettings(os.Environ()), &said, &said
	client.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	before := c.load.History.Now()
	begun := time.Now()
	if err := client.Start(); err != nil {
		return err
	}
	victim := []string{"nobody", "nobody", "server", "client", "client at its word"}[c.random.IntN(5)]
	if c.usual == 0 {
		victim = "nobody" // to see how long it takes
	}
	if victim != "nobody" {
		time.Sleep(time.Duration(c.random.Int64N(int64(c.usual) * 5 / 4)))
	}
	switch victim {
	case "server":
		c.server.kill()
	case "client":
		err = client.Process.Kill()
	case "client at its word":
		err = client.Process.Signal(syscall.SIGTERM)
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	failure := client.Wait()
	after := c.load.History.Now()
	if victim == "nobody" {
		c.usual = max(c.usual/2, time.Since(begun))
	}
	if victim == "server" {
		c.load.Shut()
		c.load.Settle()
	}
	_, there := os.Stat(file)
	switch {
	case there == nil && (failure == nil || victim != "nobody"): // a client may be killed when the name is there
		err = c.judge(ctx, file, before, after)
	case !errors.Is(there, fs.ErrNotExist):
		err = there
	case failure == nil || victim == "nobody":
		c.violated("backup: %d (killed: %s) made no copy: %v: %s", n, victim, failure, said.String())
	default:
		c.ended[victim]++
	}
	return errors.Join(err, c.tidy(victim))
}

// tidy looks at what a copy has left behind, and starts a server that was killed
// again.
func (c *copier) tidy(victim string) error {
	left, err := filepath.Glob(filepath.Join(c.copies, ".queues-backup-*"))
	if err != nil {
		return err
	}
	if len(left) > 0 && victim != "client" { // one that is killed at once leaves its file
		c.violated("backup: %s was ended, and the client left %v", victim, left)
	}
	for _, file := range left {
		err = errors.Join(err, os.Remove(file))
	}
	if victim == "server" {
		return errors.Join(err, c.start())
	}
	return err
}

// judge restores a finished copy. It must be whole, and hold what the store had
// at some moment between its begin and its end.
func (c *copier) judge(ctx context.Context, file string, before, after time.Duration) error {
	data := filepath.Join(c.dir, "restored")
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	for _, args := range [][]string{{"check", file}, {"restore", file, "--data=" + data}, {"check", data}} {
		cmd := exec.CommandContext(ctx, c.torture.server, args...)
		cmd.Env = withoutSettings(os.Environ())
		if out, err := cmd.CombinedOutput(); err != nil {
			c.violated("backup: queues %v: %v: %s", args, err, out)
			return nil
		}
	}
	found, err := contents.Of(ctx, data)
	if err != nil {
		c.violated("backup: %s restored: %v", file, err)
		return nil
	}
	c.hasBallast(file, found)
	// Calls that are under way may have been seen by the copy before they are
	// written down.
	c.load.Shut()
	c.load.Settle()
	h := c.load.History.Until(before, after)
	h.AddState(history.State{At: after, Contents: found.Messages})
	for _, v := range h.Check() {
		c.violated("backup: %s: %v", file, v)
	}
	if c.broken() {
		return nil // the copy is the evidence
	}
	c.made++
	return os.Remove(file)
}

// hasBallast takes the ballast out of what was found.
func (c *copier) hasBallast(where string, found contents.Found) {
	if text := takeBallast(found, c.ballast); text != "" {
		c.violated("backup: %s %s", where, text)
	}
}

// end compares the original with its whole history.
func (c *copier) end(ctx context.Context) {
	state, err := quiet(ctx, c.load)
	if err == nil {
		err = c.server.stop()
	}
	if err == nil {
		err = contents.Copy(c.data, filepath.Join(c.dir, "copy"))
	}
	var found contents.Found
	if err == nil {
		found, err = contents.Of(ctx, filepath.Join(c.dir, "copy"))
	}
	if err != nil {
		c.violated("backup: the original: %v", err)
		return
	}
	c.hasBallast("the original", found)
	state.Contents = found.Messages
	c.load.History.AddState(*state)
	for _, v := range c.load.History.Check() {
		c.violated("backup: the original: %v", v)
	}
	for _, text := range c.load.Failed() {
		c.violated("backup: %s", text)
	}
}

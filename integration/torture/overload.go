//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// overload sends more than a server can take, and less than it needs.
type overload struct {
	*torture
	data   string
	server *server
	honest *honest
	client *wire.Client

	mu   sync.Mutex
	most usage
	// looks counts what most is the most of.
	looks int
}

// attack is one way to misbehave.
type attack struct {
	name string
	// args are flags of the server, for limits that are soon reached.
	args []string
	// memory and log bound the resident memory and the write-ahead log, in
	// bytes.
	memory, log int64
	run         func(context.Context, *overload) error
}

// walBound is what the write-ahead log stays below whatever comes, in bytes: the
// 64 MiB at which the writer makes it start over, and what is written meanwhile.
const walBound = 80 << 20

// withBudget is what a server may have in memory whose requests and answers may
// have so many bytes together: twice that and 256 MiB, where the collector
// gives all it has, and what SQLite and the program need beside the heap.
func withBudget(bytes int64) int64 { return 2*bytes + 256<<20 + 128e6 }

// attacks are all of them.
var attacks = []attack{
	{"slow clients", nil, 300e6, walBound, slowClients},
	{"clients that never read", []string{"--max-memory=128MiB"}, withBudget(128 << 20), walBound, neverRead},
	{"the largest messages", []string{"--max-memory=256MiB"}, withBudget(256 << 20), walBound, largest},
	{"waiting receives", []string{"--max-waiting=" + fmt.Sprint(pollLimit)}, pollCount*40<<10 + 100e6, walBound, waiters},
	{"connections", []string{"--max-connections=" + fmt.Sprint(connLimit)}, 200e6, walBound, crowds},
}

// overloading is the part of that name.
func overloading(ctx context.Context, t *torture) error {
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: needFiles, Max: needFiles}); err != nil {
		var limit unix.Rlimit
		if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || limit.Cur < needFiles {
			return fmt.Errorf("the part overload needs %d open files (ulimit -n)", needFiles)
		}
	}
	for i, a := range attacks {
		if !strings.Contains(a.name, t.Attack) {
			continue
		}
		if err := t.attack(ctx, a, filepath.Join(t.dir, fmt.Sprintf("overload-%d", i+1))); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return nil
}

// needFiles is how many files this program and the server open at most.
const needFiles = pollCount + 2000

// attack attacks a server of its own.
func (t *torture) attack(ctx context.Context, a attack, data string) (err error) {
	o := &overload{torture: t, data: data, client: wire.New()}
	if o.server, err = startServer(t.server, data, nil, append([]string{"--admin=localhost:0"}, a.args...)...); err != nil {
		return err
	}
	defer func() { o.server.kill() }()
	if err := o.server.await(); err != nil {
		return err
	}
	o.client.Use(o.server.url)
	if o.honest, err = newHonest(ctx, o.server.url); err != nil {
		return err
	}
	disk, err := newYardstick(ctx, t.dir)
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	var watch sync.WaitGroup
	watch.Go(func() { o.watch(watching) })
	o.honest.work(ctx)
	err = a.run(ctx, o)
	if honest := o.honest.end(); honest != nil {
		t.violated("overload: %s: an honest client: %v", a.name, honest)
	}
	syncs, diskErr := disk.end()
	err = errors.Join(err, diskErr)
	stop()
	watch.Wait()
	o.look(ctx)
	o.client.Use("")
	select {
	case <-o.server.ended:
		t.violated("overload: %s: the server ended by itself: %v\n%s", a.name, o.server.err, o.server.text())
		return nil
	default:
	}
	if err != nil {
		return err
	}
	t.say("overload: %s: memory at most %.1f MB of %.0f, log %.1f MB, %d descriptors, %d goroutines",
		a.name, mega(o.most.resident), mega(a.memory), mega(o.most.log), o.most.files, o.most.goroutines)
	t.say("overload: %s: %v; up to %v are let pass beside syncs of a page with %v", a.name, o.honest, mostOf(syncs.at(1)).Round(time.Millisecond), syncs)
	if wrong := judge(o.honest.took, syncs); wrong != "" {
		t.violated("overload: %s: an honest client: %s", a.name, wrong)
	}
	if o.looks == 0 {
		t.violated("overload: %s: nobody could see how much the server used", a.name)
	}
	if o.most.resident > a.memory {
		t.violated("overload: %s: the memory reached %.1f MB, more than %.1f", a.name, mega(o.most.resident), mega(a.memory))
	}
	if o.most.log > a.log {
		t.violated("overload: %s: the write-ahead log reached %.1f MB", a.name, mega(o.most.log))
	}
	if err := o.server.stop(); err != nil {
		t.violated("overload: %s: %v", a.name, err)
	}
	return nil
}

// watch keeps the most of everything until the context ends.
func (o *overload) watch(ctx context.Context) {
	for ; ctx.Err() == nil; _ = pause(ctx, 50*time.Millisecond) {
		o.look(ctx)
	}
}

// look notes how much the server uses now.
func (o *overload) look(ctx context.Context) {
	u, err := o.server.usage(ctx, o.data)
	if err != nil {
		return // the server has ended, which shows, or is too busy for this
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.looks++
	m := &o.most
	m.resident, m.log, m.files = max(m.resident, u.resident), max(m.log, u.log), max(m.files, u.files)
	m.reserved = max(m.reserved, u.reserved)
	m.goroutines, m.connections = max(m.goroutines, u.goroutines), max(m.connections, u.connections)
}

// dial opens a connection with a small buffer for what comes back.
func (o *overload) dial(ctx context.Context) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: startLimit}).DialContext(ctx, "tcp", strings.TrimPrefix(o.server.url, "http://"))
	if err == nil {
		err = c.(*net.TCPConn).SetReadBuffer(4 << 10)
	}
	return c, err
}

// crowd opens n connections and writes a text to each.
func (o *overload) crowd(ctx context.Context, n int, text string) ([]net.Conn, error) {
	var all []net.Conn
	for range n {
		c, err := o.dial(ctx)
		if err != nil {
			return all, errors.Join(err, closeAll(all))
		}
		all = append(all, c)
		if _, err := io.WriteString(c, text); err != nil && !errors.Is(err, unix.EPIPE) && !errors.Is(err, unix.ECONNRESET) {
			return all, errors.Join(err, closeAll(all))
		}
	}
	return all, nil
}

func closeAll(all []net.Conn) error {
	var errs []error
	for _, c := range all {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// create makes a queue.
func (o *overload) create(ctx context.Context, queue string) error {
	if a := o.client.Call(ctx, "CreateQueue", wire.Args{"QueueName": queue}); a.Outcome != history.Done {
		return fmt.Errorf("cannot create %s: status %d %s %s", queue, a.Status, a.Code, a.Message)
	}
	return nil
}

// request writes a call in the JSON protocol.
func request(action, body string) string {
	return fmt.Sprintf("POST / HTTP/1.1\r\nHost: queues\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.%s\r\nContent-Length: %d\r\n\r\n%s",
		action, len(body), body)
}

// ends counts the connections that are closed from the other side, whatever
// came before, within a time.
func ends(all []net.Conn, within time.Duration) int {
	var group sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for _, c := range all {
		group.Go(func() {
			_ = c.SetReadDeadline(time.Now().Add(within)) // fails on a closed one alone
			_, err := io.Copy(io.Discard, bufio.NewReader(c))
			if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			n++
		})
	}
	group.Wait()
	return n
}

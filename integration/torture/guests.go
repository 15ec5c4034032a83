//go:build linux

package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// guests are clients beside the load, which come and go, and leave nothing in
// its queues: what a server keeps for a connection, a waiting receive or a
// queue, and does not give back, adds up with them.
type guests struct {
	server string
	group  sync.WaitGroup
	mu     sync.Mutex
	texts  []string
	queues int
}

// idleQueue is a queue of the load to which nobody sends.
const idleQueue = "settings"

// newGuests starts all guests. They end soon after ctx.
func newGuests(ctx context.Context, server string) *guests {
	g := &guests{server: server}
	for range 40 {
		g.group.Go(func() { g.wait20(ctx) })
	}
	for range 10 {
		g.group.Go(func() { g.hangUp(ctx) })
	}
	g.group.Go(func() { g.breakOff(ctx) })
	g.group.Go(func() { g.comeAndGo(ctx) })
	return g
}

func (g *guests) wait() { g.group.Wait() }

// failed gives the answers that should not have been given.
func (g *guests) failed() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.texts
}

// judge notes an answer that is no success. One that is asked to try again, or
// whose client has hung up, says nothing.
func (g *guests) judge(ctx context.Context, action string, a wire.Answer) bool {
	if a.Outcome == history.Done {
		return true
	}
	if ctx.Err() == nil && a.Status != 503 {
		g.mu.Lock()
		defer g.mu.Unlock()
		if len(g.texts) < 20 {
			g.texts = append(g.texts, fmt.Sprintf("a guest's %s: status %d %s %s", action, a.Status, a.Code, a.Message))
		}
	}
	return false
}

// wait20 waits for messages that do not come, again and again.
func (g *guests) wait20(ctx context.Context) {
	c := wire.New()
	c.Use(g.server)
	defer c.Use("")
	for ctx.Err() == nil {
		in := wire.Args{"QueueUrl": wire.QueueURL(idleQueue), "WaitTimeSeconds": 20}
		g.judge(ctx, "ReceiveMessage", c.Call(ctx, "ReceiveMessage", in))
	}
}

// hangUp waits for messages and closes its connection before it is answered.
func (g *guests) hangUp(ctx context.Context) {
	c := wire.New()
	c.Use(g.server)
	defer c.Use("")
	for ctx.Err() == nil {
		short, stop := context.WithTimeout(ctx, time.Duration(rand.Int64N(int64(2*time.Second))))
		in := wire.Args{"QueueUrl": wire.QueueURL(idleQueue), "WaitTimeSeconds": 20}
		g.judge(short, "ReceiveMessage", c.Call(short, "ReceiveMessage", in))
		stop()
	}
}

// broken are beginnings of requests.
var broken = []string{
	"", "POST", "POST / HTTP/1.1\r\nHost: q\r\n",
	"POST / HTTP/1.1\r\nHost: q\r\nContent-Length: 1000000\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.SendMessage\r\n\r\n{\"Mess",
	"POST / HTTP/1.1\r\nHost: q\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\nAction=Se",
	"POST / HTTP/1.1\r\nHost: q\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
	strings.Repeat("GET /?Action=ListQueues HTTP/1.1\r\nHost: q\r\n\r\n", 50),
}

// breakOff begins requests and closes the connection.
func (g *guests) breakOff(ctx context.Context) {
	for i := 0; pause(ctx, 40*time.Millisecond) == nil; i++ {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(g.server, "http://"))
		if err != nil {
			continue // the load notices when the server is gone
		}
		_, _ = io.WriteString(c, broken[i%len(broken)]) // it may be cut off
		_ = pause(ctx, time.Duration(rand.Int64N(int64(20*time.Millisecond))))
		_ = c.Close()
	}
}

// comeAndGo makes queues, uses them once, some with the largest message, and
// deletes them.
func (g *guests) comeAndGo(ctx context.Context) {
	c := wire.New()
	c.Use(g.server)
	defer c.Use("")
	whole := context.WithoutCancel(ctx)
	for pause(ctx, 100*time.Millisecond) == nil {
		g.queues++
		name := fmt.Sprintf("guest-%d", g.queues)
		size := 100
		if g.queues%10 == 0 {
			size = 1 << 20
		}
		url := wire.QueueURL(name)
		g.judge(whole, "CreateQueue", c.Call(whole, "CreateQueue", wire.Args{"QueueName": name}))
		if g.judge(whole, "SendMessage", c.Call(whole, "SendMessage", wire.Args{"QueueUrl": url, "MessageBody": strings.Repeat("g", size)})) {
			a := c.Call(whole, "ReceiveMessage", wire.Args{"QueueUrl": url})
			if g.judge(whole, "ReceiveMessage", a) && len(a.Messages) == 1 && g.queues%2 == 0 {
				g.judge(whole, "DeleteMessage", c.Call(whole, "DeleteMessage", wire.Args{"QueueUrl": url, "ReceiptHandle": a.Messages[0].ReceiptHandle}))
			}
		}
		g.judge(whole, "DeleteQueue", c.Call(whole, "DeleteQueue", wire.Args{"QueueUrl": url}))
	}
}

// pause waits, unless the context ends.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

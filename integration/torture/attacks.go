//go:build linux

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

const (
	// pollCount receives wait at once, some more than pollLimit lets.
	pollCount = 10_000
	pollLimit = 9_500
	// connLimit is the most connections where that is what is attacked.
	connLimit = 500
)

// The server's own patience, and what a busy machine may add to it.
const (
	headPatience  = 10 * time.Second
	bodyPatience  = 30 * time.Second
	writePatience = 60 * time.Second
	late          = 10 * time.Second
)

// slowClients send their requests byte by byte: heads on some connections,
// bodies on others. They are cut off when the server's patience is at an end.
func slowClients(ctx context.Context, o *overload) error {
	const each = 1000
	heads, err := o.crowd(ctx, each, "POST / HTTP/1.1\r\nHost: queues\r\nX-Slow: ")
	if err != nil {
		return err
	}
	defer func() { _ = closeAll(heads) }() // most are closed from the other side
	bodies, err := o.crowd(ctx, each, strings.TrimSuffix(request("SendMessage", strings.Repeat(" ", 1<<20)), strings.Repeat(" ", 1<<20)))
	if err != nil {
		return err
	}
	defer func() { _ = closeAll(bodies) }()
	begun := time.Now()
	dripping, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	group.Go(func() {
		for pause(dripping, time.Second) == nil {
			for _, c := range append(heads[:each:each], bodies...) {
				_, _ = io.WriteString(c, " ") // the other side may have closed it
			}
		}
	})
	o.expect(each, ends(heads, headPatience+late), "slow heads were cut off")
	o.say("overload: slow clients: %d slow heads were gone after %v", each, time.Since(begun).Round(time.Second))
	if o.Short {
		return nil
	}
	o.expect(each, ends(bodies, bodyPatience+late-time.Since(begun)), "slow bodies were cut off")
	o.say("overload: slow clients: %d slow bodies were gone after %v", each, time.Since(begun).Round(time.Second))
	return nil
}

func (o *overload) expect(want, got int, what string) {
	if got != want {
		o.violated("overload: %d of %d %s", got, want, what)
	}
}

// neverRead asks for the largest answers and reads none of them.
func neverRead(ctx context.Context, o *overload) error {
	const clients, messages = 300, 40
	if err := o.create(ctx, "large"); err != nil {
		return err
	}
	if sent, _, err := o.pour(ctx, "large", 4, messages); err != nil || sent != messages {
		return fmt.Errorf("%d of %d messages were sent: %w", sent, messages, err)
	}
	receive := request("ReceiveMessage", `{"QueueUrl":"`+wire.QueueURL("large")+`","MaxNumberOfMessages":10,"VisibilityTimeout":0}`)
	deaf, err := o.crowd(ctx, clients, receive+receive)
	if err != nil {
		return err
	}
	watched := 5 * time.Second
	if !o.Short {
		watched = writePatience + late
	}
	err = pause(ctx, watched)
	if o.Short {
		return errors.Join(err, closeAll(deaf))
	}
	u, usageErr := o.server.usage(ctx, o.data)
	if err := errors.Join(err, usageErr); err != nil {
		return err
	}
	o.mu.Lock()
	most := o.most.reserved
	o.mu.Unlock()
	o.say("overload: clients that never read: answers held up to %.1f MB, and %.1f MB after %v", mega(most), mega(u.reserved), watched)
	if most < 10<<20 || u.reserved > 1<<20 {
		o.violated("overload: answers that nobody reads held up to %d bytes, and still hold %d after %v", most, u.reserved, watched)
	}
	_ = closeAll(deaf) // some are closed from the other side
	a := o.client.Call(ctx, "GetQueueAttributes", wire.Args{"QueueUrl": wire.QueueURL("large"), "AttributeNames": []string{"ApproximateNumberOfMessages"}})
	if n := a.Attributes["ApproximateNumberOfMessages"]; n != fmt.Sprint(messages) {
		o.violated("overload: %s messages are visible after nobody read them, want %d", n, messages)
	}
	return nil
}

// waiters lets more receives wait at once than may. Those that may not are
// answered at once, the others when there is a message for them.
func waiters(ctx context.Context, o *overload) error {
	const queues = 100
	for i := range queues {
		if err := o.create(ctx, fmt.Sprintf("idle-%d", i)); err != nil {
			return err
		}
	}
	all, err := o.crowd(ctx, pollCount, "")
	if err != nil {
		return err
	}
	defer func() { _ = closeAll(all) }() // at the end of everything
	var group sync.WaitGroup
	var atOnce, empty, woken, failed atomic.Int64
	begun := time.Now()
	var parked, sentAt atomic.Int64
	for i, c := range all {
		group.Go(func() {
			_ = c.SetDeadline(begun.Add(time.Minute)) // fails on a closed one alone
			parked.Add(1)
			_, err := io.WriteString(c, request("ReceiveMessage", fmt.Sprintf(`{"QueueUrl":%q,"WaitTimeSeconds":20}`, wire.QueueURL(fmt.Sprintf("idle-%d", i%queues)))))
			if err != nil {
				failed.Add(1)
				return
			}
			status, body := answerOf(c)
			switch {
			case status != 200:
				failed.Add(1)
			case strings.Contains(body, "ReceiptHandle"):
				woken.Add(1)
			case sentAt.Load() == 0:
				atOnce.Add(1)
			default:
				empty.Add(1)
			}
		})
	}
	// All have asked when as many wait as may, or more were sent away.
	for atOnce.Load() < pollCount-pollLimit && time.Since(begun) < 15*time.Second {
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	settled := time.Since(begun)
	if err := pause(ctx, time.Second); err != nil {
		return err
	}
	sentAt.Store(1)
	for i := range queues {
		a := o.client.Call(ctx, "SendMessage", wire.Args{"QueueUrl": wire.QueueURL(fmt.Sprintf("idle-%d", i)), "MessageBody": "wake"})
		if a.Outcome != history.Done {
			o.violated("overload: a send beside waiting receives: status %d %s %s", a.Status, a.Code, a.Message)
		}
	}
	group.Wait()
	o.say("overload: waiting receives: %d at once: %d answered at once (after %v), %d woken by %d messages, %d empty in the end, %d failed",
		pollCount, atOnce.Load(), settled.Round(10*time.Millisecond), woken.Load(), queues, empty.Load(), failed.Load())
	if woken.Load() != queues || failed.Load() != 0 || atOnce.Load() < pollCount-pollLimit {
		o.violated("overload: of %d receives %d were woken by %d messages, %d failed and %d were answered at once",
			pollCount, woken.Load(), queues, failed.Load(), atOnce.Load())
	}
	return nil
}

// answerOf reads one answer; status zero when there is none.
func answerOf(c net.Conn) (status int, body string) {
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		return 0, ""
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, ""
	}
	return res.StatusCode, string(text)
}

// crowds opens more connections than may be, and goes away again.
func crowds(ctx context.Context, o *overload) error {
	const crowd = 3 * connLimit
	list := request("ListQueues", "{}")
	all, err := o.crowd(ctx, crowd, list)
	if err != nil {
		return err
	}
	var served, refused, closed int
	for _, c := range all {
		_ = c.SetReadDeadline(time.Now().Add(late)) // fails on a closed one alone
		switch status, _ := answerOf(c); status {
		case 200:
			served++
		case 503:
			refused++
		default:
			closed++
		}
	}
	o.say("overload: connections: of %d at once with room for %d, %d were served, %d refused and %d closed", crowd, connLimit, served, refused, closed)
	if served > connLimit || served < connLimit/2 || refused == 0 {
		o.violated("overload: of %d connections with room for %d, %d were served, %d refused and %d closed", crowd, connLimit, served, refused, closed)
	}
	_ = closeAll(all) // most are closed from the other side
	for end := time.Now().Add(late); time.Now().Before(end); {
		c, err := o.dial(ctx)
		if err != nil {
			return err
		}
		_, err = io.WriteString(c, list)
		status, _ := answerOf(c)
		if err := errors.Join(err, c.Close()); err == nil && status == 200 {
			return nil
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	o.violated("overload: no new connection is served %v after the others went", late)
	return nil
}

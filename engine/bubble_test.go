package engine_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"queues/engine"
	"queues/engine/storetest"
)

// bubble is an engine over the model, with one queue, inside a time bubble.
type bubble struct {
	*engine.Engine
	t     *testing.T
	store *probe
	queue engine.QueueID
}

// probe is a store that lets a test see and disturb its calls.
type probe struct {
	engine.Store
	sweeps  atomic.Int64
	sweep   atomic.Pointer[func() (engine.SweepResult, error)]
	receive atomic.Pointer[func(context.Context, engine.ReceiveParams) (engine.ReceiveResult, error)]
}

func (p *probe) Sweep(ctx context.Context) (engine.SweepResult, error) {
	p.sweeps.Add(1)
	if f := p.sweep.Load(); f != nil {
		return (*f)()
	}
	return p.Store.Sweep(ctx)
}

func (p *probe) Receive(ctx context.Context, r engine.ReceiveParams) (engine.ReceiveResult, error) {
	if f := p.receive.Load(); f != nil {
		return (*f)(ctx, r)
	}
	return p.Store.Receive(ctx, r)
}

// onSweep and onReceive replace calls from here on.
func (p *probe) onSweep(f func() (engine.SweepResult, error)) { p.sweep.Store(&f) }

func (p *probe) onReceive(f func(context.Context, engine.ReceiveParams) (engine.ReceiveResult, error)) {
	p.receive.Store(&f)
}

// inBubble runs f in a time bubble with a started engine.
func inBubble(t *testing.T, o engine.Options, f func(t *testing.T, b *bubble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		clock := engine.NewSystemClock()
		o.Clock, o.Log, o.Wakeups = clock, slog.New(slog.DiscardHandler), engine.NewWakeups(clock)
		b := &bubble{t: t, store: &probe{Store: storetest.NewModel(clock, o.Wakeups.Report)}}
		b.Engine = engine.New(b.store, o)
		b.Start()
		defer b.Close()
		b.queue = b.create("q")
		f(t, b)
	})
}

func (b *bubble) create(name string) engine.QueueID {
	b.t.Helper()
	res, err := b.CreateQueue(b.t.Context(), engine.CreateQueueParams{
		Name:     engine.QueueName{Namespace: engine.Namespace{Account: "000000000000", Region: "us-east-1"}, Name: name},
		Settings: engine.Settings{Retention: 4 * 24 * time.Hour, VisibilityTimeout: 30 * time.Second},
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return res.Queue.ID
}

func (b *bubble) send(delay time.Duration, bodies ...string) {
	b.t.Helper()
	p := engine.SendParams{Queue: b.queue}
	for _, body := range bodies {
		p.Messages = append(p.Messages, engine.NewMessage{Message: engine.Message{Body: body}, Delay: &delay})
	}
	if _, err := b.Send(b.t.Context(), p); err != nil {
		b.t.Fatal(err)
	}
}

// answer is what a receive in the background came to.
type answer struct {
	bodies []string
	res    engine.ReceiveResult
	err    error
	took   time.Duration
}

// poll starts a receive of up to n messages that waits, and lets it park.
func (b *bubble) poll(ctx context.Context, n int, wait time.Duration) <-chan answer {
	b.t.Helper()
	c := make(chan answer, 1)
	go func() {
		start := time.Now()
		var a answer
		a.res, a.err = b.Receive(ctx, engine.ReceiveParams{Queue: b.queue, Max: n, Wait: wait})
		a.took = time.Since(start)
		for _, d := range a.res.Messages {
			a.bodies = append(a.bodies, d.Body)
		}
		c <- a
	}()
	synctest.Wait()
	return c
}

// take receives one message at once.
func (b *bubble) take() engine.Delivery {
	b.t.Helper()
	res, err := b.Receive(b.t.Context(), engine.ReceiveParams{Queue: b.queue, Max: 1})
	if err != nil || len(res.Messages) != 1 {
		b.t.Fatalf("got %d messages, %v; want 1", len(res.Messages), err)
	}
	return res.Messages[0]
}

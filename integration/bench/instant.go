//go:build linux

package main

import (
	"context"
	"os"

	"queues/cmd/queues/app"
	"queues/compat"
	"queues/engine"
	"queues/gateway"
)

// serveInstant runs the real HTTP side, protocol and semantics on addr over a
// store that answers at once, until the context ends. It logs as the server does
// and sets Go up as that does, so that the store is all that differs, but for the
// slack of timers, which matters to what calls C.
func serveInstant(ctx context.Context, addr string) error {
	clock := engine.NewSystemClock()
	const budget = 512 << 20 // the server's default
	app.Tune(budget)
	log, end := app.NewLog(app.Config{Output: os.Stderr})
	defer end()
	e := engine.New(newInstantStore(clock), engine.Options{Clock: clock, Log: log, Wakeups: engine.NewWakeups(clock)})
	e.Start()
	defer e.Close()
	l, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	s := gateway.New(gateway.Options{
		Service: compat.New(e, compat.Options{}), Log: log, Account: "000000000000", Region: "us-east-1", Drain: e.Drain,
		Limits: gateway.Limits{MaxMemory: budget},
	})
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	return s.Serve(l)
}

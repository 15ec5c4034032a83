//go:build linux

package main

import (
	"context"
	"log/slog"

	"queues/compat"
	"queues/engine"
	"queues/gateway"
)

// serveInstant runs the real HTTP side, protocol and semantics on addr over a
// store that answers at once, until the context ends.
func serveInstant(ctx context.Context, addr string) error {
	clock := engine.NewSystemClock()
	log := slog.New(slog.DiscardHandler)
	e := engine.New(newInstantStore(clock), engine.Options{Clock: clock, Log: log, Wakeups: engine.NewWakeups(clock)})
	e.Start()
	defer e.Close()
	l, err := listen(ctx, addr)
	if err != nil {
		return err
	}
	s := gateway.New(gateway.Options{
		Service: compat.New(e, compat.Options{}), Log: log, Account: "000000000000", Region: "us-east-1", Drain: e.Drain,
	})
	stop := context.AfterFunc(ctx, func() { _ = s.Close() })
	defer stop()
	return s.Serve(l)
}

package bench

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"strings"
	"time"

	"queues/cmd/queues/load"
)

// prefix is what the names of queues begin with.
const prefix = "queues-bench-"

// cleanUpTime bounds the deletion of the queue.
const cleanUpTime = 10 * time.Second

// hintTime bounds the question whether the other protocol is spoken.
const hintTime = 2 * time.Second

// errStopped is the end of a run that was told to end.
var errStopped = errors.New("stopped before its end")

// run is one run.
type run struct {
	Options
	server *load.Server
	queue  string
	result Result
	progress
}

// Run makes a queue, loads it, deletes it and gives what came of it; failures
// under load are in the result. With an error there is no result, or there is
// one, which is then Measured, and the queue is left.
func Run(ctx context.Context, o Options) (result Result, err error) {
	if err := o.Validate(); err != nil {
		return Result{}, err
	}
	wire, err := load.NewWire(load.WireOptions{URL: o.Endpoint, Protocol: o.Protocol, Body: o.Body, Region: o.Region, Signer: o.Signer})
	if err != nil {
		return Result{}, err
	}
	r := &run{Options: o, server: &load.Server{Name: o.Endpoint, Wire: wire, PID: o.PID, Redials: true}, progress: newProgress(o.Progress)}
	r.result = Result{
		Endpoint: o.Endpoint, Protocol: protocolNames[o.Protocol], FIFO: o.FIFO, Groups: o.Groups, Action: o.Action, Batch: o.Batch,
		BodyBytes: o.Body, Connections: o.Connections, Signed: o.Signer != nil,
	}
	r.lookAround(ctx)
	name := prefix + strings.ToLower(rand.Text()[:12])
	if o.FIFO {
		name += ".fifo"
	}
	if r.queue, err = r.create(ctx, name, cleanUpTime); err != nil {
		return Result{}, err
	}
	defer func() {
		// Also when ctx has ended.
		ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), cleanUpTime, fmt.Errorf("no answer in %v", cleanUpTime))
		defer cancel()
		if e := r.server.Once(ctx, wire.DeleteQueue(r.queue)); e != nil {
			err = errors.Join(err, fmt.Errorf("the queue %s is left: %w", r.queue, e))
		}
	}()
	measured, err := r.measure(ctx)
	r.clear()
	if err != nil {
		if ctx.Err() != nil {
			err = errStopped
		}
		return Result{}, err
	}
	r.result.fill(measured)
	r.judge(measured)
	return r.result, nil
}

// create makes the queue. A stop does not cut the call off, for grace: one that
// was sent may make a queue, and only its answer tells which to delete.
func (r *run) create(ctx context.Context, name string, grace time.Duration) (string, error) {
	if ctx.Err() != nil {
		return "", errStopped
	}
	call, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	defer context.AfterFunc(ctx, func() {
		late := time.AfterFunc(grace, func() { cancel(fmt.Errorf("no answer in %v", grace)) })
		context.AfterFunc(call, func() { late.Stop() })
	})()
	queues, err := r.server.Create(call, 1, func(int) *load.Request { return r.server.Wire.CreateQueue(name, r.FIFO) })
	switch {
	case err == nil:
		return queues[0], nil
	case ctx.Err() != nil:
		return "", fmt.Errorf("%w, and the queue %s may be left: %w", errStopped, name, err)
	default:
		return "", fmt.Errorf("%s: %w%s", r.Endpoint, err, r.hint(ctx, err))
	}
}

// hint says how to reach a server that refused to make a queue but answers to
// the other protocol; empty for none that is known.
func (r *run) hint(ctx context.Context, err error) string {
	if refused := (*load.StatusError)(nil); !errors.As(err, &refused) {
		return ""
	}
	other := load.JSON
	if r.Protocol == load.JSON {
		other = load.Query
	}
	wire, err := load.NewWire(load.WireOptions{URL: r.Endpoint, Protocol: other, Region: r.Region, Signer: r.Signer})
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, hintTime)
	defer cancel()
	if (&load.Server{Name: r.Endpoint, Wire: wire}).Once(ctx, wire.ListQueues()) != nil {
		return ""
	}
	return fmt.Sprintf("\nit answers to --protocol=%s", protocolNames[other])
}

// lookAround finds the server's process, and warns of a server far away.
func (r *run) lookAround(ctx context.Context) {
	addr, local := loopback(ctx, r.server.Wire.Addr)
	if !local {
		r.warn("%s is not on this machine: the network is measured too, and who runs the server may charge for requests", r.server.Wire.Addr)
	}
	if r.PID == 0 && local {
		r.server.PID = listener(addr)
	}
	if r.server.PID == 0 {
		if local {
			r.warn("the server's process cannot be found, so its CPU time and memory are not measured: give --pid")
		}
		return
	}
	if _, err := load.CPUTime(r.server.PID); err != nil {
		r.warn("the CPU time of process %d cannot be read", r.server.PID)
		r.server.PID = 0
		return
	}
	r.result.Server = &Process{PID: r.server.PID, Name: processName(r.server.PID)}
}

// loopback says whether an address is on this machine's loopback interface, and
// which it is.
func loopback(ctx context.Context, addr string) (netip.AddrPort, bool) {
	host, service, err := net.SplitHostPort(addr)
	if err != nil {
		return netip.AddrPort{}, false
	}
	port, err := net.DefaultResolver.LookupPort(ctx, "tcp", service)
	if err != nil {
		return netip.AddrPort{}, false
	}
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(addrs) == 0 {
		return netip.AddrPort{}, false
	}
	for _, a := range addrs {
		if !a.Unmap().IsLoopback() {
			return netip.AddrPort{}, false
		}
	}
	return netip.AddrPortFrom(addrs[0].Unmap(), uint16(port)), true
}

func (r *run) warn(format string, args ...any) {
	r.result.Warnings = append(r.result.Warnings, fmt.Sprintf(format, args...))
}

// judge warns where the figures are not the server's.
func (r *run) judge(m load.Measure) {
	g := r.result.Generator
	if s := r.result.Server; s != nil && s.CPUMicros > 0 && s.PID != os.Getpid() && g.CPUMicros > s.CPUMicros {
		r.warn("the generator used more CPU for a request (%.1f µs) than the server (%.1f µs): it may be the bottleneck", g.CPUMicros, s.CPUMicros)
	} else if g.Cores > 0.8*float64(g.CoresOfAll) {
		r.warn("the generator kept %.1f of %d cores busy: it may be the bottleneck", g.Cores, g.CoresOfAll)
	}
	if m.Messages == 0 {
		r.warn("nothing was done")
	}
}

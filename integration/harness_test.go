package integration

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
)

// server is a running server as its clients see it.
type server struct {
	// url is the base of all requests, without a slash at the end.
	url string
	// host is the authority in url.
	host string
	// dial connects to the server whatever the address says.
	dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// vanishing is dial for a client that can vanish; nil outside bubbles.
	vanishing func() (c net.Conn, vanish func())
	// data is the folder of its data; empty outside bubbles.
	data string
	// bubble is true inside a time bubble: sleeping costs nothing and time
	// stands still while anything runs.
	bubble bool
}

// place is one way of running the server.
type place struct {
	name string
	run  func(t *testing.T, body func(t *testing.T, s *server))
}

// inBubble runs a server and its test in one time bubble, with the rules and
// the promises of production.
var inBubble = place{name: "Bubble", run: func(t *testing.T, body func(t *testing.T, s *server)) {
	synctest.Test(t, func(t *testing.T) { body(t, startInProcess(t)) })
}}

// asBinary runs the test against the real binary, which all tests share.
var asBinary = place{name: "Binary", run: func(t *testing.T, body func(t *testing.T, s *server)) {
	body(t, shared.get(t))
}}

// atTarget runs the test against a server that somebody else started.
var atTarget = place{name: "Target", run: func(t *testing.T, body func(t *testing.T, s *server)) {
	body(t, serverAt(t, *targetURL))
}}

// places gives where a test runs.
func places() []place {
	if *targetURL != "" {
		return []place{atTarget}
	}
	return []place{inBubble, asBinary}
}

// forEach runs a test body in both protocols at every place.
func forEach(t *testing.T, body func(t *testing.T, e *env)) {
	t.Helper()
	eachWire(t, places(), wires, body)
}

// forEachInBubble is forEach for bodies that wait long, or that want to see
// time exactly.
func forEachInBubble(t *testing.T, body func(t *testing.T, e *env)) {
	t.Helper()
	eachWire(t, []place{inBubble}, wires, body)
}

// forServers runs a body once at every place: one that speaks plain HTTP, or
// both protocols by itself.
func forServers(t *testing.T, body func(t *testing.T, s *server)) {
	t.Helper()
	t.Parallel()
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			p.run(t, body)
		})
	}
}

// eachWire runs a body in some protocols at some places.
func eachWire(t *testing.T, at []place, in []wire, body func(t *testing.T, e *env)) {
	t.Helper()
	t.Parallel()
	for _, p := range at {
		for _, w := range in {
			t.Run(p.name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				p.run(t, func(t *testing.T, s *server) { body(t, newEnv(t, s, w)) })
			})
		}
	}
}

package bench

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"queues/cmd/queues/load"
)

// Actions are what can be loaded, by the names of Options.Action.
var Actions = []string{"send", "receive", "delete", "cycle", "visibility", "attributes"}

// Options say what is loaded and how.
type Options struct {
	// Endpoint is a URL with scheme http or https.
	Endpoint string
	Protocol load.Protocol
	FIFO     bool
	// Groups is how many message groups sends and cycles have; 0 for none, and
	// on a FIFO queue for sixteen to a connection.
	Groups int
	// Action is one of Actions.
	Action string
	// Batch is how many messages a request has: 1, the single form, to 10.
	Batch int
	// Body is the size of a message, in bytes.
	Body        int
	Connections int
	// Duration is how long is measured.
	Duration time.Duration
	// Region is that of the signature, Signer nil for a signature that proves
	// nothing.
	Region string
	Signer *load.Signer
	// PID is the server's process; 0 to look for it.
	PID int
	// Progress is told how it goes; it may be a terminal.
	Progress io.Writer
}

// maxBody bounds a message well above what any server takes, in bytes.
const maxBody = 16 << 20

// Validate tells everything that cannot be, in words that say what to do.
func (o Options) Validate() error {
	var errs []error
	need := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	_, err := load.NewWire(load.WireOptions{URL: o.Endpoint})
	need(err == nil, "--endpoint: %q is not an endpoint: write http:// or https://, a host and a port", o.Endpoint)
	need(slices.Contains(Actions, o.Action), "--action: %q is not an action: use one of %s", o.Action, strings.Join(Actions, ", "))
	need(o.Batch >= 1 && o.Batch <= 10, "--batch: %d: use 1 to 10", o.Batch)
	need(o.Body >= 1 && o.Body <= maxBody, "--body: %d: use 1 byte to 16MiB", o.Body)
	need(o.Connections >= 1 && o.Connections <= 60_000, "--connections: %d: use 1 to 60000", o.Connections)
	need(o.Duration > 0, "--duration: %v: use more than nothing, such as 10s", o.Duration)
	need(o.Groups >= 0, "--groups: %d: use 0 for none, or more", o.Groups)
	need(o.PID >= 0, "--pid: %d is not a process", o.PID)
	return errors.Join(errs...)
}

package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"time"

	"queues/cmd/queues/bench"
	"queues/cmd/queues/load"
)

// benchCommand loads a server.
type benchCommand struct {
	Endpoint    string        `default:"http://127.0.0.1:9324" placeholder:"URL" help:"Server to load, any that speaks SQS (${default})."`
	Protocol    string        `default:"json" enum:"json,query" placeholder:"NAME" help:"json or query (${default})."`
	Action      string        `default:"cycle" placeholder:"NAME" help:"send, receive, delete, visibility, attributes, or cycle: one after the other send, receive and delete (${default})."`
	Batch       int           `default:"1" placeholder:"N" help:"Messages in a request, 1 to 10; from 2 on the batch form of the action (${default})."`
	Body        Size          `default:"1KiB" placeholder:"SIZE" help:"Size of a message (${default})."`
	FIFO        bool          `name:"fifo" help:"Use a FIFO queue."`
	Groups      int           `default:"0" placeholder:"N" help:"Message groups of sends and cycles (0: none, on a FIFO queue 16 for each connection)."`
	Connections int           `default:"64" placeholder:"N" help:"Connections, each with one request under way (${default})."`
	Duration    time.Duration `default:"10s" placeholder:"TIME" help:"How long is measured (${default})."`
	Sign        bool          `help:"Sign the requests, with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, if it is there, AWS_SESSION_TOKEN of the environment."`
	Region      string        `placeholder:"NAME" help:"Region of the signature (AWS_REGION, AWS_DEFAULT_REGION or us-east-1)."`
	PID         int           `name:"pid" placeholder:"PID" help:"Process of a server on this machine, for its CPU time and memory; it is looked for if left out."`
	JSON        bool          `name:"json" help:"Print the result as JSON."`
}

// options are those of the run. Without credentials to sign with they have no
// signer.
func (c benchCommand) options() bench.Options {
	o := bench.Options{
		Endpoint: c.Endpoint, FIFO: c.FIFO, Groups: c.Groups, Action: c.Action, Batch: c.Batch, Body: int(c.Body),
		Connections: c.Connections, Duration: c.Duration, PID: c.PID,
		Region: cmp.Or(c.Region, os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"), "us-east-1"),
	}
	if c.Protocol == "query" {
		o.Protocol = load.Query
	}
	id, secret := os.Getenv("AWS_ACCESS_KEY_ID"), os.Getenv("AWS_SECRET_ACCESS_KEY")
	if c.Sign && id != "" && secret != "" {
		o.Signer = &load.Signer{KeyID: id, Secret: secret, Token: os.Getenv("AWS_SESSION_TOKEN"), Region: o.Region}
	}
	return o
}

func (c benchCommand) validate() error {
	o := c.options()
	return errors.Join(o.Validate(),
		require(!c.Sign || o.Signer != nil, "--sign: there is nothing to sign with: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"))
}

func (c benchCommand) run(ctx context.Context, stdout, stderr io.Writer) error {
	o := c.options()
	o.Progress = stderr
	result, failed := bench.Run(ctx, o)
	if !result.Measured() {
		return failed
	}
	var err error
	if c.JSON {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "  ")
		err = e.Encode(result)
	} else {
		err = result.Write(stdout)
	}
	return errors.Join(err, result.Err(), failed)
}

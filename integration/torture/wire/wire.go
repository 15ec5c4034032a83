// Package wire is a small SQS client for torture: it speaks both protocols,
// never repeats a call by itself, and tells what is known of a call that got no
// good answer.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"queues/integration/torture/history"
)

// account is the server's default account; without a signature requests are
// its.
const account = "000000000000"

// callTimeout bounds one call, far beyond what any may take.
const callTimeout = 60 * time.Second

// Client makes calls of one server, which may be replaced by another. It is
// safe for concurrent use.
type Client struct {
	http  http.Client
	base  atomic.Pointer[string]
	count atomic.Uint64
}

// New gives a client of no server yet.
func New() *Client {
	c := &Client{http: http.Client{
		Timeout:   callTimeout,
		Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxIdleConns: 256, DisableCompression: true},
	}}
	c.Use("")
	return c
}

// Use makes the client call the server at this URL from now on.
func (c *Client) Use(base string) {
	c.http.CloseIdleConnections()
	c.base.Store(&base)
}

// Calls is how many calls were made so far.
func (c *Client) Calls() uint64 { return c.count.Load() }

// QueueURL is the URL of a queue; any host will do.
func QueueURL(queue string) string { return "http://queues/" + account + "/" + queue }

// QueueARN is the ARN of a queue.
func QueueARN(queue string) string { return "arn:aws:sqs:us-east-1:" + account + ":" + queue }

// Args are the members of a request, as the JSON protocol names them.
type Args map[string]any

// Answer is what came back.
type Answer struct {
	Outcome history.Outcome
	// Status is zero when there was no answer.
	Status int
	// Code and Message are of an error answer; Message is the transport's when
	// there was none.
	Code, Message string
	Result
}

// Faulty reports an answer that the server should not have given: an error of
// its own that does not ask to try again.
func (a *Answer) Faulty() bool { return a.Status >= 500 && a.Status != http.StatusServiceUnavailable }

// Call makes one call. Calls take turns in the two protocols.
func (c *Client) Call(ctx context.Context, action string, in Args) Answer {
	query := c.count.Add(1)%2 == 0
	return c.send(ctx, action, encode(action, in, query), query)
}

// Prepared is a call that was encoded in both protocols, to be made often: what
// floods a server should cost the one who floods little.
type Prepared struct {
	action      string
	json, query []byte
}

// Prepare encodes a call.
func Prepare(action string, in Args) *Prepared {
	return &Prepared{action: action, json: encode(action, in, false), query: encode(action, in, true)}
}

// CallPrepared makes one call. Calls take turns in the two protocols.
func (c *Client) CallPrepared(ctx context.Context, p *Prepared) Answer {
	if c.count.Add(1)%2 == 0 {
		return c.send(ctx, p.action, p.query, true)
	}
	return c.send(ctx, p.action, p.json, false)
}

// encode gives the body of a call.
func encode(action string, in Args, query bool) []byte {
	if query {
		form := url.Values{"Action": {action}, "Version": {"2012-11-05"}}
		flatten(form, action, in)
		return []byte(form.Encode())
	}
	body, err := json.Marshal(in)
	if err != nil {
		panic(err) // the arguments are ours
	}
	return body
}

func (c *Client) send(ctx context.Context, action string, body []byte, query bool) Answer {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, *c.base.Load()+"/", bytes.NewReader(body))
	if err != nil {
		return Answer{Outcome: history.Refused, Message: err.Error()}
	}
	if query {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	} else {
		req.Header.Set("Content-Type", "application/x-amz-json-1.0")
		req.Header.Set("X-Amz-Target", "AmazonSQS."+action)
	}
	res, err := c.http.Do(req)
	if err != nil {
		return Answer{Outcome: unanswered(err), Message: err.Error()}
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return Answer{Message: err.Error()} // cut off: as good as no answer
	}
	return read(res, text, query)
}

// unanswered tells what is known of a call without an answer: nothing, unless
// nobody was there to take it.
func unanswered(err error) history.Outcome {
	if e, ok := errors.AsType[*net.OpError](err); ok && e.Op == "dial" {
		return history.Refused
	}
	return history.Unknown
}

// read makes an answer of an HTTP answer.
func read(res *http.Response, text []byte, query bool) Answer {
	a := Answer{Status: res.StatusCode}
	err := a.decode(text, query)
	if err != nil {
		a.Status, a.Message = http.StatusInternalServerError, fmt.Sprintf("an answer of status %d that cannot be read: %v: %.200s", res.StatusCode, err, text)
		return a
	}
	if code, _, ok := strings.Cut(res.Header.Get("X-Amzn-Query-Error"), ";"); ok && !query {
		a.Code = code
	}
	switch {
	case a.Status == http.StatusOK:
		a.Outcome = history.Done
	case a.Status < 500 || a.Status == http.StatusServiceUnavailable && !strings.Contains(a.Message, "cannot tell"):
		a.Outcome = history.Refused
	}
	return a
}

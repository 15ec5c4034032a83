package storetest

import (
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"queues/engine"
)

// create makes a queue that must not exist.
func (e *env) create(name string, options ...func(*engine.CreateQueueParams)) *engine.Queue {
	e.t.Helper()
	p := engine.CreateQueueParams{Name: named(name), Settings: defaults()}
	for _, option := range options {
		option(&p)
	}
	r, err := e.store.CreateQueue(e.t.Context(), p)
	if err != nil {
		e.t.Fatalf("CreateQueue(%s): %v", name, err)
	}
	if !r.Created {
		e.t.Fatalf("CreateQueue(%s): the queue was there before", name)
	}
	return r.Queue
}

func withRetention(d time.Duration) func(*engine.CreateQueueParams) {
	return func(p *engine.CreateQueueParams) { p.Settings.Retention = d }
}

func withDelay(d time.Duration) func(*engine.CreateQueueParams) {
	return func(p *engine.CreateQueueParams) { p.Settings.Delay = d }
}

func withTimeout(d time.Duration) func(*engine.CreateQueueParams) {
	return func(p *engine.CreateQueueParams) { p.Settings.VisibilityTimeout = d }
}

// newID makes a message id.
func newID() engine.MessageID { return engine.MessageID(uuid.New()) }

// message makes a message with a body and the queue's delay.
func message(body string) engine.NewMessage {
	return engine.NewMessage{Message: engine.Message{ID: newID(), Body: body}}
}

// send sends messages given by their bodies, separated by blanks, in one call.
func (e *env) send(q *engine.Queue, bodies string) []engine.Sent {
	e.t.Helper()
	var messages []engine.NewMessage
	for _, body := range strings.Fields(bodies) {
		messages = append(messages, message(body))
	}
	return e.sendAll(q, messages...)
}

// sendLater sends messages with a delay of their own.
func (e *env) sendLater(q *engine.Queue, delay time.Duration, bodies string) []engine.Sent {
	e.t.Helper()
	var messages []engine.NewMessage
	for _, body := range strings.Fields(bodies) {
		n := message(body)
		n.Delay = &delay
		messages = append(messages, n)
	}
	return e.sendAll(q, messages...)
}

func (e *env) sendAll(q *engine.Queue, messages ...engine.NewMessage) []engine.Sent {
	e.t.Helper()
	sent, err := e.store.Send(e.t.Context(), engine.SendParams{Queue: q.ID, Messages: messages})
	if err != nil {
		e.t.Fatalf("Send: %v", err)
	}
	if len(sent) != len(messages) {
		e.t.Fatalf("Send of %d messages gave %d results", len(messages), len(sent))
	}
	for i, s := range sent {
		if s.Duplicate && q.Kind != engine.FIFO {
			e.t.Errorf("message %s to a standard queue is said to be a duplicate", messages[i].Body)
		}
	}
	return sent
}

// receiveAll makes one receive and gives the whole result.
func (e *env) receiveAll(p engine.ReceiveParams) engine.ReceiveResult {
	e.t.Helper()
	r, err := e.store.Receive(e.t.Context(), p)
	if err != nil {
		e.t.Fatalf("Receive: %v", err)
	}
	if len(r.Messages) > p.Max {
		e.t.Fatalf("Receive gave %d messages where the most was %d", len(r.Messages), p.Max)
	}
	return r
}

// receive receives up to n messages with the queue's timeout.
func (e *env) receive(q *engine.Queue, n int) []engine.Delivery {
	e.t.Helper()
	return e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: n}).Messages
}

// receiveFor receives up to n messages with a timeout.
func (e *env) receiveFor(q *engine.Queue, n int, timeout time.Duration) []engine.Delivery {
	e.t.Helper()
	return e.receiveAll(engine.ReceiveParams{Queue: q.ID, Max: n, Visibility: &timeout}).Messages
}

// one receives up to 10 messages with the queue's timeout, which must be the
// one with that body.
func (e *env) one(q *engine.Queue, body string) engine.Delivery {
	e.t.Helper()
	return e.expect(q, body)[0]
}

// expect receives up to 10 messages with the queue's timeout, whose bodies must
// be these, in this order.
func (e *env) expect(q *engine.Queue, bodies string) []engine.Delivery {
	e.t.Helper()
	got := e.receive(q, 10)
	if bodiesOf(got) != bodies {
		e.t.Fatalf("received %q, want %q", bodiesOf(got), bodies)
	}
	return got
}

// expectFor is expect with a timeout.
func (e *env) expectFor(q *engine.Queue, timeout time.Duration, bodies string) []engine.Delivery {
	e.t.Helper()
	got := e.receiveFor(q, 10, timeout)
	if bodiesOf(got) != bodies {
		e.t.Fatalf("received %q, want %q", bodiesOf(got), bodies)
	}
	return got
}

// expectOne receives at most one message with the queue's timeout, which must
// be the one with that body.
func (e *env) expectOne(q *engine.Queue, body string) engine.Delivery {
	e.t.Helper()
	got := e.receive(q, 1)
	if bodiesOf(got) != body {
		e.t.Fatalf("received %q, want %q", bodiesOf(got), body)
	}
	return got[0]
}

func bodiesOf(ds []engine.Delivery) string {
	var bodies []string
	for _, d := range ds {
		bodies = append(bodies, d.Body)
	}
	return strings.Join(bodies, " ")
}

func refsOf(ds []engine.Delivery) []engine.Ref {
	var refs []engine.Ref
	for _, d := range ds {
		refs = append(refs, d.Ref)
	}
	return refs
}

// ok is the outcome of an entry that succeeded.
const ok = -1

// outcomes turns the results of a batch into codes.
func (e *env) outcomes(call string, n int, results []error, err error) []int {
	e.t.Helper()
	if err != nil {
		e.t.Fatalf("%s: %v", call, err)
	}
	if len(results) != n {
		e.t.Fatalf("%s of %d entries gave %d results", call, n, len(results))
	}
	codes := make([]int, n)
	for i, err := range results {
		codes[i] = ok
		if err != nil {
			codes[i] = int(engine.ErrorCode(err))
		}
	}
	return codes
}

// ack acknowledges references under a stale rule and wants one outcome for
// each.
func (e *env) ack(q *engine.Queue, rule engine.StaleRule, refs []engine.Ref, want ...int) {
	e.t.Helper()
	e.ackWith(engine.AcknowledgeParams{Queue: q.ID, Refs: refs, Stale: rule}, want...)
}

// ackAll acknowledges what was just received.
func (e *env) ackAll(q *engine.Queue, got []engine.Delivery) {
	e.t.Helper()
	e.ack(q, engine.StaleFails, refsOf(got), slices.Repeat([]int{ok}, len(got))...)
}

func (e *env) ackWith(p engine.AcknowledgeParams, want ...int) {
	e.t.Helper()
	results, err := e.store.Acknowledge(e.t.Context(), p)
	if got := e.outcomes("Acknowledge", len(p.Refs), results, err); !slices.Equal(got, want) {
		e.t.Fatalf("Acknowledge gave the codes %v, want %v (-1 is success): %v", got, want, results)
	}
}

// change sets one timeout for references under a stale rule and wants one
// outcome for each.
func (e *env) change(q *engine.Queue, rule engine.StaleRule, timeout time.Duration, refs []engine.Ref, want ...int) {
	e.t.Helper()
	var changes []engine.Change
	for _, ref := range refs {
		changes = append(changes, engine.Change{Ref: ref, Timeout: timeout})
	}
	e.changeWith(engine.ChangeVisibilityParams{Queue: q.ID, Changes: changes, Stale: rule}, want...)
}

func (e *env) changeWith(p engine.ChangeVisibilityParams, want ...int) {
	e.t.Helper()
	results, err := e.store.ChangeVisibility(e.t.Context(), p)
	if got := e.outcomes("ChangeVisibility", len(p.Changes), results, err); !slices.Equal(got, want) {
		e.t.Fatalf("ChangeVisibility gave the codes %v, want %v (-1 is success): %v", got, want, results)
	}
}

func (e *env) release(q *engine.Queue, refs ...engine.Ref) {
	e.t.Helper()
	if err := e.store.Release(e.t.Context(), q.ID, refs); err != nil {
		e.t.Fatalf("Release: %v", err)
	}
}

func (e *env) purge(q *engine.Queue) {
	e.t.Helper()
	if err := e.store.PurgeQueue(e.t.Context(), engine.PurgeQueueParams{Queue: q.ID}); err != nil {
		e.t.Fatalf("PurgeQueue: %v", err)
	}
}

func (e *env) delete(q *engine.Queue) {
	e.t.Helper()
	if err := e.store.DeleteQueue(e.t.Context(), engine.DeleteQueueParams{Queue: q.ID}); err != nil {
		e.t.Fatalf("DeleteQueue: %v", err)
	}
}

// update changes a queue without touching its time.
func (e *env) update(q *engine.Queue, change func(*engine.Queue)) *engine.Queue {
	e.t.Helper()
	got, err := e.store.UpdateQueue(e.t.Context(), engine.UpdateQueueParams{
		Queue:  q.ID,
		Change: func(q *engine.Queue) error { change(q); return nil },
	})
	if err != nil {
		e.t.Fatalf("UpdateQueue: %v", err)
	}
	return got
}

func (e *env) find(name engine.QueueName) *engine.Queue {
	e.t.Helper()
	q, err := e.store.FindQueue(e.t.Context(), name)
	if err != nil {
		e.t.Fatalf("FindQueue(%s): %v", name.Name, err)
	}
	return q
}

// counts gives the sizes of a queue when all background work is done.
func (e *env) counts(q *engine.Queue) engine.Counts {
	e.t.Helper()
	e.drain()
	return e.countsNow(q)
}

func (e *env) countsNow(q *engine.Queue) engine.Counts {
	e.t.Helper()
	c, err := e.store.Counts(e.t.Context(), q.ID)
	if err != nil {
		e.t.Fatalf("Counts: %v", err)
	}
	return c
}

// wantSizes compares the three numbers of a queue.
func (e *env) wantSizes(q *engine.Queue, visible, inFlight, delayed int64) {
	e.t.Helper()
	c := e.counts(q)
	if c.Visible != visible || c.InFlight != inFlight || c.Delayed != delayed {
		e.t.Fatalf("the queue has %d visible, %d in flight, %d delayed; want %d, %d, %d",
			c.Visible, c.InFlight, c.Delayed, visible, inFlight, delayed)
	}
}

// maxSweeps is how many steps of background work a test grants a store.
const maxSweeps = 10_000

// drain sweeps until nothing is left to do at once and gives the last result.
func (e *env) drain() engine.SweepResult {
	e.t.Helper()
	for range maxSweeps {
		r, err := e.store.Sweep(e.t.Context())
		if err != nil {
			e.t.Fatalf("Sweep: %v", err)
		}
		if !r.More {
			return r
		}
	}
	e.t.Fatalf("Sweep still has more to do after %d steps", maxSweeps)
	return engine.SweepResult{}
}

// wantCode wants an error with a code.
func (e *env) wantCode(call string, err error, code engine.Code) {
	e.t.Helper()
	if err == nil {
		e.t.Fatalf("%s succeeded, want code %d", call, code)
	}
	if got := engine.ErrorCode(err); got != code {
		e.t.Fatalf("%s gave code %d, want %d: %v", call, got, code, err)
	}
}

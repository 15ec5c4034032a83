package compat_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/engine/storetest"
	"queues/protocol"
)

// handleExpired is the text of a handle whose timeout is over.
func handleExpired(h *string) string {
	return "Value " + *h + " for parameter ReceiptHandle is invalid. Reason: The receipt handle has expired."
}

// A FIFO message shows exactly these system attributes.
func TestFIFOSystemAttributes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q", "VisibilityTimeout", "0", "ContentBasedDeduplication", "true")
	sent := e.put(url, "same", "g", "")
	at := strconv.FormatInt(storetest.Epoch.UnixMilli(), 10)
	for n := 1; n <= 2; n++ {
		got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MessageSystemAttributeNames: []string{"All"}})
		want := pairs(
			"ApproximateFirstReceiveTimestamp", at, "ApproximateReceiveCount", strconv.Itoa(n), "MessageGroupId", "g",
			"MessageDeduplicationId", "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5",
			"SenderId", "AIDATESTUSER", "SentTimestamp", at, "SequenceNumber", *sent.SequenceNumber,
		)
		if diff := cmp.Diff(want, got[0].Attributes); diff != "" {
			t.Errorf("receive %d: attributes (-want +got):\n%s", n, diff)
		}
	}
}

// A receive can be repeated by its attempt id: the same messages under the same
// handles, their timeout counted anew and no receive counted.
func TestReceiveRequestAttemptID(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q")
	for _, body := range []string{"1", "2", "3"} {
		e.put(url, body, "g", body)
	}
	in := &protocol.ReceiveMessageInput{QueueURL: url, MaxNumberOfMessages: new(int32(2)), ReceiveRequestAttemptID: new("try-1"), AttributeNames: []string{"ApproximateReceiveCount"}}
	first := e.receiveAs(in)
	e.clock.Advance(20 * time.Second)
	if diff := cmp.Diff(first, e.receiveAs(in)); diff != "" {
		t.Fatalf("the receive repeated (-first +second):\n%s", diff)
	}
	e.clock.Advance(20 * time.Second)
	e.wantCounts(url, "1 2 0")
	e.delete(url, first[0].ReceiptHandle)
	// Changed since, it is a receive like any other.
	if got := e.receiveAs(in); len(got) != 0 {
		t.Errorf("received %q behind a message in flight", bodies(got))
	}
	e.delete(url, first[1].ReceiptHandle)
	in.ReceiveRequestAttemptID = new("try-2")
	if got := bodies(e.receiveAs(in)); got != "3" {
		t.Errorf("received %q", got)
	}
}

func TestReceiveRequestAttemptIDFaults(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q")
	e.put(url, "b", "g", "d")
	for _, id := range []string{"", "a b", "ä", "\x01", strings.Repeat("x", 129)} {
		in := &protocol.ReceiveMessageInput{QueueURL: url, ReceiveRequestAttemptID: &id}
		e.refused(protocol.ReceiveMessage, in, badValue, badID("ReceiveRequestAttemptId", id))
	}
	e.wantCounts(url, "1 0 0")
	longest := strings.Repeat("!", 128)
	if got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, ReceiveRequestAttemptID: &longest}); len(got) != 1 {
		t.Errorf("received %d with the longest id", len(got))
	}
}

// A FIFO queue at its limit has nothing to give, and says no more than that.
func TestFIFOInFlightLimit(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{InFlightLimit: 2})
	url := e.createFIFO("q")
	for _, group := range []string{"a", "b", "c"} {
		e.put(url, group, group, group)
	}
	held := e.receive(url)
	if bodies(held) != "a b" {
		t.Fatalf("received %q, want as many as the limit leaves room for", bodies(held))
	}
	res := e.run(protocol.ReceiveMessage, &protocol.ReceiveMessageInput{QueueURL: url})
	if out := res.Output.(*protocol.ReceiveMessageOutput); out.Messages != nil || res.Undo != nil {
		t.Errorf("at the limit: %+v", out)
	}
	e.delete(url, held[0].ReceiptHandle)
	if got := bodies(e.receive(url)); got != "c" {
		t.Errorf("after a delete: %q", got)
	}
}

// A handle of a FIFO message is good until its timeout ends: the one in force,
// not the first.
func TestFIFOHandles(t *testing.T) {
	t.Parallel()
	const ok, expired, unavailable = "", "expired", "unavailable"
	tests := map[string]struct {
		// before happens between the receive and the use of the handle.
		before         func(e *env, url, handle *string)
		delete, change string
		counts         string // after a delete
	}{
		"InFlight":      {func(*env, *string, *string) {}, ok, ok, "0 0 0"},
		"LastMoment":    {func(e *env, _, _ *string) { e.clock.Advance(30*time.Second - time.Millisecond) }, ok, ok, "0 0 0"},
		"TimeoutOver":   {func(e *env, _, _ *string) { e.clock.Advance(30 * time.Second) }, expired, unavailable, "1 0 0"},
		"Extended":      {func(e *env, url, h *string) { e.hide(url, h, 600); e.clock.Advance(time.Minute) }, ok, ok, "0 0 0"},
		"Shortened":     {func(e *env, url, h *string) { e.hide(url, h, 1); e.clock.Advance(time.Second) }, expired, unavailable, "1 0 0"},
		"Freed":         {func(e *env, url, h *string) { e.hide(url, h, 0) }, expired, unavailable, "1 0 0"},
		"ReceivedAgain": {func(e *env, url, _ *string) { e.clock.Advance(time.Minute); e.one(url) }, expired, unavailable, "0 1 0"},
		"Deleted":       {func(e *env, url, h *string) { e.delete(url, h) }, ok, unavailable, "0 0 0"},
		"RetentionOver": {func(e *env, _, _ *string) { e.clock.Advance(5 * 24 * time.Hour) }, ok, unavailable, "0 0 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, change := range []bool{false, true} {
				e := newEnv(t, compat.Options{})
				url := e.createFIFO("q")
				e.put(url, "b", "g", "d")
				h := e.one(url).ReceiptHandle
				test.before(e, url, h)
				op, in, want := protocol.DeleteMessage, any(&protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: h}), test.delete
				if change {
					op, in, want = protocol.ChangeMessageVisibility, &protocol.ChangeMessageVisibilityInput{QueueURL: url, ReceiptHandle: h, VisibilityTimeout: new(int32(60))}, test.change
				}
				switch want {
				case ok:
					e.run(op, in)
				case expired:
					e.refused(op, in, badValue, handleExpired(h))
				case unavailable:
					e.refused(op, in, badValue, gone(*h))
				}
				if !change {
					e.wantCounts(url, test.counts)
				}
			}
		})
	}
}

// What a timeout of zero gives cannot be deleted; asked for with a timeout it
// can.
func TestFIFOZeroTimeout(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q", "VisibilityTimeout", "0")
	e.put(url, "b", "g", "d")
	h := e.one(url).ReceiptHandle
	e.refused(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: h}, badValue, handleExpired(h))
	out := do[*protocol.DeleteMessageBatchOutput](e, protocol.DeleteMessageBatch, &protocol.DeleteMessageBatchInput{
		QueueURL: url, Entries: []protocol.DeleteMessageBatchRequestEntry{{ID: new("a"), ReceiptHandle: h}},
	})
	if diff := cmp.Diff([]outcome{{"a", badValue, handleExpired(h)}}, outcomes(out.Failed)); diff != "" {
		t.Errorf("failed entries (-want +got):\n%s", diff)
	}
	held := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, VisibilityTimeout: new(int32(30))})
	e.delete(url, held[0].ReceiptHandle)
	e.wantCounts(url, "0 0 0")
}

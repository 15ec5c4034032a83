package compat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

const noHandle = "ReceiptHandleIsInvalid"

func badHandle(h string) string {
	return `The input receipt handle "` + h + `" is not a valid receipt handle.`
}

// gone is the text of a visibility change of a message that is no more.
func gone(h string) string {
	return "Value " + h + " for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available for visibility timeout change."
}

func (e *env) delete(url *string, handle *string) {
	e.t.Helper()
	if out := e.run(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: handle}).Output; out != nil {
		e.t.Errorf("the output is %v, want none", out)
	}
}

func (e *env) hide(url *string, handle *string, seconds int32) {
	e.t.Helper()
	in := &protocol.ChangeMessageVisibilityInput{QueueURL: url, ReceiptHandle: handle, VisibilityTimeout: &seconds}
	if out := e.run(protocol.ChangeMessageVisibility, in).Output; out != nil {
		e.t.Errorf("the output is %v, want none", out)
	}
}

// handleFaults are handles that no call takes.
func handleFaults() map[string]struct {
	handle     *string
	code, text string
} {
	const missing = "The request must contain the parameter ReceiptHandle."
	long := strings.Repeat("A", 1025)
	return map[string]struct {
		handle     *string
		code, text string
	}{
		"Absent":      {nil, missingMember, missing},
		"Empty":       {new(""), missingMember, missing},
		"Blank":       {new(" \t\n"), missingMember, missing},
		"Garbage":     {new("garbage"), noHandle, badHandle("garbage")},
		"Quotes":      {new(`a"b\`), noHandle, badHandle(`a"b\`)},
		"Longest":     {&[]string{long[:1024]}[0], noHandle, badHandle(long[:1024])},
		"TooLong":     {&long, noHandle, badHandle(long[:1024] + "...")},
		"ForeignForm": {new("AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a=="), noHandle, badHandle("AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a==")},
	}
}

func TestDeleteMessageFaults(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url, other := e.create("q"), e.create("other")
	e.send(url, "b")
	held := e.one(url)
	for _, test := range handleFaults() {
		e.refused(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: test.handle}, test.code, test.text)
	}
	h := *held.ReceiptHandle
	e.refused(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: other, ReceiptHandle: &h}, noHandle, badHandle(h))
	for _, bad := range []string{h + "A", h[:len(h)-1], strings.ToUpper(h), " " + h} {
		e.refused(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: &bad}, noHandle, badHandle(bad))
	}
	e.wantCounts(url, "0 1 0")
	e.delete(url, held.ReceiptHandle)
	e.wantCounts(url, "0 0 0")
}

func TestDeleteMessage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		// before happens between the receive and the delete.
		before func(e *env, url, handle *string)
		counts string
	}{
		"InFlight":         {func(*env, *string, *string) {}, "0 0 0"},
		"TimeoutOver":      {func(e *env, _, _ *string) { e.clock.Advance(time.Minute) }, "0 0 0"},
		"Freed":            {func(e *env, url, h *string) { e.hide(url, h, 0) }, "0 0 0"},
		"Extended":         {func(e *env, url, h *string) { e.hide(url, h, 600) }, "0 0 0"},
		"AlreadyDeleted":   {func(e *env, url, h *string) { e.delete(url, h); e.delete(url, h) }, "0 0 0"},
		"RetentionOver":    {func(e *env, _, _ *string) { e.clock.Advance(5 * 24 * time.Hour) }, "0 0 0"},
		"ReceivedAgain":    {func(e *env, url, _ *string) { e.clock.Advance(time.Minute); e.one(url) }, "0 1 0"},
		"ReceivedAndFreed": {func(e *env, url, h *string) { e.hide(url, h, 0); e.hide(url, e.one(url).ReceiptHandle, 0) }, "1 0 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.create("q")
			e.send(url, "b")
			handle := e.one(url).ReceiptHandle
			test.before(e, url, handle)
			e.delete(url, handle)
			e.wantCounts(url, test.counts)
		})
	}
}

func TestDeleteMessageBatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for i := range 3 {
		e.send(url, fmt.Sprint(i))
	}
	held := e.receive(url)
	entry := func(id string, handle *string) protocol.DeleteMessageBatchRequestEntry {
		return protocol.DeleteMessageBatchRequestEntry{ID: &id, ReceiptHandle: handle}
	}
	// Two entries with the same id delete nothing at all.
	e.refused(protocol.DeleteMessageBatch, &protocol.DeleteMessageBatchInput{QueueURL: url, Entries: []protocol.DeleteMessageBatchRequestEntry{
		entry("x", held[0].ReceiptHandle), entry("x", held[1].ReceiptHandle),
	}}, "AWS.SimpleQueueService.BatchEntryIdsNotDistinct", "Id x repeated.")
	e.wantCounts(url, "0 3 0")

	long := strings.Repeat("A", 1025)
	out := do[*protocol.DeleteMessageBatchOutput](e, protocol.DeleteMessageBatch, &protocol.DeleteMessageBatchInput{QueueURL: url, Entries: []protocol.DeleteMessageBatchRequestEntry{
		entry("a", new("garbage")), entry("b", held[0].ReceiptHandle), entry("c", nil), entry("d", held[2].ReceiptHandle), entry("e", new(" ")), entry("f", &long), entry("g", held[0].ReceiptHandle),
	}})
	want := &protocol.DeleteMessageBatchOutput{Successful: []protocol.DeleteMessageBatchResultEntry{{ID: new("b")}, {ID: new("d")}, {ID: new("g")}}, Failed: out.Failed}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("unlike the answer wanted (-want +got):\n%s", diff)
	}
	const missing = "The request must contain the parameter ReceiptHandle."
	failed := []outcome{{"a", noHandle, badHandle("garbage")}, {"c", missingMember, missing}, {"e", missingMember, missing}, {"f", noHandle, badHandle(long[:1024] + "...")}}
	if diff := cmp.Diff(failed, outcomes(out.Failed)); diff != "" {
		t.Errorf("failed entries (-want +got):\n%s", diff)
	}
	e.wantCounts(url, "0 1 0")

	all := do[*protocol.DeleteMessageBatchOutput](e, protocol.DeleteMessageBatch, &protocol.DeleteMessageBatchInput{QueueURL: url, Entries: []protocol.DeleteMessageBatchRequestEntry{entry("a", held[1].ReceiptHandle)}})
	if all.Failed != nil || len(all.Successful) != 1 {
		t.Errorf("the answer is %+v, want one success and no list of failures", all)
	}
	e.wantCounts(url, "0 0 0")
}

func TestChangeMessageVisibilityFaults(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url, other := e.create("q"), e.create("other")
	e.send(url, "b")
	h := e.one(url).ReceiptHandle
	refused := func(handle *string, timeout *int32, code, text string) {
		t.Helper()
		e.refused(protocol.ChangeMessageVisibility, &protocol.ChangeMessageVisibilityInput{QueueURL: url, ReceiptHandle: handle, VisibilityTimeout: timeout}, code, text)
	}
	for _, test := range handleFaults() {
		refused(test.handle, new(int32(0)), test.code, test.text)
	}
	const noTimeout = "The request must contain the parameter VisibilityTimeout."
	refused(nil, nil, missingMember, "The request must contain the parameter ReceiptHandle.")
	refused(h, nil, missingMember, noTimeout)
	refused(new("garbage"), nil, missingMember, noTimeout)
	refused(new(strings.Repeat("A", 1025)), nil, missingMember, noTimeout)
	for _, n := range []int32{-1, 43201, 2147483647, -2147483648} {
		text := fmt.Sprintf("Value %d for parameter VisibilityTimeout is invalid. Reason: Must be between 0 and 43200.", n)
		refused(h, &n, badValue, text)
		refused(new("garbage"), &n, badValue, text)
	}
	in := &protocol.ChangeMessageVisibilityInput{QueueURL: other, ReceiptHandle: h, VisibilityTimeout: new(int32(0))}
	e.refused(protocol.ChangeMessageVisibility, in, noHandle, badHandle(*h))
	e.wantCounts(url, "0 1 0")
	e.delete(url, h)
	refused(h, new(int32(0)), badValue, gone(*h))
}

func TestChangeMessageVisibility(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q", "VisibilityTimeout", "10")
	e.send(url, "b")
	h := e.one(url).ReceiptHandle
	// The new timeout counts from the call, over and over.
	for range 8 {
		e.clock.Advance(9 * time.Second)
		e.hide(url, h, 10)
		e.wantCounts(url, "0 1 0")
	}
	e.clock.Advance(10 * time.Second)
	e.wantCounts(url, "1 0 0")
	// A message that is visible again is hidden again.
	e.hide(url, h, 5)
	e.wantCounts(url, "0 1 0")
	e.clock.Advance(5 * time.Second)
	// The change was for that receive: the next has the queue's timeout.
	second := e.one(url).ReceiptHandle
	e.clock.Advance(10*time.Second - time.Millisecond)
	e.wantCounts(url, "0 1 0")
	// An older handle acts on the message although a newer receive holds it.
	e.hide(url, h, 0)
	e.wantCounts(url, "1 0 0")
	e.hide(url, second, 7)
	e.wantCounts(url, "0 1 0")
	e.hide(url, second, 0)
	e.wantCounts(url, "1 0 0")
}

func TestChangeMessageVisibilityTotal(t *testing.T) {
	t.Parallel()
	total := func(n int) string {
		return fmt.Sprintf("Value %d for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the message is beyond the limit [43200 seconds]", n)
	}
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	e.send(url, "b")
	h := e.one(url).ReceiptHandle
	e.clock.Advance(2 * time.Second)
	for _, n := range []int32{43200, 43199} {
		e.refused(protocol.ChangeMessageVisibility, &protocol.ChangeMessageVisibilityInput{QueueURL: url, ReceiptHandle: h, VisibilityTimeout: &n}, badValue, total(int(n)))
	}
	out := do[*protocol.ChangeMessageVisibilityBatchOutput](e, protocol.ChangeMessageVisibilityBatch, &protocol.ChangeMessageVisibilityBatchInput{QueueURL: url, Entries: []protocol.ChangeMessageVisibilityBatchRequestEntry{
		{ID: new("a"), ReceiptHandle: h, VisibilityTimeout: new(int32(43200))},
	}})
	if diff := cmp.Diff([]outcome{{"a", badValue, total(43200)}}, outcomes(out.Failed)); diff != "" {
		t.Errorf("failed entries (-want +got):\n%s", diff)
	}
	// The refused changes changed nothing: the first timeout still runs.
	e.clock.Advance(28*time.Second - time.Millisecond)
	e.wantCounts(url, "0 1 0")
	e.clock.Advance(time.Millisecond)
	e.wantCounts(url, "1 0 0")
	e.hide(url, h, 43170)
	e.wantCounts(url, "0 1 0")
}

func TestChangeMessageVisibilityBatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for i := range 3 {
		e.send(url, fmt.Sprint(i))
	}
	held := e.receive(url)
	e.delete(url, held[2].ReceiptHandle)
	entry := func(id string, handle *string, timeout *int32) protocol.ChangeMessageVisibilityBatchRequestEntry {
		return protocol.ChangeMessageVisibilityBatchRequestEntry{ID: &id, ReceiptHandle: handle, VisibilityTimeout: timeout}
	}
	zero := new(int32(0))
	out := do[*protocol.ChangeMessageVisibilityBatchOutput](e, protocol.ChangeMessageVisibilityBatch, &protocol.ChangeMessageVisibilityBatchInput{QueueURL: url, Entries: []protocol.ChangeMessageVisibilityBatchRequestEntry{
		entry("a", new("garbage"), zero), entry("b", held[0].ReceiptHandle, zero), entry("c", nil, zero), entry("d", held[1].ReceiptHandle, nil),
		entry("e", held[1].ReceiptHandle, new(int32(43201))), entry("f", held[2].ReceiptHandle, zero), entry("g", held[1].ReceiptHandle, new(int32(60))),
		entry("h", held[1].ReceiptHandle, new(int32(-1))),
	}})
	const timeout = "Value %d for parameter VisibilityTimeout is invalid. Reason: VisibilityTimeout must be an integer between 0 and 43200."
	failed := []outcome{
		{"a", noHandle, badHandle("garbage")},
		{"c", missingMember, "The request must contain the parameter ReceiptHandle."},
		{"d", missingMember, "The request must contain the parameter ChangeMessageVisibilityBatchRequestEntry.4.VisibilityTimeout."},
		{"e", badValue, fmt.Sprintf(timeout, 43201)},
		{"f", noHandle, "Message does not exist or is not available for visibility timeout change"},
		{"h", badValue, fmt.Sprintf(timeout, -1)},
	}
	if diff := cmp.Diff(failed, outcomes(out.Failed)); diff != "" {
		t.Errorf("failed entries (-want +got):\n%s", diff)
	}
	want := []protocol.ChangeMessageVisibilityBatchResultEntry{{ID: new("b")}, {ID: new("g")}}
	if diff := cmp.Diff(want, out.Successful); diff != "" {
		t.Errorf("successful entries (-want +got):\n%s", diff)
	}
	e.wantCounts(url, "1 1 0")
	e.clock.Advance(59 * time.Second)
	e.wantCounts(url, "1 1 0")
	e.clock.Advance(time.Second)
	e.wantCounts(url, "2 0 0")
}

package compat_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

const notThisKind = "The request include parameter that is not valid for this queue type"

// fifoSend is a message for a FIFO queue: its body, group and deduplication id.
func fifoSend(body, group, dedup string) protocol.SendMessageInput {
	return protocol.SendMessageInput{MessageBody: &body, MessageGroupID: &group, MessageDeduplicationID: &dedup}
}

// put sends a message to a FIFO queue. An empty deduplication id is left out.
func (e *env) put(url *string, body, group, dedup string) *protocol.SendMessageOutput {
	e.t.Helper()
	in := fifoSend(body, group, dedup)
	in.QueueURL = url
	if dedup == "" {
		in.MessageDeduplicationID = nil
	}
	return do[*protocol.SendMessageOutput](e, protocol.SendMessage, &in)
}

// badID is the text of an id that cannot be.
func badID(member, value string) string {
	return "Value " + value + " for parameter " + member + " is invalid. Reason: " + badIDInBatch(member) + "."
}

func badIDInBatch(member string) string {
	return member + " can only include alphanumeric and punctuation characters. 1 to 128 in length"
}

// fifoFaults are messages that a FIFO queue refuses, singly and in a batch.
func fifoFaults() map[string]struct {
	in              protocol.SendMessageInput
	code, text      string
	batchCode, more string // of the batch, where they differ
} {
	type in = protocol.SendMessageInput
	const group, dedup = "MessageGroupId", "MessageDeduplicationId"
	const noDedup = "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"
	const noGroup = "The request must contain the parameter MessageGroupId."
	delay := func(n int32) in {
		m := fifoSend("b", "g", "d")
		m.DelaySeconds = &n
		return m
	}
	long := strings.Repeat("x", 129)
	listed := fifoSend("b", "g", "d")
	listed.MessageAttributes = attrs{"a": {DataType: new("String"), StringListValues: []string{"x"}}}
	nameless := fifoSend("b", "g", "d")
	nameless.MessageAttributes = attrs{"": text("x")}
	return map[string]struct {
		in              protocol.SendMessageInput
		code, text      string
		batchCode, more string
	}{
		"NoBody":        {in{MessageGroupID: new("g"), MessageDeduplicationID: new("d")}, missingMember, "The request must contain the parameter MessageBody.", badValue, "The request must contain the parameter SendMessageBatchRequestEntry.2.MessageBody."},
		"BadBody":       {fifoSend("\x00", "g", "d"), badContents, textContents, "", ""},
		"BodyFirst":     {in{MessageBody: new("")}, missingMember, "The request must contain the parameter MessageBody.", badValue, "The request must contain the parameter SendMessageBatchRequestEntry.2.MessageBody."},
		"NoGroup":       {in{MessageBody: new("b"), MessageDeduplicationID: new("d")}, missingMember, noGroup, badValue, ""},
		"NoIDs":         {in{MessageBody: new("b")}, missingMember, noGroup, badValue, ""},
		"EmptyGroup":    {fifoSend("b", "", "d"), badValue, badID(group, ""), "", badIDInBatch(group)},
		"BlankGroup":    {fifoSend("b", "a b", "d"), badValue, badID(group, "a b"), "", badIDInBatch(group)},
		"LongGroup":     {fifoSend("b", long, "d"), badValue, badID(group, long), "", badIDInBatch(group)},
		"UmlautGroup":   {fifoSend("b", "ä", "d"), badValue, badID(group, "ä"), "", badIDInBatch(group)},
		"NoDedup":       {in{MessageBody: new("b"), MessageGroupID: new("g")}, badValue, noDedup, "", ""},
		"GroupFirst":    {in{MessageBody: new("b"), MessageGroupID: new("")}, badValue, badID(group, ""), "", badIDInBatch(group)},
		"EmptyDedup":    {fifoSend("b", "g", ""), badValue, badID(dedup, ""), "", badIDInBatch(dedup)},
		"LongDedup":     {fifoSend("b", "g", long), badValue, badID(dedup, long), "", badIDInBatch(dedup)},
		"BlankDedup":    {fifoSend("b", "g", "d d"), badValue, badID(dedup, "d d"), "", badIDInBatch(dedup)},
		"ControlDedup":  {fifoSend("b", "g", "\b"), badValue, badID(dedup, "\b"), "", badIDInBatch(dedup)},
		"Delay":         {delay(2), badValue, "Value 2 for parameter DelaySeconds is invalid. Reason: " + notThisKind + ".", "", ""},
		"LongDelay":     {delay(901), badValue, "Value 901 for parameter DelaySeconds is invalid. Reason: " + notThisKind + ".", "", ""},
		"NegativeDelay": {delay(-1), badValue, "Value -1 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.", "", ""},
		"Listed":        {listed, "AWS.SimpleQueueService.UnsupportedOperation", "Message attribute list values in SendMessage operation are not supported.", "", "Message attribute list values in SendMessageBatch operation are not supported."},
		"Nameless":      {nameless, badValue, "The request must contain non-empty message (user) attribute names.", "", ""},
		"TooLong":       {fifoSend(strings.Repeat("x", 1025), "g", "d"), badValue, "One or more parameters are invalid. Reason: Message must be shorter than 1024 bytes.", "", "One or more parameters cannot be validated. Reason: Message must be shorter than 1024 bytes."},
	}
}

// What a FIFO queue refuses it refuses with nothing stored; of a batch it then
// takes nothing at all.
func TestFIFOSendFaults(t *testing.T) {
	t.Parallel()
	for name, test := range fifoFaults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.createFIFO("q", "MaximumMessageSize", "1024")
			in := test.in
			in.QueueURL = url
			e.refused(protocol.SendMessage, &in, test.code, test.text)
			if test.batchCode == "" {
				test.batchCode = test.code
			}
			if test.more == "" {
				test.more = test.text
			}
			e.refused(protocol.SendMessageBatch, &protocol.SendMessageBatchInput{QueueURL: url, Entries: []protocol.SendMessageBatchRequestEntry{
				batchEntry("a", fifoSend("good", "g", "1")), batchEntry("b", test.in), batchEntry("c", fifoSend("good", "g", "2")),
			}}, test.batchCode, test.more)
			e.wantCounts(url, "0 0 0")
			// Nothing remembers the ids of what was refused.
			e.put(url, "after", "g", "1")
			e.put(url, "after", "g", "d")
			e.wantCounts(url, "2 0 0")
		})
	}
}

// Every printable character of ASCII but the blank may stand in an id.
func TestFIFOIDs(t *testing.T) {
	t.Parallel()
	const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
	for name, id := range map[string]string{"Marks": marks, "One": "0", "Longest": strings.Repeat("z", 128), "Words": "azAZ09"} {
		e := newEnv(t, compat.Options{})
		url := e.createFIFO("q")
		e.put(url, "b", id, id)
		got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, AttributeNames: []string{"MessageGroupId", "MessageDeduplicationId"}})
		if diff := cmp.Diff(pairs("MessageGroupId", id, "MessageDeduplicationId", id), got[0].Attributes); diff != "" {
			t.Errorf("%s: attributes (-want +got):\n%s", name, diff)
		}
	}
}

// A duplicate is answered with the id and the number of the first, and with the
// digests of what was sent just now.
func TestFIFODuplicates(t *testing.T) {
	t.Parallel()
	const same, sameHash = "same", "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5"
	type send struct {
		body, group, dedup string
		stored             bool
	}
	tests := map[string]struct {
		attributes []string
		sends      []send
	}{
		"Explicit":       {nil, []send{{"hello", "g", "d", true}, {"a1", "g", "d", false}, {"a1", "h", "d", false}, {"a1", "g", "D", true}}},
		"ContentBased":   {[]string{"ContentBasedDeduplication", "true"}, []send{{same, "g", "", true}, {same, "h", "", false}, {same, "g", sameHash, false}, {same, "g", "own", true}, {"other", "g", "", true}}},
		"ExplicitFirst":  {[]string{"ContentBasedDeduplication", "true"}, []send{{"x", "g", sameHash, true}, {same, "g", "", false}, {"x", "g", "", true}}},
		"ScopeOfGroup":   {[]string{"DeduplicationScope", "messageGroup"}, []send{{"A", "g1", "d", true}, {"B", "g2", "d", true}, {"C", "g1", "d", false}}},
		"ContentByGroup": {[]string{"DeduplicationScope", "messageGroup", "ContentBasedDeduplication", "true"}, []send{{same, "g1", "", true}, {same, "g2", "", true}, {same, "g2", sameHash, false}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.createFIFO("q", test.attributes...)
			seen, stored, last := map[string]bool{}, 0, ""
			for i, s := range test.sends {
				out := e.put(url, s.body, s.group, s.dedup)
				if fresh := !seen[*out.MessageID]; fresh != s.stored {
					t.Errorf("send %d: stored %t, want %t", i, fresh, s.stored)
				}
				seen[*out.MessageID] = true
				if len(*out.SequenceNumber) != 20 || s.stored != (*out.SequenceNumber > last) {
					t.Errorf("send %d: number %s after %s", i, *out.SequenceNumber, last)
				}
				last = max(last, *out.SequenceNumber)
				if s.stored {
					stored++
				}
				if want := map[string]string{"hello": "5d41402abc4b2a76b9719d911017c592", "a1": "8a8bb7cd343aa2ad99b7d762030857a2"}[s.body]; want != "" && *out.MD5OfMessageBody != want {
					t.Errorf("send %d: digest %s, want %s", i, *out.MD5OfMessageBody, want)
				}
			}
			if n := len(e.receive(url)); n != stored {
				t.Errorf("received %d, want %d", n, stored)
			}
		})
	}
}

// The scope that a queue was created with stays in effect, whatever it shows.
func TestDeduplicationScopeStays(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q")
	e.put(url, "A", "g1", "d")
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("DeduplicationScope", "messageGroup")})
	if got := e.attributes(url, "DeduplicationScope")["DeduplicationScope"]; got != "messageGroup" {
		t.Errorf("the scope shown is %s", got)
	}
	e.put(url, "B", "g2", "d")
	e.wantCounts(url, "1 0 0")
}

// Content-based deduplication can be switched on later, for later sends.
func TestContentBasedDeduplicationLater(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q")
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("ContentBasedDeduplication", "true")})
	e.put(url, "same", "g", "")
	e.put(url, "same", "g", "")
	e.wantCounts(url, "1 0 0")
	e.clock.Advance(5 * time.Minute)
	e.put(url, "same", "g", "")
	e.wantCounts(url, "2 0 0")
}

// The entries of a batch are stored in their order, duplicates among them once.
func TestFIFOSendMessageBatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q")
	out := do[*protocol.SendMessageBatchOutput](e, protocol.SendMessageBatch, &protocol.SendMessageBatchInput{QueueURL: url, Entries: []protocol.SendMessageBatchRequestEntry{
		batchEntry("a", fifoSend("1", "g", "d1")), batchEntry("b", fifoSend("2", "g", "d2")), batchEntry("c", fifoSend("3", "g", "d1")), batchEntry("d", fifoSend("4", "g", "d4")),
	}})
	if len(out.Failed) != 0 || len(out.Successful) != 4 {
		t.Fatalf("the answer is %+v, want four successes", out)
	}
	ids, numbers := make([]string, 4), make([]string, 4)
	for i, s := range out.Successful {
		ids[i], numbers[i] = *s.MessageID, *s.SequenceNumber
	}
	if ids[0] != ids[2] || numbers[0] != numbers[2] || ids[0] == ids[1] || numbers[0] >= numbers[1] || numbers[1] >= numbers[3] {
		t.Errorf("ids %v and numbers %v", ids, numbers)
	}
	if got := bodies(e.receive(url)); got != "1 2 4" {
		t.Errorf("received %q", got)
	}
}

// A delay of zero is no delay of the message's own: the queue's delay, whatever
// it is at the time, is for all messages.
func TestFIFODelay(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q", "DelaySeconds", "10")
	in := fifoSend("b", "g", "d")
	in.QueueURL, in.DelaySeconds = url, new(int32(0))
	e.run(protocol.SendMessage, &in)
	e.wantCounts(url, "0 0 1")
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("DelaySeconds", "0")})
	e.wantCounts(url, "1 0 0")
	if got := bodies(e.receive(url)); got != "b" {
		t.Errorf("received %q", got)
	}
}

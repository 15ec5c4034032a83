package compat_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

// batchEntry is an entry of a batch with the contents of a single send.
func batchEntry(id string, in protocol.SendMessageInput) protocol.SendMessageBatchRequestEntry {
	return protocol.SendMessageBatchRequestEntry{
		ID: &id, MessageBody: in.MessageBody, DelaySeconds: in.DelaySeconds, MessageAttributes: in.MessageAttributes,
		MessageSystemAttributes: in.MessageSystemAttributes, MessageDeduplicationID: in.MessageDeduplicationID, MessageGroupID: in.MessageGroupID,
	}
}

func TestSendMessageBatch(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	in := &protocol.SendMessageBatchInput{QueueURL: url, Entries: []protocol.SendMessageBatchRequestEntry{
		batchEntry("one", protocol.SendMessageInput{MessageBody: new("hello")}),
		batchEntry("two", protocol.SendMessageInput{
			MessageBody: new("a1"), MessageAttributes: attrs{"timestamp": number("1493147359900")},
			MessageSystemAttributes: attrs{"AWSTraceHeader": text(traceHeader)}, MessageGroupID: new("g"),
		}),
	}}
	out := do[*protocol.SendMessageBatchOutput](e, protocol.SendMessageBatch, in)
	got := e.receive(url)
	if bodies(got) != "hello a1" {
		t.Fatalf("received %q, want the entries in their order", bodies(got))
	}
	want := &protocol.SendMessageBatchOutput{Successful: []protocol.SendMessageBatchResultEntry{
		{ID: new("one"), MessageID: got[0].MessageID, MD5OfMessageBody: new("5d41402abc4b2a76b9719d911017c592")},
		{
			ID: new("two"), MessageID: got[1].MessageID, MD5OfMessageBody: new("8a8bb7cd343aa2ad99b7d762030857a2"),
			MD5OfMessageAttributes: new("235c5c510d26fb653d073faed50ae77c"), MD5OfMessageSystemAttributes: new("5ae4d5d7636402d80f4eb6d213245a88"),
		},
	}}
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("unlike the answer wanted (-want +got):\n%s", diff)
	}
}

// A bad entry fails by itself; the good ones around it are stored.
func TestSendMessageBatchFaults(t *testing.T) {
	t.Parallel()
	good := protocol.SendMessageInput{MessageBody: new("good")}
	for name, test := range sendFaults() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.create("q")
			in := &protocol.SendMessageBatchInput{QueueURL: url, Entries: []protocol.SendMessageBatchRequestEntry{
				batchEntry("a", good), batchEntry("b", test.in), batchEntry("c", good),
			}}
			out := do[*protocol.SendMessageBatchOutput](e, protocol.SendMessageBatch, in)
			wanted := test.text
			if test.batchText != "" {
				wanted = test.batchText
			}
			if diff := cmp.Diff([]outcome{{"b", test.code, wanted}}, outcomes(out.Failed)); diff != "" {
				t.Errorf("failed entries (-want +got):\n%s", diff)
			}
			if len(out.Successful) != 2 || *out.Successful[0].ID != "a" || *out.Successful[1].ID != "c" {
				t.Errorf("successful entries: %+v, want a and c", out.Successful)
			}
			e.wantCounts(url, "2 0 0")
		})
	}
}

func TestSendMessageBatchAllFail(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	in := &protocol.SendMessageBatchInput{QueueURL: url, Entries: []protocol.SendMessageBatchRequestEntry{batchEntry("a", protocol.SendMessageInput{})}}
	out := do[*protocol.SendMessageBatchOutput](e, protocol.SendMessageBatch, in)
	if out.Successful != nil || len(out.Failed) != 1 {
		t.Errorf("the answer is %+v, want one failure and no list of successes", out)
	}
	e.wantCounts(url, "0 0 0")
}

func TestSendMessageBatchSize(t *testing.T) {
	t.Parallel()
	const tooLong = "AWS.SimpleQueueService.BatchRequestTooLong"
	half := 1 << 19
	tests := map[string]struct {
		limit      string
		sizes      []int
		attributes attrs
		code, text string
		failed     []outcome
		counts     string
	}{
		"Exact":          {"", []int{half, half}, nil, "", "", nil, "2 0 0"},
		"OneOver":        {"", []int{half, half + 1}, nil, tooLong, "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.", nil, "0 0 0"},
		"AttributesOver": {"", []int{half, half - 7}, attrs{"k": text("x")}, tooLong, "Batch requests cannot be longer than 1048576 bytes. You have sent 1048585 bytes.", nil, "0 0 0"},
		"OneEntryOver":   {"", []int{1<<20 + 1}, nil, tooLong, "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.", nil, "0 0 0"},
		"OverOwnLimit":   {"1024", []int{1024, 1025}, nil, "", "", []outcome{{"b", badValue, "One or more parameters cannot be validated. Reason: Message must be shorter than 1024 bytes."}}, "1 0 0"},
		"TotalOverOwn":   {"2048", []int{2048, 1}, nil, "", "", nil, "2 0 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			var given []string
			if test.limit != "" {
				given = []string{"MaximumMessageSize", test.limit}
			}
			url := e.create("q", given...)
			in := &protocol.SendMessageBatchInput{QueueURL: url}
			for i, size := range test.sizes {
				in.Entries = append(in.Entries, batchEntry(string(rune('a'+i)), protocol.SendMessageInput{
					MessageBody: new(strings.Repeat("x", size)), MessageAttributes: test.attributes,
				}))
			}
			if test.code != "" {
				e.refused(protocol.SendMessageBatch, in, test.code, test.text)
			} else if diff := cmp.Diff(test.failed, outcomes(do[*protocol.SendMessageBatchOutput](e, protocol.SendMessageBatch, in).Failed)); diff != "" {
				t.Errorf("failed entries (-want +got):\n%s", diff)
			}
			e.wantCounts(url, test.counts)
		})
	}
}

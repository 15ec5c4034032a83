package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// sendEntry is an entry of a SendMessageBatch.
func sendEntry(id, body string) args { return args{"Id": id, "MessageBody": body} }

var reportsOfBatches = []report{
	{9, "B079", "WholeBatches", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b")
		h := *e.receiveOne(t, u).ReceiptHandle
		for action, entry := range batches {
			eleven := list{}
			for i := range 11 {
				eleven = append(eleven, entry(fmt.Sprint(i), h))
			}
			for _, tt := range []struct {
				code, text string
				entries    list
			}{
				{"EmptyBatchRequest", "There should be at least one ", list{}},
				{"TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11.", eleven},
				{"BatchEntryIdsNotDistinct", "Id a repeated.", list{entry("a", h), entry("a", h)}},
				{"InvalidBatchEntryId", "", list{entry("bad!id", h)}},
				{"InvalidBatchEntryId", "", list{entry("good", h), entry(strings.Repeat("i", 81), h)}},
				{"InvalidBatchEntryId", "", list{entry("", h), entry("good", h)}},
			} {
				e.call(t, action, args{"QueueUrl": u, "Entries": tt.entries}).wantStatus(t, 400).wantCode(t, "AWS.SimpleQueueService."+tt.code).
					wantShape(t, sqsShape+tt.code).wantText(t, tt.text)
			}
			e.wantCounts(t, u, counts{"0", "1", "0"})
		}
	}, nil},
	{9, "B081", "SameIdDeletesNothing", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.sendBatch(t, u, "1", "2")
		ms := e.receive(t, u)
		e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": list{
			args{"Id": "x", "ReceiptHandle": *ms[0].ReceiptHandle}, args{"Id": "x", "ReceiptHandle": *ms[1].ReceiptHandle},
		}}).wantStatus(t, 400).wantCode(t, "AWS.SimpleQueueService.BatchEntryIdsNotDistinct")
		time.Sleep(30 * time.Second)
		wantBodies(t, e.receive(t, u), "1", "2")
	}, nil},
	{9, "B082", "OneBadHandle", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b")
		want := outcome{OK: []string{"a"}, Failed: []string{"b ReceiptHandleIsInvalid"}}
		for _, action := range []string{"ChangeMessageVisibilityBatch", "DeleteMessageBatch"} {
			// The first of the two makes it visible again at once.
			h := *e.receiveOne(t, u).ReceiptHandle
			e.call(t, action, args{"QueueUrl": u, "Entries": list{batches[action]("a", h), batches[action]("b", "garbage")}}).wantOutcome(t, want)
		}
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, nil},
	{9, "B084", "SizeOfBatches", func(t *testing.T, e *env) {
		u, half := e.create(t, nil), strings.Repeat("x", 1<<19)
		both := outcome{OK: []string{"a", "b"}}
		e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{sendEntry("a", half), sendEntry("b", half+"x")}}).wantStatus(t, 400).
			wantCode(t, "AWS.SimpleQueueService.BatchRequestTooLong").wantShape(t, sqsShape+"BatchRequestTooLong").
			wantMessage(t, "Batch requests cannot be longer than 1048576 bytes. You have sent 1048577 bytes.")
		e.wantCounts(t, u, counts{"0", "0", "0"})
		e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{sendEntry("a", half), sendEntry("b", half)}}).wantOutcome(t, both)
		small := e.create(t, attrs{"MaximumMessageSize": "2048"})
		e.call(t, "SendMessageBatch", args{"QueueUrl": small, "Entries": list{sendEntry("a", half[:2048]), sendEntry("b", "x")}}).wantOutcome(t, both)
		e.wantCounts(t, small, counts{"2", "0", "0"})
	}, nil},
	{9, "B086", "IdsVerbatim", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.sendBatch(t, u, "1", "2", "3")
		ids, entries := []string{"msg-id-1", "_", "0"}, list{}
		for i, m := range e.receive(t, u) {
			entries = append(entries, args{"Id": ids[i], "ReceiptHandle": *m.ReceiptHandle})
		}
		e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": entries}).wantOutcome(t, outcome{OK: ids})
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, nil},
	{9, "B087", "NumbersOutOfOrder", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.sendBatch(t, u, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
		form := "Action=DeleteMessageBatch&QueueUrl=" + u
		var want outcome
		for i, m := range e.receive(t, u) {
			want.OK = append(want.OK, fmt.Sprint("id", i+1))
			n := (i*7+1)%10 + 1
			form += fmt.Sprintf("&DeleteMessageBatchRequestEntry.%d.ReceiptHandle=%s&DeleteMessageBatchRequestEntry.%d.Id=id%d", n, *m.ReceiptHandle, n, n)
		}
		e.query(t, form).wantOutcome(t, want)
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, nil},
	{9, "B088", "EntriesOneByOne", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"MaximumMessageSize": "1024"})
		e.call(t, "SendMessageBatch", args{"QueueUrl": u, "Entries": list{
			sendEntry("good1", "1"),
			args{"Id": "empty", "MessageBody": "b", "MessageAttributes": map[string]args{"k": {"DataType": "String", "StringValue": ""}}},
			args{"Id": "late", "MessageBody": "b", "DelaySeconds": 901},
			sendEntry("big", strings.Repeat("x", 1025)), sendEntry("good2", "2"),
		}}).wantOutcome(t, outcome{
			OK: []string{"good1", "good2"}, Failed: []string{"empty InvalidParameterValue", "late InvalidParameterValue", "big InvalidParameterValue"},
		})
		e.wantCounts(t, u, counts{"2", "0", "0"})
		wantBodies(t, e.receive(t, u), "1", "2")
	}, nil},
}

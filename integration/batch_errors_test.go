package integration

import (
	"fmt"
	"strings"
	"testing"
)

// batches gives the three batch actions, each with a function that makes an
// entry for a message out of its handle.
var batches = map[string]func(id any, handle string) args{
	"SendMessageBatch":   func(id any, _ string) args { return args{"Id": id, "MessageBody": "b"} },
	"DeleteMessageBatch": func(id any, handle string) args { return args{"Id": id, "ReceiptHandle": handle} },
	"ChangeMessageVisibilityBatch": func(id any, handle string) args {
		return args{"Id": id, "ReceiptHandle": handle, "VisibilityTimeout": 0}
	},
}

// What is wrong with a batch as a whole refuses all of it, on all three
// actions, before anything is done.
func TestBatchesAreRefusedWhole(t *testing.T) {
	t.Parallel()
	const prefix = "AWS.SimpleQueueService."
	ids := func(n int) (l []any) {
		for i := range n {
			l = append(l, fmt.Sprint("id", i))
		}
		return l
	}
	for name, tt := range map[string]struct {
		ids  []any
		code string
		text string
	}{
		"Empty":        {nil, prefix + "EmptyBatchRequest", "There should be at least one "},
		"Eleven":       {ids(11), prefix + "TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11."},
		"SameId":       {[]any{"1", "2", "2", "1"}, prefix + "BatchEntryIdsNotDistinct", "Id 2 repeated."},
		"IllegalId":    {[]any{"good", "bad!id"}, prefix + "InvalidBatchEntryId", "A batch entry id can only contain alphanumeric characters"},
		"LongId":       {[]any{strings.Repeat("i", 81)}, prefix + "InvalidBatchEntryId", "80 letters long"},
		"EmptyId":      {[]any{""}, prefix + "InvalidBatchEntryId", ""},
		"IdWithLetter": {[]any{"é"}, prefix + "InvalidBatchEntryId", ""},
	} {
		for action, entry := range batches {
			t.Run(name+"/"+action, func(t *testing.T) {
				forEach(t, func(t *testing.T, e *env) {
					url := e.create(t, nil)
					e.send(t, url, "witness")
					handle := *e.receiveOne(t, url).ReceiptHandle
					entries := list{}
					for _, id := range tt.ids {
						entries = append(entries, entry(id, handle))
					}
					e.call(t, action, args{"QueueUrl": url, "Entries": entries}).wantCode(t, tt.code).wantText(t, tt.text)
					e.wantCounts(t, url, counts{"0", "1", "0"})
				})
			})
		}
	}
}

func TestBatchesWithoutEntries(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for action := range batches {
			r := e.call(t, action, args{"QueueUrl": url})
			if e.wire.query {
				// A form cannot tell no list from an empty one.
				r.wantCode(t, "AWS.SimpleQueueService.EmptyBatchRequest")
			} else {
				r.wantCode(t, "MissingParameter").wantText(t, "Entries")
			}
		}
	})
}

// Ids may have 80 characters and come back verbatim.
func TestBatchIdsComeBackVerbatim(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		handle := *e.receiveOne(t, url).ReceiptHandle
		for _, id := range []string{"msg-id-1", "_", "0", "00", strings.Repeat("Z", 80)} {
			for action, entry := range batches {
				r := e.call(t, action, args{"QueueUrl": url, "Entries": list{entry(id, handle)}}).wantOK(t)
				if n := strings.Count(r.Body, ">"+id+"<") + strings.Count(r.Body, `"Id":"`+id+`"`); n != 1 {
					t.Errorf("%s: id %q stands %d times in %s", action, id, n, r.Body)
				}
			}
		}
	})
}

// Parameters of old SDKs come in any order; the numbers give the order.
func TestBatchEntriesAreOrderedByNumber(t *testing.T) {
	eachWire(t, places(), []wire{wireQuery}, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		form := "Action=SendMessageBatch&QueueUrl=" + url
		for _, n := range []int{2, 10, 1, 7} {
			form += fmt.Sprintf("&SendMessageBatchRequestEntry.%d.MessageBody=b%d&SendMessageBatchRequestEntry.%d.Id=i%d", n, n, n, n)
		}
		r := e.post(t, "/", formHeader, form).wantOK(t)
		last := -1
		for _, id := range []string{"i1", "i2", "i7", "i10"} {
			at := strings.Index(r.Body, "<Id>"+id+"</Id>")
			if at < last || at < 0 {
				t.Errorf("%s is not in its place: %s", id, r.Body)
			}
			last = at
		}
		wantBodies(t, e.receive(t, url), "b1", "b2", "b7", "b10")
	})
}

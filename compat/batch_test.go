package compat_test

import (
	"fmt"
	"strings"
	"testing"

	"queues/compat"
	"queues/protocol"
)

// batchForm is one of the three batch actions, as far as their common rules go:
// how to make a request of entries that have nothing but an id.
type batchForm struct {
	op    protocol.Operation
	entry string
	input func(url *string, ids []*string) any
}

var batchForms = []batchForm{
	{protocol.SendMessageBatch, "SendMessageBatchRequestEntry", func(url *string, ids []*string) any {
		return &protocol.SendMessageBatchInput{QueueURL: url, Entries: entries(ids, func(id *string) protocol.SendMessageBatchRequestEntry {
			return protocol.SendMessageBatchRequestEntry{ID: id, MessageBody: new("b")}
		})}
	}},
	{protocol.DeleteMessageBatch, "DeleteMessageBatchRequestEntry", func(url *string, ids []*string) any {
		return &protocol.DeleteMessageBatchInput{QueueURL: url, Entries: entries(ids, func(id *string) protocol.DeleteMessageBatchRequestEntry {
			return protocol.DeleteMessageBatchRequestEntry{ID: id, ReceiptHandle: new("garbage")}
		})}
	}},
	{protocol.ChangeMessageVisibilityBatch, "ChangeMessageVisibilityBatchRequestEntry", func(url *string, ids []*string) any {
		return &protocol.ChangeMessageVisibilityBatchInput{QueueURL: url, Entries: entries(ids, func(id *string) protocol.ChangeMessageVisibilityBatchRequestEntry {
			return protocol.ChangeMessageVisibilityBatchRequestEntry{ID: id, ReceiptHandle: new("garbage"), VisibilityTimeout: new(int32(0))}
		})}
	}},
}

// entries are batch entries by their ids; nil for nil.
func entries[E any](ids []*string, of func(*string) E) []E {
	if ids == nil {
		return nil
	}
	list := make([]E, len(ids))
	for i, id := range ids {
		list[i] = of(id)
	}
	return list
}

// ids are pointers to ids; "-" stands for an entry without one.
func ids(list ...string) []*string {
	pointers := make([]*string, len(list))
	for i, id := range list {
		if id != "-" {
			pointers[i] = &id
		}
	}
	return pointers
}

func TestBatchRequests(t *testing.T) {
	t.Parallel()
	const (
		prefix = "AWS.SimpleQueueService."
		badID  = "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long."
	)
	eleven := strings.Fields("0 1 2 3 4 5 6 7 8 9 10")
	tests := map[string]struct {
		ids        []*string
		code, text string // %s in the text stands for the name of the entry
	}{
		"NoEntries":        {nil, missingMember, "The request must contain the parameter Entries."},
		"Empty":            {[]*string{}, prefix + "EmptyBatchRequest", "There should be at least one %s in the request."},
		"Eleven":           {ids(eleven...), prefix + "TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11."},
		"ElevenAlike":      {ids(strings.Fields(strings.Repeat("a ", 11))...), prefix + "TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11."},
		"NoID":             {ids("a", "-", "!"), missingMember, "The request must contain the parameter %s.2.Id."},
		"EmptyID":          {ids("a", ""), prefix + "InvalidBatchEntryId", badID},
		"BadID":            {ids("a", "bad!id"), prefix + "InvalidBatchEntryId", badID},
		"BlankID":          {ids("a b"), prefix + "InvalidBatchEntryId", badID},
		"DotID":            {ids("a.b"), prefix + "InvalidBatchEntryId", badID},
		"UmlautID":         {ids("ä"), prefix + "InvalidBatchEntryId", badID},
		"LongID":           {ids(strings.Repeat("a", 81)), prefix + "InvalidBatchEntryId", badID},
		"BadBeforeAlike":   {ids("a", "a", "!"), prefix + "InvalidBatchEntryId", badID},
		"Alike":            {ids("a", "b", "a"), prefix + "BatchEntryIdsNotDistinct", "Id a repeated."},
		"FirstSecondAlike": {ids("1", "2", "2", "1"), prefix + "BatchEntryIdsNotDistinct", "Id 2 repeated."},
	}
	for _, form := range batchForms {
		for name, test := range tests {
			t.Run(string(form.op)+name, func(t *testing.T) {
				t.Parallel()
				e := newEnv(t, compat.Options{})
				url := e.create("q")
				e.refused(form.op, form.input(url, test.ids), test.code, strings.ReplaceAll(test.text, "%s", form.entry))
				e.wantCounts(url, "0 0 0")
			})
		}
	}
}

// outcome is the result of a batch entry as a test compares it.
type outcome struct{ ID, Code, Text string }

func outcomes(failed []protocol.BatchResultErrorEntry) []outcome {
	var list []outcome
	for _, f := range failed {
		o := outcome{*f.ID, *f.Code, *f.Message}
		if !*f.SenderFault {
			o.Code += " (ours)"
		}
		list = append(list, o)
	}
	return list
}

// The longest id and every character of the alphabet come back verbatim, in the
// order of the entries.
func TestBatchIDs(t *testing.T) {
	t.Parallel()
	list := []string{"msg-id-1", "_", "0", "-Az", strings.Repeat("x", 80), "A", "a"}
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for _, form := range batchForms {
		var got []string
		switch out := e.run(form.op, form.input(url, ids(list...))).Output.(type) {
		case *protocol.SendMessageBatchOutput:
			for _, r := range out.Successful {
				got = append(got, *r.ID)
			}
		case *protocol.DeleteMessageBatchOutput:
			for _, r := range out.Failed {
				got = append(got, *r.ID)
			}
		case *protocol.ChangeMessageVisibilityBatchOutput:
			for _, r := range out.Failed {
				got = append(got, *r.ID)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(list) {
			t.Errorf("%s: ids %v, want %v", form.op, got, list)
		}
	}
}

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

// What the three batch actions have in common. Whatever is wrong with a batch
// as a whole refuses all of it, before anything is done.
func TestFactsOfBatches(t *testing.T) {
	const badID = "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long."
	var facts []fact
	for action, entry := range batches {
		with := func(ids ...any) args {
			entries := list{}
			for _, id := range ids {
				entries = append(entries, entry(id, "%HANDLE"))
			}
			return args{"Entries": entries}
		}
		ids := func(n int) (l []any) {
			for i := range n {
				l = append(l, fmt.Sprint("id", i))
			}
			return l
		}
		withoutID := entry("", "%HANDLE")
		delete(withoutID, "Id")
		garbage := entry("bad!", "garbage")
		const one = "There should be at least one "
		empty := refused(action, "NoEntries", args{"Entries": list{}}, batchPrefix+"EmptyBatchRequest", one+action+"RequestEntry in the request.")
		facts = append(
			facts, empty,
			refused(action, "WithoutEntries", args{}, noParam, "The request must contain the parameter Entries.").only(onlyJSON),
			refused(action, "WithoutEntriesInAForm", args{}, batchPrefix+"EmptyBatchRequest", one+action+"RequestEntry in the request.").only(onlyQuery),
			fact{action, "AnEmptyListOfEntriesInAForm", onlyQuery, func(t *testing.T, e *env) {
				e.world(t, action, args{})
				for _, form := range []string{"&Entries=", "&" + action + "RequestEntry="} {
					e.query(t, "Action="+action+"&QueueUrl=q"+form).wantRefusal(t, e, batchPrefix+"EmptyBatchRequest", one+action+"RequestEntry in the request.")
				}
			}},
			accepted(action, "TenEntries", with(ids(10)...)),
			refused(action, "ElevenEntries", with(ids(11)...), batchPrefix+"TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11."),
			refused(action, "AnEntryWithoutAnId", args{"Entries": list{entry("a", "%HANDLE"), withoutID}}, noParam, "The request must contain the parameter "+action+"RequestEntry.2.Id."),
			refused(action, "AnEmptyEntryId", with(""), batchPrefix+"InvalidBatchEntryId", badID),
			refused(action, "AnEntryIdWithAnExclamationMark", with("good", "bad!"), batchPrefix+"InvalidBatchEntryId", badID),
			refused(action, "AnEntryIdWithAnAccent", with("é"), batchPrefix+"InvalidBatchEntryId", badID),
			refused(action, "AnEntryIdOf81", with(strings.Repeat("i", 81)), batchPrefix+"InvalidBatchEntryId", badID),
			refused(action, "EntryIdsBeforeHandles", args{"Entries": list{garbage}}, batchPrefix+"InvalidBatchEntryId", badID),
			refused(action, "ARepeatedEntryId", with("1", "2", "2", "1"), batchPrefix+"BatchEntryIdsNotDistinct", "Id 2 repeated."),
			refused(action, "TheNumberBeforeTheIds", with("1", "1", "!", "", "5", "6", "7", "8", "9", "10", "11"), batchPrefix+"TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11."),
			refused(action, "TheQueueBeforeTheEntries", args{"QueueUrl": "nowhere", "Entries": list{}}, noQueue, ""),
			fact{action, "EntryIdsComeBackVerbatim", "", func(t *testing.T, e *env) {
				want := []string{"msg-id-1", "_", "0", "00", strings.Repeat("Z", 80)}
				in := with("msg-id-1", "_", "0", "00", strings.Repeat("Z", 80))
				ok, failed := e.call(t, action, e.world(t, action, in)).batch(t, e, action)
				wantList(t, ok, strings.Join(want, " "))
				wantEntries(t, failed)
			}},
		)
	}
	runFacts(t, facts)
}

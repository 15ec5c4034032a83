package compat

import (
	"fmt"

	"queues/protocol"
)

// textBadEntryID refuses a whole batch for the id of one entry.
const textBadEntryID = "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long."

// checkBatch refuses a whole batch before any of its entries has an effect. A
// nil slice means that the member was not given at all. The entry's name is
// that of its type, for the texts.
func checkBatch[E any](entry string, entries []E, id func(*E) *string) *protocol.Error {
	switch {
	case entries == nil:
		return missing("Entries")
	case len(entries) == 0:
		return protocol.EmptyBatchRequest.New(fmt.Sprintf("There should be at least one %s in the request.", entry))
	case len(entries) > maxBatchEntries:
		return protocol.TooManyEntriesInBatchRequest.New(fmt.Sprintf("Maximum number of entries per request are %d. You have sent %d.", maxBatchEntries, len(entries)))
	}
	for i := range entries {
		if id(&entries[i]) == nil {
			return missing(entryMember(entry, i, "Id"))
		}
	}
	for i := range entries {
		if !plainName(*id(&entries[i])) {
			return protocol.InvalidBatchEntryID.New(textBadEntryID)
		}
	}
	seen := make(map[string]bool, len(entries))
	for i := range entries {
		got := *id(&entries[i])
		if seen[got] {
			return protocol.BatchEntryIDsNotDistinct.New(fmt.Sprintf("Id %s repeated.", got))
		}
		seen[got] = true
	}
	return nil
}

// entryMember names a member of the entry at an index, which counts from zero.
func entryMember(entry string, i int, member string) string {
	return fmt.Sprintf("%s.%d.%s", entry, i+1, member)
}

// failedEntry is the result of an entry that failed by itself.
func failedEntry(id *string, err *protocol.Error) protocol.BatchResultErrorEntry {
	text := err.Message
	if text == "" {
		text = err.Kind.Message
	}
	sender := err.Kind.Fault == protocol.Sender
	code := err.Kind.QueryCode
	return protocol.BatchResultErrorEntry{ID: id, SenderFault: &sender, Code: &code, Message: optional(text)}
}

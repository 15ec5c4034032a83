package integration

import (
	"fmt"
	"strings"
	"testing"
)

func TestFactsOfSendMessageBatch(t *testing.T) {
	const action = "SendMessageBatch"
	half := strings.Repeat("x", 1<<19)
	sized := func(id, body string) args { return args{"Id": id, "MessageBody": body} }
	tooLong := func(n int) string {
		return fmt.Sprintf("Batch requests cannot be longer than 1048576 bytes. You have sent %d bytes.", n)
	}
	in := func(entries ...any) args { return args{"Entries": list(entries)} }
	body := func(with args) args { with["MessageBody"] = "b"; return with }
	// whole is the fact that one entry makes a FIFO queue refuse all of them.
	whole := func(name string, with args, text string) fact {
		bad := toFIFO(with)
		delete(bad, "QueueUrl")
		bad["Id"] = "bad"
		return refused(action, "FIFO"+name, args{"QueueUrl": "q.fifo", "Entries": list{args{"Id": "good", "MessageBody": "b", "MessageGroupId": "g", "MessageDeduplicationId": "x"}, bad}}, badParam, text)
	}
	const idForm = " can only include alphanumeric and punctuation characters. 1 to 128 in length"
	runFacts(t, []fact{
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			r := e.call(t, action, e.world(t, action, in(sized("a", "b"))))
			id := *e.receiveOne(t, "q").MessageId
			r.wantAnswer(t, e, action, `{"Successful":[{"Id":"a","MessageId":"`+id+`","MD5OfMessageBody":"92eb5ffee6ae2fec3ad71c777531578f"}]}`,
				"<SendMessageBatchResult><SendMessageBatchResultEntry><Id>a</Id><MessageId>"+id+"</MessageId><MD5OfMessageBody>92eb5ffee6ae2fec3ad71c777531578f</MD5OfMessageBody></SendMessageBatchResultEntry></SendMessageBatchResult>")
		}},
		{action, "EveryEntryHasItsOwnIdAndDigest", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			var want []string
			for i := range 10 {
				want = append(want, fmt.Sprintf("body %d 世", i))
			}
			out := e.sendBatch(t, "q", want...)
			sent := map[string]string{}
			for i, s := range out.Successful {
				if *s.Id != fmt.Sprint(i) || *s.MD5OfMessageBody != bodyDigest(want[i]) || s.SequenceNumber != nil {
					t.Errorf("entry %d: %s %s %v", i, *s.Id, *s.MD5OfMessageBody, s.SequenceNumber)
				}
				sent[*s.MessageId] = want[i]
			}
			got := e.receive(t, "q")
			wantBodies(t, got, want...)
			for _, m := range got {
				if sent[*m.MessageId] != *m.Body {
					t.Errorf("message %s is %q, sent as %q", *m.MessageId, *m.Body, sent[*m.MessageId])
				}
			}
		}},
		refused(action, "OneByteTooManyInSum", in(sized("a", half), sized("b", half+"x")), batchPrefix+"BatchRequestTooLong", tooLong(1<<20+1)),
		refused(action, "OneEntryAboveTheSum", in(sized("a", half+half+"x")), batchPrefix+"BatchRequestTooLong", tooLong(1<<20+1)),
		refused(action, "AttributesCountInTheSum", in(sized("a", half), args{"Id": "b", "MessageBody": half[8:], "MessageAttributes": map[string]args{"ab": {"DataType": "String", "StringValue": "v"}}}), batchPrefix+"BatchRequestTooLong", tooLong(1<<20+1)),
		accepted(action, "ExactlyTheMostInSum", in(sized("a", half), sized("b", half))),
		{action, "AnEntryAboveTheQueuesMostFailsAlone", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MaximumMessageSize": "1024"})
			ok, failed := e.call(t, action, args{"QueueUrl": url, "Entries": list{sized("a", half[:1024]), sized("b", half[:1025])}}).batch(t, e, action)
			wantList(t, ok, "a")
			wantEntries(t, failed, batchEntry{"b", badParam, "One or more parameters cannot be validated. Reason: Message must be shorter than 1024 bytes.", true})
		}},
		{action, "TheSumMayBeAboveTheQueuesMost", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MaximumMessageSize": "1024"})
			e.call(t, action, args{"QueueUrl": url, "Entries": list{sized("a", half[:1024]), sized("b", half[:1024])}}).wantOK(t)
			e.wantCounts(t, url, counts{"2", "0", "0"})
		}},
		entryFails(action, "AnIllegalCharacter", args{"MessageBody": "a\x01b"}, "InvalidMessageContents", badBody),
		entryFails(action, "AnEmptyBody", args{"MessageBody": ""}, noParam, "The request must contain the parameter SendMessageBatchRequestEntry.2.MessageBody."),
		entryFails(action, "WithoutABody", args{}, noParam, "The request must contain the parameter SendMessageBatchRequestEntry.2.MessageBody."),
		entryFails(action, "AnIdOnAStandardQueue", body(args{"MessageDeduplicationId": "d"}), badParam, strings.TrimSuffix(notForFIFO, ".")),
		entryFails(action, "ABadGroup", body(args{"MessageGroupId": "a b"}), badParam, "MessageGroupId"+idForm),
		entryFails(action, "AnEmptyGroup", body(args{"MessageGroupId": ""}), badParam, "MessageGroupId"+idForm),
		entryFails(action, "ADelayOf901", body(args{"DelaySeconds": 901}), badParam, "Value 901 for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900."),
		entryFails(action, "ABadAttribute", body(args{"MessageAttributes": map[string]args{"x": {"DataType": "Text", "StringValue": "v"}}}), badParam, "The type of message (user) attribute 'x' is invalid. You must use only the following supported type prefixes: Binary, Number, String."),
		entryFails(action, "AnEmptyAttribute", body(args{"MessageAttributes": map[string]args{"piyo": {"DataType": "String", "StringValue": ""}}}), badParam, "Message (user) attribute 'piyo' must contain a non-empty value of type 'String'."),
		{action, "AllMayFail", "", func(t *testing.T, e *env) {
			r := e.call(t, action, e.world(t, action, in(sized("a", ""), sized("b", "")))).wantOK(t)
			if ok, failed := r.batch(t, e, action); len(ok) != 0 || len(failed) != 2 || strings.Contains(r.Body, "Successful") {
				t.Errorf("the answer is %s", r.Body)
			}
		}},
		{action, "SuccessesAndFailuresKeepTheirOrder", "", func(t *testing.T, e *env) {
			ok, failed := e.call(t, action, e.world(t, action, in(sized("1", "b"), sized("2", ""), sized("3", "b"), sized("4", ""), sized("0", "b")))).batch(t, e, action)
			wantList(t, ok, "1 3 0")
			if len(failed) != 2 || failed[0].ID != "2" || failed[1].ID != "4" {
				t.Errorf("failed %v", failed)
			}
		}},
		accepted(action, "AGroupOnAStandardQueue", in(body(args{"Id": "a", "MessageGroupId": "g"}))),
		{action, "DelaysOfEntries", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"DelaySeconds": "10"})
			e.call(t, action, args{"QueueUrl": url, "Entries": list{body(args{"Id": "a", "DelaySeconds": 0}), body(args{"Id": "b", "DelaySeconds": 4}), body(args{"Id": "c"})}}).wantOK(t)
			e.wantCounts(t, url, counts{"1", "0", "2"})
		}},
		whole("WithoutAGroup", args{"MessageGroupId": nil}, "The request must contain the parameter MessageGroupId."),
		whole("WithoutAnId", args{"MessageDeduplicationId": nil}, noDedup),
		whole("AnEmptyBody", args{"MessageBody": ""}, anyText),
		whole("ADelay", args{"DelaySeconds": 2}, anyText),
		whole("ABadGroup", args{"MessageGroupId": "a b"}, anyText),
		whole("ABadId", args{"MessageDeduplicationId": "a b"}, anyText),
		whole("ABadAttribute", args{"MessageAttributes": map[string]args{"x": {"DataType": "Text", "StringValue": "v"}}}, anyText),
		{action, "FIFOTheOrderOfEntries", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true"})
			entries := list{}
			for _, b := range []string{"3", "1", "2"} {
				entries = append(entries, args{"Id": b, "MessageBody": b, "MessageGroupId": "g"})
			}
			e.call(t, action, args{"QueueUrl": url, "Entries": entries}).wantOK(t)
			wantBodies(t, e.receive(t, url), "3", "1", "2")
		}},
		{action, "FIFOADuplicateInside", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			entries := list{args{"Id": "a", "MessageBody": "1", "MessageGroupId": "g", "MessageDeduplicationId": "d"}, args{"Id": "b", "MessageBody": "2", "MessageGroupId": "g", "MessageDeduplicationId": "d"}}
			ok, failed := e.call(t, action, args{"QueueUrl": "q.fifo", "Entries": entries}).batch(t, e, action)
			wantList(t, ok, "a b")
			wantEntries(t, failed)
			wantBodies(t, e.receive(t, "q.fifo"), "1")
		}},
	})
}

package integration

import (
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"time"
)

// idText is how a malformed id is refused.
func idText(value, member string) string {
	return "Value " + value + " for parameter " + member + " is invalid. Reason: " + member + " can only include alphanumeric and punctuation characters. 1 to 128 in length."
}

// entry is a message for a group, with an id.
func entry(body, group, dedup string) args {
	return args{"MessageBody": body, "MessageGroupId": group, "MessageDeduplicationId": dedup}
}

// ofSend is the answer of a send.
type ofSend struct{ MessageId, MD5OfMessageBody, SequenceNumber string } //nolint:revive // the wire's spelling

// sendTo sends a message given by its members and reads the answer.
func (e *env) sendTo(t *testing.T, url string, in args) ofSend {
	t.Helper()
	in["QueueUrl"] = url
	r := e.call(t, "SendMessage", in).wantOK(t)
	if e.wire.query {
		var x struct{ SendMessageResult ofSend }
		if err := xml.Unmarshal([]byte(r.Body), &x); err != nil {
			t.Fatal(err)
		}
		return x.SendMessageResult
	}
	var s ofSend
	if err := json.Unmarshal([]byte(r.Body), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFactsOfFIFOIds(t *testing.T) {
	const send = "SendMessage"
	fifo, long := attrs{"FifoQueue": "true"}, strings.Repeat("x", 129)
	facts := refusals(send, fifo,
		refusal{"NoGroup", args{"MessageBody": "b", "MessageDeduplicationId": "d"}, 400, "MissingParameter", "The request must contain the parameter MessageGroupId."},
		refusal{"NeitherGroupNorDeduplicationId", args{"MessageBody": "b"}, 400, "MissingParameter", "The request must contain the parameter MessageGroupId."},
		refusal{"NoDeduplicationId", args{"MessageBody": "b", "MessageGroupId": "g"}, 400, "InvalidParameterValue", "The queue should either have ContentBasedDeduplication enabled or MessageDeduplicationId provided explicitly"},
		refusal{"EmptyGroup", entry("b", "", "d"), 400, "InvalidParameterValue", idText("", "MessageGroupId")},
		refusal{"GroupWithABlank", entry("b", "a b", "d"), 400, "InvalidParameterValue", idText("a b", "MessageGroupId")},
		refusal{"GroupTooLong", entry("b", long, "d"), 400, "InvalidParameterValue", idText(long, "MessageGroupId")},
		refusal{"GroupNotASCII", entry("b", "é", "d"), 400, "InvalidParameterValue", idText("é", "MessageGroupId")},
		refusal{"EmptyDeduplicationId", entry("b", "g", ""), 400, "InvalidParameterValue", idText("", "MessageDeduplicationId")},
		refusal{"DeduplicationIdWithABlank", entry("b", "g", "a b"), 400, "InvalidParameterValue", idText("a b", "MessageDeduplicationId")},
		refusal{"DeduplicationIdTooLong", entry("b", "g", long), 400, "InvalidParameterValue", idText(long, "MessageDeduplicationId")},
		refusal{"OwnDelayOnAFIFOQueue", args{"MessageBody": "b", "MessageGroupId": "g", "MessageDeduplicationId": "d", "DelaySeconds": 2}, 400, "InvalidParameterValue", "Value 2 for parameter DelaySeconds is invalid. Reason: The request include parameter that is not valid for this queue type."},
	)
	facts = append(facts, refusals(send, nil,
		refusal{"DeduplicationIdOnAStandardQueue", args{"MessageBody": "b", "MessageDeduplicationId": "d"}, 400, "InvalidParameterValue", "Value d for parameter MessageDeduplicationId is invalid. Reason: The request include parameter that is not valid for this queue type."},
		refusal{"EmptyGroupOnAStandardQueue", args{"MessageBody": "b", "MessageGroupId": ""}, 400, "InvalidParameterValue", idText("", "MessageGroupId")},
		refusal{"BadGroupOnAStandardQueue", args{"MessageBody": "b", "MessageGroupId": "a b"}, 400, "InvalidParameterValue", idText("a b", "MessageGroupId")},
	)...)
	facts = append(facts, refusals("ReceiveMessage", fifo,
		refusal{"BadAttemptId", args{"ReceiveRequestAttemptId": "a b"}, 400, "InvalidParameterValue", idText("a b", "ReceiveRequestAttemptId")},
		refusal{"AttemptIdTooLong", args{"ReceiveRequestAttemptId": long}, 400, "InvalidParameterValue", idText(long, "ReceiveRequestAttemptId")},
	)...)
	runFacts(t, append(facts, []fact{
		{send, "EveryCharacterOfIds", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
			for _, id := range []string{marks, "azAZ09", strings.Repeat("x", 128), "a"} {
				e.sendTo(t, url, entry("b", id, id))
				m := e.takeOne(t, url, all)
				if m.Attributes["MessageGroupId"] != id || m.Attributes["MessageDeduplicationId"] != id {
					t.Errorf("%q came back as %v", id, m.Attributes)
				}
			}
		}},
		{send, "ControlCharacterInAnId", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			for member, in := range map[string]args{"MessageGroupId": entry("b", "a\bb", "d"), "MessageDeduplicationId": entry("b", "g", "a\bb")} {
				in["QueueUrl"] = url
				// call reads the error as XML, which would fail on the character.
				e.call(t, send, in).wantCode(t, "InvalidParameterValue").wantText(t, member+" can only include alphanumeric and punctuation characters. 1 to 128 in length.")
			}
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{send, "SequenceNumbers", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			last := ""
			for _, group := range []string{"a", "b", "a", "c"} {
				got := e.sendTo(t, url, entry("b", group, group+last)).SequenceNumber
				if !regexp.MustCompile(`^[0-9]{20}$`).MatchString(got) || got <= last {
					t.Errorf("%q after %q", got, last)
				}
				last = got
			}
		}},
		{send, "NoSequenceNumberOnAStandardQueue", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			if s := e.sendTo(t, url, args{"MessageBody": "b", "MessageGroupId": "g"}); s.SequenceNumber != "" {
				t.Errorf("the answer is %+v", s)
			}
			if m := e.takeOne(t, url, all); m.Attributes["MessageGroupId"] != "g" || m.Attributes["SequenceNumber"] != "" {
				t.Errorf("it came with %v", m.Attributes)
			}
		}},
		{"ReceiveMessage", "SameAttemptSameMessages", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1", "g-2", "g-3", "h-1")
			attempt := args{"ReceiveRequestAttemptId": "a", "MaxNumberOfMessages": 2, "VisibilityTimeout": 30}
			first := e.take(t, url, attempt)
			time.Sleep(29 * time.Second)
			again := e.take(t, url, attempt)
			wantTaken(t, again, "g-1 g-2")
			for i, m := range again {
				if m.ReceiptHandle != first[i].ReceiptHandle {
					t.Errorf("message %d has another handle", i)
				}
			}
			// Its timeout began again.
			time.Sleep(29 * time.Second)
			e.wantCounts(t, url, counts{"2", "2", "0"})
			wantTaken(t, e.take(t, url, args{"ReceiveRequestAttemptId": "other", "MaxNumberOfMessages": 10}), "h-1")
		}},
		{"ReceiveMessage", "AttemptsEndAfterFiveMinutes", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			attempt := args{"ReceiveRequestAttemptId": "a", "VisibilityTimeout": 3600}
			first := e.takeOne(t, url, attempt)
			time.Sleep(299 * time.Second)
			if again := e.takeOne(t, url, attempt); again.ReceiptHandle != first.ReceiptHandle {
				t.Error("the handle is another")
			}
			time.Sleep(301 * time.Second)
			wantTaken(t, e.take(t, url, attempt), "")
		}},
		{"ReceiveMessage", "NoAttemptIdIsNoAttempt", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			wantTaken(t, e.take(t, url, nil), "g-1")
			wantTaken(t, e.take(t, url, nil), "")
		}},
	}...))
}

package integration

import (
	"encoding/json"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"time"
)

// grouped is a message for a group, with an id.
func grouped(body, group, dedup string) args {
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
	runFacts(t, []fact{
		{send, "EveryCharacterOfIds", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			const marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
			for _, id := range []string{marks, "azAZ09", strings.Repeat("x", 128), "a"} {
				e.sendTo(t, url, grouped("b", id, id))
				m := e.pullOne(t, url, all)
				if m.Attributes["MessageGroupId"] != id || m.Attributes["MessageDeduplicationId"] != id {
					t.Errorf("%q came back as %v", id, m.Attributes)
				}
			}
		}},
		{send, "ControlCharacterInAnId", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			for member, in := range map[string]args{"MessageGroupId": grouped("b", "a\bb", "d"), "MessageDeduplicationId": grouped("b", "g", "a\bb")} {
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
				got := e.sendTo(t, url, grouped("b", group, group+last)).SequenceNumber
				if !regexp.MustCompile(`^[0-9]{20}$`).MatchString(got) || got <= last {
					t.Errorf("%q after %q", got, last)
				}
				last = got
			}
		}},
		{"ReceiveMessage", "SameAttemptSameMessages", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1", "g-2", "g-3", "h-1")
			attempt := args{"ReceiveRequestAttemptId": "a", "MaxNumberOfMessages": 2, "VisibilityTimeout": 30}
			first := e.pull(t, url, attempt)
			time.Sleep(29 * time.Second)
			again := e.pull(t, url, attempt)
			wantTaken(t, again, "g-1 g-2")
			for i, m := range again {
				if m.ReceiptHandle != first[i].ReceiptHandle {
					t.Errorf("message %d has another handle", i)
				}
			}
			// Its timeout began again.
			time.Sleep(29 * time.Second)
			e.wantCounts(t, url, counts{"2", "2", "0"})
			wantTaken(t, e.pull(t, url, args{"ReceiveRequestAttemptId": "other", "MaxNumberOfMessages": 10}), "h-1")
		}},
		{"ReceiveMessage", "AttemptsEndAfterFiveMinutes", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			attempt := args{"ReceiveRequestAttemptId": "a", "VisibilityTimeout": 3600}
			first := e.pullOne(t, url, attempt)
			time.Sleep(299 * time.Second)
			if again := e.pullOne(t, url, attempt); again.ReceiptHandle != first.ReceiptHandle {
				t.Error("the handle is another")
			}
			time.Sleep(301 * time.Second)
			wantTaken(t, e.pull(t, url, attempt), "")
		}},
		{"ReceiveMessage", "NoAttemptIdIsNoAttempt", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1")
			wantTaken(t, e.pull(t, url, nil), "g-1")
			wantTaken(t, e.pull(t, url, nil), "")
		}},
	})
}

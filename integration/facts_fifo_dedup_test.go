package integration

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"time"
)

// hashOf is the deduplication id that a body gives.
func hashOf(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// wantDuplicate checks that a send was a duplicate of an earlier one, with the
// MD5 of what it sent itself.
func wantDuplicate(t *testing.T, first, again ofSend, body string) {
	t.Helper()
	if again.MessageId != first.MessageId || again.SequenceNumber != first.SequenceNumber || again.MD5OfMessageBody != bodyDigest(body) {
		t.Errorf("the duplicate is %+v, the first %+v", again, first)
	}
}

func TestFactsOfDeduplication(t *testing.T) {
	const send = "SendMessage"
	content := attrs{"ContentBasedDeduplication": "true"}
	ofContent := func(body, group string) args { return args{"MessageBody": body, "MessageGroupId": group} }
	runFacts(t, []fact{
		{send, "ADuplicateIsAnsweredWithTheFirst", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			first := e.sendTo(t, url, grouped("1", "g", "d"))
			wantDuplicate(t, first, e.sendTo(t, url, grouped("1", "g", "d")), "1")
			wantDuplicate(t, first, e.sendTo(t, url, grouped("another body", "g", "d")), "another body")
			wantTaken(t, e.pull(t, url, all), "1")
		}},
		{send, "FiveMinutesFromTheFirst", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			first := e.sendTo(t, url, grouped("1", "g", "d"))
			// What became of the first does not matter, nor how often it is repeated.
			e.remove(t, url, e.hold(t, url, 30)).wantOK(t)
			for range 2 {
				time.Sleep(149500 * time.Millisecond)
				wantDuplicate(t, first, e.sendTo(t, url, grouped("2", "g", "d")), "2")
			}
			wantTaken(t, e.pull(t, url, all), "")
			time.Sleep(time.Second)
			if third := e.sendTo(t, url, grouped("3", "g", "d")); third.MessageId == first.MessageId {
				t.Error("a duplicate after five minutes")
			}
			wantTaken(t, e.pull(t, url, all), "3")
		}},
		{send, "AcrossGroupsInTheScopeOfTheQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			first := e.sendTo(t, url, grouped("1", "g", "d"))
			wantDuplicate(t, first, e.sendTo(t, url, grouped("2", "h", "d")), "2")
			wantTaken(t, e.pull(t, url, all), "1")
		}},
		{send, "ByGroupInTheScopeOfTheGroup", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"DeduplicationScope": "messageGroup"})
			first := e.sendTo(t, url, grouped("1", "g", "d"))
			e.sendTo(t, url, grouped("2", "h", "d"))
			wantDuplicate(t, first, e.sendTo(t, url, grouped("3", "g", "d")), "3")
			wantTaken(t, e.pull(t, url, all), "1 2")
		}},
		{send, "ByGroupAndContentInTheScopeOfTheGroup", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId", "ContentBasedDeduplication": "true"})
			first := e.sendTo(t, url, ofContent("b", "g"))
			e.sendTo(t, url, ofContent("b", "h"))
			wantDuplicate(t, first, e.sendTo(t, url, ofContent("b", "g")), "b")
			e.wantCounts(t, url, counts{"2", "0", "0"})
		}},
		{send, "ContentIsTheSHA256OfTheBody", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, content)
			first := e.sendTo(t, url, ofContent("same", "g"))
			withAttributes := ofContent("same", "h")
			withAttributes["MessageAttributes"] = map[string]args{"k": {"DataType": "String", "StringValue": "v"}}
			wantDuplicate(t, first, e.sendTo(t, url, withAttributes), "same")
			if m := e.pullOne(t, url, all); m.Attributes["MessageDeduplicationId"] != hashOf("same") {
				t.Errorf("it came with %v", m.Attributes)
			}
		}},
		{send, "AnExplicitIdCountsBeforeTheContent", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, content)
			e.sendTo(t, url, ofContent("same", "g"))
			e.sendTo(t, url, grouped("same", "g", "own"))
			got := e.pull(t, url, all)
			wantTaken(t, got, "same same")
			if got[1].Attributes["MessageDeduplicationId"] != "own" {
				t.Errorf("it came with %v", got[1].Attributes)
			}
		}},
		{send, "AnExplicitIdEqualToAHash", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, content)
			first := e.sendTo(t, url, ofContent("same", "g"))
			wantDuplicate(t, first, e.sendTo(t, url, grouped("other", "g", hashOf("same"))), "other")
		}},
		{"SetQueueAttributes", "ContentBasedDeduplicationLater", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			in := ofContent("b", "g")
			in["QueueUrl"] = url
			e.call(t, send, in).wantCode(t, "InvalidParameterValue")
			e.setAttributes(t, url, content)
			first := e.sendTo(t, url, ofContent("b", "g"))
			wantDuplicate(t, first, e.sendTo(t, url, ofContent("b", "g")), "b")
			wantTaken(t, e.pull(t, url, all), "b")
		}},
		{"DeleteQueue", "ForgetsDeduplicationIds", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.sendTo(t, url, grouped("1", "g", "d"))
			e.deleteQueue(t, url)
			time.Sleep(61 * time.Second)
			e.createNamed(t, url[len(e.url+"/"+e.account+"/"):], attrs{"FifoQueue": "true"})
			e.sendTo(t, url, grouped("2", "g", "d"))
			wantTaken(t, e.pull(t, url, all), "2")
		}},
		{send, "TheWindowCountsFromTheSendNotTheDelay", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"DelaySeconds": "200"})
			first := e.sendTo(t, url, grouped("1", "g", "d"))
			time.Sleep(299 * time.Second)
			wantDuplicate(t, first, e.sendTo(t, url, grouped("2", "g", "d")), "2")
			time.Sleep(2 * time.Second)
			if again := e.sendTo(t, url, grouped("3", "g", "d")); again.MessageId == first.MessageId {
				t.Error("a duplicate after five minutes")
			}
		}},
	})
}

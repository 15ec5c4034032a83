package integration

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Prefixes of error types in JSON.
const (
	sqsShape   = "com.amazonaws.sqs#"
	coralShape = "com.amazon.coral.service#"
)

// noQueue is the code for a queue that is not there.
const noQueue = "AWS.SimpleQueueService.NonExistentQueue"

// wantMessage checks the whole of an error's message.
func (r *reply) wantMessage(t *testing.T, text string) *reply {
	t.Helper()
	if r.Message != text {
		t.Errorf("the message is %q, want %q", r.Message, text)
	}
	return r
}

// wantShape checks the type of an error that came in JSON.
func (r *reply) wantShape(t *testing.T, shape string) *reply {
	t.Helper()
	if r.Header.Get("Content-Type") == "application/x-amz-json-1.0" && r.Shape != shape {
		t.Errorf("the type is %q, want %q", r.Shape, shape)
	}
	return r
}

// wantStatus checks the HTTP status.
func (r *reply) wantStatus(t *testing.T, status int) *reply {
	t.Helper()
	if r.Status != status {
		t.Errorf("status %d, want %d (%s)", r.Status, status, r.Body)
	}
	return r
}

// entry is one result in the answer to a batch.
type entry struct {
	XMLName                      xml.Name `json:"-"`
	Id                           string   //nolint:revive // the wire's spelling
	MessageId                    string   //nolint:revive // the wire's spelling
	Code                         string
	Message                      string
	MD5OfMessageBody             string
	MD5OfMessageAttributes       string
	MD5OfMessageSystemAttributes string
	SequenceNumber               string
	SenderFault                  bool
}

// entries reads the answer to a batch.
func (r *reply) entries(t *testing.T) (ok, failed []entry) {
	t.Helper()
	r.wantOK(t)
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/xml") {
		var j struct{ Successful, Failed []entry }
		if err := json.Unmarshal([]byte(r.Body), &j); err != nil {
			t.Fatalf("%v\n%s", err, r.Body)
		}
		return j.Successful, j.Failed
	}
	var x struct {
		Results []struct {
			Entries []entry `xml:",any"`
		} `xml:",any"`
	}
	if err := xml.Unmarshal([]byte(r.Body), &x); err != nil {
		t.Fatalf("%v\n%s", err, r.Body)
	}
	for _, result := range x.Results {
		for _, one := range result.Entries {
			switch {
			case one.XMLName.Local == "BatchResultErrorEntry":
				failed = append(failed, one)
			case strings.HasSuffix(one.XMLName.Local, "ResultEntry"):
				ok = append(ok, one)
			}
		}
	}
	return ok, failed
}

// wantOutcome checks which entries of a batch succeeded and which failed, as
// "id code", in their order, and what every failed one must have.
func (r *reply) wantOutcome(t *testing.T, want outcome) *reply {
	t.Helper()
	var got outcome
	ok, failed := r.entries(t)
	for _, one := range ok {
		got.OK = append(got.OK, one.Id)
	}
	for _, one := range failed {
		got.Failed = append(got.Failed, one.Id+" "+one.Code)
		if !one.SenderFault || one.Message == "" {
			t.Errorf("failed entry %s: fault of the sender %v, message %q", one.Id, one.SenderFault, one.Message)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	return r
}

// hosted posts a call under a Host of the caller's choice.
func (e *env) hosted(t *testing.T, host, action, jsonBody, form string) *reply {
	t.Helper()
	header, body := jsonHeader(action), jsonBody
	if e.wire.query {
		header, body = formHeader.Clone(), "Action="+action+"&"+form
	}
	header.Set("Host", host)
	return e.post(t, "/", header, body)
}

// receiveOneAgain receives one message and leaves it visible.
func (e *env) receiveOneAgain(t *testing.T, url string) sqsMessage {
	t.Helper()
	m := e.receiveOne(t, url)
	e.changeVisibility(t, url, m, 0)
	return m
}

// release frees messages at once, in one batch.
func (e *env) release(t *testing.T, url string, ms ...sqsMessage) {
	t.Helper()
	var want outcome
	entries := list{}
	for i, m := range ms {
		want.OK = append(want.OK, fmt.Sprint(i))
		entries = append(entries, args{"Id": fmt.Sprint(i), "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 0})
	}
	e.call(t, "ChangeMessageVisibilityBatch", args{"QueueUrl": url, "Entries": entries}).wantOutcome(t, want)
}

// attributes reads the answer of GetQueueAttributes.
func (r *reply) attributes(t *testing.T) attrs {
	t.Helper()
	r.wantOK(t)
	var j struct{ Attributes attrs }
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/xml") {
		if err := json.Unmarshal([]byte(r.Body), &j); err != nil {
			t.Fatalf("%v\n%s", err, r.Body)
		}
		return j.Attributes
	}
	var x struct {
		Attributes []struct{ Name, Value string } `xml:"GetQueueAttributesResult>Attribute"`
	}
	if err := xml.Unmarshal([]byte(r.Body), &x); err != nil {
		t.Fatalf("%v\n%s", err, r.Body)
	}
	j.Attributes = attrs{}
	for _, a := range x.Attributes {
		j.Attributes[a.Name] = a.Value
	}
	return j.Attributes
}

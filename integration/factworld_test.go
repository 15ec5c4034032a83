package integration

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Codes that many facts end with, as both protocols spell them.
const (
	badParam    = "InvalidParameterValue"
	noParam     = "MissingParameter"
	badName     = "InvalidAttributeName"
	badAttr     = "InvalidAttributeValue"
	badHandle   = "ReceiptHandleIsInvalid"
	unknownARN  = "ResourceNotFoundException"
	malformed   = "MalformedInput"
	unsupported = "AWS.SimpleQueueService.UnsupportedOperation"
	batchPrefix = "AWS.SimpleQueueService."
)

// anyText stands for a text that nobody has seen AWS send.
const anyText = "\x00any"

// look is how an error of a code looks, besides its text.
type look struct {
	shape  string
	status int
}

// looks has a row for every error that a request can provoke.
var looks = map[string]look{
	noQueue:                              {"com.amazonaws.sqs#QueueDoesNotExist", 400},
	"QueueAlreadyExists":                 {"com.amazonaws.sqs#QueueNameExists", 400},
	batchPrefix + "QueueDeletedRecently": {"com.amazonaws.sqs#QueueDeletedRecently", 400},
	badName:                              {"com.amazonaws.sqs#InvalidAttributeName", 400},
	badAttr:                              {"com.amazonaws.sqs#InvalidAttributeValue", 400},
	"InvalidMessageContents":             {"com.amazonaws.sqs#InvalidMessageContents", 400},
	unsupported:                          {"com.amazonaws.sqs#UnsupportedOperation", 400},
	batchPrefix + "EmptyBatchRequest":    {"com.amazonaws.sqs#EmptyBatchRequest", 400},
	batchPrefix + "TooManyEntriesInBatchRequest": {"com.amazonaws.sqs#TooManyEntriesInBatchRequest", 400},
	batchPrefix + "BatchEntryIdsNotDistinct":     {"com.amazonaws.sqs#BatchEntryIdsNotDistinct", 400},
	batchPrefix + "InvalidBatchEntryId":          {"com.amazonaws.sqs#InvalidBatchEntryId", 400},
	batchPrefix + "BatchRequestTooLong":          {"com.amazonaws.sqs#BatchRequestTooLong", 400},
	badHandle:                                    {"com.amazonaws.sqs#ReceiptHandleIsInvalid", 404},
	batchPrefix + "PurgeQueueInProgress":         {"com.amazonaws.sqs#PurgeQueueInProgress", 403},
	"OverLimit":                                  {"com.amazonaws.sqs#OverLimit", 403},
	unknownARN:                                   {"com.amazonaws.sqs#ResourceNotFoundException", 404},
	badParam:                                     {"com.amazon.coral.service#InvalidParameterValueException", 400},
	noParam:                                      {"com.amazon.coral.service#MissingRequiredParameterException", 400},
	malformed:                                    {"com.amazon.coral.service#SerializationException", 400},
	"InvalidAction":                              {"com.amazon.coral.service#UnknownOperationException", 400},
}

// wantRefusal checks an error whole: code, status, shape, form and the exact
// text. An empty text with noQueue is the protocol's own.
func (r *reply) wantRefusal(t *testing.T, e *env, code, text string) *reply {
	t.Helper()
	want, ok := looks[code]
	if !ok {
		t.Fatalf("no error is known by the code %q", code)
	}
	if r.Status != want.status || r.Code != code {
		t.Errorf("answer is %d %q (%s), want %d %q (%s)", r.Status, r.Code, r.Message, want.status, code, text)
	}
	if !e.wire.query && r.Shape != want.shape {
		t.Errorf("__type is %q, want %q", r.Shape, want.shape)
	}
	if code == noQueue && text == "" {
		text = "The specified queue does not exist."
		if e.wire.query {
			text = "The specified queue does not exist for this wsdl version."
		}
	}
	if text != anyText && r.Message != text {
		t.Errorf("the text is\n%q, want\n%q", r.Message, text)
	}
	if r.Message == "" {
		t.Error("there is no text")
	}
	r.wantForm(t, e.wire)
	return r
}

// withoutQueue are the actions that no QueueUrl belongs to.
var withoutQueue = map[string]bool{
	"CreateQueue": true, "GetQueueUrl": true, "ListQueues": true,
	"StartMessageMoveTask": true, "CancelMessageMoveTask": true, "ListMessageMoveTasks": true,
}

// world makes what the arguments of facts speak of: the standard queue "q" and
// the FIFO queue "q.fifo"; %ACCOUNT is the account, %ARN the resource name of
// "q" and %HANDLE the handle of a message received from "q". It gives the
// arguments with all that in place, and with QueueUrl "q" if they name none.
func (e *env) world(t *testing.T, action string, in args) args {
	t.Helper()
	e.createNamed(t, "q", nil)
	e.createNamed(t, "q.fifo", attrs{"FifoQueue": "true"})
	known := []string{"%ACCOUNT", e.account, "%ARN", "arn:aws:sqs:us-east-1:" + e.account + ":q", "%HOST", e.host}
	if raw, err := json.Marshal(in); err != nil || strings.Contains(string(raw), "%HANDLE") {
		e.send(t, "q", "held")
		known = append(known, "%HANDLE", *e.receiveOne(t, "q").ReceiptHandle)
	}
	all := fill(in, strings.NewReplacer(known...)).(args)
	if _, given := all["QueueUrl"]; !given && !withoutQueue[action] {
		all["QueueUrl"] = "q"
	}
	return all
}

// fill replaces words in all texts of a value.
func fill(value any, known *strings.Replacer) any {
	switch v := value.(type) {
	case string:
		return known.Replace(v)
	case args:
		filled := args{}
		for k, x := range v {
			filled[k] = fill(x, known)
		}
		return filled
	case list:
		filled := list{}
		for _, x := range v {
			filled = append(filled, fill(x, known))
		}
		return filled
	case attrs:
		filled := attrs{}
		for k, x := range v {
			filled[k] = known.Replace(x)
		}
		return filled
	case map[string]args:
		filled := map[string]args{}
		for k, x := range v {
			filled[k] = fill(x, known).(args)
		}
		return filled
	default:
		return value
	}
}

// refused is the fact that a call is refused with a code and exactly a text,
// and that it changes nothing. See world for the words in its arguments; they
// stand in the text too.
func refused(action, name string, in args, code, text string) fact {
	return fact{action, name, "", func(t *testing.T, e *env) {
		filled := e.world(t, action, in)
		before := e.everything(t)
		want := strings.NewReplacer("%ACCOUNT", e.account, "%ARN", "arn:aws:sqs:us-east-1:"+e.account+":q").Replace(text)
		e.call(t, action, filled).wantRefusal(t, e, code, want)
		if diff := cmp.Diff(before, e.everything(t)); diff != "" {
			t.Errorf("a refused call changed (-before +after):\n%s", diff)
		}
	}}
}

// accepted is the fact that a call is answered with 200.
func accepted(action, name string, in args) fact {
	return fact{action, name, "", func(t *testing.T, e *env) { e.call(t, action, e.world(t, action, in)).wantOK(t) }}
}

// about is a fact as one of another action, or of all.
func (f fact) about(action, name string) fact { f.action, f.name = action, name; return f }

// only is a fact of one protocol alone.
func (f fact) only(in wireName) fact { f.in = in; return f }

// everything is all attributes of all queues, by URL.
func (e *env) everything(t *testing.T) map[string]attrs {
	t.Helper()
	all := map[string]attrs{}
	for _, m := range strings.Split(e.call(t, "ListQueues", args{}).wantOK(t).Body, e.host) {
		if path, _, ok := strings.Cut(m, e.closing()); ok && strings.HasPrefix(path, "/"+e.account) {
			all[path] = e.attributes(t, path, "All")
		}
	}
	if len(all) < 2 {
		t.Fatalf("only the queues %v are listed", names(all))
	}
	return all
}

// closing is what ends a URL in an answer.
func (e *env) closing() string {
	if e.wire.query {
		return "<"
	}
	return `"`
}

// decimal is short for strconv's name of it.
func decimal(n int) string { return strconv.Itoa(n) }

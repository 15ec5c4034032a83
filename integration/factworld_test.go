package integration

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Codes that many facts end with, as both protocols spell them.
const (
	noSuchQueue = "AWS.SimpleQueueService.NonExistentQueue"
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
	noSuchQueue:                          {"com.amazonaws.sqs#QueueDoesNotExist", 400},
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
// text. An empty text with noSuchQueue is the protocol's own.
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
	if code == noSuchQueue && text == "" {
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

// answers is the fact that a call is answered with exactly a JSON body and
// exactly an XML result; an empty result means that the answer has none.
func answers(action, name string, in args, jsonBody, xmlResult string) fact {
	return fact{action, name, "", func(t *testing.T, e *env) {
		e.call(t, action, e.world(t, action, in)).wantOK(t).wantAnswer(t, e, action, jsonBody, xmlResult)
	}}
}

// wantAnswer checks the whole form of an answer.
func (r *reply) wantAnswer(t *testing.T, e *env, action, jsonBody, xmlResult string) {
	t.Helper()
	id := r.Header.Get("X-Amzn-Requestid")
	want, contentType := jsonBody, "application/x-amz-json-1.0"
	if e.wire.query {
		contentType = "text/xml"
		want = `<?xml version="1.0"?><` + action + `Response xmlns="http://queue.amazonaws.com/doc/2012-11-05/">` + xmlResult +
			`<ResponseMetadata><RequestId>` + id + `</RequestId></ResponseMetadata></` + action + `Response>`
	}
	if !r.isBody(want) || r.Header.Get("Content-Type") != contentType {
		t.Errorf("%s: %s\n%s, want\n%s", action, r.Header.Get("Content-Type"), r.Body, want)
	}
	if len(id) != 36 || r.Header.Get("Date") == "" || r.Header.Get("Content-Length") == "" || r.Header.Get("X-Amzn-Query-Error") != "" {
		t.Errorf("%s: header %v", action, r.Header)
	}
}

// isBody reports whether an answer is a body, whatever the order of its keys,
// without white space that nobody asked for.
func (r *reply) isBody(want string) bool {
	if r.Body == want {
		return true
	}
	var compact bytes.Buffer
	return strings.HasPrefix(want, "{") && sameValue(r.Body, want) && json.Compact(&compact, []byte(r.Body)) == nil && compact.String() == r.Body
}

// batchEntry is one line of a batch's answer.
type batchEntry struct {
	ID          string `json:"Id" xml:"Id"`
	Code        string
	Message     string
	SenderFault bool
}

// batch reads a batch's answer: the ids that went well, and what failed.
func (r *reply) batch(t *testing.T, e *env, action string) (ok []string, failed []batchEntry) {
	t.Helper()
	r.wantOK(t)
	var out struct{ Successful, Failed []batchEntry }
	err := json.Unmarshal([]byte(r.Body), &out)
	if e.wire.query {
		var x struct {
			Result struct {
				Entries []struct {
					XMLName xml.Name
					batchEntry
				} `xml:",any"`
			} `xml:",any"`
		}
		err = xml.Unmarshal([]byte(r.Body), &x)
		for _, n := range x.Result.Entries {
			switch n.XMLName.Local {
			case action + "ResultEntry":
				out.Successful = append(out.Successful, n.batchEntry)
			case "BatchResultErrorEntry":
				out.Failed = append(out.Failed, n.batchEntry)
			}
		}
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, r.Body)
	}
	for _, s := range out.Successful {
		ok = append(ok, s.ID)
	}
	return ok, out.Failed
}

// entryFails is the fact that one entry of a batch fails by itself, with a code
// and a text, beside one that goes well.
func entryFails(action, name string, bad args, code, text string) fact {
	return fact{action, name, "", func(t *testing.T, e *env) {
		with := maps.Clone(bad)
		with["Id"] = "bad"
		good := batches[action]("good", "%HANDLE")
		in := e.world(t, action, args{"Entries": list{good, with}})
		ok, failed := e.call(t, action, in).batch(t, e, action)
		if diff := cmp.Diff([]string{"good"}, ok); diff != "" {
			t.Errorf("successful (-want +got):\n%s", diff)
		}
		if len(failed) == 1 && text == anyText && failed[0].Message != "" {
			failed[0].Message = anyText
		}
		wantEntries(t, failed, batchEntry{"bad", code, text, true})
	}}
}

// wantEntries checks what failed in a batch.
func wantEntries(t *testing.T, failed []batchEntry, want ...batchEntry) {
	t.Helper()
	if diff := cmp.Diff(want, failed); diff != "" {
		t.Errorf("failed (-want +got):\n%s", diff)
	}
}

// decimal is short for strconv's name of it.
func decimal(n int) string { return strconv.Itoa(n) }

package integration

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"maps"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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

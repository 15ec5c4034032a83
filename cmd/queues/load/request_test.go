package load

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func newTestWire(t *testing.T, o WireOptions) *Wire {
	t.Helper()
	if o.URL == "" {
		o.URL = "http://127.0.0.1:1"
	}
	w, err := NewWire(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// parsed is a request as a server reads it: the members of JSON, nested names
// joined by dots as Query writes them.
func parsed(t *testing.T, request []byte) (*http.Request, map[string]string) {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
	if err != nil {
		t.Fatalf("%v in %s", err, request)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || int64(len(body)) != r.ContentLength {
		t.Fatalf("a body of %d bytes with a length of %d, %v", len(body), r.ContentLength, err)
	}
	got := map[string]string{}
	if strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, values := range form {
			got[name] = strings.Join(values, " twice ")
		}
		return r, got
	}
	var members map[string]any
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	flatten(got, "", members)
	return r, got
}

func flatten(into map[string]string, prefix string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			flatten(into, prefix+"."+name, member)
		}
	case []any:
		for i, member := range v {
			flatten(into, prefix+"."+string(rune('1'+i)), member)
		}
	default:
		text, _ := json.Marshal(v)
		into[strings.TrimPrefix(prefix, ".")] = strings.Trim(strings.ReplaceAll(string(text), `\"`, `"`), `"`)
	}
}

// Both protocols say the same of every request.
func TestRequests(t *testing.T) {
	t.Parallel()
	const queue, handle = "http://h:1/000000000000/q", "AQEB+/x="
	body := bodyOf(100)
	var scratch []byte
	tests := map[string]requestTest{
		"SendMessage": {
			func(w *Wire) []byte { return w.AppendGrouped(nil, &scratch, queue, "g", "d") },
			map[string]string{"MessageBody": body, "MessageDeduplicationId": "d", "MessageGroupId": "g", "QueueUrl": queue},
			nil,
		},
		"SendMessageBatch": {
			func(w *Wire) []byte {
				return w.appendGroupedBatch(nil, &scratch, queue, []string{"g", "h"}, []string{"d", ""})
			},
			map[string]string{
				"Entries.1.Id": "m0", "Entries.1.MessageBody": body, "Entries.1.MessageDeduplicationId": "d", "Entries.1.MessageGroupId": "g",
				"Entries.2.Id": "m1", "Entries.2.MessageBody": body, "Entries.2.MessageGroupId": "h", "QueueUrl": queue,
			},
			nil,
		},
		"ReceiveMessage": {
			func(w *Wire) []byte { return w.Receive(queue, 10, 20*time.Second).Bytes() },
			map[string]string{"MaxNumberOfMessages": "10", "WaitTimeSeconds": "20", "QueueUrl": queue},
			nil,
		},
		"DeleteMessage": {
			func(w *Wire) []byte { return w.AppendDelete(nil, &scratch, queue, handle) },
			map[string]string{"ReceiptHandle": handle, "QueueUrl": queue},
			nil,
		},
		"DeleteMessageBatch": {
			func(w *Wire) []byte {
				return w.appendSettled(nil, &scratch, DeleteMessageBatch, queue, []string{handle, "b"})
			},
			map[string]string{
				"Entries.1.Id": "m0", "Entries.1.ReceiptHandle": handle, "Entries.2.Id": "m1", "Entries.2.ReceiptHandle": "b", "QueueUrl": queue,
			},
			nil,
		},
		"ChangeMessageVisibility": {
			func(w *Wire) []byte { return w.appendVisibility(nil, &scratch, queue, handle) },
			map[string]string{"ReceiptHandle": handle, "VisibilityTimeout": "600", "QueueUrl": queue},
			nil,
		},
		"ChangeMessageVisibilityBatch": {
			func(w *Wire) []byte {
				return w.appendSettled(nil, &scratch, ChangeMessageVisibilityBatch, queue, []string{handle})
			},
			map[string]string{"Entries.1.Id": "m0", "Entries.1.ReceiptHandle": handle, "Entries.1.VisibilityTimeout": "600", "QueueUrl": queue},
			nil,
		},
	}
	checkRequests(t, tests)
}

// requestTest is a request and its members in either protocol; those of Query
// are nil where only the names of entries differ.
type requestTest struct {
	make        func(w *Wire) []byte
	json, query map[string]string
}

// checkRequests makes requests by the names of their actions, one after the
// other: they may share memory.
func checkRequests(t *testing.T, tests map[string]requestTest) {
	t.Helper()
	for name, tc := range tests {
		r, got := parsed(t, tc.make(newTestWire(t, WireOptions{Body: 100})))
		if target := r.Header.Get("X-Amz-Target"); target != "AmazonSQS."+name {
			t.Errorf("%s: the target is %q", name, target)
		}
		if diff := cmp.Diff(tc.json, got); diff != "" {
			t.Errorf("%s, JSON (-want +got):\n%s", name, diff)
		}
		want := map[string]string{"Action": name, "Version": "2012-11-05"}
		for member, value := range tc.json {
			if tc.query == nil {
				want[strings.Replace(member, "Entries", name+"RequestEntry", 1)] = value
			}
		}
		for member, value := range tc.query {
			want[member] = value
		}
		_, got = parsed(t, tc.make(newTestWire(t, WireOptions{Body: 100, Protocol: Query})))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s, Query (-want +got):\n%s", name, diff)
		}
	}
}

func TestBodiesHaveTheirSize(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 10, 49, 50, 51, 1024, 1 << 20} {
		for _, protocol := range []Protocol{JSON, Query} {
			w := newTestWire(t, WireOptions{Protocol: protocol, Body: size})
			if _, got := parsed(t, w.Send("q").Bytes()); len(got["MessageBody"]) != size {
				t.Errorf("a body of %d bytes, want %d", len(got["MessageBody"]), size)
			}
		}
	}
}

func TestEndpoints(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"http://localhost:9324":                "localhost:9324 localhost:9324 /",
		"http://[::1]:9324/":                   "[::1]:9324 [::1]:9324 /",
		"https://sqs.us-east-1.amazonaws.com":  "sqs.us-east-1.amazonaws.com:443 sqs.us-east-1.amazonaws.com /",
		"http://example.com/behind/a%20proxy/": "example.com:80 example.com /behind/a%20proxy/",
	} {
		w := newTestWire(t, WireOptions{URL: endpoint})
		r, _ := parsed(t, w.ListQueues().Bytes())
		if got := w.Addr + " " + r.Host + " " + r.URL.EscapedPath(); got != want {
			t.Errorf("%s: got %q, want %q", endpoint, got, want)
		}
	}
	for _, endpoint := range []string{"", "localhost:9324", "ftp://localhost", "http://", "http://me@localhost", "http://localhost?x", "http://a b"} {
		if _, err := NewWire(WireOptions{URL: endpoint}); err == nil {
			t.Errorf("%q is taken for an endpoint", endpoint)
		}
	}
}

// A signature covers what was sent, and is made anew once it is old.
func TestSignedRequests(t *testing.T) {
	t.Parallel()
	for _, protocol := range []Protocol{JSON, Query} {
		s := &Signer{KeyID: "key", Secret: "secret", Token: "token", Region: "eu-west-1"}
		w := newTestWire(t, WireOptions{Protocol: protocol, Signer: s})
		request := w.Send("http://127.0.0.1:1/0/q")
		r, _ := parsed(t, request.Bytes())
		at, err := time.Parse(amzDate, r.Header.Get("X-Amz-Date"))
		if err != nil || time.Since(at) > time.Minute {
			t.Errorf("made at %v, %v", at, err)
		}
		headers := []header{
			{"content-type", r.Header.Get("Content-Type")},
			{"host", r.Host},
			{"x-amz-date", r.Header.Get("X-Amz-Date")},
			{"x-amz-security-token", "token"},
		}
		if protocol == JSON {
			headers = append(headers, header{"x-amz-target", "AmazonSQS.SendMessage"})
		}
		if got, want := r.Header.Get("Authorization"), s.authorization("POST", "/", headers, request.body, at); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		old := request.made.Load()
		request.made.Store(&madeRequest{old.bytes, time.Now().Add(-2 * maxSignatureAge)})
		if now := request.Bytes(); &now[0] == &old.bytes[0] {
			t.Error("an old signature is used")
		}
	}
}

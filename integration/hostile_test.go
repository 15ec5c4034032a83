package integration

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// ours are the headers that answers have, but for those of CORS.
var ours = map[string]bool{
	"Connection": true, "Content-Length": true, "Content-Type": true, "Date": true, "Allow": true,
	http.CanonicalHeaderKey("x-amzn-RequestId"): true, http.CanonicalHeaderKey("x-amzn-query-error"): true,
}

// wantOwnHeaders checks that nobody put a header into an answer.
func wantOwnHeaders(t *testing.T, h http.Header) {
	t.Helper()
	for name, values := range h {
		if !ours[name] || len(values) != 1 {
			t.Errorf("the answer has the header %s: %q", name, values)
		}
	}
}

// Nothing that a caller writes becomes a header of the answer, wherever the
// answer repeats it.
func TestNoHeaderIsInjected(t *testing.T) {
	const evil = "a\r\nX-Injected: 1\r\n\r\n<evil>"
	forEach(t, func(t *testing.T, e *env) {
		queue := e.create(t, nil)
		for name, r := range map[string]*reply{
			"QueueName":     e.call(t, "CreateQueue", args{"QueueName": evil}),
			"QueueUrl":      e.call(t, "PurgeQueue", args{"QueueUrl": evil}),
			"AttributeName": e.call(t, "SetQueueAttributes", args{"QueueUrl": queue, "Attributes": args{evil: "1"}}),
			"Value":         e.call(t, "SetQueueAttributes", args{"QueueUrl": queue, "Attributes": args{"DelaySeconds": evil}}),
			"ReceiptHandle": e.call(t, "DeleteMessage", args{"QueueUrl": queue, "ReceiptHandle": evil}),
			"Action":        e.get(t, "/?Action="+url.QueryEscape(evil), nil),
			"Version":       e.get(t, "/?Action=ListQueues&Version="+url.QueryEscape(evil), nil),
			"Credential":    e.get(t, "/?Action=ListQueues&X-Amz-Credential="+url.QueryEscape(evil+"/20260101/"+evil+"/sqs/aws4_request"), nil),
			"NextToken":     e.call(t, "ListQueues", args{"NextToken": evil, "MaxResults": 1}),
			"TaskHandle":    e.call(t, "CancelMessageMoveTask", args{"TaskHandle": evil}),
			"Path":          e.get(t, "/%0d%0aX-Injected:1/q?Action=PurgeQueue", nil),
		} {
			wantOwnHeaders(t, r.Header)
			if r.Status >= 500 {
				t.Errorf("%s: %d %s", name, r.Status, r.Message)
			}
		}
		e.wantCounts(t, queue, counts{"0", "0", "0"})
	})
}

// A path names a queue by its last two parts or none, and nothing outside of
// the queues, whatever is in it.
func TestPathTricks(t *testing.T) {
	forServers(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wire{query: true})
		e.create(t, nil)
		for _, target := range []string{
			"/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/" + e.account + "/..", "/" + e.account + "/.", "/" + e.account + "/%00",
			"/" + e.account + "/q%00.fifo", "/" + e.account + "//", "/" + e.account + "/a%5cb", "/" + e.account + "/..%c0%af..", "/" + e.account + "/%ff%fe",
			"/" + strings.Repeat("a/", 2000), "/" + strings.Repeat("../", 2000) + "etc/passwd", "//evil.example/q", "http://evil.example/" + e.account + "/none", "/;x=1/none", "/?/none",
			"/" + e.account + "/queues.db", "/" + e.account + "/none?QueueUrl=../../etc/passwd", "/health/live", "/counts", "/debug/pprof/", "/favicon.ico", "*",
		} {
			for _, action := range []string{"PurgeQueue", "GetQueueAttributes", "DeleteQueue"} {
				form := "Action=" + action
				res := s.raw(t, e.lines("", form, "POST "+target+" HTTP/1.1", "Host: %HOST", "Content-Type: application/x-www-form-urlencoded", "Connection: close"))
				wantOwnHeaders(t, res.Header)
				if res.StatusCode < 400 || res.StatusCode >= 500 {
					t.Errorf("%s of %.100q: status %d, want the caller's error", action, target, res.StatusCode)
				}
			}
		}
	})
}

// Texts that are hard to read are read or refused, and harm nobody.
func TestHardTexts(t *testing.T) {
	deep := strings.Repeat("[", 200_000)
	forServers(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wire{})
		queue := e.create(t, nil)
		q := `"QueueUrl":"` + queue + `",`
		for name, tt := range map[string]struct {
			action, body string
			ok           bool
		}{
			"DeepLists":        {"SendMessage", `{` + q + `"MessageBody":` + deep + strings.Repeat("]", len(deep)) + `}`, false},
			"DeepUnknown":      {"ReceiveMessage", `{` + q + `"Unknown":` + deep + strings.Repeat("]", len(deep)) + `}`, false},
			"DeepUnclosed":     {"ReceiveMessage", deep, false},
			"DeepObjects":      {"ReceiveMessage", strings.Repeat(`{"a":`, 200_000), false},
			"DeepPolicy":       {"SetQueueAttributes", `{` + q + `"Attributes":{"Policy":"` + deep + `"}}`, false},
			"DeepRedrive":      {"SetQueueAttributes", `{` + q + `"Attributes":{"RedrivePolicy":"` + deep + `"}}`, false},
			"HugeExponent":     {"ReceiveMessage", `{` + q + `"MaxNumberOfMessages":1e999999999}`, false},
			"HugeNumber":       {"ReceiveMessage", `{` + q + `"MaxNumberOfMessages":` + strings.Repeat("9", 100_000) + `}`, false},
			"MinusHuge":        {"ReceiveMessage", `{` + q + `"VisibilityTimeout":-99999999999999999999}`, false},
			"HugeFraction":     {"ReceiveMessage", `{` + q + `"MaxNumberOfMessages":0.` + strings.Repeat("0", 100_000) + `1}`, false},
			"HugeReceiveCount": {"SetQueueAttributes", `{` + q + `"Attributes":{"RedrivePolicy":"{\"maxReceiveCount\":1e400}"}}`, false},
			"DuplicateKeys":    {"SetQueueAttributes", `{` + q + q + `"Attributes":{"DelaySeconds":"1","DelaySeconds":"0"}}`, true},
			"DuplicateBad":     {"SetQueueAttributes", `{` + q + `"Attributes":{"DelaySeconds":"0","DelaySeconds":"x"}}`, false},
			"ManyKeys":         {"ReceiveMessage", `{` + q + strings.Repeat(`"a":1,`, 200_000) + `"b":1}`, true},
			"InvalidUTF8":      {"SendMessage", `{` + q + "\"MessageBody\":\"\xff\xfe\"}", false},
			"OverlongUTF8":     {"SendMessage", `{` + q + "\"MessageBody\":\"\xc0\xaf\"}", false},
			"SurrogateUTF8":    {"SendMessage", `{` + q + "\"MessageBody\":\"\xed\xa0\x80\"}", false},
			"NullByte":         {"SendMessage", `{` + q + `"MessageBody":"a\u0000b"}`, false},
			"RawNullByte":      {"SendMessage", `{` + q + "\"MessageBody\":\"a\x00b\"}", false},
			"NullByteName":     {"CreateQueue", `{"QueueName":"a\u0000b"}`, false},
			"OnlyNullBytes":    {"ReceiveMessage", strings.Repeat("\x00", 1000), false},
			"ByteOrderMark":    {"ReceiveMessage", "\ufeff{}", false},
		} {
			r := e.post(t, "/", jsonHeader(tt.action), tt.body)
			if (r.Status == 200) != tt.ok || r.Status >= 500 {
				t.Errorf("%s: status %d %s %.200q", name, r.Status, r.Code, r.Message)
			}
			wantOwnHeaders(t, r.Header)
			if !tt.ok {
				r.wantForm(t, e.wire)
			}
		}
		e.wantCounts(t, queue, counts{"0", "0", "0"})
	})
}

package integration

import (
	"bufio"
	"encoding/base64"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// A connection serves one request after the other, also after an error and
// after a long poll.
func TestConnectionsAreKeptAlive(t *testing.T) {
	forServers(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wireJSON)
		name := freshName()
		e.createNamed(t, name, nil)
		c := s.connect(t)
		r := bufio.NewReader(c)
		post := func(action, body string) *reply {
			if _, err := io.WriteString(c, e.lines(name, body, "POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", "X-Amz-Target: AmazonSQS."+action, scope)); err != nil {
				t.Fatal(err)
			}
			return readReply(t, readRaw(t, r))
		}
		post("SendMessage", `{"QueueUrl":"%QUEUE","MessageBody":"b"}`).wantOK(t)
		post("SendMessage", `{"QueueUrl":"%QUEUE"}`).wantCode(t, "MissingParameter")
		post("NoSuchAction", `{}`).wantCode(t, "InvalidAction")
		post("SendMessage", `{`).wantCode(t, "MalformedInput")
		if n := len(post("ReceiveMessage", `{"QueueUrl":"%QUEUE"}`).messages(t)); n != 1 {
			t.Errorf("received %d", n)
		}
		wait := "1"
		if s.bubble {
			wait = "20"
		}
		start := time.Now()
		if n := len(post("ReceiveMessage", `{"QueueUrl":"%QUEUE","WaitTimeSeconds":`+wait+`}`).messages(t)); n != 0 {
			t.Errorf("received %d", n)
		}
		if s.bubble {
			e.took(t, start, 20*time.Second)
		}
		post("PurgeQueue", `{"QueueUrl":"%QUEUE"}`).wantOK(t)
	})
}

// Answers have the headers and the form that clients rely on.
func TestFormOfAnswers(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		seen := map[string]bool{}
		for _, tt := range []struct{ action, json, xml string }{
			{"ReceiveMessage", `{}`, `<ReceiveMessageResult/>`},
			{"ListQueueTags", `{}`, `<ListQueueTagsResult/>`},
			{"GetQueueAttributes", `{}`, `<GetQueueAttributesResult/>`},
			{"PurgeQueue", ``, ``},
			{"DeleteQueue", ``, ``},
		} {
			r := e.call(t, tt.action, args{"QueueUrl": url}).wantOK(t)
			id := r.Header.Get("X-Amzn-Requestid")
			if len(id) != 36 || seen[id] || id == "00000000-0000-0000-0000-000000000000" || r.Header.Get("Date") == "" {
				t.Errorf("%s: request id %q, date %q", tt.action, id, r.Header.Get("Date"))
			}
			seen[id] = true
			want, contentType := tt.json, "application/x-amz-json-1.0"
			if e.wire.query {
				contentType = "text/xml"
				want = `<?xml version="1.0"?><` + tt.action + `Response xmlns="http://queue.amazonaws.com/doc/2012-11-05/">` +
					tt.xml + `<ResponseMetadata><RequestId>` + id + `</RequestId></ResponseMetadata></` + tt.action + `Response>`
			}
			if r.Body != want || r.Header.Get("Content-Type") != contentType {
				t.Errorf("%s: %s %s, want %s", tt.action, r.Header.Get("Content-Type"), r.Body, want)
			}
			if r.Header.Get("Content-Length") == "" || r.Header.Get("X-Amzn-Query-Error") != "" {
				t.Errorf("%s: header %v", tt.action, r.Header)
			}
		}
	})
}

// In XML a carriage return is spelled in the one way that every client reads,
// and line feeds and tabs stand as they are.
func TestSpellingOfXML(t *testing.T) {
	eachWire(t, places(), []wire{wireQuery}, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "a\r\n\tb<&>\"'", func(in *sqs.SendMessageInput) {
			in.MessageAttributes = map[string]messageAttribute{"x": text("String", "c\r\n\td"), "y": blob("Binary", []byte("\r\n")...)}
		})
		r := e.call(t, "ReceiveMessage", args{"QueueUrl": url, "MessageAttributeNames": list{"All"}}).wantOK(t)
		for _, want := range []string{"<Body>a&#xD;\n\tb&lt;&amp;&gt;", "<StringValue>c&#xD;\n\td</StringValue>", "<BinaryValue>" + base64.StdEncoding.EncodeToString([]byte("\r\n")) + "</BinaryValue>"} {
			if !strings.Contains(r.Body, want) {
				t.Errorf("%q is not in %s", want, r.Body)
			}
		}
	})
}

package integration

import (
	"bufio"
	"io"
	"testing"
	"time"
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

package integration

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// wireForm is what a client that cannot be run here sends, byte by byte, and
// how it reads the answers.
type wireForm struct {
	// client is its name in reports.
	client string
	// name says what it does, in TitleCase.
	name string
	// bubble is true for forms that wait.
	bubble bool
	// head is the lines of a request before its body, without Content-Length.
	// $PATH$ and $ACTION$ stand for what differs from call to call.
	head string
	run  func(t *testing.T, c *wireClient)
}

// TestWireForms runs them as CLIENT/NAME/PLACE. The report of compatibility
// reads those names.
func TestWireForms(t *testing.T) {
	t.Parallel()
	for _, f := range slices.Concat(javaForms, dotNetForms, phpForms, rubyForms, otherForms, springForms, busForms, terraformForms) {
		t.Run(f.client+"/"+f.name, func(t *testing.T) {
			t.Parallel()
			at := places()
			if f.bubble {
				at = []place{inBubble}
			}
			for _, p := range at {
				t.Run(p.name, func(t *testing.T) {
					t.Parallel()
					p.run(t, func(t *testing.T, s *server) {
						e := newEnv(t, s, wireJSON)
						queue := freshName()
						f.run(t, &wireClient{e, f.head, queue, e.url + "/" + e.account + "/" + queue})
					})
				})
			}
		})
	}
}

// wireClient sends requests in the form of a client. Its env looks at the
// server beside it.
type wireClient struct {
	*env
	head string
	// queue is the name of a queue that is not there yet, and url its URL.
	queue, url string
}

// jsonOf calls an action at a path. In the body $URL$, $QUEUE$, $ACCOUNT$ and
// $HOST$ stand for what the test only knows when it runs, and so do further
// words, which come in pairs with their meaning.
func (c *wireClient) jsonOf(t *testing.T, path, action, body string, more ...string) *reply {
	t.Helper()
	return c.write(t, path, action, body, more, func(s string) string { return s })
}

// formOf is jsonOf for a form, in which the words are percent-encoded.
func (c *wireClient) formOf(t *testing.T, path, body string, more ...string) *reply {
	t.Helper()
	return c.write(t, path, "", body, more, url.QueryEscape)
}

// rootJSON is jsonOf at the root.
func (c *wireClient) rootJSON(t *testing.T, action, body string, more ...string) *reply {
	t.Helper()
	return c.jsonOf(t, "/", action, body, more...)
}

// queueForm is formOf at the path of the queue.
func (c *wireClient) queueForm(t *testing.T, body string, more ...string) *reply {
	t.Helper()
	return c.formOf(t, "/"+c.account+"/"+c.queue, body, more...)
}

// write sends a request and reads its answer.
func (c *wireClient) write(t *testing.T, path, action, body string, more []string, escape func(string) string) *reply {
	t.Helper()
	known := append([]string{"URL", c.url, "QUEUE", c.queue, "ACCOUNT", c.account, "HOST", c.host}, more...)
	var plain, escaped []string
	for i := 0; i+1 < len(known); i += 2 {
		word := "$" + known[i] + "$"
		plain, escaped = append(plain, word, known[i+1]), append(escaped, word, escape(known[i+1]))
	}
	plain = append(plain, "$PATH$", path, "$ACTION$", action)
	body = strings.NewReplacer(escaped...).Replace(body)
	if strings.Contains(body, "$") {
		t.Fatalf("the body has a word that is not known: %s", body)
	}
	head := strings.ReplaceAll(strings.NewReplacer(plain...).Replace(strings.TrimSpace(c.head)), "\n", "\r\n")
	res := c.raw(t, head+"\r\nContent-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"+body)
	if res.Header.Get("X-Amzn-Requestid") == "" || res.Header.Get("Date") == "" {
		t.Errorf("headers are missing: %v", res.Header)
	}
	return readReply(t, res)
}

// xpath gives the texts of the elements at a path that begins at the root. A
// message may come twice, and an element that is not there is no text.
func (r *reply) xpath(t *testing.T, path string) []string {
	t.Helper()
	var found, at []string
	want := strings.Split(path, "/")
	for d := xml.NewDecoder(strings.NewReader(r.Body)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, r.Body)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if at = append(at, token.Name.Local); slices.Equal(at, want) {
				found = append(found, "")
			}
		case xml.EndElement:
			at = at[:len(at)-1]
		case xml.CharData:
			if slices.Equal(at, want) {
				found[len(found)-1] += string(token)
			}
		}
	}
}

// one is xpath for what must be there once.
func (r *reply) one(t *testing.T, path string) string {
	t.Helper()
	got := r.xpath(t, path)
	if len(got) != 1 {
		t.Fatalf("%s is there %d times in %s", path, len(got), r.Body)
	}
	return got[0]
}

// decode reads a JSON answer.
func decode[T any](t *testing.T, r *reply) T {
	t.Helper()
	var v T
	r.wantOK(t)
	if r.Body == "" {
		return v
	}
	if err := json.Unmarshal([]byte(r.Body), &v); err != nil {
		t.Fatalf("%v\n%s", err, r.Body)
	}
	return v
}

// Answers as clients of the JSON protocol read them.
type (
	urlAnswer        struct{ QueueUrl string } //nolint:revive // the wire's spelling
	attributesAnswer struct{ Attributes map[string]string }
	sendAnswer       struct{ Id, MessageId, MD5OfMessageBody, MD5OfMessageAttributes, SequenceNumber string } //nolint:revive // the wire's spelling
	batchAnswer      struct {
		Successful []sendAnswer
		Failed     []failedEntry
	}
)

// check verifies what a client verifies of a send: that there is an id, and the
// digests of what it sent.
func (s sendAnswer) check(t *testing.T, body string, attributes map[string]messageAttribute) {
	t.Helper()
	want := sendAnswer{Id: s.Id, MessageId: s.MessageId, SequenceNumber: s.SequenceNumber, MD5OfMessageBody: bodyDigest(body)}
	if len(attributes) > 0 {
		want.MD5OfMessageAttributes = attributeDigest(attributes)
	}
	if s != want || s.MessageId == "" {
		t.Errorf("the answer is %+v, want %+v", s, want)
	}
}

// wantIDs checks that a batch succeeded whole, with ids that the request has.
func (b batchAnswer) wantIDs(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	for _, s := range b.Successful {
		got = append(got, s.Id)
	}
	if !slices.Equal(got, want) || len(b.Failed) > 0 {
		t.Errorf("successful %q, failed %+v, want %q", got, b.Failed, want)
	}
}

// wantFault checks an error of the JSON protocol in all the places where
// clients look for its kind.
func (r *reply) wantFault(t *testing.T, status int, shape, queryError string) {
	t.Helper()
	if got := r.Header.Get("X-Amzn-Query-Error"); r.Status != status || r.Shape != shape || got != queryError || r.Message == "" {
		t.Errorf("answer is %d %s %q %q, want %d %s %q", r.Status, r.Shape, got, r.Message, status, shape, queryError)
	}
}

// wantNoQueue checks the error of a missing queue, by which clients decide to
// create it.
func (r *reply) wantNoQueue(t *testing.T) {
	t.Helper()
	r.wantFault(t, 400, "com.amazonaws.sqs#QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue;Sender")
}

// only gives the one message of an answer, with its digests checked.
func (r *reply) only(t *testing.T) received {
	t.Helper()
	ms := r.received(t)
	if len(ms) != 1 {
		t.Fatalf("received %d messages: %s", len(ms), r.Body)
	}
	ms[0].checkDigests(t)
	return ms[0]
}

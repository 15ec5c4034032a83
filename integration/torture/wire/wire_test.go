package wire

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/integration/torture/history"
)

// TestOutcome holds what is known after each kind of answer, in both protocols.
func TestOutcome(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		status    int
		json, xml string
		outcome   history.Outcome
		code      string
	}{
		"Done":        {200, `{"MessageId":"x"}`, `<SendMessageResponse><SendMessageResult><MessageId>x</MessageId></SendMessageResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></SendMessageResponse>`, history.Done, ""},
		"Refused":     {400, `{"__type":"X","message":"no"}`, `<ErrorResponse><Error><Code>Bad</Code><Message>no</Message></Error></ErrorResponse>`, history.Refused, "Bad"},
		"NotNow":      {503, `{"__type":"X","message":"The server cannot do this at the moment."}`, `<ErrorResponse><Error><Code>Bad</Code><Message>The server cannot do this at the moment.</Message></Error></ErrorResponse>`, history.Refused, "Bad"},
		"NobodyKnows": {503, `{"__type":"X","message":"The server cannot tell whether this was done."}`, `<ErrorResponse><Error><Code>Bad</Code><Message>The server cannot tell whether this was done.</Message></Error></ErrorResponse>`, history.Unknown, "Bad"},
		"Fault":       {500, `{"__type":"X","message":"oh"}`, `<ErrorResponse><Error><Code>Bad</Code><Message>oh</Message></Error></ErrorResponse>`, history.Unknown, "Bad"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body := tc.xml
				if r.Header.Get("X-Amz-Target") != "" {
					body = tc.json
					if tc.status != 200 {
						w.Header().Set("X-Amzn-Query-Error", "Bad;Sender")
					}
				}
				w.WriteHeader(tc.status)
				_, _ = io.WriteString(w, body)
			}))
			defer s.Close()
			c := New()
			c.Use(s.URL)
			for range 2 { // one in each protocol
				a := c.Call(t.Context(), "SendMessage", Args{"MessageBody": "b"})
				if a.Outcome != tc.outcome || a.Code != tc.code || a.Faulty() != (tc.status == 500) {
					t.Errorf("outcome %d, code %q, faulty %v, want %d, %q (%+v)", a.Outcome, a.Code, a.Faulty(), tc.outcome, tc.code, a)
				}
				if tc.status == 200 && a.MessageId != "x" {
					t.Errorf("the message id is %q, want x", a.MessageId)
				}
			}
		})
	}
}

// TestUnanswered holds that a call that nobody took has not happened, and one
// that was cut off may have.
func TestUnanswered(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	c := New()
	c.Use(s.URL)
	if a := c.Call(t.Context(), "PurgeQueue", Args{}); a.Outcome != history.Unknown {
		t.Errorf("a call that was cut off: %+v", a)
	}
	s.Close()
	if a := c.Call(t.Context(), "PurgeQueue", Args{}); a.Outcome != history.Refused {
		t.Errorf("a call that nobody took: %+v", a)
	}
}

// TestReceive holds that both protocols give the same messages.
func TestReceive(t *testing.T) {
	t.Parallel()
	var a, b Answer
	a.Status, b.Status = 200, 200
	if err := a.decode([]byte(`{"Messages":[{"MessageId":"1","ReceiptHandle":"h","Body":"<b>"},{"MessageId":"2"}]}`), false); err != nil {
		t.Fatal(err)
	}
	err := b.decode([]byte(`<ReceiveMessageResponse><ReceiveMessageResult><Message><MessageId>1</MessageId><ReceiptHandle>h</ReceiptHandle><Body>&lt;b&gt;</Body></Message>`+
		`<Message><MessageId>2</MessageId></Message></ReceiveMessageResult></ReceiveMessageResponse>`), true)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a.Messages, b.Messages); d != "" || len(a.Messages) != 2 {
		t.Errorf("(-JSON +Query):\n%s", d)
	}
}

// TestTags holds that both protocols write and read tags.
func TestTags(t *testing.T) {
	t.Parallel()
	form := url.Values{}
	flatten(form, "TagQueue", Args{"Tags": map[string]string{"k": "v"}, "TagKeys": []string{"x"}})
	if d := cmp.Diff(url.Values{"Tag.1.Key": {"k"}, "Tag.1.Value": {"v"}, "TagKey.1": {"x"}}, form); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for name, text := range map[string]string{
		"JSON":  `{"Tags":{"k":"v"}}`,
		"Query": `<ListQueueTagsResponse><ListQueueTagsResult><Tag><Key>k</Key><Value>v</Value></Tag></ListQueueTagsResult></ListQueueTagsResponse>`,
	} {
		a := Answer{Status: 200}
		if err := a.decode([]byte(text), name == "Query"); err != nil || a.Tags["k"] != "v" {
			t.Errorf("%s: the tags are %v, %v", name, a.Tags, err)
		}
	}
}

// TestPrepared holds that a prepared call is what a call of the same is, in
// both protocols.
func TestPrepared(t *testing.T) {
	t.Parallel()
	var got []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Header.Get("Content-Type")+" "+r.Header.Get("X-Amz-Target")+" "+string(body))
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer s.Close()
	c := New()
	c.Use(s.URL)
	in := Args{"QueueUrl": "u", "MessageBody": "a b"}
	for range 2 {
		c.Call(t.Context(), "SendMessage", in)
	}
	p := Prepare("SendMessage", in)
	for range 2 {
		c.CallPrepared(t.Context(), p)
	}
	if d := cmp.Diff(got[:2], got[2:]); d != "" || got[0] == got[1] {
		t.Errorf("(-called +prepared):\n%s", d)
	}
}

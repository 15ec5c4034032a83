//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// checkRequest reads a request as a server would.
func checkRequest(t *testing.T, action string, request []byte) {
	t.Helper()
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(request)))
	if err != nil {
		t.Errorf("%s: %v", action, err)
		return
	}
	if got := r.Header.Get("X-Amz-Target"); got != "AmazonSQS."+action {
		t.Errorf("%s: the target is %q", action, got)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil || int64(len(body)) != r.ContentLength {
		t.Errorf("%s: a body of %d bytes with a length of %d, %v", action, len(body), r.ContentLength, err)
	}
	var parsed struct {
		MessageBody string
		Entries     []struct{ MessageBody, ReceiptHandle string }
	}
	if err := json.Unmarshal(body, &parsed); err != nil {
		t.Errorf("%s: %v", action, err)
	}
	bodies := []string{parsed.MessageBody}
	for _, e := range parsed.Entries {
		bodies = append(bodies, e.MessageBody)
	}
	for _, b := range bodies {
		if len(b) != 0 && len(b) != messageBytes {
			t.Errorf("%s: a message of %d bytes", action, len(b))
		}
	}
}

func TestRequestsAreWellFormed(t *testing.T) {
	t.Parallel()
	w := newWire("127.0.0.1:1")
	var scratch []byte
	for name, request := range map[string][]byte{
		"CreateQueue":        w.createQueue("q"),
		"SendMessage":        w.send("url"),
		"SendMessageBatch":   w.sendBatch("url", 10),
		"ReceiveMessage":     w.receive("url", 10, 20*time.Second),
		"DeleteMessage":      w.appendDelete(nil, &scratch, "url", "h"),
		"DeleteMessageBatch": w.appendDeleteBatch(nil, &scratch, "url", []string{"h1", "h2"}),
	} {
		checkRequest(t, name, request)
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	body := []byte(`{"Messages":[{"ReceiptHandle":"a","MessageId":"x"},{"ReceiptHandle":"b"}],"ReceiptHandle":"cut`)
	var got []string
	values(body, memberHandle, func(v []byte) { got = append(got, string(v)) })
	if diff := cmp.Diff([]string{"a", "b"}, got); diff != "" {
		t.Error(diff)
	}
	if n := count(body, memberMessageID); n != 1 {
		t.Errorf("counted %d", n)
	}
}

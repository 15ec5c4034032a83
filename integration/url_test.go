package integration

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// formHeader is the header of a Query request by POST.
var formHeader = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}

// A Host that is no host is not repeated in any URL.
func TestOddHostsAreNotRepeated(t *testing.T) {
	forServers(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wireJSON)
		e.createNamed(t, "q", nil)
		for _, host := range []string{"a<b>", "evil.com/x", "a b", `a"b`, "user@host", "h:1:2", "h:port"} {
			r := s.raw(t, "POST / HTTP/1.1\r\nHost: "+host+"\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.ListQueues\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
			if r.StatusCode == http.StatusOK {
				t.Errorf("host %q: %d, want a refusal", host, r.StatusCode)
			}
			if r.StatusCode >= 500 {
				t.Errorf("host %q: %d", host, r.StatusCode)
			}
		}
	})
}

// The account in a URL decides, whoever calls: without credentials everybody
// may use every queue.
func TestQueueURLOfAnotherAccount(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		issued := e.create(t, nil)
		stranger := newEnv(t, e.server, e.wire)
		stranger.send(t, issued, "b")
		wantBodies(t, e.receive(t, issued), "b")
		name := issued[strings.LastIndexByte(issued, '/')+1:]
		_, err := stranger.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &name, MessageBody: aws.String("b")})
		if !typed[*types.QueueDoesNotExist](err) {
			t.Errorf("a bare name reached another account's queue: %v", err)
		}
	})
}

package integration

import (
	"net/http"
	"testing"
)

// DIFFERENCES 6: signatures are read for account and region but not verified,
// and a request without one is served.
func TestDiff06SignaturesAreNotVerified(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		header, body := jsonHeader("SendMessage"), `{"QueueUrl":"`+url+`","MessageBody":"b"}`
		if e.wire.query {
			header, body = formHeader, "Action=SendMessage&MessageBody=b&QueueUrl="+url
		}
		for _, authorization := range [][]string{
			nil,
			{"AWS4-HMAC-SHA256 Credential=nobody/20150101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=ffff"},
			{"AWS4-HMAC-SHA256 Credential=bogus"},
			{"Bearer x"},
		} {
			h := header.Clone()
			h["Authorization"] = authorization
			h[http.CanonicalHeaderKey("X-Amz-Date")] = []string{"20150101T000000Z"}
			e.post(t, "/", h, body).wantOK(t)
		}
		e.wantCounts(t, url, counts{"4", "0", "0"})
	})
}

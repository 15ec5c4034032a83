package integration

import (
	"strings"
	"testing"
)

// scope signs a request the way clients do, as far as anybody looks at it.
const scope = "Authorization: AWS4-HMAC-SHA256 Credential=%SCOPE, SignedHeaders=host;x-amz-date, Signature=00"

// legacy are requests as real clients were seen to send them. Each sends the
// message "hi there".
var legacy = map[string]struct {
	head []string
	body string
	// json is true when the answer must be JSON.
	json bool
}{
	"PerlFormWithForeignTarget": {
		head: []string{
			"POST /%ACCOUNT/%QUEUE HTTP/1.1", "TE: deflate,gzip;q=0.3", "Connection: TE, close", "Host: %NAKED", "Date: 2026-01-01T00:00:00Z", "User-Agent: libwww-perl/6.68",
			"Content-Type: application/x-www-form-urlencoded;charset=utf-8", "X-Amz-Target: AmazonSQSv20121105.SendMessage",
			"Authorization: AWS4-HMAC-SHA256 Credential=%ACCOUNT/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00",
		},
		body: "Action=SendMessage&MessageBody=hi+there&Version=2012-11-05",
	},
	"Boto2Get": {
		head: []string{
			"GET /%ACCOUNT/%QUEUE?Action=SendMessage&MessageBody=hi%20there&Version=2012-11-05 HTTP/1.1", "Host: %HOST", "Accept-Encoding: identity", "Content-Length: 0",
			"Authorization: AWS4-HMAC-SHA256 Credential=%SCOPE,SignedHeaders=host;x-amz-date,Signature=00", "X-Amz-Date: 20260101T000000Z", "User-Agent: Boto/2.49.0",
		},
	},
	"GetAtTheRoot": {
		head: []string{"GET /?Action=SendMessage&QueueUrl=http%3A%2F%2F%HOST%2F%ACCOUNT%2F%QUEUE&MessageBody=hi+there HTTP/1.1", "Host: %HOST", scope},
	},
	"SignatureVersion2InQuery": {
		head: []string{"GET /%ACCOUNT/%QUEUE?AWSAccessKeyId=%ACCOUNT&Action=SendMessage&Expires=2026-01-01T00%3A00%3A00Z&MessageBody=hi%20there&SignatureMethod=HmacSHA256&SignatureVersion=2&Version=2011-10-01&Signature=AAAA HTTP/1.1", "Host: %HOST"},
	},
	"Presigned": {
		head: []string{"GET /%ACCOUNT/%QUEUE?Action=SendMessage&MessageBody=hi%20there&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=%ACCOUNT%2F20260101%2Fus-east-1%2Fsqs%2Faws4_request&X-Amz-Date=20260101T000000Z&X-Amz-Expires=60&X-Amz-SignedHeaders=host&X-Amz-Signature=00 HTTP/1.1", "Host: %HOST"},
	},
	"FogUrlAsPath": {
		head: []string{"POST /http://%HOST/%ACCOUNT/%QUEUE HTTP/1.1", "Host: %NAKED", "Content-Type: application/x-www-form-urlencoded", "User-Agent: fog/3.15.0 fog-core/2.1.0", "X-Amz-Date: 20260101T000000Z", scope},
		body: "Action=SendMessage&MessageBody=hi%20there&Version=2012-11-05",
	},
	"AbsoluteFormTarget": {
		head: []string{"POST http://%HOST/%ACCOUNT/%QUEUE HTTP/1.1", "Host: %HOST", "Content-Type: application/x-www-form-urlencoded", scope},
		body: "Action=SendMessage&MessageBody=hi%20there",
	},
	"KombuWithoutQueueUrlAndVersion": {
		head: []string{"POST /%ACCOUNT/%QUEUE HTTP/1.1", "Host: %HOST", "User-Agent: Mozilla/5.0 (compatible; pycurl)", "Accept: */*", "Accept-Encoding: gzip,deflate", "Content-Type: application/x-www-form-urlencoded", scope},
		body: "Action=SendMessage&MessageBody=hi+there",
	},
	"OldSDKActionLast": {
		head: []string{"POST / HTTP/1.1", "host: %HOST", "content-type: application/x-www-form-urlencoded", "x-amz-user-agent: aws-sdk-js/3.427.0", "x-amz-content-sha256: 00", scope},
		body: "MessageBody=hi%20there&QueueUrl=http%3A%2F%2F%HOST%2F%ACCOUNT%2F%QUEUE&Action=SendMessage&Version=2012-11-05",
	},
	"ActionInTheQueryString": {
		head: []string{"POST /%ACCOUNT/%QUEUE?Action=SendMessage HTTP/1.1", "Host: %HOST", "Content-Type: application/x-www-form-urlencoded", scope},
		body: "MessageBody=hi+there",
	},
	"RubyWithEmptyAcceptEncoding": {
		head: []string{"POST /%ACCOUNT/%QUEUE HTTP/1.1", "Content-Type: application/x-www-form-urlencoded; charset=utf-8", "Accept-Encoding:", "User-Agent: aws-sdk-ruby/1.67.0", "Host: %NAKED", "Accept: */*", scope},
		body: "Action=SendMessage&MessageBody=hi%20there&QueueUrl=http%3A%2F%2F%HOST%2F%ACCOUNT%2F%QUEUE&Timestamp=2026-01-01T00%3A00%3A00Z&Version=2012-11-05",
	},
	"WithoutSignature": {
		head: []string{"POST /%ACCOUNT/%QUEUE HTTP/1.1", "Host: %HOST", "Content-Type: application/x-www-form-urlencoded"},
		body: "Action=SendMessage&MessageBody=hi+there&Version=2012-11-05",
	},
	"OldHTTP": {
		head: []string{"POST /%ACCOUNT/%QUEUE HTTP/1.0", "Content-Type: application/x-www-form-urlencoded", scope},
		body: "Action=SendMessage&MessageBody=hi+there",
	},
	"JSON11": {
		head: []string{"POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.1", "X-Amz-Target: AmazonSQS.SendMessage", scope},
		body: `{"QueueUrl":"http://%HOST/%ACCOUNT/%QUEUE","MessageBody":"hi there"}`, json: true,
	},
	"JSONWithCharset": {
		head: []string{"POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0; charset=UTF-8", "X-Amz-Target: AmazonSQS.SendMessage", scope},
		body: `{"QueueUrl":"http://%HOST/%ACCOUNT/%QUEUE","MessageBody":"hi there"}`, json: true,
	},
	"JSONLowerCaseHeaders": {
		head: []string{"POST / HTTP/1.1", "host: %HOST", "content-type: application/x-amz-json-1.0", "x-amz-target: AmazonSQS.SendMessage", strings.ToLower(scope[:13]) + scope[13:]},
		body: `{"QueueUrl":"http://%HOST/%ACCOUNT/%QUEUE","MessageBody":"hi there"}`, json: true,
	},
	"JSONUpperCaseHeaders": {
		head: []string{"POST / HTTP/1.1", "HOST: %HOST", "CONTENT-TYPE: application/x-amz-json-1.0", "X-AMZ-TARGET: AmazonSQS.SendMessage", scope},
		body: `{"QueueUrl":"http://%HOST/%ACCOUNT/%QUEUE","MessageBody":"hi there"}`, json: true,
	},
	"JSONOnTheQueuesPath": {
		head: []string{"POST /%ACCOUNT/%QUEUE HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", "X-Amz-Target: AmazonSQS.SendMessage", scope},
		body: `{"MessageBody":"hi there"}`, json: true,
	},
	"JSONScopeWithoutRegion": {
		head: []string{
			"POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", "X-Amz-Target: AmazonSQS.SendMessage",
			"Authorization: AWS4-HMAC-SHA256 Credential=%ACCOUNT/20260101//sqs/aws4_request, SignedHeaders=host, Signature=00",
		},
		body: `{"QueueUrl":"%QUEUE","MessageBody":"hi there"}`, json: true,
	},
	"JSONUnknownMembersAndNulls": {
		head: []string{"POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", "X-Amz-Target: AmazonSQS.SendMessage", scope},
		body: `{"Future":{"a":[1,{}]},"QueueUrl":"%QUEUE","MessageBody":"hi there","DelaySeconds":null,"MessageAttributes":null,"MessageGroupId":null}`, json: true,
	},
	"JSONEscapesOfPHP": {
		head: []string{"POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", "X-Amz-Target: AmazonSQS.SendMessage", "Connection: close", "Accept: application/json", scope},
		body: `{"QueueUrl":"http:\/\/%HOST\/%ACCOUNT\/%QUEUE","MessageBody":"\u0068i the\u0072e"}`, json: true,
	},
	"JSONChunked": {
		head: []string{"POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", "X-Amz-Target: AmazonSQS.SendMessage", "Transfer-Encoding: chunked", scope},
		body: `{"QueueUrl":"/%QUEUE","MessageBody":"hi there"}`, json: true,
	},
	"FormChunked": {
		head: []string{"POST /%ACCOUNT/%QUEUE HTTP/1.1", "Host: %HOST", "Content-Type: application/x-www-form-urlencoded", "Transfer-Encoding: chunked", scope},
		body: "Action=SendMessage&MessageBody=hi+there",
	},
	"ExpectContinue": {
		head: []string{"POST /%ACCOUNT/%QUEUE HTTP/1.1", "Host: %HOST", "Content-Type: application/x-www-form-urlencoded", "Expect: 100-continue", scope},
		body: "Action=SendMessage&MessageBody=hi+there",
	},
}

// Each client's form of a request stores the message that it meant.
func TestRequestsOfRealClients(t *testing.T) {
	t.Parallel()
	for name, tt := range legacy {
		t.Run(name, func(t *testing.T) {
			forServers(t, func(t *testing.T, s *server) {
				e := newEnv(t, s, wireJSON)
				queue := freshName()
				url := e.createNamed(t, queue, nil)
				res := s.raw(t, e.lines(queue, tt.body, tt.head...))
				want := "text/xml"
				if tt.json {
					want = "application/x-amz-json-1.0"
				}
				r := readReply(t, res).wantOK(t)
				if got := res.Header.Get("Content-Type"); got != want {
					t.Errorf("content type %q, want %q", got, want)
				}
				if !strings.Contains(r.Body, "MD5OfMessageBody") {
					t.Errorf("the answer has no digest: %s", r.Body)
				}
				wantBodies(t, e.receive(t, url), "hi there")
			})
		})
	}
}

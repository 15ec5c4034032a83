package integration

import (
	"net/http"
	"net/url"
	"testing"
)

// signed makes a fact of an action that is served with these headers. It makes
// sure that the message lands in the queue of the account and region given, in
// which ACCOUNT stands for the account of the test.
func signed(name, account, region string, headers ...string) fact {
	return fact{anyAction, name, "", func(t *testing.T, e *env) {
		if account != "ACCOUNT" {
			e = e.client(t, e.wire, account, e.region)
		}
		e = e.client(t, e.wire, e.account, region)
		e.createNamed(t, "q", nil)
		h, body := jsonHeader("SendMessage"), `{"QueueUrl":"q","MessageBody":"b"}`
		if e.wire.query {
			h, body = formHeader.Clone(), "Action=SendMessage&Version=2012-11-05&QueueUrl=q&MessageBody=b"
		}
		h["Authorization"] = nil
		for i := 0; i+1 < len(headers); i += 2 {
			h[http.CanonicalHeaderKey(headers[i])] = []string{inAccount(headers[i+1], e.account)}
		}
		e.post(t, "/", h, body).wantOK(t)
		wantBodies(t, e.receive(t, e.url+"/"+e.account+"/q"), "b")
	}}
}

// inAccount puts an account where a text says ACCOUNT.
func inAccount(text, account string) string {
	const word = "ACCOUNT"
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i:i+len(word)] == word {
			return text[:i] + account + text[i+len(word):]
		}
	}
	return text
}

// The server does not verify signatures; it takes account and region from them
// and is lenient about their form.
func TestFactsOfSignatures(t *testing.T) {
	const nobody, rest = "000000000000", ", SignedHeaders=host;x-amz-date, Signature=00"
	runFacts(t, []fact{
		signed("Unsigned", nobody, "us-east-1"),
		signed("AccountAndRegionOfTheScope", "ACCOUNT", "eu-central-1", "Authorization", "AWS4-HMAC-SHA256 Credential=ACCOUNT/20260101/eu-central-1/sqs/aws4_request"+rest),
		signed("ScopeWithoutRegion", "ACCOUNT", "us-east-1", "Authorization", "AWS4-HMAC-SHA256 Credential=ACCOUNT/20260101//sqs/aws4_request"+rest),
		signed("ScopeOfAnotherService", "ACCOUNT", "us-east-1", "Authorization", "AWS4-HMAC-SHA256 Credential=ACCOUNT/20260101/us-east-1/s3/aws4_request"+rest),
		signed("NoBlanksAfterCommas", "ACCOUNT", "eu-west-1", "Authorization", "AWS4-HMAC-SHA256 Credential=ACCOUNT/20260101/eu-west-1/sqs/aws4_request,SignedHeaders=host,Signature=00"),
		signed("SessionToken", "ACCOUNT", "us-east-1", "Authorization", "AWS4-HMAC-SHA256 Credential=ACCOUNT/20260101/us-east-1/sqs/aws4_request"+rest, "X-Amz-Security-Token", "IQoJb3JpZ2luX2VjEXAMPLE=="),
		signed("OldDate", "ACCOUNT", "us-east-1", "Authorization", "AWS4-HMAC-SHA256 Credential=ACCOUNT/20150619/us-east-1/sqs/aws4_request"+rest, "X-Amz-Date", "20150619T100249Z"),
		signed("AKeyThatIsNoAccount", nobody, "us-east-1", "Authorization", "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20260101/us-east-1/sqs/aws4_request"+rest),
		signed("MalformedCredential", nobody, "us-east-1", "Authorization", "AWS4-HMAC-SHA256 Credential=bogus"),
		signed("AnotherScheme", nobody, "us-east-1", "Authorization", "Bearer x"),
		signed("PayloadHash", "ACCOUNT", "us-east-1", "Authorization", "AWS4-HMAC-SHA256 Credential=ACCOUNT/20260101/us-east-1/sqs/aws4_request"+rest, "X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD"),
		{anyAction, "PresignedURL", onlyQuery, func(t *testing.T, e *env) {
			abroad := e.client(t, e.wire, e.account, "ap-south-1")
			abroad.createNamed(t, "q", nil)
			presigned := url.Values{
				"Action": {"SendMessage"}, "MessageBody": {"b"}, "Version": {"2012-11-05"}, "X-Amz-Algorithm": {"AWS4-HMAC-SHA256"},
				"X-Amz-Credential": {e.account + "/20260101/ap-south-1/sqs/aws4_request"}, "X-Amz-Date": {"20260101T000000Z"},
				"X-Amz-Expires": {"900"}, "X-Amz-SignedHeaders": {"host"}, "X-Amz-Signature": {"00"}, "X-Amz-Security-Token": {"token"},
			}
			e.get(t, "/"+e.account+"/q?"+presigned.Encode(), http.Header{"Authorization": nil}).wantOK(t)
			wantBodies(t, abroad.receive(t, e.url+"/"+e.account+"/q"), "b")
		}},
		{anyAction, "SignatureVersion2", onlyQuery, func(t *testing.T, e *env) {
			e.createNamed(t, "q", nil)
			e.get(t, "/"+e.account+"/q?AWSAccessKeyId="+e.account+"&Action=SendMessage&Expires=2026-01-01T00%3A00%3A00Z&MessageBody=b&SignatureMethod=HmacSHA256&SignatureVersion=2&Version=2011-10-01&Signature=AAAA", http.Header{"Authorization": nil}).wantOK(t)
			wantBodies(t, e.receive(t, e.url+"/"+e.account+"/q"), "b")
		}},
		{anyAction, "TwoRegionsTwoQueues", "", func(t *testing.T, e *env) {
			abroad := e.client(t, e.wire, e.account, "eu-west-1")
			here := e.createNamed(t, "q", nil)
			abroad.call(t, "GetQueueUrl", args{"QueueName": "q"}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
			abroad.createNamed(t, "q", nil)
			e.send(t, here, "b")
			abroad.wantNothing(t, here)
			if arn := abroad.arn(t, here); arn != "arn:aws:sqs:eu-west-1:"+e.account+":q" {
				t.Errorf("the ARN is %s", arn)
			}
		}},
	})
}

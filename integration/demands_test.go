package integration

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// demand is one thing that clients in use need of a server, with the clients
// that break without it. They are in the order of how many do.
type demand struct {
	number int
	name   string
	// clients are some that need it, in words.
	clients string
	// run checks it. It is called for each protocol at each place.
	run func(t *testing.T, e *env)
}

// Each demand has its shortest check here. Deeper ones are in the tests beside:
// legacy_test.go has whole requests of old clients, url_test.go the forms of
// queue URLs, digest_test.go recorded digests, errors_test.go the errors,
// answers_test.go the spelling of answers, queryforms_test.go lists of forms,
// abort_test.go polls that are cut off, attributevalues_test.go what attributes
// keep. integration/clients runs the clients themselves.
func TestDemands(t *testing.T) {
	t.Parallel()
	demands := append(demandsOfRequests, demandsOfAnswers...)
	seen := map[int]bool{}
	for _, d := range demands {
		seen[d.number] = true
		t.Run(fmt.Sprintf("Demand%02d%s", d.number, d.name), func(t *testing.T) { forEach(t, d.run) })
	}
	for n := 1; n <= 21; n++ {
		if !seen[n] || len(demands) != 21 {
			t.Errorf("demand %d of 21 is not there once", n)
		}
	}
}

// demandsOfRequests are about what must be understood.
var demandsOfRequests = []demand{
	{1, "ContentTypeChoosesTheProtocol", "Amazon::SQS::Simple", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, path := range []string{"/", e.path(u), "/any/other"} {
			h := formHeader.Clone()
			h.Set("X-Amz-Target", "AmazonSQSv20121105.SendMessage")
			r := e.post(t, path, h, "Action=SendMessage&MessageBody=b&QueueUrl="+u).wantOK(t)
			wantType(t, r, "text/xml")
			wantType(t, e.post(t, path, jsonHeader("SendMessage"), `{"MessageBody":"b","QueueUrl":"`+u+`"}`).wantOK(t), "application/x-amz-json-1.0")
		}
		e.wantCounts(t, u, counts{"6", "0", "0"})
	}},
	{2, "TheLastSegmentIsTheQueue", "boto 2, fog, KEDA, proxies", func(t *testing.T, e *env) {
		e.createNamed(t, "jobs", nil)
		own := e.account + "/jobs"
		for _, u := range []string{"https://sqs.us-east-1.example/" + own, "http://other:1/" + own, "jobs", "/jobs", "http://" + e.host + "/" + own + "/"} {
			e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b"}).wantOK(t)
		}
		e.post(t, "/"+own, formHeader, "Action=SendMessage&MessageBody=b").wantOK(t)
		e.post(t, "/http://"+e.host+"/"+own, formHeader, "Action=SendMessage&MessageBody=b").wantOK(t)
		e.wantCounts(t, e.url+"/"+own, counts{"7", "0", "0"})
	}},
	{3, "QueueURLsAreOnTheCallersHost", "JavaScript v2, Perl, Ruby, PHP, Java v1, Terraform", func(t *testing.T, e *env) {
		want := "http://queues.example:4566/" + e.account + "/jobs"
		if got := e.createFor(t, "jobs", "queues.example:4566"); !strings.Contains(got.Body, want) {
			t.Errorf("the answer is %s, want %s in it", got.Body, want)
		}
	}},
	{4, "AHostWithoutPortGetsTheListeners", "Perl, fog, Ruby v1", func(t *testing.T, e *env) {
		host, _, _ := strings.Cut(e.host, ":")
		want := "http://" + e.host + "/" + e.account + "/jobs"
		if got := e.createFor(t, "jobs", host); !strings.Contains(got.Body, want) {
			t.Errorf("the answer is %s, want %s in it", got.Body, want)
		}
	}},
	{13, "ListsOfFormsNeedNoNumbers", "Perl, boto 2, fog, JavaScript v3 of old, ex_aws", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.query(t, "Action=SetQueueAttributes&Attribute.Name=DelaySeconds&Attribute.Value=0&QueueUrl="+u).wantOK(t)
		e.query(t, "Action=SendMessage&MessageBody=b&MessageAttribute.3.Name=n&MessageAttribute.3.Value.DataType=Number&MessageAttribute.3.Value.StringValue=1&QueueUrl="+u).wantOK(t)
		r := e.query(t, "Action=ReceiveMessage&AttributeName=All&MessageAttributeNames=All&QueueUrl="+u).wantOK(t)
		for _, part := range []string{"<Name>ApproximateReceiveCount</Name>", "<Name>n</Name>"} {
			if !strings.Contains(r.Body, part) {
				t.Errorf("the answer has no %s: %s", part, r.Body)
			}
		}
		e.query(t, "Action=SendMessageBatch&SendMessageBatchRequestEntry=&QueueUrl="+u).wantCode(t, "AWS.SimpleQueueService.EmptyBatchRequest")
	}},
	{14, "VersionAndOrderAreFree", "aws-lite, kombu, JavaScript v3 of old, boto 2, sqs of npm", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, form := range []string{"Action=SendMessage&MessageBody=b&QueueUrl=" + u, "Version=2009-02-01&MessageBody=b&QueueUrl=" + u + "&Action=SendMessage"} {
			e.post(t, "/", formHeader, form).wantOK(t)
			e.get(t, "/?"+form, nil).wantOK(t)
		}
		e.wantCounts(t, u, counts{"4", "0", "0"})
	}},
	{15, "SignaturesAreTakenAsTheyAre", "Go v2 without a region, Perl, boto 2, sqs of npm", func(t *testing.T, e *env) {
		const head = "AWS4-HMAC-SHA256 Credential=KEY/20260101/"
		for _, sent := range []string{
			"", head + "/sqs/aws4_request, SignedHeaders=host, Signature=00", head + "us-east-1/s3/aws4_request, SignedHeaders=host, Signature=00",
			head + "us-east-1/sqs/aws4_request,SignedHeaders=host,Signature=00",
		} {
			h := jsonHeader("ListQueues")
			h["Authorization"] = []string{sent}
			if sent == "" {
				h["Authorization"] = nil
			}
			e.post(t, "/", h, "{}").wantOK(t)
		}
		e.get(t, "/?Action=ListQueues&AWSAccessKeyId=KEY&SignatureVersion=2&SignatureMethod=HmacSHA256&Signature=AAAA", http.Header{"Authorization": nil}).wantOK(t)
	}},
	{19, "JSONIsReadLeniently", "sqs-consumer, AWS's newer SDKs", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, kind := range []string{"application/x-amz-json-1.0", "application/x-amz-json-1.1", "application/x-amz-json-1.0; charset=utf-8"} {
			h := jsonHeader("ReceiveMessage")
			h.Set("Content-Type", kind)
			e.post(t, "/", h, `{"QueueUrl":"`+u+`","AttributeNames":[],"MessageAttributeNames":null,"NoSuchMember":{"a":[1]}}`).wantOK(t)
		}
		e.post(t, "/", jsonHeader("ListQueues"), "").wantOK(t)
	}},
}

// path is the path of a queue's URL.
func (e *env) path(url string) string { return strings.TrimPrefix(url, e.url) }

// createFor makes a queue by a request that names a host of its own.
func (e *env) createFor(t *testing.T, name, host string) *reply {
	t.Helper()
	header, body := jsonHeader("CreateQueue"), `{"QueueName":"`+name+`"}`
	if e.wire.query {
		header, body = formHeader.Clone(), "Action=CreateQueue&QueueName="+name
	}
	header.Set("Host", host)
	return e.post(t, "/", header, body).wantOK(t)
}

// wantType checks the type of an answer.
func wantType(t *testing.T, r *reply, want string) {
	t.Helper()
	if got := r.Header.Get("Content-Type"); !strings.HasPrefix(got, want) {
		t.Errorf("the answer is %s, want %s", got, want)
	}
}

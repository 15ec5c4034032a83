package integration

import (
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/google/go-cmp/cmp"
)

// demandsOfAnswers are about what must be said.
var demandsOfAnswers = []demand{
	{5, "DigestsOfBodies", "the SDKs of JavaScript, Go, Java, Ruby, .NET, PHP", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		const body = "é\r\n\t\"<&>"
		sum := md5.Sum([]byte(body))
		want := hex.EncodeToString(sum[:])
		if out := e.send(t, u, body); aws.ToString(out.MD5OfMessageBody) != want {
			t.Errorf("the send has digest %q, want %s", aws.ToString(out.MD5OfMessageBody), want)
		}
		if m := e.receiveOne(t, u); aws.ToString(m.MD5OfBody) != want {
			t.Errorf("the receive has digest %q, want %s", aws.ToString(m.MD5OfBody), want)
		}
		if out := e.sendBatch(t, u, body); aws.ToString(out.Successful[0].MD5OfMessageBody) != want {
			t.Errorf("the batch has digest %q, want %s", aws.ToString(out.Successful[0].MD5OfMessageBody), want)
		}
	}},
	{6, "DigestsOfTheAttributesReturned", "the SDKs of Java, .NET, Ruby, PHP", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"VisibilityTimeout": "0"})
		values := map[string]args{"a": {"DataType": "String", "StringValue": "x"}, "b": {"DataType": "Number", "StringValue": "1"}}
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b", "MessageAttributes": values}).wantOK(t)
		for names, want := range map[string]string{
			"a": digestOf("a", "String", "x"), "b": digestOf("b", "Number", "1"), "All": digestOf("a", "String", "x", "b", "Number", "1"), "none": "", "": "",
		} {
			in := args{"QueueUrl": u}
			if names != "" {
				in["MessageAttributeNames"] = list{names}
			}
			r := e.call(t, "ReceiveMessage", in)
			if m := r.messages(t)[0]; m.MD5OfMessageAttributes != want {
				t.Errorf("for %q the digest is %q, want %q", names, m.MD5OfMessageAttributes, want)
			}
			if has := strings.Contains(r.Body, "StringValue"); has != (want != "") {
				t.Errorf("for %q the answer has attributes: %v, want %v", names, has, want != "")
			}
		}
	}},
	{7, "EveryJSONErrorHasTheOldCode", "the AWS CLI, JavaScript v2, Go v1, Terraform, Shoryuken", func(t *testing.T, e *env) {
		for action, in := range map[string]string{"GetQueueUrl": `{"QueueName":"no"}`, "SendMessage": `{"QueueUrl":"` + e.url + `/` + e.account + `/no","MessageBody":"b"}`, "NoSuch": `{}`, "CreateQueue": `{"QueueName":"!"}`} {
			r := e.post(t, "/", jsonHeader(action), in)
			code, fault, _ := strings.Cut(r.Header.Get("X-Amzn-Query-Error"), ";")
			if r.Status < 400 || code == "" || fault != "Sender" {
				t.Errorf("%s: status %d, x-amzn-query-error %q", action, r.Status, r.Header.Get("X-Amzn-Query-Error"))
			}
		}
	}},
	{8, "JSONErrorsHaveTheNameOfTheShape", "Spring, MassTransit, all SDKs of today", func(t *testing.T, e *env) {
		r := e.post(t, "/", jsonHeader("GetQueueUrl"), `{"QueueName":"no"}`)
		if r.Shape != "com.amazonaws.sqs#QueueDoesNotExist" || r.Code != "AWS.SimpleQueueService.NonExistentQueue" {
			t.Errorf("the error is %q with the code %q", r.Shape, r.Code)
		}
	}},
	{9, "XMLIsSpelledAsAWSDoes", "JavaScript v3 of old, sqs of npm, every parser of XML", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "a\rb\nc\td<e>&")
		r := e.query(t, "Action=ReceiveMessage&QueueUrl="+u).wantOK(t)
		if want := "<Body>a&#xD;b\nc\td&lt;e&gt;&amp;</Body>"; !strings.Contains(r.Body, want) {
			t.Errorf("the answer is %q, want %q in it", r.Body, want)
		}
	}},
	{10, "XMLHasItsResultEvenWhenEmpty", "botocore", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for action, want := range map[string]string{"ListQueueTags": "ListQueueTagsResult", "ReceiveMessage": "ReceiveMessageResult", "ListDeadLetterSourceQueues": "ListDeadLetterSourceQueuesResult"} {
			if r := e.query(t, "Action="+action+"&QueueUrl="+u).wantOK(t); !strings.Contains(r.Body, "<"+want) {
				t.Errorf("%s answers %s", action, r.Body)
			}
		}
	}},
	{11, "ErrorsAreInTheProtocol", "JavaScript v3, Go v1, Go v2", func(t *testing.T, e *env) {
		header, kind := jsonHeader("NoSuch"), "application/x-amz-json-1.0"
		if e.wire.query {
			header, kind = formHeader, "text/xml"
		}
		for _, path := range []string{"/", "/no/such/path/at/all", "/" + e.account + "/no"} {
			r := e.post(t, path, header, "Action=NoSuch")
			wantType(t, r, kind)
			if r.Status < 400 || r.Code == "" {
				t.Errorf("%s: status %d, code %q", path, r.Status, r.Code)
			}
		}
	}},
	{12, "JSONHasItsTypes", "Go v1, Go v2", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		r := e.post(t, "/", jsonHeader("DeleteMessageBatch"), `{"QueueUrl":"`+u+`","Entries":[{"Id":"a","ReceiptHandle":"nonsense"}]}`).wantOK(t)
		if !strings.Contains(r.Body, `"SenderFault":true`) {
			t.Errorf("the answer is %s", r.Body)
		}
	}},
	{16, "APollThatIsCutOffTakesNothing", "sqs-consumer, JavaScript's AbortSignal, Go's contexts, Spring", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"VisibilityTimeout": "1"})
		abort, got := e.abortable(t, u)
		if e.bubble {
			synctest.Wait() // the poll is parked
		}
		abort()
		for range got {
			t.Error("the poll got a message of an empty queue")
		}
		if e.bubble {
			synctest.Wait() // the server has seen it
		}
		e.send(t, u, "next")
		// Elsewhere nothing tells when the server has seen it, and an answer that
		// was out before counts as a receive.
		if m := e.receiveOne(t, u, waitFor(20)); e.bubble && receiveCount(m) != "1" {
			t.Errorf("receive count %s, want 1", receiveCount(m))
		}
	}},
	{17, "AttributesThatAreNotSetAreLeftOut", "NServiceBus, Spring", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		if got := e.attributes(t, u, "RedrivePolicy"); len(got) != 0 {
			t.Errorf("got %v, want nothing", got)
		}
		e.call(t, "GetQueueAttributes", args{"QueueUrl": u, "AttributeNames": list{"NoSuch"}}).wantCode(t, "InvalidAttributeName")
	}},
	{18, "AttributesComeBackAsSent", "Terraform", func(t *testing.T, e *env) {
		dead := e.createNamed(t, "dead", nil)
		u := e.create(t, attrs{"DelaySeconds": "7", "SqsManagedSseEnabled": "false"})
		policy := `{"maxReceiveCount":3,"deadLetterTargetArn":"` + e.arn(t, dead) + `"}`
		e.setAttributes(t, u, attrs{"RedrivePolicy": policy})
		var want, got any
		if err := json.Unmarshal([]byte(policy), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(e.attributes(t, u, "RedrivePolicy")["RedrivePolicy"]), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("policy (-want +got):\n%s", diff)
		}
		e.wantAttributes(t, u, attrs{"DelaySeconds": "7", "SqsManagedSseEnabled": "false"})
		e.setAttributes(t, u, attrs{"RedrivePolicy": ""})
		if got := e.attributes(t, u, "RedrivePolicy"); len(got) != 0 {
			t.Errorf("after it was cleared the policy is %v", got)
		}
	}},
	{20, "JSONLeavesOutWhatIsEmpty", "the AWS CLI", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for action, in := range map[string]string{"ReceiveMessage": `{"QueueUrl":"` + u + `"}`, "ListQueueTags": `{"QueueUrl":"` + u + `"}`, "ListQueues": `{"QueueNamePrefix":"nothing"}`} {
			if r := e.post(t, "/", jsonHeader(action), in).wantOK(t); r.Body != "{}" {
				t.Errorf("%s answers %s, want {}", action, r.Body)
			}
		}
	}},
	{21, "HeadersOfAnswers", "Go, JavaScript, botocore", func(t *testing.T, e *env) {
		r := e.call(t, "ListQueues", args{}).wantOK(t)
		want := "application/x-amz-json-1.0"
		if e.wire.query {
			want = "text/xml"
		}
		wantType(t, r, want)
		if r.Header.Get("X-Amzn-RequestId") == "" || r.Header.Get("Content-Length") != strconv.Itoa(len(r.Body)) {
			t.Errorf("the headers are %v for %d bytes", r.Header, len(r.Body))
		}
		if _, err := http.ParseTime(r.Header.Get("Date")); err != nil {
			t.Errorf("the date, by which clients correct their clocks: %v", err)
		}
	}},
}

// digestOf is the digest of message attributes of text, given as name, type
// and value of each, sorted by name.
func digestOf(parts ...string) string {
	h := md5.New()
	for i, part := range parts {
		if i%3 == 2 {
			h.Write([]byte{1})
		}
		h.Write(binary.BigEndian.AppendUint32(nil, uint32(len(part))))
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil))
}

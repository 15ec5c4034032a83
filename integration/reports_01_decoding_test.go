package integration

import (
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

var reportsOfDecoding = []report{
	{1, "B001", "JSONErrorsAreJSON", func(t *testing.T, e *env) {
		for _, tt := range []struct{ action, body, code, shape string }{
			{"GetQueueUrl", `{"QueueName":"nope"}`, noQueue, sqsShape + "QueueDoesNotExist"},
			{"CreateQueue", `{"QueueName":`, "MalformedInput", coralShape + "SerializationException"},
			{"NoSuchAction", `{}`, "InvalidAction", coralShape + "UnknownOperationException"},
		} {
			r := e.post(t, "/", jsonHeader(tt.action), tt.body)
			r.wantForm(t, wireJSON)
			r.wantStatus(t, 400).wantCode(t, tt.code).wantShape(t, tt.shape)
			if r.Message == "" {
				t.Errorf("%s: no message in %s", tt.action, r.Body)
			}
		}
	}, nil},
	{1, "B003", "HeaderNamesInAnyCaseAndChunks", func(t *testing.T, e *env) {
		for i, target := range []string{"x-amz-target", "X-AMZ-TARGET", "X-Amz-Target"} {
			for j, length := range []string{"Connection: keep-alive", "Transfer-Encoding: chunked"} {
				name := strings.Repeat("long-name", 8) + string(rune('a'+2*i+j))
				res := e.raw(t, e.lines(name, `{"QueueName":"%QUEUE"}`, "POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", length, target+": AmazonSQS.CreateQueue", scope))
				readReply(t, res).wantOK(t)
				e.call(t, "GetQueueUrl", args{"QueueName": name}).wantOK(t)
			}
		}
	}, nil},
	{1, "B004", "FormsWithCharsetAndGets", func(t *testing.T, e *env) {
		h := http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=utf-8"}}
		path := "/" + e.account + "/q"
		for _, r := range []*reply{
			e.post(t, "/", h, "Action=CreateQueue&Version=2012-11-05&QueueName=q"),
			e.post(t, path, formHeader, "Action=SendMessage&Version=2012-11-05&MessageBody=hi+there"),
			e.post(t, path, formHeader, "Action=SendMessage&MessageBody=hi+there"),
			e.get(t, path+"?Action=SendMessage&Version=2012-11-05&MessageBody=hi+there", nil),
		} {
			if ct := r.wantOK(t).Header.Get("Content-Type"); ct != "text/xml" {
				t.Errorf("content type %s", ct)
			}
		}
		wantBodies(t, e.receive(t, "q"), "hi there", "hi there", "hi there")
	}, nil},
	{1, "B006", "MessageAttributeNameWithoutNumber", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"VisibilityTimeout": "0"})
		e.send(t, u, "b", func(in *sqs.SendMessageInput) {
			in.MessageAttributes = map[string]messageAttribute{"x": text("String", "v"), "y": text("String", "w")}
		})
		for _, ask := range []string{"MessageAttributeName=x", "MessageAttributeName.1=x", "MessageAttributeName.2=x"} {
			r := e.query(t, "Action=ReceiveMessage&QueueUrl="+u+"&"+ask).wantOK(t)
			if !strings.Contains(r.Body, "<Name>x</Name>") || strings.Contains(r.Body, "<Name>y</Name>") {
				t.Errorf("%s: %s", ask, r.Body)
			}
		}
	}, nil},
	{1, "B007", "TagsOfCreateQueue", func(t *testing.T, e *env) {
		want := attrs{"k1": "v1", "k2": "v2"}
		e.call(t, "CreateQueue", args{"QueueName": "t", "tags": want}).wantOK(t)
		e.wantTags(t, "t", want)
		e.post(t, "/", jsonHeader("CreateQueue"), `{"QueueName":"upper","Tags":{"k1":"v1","k2":"v2"}}`).wantOK(t)
		e.wantTags(t, "upper", want)
		e.query(t, "Action=CreateQueue&QueueName=form&Tag.1.Key=k1&Tag.1.Value=v1&Tag.2.Key=k2&Tag.2.Value=v2").wantOK(t)
		e.wantTags(t, "form", want)
	}, nil},
	{1, "B009", "AllAttributes", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, ask := range []list{{"All"}, {"All", "QueueArn"}} {
			r := e.call(t, "GetQueueAttributes", args{"QueueUrl": u, "AttributeNames": ask}).wantOK(t)
			if diff := cmp.Diff(standardAttributes, names(r.attributes(t))); diff != "" {
				t.Errorf("%v: (-want +got):\n%s", ask, diff)
			}
		}
	}, nil},
	{1, "B010", "NumbersAsTextAndTextAsNumbers", func(t *testing.T, e *env) {
		e.post(t, "/", jsonHeader("CreateQueue"), `{"QueueName":"n","Attributes":{"VisibilityTimeout":20,"FifoQueue":true}}`).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		e.post(t, "/", jsonHeader("CreateQueue"), `{"QueueName":"n.fifo","Attributes":{"VisibilityTimeout":20,"FifoQueue":true}}`).wantOK(t)
		if got := e.attributes(t, "n.fifo", "VisibilityTimeout", "FifoQueue"); got["VisibilityTimeout"] != "20" || got["FifoQueue"] != "true" {
			t.Errorf("a number or a boolean was ignored: %v", got)
		}
		e.post(t, "/", jsonHeader("CreateQueue"), `{"QueueName":"n","Attributes":{"VisibilityTimeout":[20]}}`).wantStatus(t, 400).wantCode(t, "MalformedInput")
		u := e.create(t, nil)
		e.sendBatch(t, u, "1", "2", "3", "4", "5", "6")
		r := e.post(t, "/", jsonHeader("ReceiveMessage"), `{"QueueUrl":"`+u+`","MaxNumberOfMessages":"5","WaitTimeSeconds":"0","VisibilityTimeout":null,"MessageAttributeNames":null}`)
		if n := len(r.messages(t)); n != 5 {
			t.Errorf("received %d, want 5", n)
		}
		e.wantCounts(t, u, counts{"1", "5", "0"})
	}, nil},
}

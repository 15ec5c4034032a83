package integration

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// corner is a corner of the wire format, with what AWS was recorded to answer.
type corner struct {
	id   string
	name string
	run  func(t *testing.T, e *env)
}

func TestCornersOfTheWire(t *testing.T) {
	t.Parallel()
	for _, c := range []corner{
		{"W1.3", "TheLongestFormsOfAMessage", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			const limit = 1 << 20
			if e.wire.query {
				e.query(t, "Action=SendMessage&QueueUrl="+u+"&MessageBody="+strings.Repeat("%61", limit)).wantOK(t)
			} else {
				e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"`+u+`","MessageBody":"`+strings.Repeat(`\u0061`, limit)+`"}`).wantOK(t)
			}
			if m := e.receiveOne(t, u); *m.Body != strings.Repeat("a", limit) {
				t.Errorf("the body came back with %d bytes", len(*m.Body))
			}
		}},
		{"W1.11", "AbsentMembersOfJSONForQueryAreNull", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			h := formHeader.Clone()
			h.Set("Accept", "application/json")
			r := e.post(t, "/", h, "Action=SendMessage&MessageBody=b&QueueUrl="+u).wantOK(t)
			var got struct {
				SendMessageResponse struct{ SendMessageResult map[string]any }
			}
			if err := json.Unmarshal([]byte(r.Body), &got); err != nil {
				t.Fatal(err)
			}
			want := map[string]any{
				"MD5OfMessageBody": "92eb5ffee6ae2fec3ad71c777531578f", "MD5OfMessageAttributes": nil, "MD5OfMessageSystemAttributes": nil,
				"SequenceNumber": nil, "MessageId": got.SendMessageResponse.SendMessageResult["MessageId"],
			}
			if diff := cmp.Diff(want, got.SendMessageResponse.SendMessageResult); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}},
		{"W2.8", "QueuesAreDeletedByGetToo", func(t *testing.T, e *env) {
			e.createNamed(t, "q", nil)
			e.get(t, "/"+e.account+"/q?Action=DeleteQueue", nil).wantOK(t)
			e.call(t, "GetQueueUrl", args{"QueueName": "q"}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
		}},
		{"W2.9", "TheEmptyNameIsNoAttribute", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, names := range []list{{""}, {"All", ""}} {
				e.call(t, "GetQueueAttributes", args{"QueueUrl": u, "AttributeNames": names}).
					wantCode(t, "InvalidAttributeName").wantText(t, "Unknown Attribute .")
			}
		}},
		{"W2.12", "UnknownMessageAttributeNamesAreIgnored", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			for _, in := range []args{{"AttributeNames": list{"Policy"}}, {"MessageAttributeNames": list{"AWS.", "..x"}}} {
				in["QueueUrl"], in["VisibilityTimeout"] = u, 0
				if r := e.call(t, "ReceiveMessage", in).wantOK(t); !strings.Contains(r.Body, "Body") || strings.Contains(r.Body, "Attribute") {
					t.Errorf("%v: %s", in, r.Body)
				}
			}
		}},
		{"W2.14", "ThePageSizeMayChange", func(t *testing.T, e *env) {
			names := []string{"p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"}
			for _, name := range names {
				e.createNamed(t, name, nil)
			}
			first, err := e.sqs.ListQueues(t.Context(), &sqs.ListQueuesInput{QueueNamePrefix: aws.String("p"), MaxResults: aws.Int32(2)})
			if err != nil {
				t.Fatal(err)
			}
			rest, err := e.sqs.ListQueues(t.Context(), &sqs.ListQueuesInput{QueueNamePrefix: aws.String("p"), MaxResults: aws.Int32(10), NextToken: first.NextToken})
			if err != nil {
				t.Fatal(err)
			}
			if rest.NextToken != nil {
				t.Errorf("a token after the last page: %q", *rest.NextToken)
			}
			for i, u := range append(first.QueueUrls, rest.QueueUrls...) {
				if i >= len(names) || !strings.HasSuffix(u, "/"+names[i]) {
					t.Errorf("queue %d is %s", i, u)
				}
			}
			if n := len(first.QueueUrls) + len(rest.QueueUrls); n != len(names) {
				t.Errorf("%d queues on two pages", n)
			}
		}},
		{"W4.5", "GroupsAreNotPartOfTheSize", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"MaximumMessageSize": "1024"})
			e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": strings.Repeat("x", 1024), "MessageGroupId": strings.Repeat("g", 128)}).wantOK(t)
		}},
	} {
		t.Run(c.id+c.name, func(t *testing.T) { forEachInBubble(t, c.run) })
	}
}

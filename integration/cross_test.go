package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// What one protocol sends, the other receives unchanged.
func TestMessagesCrossTheProtocols(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		other := e.speaking(t, e.other())
		url := e.create(t, nil)
		for name, tt := range texts {
			given := map[string]messageAttribute{
				"text":   text("String.x", tt.body),
				"number": text("Number", "230.000000000000000001"),
				"bytes":  blob("Binary", 0, 1, 2, 0xff, '\r', '\n'),
			}
			sent := e.send(t, url, tt.body, func(in *sqs.SendMessageInput) { in.MessageAttributes = given })
			got := other.receiveOne(t, url)
			if *got.Body != tt.body || *got.MessageId != *sent.MessageId || *got.MD5OfBody != *sent.MD5OfMessageBody {
				t.Errorf("%s: sent %q as %s, received %q as %s", name, tt.body, *sent.MessageId, *got.Body, *got.MessageId)
			}
			if diff := cmp.Diff(given, got.MessageAttributes, cmpopts.IgnoreUnexported(messageAttribute{})); diff != "" {
				t.Errorf("%s: attributes (-want +got):\n%s", name, diff)
			}
			if aws.ToString(sent.MD5OfMessageAttributes) != aws.ToString(got.MD5OfMessageAttributes) {
				t.Errorf("%s: digests of the attributes differ", name)
			}
			e.delete(t, url, got)
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

// Handles, attributes and tags are one thing for both.
func TestStateCrossesTheProtocols(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		other := e.speaking(t, e.other())
		policy := `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"sqs:*","Resource":"<&>"}]}`
		url := e.create(t, attrs{"VisibilityTimeout": "600", "Policy": policy})
		e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{"k": "a+b=c @:/."}}).wantOK(t)
		other.wantTags(t, url, attrs{"k": "a+b=c @:/."})
		if diff := cmp.Diff(e.attributes(t, url, "All"), other.attributes(t, url, "All")); diff != "" {
			t.Errorf("attributes differ:\n%s", diff)
		}
		e.send(t, url, "b")
		m := other.receiveOne(t, url)
		e.changeVisibility(t, url, m, 0)
		m = e.receiveOne(t, url)
		other.delete(t, url, m)
		e.wantCounts(t, url, counts{"0", "0", "0"})
		if diff := cmp.Diff(e.listed(t, &sqs.ListQueuesInput{}), other.listed(t, &sqs.ListQueuesInput{})); diff != "" {
			t.Errorf("lists differ:\n%s", diff)
		}
	})
}

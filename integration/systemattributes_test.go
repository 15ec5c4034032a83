package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

const trace = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"

func TestTraceHeaderHasADigestOfItsOwn(t *testing.T) {
	const systemDigest, userDigest = "5ae4d5d7636402d80f4eb6d213245a88", "235c5c510d26fb653d073faed50ae77c"
	user := map[string]messageAttribute{"timestamp": text("Number", "1493147359900")}
	system := map[string]types.MessageSystemAttributeValue{"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String(trace)}}
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		sent := e.send(t, url, "with", func(in *sqs.SendMessageInput) {
			in.MessageAttributes, in.MessageSystemAttributes = user, system
		})
		if got := aws.ToString(sent.MD5OfMessageSystemAttributes); got != systemDigest {
			t.Errorf("the system digest is %q, want %q", got, systemDigest)
		}
		if got := aws.ToString(sent.MD5OfMessageAttributes); got != userDigest {
			t.Errorf("the user digest is %q, want %q", got, userDigest)
		}
		m := e.receiveOne(t, url)
		if m.Attributes["AWSTraceHeader"] != trace || aws.ToString(m.MD5OfMessageAttributes) != userDigest {
			t.Errorf("received %v with user digest %q", m.Attributes, aws.ToString(m.MD5OfMessageAttributes))
		}
		batch, err := e.sqs.SendMessageBatch(t.Context(), &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: []types.SendMessageBatchRequestEntry{
			{Id: aws.String("a"), MessageBody: aws.String("a"), MessageAttributes: user, MessageSystemAttributes: system},
			{Id: aws.String("b"), MessageBody: aws.String("b"), MessageAttributes: user},
		}})
		if err != nil || len(batch.Successful) != 2 {
			t.Fatalf("batch: %v, %v", batch, err)
		}
		if got := aws.ToString(batch.Successful[0].MD5OfMessageSystemAttributes); got != systemDigest {
			t.Errorf("in a batch the system digest is %q, want %q", got, systemDigest)
		}
		if got := batch.Successful[1].MD5OfMessageSystemAttributes; got != nil {
			t.Errorf("a system digest of nothing: %q", *got)
		}
	})
}

func TestOtherSystemAttributesAreRefused(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for name, system := range map[string]map[string]args{
			"UnknownName": {"SenderId": {"DataType": "String", "StringValue": "x"}},
			"OtherType":   {"AWSTraceHeader": {"DataType": "Number", "StringValue": "1"}},
		} {
			t.Log(name)
			e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": "b", "MessageSystemAttributes": system}).
				wantCode(t, "InvalidParameterValue")
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

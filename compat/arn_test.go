package compat

import (
	"testing"

	"queues/engine"
)

func TestQueueARN(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"us-east-1":      "arn:aws:sqs:us-east-1:123456789012:q.fifo",
		"eu-west-1":      "arn:aws:sqs:eu-west-1:123456789012:q.fifo",
		"cn-north-1":     "arn:aws-cn:sqs:cn-north-1:123456789012:q.fifo",
		"us-gov-west-1":  "arn:aws-us-gov:sqs:us-gov-west-1:123456789012:q.fifo",
		"us-iso-east-1":  "arn:aws-iso:sqs:us-iso-east-1:123456789012:q.fifo",
		"us-isob-east-1": "arn:aws-iso-b:sqs:us-isob-east-1:123456789012:q.fifo",
		"us-isof-east-1": "arn:aws-iso-f:sqs:us-isof-east-1:123456789012:q.fifo",
		"eu-isoe-west-1": "arn:aws-iso-e:sqs:eu-isoe-west-1:123456789012:q.fifo",
		"eusc-de-east-1": "arn:aws-eusc:sqs:eusc-de-east-1:123456789012:q.fifo",
	} {
		name := engine.QueueName{Namespace: engine.Namespace{Account: "123456789012", Region: region}, Name: "q.fifo"}
		got := queueARN(name)
		if got != want {
			t.Errorf("the ARN in %s is %q, want %q", region, got, want)
		}
		a, ok := parseARN(got)
		if again, named := a.queue(); !ok || !named || again != name {
			t.Errorf("%q stands for %+v, want %+v", got, again, name)
		}
	}
}

func TestForeignARN(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"Empty": "", "Name": "q", "FiveParts": "arn:aws:sqs:us-east-1:q", "SevenParts": "arn:aws:sqs:us-east-1:123456789012:q:x", "NoPrefix": "x:aws:sqs:us-east-1:123456789012:q",
		"EmptyPart": "arn:aws:sqs::123456789012:q", "OtherService": "arn:aws:sns:us-east-1:123456789012:q", "OtherPartition": "arn:aws-cn:sqs:us-east-1:123456789012:q",
		"ShortAccount": "arn:aws:sqs:us-east-1:12345678901:q", "LettersInAccount": "arn:aws:sqs:us-east-1:12345678901a:q", "BadName": "arn:aws:sqs:us-east-1:123456789012:a b",
	} {
		a, ok := parseARN(text)
		if q, named := a.queue(); ok && named {
			t.Errorf("%s: %q stands for %+v, want no queue", name, text, q)
		}
	}
}

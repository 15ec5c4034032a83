package integration

import (
	"testing"
)

// Bad values are refused at creation and on a change, and change nothing.
func TestBadAttributesAreRefused(t *testing.T) {
	t.Parallel()
	const value, param, name = "InvalidAttributeValue", "InvalidParameterValue", "InvalidAttributeName"
	for _, tt := range []struct {
		name  string
		given attrs
		code  string
	}{
		{"VisibilityOneTooMany", attrs{"VisibilityTimeout": "43201"}, value},
		{"VisibilityHuge", attrs{"VisibilityTimeout": "9223372036854775807"}, value},
		{"VisibilityBeyondInt64", attrs{"VisibilityTimeout": "92233720368547758070"}, value},
		{"VisibilityExponent", attrs{"VisibilityTimeout": "1e3"}, value},
		{"VisibilityEmpty", attrs{"VisibilityTimeout": ""}, value},
		{"VisibilityBlankBefore", attrs{"VisibilityTimeout": " 5"}, value},
		{"VisibilityDecimal", attrs{"VisibilityTimeout": "5.0"}, value},
		{"VisibilityNegative", attrs{"VisibilityTimeout": "-1"}, value},
		{"DelayOneTooMany", attrs{"DelaySeconds": "901"}, value},
		{"WaitOneTooMany", attrs{"ReceiveMessageWaitTimeSeconds": "21"}, value},
		{"RetentionTooShort", attrs{"MessageRetentionPeriod": "59"}, value},
		{"RetentionTooLong", attrs{"MessageRetentionPeriod": "1209601"}, value},
		{"SizeTooSmall", attrs{"MaximumMessageSize": "1023"}, value},
		{"SizeTooBig", attrs{"MaximumMessageSize": "1048577"}, value},
		{"PeriodTooShort", attrs{"KmsMasterKeyId": "k", "KmsDataKeyReusePeriodSeconds": "59"}, value},
		{"PeriodTooLong", attrs{"KmsDataKeyReusePeriodSeconds": "86401"}, value},
		{"SseNeither", attrs{"SqsManagedSseEnabled": "yes"}, value},
		{"SseBoth", attrs{"SqsManagedSseEnabled": "true", "KmsMasterKeyId": "k"}, name},
		{"PolicyNoJSON", attrs{"Policy": "not json"}, value},
		{"RedriveNoJSON", attrs{"RedrivePolicy": "not json"}, value},
		{"RedriveNoCount", attrs{"RedrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:x"}`}, param},
		{"RedriveNoTarget", attrs{"RedrivePolicy": `{"maxReceiveCount":1}`}, param},
		{"RedriveCountZero", attrs{"RedrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:x","maxReceiveCount":0}`}, param},
		{"RedriveCountTooBig", attrs{"RedrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:x","maxReceiveCount":1001}`}, param},
		{"RedriveCountNoNumber", attrs{"RedrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:x","maxReceiveCount":"abc"}`}, param},
		{"RedriveTargetMissing", attrs{"RedrivePolicy": `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:nowhere","maxReceiveCount":1}`}, param},
		{"RedriveTargetMalformed", attrs{"RedrivePolicy": `{"deadLetterTargetArn":"nowhere","maxReceiveCount":1}`}, param},
		{"AllowUnknown", attrs{"RedriveAllowPolicy": `{"redrivePermission":"maybe"}`}, value},
		{"AllowArnsWithDeny", attrs{"RedriveAllowPolicy": `{"redrivePermission":"denyAll","sourceQueueArns":["arn:aws:sqs:us-east-1:000000000000:a"]}`}, param},
		{"AllowByQueueWithout", attrs{"RedriveAllowPolicy": `{"redrivePermission":"byQueue"}`}, param},
		{"UnknownName", attrs{"Bogus": "1"}, name},
		{"ReadOnlyArn", attrs{"QueueArn": "arn:aws:sqs:us-east-1:000000000000:x"}, name},
		{"ReadOnlyCount", attrs{"ApproximateNumberOfMessages": "0"}, name},
		{"ReadOnlyCreated", attrs{"CreatedTimestamp": "1"}, name},
		{"AllAsName", attrs{"All": "1"}, name},
		{"FifoFalse", attrs{"FifoQueue": "false"}, name},
		{"FifoDeduplication", attrs{"ContentBasedDeduplication": "false"}, name},
		{"FifoScope", attrs{"DeduplicationScope": "queue"}, name},
		{"FifoLimit", attrs{"FifoThroughputLimit": "perQueue"}, name},
	} {
		t.Run(tt.name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				e.call(t, "CreateQueue", args{"QueueName": "refused", "Attributes": tt.given}).wantCode(t, tt.code)
				e.call(t, "GetQueueUrl", args{"QueueName": "refused"}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")

				url := e.create(t, nil)
				before := e.attributes(t, url, "All")
				good := attrs{"MessageRetentionPeriod": "77"}
				for k, v := range tt.given {
					good[k] = v
				}
				e.call(t, "SetQueueAttributes", args{"QueueUrl": url, "Attributes": good}).wantCode(t, tt.code)
				after := e.attributes(t, url, "All")
				if len(before) != len(after) || before["MessageRetentionPeriod"] != after["MessageRetentionPeriod"] {
					t.Errorf("a refused change left %v, before it was %v", after, before)
				}
			})
		})
	}
}

func TestSetQueueAttributesNeedsAttributes(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.call(t, "SetQueueAttributes", args{"QueueUrl": url}).wantCode(t, "MissingParameter")
		e.call(t, "SetQueueAttributes", args{"QueueUrl": url, "Attributes": attrs{}}).wantCode(t, "MissingParameter")
		e.call(t, "SetQueueAttributes", args{"QueueUrl": url, "Attributes": attrs{"FifoQueue": "true"}}).wantCode(t, "InvalidAttributeName")
	})
}

// A period without a key is accepted, and shown by no answer.
func TestKmsPeriodWithoutKeyIsNotShown(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{"KmsDataKeyReusePeriodSeconds": "60"})
		if got := e.attributes(t, url, "All", "KmsDataKeyReusePeriodSeconds"); got["KmsDataKeyReusePeriodSeconds"] != "" {
			t.Errorf("the period is shown: %v", got)
		}
		e.setAttributes(t, url, attrs{"KmsMasterKeyId": "k"})
		if got := e.attributes(t, url, "All")["KmsDataKeyReusePeriodSeconds"]; got == "" {
			t.Error("with a key the period is not shown")
		}
	})
}

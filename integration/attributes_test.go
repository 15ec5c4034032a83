package integration

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
)

// standardAttributes is what All gives for a fresh standard queue.
var standardAttributes = []string{
	"ApproximateNumberOfMessages", "ApproximateNumberOfMessagesDelayed", "ApproximateNumberOfMessagesNotVisible",
	"CreatedTimestamp", "DelaySeconds", "LastModifiedTimestamp", "MaximumMessageSize", "MessageRetentionPeriod",
	"QueueArn", "ReceiveMessageWaitTimeSeconds", "SqsManagedSseEnabled", "VisibilityTimeout",
}

func TestAllAttributesOfAFreshQueue(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		got := e.attributes(t, e.create(t, nil), "All")
		if diff := cmp.Diff(standardAttributes, names(got)); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
		for name, want := range map[string]string{
			"DelaySeconds": "0", "MaximumMessageSize": "1048576", "MessageRetentionPeriod": "345600",
			"ReceiveMessageWaitTimeSeconds": "0", "SqsManagedSseEnabled": "true", "VisibilityTimeout": "30",
			"ApproximateNumberOfMessages": "0", "ApproximateNumberOfMessagesDelayed": "0", "ApproximateNumberOfMessagesNotVisible": "0",
		} {
			if got[name] != want {
				t.Errorf("%s is %q, want %q", name, got[name], want)
			}
		}
		for _, name := range []string{"CreatedTimestamp", "LastModifiedTimestamp"} {
			if !regexp.MustCompile(`^[0-9]{9,10}$`).MatchString(got[name]) {
				t.Errorf("%s is %q, want whole seconds", name, got[name])
			}
		}
	})
}

func TestAttributesByName(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for name, tt := range map[string]struct {
			ask  []types.QueueAttributeName
			want []string
		}{
			"None":            {nil, nil},
			"One":             {[]types.QueueAttributeName{"QueueArn"}, []string{"QueueArn"}},
			"Two":             {[]types.QueueAttributeName{"DelaySeconds", "VisibilityTimeout"}, []string{"DelaySeconds", "VisibilityTimeout"}},
			"TwiceTheSame":    {[]types.QueueAttributeName{"DelaySeconds", "DelaySeconds"}, []string{"DelaySeconds"}},
			"AllAndOne":       {[]types.QueueAttributeName{"All", "QueueArn"}, standardAttributes},
			"KnownButNotSet":  {[]types.QueueAttributeName{"Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId", "FifoQueue"}, nil},
			"SetAndNotSet":    {[]types.QueueAttributeName{"Policy", "DelaySeconds"}, []string{"DelaySeconds"}},
			"FifoOnlyUnasked": {[]types.QueueAttributeName{"ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"}, nil},
		} {
			if got := names(e.attributes(t, url, tt.ask...)); !slices.Equal(got, tt.want) {
				t.Errorf("%s: attributes (-want +got):\n%s", name, cmp.Diff(tt.want, got))
			}
		}
		for _, bad := range []list{{"Foobar"}, {"All", "Foobar"}, {"all"}} {
			e.call(t, "GetQueueAttributes", args{"QueueUrl": url, "AttributeNames": bad}).
				wantCode(t, "InvalidAttributeName").wantText(t, "Unknown Attribute")
		}
	})
}

// Every attribute that a queue can be given reads back as it was given, from
// creation and from a later change alike.
func TestAttributesRoundTrip(t *testing.T) {
	t.Parallel()
	policy := `{"Version":"2012-10-17","Statement":[{"Sid":"s","Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Action":["sqs:SendMessage"],"Resource":"*","Condition":{"ArnEquals":{"aws:SourceArn":"arn:aws:sns:us-east-1:000000000000:t"}}}]}`
	for name, tt := range map[string]struct{ given, want attrs }{
		"VisibilityTimeout":         {attrs{"VisibilityTimeout": "69"}, nil},
		"VisibilityTimeoutLeast":    {attrs{"VisibilityTimeout": "0"}, nil},
		"VisibilityTimeoutMost":     {attrs{"VisibilityTimeout": "43200"}, nil},
		"DelayMost":                 {attrs{"DelaySeconds": "900"}, nil},
		"WaitTime":                  {attrs{"ReceiveMessageWaitTimeSeconds": "1"}, nil},
		"WaitTimeMost":              {attrs{"ReceiveMessageWaitTimeSeconds": "20"}, nil},
		"RetentionLeast":            {attrs{"MessageRetentionPeriod": "60"}, nil},
		"RetentionMost":             {attrs{"MessageRetentionPeriod": "1209600"}, nil},
		"SizeLeast":                 {attrs{"MaximumMessageSize": "1024"}, nil},
		"SizeMost":                  {attrs{"MaximumMessageSize": "1048576"}, nil},
		"LeadingZeros":              {attrs{"DelaySeconds": "007"}, attrs{"DelaySeconds": "7"}},
		"Policy":                    {attrs{"Policy": policy}, nil},
		"RedriveAllow":              {attrs{"RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`}, nil},
		"RedriveAllowByQueue":       {attrs{"RedriveAllowPolicy": `{"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:000000000000:a"]}`}, nil},
		"ManagedSseOff":             {attrs{"SqsManagedSseEnabled": "false"}, nil},
		"BooleanWithCapital":        {attrs{"SqsManagedSseEnabled": "False"}, attrs{"SqsManagedSseEnabled": "false"}},
		"KmsKey":                    {attrs{"KmsMasterKeyId": "testKey"}, attrs{"KmsMasterKeyId": "testKey", "KmsDataKeyReusePeriodSeconds": "300", "SqsManagedSseEnabled": "false"}},
		"KmsKeyAndPeriod":           {attrs{"KmsMasterKeyId": "testKey", "KmsDataKeyReusePeriodSeconds": "6000"}, attrs{"KmsMasterKeyId": "testKey", "KmsDataKeyReusePeriodSeconds": "6000", "SqsManagedSseEnabled": "false"}},
		"KmsKeyWithManagedSseOff":   {attrs{"KmsMasterKeyId": "k", "SqsManagedSseEnabled": "false"}, nil},
		"SeveralAtOnce":             {attrs{"VisibilityTimeout": "69", "DelaySeconds": "5", "ReceiveMessageWaitTimeSeconds": "1", "MessageRetentionPeriod": "604800", "MaximumMessageSize": "2048"}, nil},
		"PolicyWithoutVersionAndId": {attrs{"Policy": ` {"Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sqs:SendMessage","Resource":"x","Condition":{"ArnLike":{"k":"v"}}}]}`}, attrs{"Policy": `{"Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sqs:SendMessage","Resource":"x","Condition":{"ArnLike":{"k":"v"}}}]}`}},
	} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				want := tt.want
				if want == nil {
					want = tt.given
				}
				check := func(how, url string) {
					all := e.attributes(t, url, "All")
					for name, v := range want {
						if !sameValue(all[name], v) {
							t.Errorf("%s: %s is %q, want %q", how, name, all[name], v)
						}
					}
				}
				name := freshName()
				url := e.createNamed(t, name, tt.given)
				check("created", url)
				e.createNamed(t, name, tt.given)
				changed := e.create(t, nil)
				e.setAttributes(t, changed, tt.given)
				check("changed", changed)
			})
		})
	}
}

func TestRedrivePolicyRoundTrip(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		target := e.attributes(t, e.create(t, nil), "QueueArn")["QueueArn"]
		want := `{"deadLetterTargetArn":"` + target + `","maxReceiveCount":3}`
		for name, given := range map[string]string{
			"Number":     want,
			"Text":       `{"deadLetterTargetArn":"` + target + `","maxReceiveCount":"3"}`,
			"OtherOrder": `{"maxReceiveCount":3,"deadLetterTargetArn":"` + target + `"}`,
			"Pretty":     "{\n  \"deadLetterTargetArn\": \"" + target + "\",\n  \"maxReceiveCount\": \"3\"\n}",
		} {
			queue := freshName()
			url := e.createNamed(t, queue, attrs{"RedrivePolicy": given})
			if got := e.attributes(t, url, "All")["RedrivePolicy"]; got != want {
				t.Errorf("%s: RedrivePolicy is %s, want %s", name, got, want)
			}
			e.createNamed(t, queue, attrs{"RedrivePolicy": want})
			e.setAttributes(t, url, attrs{"RedrivePolicy": ""})
			if got, ok := e.attributes(t, url, "All")["RedrivePolicy"]; ok {
				t.Errorf("%s: RedrivePolicy is %q after it was removed", name, got)
			}
			e.setAttributes(t, url, attrs{"RedrivePolicy": ""})
		}
	})
}

func TestAnEmptyValueUnsetsAnAttribute(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, attrs{
			"Policy":             `{"Statement":[{"Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"*"}]}`,
			"RedriveAllowPolicy": `{"redrivePermission":"allowAll"}`,
			"KmsMasterKeyId":     "k",
		})
		e.setAttributes(t, url, attrs{"Policy": "", "RedriveAllowPolicy": "", "KmsMasterKeyId": ""})
		if diff := cmp.Diff(standardAttributes, names(e.attributes(t, url, "All"))); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
	})
}

func TestSetQueueAttributesMovesTheModifiedTime(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		before := e.attributes(t, url, "All")
		time.Sleep(7 * time.Second)
		e.setAttributes(t, url, attrs{"DelaySeconds": "1"})
		after := e.attributes(t, url, "All")
		if before["CreatedTimestamp"] != "946684800" || after["CreatedTimestamp"] != before["CreatedTimestamp"] {
			t.Errorf("created %s, then %s", before["CreatedTimestamp"], after["CreatedTimestamp"])
		}
		if before["LastModifiedTimestamp"] != "946684800" || after["LastModifiedTimestamp"] != "946684807" {
			t.Errorf("modified %s, then %s; want 7 s between", before["LastModifiedTimestamp"], after["LastModifiedTimestamp"])
		}
	})
}

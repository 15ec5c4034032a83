package integration

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// providerHead is the head of requests of the AWS providers, whose programs
// differ in their name alone.
const providerHead = `
POST $PATH$ HTTP/1.1
Host: $HOST$
User-Agent: APN/1.0 $PROGRAM$ aws-sdk-go-v2/1.31.0 ua/2.0 os/linux lang/go#1.23.1 md/GOOS#linux md/GOARCH#amd64 api/sqs#1.35.0
Accept-Encoding: gzip
Amz-Sdk-Invocation-Id: 2f7e8f9c-51d6-4f0e-9d15-0b6c1c3c7a13
Amz-Sdk-Request: attempt=1; max=25
Authorization: AWS4-HMAC-SHA256 Credential=$ACCOUNT$/20260101/us-east-1/sqs/aws4_request, SignedHeaders=accept-encoding;amz-sdk-invocation-id;amz-sdk-request;content-length;content-type;host;x-amz-date;x-amz-target;x-amzn-query-mode, Signature=00
Content-Type: application/x-amz-json-1.0
X-Amz-Date: 20260101T000000Z
X-Amz-Target: AmazonSQS.$ACTION$
X-Amzn-Query-Mode: true`

// providers are the programs that have that provider in them.
var providers = map[string]string{
	"Terraform": "HashiCorp/1.0 Terraform/1.9.6 (+https://www.terraform.io) terraform-provider-aws/5.69.0 (+https://registry.terraform.io/providers/hashicorp/aws)",
	"Pulumi":    "Pulumi/1.0 (+https://www.pulumi.com) PulumiAws/6.54.0 (+https://www.pulumi.com)",
}

// terraformForms are the plans below, for each of the programs.
var terraformForms = func() []wireForm {
	var forms []wireForm
	for client, program := range providers {
		head := strings.ReplaceAll(providerHead, "$PROGRAM$", program)
		for _, p := range plans {
			forms = append(forms, wireForm{client, p.name, p.bubble, head, p.run})
		}
	}
	return forms
}()

// quote writes a text as JSON does.
func quote(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// planned checks what the provider waits for, and what its next plan is made
// of: each attribute that was sent is read back equal, documents as JSON and
// the rest as text, six times over. A value that was taken away is absent.
func (c *wireClient) planned(t *testing.T, url string, want, tags attrs) {
	t.Helper()
	for range 6 {
		got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["All"],"QueueUrl":"$U$"}`, "U", url)).Attributes
		for name, value := range want {
			read, there := got[name]
			switch name {
			case "Policy", "RedrivePolicy", "RedriveAllowPolicy":
				if value != "" && !sameValue(read, value) {
					t.Errorf("%s is %s, want %s", name, read, value)
				}
				if value == "" && there {
					t.Errorf("%s is still %s", name, read)
				}
			default:
				if read != value {
					t.Errorf("%s is %q, want %q", name, read, value)
				}
			}
		}
		read := decode[struct{ Tags attrs }](t, c.rootJSON(t, "ListQueueTags", `{"QueueUrl":"$U$"}`, "U", url)).Tags
		if diff := cmp.Diff(tags, read); diff != "" && len(tags)+len(read) > 0 {
			t.Errorf("tags (-want +got):\n%s", diff)
		}
	}
}

// applied creates a queue of a plan, and checks its URL and what is read back.
func (c *wireClient) applied(t *testing.T, name string, a, tags attrs) string {
	t.Helper()
	body := `{"Attributes":` + quote(t, a) + `,"QueueName":"` + name + `"`
	if tags != nil {
		body += `,"tags":` + quote(t, tags)
	}
	id := decode[urlAnswer](t, c.rootJSON(t, "CreateQueue", body+"}")).QueueUrl
	u, err := url.Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	// The provider takes the name from a path of exactly three parts.
	if parts := strings.Split(u.Path, "/"); !slices.Equal(parts, []string{"", c.account, name}) {
		t.Errorf("the path of %s has the parts %q", id, parts)
	}
	c.planned(t, id, a, tags)
	return id
}

// updated changes attributes and checks what is read back.
func (c *wireClient) updated(t *testing.T, id string, a, tags attrs) {
	t.Helper()
	c.rootJSON(t, "SetQueueAttributes", `{"Attributes":`+quote(t, a)+`,"QueueUrl":"$U$"}`, "U", id).wantVoid(t, "SetQueueAttributes")
	c.planned(t, id, a, tags)
}

// policyFor is a policy as the provider normalises it.
func policyFor(arn string) string {
	return `{"Statement":[{"Action":"sqs:SendMessage","Condition":{"ArnEquals":{"aws:SourceArn":"arn:aws:sns:us-east-1:123456789012:topic"}},"Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Resource":"` + arn + `","Sid":"First"}],"Version":"2012-10-17"}`
}

// plans are configurations that are applied, planned again without a
// difference, changed and destroyed.
var plans = []struct {
	name   string
	bubble bool
	run    func(t *testing.T, c *wireClient)
}{
	{"StandardQueue", false, func(t *testing.T, c *wireClient) {
		defaults := attrs{"DelaySeconds": "0", "MaximumMessageSize": "262144", "MessageRetentionPeriod": "345600", "ReceiveMessageWaitTimeSeconds": "0", "VisibilityTimeout": "30"}
		id := c.applied(t, c.queue, defaults, attrs{"Environment": "dev", "Name": "q"})
		c.updated(t, id, attrs{"DelaySeconds": "90", "MaximumMessageSize": "2048", "MessageRetentionPeriod": "86400", "ReceiveMessageWaitTimeSeconds": "10", "VisibilityTimeout": "60"}, attrs{"Environment": "dev", "Name": "q"})
		// Tags change by taking old keys away and writing new ones.
		c.rootJSON(t, "UntagQueue", `{"QueueUrl":"$U$","TagKeys":["Name"]}`, "U", id).wantVoid(t, "UntagQueue")
		c.rootJSON(t, "TagQueue", `{"QueueUrl":"$U$","Tags":{"Environment":"prod"}}`, "U", id).wantVoid(t, "TagQueue")
		c.planned(t, id, nil, attrs{"Environment": "prod"})
	}},
	{"FIFOQueue", false, func(t *testing.T, c *wireClient) {
		id := c.applied(t, c.queue+".fifo", attrs{"FifoQueue": "true", "ContentBasedDeduplication": "true", "DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId"}, nil)
		c.updated(t, id, attrs{"ContentBasedDeduplication": "false", "DeduplicationScope": "queue", "FifoThroughputLimit": "perQueue"}, nil)
	}},
	{"PolicyOfTheQueue", false, func(t *testing.T, c *wireClient) {
		arn := "arn:aws:sqs:us-east-1:" + c.account + ":" + c.queue
		id := c.applied(t, c.queue, attrs{"Policy": policyFor(arn)}, nil)
		c.updated(t, id, attrs{"Policy": ""}, nil)
		// The resource for policies reads this one attribute.
		c.updated(t, id, attrs{"Policy": policyFor(arn)}, nil)
		got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["Policy"],"QueueUrl":"$U$"}`, "U", id)).Attributes
		if len(got) != 1 || !sameValue(got["Policy"], policyFor(arn)) {
			t.Errorf("attributes are %v", got)
		}
	}},
	{"DeadLetterQueue", false, func(t *testing.T, c *wireClient) {
		arn := "arn:aws:sqs:us-east-1:" + c.account + ":"
		dlq := c.applied(t, c.queue+"-dlq", attrs{}, nil)
		id := c.applied(t, c.queue, attrs{"RedrivePolicy": `{"deadLetterTargetArn":"` + arn + c.queue + `-dlq","maxReceiveCount":4}`}, nil)
		c.updated(t, dlq, attrs{"RedriveAllowPolicy": `{"redrivePermission":"byQueue","sourceQueueArns":["` + arn + c.queue + `"]}`}, nil)
		c.updated(t, id, attrs{"RedrivePolicy": `{"deadLetterTargetArn":"` + arn + c.queue + `-dlq","maxReceiveCount":5}`}, nil)
		c.updated(t, id, attrs{"RedrivePolicy": ""}, nil)
		c.updated(t, dlq, attrs{"RedriveAllowPolicy": ""}, nil)
	}},
	{"Encryption", false, func(t *testing.T, c *wireClient) {
		id := c.applied(t, c.queue, attrs{"KmsMasterKeyId": "alias/aws/sqs", "KmsDataKeyReusePeriodSeconds": "600"}, nil)
		c.planned(t, id, attrs{"SqsManagedSseEnabled": "false"}, nil)
		c.rootJSON(t, "SetQueueAttributes", `{"Attributes":{"KmsMasterKeyId":"","KmsDataKeyReusePeriodSeconds":"300"},"QueueUrl":"$U$"}`, "U", id).wantVoid(t, "SetQueueAttributes")
		c.planned(t, id, attrs{"KmsMasterKeyId": "", "KmsDataKeyReusePeriodSeconds": "", "SqsManagedSseEnabled": "false"}, nil)
		c.updated(t, id, attrs{"SqsManagedSseEnabled": "true"}, nil)
	}},
	{"DataSource", false, func(t *testing.T, c *wireClient) {
		c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`).wantNoQueue(t)
		id := c.applied(t, c.queue, attrs{}, attrs{"k": "v"})
		if got := decode[urlAnswer](t, c.rootJSON(t, "GetQueueUrl", `{"QueueName":"$QUEUE$"}`)); got.QueueUrl != id {
			t.Errorf("URLs %s and %s", id, got.QueueUrl)
		}
		got := decode[attributesAnswer](t, c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["QueueArn"],"QueueUrl":"$U$"}`, "U", id)).Attributes
		if len(got) != 1 || got["QueueArn"] != "arn:aws:sqs:us-east-1:"+c.account+":"+c.queue {
			t.Errorf("attributes are %v", got)
		}
		list := decode[struct{ QueueUrls []string }](t, c.rootJSON(t, "ListQueues", `{"QueueNamePrefix":"$QUEUE$"}`)).QueueUrls
		if !slices.Equal(list, []string{id}) {
			t.Errorf("listed %q", list)
		}
	}},
	{"DestroyAndCreateAgain", true, func(t *testing.T, c *wireClient) {
		id := c.applied(t, c.queue, attrs{"DelaySeconds": "5"}, nil)
		c.rootJSON(t, "DeleteQueue", `{"QueueUrl":"$U$"}`, "U", id).wantVoid(t, "DeleteQueue")
		for range 15 {
			c.rootJSON(t, "GetQueueAttributes", `{"AttributeNames":["All"],"QueueUrl":"$U$"}`, "U", id).wantNoQueue(t)
			time.Sleep(3 * time.Second)
		}
		c.rootJSON(t, "CreateQueue", `{"QueueName":"$QUEUE$"}`).wantFault(t, 400, "com.amazonaws.sqs#QueueDeletedRecently", "AWS.SimpleQueueService.QueueDeletedRecently;Sender")
		time.Sleep(20 * time.Second)
		c.applied(t, c.queue, attrs{"DelaySeconds": "0"}, nil)
	}},
	{"QueueThatIsThereAlready", false, func(t *testing.T, c *wireClient) {
		c.applied(t, c.queue, attrs{"DelaySeconds": "5"}, nil)
		c.rootJSON(t, "CreateQueue", `{"Attributes":{"DelaySeconds":"6"},"QueueName":"$QUEUE$"}`).wantFault(t, 400, "com.amazonaws.sqs#QueueNameExists", "QueueAlreadyExists;Sender")
	}},
}

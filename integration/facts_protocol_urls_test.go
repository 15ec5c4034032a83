package integration

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// uuids are how request ids and message ids look.
var uuids = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

func TestFactsOfQueueURLs(t *testing.T) {
	// reaches is the fact that a QueueUrl names "q".
	reaches := func(name, form string) fact {
		return fact{anyAction, "QueueURL" + name, "", func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			given := strings.NewReplacer("HOST", e.host, "ACCOUNT", e.account).Replace(form)
			e.send(t, given, "b")
			e.wantCounts(t, given, counts{"1", "0", "0"})
			e.delete(t, "q", e.receiveOne(t, given))
		}}
	}
	// path is the fact that requests to a path are about "q".
	path := func(name, form string) fact {
		return fact{anyAction, "Path" + name, "", func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			header, body := jsonHeader("GetQueueAttributes"), `{"AttributeNames":["QueueArn"]}`
			if e.wire.query {
				header, body = formHeader, "Action=GetQueueAttributes&AttributeName.1=QueueArn"
			}
			r := e.post(t, strings.NewReplacer("HOST", e.host, "ACCOUNT", e.account).Replace(form), header, body).wantOK(t)
			if arn := "arn:aws:sqs:us-east-1:" + e.account + ":q" + e.closing(); !strings.Contains(r.Body, arn) {
				t.Errorf("%q is not in %s", arn, r.Body)
			}
		}}
	}
	// nowhere is the fact that requests to a path are about no queue.
	nowhere := func(name, path string) fact {
		return fact{anyAction, "PathOfNoQueue" + name, "", func(t *testing.T, e *env) {
			header, body := jsonHeader("SendMessage"), `{"MessageBody":"b"}`
			if e.wire.query {
				header, body = formHeader, "Action=SendMessage&MessageBody=b"
			}
			e.post(t, strings.Replace(path, "ACCOUNT", e.account, 1), header, body).wantRefusal(t, e, noQueue, "")
		}}
	}
	facts := []fact{
		reaches("BareName", "q"), reaches("SlashName", "/q"), reaches("AccountAndName", "ACCOUNT/q"), reaches("Path", "/ACCOUNT/q"),
		reaches("TrailingSlash", "http://HOST/ACCOUNT/q/"), reaches("HostWithoutPort", "http://localhost/ACCOUNT/q"),
		reaches("OtherPort", "http://other:1/ACCOUNT/q"), reaches("OtherScheme", "https://HOST/ACCOUNT/q"),
		reaches("OfAWS", "https://sqs.us-east-1.amazonaws.com/ACCOUNT/q"), reaches("OfAWSInAnotherRegion", "https://sqs.eu-west-1.amazonaws.com/ACCOUNT/q"),
		reaches("LegacyOfAWS", "https://queue.amazonaws.com/ACCOUNT/q"), reaches("LegacyOfAWSWithARegion", "https://us-east-1.queue.amazonaws.com/ACCOUNT/q"),
		reaches("OfOtherServers", "http://sqs.us-east-1.localhost.localstack.cloud:4566/queue/us-east-1/ACCOUNT/q"),
		reaches("WithoutAccount", "http://HOST/q"), reaches("UnderQueue", "http://HOST/queue/q"), reaches("DoubleSlash", "http://HOST//ACCOUNT/q"),
		path("OfTheQueue", "/ACCOUNT/q"), path("WithTrailingSlash", "/ACCOUNT/q/"), path("WithDoubleSlash", "//ACCOUNT/q"),
		path("OfAWholeURL", "/http://HOST/ACCOUNT/q"), path("OfTheNameAlone", "/q"), path("UnderQueue", "/queue/q"),
		nowhere("Unknown", "/ACCOUNT/nowhere"), nowhere("UnknownName", "/nowhere"), nowhere("TooManyParts", "/a/b/c/d/nowhere"),
		nowhere("Dots", "/.."), nowhere("EncodedDots", "/%2e%2e/%2f"), nowhere("VeryLong", "/"+strings.Repeat("x", 3000)),
	}
	for _, action := range []string{"GetQueueUrl", "CreateQueue", "ListQueues"} {
		facts = append(facts, fact{action, "URLsCarryTheCallersHost", "", func(t *testing.T, e *env) {
			e.createNamed(t, "q", nil)
			port := e.host[strings.LastIndexByte(e.host, ':')+1:]
			for given, host := range map[string]string{
				"mq.internal:18080": "mq.internal:18080", "127.0.0.1:52478": "127.0.0.1:52478", "[::1]:9324": "[::1]:9324",
				"mq.internal": "mq.internal:" + port, "127.0.0.1": "127.0.0.1:" + port, "[::1]": "[::1]:" + port, "queues": "queues:" + port,
			} {
				h, body := jsonHeader(action), `{"QueueName":"q","QueueNamePrefix":"q"}`
				if e.wire.query {
					h, body = formHeader.Clone(), "QueueName=q&QueueNamePrefix=q&Action="+action
				}
				h.Set("Host", given)
				if r, want := e.post(t, "/", h, body).wantOK(t), "http://"+host+"/"+e.account+"/q"+e.closing(); !strings.Contains(r.Body, want) {
					t.Errorf("by way of %s: %q is not in %s", given, want, r.Body)
				}
			}
		}})
	}
	facts = append(facts, fact{anyAction, "ABareNameReachesNoOtherAccount", "", func(t *testing.T, e *env) {
		e.world(t, "SendMessage", args{})
		newEnv(t, e.server, e.wire).call(t, "SendMessage", args{"QueueUrl": "q", "MessageBody": "b"}).wantRefusal(t, e, noQueue, "")
	}})
	runFacts(t, facts)
}

// The forms of values in answers.
func TestFactsOfValueForms(t *testing.T) {
	hex := regexp.MustCompile(`^[0-9a-f]{32}$`)
	runFacts(t, []fact{
		{"GetQueueAttributes", "TimestampsAreSeconds", "", func(t *testing.T, e *env) {
			a := e.attributes(t, e.create(t, nil), "All")
			if a["CreatedTimestamp"] != "946684800" || a["LastModifiedTimestamp"] != "946684800" {
				t.Errorf("attributes are %v", a)
			}
		}},
		{"ReceiveMessage", "TimestampsAreMilliseconds", "", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			if a := e.receiveOne(t, u).Attributes; a["SentTimestamp"] != "946684800000" || a["ApproximateFirstReceiveTimestamp"] != "946684800000" {
				t.Errorf("attributes are %v", a)
			}
		}},
		{"GetQueueAttributes", "AllValuesAreStrings", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "GetQueueAttributes", args{})
			r := e.call(t, "GetQueueAttributes", args{"QueueUrl": "q.fifo", "AttributeNames": list{"All"}}).wantOK(t)
			for _, want := range []string{`"ApproximateNumberOfMessages":"0"`, `"FifoQueue":"true"`, `"DelaySeconds":"0"`} {
				if !strings.Contains(r.Body, want) {
					t.Errorf("%s is not in %s", want, r.Body)
				}
			}
		}},
		{"ReceiveMessage", "CountsAndNumbersAreStrings", onlyJSON, func(t *testing.T, e *env) {
			u := e.createFIFO(t, nil)
			e.put(t, u, "g-1")
			r := e.call(t, "ReceiveMessage", args{"QueueUrl": u, "AttributeNames": list{"All"}}).wantOK(t)
			if !strings.Contains(r.Body, `"ApproximateReceiveCount":"1"`) || !regexp.MustCompile(`"SequenceNumber":"[0-9]{20}"`).MatchString(r.Body) {
				t.Errorf("the answer is %s", r.Body)
			}
		}},
		{"SendMessage", "IdsAreUUIDsAndDigestsAreHex", "", func(t *testing.T, e *env) {
			sent := e.send(t, e.create(t, nil), "b")
			if !uuids.MatchString(*sent.MessageId) || !hex.MatchString(*sent.MD5OfMessageBody) {
				t.Errorf("id %s, digest %s", *sent.MessageId, *sent.MD5OfMessageBody)
			}
		}},
		{"ReceiveMessage", "HandlesAreShortAndNew", "", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, u, "b")
			seen := map[string]bool{}
			for range 50 {
				h := aws.ToString(e.receiveOne(t, u).ReceiptHandle)
				if h == "" || len(h) > 1024 || seen[h] {
					t.Fatalf("handle %q, seen before: %v", h, seen[h])
				}
				seen[h] = true
			}
		}},
		{"GetQueueAttributes", "TheQueuesARN", "", func(t *testing.T, e *env) {
			for _, name := range []string{"q", "q.fifo"} {
				in := e.world(t, "GetQueueAttributes", args{"QueueUrl": name})
				if got, want := e.arn(t, fmt.Sprint(in["QueueUrl"])), "arn:aws:sqs:us-east-1:"+e.account+":"+name; got != want {
					t.Errorf("the ARN is %q, want %q", got, want)
				}
			}
		}},
		{"GetQueueAttributes", "PartitionsOfOtherRegions", "", func(t *testing.T, e *env) {
			for region, partition := range map[string]string{
				"eu-west-1": "aws", "cn-north-1": "aws-cn", "us-gov-west-1": "aws-us-gov", "eusc-de-east-1": "aws-eusc",
				"us-iso-east-1": "aws-iso", "us-isob-east-1": "aws-iso-b", "us-isof-east-1": "aws-iso-f", "eu-isoe-west-1": "aws-iso-e",
			} {
				there := e.client(t, e.wire, e.account, region)
				if got, want := there.arn(t, there.createNamed(t, "q", nil)), "arn:"+partition+":sqs:"+region+":"+e.account+":q"; got != want {
					t.Errorf("the ARN is %q, want %q", got, want)
				}
			}
		}},
	})
}

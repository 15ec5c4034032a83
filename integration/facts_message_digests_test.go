package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// recorded is the attributes that three vectors are about.
var recorded = map[string]messageAttribute{"Help.Me": text("String", "Me"), "Hello": text("String", "There"), "General": text("String", "Kenobi")}

// Digests that AWS was seen to give, by what they are of.
func TestFactsOfDigests(t *testing.T) {
	traceparent := append([]byte("traceparent\x1e"), "00-774062d6c37081a5a0b9b5b88e30627c-2d2482211f6489da-01"...)
	// given is the fact of the digest of attributes, sent and received.
	given := func(name, want string, a map[string]messageAttribute) fact {
		return fact{"SendMessage", "DigestOf" + name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			sent := e.send(t, url, "b", func(in *sqs.SendMessageInput) { in.MessageAttributes = a })
			got := e.receiveOne(t, url)
			if aws.ToString(sent.MD5OfMessageAttributes) != want || aws.ToString(got.MD5OfMessageAttributes) != want {
				t.Errorf("digests are %s and %s, want %s", aws.ToString(sent.MD5OfMessageAttributes), aws.ToString(got.MD5OfMessageAttributes), want)
			}
		}}
	}
	// chosen is the fact of the digest of the attributes that were asked for.
	chosen := func(name, want string, ask ...string) fact {
		return fact{"ReceiveMessage", "DigestOf" + name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b", func(in *sqs.SendMessageInput) { in.MessageAttributes = recorded })
			m := e.receiveOne(t, url, func(in *sqs.ReceiveMessageInput) { in.MessageAttributeNames = ask })
			if got := aws.ToString(m.MD5OfMessageAttributes); got != want {
				t.Errorf("the digest is %q, want %q", got, want)
			}
		}}
	}
	body := func(name, body, want string) fact {
		return fact{"SendMessage", "DigestOfBody" + name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			if sent, got := e.send(t, url, body), e.receiveOne(t, url); *sent.MD5OfMessageBody != want || *got.MD5OfBody != want {
				t.Errorf("digests are %s and %s, want %s", *sent.MD5OfMessageBody, *got.MD5OfBody, want)
			}
		}}
	}
	type of = map[string]messageAttribute
	const traceDigest, userDigest = "5ae4d5d7636402d80f4eb6d213245a88", "235c5c510d26fb653d073faed50ae77c"
	runFacts(t, []fact{
		given("AString", "da1b33cc3cbfe8b1630921e78e6b9880", of{"color": text("String", "blue")}),
		given("AllThreeTypes", "d838729972a4b70e2d2acd9d59ac847c", of{"color": text("String", "blue"), "count": text("Number", "3"), "blob": blob("Binary", 1, 2, 3)}),
		given("ANumber", userDigest, of{"timestamp": text("Number", "1493147359900")}),
		given("ThreeStrings", "4c360f3fdafd970e05fae2f149d997f5", recorded),
		given("AnotherString", "adb59cd4678ea5a855436b949cd07ab6", of{"MyAttribute": text("String", "foobar")}),
		given("Binary", "8cbe4db156db8a94db8b801b7addb984", of{"attr1": {DataType: aws.String("Binary"), BinaryValue: traceparent}}),
		given("AShortString", "a45daa70926828a2f0a1db3418e6feb4", of{"k": text("String", "x")}),
		given("ALabel", "2e2e4876d8e0bd6b8c2c8f556831c349", of{"timestamp": text("Number.java.lang.Long", "1493147359900")}),
		given("Cyrillic", "8b94baa4455f6b416898e3a31f9c6792", of{"ключ": text("String", "значение")}),
		given("AHyphen", "befa18540a897f7d022bf07057754a03", of{"test-key": text("String", "test-value")}),
		given("ANameThatBeginsAnother", "2256c3b617e2b4b3ae4f2d455dcf54d0", of{"test-key": text("String", "test-value"), "test-key-alt": text("String", "test-value-alt")}),
		given("FooBar", "ae7155c6026991b6d54b11589678bf9c", of{"Foo": text("String", "Bar")}),
		given("ABinaryValueWithZero", "c2a29fcd5ed53b78fd5ce1def3de9b6a", of{"bin": blob("Binary", 0, 0xff, 0x10, 0x80)}),
		given("NumbersAsSent", "b7cb2c225008d7c7bc15e3e7cf649919", of{"big": text("Number", "12345678901234567890123456789012345678"), "f": text("Number", "230.000000000000000001")}),
		chosen("TwoOfThree", "fca026605781cb4126a1e9044df24232", "General", "Hello"),
		chosen("OneOfThree", "a311262e065454b75da111d535b8dacd", "Hello"),
		chosen("APrefix", "83fee93c1bcd8b9a5a923ffacdc636c7", "Hel.*"),
		chosen("None", "", "Foo"),
		body("Hello", "hello", "5d41402abc4b2a76b9719d911017c592"),
		body("A1", "a1", "8a8bb7cd343aa2ad99b7d762030857a2"),
		body("Polish", "Zażółć", "f1607cd9abc293d131af748f41dc9556"),
		{"SendMessage", "DigestOfSystemAttributes", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			sent := e.send(t, url, "b", func(in *sqs.SendMessageInput) {
				in.MessageAttributes = of{"timestamp": text("Number", "1493147359900")}
				in.MessageSystemAttributes = map[string]types.MessageSystemAttributeValue{"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String(trace)}}
			})
			if aws.ToString(sent.MD5OfMessageSystemAttributes) != traceDigest || aws.ToString(sent.MD5OfMessageAttributes) != userDigest {
				t.Errorf("digests are %v and %v", aws.ToString(sent.MD5OfMessageSystemAttributes), aws.ToString(sent.MD5OfMessageAttributes))
			}
		}},
		{"SendMessageBatch", "DigestOfSystemAttributes", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			user := of{"timestamp": text("Number", "1493147359900")}
			out, err := e.sqs.SendMessageBatch(t.Context(), &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: []types.SendMessageBatchRequestEntry{
				{Id: aws.String("a"), MessageBody: aws.String("a"), MessageAttributes: user, MessageSystemAttributes: map[string]types.MessageSystemAttributeValue{"AWSTraceHeader": {DataType: aws.String("String"), StringValue: aws.String(trace)}}},
				{Id: aws.String("b"), MessageBody: aws.String("b"), MessageAttributes: user},
			}})
			if err != nil || len(out.Successful) != 2 {
				t.Fatalf("%v %v", out, err)
			}
			if a, b := out.Successful[0], out.Successful[1]; aws.ToString(a.MD5OfMessageSystemAttributes) != traceDigest || b.MD5OfMessageSystemAttributes != nil || aws.ToString(b.MD5OfMessageAttributes) != userDigest {
				t.Errorf("digests are %v, then %v", a, b)
			}
		}},
		{"ReceiveMessage", "ContentBasedIdIsSHA256OfTheBody", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true"})
			e.send(t, url, "same", inGroup("g"))
			if got := e.receiveOne(t, url).Attributes["MessageDeduplicationId"]; got != "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5" {
				t.Errorf("the id is %s", got)
			}
		}},
	})
}

package compat_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

const (
	goodPolicy          = `{"Version":"2012-10-17","Statement":[{"Sid":"s","Effect":"Allow","Principal":{"AWS":"*"},"Action":"sqs:SendMessage","Resource":"*"}]}`
	goodPolicyReordered = `{"Statement":[{"Resource":"*","Action":"sqs:SendMessage","Effect":"Allow","Principal":{"AWS":"*"},"Sid":"s"}],"Version":"2012-10-17"}`
)

// redrive is a redrive policy; the count stands in it as written.
func redrive(target, count string) string {
	return `{"deadLetterTargetArn":"` + target + `","maxReceiveCount":` + count + `}`
}

// statements is a policy of n statements.
func statements(n int) string {
	one := `{"Effect":"Allow","Principal":"*","Action":"sqs:*"}`
	return `{"Statement":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}`
}

// list is a JSON array of n strings.
func list(n int, form string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = fmt.Sprintf(form, i)
	}
	raw, _ := json.Marshal(items)
	return string(raw)
}

func TestPolicyAttribute(t *testing.T) {
	t.Parallel()
	accepted := map[string]string{
		"Plain":        goodPolicy,
		"OneStatement": `{"Statement":{"Effect":"Deny","NotPrincipal":{"AWS":["111111111111","arn:aws:iam::222222222222:root"]},"NotAction":["SQS:DeleteQueue","sQs:*"],"NotResource":"x"}}`,
		"ByService":    `{"Statement":[{"Action":["sqs:SendMessage"],"Condition":{"ArnEquals":{"aws:SourceArn":"arn:aws:sns:us-east-1:000000000000:t"}},"Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Resource":"*"}]}`,
		"NoARNs":       `{"Version":"2008-10-17","Statement":[{"Sid":"","Effect":"Allow","Principal":{"AWS":"*"},"Action":"sqs:SendMessage","Resource":"$sqs_queue_arn","Condition":{"ArnEquals":{"aws:SourceArn":"$sns_topic_arn"}}}]}`,
		"ID":           `{"Id":"x/SQSDefaultPolicy","Statement":[{"Effect":"Allow","Principal":"*","Action":"*"}]}`,
		"AllLimits":    statements(20),
		"SevenActions": `{"Statement":{"Effect":"Allow","Principal":"*","Action":` + list(7, "sqs:A%d") + `}}`,
		"EscapesKept":  `{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"\u003c&>é"}}`,
	}
	cases := map[string]attributeCase{
		"WhiteSpace": {name: "Policy", value: "\n\t " + `{ "Statement" : [ { "Effect":"Allow", "Principal":"*","Action":"sqs:*" } ] }`, want: statements(1)},
		"Empty":      {name: "Policy", value: "", want: ""},
	}
	for name, value := range accepted {
		cases["Take"+name] = attributeCase{name: "Policy", value: value, want: value}
	}
	statement := func(s string) string { return `{"Statement":[` + s + `]}` }
	for name, value := range map[string]string{
		"NotJSON": "not json", "Array": "[]", "Null": "null", "String": `"x"`, "CutOff": goodPolicy[:20], "Two": goodPolicy + goodPolicy,
		"NoStatement": `{"Version":"2012-10-17"}`, "EmptyStatements": `{"Statement":[]}`, "NullStatement": `{"Statement":null}`,
		"OtherKey": `{"Foo":1,"Statement":[]}`, "LowerCaseKey": `{"statement":` + statements(1)[13:],
		"OtherVersion":  `{"Version":"2020-01-01",` + statements(1)[1:],
		"NumberID":      `{"Id":1,` + statements(1)[1:],
		"BadEffect":     statement(`{"Effect":"allow","Principal":"*","Action":"sqs:*"}`),
		"NoPrincipal":   statement(`{"Effect":"Allow","Action":"sqs:*"}`),
		"BothPrincipal": statement(`{"Effect":"Allow","Principal":"*","NotPrincipal":"*","Action":"sqs:*"}`),
		"BadPrincipal":  statement(`{"Effect":"Allow","Principal":{"Everyone":"*"},"Action":"sqs:*"}`),
		"TextPrincipal": statement(`{"Effect":"Allow","Principal":"root","Action":"sqs:*"}`),
		"NoAction":      statement(`{"Effect":"Allow","Principal":"*"}`),
		"OtherService":  statement(`{"Effect":"Allow","Principal":"*","Action":"s3:GetObject"}`),
		"BareAction":    statement(`{"Effect":"Allow","Principal":"*","Action":"SendMessage"}`),
		"EmptyActions":  statement(`{"Effect":"Allow","Principal":"*","Action":[]}`),
		"NumberAction":  statement(`{"Effect":"Allow","Principal":"*","Action":[1]}`),
		"NumberSid":     statement(`{"Sid":1,"Effect":"Allow","Principal":"*","Action":"*"}`),
		"TextCondition": statement(`{"Effect":"Allow","Principal":"*","Action":"*","Condition":"x"}`),
		"OtherInside":   statement(`{"Effect":"Allow","Principal":"*","Action":"*","Foo":1}`),
		"TooLong":       strings.Repeat(" ", 8192) + goodPolicy,
		"Noncharacter":  statement("{\"Sid\":\"\uffff\",\"Effect\":\"Allow\",\"Principal\":\"*\",\"Action\":\"*\"}"),
		"Nested":        statement(strings.Repeat("[", 4000)),
	} {
		cases["Refuse"+name] = attributeCase{name: "Policy", value: value, code: badAttrValue, text: "Invalid value for the parameter Policy."}
	}
	runAttributeCases(t, cases)
}

func TestPolicyLimits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ value, text string }{
		"Statements": {statements(22), "22 statements were found in the submitted policy, max allowed is 20"},
		"Actions":    {`{"Statement":{"Effect":"Allow","Principal":"*","Action":` + list(8, "sqs:A%d") + `}}`, "8 Actions were found, maximum allowed is 7."},
		"Principals": {`{"Statement":{"Effect":"Allow","Principal":{"AWS":` + list(51, "%012d") + `},"Action":"*"}}`, "51 Principals were found, maximum allowed is 50."},
		"Conditions": {`{"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Condition":{"StringEquals":{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1,"j":1},"Bool":{"k":1}}}}`, "11 Conditions were found, maximum allowed is 10."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			attributes := pairs("Policy", test.value)
			e.refused(protocol.CreateQueue, &protocol.CreateQueueInput{QueueName: new("q"), Attributes: attributes}, badValue, test.text)
			url := e.create("q", "Policy", goodPolicy)
			e.refused(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: attributes}, "OverLimit", test.text)
			if got := e.attributes(url, "Policy")["Policy"]; got != goodPolicy {
				t.Errorf("the policy is now %q", got)
			}
		})
	}
}

func TestRedrivePolicyAttribute(t *testing.T) {
	t.Parallel()
	const dlq = "arn:aws:sqs:us-east-1:000000000000:dlq"
	const notAMap = "Invalid value for the parameter RedrivePolicy. Reason: Redrive policy is not a valid JSON map."
	cases := map[string]attributeCase{
		"Number":   {value: redrive(dlq, "3"), want: redrive(dlq, "3")},
		"Text":     {value: redrive(dlq, `"3"`), want: redrive(dlq, "3")},
		"Most":     {value: redrive(dlq, "1000"), want: redrive(dlq, "1000")},
		"Least":    {value: redrive(dlq, "1"), want: redrive(dlq, "1")},
		"Pretty":   {value: "{\n  \"maxReceiveCount\" : \"3\" ,\n  \"deadLetterTargetArn\" : \"" + dlq + "\"\n}", want: redrive(dlq, "3")},
		"Itself":   {value: redrive(ownARN, "2"), want: redrive(ownARN, "2")},
		"Empty":    {value: "", want: ""},
		"NotJSON":  {value: "abc", code: badAttrValue, text: notAMap},
		"Array":    {value: "[]", code: badAttrValue, text: notAMap},
		"Null":     {value: "null", code: badAttrValue, text: notAMap},
		"JSONText": {value: `"x"`, code: badAttrValue, text: notAMap},
		"CutOff":   {value: `{"maxReceiveCount":`, code: badAttrValue, text: notAMap},
		"TooLong":  {value: strings.Repeat(" ", 20_000) + redrive(dlq, "3"), code: badAttrValue, text: notAMap},
	}
	const (
		count   = "Invalid value for maxReceiveCount: %s, valid values are from 1 to 1000 both inclusive."
		lacks   = "Redrive policy does not contain mandatory attribute: %s."
		fully   = "Dead-letter target ARN should be fully qualified ARN."
		none    = "Dead letter target does not exist."
		service = "Only SQS queues are valid resources for deadLetterTargetArn."
		only    = "Only following attributes are supported: [maxReceiveCount, deadLetterTargetArn]."
		owner   = "Dead-letter target owner should be same as the source."
	)
	for name, test := range map[string]struct{ value, reason string }{
		"EmptyObject":  {`{}`, fmt.Sprintf(lacks, "maxReceiveCount")},
		"NoCount":      {`{"deadLetterTargetArn":"` + dlq + `"}`, fmt.Sprintf(lacks, "maxReceiveCount")},
		"NullCount":    {redrive(dlq, "null"), fmt.Sprintf(lacks, "maxReceiveCount")},
		"NoTarget":     {`{"maxReceiveCount":3}`, fmt.Sprintf(lacks, "deadLetterTargetArn")},
		"Zero":         {redrive(dlq, "0"), fmt.Sprintf(count, "0")},
		"Negative":     {redrive(dlq, "-1"), fmt.Sprintf(count, "-1")},
		"TooMany":      {redrive(dlq, "1001"), fmt.Sprintf(count, "1001")},
		"Letters":      {redrive(dlq, `"abc"`), fmt.Sprintf(count, "abc")},
		"Decimals":     {redrive(dlq, "1.5"), fmt.Sprintf(count, "1.5")},
		"EmptyCount":   {redrive(dlq, `""`), fmt.Sprintf(count, "")},
		"ListCount":    {redrive(dlq, "[3]"), fmt.Sprintf(count, "[3]")},
		"HugeCount":    {redrive(dlq, "99999999999999999999"), fmt.Sprintf(count, "99999999999999999999")},
		"BareName":     {redrive("dlq", "3"), fully},
		"ShortARN":     {redrive("arn:aws:sqs:us-east-1:dlq", "3"), fully},
		"EmptyAccount": {redrive("arn:aws:sqs:us-east-1::dlq", "3"), fully},
		"NumberTarget": {`{"deadLetterTargetArn":5,"maxReceiveCount":3}`, fully},
		"ExtraKey":     {`{"deadLetterTargetArn":"` + dlq + `","maxReceiveCount":3,"x":1}`, only},
		"OtherService": {redrive("arn:aws:sns:us-east-1:000000000000:dlq", "3"), service},
		"OtherAccount": {redrive("arn:aws:sqs:us-east-1:111111111111:dlq", "3"), owner},
		"OtherRegion":  {redrive("arn:aws:sqs:eu-west-1:000000000000:dlq", "3"), none},
		"OtherPart":    {redrive("arn:aws-cn:sqs:us-east-1:000000000000:dlq", "3"), none},
		"UnknownQueue": {redrive("arn:aws:sqs:us-east-1:000000000000:nothing", "3"), none},
		"BadName":      {redrive("arn:aws:sqs:us-east-1:000000000000:a b", "3"), none},
	} {
		text := "Value " + test.value + " for parameter RedrivePolicy is invalid. Reason: " + test.reason
		cases["Refuse"+name] = attributeCase{value: test.value, code: badValue, text: text}
	}
	for name, test := range cases {
		test.name = "RedrivePolicy"
		cases[name] = test
	}
	runAttributeCases(t, cases)
}

// A policy outlives its target and does not keep it from being deleted.
func TestRedrivePolicyTargetDeleted(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	dlq := e.create("dlq")
	policy := redrive("arn:aws:sqs:us-east-1:000000000000:dlq", "3")
	url := e.create("q", "RedrivePolicy", policy)
	e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: dlq})
	if got := e.attributes(url, "All")["RedrivePolicy"]; got != policy {
		t.Errorf("the policy is %q, want %q", got, policy)
	}
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs("RedrivePolicy", "")})
	if got, ok := e.attributes(url, "All")["RedrivePolicy"]; ok {
		t.Errorf("the removed policy reads back as %q", got)
	}
}

func TestRedriveAllowPolicyAttribute(t *testing.T) {
	t.Parallel()
	const (
		format  = "Invalid value for the parameter RedriveAllowPolicy. Reason: Amazon SQS can't create the redrive allow policy, as it’s in an unsupported format."
		notARN  = "Amazon SQS can't create the redrive allow policy. To specify one or more source queue ARNs, you must set redrivePermission to byQueue."
		noARN   = "Amazon SQS can't create the redrive allow policy. When you specify the byQueue permission type, you must also specify one or more sourceQueueArns values."
		tooMany = "Amazon SQS can't create the redrive allow policy. The maximum number of source queue ARNs you can specify is 10."
	)
	ten := `{"redrivePermission":"byQueue","sourceQueueArns":` + list(10, "arn:aws:sqs:us-east-1:000000000000:q%d") + `}`
	cases := map[string]attributeCase{
		"AllowAll":    {value: `{"redrivePermission":"allowAll"}`, want: `{"redrivePermission":"allowAll"}`},
		"DenyAll":     {value: `{ "redrivePermission" : "denyAll" }`, want: `{"redrivePermission":"denyAll"}`},
		"NoARNsGiven": {value: `{"redrivePermission":"denyAll","sourceQueueArns":[ ]}`, want: `{"redrivePermission":"denyAll"}`},
		"ByQueue":     {value: `{"sourceQueueArns":["` + ownARN + `"],"redrivePermission":"byQueue"}`, want: `{"redrivePermission":"byQueue","sourceQueueArns":["` + ownARN + `"]}`},
		"Ten":         {value: ten, want: ten},
		"Empty":       {value: "", want: ""},
	}
	for name, value := range map[string]string{
		"NotJSON": "abc", "Array": "[]", "Null": "null", "NoPermission": "{}", "OtherPermission": `{"redrivePermission":"some"}`,
		"NumberPermission": `{"redrivePermission":1}`, "OtherKey": `{"redrivePermission":"allowAll","x":1}`,
		"TextARNs": `{"redrivePermission":"byQueue","sourceQueueArns":"` + ownARN + `"}`,
		"NumARNs":  `{"redrivePermission":"byQueue","sourceQueueArns":[1]}`, "NoARN": `{"redrivePermission":"byQueue","sourceQueueArns":["q"]}`,
		"OtherService": `{"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sns:us-east-1:000000000000:q"]}`,
		"TooLong":      strings.Repeat(" ", 20_000) + `{"redrivePermission":"allowAll"}`,
	} {
		cases["Refuse"+name] = attributeCase{value: value, code: badAttrValue, text: format}
	}
	for name, test := range map[string]struct{ value, reason string }{
		"ARNsOnAllowAll": {`{"redrivePermission":"allowAll","sourceQueueArns":["` + ownARN + `"]}`, notARN},
		"ARNsOnDenyAll":  {`{"redrivePermission":"denyAll","sourceQueueArns":["` + ownARN + `"]}`, notARN},
		"ByQueueNoARNs":  {`{"redrivePermission":"byQueue"}`, noARN},
		"ByQueueEmpty":   {`{"redrivePermission":"byQueue","sourceQueueArns":[]}`, noARN},
		"Eleven":         {`{"redrivePermission":"byQueue","sourceQueueArns":` + list(11, "arn:aws:sqs:us-east-1:000000000000:q%d") + `}`, tooMany},
	} {
		text := "Value " + test.value + " for parameter RedriveAllowPolicy is invalid. Reason: " + test.reason
		cases["Refuse"+name] = attributeCase{value: test.value, code: badValue, text: text}
	}
	for name, test := range cases {
		test.name = "RedriveAllowPolicy"
		cases[name] = test
	}
	runAttributeCases(t, cases)
}

func TestRedriveAllowed(t *testing.T) {
	t.Parallel()
	const dlq = "arn:aws:sqs:us-east-1:000000000000:dlq"
	for name, test := range map[string]struct {
		allow   string
		allowed bool
	}{
		"NoPolicy":     {"", true},
		"AllowAll":     {`{"redrivePermission":"allowAll"}`, true},
		"DenyAll":      {`{"redrivePermission":"denyAll"}`, false},
		"ByThisQueue":  {`{"redrivePermission":"byQueue","sourceQueueArns":["` + ownARN + `"]}`, true},
		"ByOtherQueue": {`{"redrivePermission":"byQueue","sourceQueueArns":["` + ownARN + `2"]}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			e.create("dlq", "RedriveAllowPolicy", test.allow)
			in := &protocol.CreateQueueInput{QueueName: new("q"), Attributes: pairs("RedrivePolicy", redrive(dlq, "3"))}
			if test.allowed {
				e.run(protocol.CreateQueue, in)
				return
			}
			e.refused(protocol.CreateQueue, in, badValue, "")
		})
	}
}

// Sources that were there before a denial keep their policy.
func TestRedriveDeniedLater(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	dlq := e.create("dlq")
	policy := redrive("arn:aws:sqs:us-east-1:000000000000:dlq", "3")
	url := e.create("q", "RedrivePolicy", policy)
	e.run(protocol.SetQueueAttributes, &protocol.SetQueueAttributesInput{QueueURL: dlq, Attributes: pairs("RedriveAllowPolicy", `{"redrivePermission":"denyAll"}`)})
	if diff := cmp.Diff(pairs("RedrivePolicy", policy), e.attributes(url, "RedrivePolicy")); diff != "" {
		t.Errorf("unlike the policy wanted (-want +got):\n%s", diff)
	}
}

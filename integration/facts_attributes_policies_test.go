package integration

import (
	"fmt"
	"strings"
	"testing"
)

// statements is a policy of so many statements.
func statements(n int) string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf(`{"Sid":"s%d","Effect":"Allow","Principal":"*","Action":"SQS:SendMessage","Resource":"*"}`, i))
	}
	return `{"Version":"2012-10-17","Id":"p","Statement":[` + strings.Join(all, ",") + `]}`
}

func TestFactsOfPolicies(t *testing.T) {
	one := func(statement string) string { return `{"Statement":[` + statement + `]}` }
	const rest = `"Principal":"*","Action":"sqs:*","Resource":"*"`
	kept := func(name, policy string) []fact { return keptBoth("Policy"+name, false, attrs{"Policy": policy}, nil) }
	denied := func(name, policy string) []fact {
		return deniedBoth("Policy"+name, false, attrs{"Policy": policy}, badAttr, badValue("Policy"))
	}
	facts := flat(
		kept("WithAll", `{"Version":"2012-10-17","Id":"i","Statement":[{"Sid":"s","Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Action":["sqs:SendMessage"],"Resource":"*","Condition":{"ArnEquals":{"aws:SourceArn":"arn:aws:sns:us-east-1:000000000000:t"}}}]}`),
		kept("OfTheOlderVersion", `{"Version":"2008-10-17","Statement":[{"Effect":"Deny",`+rest+`}]}`),
		kept("WithNots", one(`{"Effect":"Deny","NotPrincipal":{"AWS":"111111111111"},"NotAction":"SQS:SendMessage","NotResource":"x"}`)),
		kept("OfTwentyStatements", statements(20)),
		keptBoth("PolicyWithABlankBefore", false, attrs{"Policy": ` {"Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sqs:SendMessage","Resource":"x","Condition":{"ArnLike":{"k":"v"}}}]}`},
			attrs{"Policy": `{"Statement":[{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sqs:SendMessage","Resource":"x","Condition":{"ArnLike":{"k":"v"}}}]}`}),
		denied("NoJSON", "not json"), denied("AnArray", "[]"), denied("NoStatement", "{}"), denied("OfAnUnknownVersion", `{"Version":"2020-01-01","Statement":[{"Effect":"Allow",`+rest+`}]}`),
		denied("OfAnUnknownKey", `{"Bogus":1,"Statement":[{"Effect":"Allow",`+rest+`}]}`), denied("OfAnUnknownEffect", one(`{"Effect":"Maybe",`+rest+`}`)),
		denied("OfAnUnknownStatementKey", one(`{"Effect":"Allow","Bogus":1,`+rest+`}`)), denied("OfAnotherService", one(`{"Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":"*"}`)),
		denied("AboveItsSize", `{"Id":"`+strings.Repeat("x", 8192)+`","Statement":[{"Effect":"Allow",`+rest+`}]}`),
	)
	const tooMany = "22 statements were found in the submitted policy, max allowed is 20"
	runFacts(t, append(
		facts,
		refused("SetQueueAttributes", "PolicyOf22Statements", args{"Attributes": attrs{"Policy": statements(22)}}, "OverLimit", tooMany),
		refused("CreateQueue", "PolicyOf22Statements", args{"QueueName": "new", "Attributes": attrs{"Policy": statements(22)}}, badParam, tooMany),
		fact{"GetQueueAttributes", "PolicyByItsName", "", func(t *testing.T, e *env) {
			policy := one(`{"Effect":"Allow",` + rest + `}`)
			if got := e.attributes(t, e.create(t, attrs{"Policy": policy}), "Policy"); len(got) != 1 || !sameValue(got["Policy"], policy) {
				t.Errorf("attributes are %v", got)
			}
		}},
		removes("Policy", one(`{"Effect":"Allow",`+rest+`}`)),
	))
}

// removes is the fact that an empty value removes an attribute, also when there
// is none.
func removes(name, value string) fact {
	return fact{"SetQueueAttributes", name + "EmptyRemovesIt", "", func(t *testing.T, e *env) {
		e.world(t, "SetQueueAttributes", args{})
		value := strings.Replace(value, "%ARN", "arn:aws:sqs:us-east-1:"+e.account+":q", 1)
		url := e.create(t, attrs{name: value})
		for range 2 {
			e.setAttributes(t, url, attrs{name: ""})
			if got, ok := e.attributes(t, url, "All")[name]; ok {
				t.Errorf("%s is %q", name, got)
			}
		}
	}}
}

func TestFactsOfRedrivePolicies(t *testing.T) {
	const want = `{"deadLetterTargetArn":"%ARN","maxReceiveCount":3}`
	kept := func(name, given string) []fact {
		return keptBoth("RedrivePolicy"+name, false, attrs{"RedrivePolicy": given}, attrs{"RedrivePolicy": want})
	}
	denied := func(name, given, reason string) []fact {
		return deniedBoth("RedrivePolicy"+name, false, attrs{"RedrivePolicy": given}, badParam, "Value "+given+" for parameter RedrivePolicy is invalid. Reason: "+reason)
	}
	noMap := "Invalid value for the parameter RedrivePolicy. Reason: Redrive policy is not a valid JSON map."
	count := func(n string) string { return `{"deadLetterTargetArn":"%ARN","maxReceiveCount":` + n + `}` }
	counted := func(n string) string {
		return "Invalid value for maxReceiveCount: " + n + ", valid values are from 1 to 1000 both inclusive."
	}
	target := func(arn string) string { return `{"deadLetterTargetArn":"` + arn + `","maxReceiveCount":1}` }
	facts := flat(
		kept("WithANumber", want), kept("WithANumberAsText", count(`"3"`)),
		kept("InOtherOrder", `{"maxReceiveCount":3,"deadLetterTargetArn":"%ARN"}`),
		kept("WithWhiteSpace", "{\n  \"deadLetterTargetArn\": \"%ARN\",\n  \"maxReceiveCount\": \"3\"\n}"),
		keptBoth("RedrivePolicyOfOne", false, attrs{"RedrivePolicy": count("1")}, nil), keptBoth("RedrivePolicyOf1000", false, attrs{"RedrivePolicy": count("1000")}, nil),
		deniedBoth("RedrivePolicyNoJSON", false, attrs{"RedrivePolicy": "not json"}, badAttr, noMap),
		deniedBoth("RedrivePolicyAnArray", false, attrs{"RedrivePolicy": "[]"}, badAttr, noMap),
		deniedBoth("RedrivePolicyAText", false, attrs{"RedrivePolicy": `"x"`}, badAttr, noMap),
		denied("WithoutACount", `{"deadLetterTargetArn":"%ARN"}`, "Redrive policy does not contain mandatory attribute: maxReceiveCount."),
		denied("WithoutATarget", `{"maxReceiveCount":1}`, "Redrive policy does not contain mandatory attribute: deadLetterTargetArn."),
		denied("Empty", `{}`, "Redrive policy does not contain mandatory attribute: maxReceiveCount."),
		denied("OfZero", count("0"), counted("0")), denied("Of1001", count("1001"), counted("1001")), denied("OfMinusOne", count("-1"), counted("-1")),
		deniedBoth("RedrivePolicyOfNoNumber", false, attrs{"RedrivePolicy": count(`"abc"`)}, badParam, anyText),
		denied("ToAMalformedARN", target("nowhere"), "Dead-letter target ARN should be fully qualified ARN."),
		denied("WithMore", `{"deadLetterTargetArn":"%ARN","maxReceiveCount":1,"more":1}`, "Only following attributes are supported: [maxReceiveCount, deadLetterTargetArn]."),
		denied("ToAnotherService", target("arn:aws:sns:us-east-1:%ACCOUNT:q"), "Only SQS queues are valid resources for deadLetterTargetArn."),
		denied("ToAnUnknownQueue", target("arn:aws:sqs:us-east-1:%ACCOUNT:nowhere"), "Dead letter target does not exist."),
		denied("ToAnotherRegion", target("arn:aws:sqs:eu-west-1:%ACCOUNT:q"), "Dead letter target does not exist."),
		denied("ToAFIFOQueue", target("%ARN.fifo"), "Dead-letter queue must be same type of queue as the source.."),
		denied("ToAnotherAccount", target("arn:aws:sqs:us-east-1:999999999999:q"), "Dead-letter target owner should be same as the source."),
		deniedBoth("RedrivePolicyToAStandardQueue", true, attrs{"RedrivePolicy": target("%ARN")}, badParam, "Value "+target("%ARN")+" for parameter RedrivePolicy is invalid. Reason: Dead-letter queue must be same type of queue as the source.."),
	)
	runFacts(t, append(
		facts, removes("RedrivePolicy", want),
		accepted("SetQueueAttributes", "RedrivePolicyToItself", args{"Attributes": attrs{"RedrivePolicy": target("%ARN")}}),
		fact{"SetQueueAttributes", "RedrivePolicyToOneThatDeniesAll", "", func(t *testing.T, e *env) {
			closed, url := e.create(t, attrs{"RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`}), e.create(t, nil)
			in := args{"QueueUrl": url, "Attributes": attrs{"RedrivePolicy": redriveTo(e.arn(t, closed), 1)}}
			e.call(t, "SetQueueAttributes", in).wantRefusal(t, e, badParam, anyText)
			e.setAttributes(t, closed, attrs{"RedriveAllowPolicy": ""})
			e.call(t, "SetQueueAttributes", in).wantOK(t)
		}},
		fact{"SetQueueAttributes", "RedrivePolicyToOneThatAllowsByQueue", "", func(t *testing.T, e *env) {
			mine, other := e.create(t, nil), e.create(t, nil)
			open := e.create(t, attrs{"RedriveAllowPolicy": `{"redrivePermission":"byQueue","sourceQueueArns":["` + e.arn(t, mine) + `"]}`})
			policy := attrs{"RedrivePolicy": redriveTo(e.arn(t, open), 1)}
			e.call(t, "SetQueueAttributes", args{"QueueUrl": other, "Attributes": policy}).wantRefusal(t, e, badParam, anyText)
			e.setAttributes(t, mine, policy)
		}},
		fact{"SetQueueAttributes", "RedrivePolicyInACycle", "", func(t *testing.T, e *env) {
			a, b := e.create(t, nil), e.create(t, nil)
			e.setAttributes(t, a, attrs{"RedrivePolicy": redriveTo(e.arn(t, b), 1)})
			e.setAttributes(t, b, attrs{"RedrivePolicy": redriveTo(e.arn(t, a), 1)})
		}},
	))
}

func TestFactsOfRedriveAllowPolicies(t *testing.T) {
	const badForm = "Invalid value for the parameter RedriveAllowPolicy. Reason: Amazon SQS can't create the redrive allow policy, as it’s in an unsupported format."
	arns := func(n int) string {
		return strings.TrimSuffix(strings.Repeat(`"arn:aws:sqs:us-east-1:000000000000:a",`, n), ",")
	}
	byQueue := func(n int) string { return `{"redrivePermission":"byQueue","sourceQueueArns":[` + arns(n) + `]}` }
	kept := func(name, policy string) []fact {
		return keptBoth("RedriveAllowPolicy"+name, false, attrs{"RedriveAllowPolicy": policy}, nil)
	}
	malformed := func(name, policy string) []fact {
		return deniedBoth("RedriveAllowPolicy"+name, false, attrs{"RedriveAllowPolicy": policy}, badAttr, badForm)
	}
	denied := func(name, policy, reason string) []fact {
		return deniedBoth("RedriveAllowPolicy"+name, false, attrs{"RedriveAllowPolicy": policy}, badParam, "Value "+policy+" for parameter RedriveAllowPolicy is invalid. Reason: Amazon SQS can't create the redrive allow policy. "+reason)
	}
	const needByQueue = "To specify one or more source queue ARNs, you must set redrivePermission to byQueue."
	const needARNs = "When you specify the byQueue permission type, you must also specify one or more sourceQueueArns values."
	facts := flat(
		kept("AllowAll", `{"redrivePermission":"allowAll"}`), kept("DenyAll", `{"redrivePermission":"denyAll"}`),
		kept("ByQueueOfOneThatIsNotThere", byQueue(1)), kept("ByItself", `{"redrivePermission":"byQueue","sourceQueueArns":["%ARN"]}`),
		malformed("NoJSON", "not json"), malformed("Unknown", `{"redrivePermission":"maybe"}`), malformed("WithMore", `{"redrivePermission":"allowAll","more":1}`),
		malformed("ARNsThatAreNoList", `{"redrivePermission":"byQueue","sourceQueueArns":"x"}`),
		denied("ARNsWithDenyAll", `{"redrivePermission":"denyAll","sourceQueueArns":[`+arns(1)+`]}`, needByQueue),
		denied("ARNsWithAllowAll", `{"redrivePermission":"allowAll","sourceQueueArns":[`+arns(1)+`]}`, needByQueue),
		denied("ByQueueWithoutARNs", `{"redrivePermission":"byQueue"}`, needARNs), denied("ByQueueWithNoARNs", byQueue(0), needARNs),
		denied("ByElevenQueues", byQueue(11), "The maximum number of source queue ARNs you can specify is 10."),
	)
	runFacts(t, append(
		facts, removes("RedriveAllowPolicy", `{"redrivePermission":"denyAll"}`),
		fact{"SetQueueAttributes", "RedriveAllowPolicyDeniesNoEarlierSource", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			source := e.withDeadLetters(t, dlq, 1)
			e.setAttributes(t, dlq, attrs{"RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`})
			e.send(t, source, "b")
			for range 2 {
				e.receive(t, source)
			}
			wantBodies(t, e.receive(t, dlq), "b")
		}},
	))
}

package integration

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// permission is the arguments of an AddPermission with a label "l", with some
// of them replaced.
func permission(with args) args {
	in := args{"Label": "l", "AWSAccountIds": list{"111111111111"}, "Actions": list{"SendMessage"}}
	for k, v := range with {
		in[k] = v
		if v == nil {
			delete(in, k)
		}
	}
	return in
}

// grantable are the actions that can be granted, as the policy writes them.
var grantable = []string{
	"*", "ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "GetQueueUrl", "ListDeadLetterSourceQueues",
	"PurgeQueue", "ReceiveMessage", "SendMessage",
}

// ownersOnly are the actions that cannot be granted.
var ownersOnly = []string{
	"AddPermission", "CancelMessageMoveTask", "CreateQueue", "DeleteQueue", "ListMessageMoveTasks", "ListQueueTags", "ListQueues",
	"RemovePermission", "SetQueueAttributes", "StartMessageMoveTask", "TagQueue", "UntagQueue",
}

func TestFactsOfAddPermission(t *testing.T) {
	const action = "AddPermission"
	facts := []fact{
		answers(action, "ItsAnswerIsEmpty", permission(nil), "", ""),
		refused(action, "WithoutALabel", permission(args{"Label": nil}), noParam, "The request must contain the parameter Label."),
		refused(action, "ALabelWithABlank", permission(args{"Label": "a b"}), badParam, anyText),
		accepted(action, "ALabelOf80", permission(args{"Label": strings.Repeat("l", 80)})),
		refused(action, "ALabelOf81", permission(args{"Label": strings.Repeat("l", 80) + "l"}), badParam, anyText),
		refused(action, "WithoutActions", permission(args{"Actions": nil}), noParam, "The request must contain the parameter ActionName."),
		refused(action, "NoActionsInTheList", permission(args{"Actions": list{}}), noParam, "The request must contain the parameter ActionName."),
		refused(action, "AnUnknownAction", permission(args{"Actions": list{"Bogus"}}), badParam, "Value SQS:Bogus for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions."),
		refused(action, "ABatchAction", permission(args{"Actions": list{"SendMessageBatch"}}), badParam, "Value SQS:SendMessageBatch for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions."),
		refused(action, "WithoutAccounts", permission(args{"AWSAccountIds": nil}), noParam, "The request must contain the parameter AWSAccountIds."),
		refused(action, "AnAccountOf11Digits", permission(args{"AWSAccountIds": list{"11111111111"}}), badParam, "Value [11111111111] for parameter PrincipalId is invalid. Reason: Unable to verify."),
		accepted(action, "TheOwnersOwnAccount", permission(args{"AWSAccountIds": list{"%ACCOUNT"}})),
		accepted(action, "TheOwnersAccountAndAnother", permission(args{"AWSAccountIds": list{"%ACCOUNT", "222222222222"}})),
		refused(action, "EightActions", permission(args{"Actions": list{"SendMessage", "SendMessage", "SendMessage", "SendMessage", "SendMessage", "SendMessage", "SendMessage", "SendMessage"}}), "OverLimit", "8 Actions were found, maximum allowed is 7."),
		{action, "ALabelInUse", "", func(t *testing.T, e *env) {
			in := e.world(t, action, permission(nil))
			e.call(t, action, in).wantOK(t)
			const text = "Value l for parameter Label is invalid. Reason: Already exists."
			e.call(t, action, in).wantRefusal(t, e, badParam, text)
			in["AWSAccountIds"] = list{"333333333333"}
			e.call(t, action, in).wantRefusal(t, e, badParam, text)
		}},
		{action, "TwentyOneStatements", "", func(t *testing.T, e *env) {
			in := e.world(t, action, permission(nil))
			for i := range 20 {
				in["Label"] = fmt.Sprint("l", i)
				e.call(t, action, in).wantOK(t)
			}
			in["Label"] = "more"
			e.call(t, action, in).wantRefusal(t, e, "OverLimit", "21 Statements were found, maximum allowed is 20.")
		}},
		{action, "PermissionsAreStatementsOfThePolicy", "", permissionsComeAndGo},
	}
	for _, a := range grantable {
		facts = append(facts, fact{action, "Grants" + word(a), "", func(t *testing.T, e *env) {
			e.call(t, action, e.world(t, action, permission(args{"Actions": list{a}}))).wantOK(t)
			arn := "arn:aws:sqs:us-east-1:" + e.account + ":q"
			want := `{"Version":"2008-10-17","Id":"` + arn + `/SQSDefaultPolicy","Statement":[{"Sid":"l","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111111111111:root"},"Action":"SQS:` + a + `","Resource":"` + arn + `"}]}`
			if got := e.attributes(t, "q", "Policy")["Policy"]; !sameValue(got, want) {
				t.Errorf("the policy is %s, want %s", got, want)
			}
		}})
	}
	for _, a := range ownersOnly {
		facts = append(facts, refused(action, "DoesNotGrant"+a, permission(args{"Actions": list{a}}), badParam,
			"Value SQS:"+a+" for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action."))
	}
	runFacts(t, facts)
}

// word is a name for what may be a star.
func word(s string) string {
	if s == "*" {
		return "Everything"
	}
	return s
}

// permissionsComeAndGo shows permissions as statements of the queue's policy.
func permissionsComeAndGo(t *testing.T, e *env) {
	url := e.create(t, nil)
	arn := e.arn(t, url)
	allow := func(label string, actions []string, accounts ...string) error {
		_, err := e.sqs.AddPermission(t.Context(), &sqs.AddPermissionInput{QueueUrl: &url, Label: &label, AWSAccountIds: accounts, Actions: actions})
		return err
	}
	deny := func(label string) error {
		_, err := e.sqs.RemovePermission(t.Context(), &sqs.RemovePermissionInput{QueueUrl: &url, Label: &label})
		return err
	}
	check := func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	check(allow("one", []string{"ReceiveMessage"}, "111111111111"), allow("two", []string{"SendMessage", "DeleteMessage"}, "111111111111", "222222222222"))
	one := `{"Sid":"one","Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111111111111:root"},"Action":"SQS:ReceiveMessage","Resource":"` + arn + `"}`
	two := `{"Sid":"two","Effect":"Allow","Principal":{"AWS":["arn:aws:iam::111111111111:root","arn:aws:iam::222222222222:root"]},"Action":["SQS:SendMessage","SQS:DeleteMessage"],"Resource":"` + arn + `"}`
	head := `{"Version":"2008-10-17","Id":"` + arn + `/SQSDefaultPolicy","Statement":[`
	policy := func() string { return e.attributes(t, url, "Policy")["Policy"] }
	if want := head + one + "," + two + "]}"; !sameValue(policy(), want) {
		t.Errorf("the policy is %s, want %s", policy(), want)
	}
	check(deny("one"))
	if want := head + two + "]}"; !sameValue(policy(), want) {
		t.Errorf("the policy is %s, want %s", policy(), want)
	}
	check(deny("two"))
	if _, ok := e.attributes(t, url, "All")["Policy"]; ok {
		t.Error("a policy is left")
	}
}

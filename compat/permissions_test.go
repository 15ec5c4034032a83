package compat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

// allow grants actions to accounts, each a list parted by blanks.
func (e *env) allow(url *string, label, accounts, actions string) *protocol.AddPermissionInput {
	return &protocol.AddPermissionInput{QueueURL: url, Label: &label, AWSAccountIDs: strings.Fields(accounts), Actions: strings.Fields(actions)}
}

// policyOf is the policy of the queue named q with these statements.
func policyOf(statements ...string) string {
	return `{"Version":"2008-10-17","Id":"` + ownARN + `/SQSDefaultPolicy","Statement":[` + strings.Join(statements, ",") + `]}`
}

// grant is a statement of such a policy; principals and actions are as written.
func grant(label, principals, actions string) string {
	return `{"Sid":"` + label + `","Effect":"Allow","Principal":{"AWS":` + principals + `},"Action":` + actions + `,"Resource":"` + ownARN + `"}`
}

const (
	one = `"arn:aws:iam::111111111111:root"`
	two = `["arn:aws:iam::111111111111:root","arn:aws:iam::222222222222:root"]`
)

// Permissions are the statements of the policy, which comes and goes with them.
func TestPermissions(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	want := func(policy string) {
		t.Helper()
		if diff := cmp.Diff(policy, e.attributes(url, "Policy")["Policy"]); diff != "" {
			t.Errorf("the policy (-want +got):\n%s", diff)
		}
	}
	remove := func(label string) *protocol.RemovePermissionInput {
		return &protocol.RemovePermissionInput{QueueURL: url, Label: &label}
	}
	if out := e.run(protocol.AddPermission, e.allow(url, "crossaccountpermission", "111111111111", "ReceiveMessage")).Output; out != nil {
		t.Errorf("the output is %v, want none", out)
	}
	a := grant("crossaccountpermission", one, `"SQS:ReceiveMessage"`)
	want(policyOf(a))
	e.run(protocol.AddPermission, e.allow(url, "b", "111111111111 222222222222", "SendMessage DeleteMessage"))
	b := grant("b", two, `["SQS:SendMessage","SQS:DeleteMessage"]`)
	want(policyOf(a, b))
	e.run(protocol.AddPermission, e.allow(url, "c", "000000000000", "*"))
	c := grant("c", `"arn:aws:iam::000000000000:root"`, `"SQS:*"`)
	want(policyOf(a, b, c))

	exists := "Value b for parameter Label is invalid. Reason: Already exists."
	e.refused(protocol.AddPermission, e.allow(url, "b", "111111111111 222222222222", "SendMessage DeleteMessage"), badValue, exists)
	e.refused(protocol.AddPermission, e.allow(url, "b", "333333333333", "SendMessage"), badValue, exists)
	e.refused(protocol.RemovePermission, remove("x"), badValue, "Value x for parameter Label is invalid. Reason: can't find label on existing policy.")
	want(policyOf(a, b, c))

	if out := e.run(protocol.RemovePermission, remove("b")).Output; out != nil {
		t.Errorf("the output is %v, want none", out)
	}
	want(policyOf(a, c))
	e.run(protocol.RemovePermission, remove("c"))
	e.run(protocol.RemovePermission, remove("crossaccountpermission"))
	if _, ok := e.attributes(url, "All")["Policy"]; ok {
		t.Error("a policy without statements is shown")
	}
	e.refused(protocol.RemovePermission, remove("b"), badValue, "Value b for parameter Label is invalid. Reason: can't find label.")
}

func TestAddPermissionFaults(t *testing.T) {
	t.Parallel()
	const missing = "The request must contain the parameter %s."
	owner := func(action string) string {
		return "Value SQS:" + action + " for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action."
	}
	unknown := func(action string) string {
		return "Value SQS:" + action + " for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions."
	}
	account := func(id string) string {
		return "Value [" + id + "] for parameter PrincipalId is invalid. Reason: Unable to verify."
	}
	label := func(l string) string {
		return "Value " + l + " for parameter Label is invalid. Reason: " + textName + "."
	}
	var many []string
	for i := range 51 {
		many = append(many, fmt.Sprintf("%012d", i))
	}
	type in = protocol.AddPermissionInput
	send := []string{"SendMessage"}
	them := []string{"111111111111"}
	long := strings.Repeat("l", 81)
	tests := map[string]struct {
		in         in
		code, text string
	}{
		"Nothing":      {in{}, missingMember, fmt.Sprintf(missing, "Label")},
		"EmptyLabel":   {in{Label: new(""), Actions: send, AWSAccountIDs: them}, missingMember, fmt.Sprintf(missing, "Label")},
		"BadLabel":     {in{Label: new("a b"), Actions: send, AWSAccountIDs: them}, badValue, label("a b")},
		"LongLabel":    {in{Label: &long, Actions: send, AWSAccountIDs: them}, badValue, label(long)},
		"NoActions":    {in{Label: new("l"), AWSAccountIDs: them}, missingMember, fmt.Sprintf(missing, "ActionName")},
		"OwnersAction": {in{Label: new("l"), Actions: []string{"SendMessage", "CreateQueue"}, AWSAccountIDs: them}, badValue, owner("CreateQueue")},
		"MoveTask":     {in{Label: new("l"), Actions: []string{"StartMessageMoveTask"}, AWSAccountIDs: them}, badValue, owner("StartMessageMoveTask")},
		"Batch":        {in{Label: new("l"), Actions: []string{"SendMessageBatch"}, AWSAccountIDs: them}, badValue, unknown("SendMessageBatch")},
		"Prefixed":     {in{Label: new("l"), Actions: []string{"SQS:SendMessage"}, AWSAccountIDs: them}, badValue, unknown("SQS:SendMessage")},
		"OtherCase":    {in{Label: new("l"), Actions: []string{"sendmessage"}, AWSAccountIDs: them}, badValue, unknown("sendmessage")},
		"EmptyAction":  {in{Label: new("l"), Actions: []string{""}, AWSAccountIDs: them}, badValue, unknown("")},
		"NoAccounts":   {in{Label: new("l"), Actions: send}, missingMember, fmt.Sprintf(missing, "AWSAccountIds")},
		"ShortAccount": {in{Label: new("l"), Actions: send, AWSAccountIDs: []string{"111111111111", "1234"}}, badValue, account("1234")},
		"ARN":          {in{Label: new("l"), Actions: send, AWSAccountIDs: []string{"arn:aws:iam::111111111111:root"}}, badValue, account("arn:aws:iam::111111111111:root")},
		"EightActions": {in{Label: new("l"), Actions: strings.Fields(strings.Repeat("SendMessage ", 8)), AWSAccountIDs: them}, "OverLimit", "8 Actions were found, maximum allowed is 7."},
		"ManyAccounts": {in{Label: new("l"), Actions: send, AWSAccountIDs: many}, "OverLimit", "51 Principals were found, maximum allowed is 50."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			test.in.QueueURL = e.create("q")
			e.refused(protocol.AddPermission, &test.in, test.code, test.text)
			if got := e.attributes(test.in.QueueURL, "Policy"); len(got) != 0 {
				t.Errorf("there is a policy: %v", got)
			}
		})
	}
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for _, label := range []*string{nil, new("")} {
		e.refused(protocol.RemovePermission, &protocol.RemovePermissionInput{QueueURL: url, Label: label}, missingMember, fmt.Sprintf(missing, "Label"))
	}
	e.run(protocol.AddPermission, &in{QueueURL: url, Label: new(long[1:]), AWSAccountIDs: many[:50], Actions: strings.Fields("ChangeMessageVisibility DeleteMessage GetQueueAttributes GetQueueUrl ListDeadLetterSourceQueues PurgeQueue ReceiveMessage")})
}

// A policy that somebody set is extended and left as it is otherwise.
func TestPermissionsBesideAPolicy(t *testing.T) {
	t.Parallel()
	const theirs = `{"Sid":"","Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"<&>","Condition":{"Bool":{"aws:SecureTransport":"false"}}}`
	const named = `{"Sid":"named","Effect":"Allow","Principal":{"AWS":"*"},"Action":"sqs:SendMessage"}`
	mine := grant("l", one, `"SQS:SendMessage"`)
	tests := map[string]struct{ policy, added, removed string }{
		"Single":    {`{"Statement":` + theirs + `}`, `{"Statement":[` + theirs + `,` + mine + `]}`, `{"Statement":[` + theirs + `]}`},
		"Version":   {`{"Statement":[` + theirs + `],"Version":"2012-10-17"}`, `{"Version":"2012-10-17","Statement":[` + theirs + `,` + mine + `]}`, `{"Version":"2012-10-17","Statement":[` + theirs + `]}`},
		"OwnID":     {`{"Id":"x","Statement":[` + named + `]}`, `{"Id":"x","Statement":[` + named + `,` + mine + `]}`, `{"Id":"x","Statement":[` + named + `]}`},
		"WithoutID": {`{"Statement":[` + named + `,` + theirs + `]}`, `{"Statement":[` + named + `,` + theirs + `,` + mine + `]}`, `{"Statement":[` + named + `,` + theirs + `]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.create("q", "Policy", test.policy)
			e.run(protocol.AddPermission, e.allow(url, "l", "111111111111", "SendMessage"))
			if got := e.attributes(url, "Policy")["Policy"]; got != test.added {
				t.Errorf("with a permission more the policy is\n%s\nwant\n%s", got, test.added)
			}
			e.run(protocol.RemovePermission, &protocol.RemovePermissionInput{QueueURL: url, Label: new("l")})
			if got := e.attributes(url, "Policy")["Policy"]; got != test.removed {
				t.Errorf("without it the policy is\n%s\nwant\n%s", got, test.removed)
			}
		})
	}
	e := newEnv(t, compat.Options{})
	url := e.create("q", "Policy", `{"Statement":[`+named+`]}`)
	e.refused(protocol.AddPermission, e.allow(url, "named", "111111111111", "SendMessage"), badValue, "Value named for parameter Label is invalid. Reason: Already exists.")
	e.run(protocol.RemovePermission, &protocol.RemovePermissionInput{QueueURL: url, Label: new("named")})
	if got := e.attributes(url, "Policy"); len(got) != 0 {
		t.Errorf("the policy is %v, want none", got)
	}
}

func TestPermissionLimits(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for i := range 20 {
		e.run(protocol.AddPermission, e.allow(url, fmt.Sprint(i), "111111111111", "SendMessage"))
	}
	e.refused(protocol.AddPermission, e.allow(url, "20", "111111111111", "SendMessage"), "OverLimit", "21 Statements were found, maximum allowed is 20.")
	e.run(protocol.RemovePermission, &protocol.RemovePermissionInput{QueueURL: url, Label: new("7")})
	e.run(protocol.AddPermission, e.allow(url, "20", "111111111111", "SendMessage"))

	long := e.create("long", "Policy", `{"Statement":{"Sid":"`+strings.Repeat("s", 8000)+`","Effect":"Allow","Principal":"*","Action":"*"}}`)
	before := e.attributes(long, "Policy")
	e.refused(protocol.AddPermission, e.allow(long, "l", "111111111111", "SendMessage"), "OverLimit", "")
	if diff := cmp.Diff(before, e.attributes(long, "Policy")); diff != "" {
		t.Errorf("the policy changed (-before +after):\n%s", diff)
	}
}

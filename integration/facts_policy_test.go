package integration

import (
	"fmt"
	"testing"
)

// grant is the statement of a permission; accounts and actions are as written.
func grant(label, accounts, actions, arn string) string {
	return `{"Sid":"` + label + `","Effect":"Allow","Principal":{"AWS":` + accounts + `},"Action":` + actions + `,"Resource":"` + arn + `"}`
}

// ofAccount is an account as a policy writes it.
func ofAccount(account string) string { return `"arn:aws:iam::` + account + `:root"` }

// allow adds a permission.
func (e *env) allow(t *testing.T, url, label string, accounts, actions list) *reply {
	t.Helper()
	return e.call(t, "AddPermission", args{"QueueUrl": url, "Label": label, "AWSAccountIds": accounts, "Actions": actions})
}

// wantPolicy checks the policy of a queue as JSON.
func (e *env) wantPolicy(t *testing.T, url, want string) {
	t.Helper()
	if got := e.attributes(t, url, "Policy")["Policy"]; got != want && !sameValue(got, want) {
		t.Errorf("the policy is %s, want %s", got, want)
	}
}

func TestFactsOfPermissions(t *testing.T) {
	const add, remove, bad = "AddPermission", "RemovePermission", "InvalidParameterValue"
	const one, two = "111111111111", "222222222222"
	// policy makes a fact of a permission and what it writes between the
	// statements' brackets.
	policy := func(name string, accounts, actions list, statement func(arn string) string) fact {
		return fact{add, name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.allow(t, url, "label", accounts, actions).wantVoid(t, add)
			arn := e.arn(t, url)
			e.wantPolicy(t, url, `{"Version":"2008-10-17","Id":"`+arn+`/SQSDefaultPolicy","Statement":[`+statement(arn)+`]}`)
		}}
	}
	action := func(name string) list { return list{name} }
	facts := refusals(add, nil,
		refusal{"NoLabel", args{"AWSAccountIds": list{one}, "Actions": action("SendMessage")}, 400, "MissingParameter", "The request must contain the parameter Label."},
		refusal{"NoActions", args{"Label": "l", "AWSAccountIds": list{one}}, 400, "MissingParameter", "The request must contain the parameter ActionName."},
		refusal{"NoAccounts", args{"Label": "l", "Actions": action("SendMessage")}, 400, "MissingParameter", "The request must contain the parameter AWSAccountIds."},
		refusal{"OwnersAction", args{"Label": "l", "AWSAccountIds": list{one}, "Actions": action("CreateQueue")}, 400, bad, "Value SQS:CreateQueue for parameter ActionName is invalid. Reason: Only the queue owner is allowed to invoke this action."},
		refusal{"BatchAction", args{"Label": "l", "AWSAccountIds": list{one}, "Actions": action("SendMessageBatch")}, 400, bad, "Value SQS:SendMessageBatch for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions."},
		refusal{"UnknownAction", args{"Label": "l", "AWSAccountIds": list{one}, "Actions": action("Nonsense")}, 400, bad, "Value SQS:Nonsense for parameter ActionName is invalid. Reason: Please refer to the appropriate WSDL for a list of valid actions."},
		refusal{"EightActions", args{"Label": "l", "AWSAccountIds": list{one}, "Actions": list{"*", "*", "*", "*", "*", "*", "*", "*"}}, 403, "OverLimit", "8 Actions were found, maximum allowed is 7."},
	)
	facts = append(facts, refusals(remove, nil,
		refusal{"NoLabel", nil, 400, "MissingParameter", "The request must contain the parameter Label."},
		refusal{"NoPolicyAtAll", args{"Label": "l"}, 400, bad, "Value l for parameter Label is invalid. Reason: can't find label."},
	)...)
	for _, name := range []string{"ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes", "GetQueueUrl", "ListDeadLetterSourceQueues", "PurgeQueue", "ReceiveMessage", "SendMessage"} {
		facts = append(facts, policy("Allow"+name, list{one}, action(name), func(arn string) string {
			return grant("label", ofAccount(one), `"SQS:`+name+`"`, arn)
		}))
	}
	runFacts(t, append(facts,
		policy("EveryAction", list{one}, action("*"), func(arn string) string { return grant("label", ofAccount(one), `"SQS:*"`, arn) }),
		policy("SeveralActions", list{one}, list{"SendMessage", "DeleteMessage"}, func(arn string) string {
			return grant("label", ofAccount(one), `["SQS:SendMessage","SQS:DeleteMessage"]`, arn)
		}),
		policy("SeveralAccounts", list{one, two}, action("SendMessage"), func(arn string) string {
			return grant("label", "["+ofAccount(one)+","+ofAccount(two)+"]", `"SQS:SendMessage"`, arn)
		}),
		fact{add, "TheOwnAccountAndAForeignOne", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.allow(t, url, "own", list{e.account}, action("*")).wantOK(t)
			e.allow(t, url, "both", list{e.account, one}, action("*")).wantOK(t)
		}},
		fact{add, "BesideAPolicyThatIsThere", "", func(t *testing.T, e *env) {
			const theirs = `{"Sid":"x","Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"*"}`
			url := e.create(t, attrs{"Policy": `{"Version":"2012-10-17","Statement":` + theirs + `}`})
			e.allow(t, url, "l", list{one}, action("SendMessage")).wantOK(t)
			e.wantPolicy(t, url, `{"Version":"2012-10-17","Statement":[`+theirs+`,`+grant("l", ofAccount(one), `"SQS:SendMessage"`, e.arn(t, url))+`]}`)
			e.call(t, remove, args{"QueueUrl": url, "Label": "nope"}).wantExactly(t, 400, bad, "Value nope for parameter Label is invalid. Reason: can't find label on existing policy.")
			e.call(t, remove, args{"QueueUrl": url, "Label": "l"}).wantVoid(t, remove)
			// A statement of SetQueueAttributes goes by its label too.
			e.call(t, remove, args{"QueueUrl": url, "Label": "x"}).wantVoid(t, remove)
			e.wantPolicy(t, url, "")
		}},
		fact{add, "ALabelIsUsedOnce", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.allow(t, url, "l", list{one}, action("SendMessage")).wantOK(t)
			for _, account := range []string{one, two} {
				e.allow(t, url, "l", list{account}, action("SendMessage")).wantExactly(t, 400, bad, "Value l for parameter Label is invalid. Reason: Already exists.")
			}
		}},
		fact{add, "TwentyStatements", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			for i := range 20 {
				e.allow(t, url, fmt.Sprint("l", i), list{one}, action("*")).wantOK(t)
			}
			e.allow(t, url, "more", list{one}, action("*")).wantExactly(t, 403, "OverLimit", "21 Statements were found, maximum allowed is 20.")
		}},
		fact{remove, "TheLastTakesThePolicyWithIt", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.allow(t, url, "a", list{one}, action("SendMessage")).wantOK(t)
			e.allow(t, url, "b", list{two}, action("SendMessage")).wantOK(t)
			e.call(t, remove, args{"QueueUrl": url, "Label": "a"}).wantVoid(t, remove)
			arn := e.arn(t, url)
			e.wantPolicy(t, url, `{"Version":"2008-10-17","Id":"`+arn+`/SQSDefaultPolicy","Statement":[`+grant("b", ofAccount(two), `"SQS:SendMessage"`, arn)+`]}`)
			e.call(t, remove, args{"QueueUrl": url, "Label": "b"}).wantVoid(t, remove)
			if _, ok := e.attributes(t, url, "All")["Policy"]; ok {
				t.Error("a policy is left")
			}
			e.call(t, remove, args{"QueueUrl": url, "Label": "b"}).wantExactly(t, 400, bad, "Value b for parameter Label is invalid. Reason: can't find label.")
		}},
	))
}

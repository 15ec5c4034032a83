package integration

import "testing"

func TestFactsOfRemovePermission(t *testing.T) {
	const action = "RemovePermission"
	granted := func(t *testing.T, e *env) args {
		in := e.world(t, "AddPermission", permission(nil))
		e.call(t, "AddPermission", in).wantOK(t)
		return args{"QueueUrl": "q", "Label": "l"}
	}
	runFacts(t, []fact{
		{action, "ItsAnswerIsEmpty", "", func(t *testing.T, e *env) {
			e.call(t, action, granted(t, e)).wantOK(t).wantAnswer(t, e, action, "", "")
		}},
		{action, "TheLastStatementTakesThePolicyAlong", "", func(t *testing.T, e *env) {
			in := granted(t, e)
			e.call(t, action, in).wantOK(t)
			if p, ok := e.attributes(t, "q", "All")["Policy"]; ok {
				t.Errorf("a policy is left: %s", p)
			}
			e.call(t, action, in).wantRefusal(t, e, badParam, "Value l for parameter Label is invalid. Reason: can't find label.")
		}},
		{action, "AnUnknownLabelBesideOthers", "", func(t *testing.T, e *env) {
			in := granted(t, e)
			in["Label"] = "x"
			e.call(t, action, in).wantRefusal(t, e, badParam, "Value x for parameter Label is invalid. Reason: can't find label on existing policy.")
		}},
		{action, "StatementsOfSetQueueAttributesToo", "", func(t *testing.T, e *env) {
			in := granted(t, e)
			e.setAttributes(t, "q", attrs{"Policy": `{"Statement":[{"Sid":"mine","Effect":"Deny","Principal":"*","Action":"sqs:*","Resource":"*"}]}`})
			in["Label"] = "mine"
			e.call(t, action, in).wantOK(t)
			if p, ok := e.attributes(t, "q", "All")["Policy"]; ok {
				t.Errorf("a policy is left: %s", p)
			}
		}},
		refused(action, "WithoutALabel", args{}, noParam, "The request must contain the parameter Label."),
		refused(action, "AnUnknownLabel", args{"Label": "l"}, badParam, "Value l for parameter Label is invalid. Reason: can't find label."),
	})
}

package integration

import "testing"

var reportsOfPermissions = []report{
	{12, "B111", "Permissions", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		arn := e.arn(t, u)
		add := args{"QueueUrl": u, "Label": "l", "AWSAccountIds": list{"111111111111", "222222222222"}, "Actions": list{"ReceiveMessage"}}
		e.call(t, "AddPermission", add).wantOK(t)
		want := `{"Version":"2008-10-17","Id":"` + arn + `/SQSDefaultPolicy","Statement":[{"Sid":"l","Effect":"Allow","Principal":{"AWS":["arn:aws:iam::111111111111:root",` +
			`"arn:aws:iam::222222222222:root"]},"Action":"SQS:ReceiveMessage","Resource":"` + arn + `"}]}`
		if got := e.attributes(t, u, "Policy")["Policy"]; !sameValue(got, want) {
			t.Errorf("the policy is %s", got)
		}
		e.call(t, "AddPermission", add).wantStatus(t, 400).wantCode(t, "InvalidParameterValue").wantMessage(t, "Value l for parameter Label is invalid. Reason: Already exists.")
		if got := e.attributes(t, u, "Policy")["Policy"]; !sameValue(got, want) {
			t.Errorf("a refusal changed the policy: %s", got)
		}
		remove := args{"QueueUrl": u, "Label": "l"}
		e.call(t, "RemovePermission", remove).wantOK(t)
		e.wantAttributes(t, u, attrs{"Policy": ""})
		e.call(t, "RemovePermission", remove).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		add["QueueUrl"], remove["QueueUrl"] = u+"-none", u+"-none"
		e.call(t, "AddPermission", add).wantStatus(t, 400).wantCode(t, noQueue)
		e.call(t, "RemovePermission", remove).wantStatus(t, 400).wantCode(t, noQueue)
	}, nil},
	{12, "B113", "PoliciesReadBackEqual", func(t *testing.T, e *env) {
		policy := `{"Statement":[{"Action":["sqs:SendMessage"],"Condition":{"ArnEquals":{"aws:SourceArn":"arn:aws:sns:us-east-1:000000000000:t"}},"Effect":"Allow","Principal":{"Service":"sns.amazonaws.com"},"Resource":"*"}]}`
		u := e.create(t, nil)
		e.setAttributes(t, u, attrs{"Policy": policy})
		for _, bad := range []string{"not json", "", `"text"`} {
			if got := e.attributes(t, u, "Policy")["Policy"]; !sameValue(got, policy) {
				t.Errorf("%s", got)
			}
			r := e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"Policy": bad}})
			if bad == "" { // unsets
				r.wantOK(t)
				e.wantAttributes(t, u, attrs{"Policy": ""})
				e.setAttributes(t, u, attrs{"Policy": policy})
				continue
			}
			r.wantStatus(t, 400).wantCode(t, "InvalidAttributeValue").wantShape(t, sqsShape+"InvalidAttributeValue")
		}
		if got := e.attributes(t, u, "Policy")["Policy"]; !sameValue(got, policy) {
			t.Errorf("%s", got)
		}
	}, nil},
}

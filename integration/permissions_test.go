package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// Permissions come and go as statements of the queue's policy.
func TestPermissions(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
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
		e.call(t, "AddPermission", args{"QueueUrl": url, "Label": "one", "AWSAccountIds": list{"333333333333"}, "Actions": list{"*"}}).
			wantCode(t, "InvalidParameterValue").wantText(t, "Value one for parameter Label is invalid. Reason: Already exists.")
		check(deny("one"))
		if want := head + two + "]}"; !sameValue(policy(), want) {
			t.Errorf("the policy is %s, want %s", policy(), want)
		}
		check(deny("two"))
		if _, ok := e.attributes(t, url, "All")["Policy"]; ok {
			t.Error("a policy is left")
		}
		e.call(t, "RemovePermission", args{"QueueUrl": url, "Label": "two"}).
			wantCode(t, "InvalidParameterValue").wantText(t, "Value two for parameter Label is invalid. Reason: can't find label.")
	})
}

// The limits of permissions are OverLimit, with its status.
func TestPermissionLimits(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		eight := list{}
		for range 8 {
			eight = append(eight, "SendMessage")
		}
		r := e.call(t, "AddPermission", args{"QueueUrl": url, "Label": "l", "AWSAccountIds": list{"111111111111"}, "Actions": eight}).wantCode(t, "OverLimit")
		if r.Status != 403 {
			t.Errorf("status %d", r.Status)
		}
		r.wantText(t, "8 Actions were found, maximum allowed is 7.")
	})
}

package integration

import "testing"

// DIFFERENCES 18: whether an account exists is not asked.
func TestDiff18AnyAccountCanBeAllowed(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		e.call(t, "AddPermission", args{"QueueUrl": e.create(t, nil), "Label": "l", "AWSAccountIds": list{"999999999999"}, "Actions": list{"*"}}).wantOK(t)
	})
}

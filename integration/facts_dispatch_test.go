package integration

import "testing"

func TestFactsOfDispatch(t *testing.T) {
	runFacts(t, []fact{
		{anyAction, "AnUnknownTarget", onlyJSON, func(t *testing.T, e *env) {
			e.call(t, "SendMassage", args{}).wantCode(t, "InvalidAction").wantText(t, "SendMassage")
		}},
		{anyAction, "AnUnknownAction", onlyQuery, func(t *testing.T, e *env) {
			e.call(t, "SendMassage", args{}).wantCode(t, "InvalidAction").wantText(t, "The action SendMassage is not valid for this endpoint.")
		}},
	})
}

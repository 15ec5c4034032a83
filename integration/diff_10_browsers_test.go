package integration

import (
	"net/http"
	"testing"
)

// DIFFERENCES 10: requests that a browser makes for a page of another site are
// refused, since this server listens where browsers run. AWS lets signatures
// decide.
func TestDiff10PagesOfOtherSitesAreRefused(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		r := e.post(t, "/", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Origin": {"https://app.example"}},
			"Action=SendMessage&MessageBody=b&QueueUrl="+url)
		if r.Status != 403 {
			t.Errorf("status %d, want 403", r.Status)
		}
		r.wantCode(t, "AccessDenied")
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

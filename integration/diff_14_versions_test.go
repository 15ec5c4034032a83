package integration

import (
	"net/http"
	"net/url"
	"testing"
)

// DIFFERENCES 14: whatever version of the API a Query request names, it gets
// the one of 2012-11-05.
func TestDiff14VersionsAreIgnored(t *testing.T) {
	forServers(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wireQuery)
		u := e.create(t, nil)
		for _, version := range []string{"", "2009-02-01", "2011-10-01", "1999-01-01", "x"} {
			form := url.Values{"Action": {"SendMessage"}, "MessageBody": {"b"}, "QueueUrl": {u}, "Version": {version}}
			if r := e.query(t, form.Encode()); r.Status != http.StatusOK {
				t.Errorf("version %q: %d %s", version, r.Status, r.Code)
			}
		}
	})
}

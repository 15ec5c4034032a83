package gateway

import (
	"net/http"
	"net/url"
	"testing"
)

// Whatever a request says of its sender, what is made of it is bounded and of
// the right form.
func FuzzCredential(f *testing.F) {
	f.Add("AWS4-HMAC-SHA256 Credential=AKIA/20260101/eu-west-1/sqs/aws4_request, SignedHeaders=host", "", "")
	f.Add("AWS 123456789012:sig", "", "")
	f.Add("", "X-Amz-Credential=AKIA%2F20260101%2F%2Fsqs%2Faws4_request", "")
	f.Add("", "", "Action=SendMessage&AWSAccessKeyId=AKIA")
	f.Fuzz(func(t *testing.T, auth, query, form string) {
		c := credentialOf(&http.Request{Header: http.Header{"Authorization": {auth}}, URL: &url.URL{RawQuery: query}}, []byte(form))
		if c.region != "" && !IsRegion(c.region) {
			t.Errorf("region %q", c.region)
		}
		if len(c.key) > maxAccessKey {
			t.Errorf("key of %d bytes", len(c.key))
		}
	})
}

// A host that is accepted can stand in a URL, and is the host of that URL.
func FuzzHost(f *testing.F) {
	for _, host := range []string{"localhost:9324", "[::1]:1", "a.b_c-d", "x:", "[::1", "a:b:c", "user@host", "a%00b"} {
		f.Add(host)
	}
	f.Fuzz(func(t *testing.T, host string) {
		if !IsHost(host) {
			return
		}
		u, err := url.Parse("http://" + host + "/000000000000/jobs")
		if err != nil || u.Host != host || u.Path != "/000000000000/jobs" {
			t.Errorf("%q became %+v, %v", host, u, err)
		}
	})
}

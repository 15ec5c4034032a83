package load

import (
	"strings"
	"testing"
	"time"
)

// The requests, and their signatures, of the test suite that AWS publishes for
// its signatures of version 4.
func TestSignatures(t *testing.T) {
	t.Parallel()
	at := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
	host, date := header{"host", "example.amazonaws.com"}, header{"x-amz-date", "20150830T123600Z"}
	tests := map[string]struct {
		method  string
		headers []header
		body    string
		want    string
	}{
		"GetVanilla": {
			method: "GET", headers: []header{host, date},
			want: "host;x-amz-date, Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		},
		"PostVanilla": {
			method: "POST", headers: []header{host, date},
			want: "host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
		},
		"PostForm": {
			method: "POST", headers: []header{{"content-type", "application/x-www-form-urlencoded"}, host, date}, body: "Param1=value1",
			want: "content-type;host;x-amz-date, Signature=ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
		},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &Signer{KeyID: "AKIDEXAMPLE", Secret: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", Region: "us-east-1", service: "service"}
			const credential = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders="
			for range 2 { // the second time with a derived key
				if got := s.authorization(tc.method, "/", tc.headers, []byte(tc.body), at); got != credential+tc.want {
					t.Errorf("got %s, want %s%s", got, credential, tc.want)
				}
			}
			tomorrow := s.authorization(tc.method, "/", tc.headers, []byte(tc.body), at.AddDate(0, 0, 1))
			if !strings.Contains(tomorrow, "/20150831/") || strings.HasSuffix(tomorrow, tc.want) {
				t.Errorf("the next day: %s", tomorrow)
			}
		})
	}
}

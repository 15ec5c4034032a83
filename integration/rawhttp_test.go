package integration

import (
	"net/http"
	"strings"
	"testing"
)

// Pages of other sites make a browser send forms and images to loopback.
func TestPagesOfOtherSitesAreRefused(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		form := "Action=SendMessage&QueueUrl=" + url + "&MessageBody=b"
		for name, sent := range map[string]http.Header{
			"Origin":             {"Origin": {"https://evil.example"}},
			"NullOrigin":         {"Origin": {"null"}},
			"OtherPort":          {"Origin": {"http://127.0.0.1:1"}},
			"CrossSite":          {"Sec-Fetch-Site": {"cross-site"}},
			"SameSite":           {"Sec-Fetch-Site": {"same-site"}},
			"TwoOrigins":         {"Origin": {"http://" + e.host, "https://evil.example"}},
			"OwnOriginCrossSite": {"Origin": {"http://" + e.host}, "Sec-Fetch-Site": {"cross-site"}},
		} {
			post := sent.Clone()
			post.Set("Content-Type", "application/x-www-form-urlencoded")
			body := form
			if !e.wire.query {
				post = sent.Clone()
				post["Content-Type"], post["X-Amz-Target"] = []string{"application/x-amz-json-1.0"}, []string{"AmazonSQS.SendMessage"}
				body = `{"QueueUrl":"` + url + `","MessageBody":"b"}`
			}
			for how, r := range map[string]*reply{
				"POST": e.post(t, "/", post, body),
				"GET":  e.get(t, "/?"+form, sent),
			} {
				if r.Status != 403 || r.Code != "AccessDenied" {
					t.Errorf("%s by %s: %d %s, want 403 AccessDenied", name, how, r.Status, r.Code)
				}
				if r.Header.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s by %s: the page may read the answer", name, how)
				}
			}
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
		for name, sent := range map[string]http.Header{
			"OwnOrigin":  {"Origin": {"http://" + e.host}},
			"AddressBar": {"Sec-Fetch-Site": {"none"}},
			"OwnPage":    {"Sec-Fetch-Site": {"same-origin"}},
		} {
			if r := e.get(t, "/?Action=ListQueues", sent); r.Status != 200 {
				t.Errorf("%s: %d %s", name, r.Status, r.Message)
			}
		}
	})
}

// Whatever comes, the answer is in the protocol that was asked, no matter how
// wrong the request is.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	const jsonType, formType = "application/x-amz-json-1.0", "application/x-www-form-urlencoded"
	for name, tt := range map[string]struct {
		contentType, target, body string
	}{
		"JSONInvalidUTF8": {jsonType, "AmazonSQS.ListQueues", "{\"QueueNamePrefix\":\"\xff\xfe\"}"},
		"FormBadBase64":   {formType, "", "Action=SendMessage&QueueUrl=q&MessageBody=b&MessageAttribute.1.Name=a&MessageAttribute.1.Value.DataType=Binary&MessageAttribute.1.Value.BinaryValue=!"},
		"FormHugeNumber":  {formType, "", "Action=GetQueueAttributes&QueueUrl=q&AttributeName.99999999999999999999=All"},
		"FormMillions":    {formType, "", "Action=GetQueueAttributes&QueueUrl=q" + strings.Repeat("&a", 200_000)},
	} {
		t.Run(name, func(t *testing.T) {
			forServers(t, func(t *testing.T, s *server) {
				e := newEnv(t, s, wire{query: tt.contentType == formType})
				e.createNamed(t, "q", nil)
				h := http.Header{"Content-Type": {tt.contentType}}
				if tt.target != "" {
					h.Set("X-Amz-Target", tt.target)
				}
				r := e.post(t, "/", h, tt.body)
				if r.Status == 200 {
					return // lenient is fine where AWS's answer is not known
				}
				r.wantForm(t, e.wire)
				if r.Status >= 500 {
					t.Errorf("%d %s %q", r.Status, r.Code, r.Message)
				}
				e.wantCounts(t, e.url+"/"+e.account+"/q", counts{"0", "0", "0"})
			})
		})
	}
}

// A body past all limits is refused in the protocol that was asked, and a
// client that goes on sending is not left hanging.
func TestOversizedRequests(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		big := strings.Repeat("x", 40<<20)
		header, body := jsonHeader("SendMessage"), `{"QueueUrl":"`+url+`","MessageBody":"`+big+`"}`
		if e.wire.query {
			header, body = formHeader, "Action=SendMessage&QueueUrl="+url+"&MessageBody="+big
		}
		head := "POST / HTTP/1.1\r\nHost: " + e.host + "\r\n"
		for k := range header {
			head += k + ": " + header.Get(k) + "\r\n"
		}
		res := e.raw(t, head+"Content-Length: "+"41943500"+"\r\n\r\n"+body)
		r := readReply(t, res)
		if r.Status < 400 || r.Status >= 500 || r.Code == "" {
			t.Errorf("%d %s", r.Status, r.Code)
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

// Headers that no client sends harm nobody.
func TestAbsurdHeaders(t *testing.T) {
	forServers(t, func(t *testing.T, s *server) {
		good := "Host: " + s.host + "\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.ListQueues\r\n"
		for name, tt := range map[string]struct {
			request string
			ok      bool
		}{
			"LongHeader":         {"POST / HTTP/1.1\r\n" + good + "X-Long: " + strings.Repeat("x", 30_000) + "\r\nContent-Length: 2\r\n\r\n{}", true},
			"HugeHeader":         {"POST / HTTP/1.1\r\n" + good + "X-Long: " + strings.Repeat("x", 2<<20) + "\r\nContent-Length: 2\r\n\r\n{}", false},
			"LongAuthorization":  {"POST / HTTP/1.1\r\n" + good + "Authorization: " + strings.Repeat("Credential=", 2000) + "\r\nContent-Length: 2\r\n\r\n{}", true},
			"OddAuthorization":   {"POST / HTTP/1.1\r\n" + good + "Authorization: AWS4-HMAC-SHA256 Credential=///////, =,\r\nContent-Length: 2\r\n\r\n{}", true},
			"NoHost":             {"POST / HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", false},
			"NegativeLength":     {"POST / HTTP/1.1\r\n" + good + "Content-Length: -1\r\n\r\n", false},
			"TwoLengths":         {"POST / HTTP/1.1\r\n" + good + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", false},
			"LengthAndChunked":   {"POST / HTTP/1.1\r\n" + good + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\n{}\r\n0\r\n\r\n", true},
			"UnknownEncoding":    {"POST / HTTP/1.1\r\n" + good + "Transfer-Encoding: gzip\r\n\r\n", false},
			"ControlInHeader":    {"POST / HTTP/1.1\r\n" + good + "X-Bad: a\x00b\r\nContent-Length: 2\r\n\r\n{}", false},
			"EncodingOfTheBody":  {"POST / HTTP/1.1\r\n" + good + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", true},
			"ForeignTraceHeader": {"POST / HTTP/1.1\r\n" + good + "X-Amzn-Trace-Id: \xff\xfe<&>\r\nContent-Length: 2\r\n\r\n{}", true},
		} {
			res := s.raw(t, tt.request)
			// A body that says to be compressed may be refused as well.
			if ok := res.StatusCode == 200; ok != tt.ok && name != "EncodingOfTheBody" {
				t.Errorf("%s: status %d", name, res.StatusCode)
			}
			if res.StatusCode >= 500 && res.StatusCode != 501 {
				t.Errorf("%s: status %d is no fault of ours", name, res.StatusCode)
			}
		}
	})
}

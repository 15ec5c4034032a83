package gateway

import (
	"bufio"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

// Queue URLs begin with the Host that the caller used, whatever form it has.
func TestHost(t *testing.T) {
	t.Parallel()
	b := start(t, Options{})
	port := b.addr[strings.LastIndexByte(b.addr, ':'):]
	for name, test := range map[string]struct{ host, want string }{
		"NameAndPort":   {"mq.internal:18080", "http://mq.internal:18080"},
		"NameAlone":     {"mq.internal", "http://mq.internal" + port},
		"ColonAlone":    {"mq.internal:", "http://mq.internal" + port},
		"Address":       {"127.0.0.1", "http://127.0.0.1" + port},
		"IPv6":          {"[::1]:9324", "http://[::1]:9324"},
		"IPv6Alone":     {"[::1]", "http://[::1]" + port},
		"Underscore":    {"queue_server:9324", "http://queue_server:9324"},
		"UpperCase":     {"MQ.Internal:1", "http://MQ.Internal:1"},
		"Empty":         {"", "http://" + b.addr},
		"Comma":         {"a,b", ""},
		"Quote":         {"a'b", ""},
		"Markup":        {"a&lt;b", ""},
		"TwoPorts":      {"a:1:2", ""},
		"NoPort":        {"a:x", ""},
		"PortZero":      {"a:0", ""},
		"PortTooLarge":  {"a:65536", ""},
		"SignedPort":    {"a:+80", ""},
		"PortOnly":      {":9324", ""},
		"OpenBracket":   {"[::1", ""},
		"NameInBracket": {"[name]:1", ""},
		"Zone":          {"[fe80::1%25eth0]", ""},
		"AfterBracket":  {"[::1]x", ""},
		"Long":          {strings.Repeat("a", 254), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.raw(t, "POST", "POST / HTTP/1.1\nHost: "+test.host+"\nContent-Type: application/x-amz-json-1.0\nX-Amz-Target: AmazonSQS.GetQueueUrl\nContent-Length: 17", `{"QueueName":"q"}`)
			want := `{"QueueUrl":"` + test.want + `/000000000000/q"}`
			if test.want == "" {
				if a.StatusCode != 400 || !strings.Contains(a.body, `"__type":"com.amazon.coral.service#InvalidParameterValueException"`) {
					t.Errorf("got %d %s, want 400 in the protocol's form", a.StatusCode, a.body)
				}
			} else if a.body != want {
				t.Errorf("got %d %s, want %s", a.StatusCode, a.body, want)
			}
		})
	}
}

// HTTP/1.0 clients may send no Host at all.
func TestNoHost(t *testing.T) {
	t.Parallel()
	b := start(t, Options{})
	a := b.raw(t, "GET", "GET /?Action=GetQueueUrl&QueueName=q HTTP/1.0", "")
	if want := "<QueueUrl>http://" + b.addr + "/000000000000/q</QueueUrl>"; !strings.Contains(a.body, want) {
		t.Errorf("got %d %s, want %s", a.StatusCode, a.body, want)
	}
}

// Forwarding headers count from trusted proxies only, and a pinned URL before
// everything.
func TestBaseURL(t *testing.T) {
	t.Parallel()
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.0/8")}
	for name, test := range map[string]struct {
		options Options
		headers string
		want    string
		remote  string
	}{
		"Untrusted":      {Options{}, "X-Forwarded-Host: evil.example\nX-Forwarded-Proto: https\nX-Forwarded-For: 1.2.3.4", "http://mq:1", "127.0.0.1"},
		"Trusted":        {Options{TrustedProxies: trusted}, "X-Forwarded-Host: mq.example.com\nX-Forwarded-Proto: https\nX-Forwarded-For: 1.2.3.4", "https://mq.example.com", "1.2.3.4"},
		"ProtoOnly":      {Options{TrustedProxies: trusted}, "X-Forwarded-Proto: HTTPS", "https://mq:1", "127.0.0.1"},
		"OddProto":       {Options{TrustedProxies: trusted}, "X-Forwarded-Proto: gopher", "http://mq:1", "127.0.0.1"},
		"HostOfTwo":      {Options{TrustedProxies: trusted}, "X-Forwarded-Host: mq.example.com, inner:80", "http://mq.example.com", "127.0.0.1"},
		"BadHost":        {Options{TrustedProxies: trusted}, "X-Forwarded-Host: evil/x", "", "127.0.0.1"},
		"ForgedFor":      {Options{TrustedProxies: trusted}, "X-Forwarded-For: 6.6.6.6, 1.2.3.4, 10.1.1.1", "http://mq:1", "1.2.3.4"},
		"MalformedFor":   {Options{TrustedProxies: trusted}, "X-Forwarded-For: 1.2.3.4, nonsense", "http://mq:1", "127.0.0.1"},
		"Pinned":         {Options{PublicURL: "https://pinned.example.com/"}, "", "https://pinned.example.com", "127.0.0.1"},
		"PinnedOverHost": {Options{PublicURL: "https://pinned.example.com", TrustedProxies: trusted}, "X-Forwarded-Host: other.example.com", "https://pinned.example.com", "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := start(t, test.options)
			head := "GET /?Action=GetQueueUrl&QueueName=q HTTP/1.1\nHost: mq:1"
			if test.headers != "" {
				head += "\n" + test.headers
			}
			a := b.raw(t, "GET", head, "")
			if want := "<QueueUrl>" + test.want + "/000000000000/q</QueueUrl>"; test.want != "" && !strings.Contains(a.body, want) {
				t.Errorf("got %d %s, want %s", a.StatusCode, a.body, want)
			}
			if test.want == "" && a.StatusCode != 400 {
				t.Errorf("status %d, want 400", a.StatusCode)
			}
			if log := b.log.wait(t, `"msg":"request"`); !strings.Contains(log, `"remote":"`+test.remote+`"`) {
				t.Errorf("log %s, want remote %s", log, test.remote)
			}
		})
	}
}

// What one request of a connection said of host and scheme does not count for
// the next.
func TestBaseURLOfConnection(t *testing.T) {
	t.Parallel()
	b := start(t, Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	c := b.dial(t)
	answers := bufio.NewReader(c)
	for _, test := range []struct{ headers, want string }{
		{"Host: a:1", "http://a:1"},
		{"Host: a:1", "http://a:1"},
		{"Host: b:1", "http://b:1"},
		{"Host: a:1", "http://a:1"},
		{"Host: a:1\r\nX-Forwarded-Proto: https", "https://a:1"},
		{"Host: a:1\r\nX-Forwarded-Host: c", "http://c"},
		{"Host: a:1\r\nX-Forwarded-Host: c\r\nX-Forwarded-Proto: https", "https://c"},
		{"Host: c", "http://c"},
		{"Host: a:1", "http://a:1"},
	} {
		if _, err := io.WriteString(c, "GET /?Action=GetQueueUrl&QueueName=q HTTP/1.1\r\n"+test.headers+"\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := readAnswer(t, resp).body, "<QueueUrl>"+test.want+"/000000000000/q</QueueUrl>"; !strings.Contains(got, want) {
			t.Errorf("after %q got %s, want %s", test.headers, got, want)
		}
	}
}

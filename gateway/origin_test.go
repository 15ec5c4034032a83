package gateway

import (
	"net/http"
	"strings"
	"testing"
)

// A page of another site gets nothing, by whatever method and whatever it
// sends along; what is no page, or our own, is served.
func TestCrossSite(t *testing.T) {
	t.Parallel()
	b := start(t, Options{AllowOrigins: []string{"https://app.example.com"}})
	own := "http://" + b.addr
	for name, test := range map[string]struct {
		headers [][2]string
		allowed bool
		cors    string
	}{
		"NoHeaders":           {nil, true, ""},
		"OwnOrigin":           {[][2]string{{"Origin", own}}, true, ""},
		"OwnOriginSameOrigin": {[][2]string{{"Origin", own}, {"Sec-Fetch-Site", "same-origin"}}, true, ""},
		"TypedAddress":        {[][2]string{{"Sec-Fetch-Site", "none"}}, true, ""},
		"SameOriginImage":     {[][2]string{{"Sec-Fetch-Site", "same-origin"}}, true, ""},
		"OtherOrigin":         {[][2]string{{"Origin", "https://evil.example"}}, false, ""},
		"OtherPort":           {[][2]string{{"Origin", "http://127.0.0.1:1"}}, false, ""},
		"NullOrigin":          {[][2]string{{"Origin", "null"}}, false, ""},
		"EmptyOrigin":         {[][2]string{{"Origin", ""}}, false, ""},
		"OddScheme":           {[][2]string{{"Origin", "file://" + b.addr}}, false, ""},
		"TwoOrigins":          {[][2]string{{"Origin", own}, {"Origin", "https://evil.example"}}, false, ""},
		"CrossSiteImage":      {[][2]string{{"Sec-Fetch-Site", "cross-site"}}, false, ""},
		"SameSiteImage":       {[][2]string{{"Sec-Fetch-Site", "same-site"}}, false, ""},
		"UnknownSite":         {[][2]string{{"Sec-Fetch-Site", "next-door"}}, false, ""},
		"OwnOriginCrossSite":  {[][2]string{{"Origin", own}, {"Sec-Fetch-Site", "cross-site"}}, false, ""},
		"OtherOriginSameSite": {[][2]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "same-origin"}}, false, ""},
		"Listed":              {[][2]string{{"Origin", "https://app.example.com"}}, true, "https://app.example.com"},
		"ListedCrossSite":     {[][2]string{{"Origin", "https://app.example.com"}, {"Sec-Fetch-Site", "cross-site"}}, true, "https://app.example.com"},
		"ListedOtherScheme":   {[][2]string{{"Origin", "http://app.example.com"}}, false, ""},
		"ListedAsPrefix":      {[][2]string{{"Origin", "https://app.example.com.evil.example"}}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			get, err := http.NewRequestWithContext(t.Context(), http.MethodGet, own+"/?Action=GetQueueUrl&QueueName=q", nil)
			if err != nil {
				t.Fatal(err)
			}
			for method, r := range map[string]*http.Request{
				"GET":  get,
				"POST": b.form(t, "Action=GetQueueUrl&QueueName=q"),
				"JSON": b.jsonRequest(t, "GetQueueUrl", `{"QueueName":"q"}`),
			} {
				for _, h := range test.headers {
					r.Header.Add(h[0], h[1])
				}
				a := b.do(t, r)
				if allowed := a.StatusCode == 200; allowed != test.allowed {
					t.Errorf("%s: status %d: %s", method, a.StatusCode, a.body)
				}
				if !test.allowed && (a.StatusCode != 403 || !strings.Contains(a.body, "AccessDenied")) {
					t.Errorf("%s: got %d %s, want 403 AccessDenied", method, a.StatusCode, a.body)
				}
				if got := a.Header.Get("Access-Control-Allow-Origin"); got != test.cors {
					t.Errorf("%s: Access-Control-Allow-Origin %q, want %q", method, got, test.cors)
				}
				if got := a.Header.Get("Vary"); got != "Origin" {
					t.Errorf("%s: Vary %q, want Origin", method, got)
				}
			}
		})
	}
}

// A preflight is answered for listed origins and refused for all others.
func TestPreflight(t *testing.T) {
	t.Parallel()
	b := start(t, Options{AllowOrigins: []string{"https://app.example.com/"}})
	for name, test := range map[string]struct {
		origin, headers string
		status          int
		allowed         string
	}{
		"Listed":     {"https://app.example.com", "content-type,x-amz-target", 204, "content-type,x-amz-target"},
		"OddHeaders": {"https://app.example.com", "x: y", 204, ""},
		"LongList":   {"https://app.example.com", strings.Repeat("x", 3000), 204, ""},
		"Other":      {"https://evil.example", "content-type", 403, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, "http://"+b.addr+"/", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Origin", test.origin)
			r.Header.Set("Access-Control-Request-Method", "POST")
			r.Header.Set("Access-Control-Request-Headers", test.headers)
			a := b.do(t, r)
			if a.StatusCode != test.status || a.Header.Get("Access-Control-Allow-Headers") != test.allowed {
				t.Errorf("got %d and %q, want %d and %q", a.StatusCode, a.Header.Get("Access-Control-Allow-Headers"), test.status, test.allowed)
			}
			if test.status == 204 && (a.Header.Get("Access-Control-Allow-Methods") != "GET, POST" || a.Header.Get("Access-Control-Allow-Origin") != test.origin) {
				t.Errorf("incomplete headers: %v", a.Header)
			}
			if test.status != 204 && a.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("a refused origin may read the answer")
			}
		})
	}
}

// Without --allow-origin no answer carries a CORS header.
func TestNoCORS(t *testing.T) {
	t.Parallel()
	b := start(t, Options{})
	r := b.jsonRequest(t, "ListQueues", "{}")
	r.Header.Set("Origin", "http://"+b.addr)
	a := b.do(t, r)
	for name := range a.Header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("header %s", name)
		}
	}
	if a.StatusCode != 200 {
		t.Errorf("status %d: %s", a.StatusCode, a.body)
	}
}

// A pinned public URL is an origin of our own too.
func TestPublicOrigin(t *testing.T) {
	t.Parallel()
	b := start(t, Options{PublicURL: "https://mq.example.com/"})
	r := b.jsonRequest(t, "ListQueues", "{}")
	r.Header.Set("Origin", "https://mq.example.com")
	if a := b.do(t, r); a.StatusCode != 200 {
		t.Errorf("status %d: %s", a.StatusCode, a.body)
	}
}

// A name that is made to point at this machine turns another site's page into
// one of "the same" site: a name proves nothing unless it is the public one.
func TestReboundName(t *testing.T) {
	t.Parallel()
	b := start(t, Options{PublicURL: "https://sqs.example.com"})
	for name, test := range map[string]struct {
		host    string
		headers map[string]string
		allowed bool
	}{
		"Rebound":           {"evil.example:9324", map[string]string{"Origin": "http://evil.example:9324"}, false},
		"ReboundSameOrigin": {"evil.example:9324", map[string]string{"Origin": "http://evil.example:9324", "Sec-Fetch-Site": "same-origin"}, false},
		"ReboundImage":      {"evil.example:9324", map[string]string{"Sec-Fetch-Site": "same-origin"}, false},
		"Localhost":         {"localhost:9324", map[string]string{"Origin": "http://localhost:9324"}, true},
		"BelowLocalhost":    {"sqs.localhost:9324", map[string]string{"Origin": "http://sqs.localhost:9324"}, true},
		"Address":           {"[::1]:9324", map[string]string{"Origin": "http://[::1]:9324"}, true},
		"PublicName":        {"sqs.example.com", map[string]string{"Origin": "https://sqs.example.com"}, true},
		"NoPage":            {"queues.internal:9324", nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := b.form(t, "Action=GetQueueUrl&QueueName=q")
			r.Host = test.host
			for k, v := range test.headers {
				r.Header.Set(k, v)
			}
			if a := b.do(t, r); (a.StatusCode == 200) != test.allowed {
				t.Errorf("got %d %s, want it served: %v", a.StatusCode, a.body, test.allowed)
			}
		})
	}
}

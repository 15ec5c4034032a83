package gateway

import (
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// FuzzPeer holds that whatever a trusted proxy forwards, the base of queue URLs
// is a URL of the host that was admitted, and the address in the log is one.
func FuzzPeer(f *testing.F) {
	s := New(Options{Log: slog.New(slog.DiscardHandler), TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}})
	f.Add("localhost", "https", "queue.example", "10.0.0.2, 192.0.2.1")
	f.Add("[::1]:1", "HTTP", "a, b", "x,,::1")
	f.Add("", "javascript", "a\r\nb", "10.0.0.1")
	f.Fuzz(func(t *testing.T, host, proto, forwarded, hops string) {
		r := &http.Request{RemoteAddr: "10.0.0.1:1", Host: host, Header: http.Header{
			"X-Forwarded-Proto": {proto}, "X-Forwarded-Host": {forwarded}, "X-Forwarded-For": {hops},
		}}
		if _, err := netip.ParseAddr(s.remote(r)); err != nil {
			t.Errorf("the address %q: %v", s.remote(r), err)
		}
		p := s.peerOf(r)
		if !IsHost(p.host) {
			return // refused
		}
		base := s.baseURL(p)
		u, err := url.Parse(base + "/000000000000/q")
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host != strings.TrimSuffix(p.host, ":") || u.Path != "/000000000000/q" {
			t.Errorf("the base %q: %+v, %v", base, u, err)
		}
	})
}

// FuzzOrigin holds that a page is admitted only if its origin is listed, or is
// an address or a name of this machine by which it was called.
func FuzzOrigin(f *testing.F) {
	const listed = "https://app.example.com"
	s := New(Options{Log: slog.New(slog.DiscardHandler), AllowOrigins: []string{listed}})
	f.Add("http://localhost:9324", "same-origin", "localhost:9324", "content-type, x-amz-target")
	f.Add(listed, "cross-site", "127.0.0.1", "x\r\ny")
	f.Add("null", "", "[::1]", "")
	f.Add("http://evil.example", "none", "evil.example", "")
	f.Fuzz(func(t *testing.T, origin, site, host, asked string) {
		r := &http.Request{Method: http.MethodOptions, Host: host, Header: http.Header{
			"Origin": {origin}, "Access-Control-Request-Method": {"POST"}, "Access-Control-Request-Headers": {asked},
		}}
		if site != "" {
			r.Header.Set("Sec-Fetch-Site", site)
		}
		h := http.Header{}
		if s.admitOrigin(h, r, s.peerOf(r)) != nil {
			if h.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%q is refused and may read the answer", origin)
			}
			return
		}
		allowPreflight(h, r)
		for name, values := range h {
			if strings.ContainsAny(strings.Join(values, ""), "\r\n") {
				t.Errorf("the header %s is %q", name, values)
			}
		}
		if strings.EqualFold(origin, listed) {
			return
		}
		u, err := url.Parse(origin)
		if err != nil || !strings.EqualFold(u.Host, s.peerOf(r).host) {
			t.Fatalf("%q is admitted to %q: %v", origin, host, err)
		}
		name := strings.ToLower(u.Hostname())
		_, notAddr := netip.ParseAddr(name)
		if name != "localhost" && !strings.HasSuffix(name, ".localhost") && notAddr != nil {
			t.Errorf("%q is admitted, a name that may be pointed anywhere", origin)
		}
	})
}

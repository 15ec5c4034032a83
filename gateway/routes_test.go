package gateway

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"queues/compat"
	"queues/protocol"
)

// Every path goes to the funnel as it was sent, and none is redirected.
func TestPaths(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]string{
		"Root":           "/",
		"Queue":          "/000000000000/jobs",
		"TrailingSlash":  "/000000000000/jobs/",
		"DoubleSlash":    "//000000000000//jobs",
		"DotSegments":    "/a/../000000000000/jobs",
		"BareName":       "/jobs",
		"Escaped":        "/000000000000/jobs%2Fmore",
		"WholeURL":       "/http://localhost:9324/000000000000/jobs",
		"AbsoluteTarget": "http://localhost:9324/000000000000/jobs",
		"Deep":           "/queue/000000000000/jobs",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var path string
			b := start(t, Options{Service: fakeService(func(_ context.Context, _ compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
				if in := call.Input.(*protocol.DeleteQueueInput); in.QueueURL != nil {
					path = *in.QueueURL
				}
				return compat.Result{}, nil
			})})
			a := b.raw(t, "POST", "POST "+target+" HTTP/1.1\nHost: localhost:9324\nContent-Type: application/x-www-form-urlencoded\nContent-Length: 18", "Action=DeleteQueue")
			if a.StatusCode != http.StatusOK {
				t.Fatalf("status %d, want 200: %s", a.StatusCode, a.body)
			}
			want := strings.TrimPrefix(target, "http://localhost:9324")
			want = strings.ReplaceAll(want, "%2F", "/")
			if want == "/" {
				want = ""
			}
			if path != want {
				t.Errorf("queue URL from path %q, want %q", path, want)
			}
		})
	}
}

// What is neither GET nor POST is refused in the protocol that was asked.
func TestMethods(t *testing.T) {
	t.Parallel()
	b := start(t, Options{})
	for name, test := range map[string]struct {
		head   string
		method string
		want   string
	}{
		"PutJSON":     {"PUT / HTTP/1.1\nHost: x\nContent-Type: application/x-amz-json-1.0\nContent-Length: 0", "PUT", `{"__type":"com.amazon.coral.service#UnknownOperationException"`},
		"PutQuery":    {"PUT / HTTP/1.1\nHost: x\nContent-Length: 0", "PUT", "<Code>InvalidAction</Code>"},
		"Delete":      {"DELETE /000000000000/jobs HTTP/1.1\nHost: x", "DELETE", "<Code>InvalidAction</Code>"},
		"Head":        {"HEAD / HTTP/1.1\nHost: x", "HEAD", ""},
		"OptionsStar": {"OPTIONS * HTTP/1.1\nHost: x", "OPTIONS", "<Code>InvalidAction</Code>"},
		"Options":     {"OPTIONS / HTTP/1.1\nHost: x", "OPTIONS", "<Code>InvalidAction</Code>"},
		"Connect":     {"CONNECT example.com:443 HTTP/1.1\nHost: x", "CONNECT", "<Code>InvalidAction</Code>"},
		"Invented":    {"BREW / HTTP/1.1\nHost: x", "BREW", "<Code>InvalidAction</Code>"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := b.raw(t, test.method, test.head, "")
			if a.StatusCode != http.StatusMethodNotAllowed {
				t.Errorf("status %d, want 405", a.StatusCode)
			}
			if !strings.Contains(a.body, test.want) {
				t.Errorf("body %q, want %q in it", a.body, test.want)
			}
			if got := a.Header.Get("Allow"); got != "GET, POST" {
				t.Errorf("Allow %q, want GET, POST", got)
			}
		})
	}
}

package app

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
)

// Every variable that is misspelled is told of; what Kubernetes sets for a service
// of this name is not.
func TestUnknownVariables(t *testing.T) {
	for _, name := range []string{
		"QUEUES_SYNC", "QUEUES_SERVICE_HOST", "QUEUES_SERVICE_PORT", "QUEUES_SERVICE_PORT_HTTP", "QUEUES_PORT",
		"QUEUES_PORT_9324_TCP", "QUEUES_PORT_9324_TCP_ADDR", "QUEUES_ADMIN_SERVICE_HOST", "QUEUES_ADMIN_PORT_9325_TCP_PROTO",
	} {
		t.Setenv(name, "full")
	}
	t.Setenv("QUEUES_LITSEN", "127.0.0.1:1")
	t.Setenv("QUEUES_DATE", "d")
	var stdout, stderr bytes.Buffer
	if code := Execute(context.Background(), []string{"version"}, &stdout, &stderr); code != exitOK {
		t.Errorf("code %d, want 0", code)
	}
	got := slices.Sorted(strings.Lines(stderr.String()))
	want := []string{
		"queues: QUEUES_DATE is not a setting and is ignored: \"queues serve --help\" lists them\n",
		"queues: QUEUES_LITSEN is not a setting and is ignored: \"queues serve --help\" lists them\n",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

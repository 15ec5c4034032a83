package admin

import (
	"encoding/json"
	"net/http/httptest"
	"testing"
)

// The counts are those of the API port, and the process's own beside them.
func TestCounts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		counts func() Counts
		want   Counts
	}{
		"Given": {func() Counts { return Counts{Connections: 3, Requests: 2, ReservedBytes: 4096} }, Counts{Connections: 3, Requests: 2, ReservedBytes: 4096}},
		"None":  {nil, Counts{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			o.Counts = test.counts
			r := httptest.NewRequestWithContext(t.Context(), "GET", "/counts", nil)
			r.Host = "localhost:9325"
			w := httptest.NewRecorder()
			New(o).http.Handler.ServeHTTP(w, r)
			var got Counts
			if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != 200 {
				t.Fatalf("got %d %q: %v", w.Code, w.Body, err)
			}
			if got.Goroutines == 0 || got.HeapBytes == 0 {
				t.Errorf("got %+v, want goroutines and a heap", got)
			}
			got.Goroutines, got.HeapBytes = 0, 0
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

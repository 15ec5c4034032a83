package sqlite_test

import (
	"context"
	"testing"

	"queues/engine"
	"queues/engine/sqlite"
	"queues/engine/storetest"
)

// TestStore proves the store by the suite that every store must pass.
func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, harness())
}

// BenchmarkContract measures the store as every store is measured, without the
// sync.
func BenchmarkContract(b *testing.B) { storetest.Benchmark(b, harness()) }

func harness() storetest.Harness {
	return storetest.Harness{
		Open: func(t testing.TB, dir string, clock engine.Clock, report engine.ReportFunc) engine.Store {
			t.Helper()
			s, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir, Clock: clock, Report: report, Sync: sqlite.Off})
			if err != nil {
				t.Fatalf("Open: %v", err)
			}
			return s
		},
		Check: func(t testing.TB, dir string) {
			t.Helper()
			if err := sqlite.Check(context.Background(), dir); err != nil {
				t.Errorf("Check: %v", err)
			}
		},
		Features: storetest.Features{Persistent: true},
	}
}

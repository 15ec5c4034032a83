package storetest_test

import (
	"sync"
	"testing"

	"queues/engine"
	"queues/engine/storetest"
)

// restarting makes a harness whose models live on in memory by their folder.
func restarting() storetest.Harness {
	var models sync.Map
	return storetest.Harness{
		Open: func(_ testing.TB, dir string, clock engine.Clock, report engine.ReportFunc) engine.Store {
			model := storetest.NewModel(clock, report)
			if before, ok := models.Load(dir); ok {
				model = before.(*storetest.Model).Reopen(clock, report)
			}
			models.Store(dir, model)
			return model
		},
		Features: storetest.Features{Persistent: true},
	}
}

func TestModel(t *testing.T) {
	t.Parallel()
	storetest.Run(t, restarting())
}

func BenchmarkModel(b *testing.B) {
	storetest.Benchmark(b, restarting())
}

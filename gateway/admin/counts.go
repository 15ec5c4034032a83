package admin

import (
	"encoding/json"
	"net/http"
	"runtime/metrics"
)

// Counts say how much of the process is in use at a moment. All but the heap
// are bounded by its limits.
type Counts struct {
	// Goroutines and HeapBytes are of the whole process; the heap includes what
	// the collector has not freed yet.
	Goroutines uint64 `json:"goroutines"`
	HeapBytes  uint64 `json:"heap_bytes"`
	// Connections are open on the API port, Requests under way there, waiting
	// receives included.
	Connections int64 `json:"connections"`
	Requests    int64 `json:"requests"`
	// ReservedBytes is what requests and answers hold of the memory that they
	// may hold together.
	ReservedBytes int64 `json:"reserved_bytes"`
}

// counts answers with the counts: those of the API port as they were given,
// those of the process as the runtime has them, without stopping it.
func (s *Server) counts(w http.ResponseWriter, _ *http.Request) {
	var c Counts
	if s.o.Counts != nil {
		c = s.o.Counts()
	}
	samples := []metrics.Sample{{Name: "/sched/goroutines:goroutines"}, {Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(samples)
	for i, to := range []*uint64{&c.Goroutines, &c.HeapBytes} {
		if samples[i].Value.Kind() == metrics.KindUint64 {
			*to = samples[i].Value.Uint64()
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	// An answer that cannot be written has nobody to miss it.
	_ = json.NewEncoder(w).Encode(c)
}

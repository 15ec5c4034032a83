package bench

import (
	"errors"
	"fmt"
	"runtime"

	"queues/cmd/queues/load"
)

var protocolNames = map[load.Protocol]string{load.JSON: "json", load.Query: "query"}

// Result is what came of a run. Its JSON is the output of --json.
type Result struct {
	Endpoint    string `json:"endpoint"`
	Protocol    string `json:"protocol"`
	FIFO        bool   `json:"fifo"`
	Groups      int    `json:"groups"`
	Action      string `json:"action"`
	Batch       int    `json:"batch"`
	BodyBytes   int    `json:"body_bytes"`
	Connections int    `json:"connections"`
	Signed      bool   `json:"signed"`

	Seconds       float64 `json:"seconds"`
	Messages      int64   `json:"messages"`
	MessageRate   float64 `json:"messages_per_second"`
	Requests      int64   `json:"requests"`
	RequestRate   float64 `json:"requests_per_second"`
	EmptyAnswers  int64   `json:"empty_answers"`
	FailureCounts Counts  `json:"failures"`

	// Latencies are by action, in the order in which they are made.
	Latencies []Latency `json:"latencies"`
	// Server is nil where its process is unknown.
	Server    *Process  `json:"server,omitempty"`
	Generator Generator `json:"generator"`
	Warnings  []string  `json:"warnings"`
}

// Counts are failures by their code or, without one, in words.
type Counts map[string]int64

// Latency is that of one action's requests, in microseconds.
type Latency struct {
	Action   string  `json:"action"`
	Requests uint64  `json:"requests"`
	P50      float64 `json:"p50_us"`
	P99      float64 `json:"p99_us"`
	P999     float64 `json:"p999_us"`
	Max      float64 `json:"max_us"`
}

// Process is the server's.
type Process struct {
	PID  int    `json:"pid"`
	Name string `json:"name"`
	// CPUMicros is CPU time for one request, in microseconds.
	CPUMicros float64 `json:"cpu_us_per_request"`
	// MemoryBytes is resident memory at the end, GrownBytes how much more that
	// became for one request; both in bytes.
	MemoryBytes int64   `json:"resident_bytes"`
	GrownBytes  float64 `json:"resident_growth_bytes_per_request"`

	grown int64
}

// Generator is this program's own part; zeroes where it cannot be measured.
type Generator struct {
	// CPUMicros is CPU time for one request, in microseconds.
	CPUMicros float64 `json:"cpu_us_per_request"`
	// Cores is how many it kept busy, of CoresOfAll.
	Cores      float64 `json:"cores_busy"`
	CoresOfAll int     `json:"cores"`
}

// fill takes over what was measured.
func (r *Result) fill(m load.Measure) {
	r.FailureCounts, r.EmptyAnswers, r.Messages, r.Requests = Counts{}, m.Empty, m.Messages, m.Requests()
	for kind, n := range m.Failures {
		r.FailureCounts[kind] = n
	}
	r.Latencies = []Latency{}
	r.Generator.CoresOfAll = runtime.GOMAXPROCS(0)
	r.Seconds = m.Elapsed.Seconds()
	if r.Seconds > 0 {
		r.MessageRate, r.RequestRate = float64(r.Messages)/r.Seconds, float64(r.Requests)/r.Seconds
		r.Generator.Cores = m.Generator.Seconds() / r.Seconds
	}
	if r.Requests > 0 {
		each := func(d float64) float64 { return d / float64(r.Requests) }
		r.Generator.CPUMicros = each(load.Micros(m.Generator))
		if r.Server != nil {
			r.Server.CPUMicros, r.Server.GrownBytes = each(load.Micros(m.Server)), each(float64(r.Server.grown))
		}
	}
	for a, h := range m.Actions {
		if h == nil {
			continue
		}
		at := func(q float64) float64 { return load.Micros(h.Quantile(q)) }
		r.Latencies = append(r.Latencies, Latency{load.Action(a).String(), h.N(), at(0.5), at(0.99), at(0.999), load.Micros(h.Max())})
	}
	if r.Warnings == nil {
		r.Warnings = []string{}
	}
}

// Measured says whether there is anything to tell.
func (r Result) Measured() bool { return r.Seconds > 0 }

// Err is why a run that came to its end failed nevertheless; nil if it did not.
func (r Result) Err() error {
	failures := int64(0)
	for _, n := range r.FailureCounts {
		failures += n
	}
	switch {
	case failures > 0 || r.EmptyAnswers > 0:
		return fmt.Errorf("%d requests failed and %d answers were empty", failures, r.EmptyAnswers)
	case r.Messages == 0:
		return errors.New("nothing was done")
	default:
		return nil
	}
}

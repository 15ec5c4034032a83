package load

import "time"

// Measure is what one turn of load gave.
type Measure struct {
	Elapsed        time.Duration
	Jobs, Messages int64
	// Latency is that of jobs, Actions that of each action that was made, nil
	// for others.
	Latency *Histogram
	Actions [actionCount]*Histogram
	// Server and Generator are the CPU time of both sides meanwhile; zero where
	// it cannot be read.
	Server, Generator time.Duration
	// Failures counts what failed by kind, an error code where there is one,
	// and Empty the answers without their results, over the whole turn, in a
	// load that tolerates them.
	Failures map[string]int64
	Empty    int64
}

// Rate is messages per second, JobRate jobs per second.
func (m Measure) Rate() float64 { return float64(m.Messages) / m.Elapsed.Seconds() }

// JobRate is jobs per second.
func (m Measure) JobRate() float64 { return float64(m.Jobs) / m.Elapsed.Seconds() }

// CPU is the server's CPU time for one job, in microseconds.
func (m Measure) CPU() float64 { return Micros(m.Server) / float64(m.Jobs) }

// GenCPU is the generator's CPU time for one job, in microseconds.
func (m Measure) GenCPU() float64 { return Micros(m.Generator) / float64(m.Jobs) }

// P50 is the median latency of jobs, in microseconds.
func (m Measure) P50() float64 { return Micros(m.Latency.Quantile(0.5)) }

// P99 is the latency that 99 of 100 jobs stay under, in microseconds.
func (m Measure) P99() float64 { return Micros(m.Latency.Quantile(0.99)) }

// P999 is the latency that 999 of 1000 jobs stay under, in microseconds.
func (m Measure) P999() float64 { return Micros(m.Latency.Quantile(0.999)) }

// Requests is how many requests were answered.
func (m Measure) Requests() int64 {
	n := int64(0)
	for _, h := range m.Actions {
		if h != nil {
			n += int64(h.N())
		}
	}
	return n
}

// Failed is how many failures there were, empty answers not among them.
func (m Measure) Failed() int64 {
	n := int64(0)
	for _, count := range m.Failures {
		n += count
	}
	return n
}

// Add puts another turn of the same load behind this one.
func (m *Measure) Add(other Measure) {
	m.Elapsed += other.Elapsed
	m.Jobs += other.Jobs
	m.Messages += other.Messages
	m.Server += other.Server
	m.Generator += other.Generator
	m.Latency = merged(m.Latency, other.Latency)
	for a := range m.Actions {
		m.Actions[a] = merged(m.Actions[a], other.Actions[a])
	}
	m.addFailures(other)
}

func (m *Measure) addFailures(other Measure) {
	m.Empty += other.Empty
	for kind, n := range other.Failures {
		if m.Failures == nil {
			m.Failures = map[string]int64{}
		}
		m.Failures[kind] += n
	}
}

func merged(a, b *Histogram) *Histogram {
	switch {
	case a == nil:
		return b
	case b != nil:
		a.Merge(b)
	}
	return a
}

// Micros is a duration in microseconds.
func Micros(d time.Duration) float64 { return float64(d) / 1e3 }

package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Write writes the result for people.
func (r Result) Write(to io.Writer) error {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("%s: %s", r.Endpoint, r.setting())
	line("")
	line("%.0f messages/s, %.0f requests/s; %d messages, %d requests in %.1f s", r.MessageRate, r.RequestRate, r.Messages, r.Requests, r.Seconds)
	line("")
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(table, "Latency of\trequests\tp50\tp99\tp99.9\tmax\t\n")
	for _, l := range r.Latencies {
		_, _ = fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%s\t%s\t\n", l.Action, l.Requests, span(l.P50), span(l.P99), span(l.P999), span(l.Max))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	line("")
	if len(r.FailureCounts) == 0 {
		line("Failures: none")
	}
	for _, kind := range slices.Sorted(maps.Keys(r.FailureCounts)) {
		line("Failures: %d × %s", r.FailureCounts[kind], kind)
	}
	line("Empty answers: %d", r.EmptyAnswers)
	if s := r.Server; s != nil {
		line("Server (process %d, %s): CPU %.1f µs a request; memory %.1f MB, %+.0f bytes a request",
			s.PID, s.Name, s.CPUMicros, float64(s.MemoryBytes)/(1<<20), s.GrownBytes)
	}
	if g := r.Generator; g.CPUMicros > 0 {
		line("Generator: CPU %.1f µs a request, %.1f of %d cores busy", g.CPUMicros, g.Cores, g.CoresOfAll)
	}
	for _, text := range r.Warnings {
		line("Warning: %s", text)
	}
	_, err := io.WriteString(to, out.String())
	return err
}

// setting tells what was asked for.
func (r Result) setting() string {
	queue := "standard queue"
	if r.FIFO {
		queue = "FIFO queue"
	}
	if r.Groups > 0 {
		queue += fmt.Sprintf(" with %d groups", r.Groups)
	}
	signed := "not signed"
	if r.Signed {
		signed = "signed"
	}
	return fmt.Sprintf("%s by %d, %d bytes each, %s, %s, %d connections, %s", r.Action, r.Batch, r.BodyBytes, r.Protocol, queue, r.Connections, signed)
}

// span writes microseconds.
func span(micros float64) string {
	d := time.Duration(micros * 1e3)
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%.0f µs", micros)
	case d < time.Second:
		return fmt.Sprintf("%.2f ms", micros/1e3)
	default:
		return fmt.Sprintf("%.2f s", micros/1e6)
	}
}

package sqlite

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"queues/engine"
)

// benchBody is one kilobyte.
var benchBody = strings.Repeat("x", 1024)

// BenchmarkStore measures every step of a message's life without the sync,
// which would hide all else: alone and with 64 callers, in one queue and over
// a hundred.
func BenchmarkStore(b *testing.B) {
	for _, queues := range []int{1, 100} {
		for _, batch := range []int{1, 10} {
			for _, callers := range []int{1, 64} {
				name := fmt.Sprintf("Queues%d/Batch%d/Callers%d", queues, batch, callers)
				b.Run(name+"/Send", func(b *testing.B) { benchSend(b, queues, batch, callers) })
				b.Run(name+"/Receive", func(b *testing.B) { benchReceive(b, queues, batch, callers) })
				b.Run(name+"/Acknowledge", func(b *testing.B) { benchAcknowledge(b, queues, batch, callers) })
			}
		}
	}
}

type benchStore struct {
	*fixture
	queues []*engine.Queue
}

func newBenchStore(b *testing.B, queues int) *benchStore {
	s := &benchStore{fixture: open(b, func(o *Options) { o.Sync = Normal })}
	for i := range queues {
		s.queues = append(s.queues, s.create(fmt.Sprint("q", i)))
	}
	return s
}

// run calls step b.N times from so many callers, each with a number of its own.
func run(b *testing.B, callers int, step func(i int) error) {
	b.Helper()
	b.ReportAllocs()
	if callers == 1 {
		i := 0
		for b.Loop() {
			if err := step(i); err != nil {
				b.Fatal(err)
			}
			i++
		}
		return
	}
	var n atomic.Int64
	b.SetParallelism(callers / 2)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := step(int(n.Add(1) - 1)); err != nil {
				b.Error(err)
				return
			}
		}
	})
	b.StopTimer()
}

func benchSend(b *testing.B, queues, batch, callers int) {
	s := newBenchStore(b, queues)
	run(b, callers, func(i int) error {
		_, err := s.Send(b.Context(), engine.SendParams{Queue: s.queues[i%queues].ID, Messages: messages(batch, benchBody)})
		return err
	})
}

// fill sends enough for n batches, round the queues.
func (s *benchStore) fill(n, batch int) {
	per := (n/len(s.queues) + 1) * batch
	for _, q := range s.queues {
		for sent := 0; sent < per; sent += 1000 {
			p := engine.SendParams{Queue: q.ID, Messages: messages(min(1000, per-sent), benchBody)}
			if _, err := s.Send(s.t.Context(), p); err != nil {
				s.t.Fatal(err)
			}
		}
	}
}

// benchRounds bounds what a benchmark prepares: b.N is not known before.
const benchRounds = 20000

func benchReceive(b *testing.B, queues, batch, callers int) {
	s := newBenchStore(b, queues)
	filled := 0
	if callers > 1 {
		s.fill(b.N, batch)
	}
	run(b, callers, func(i int) error {
		if callers == 1 && i >= filled {
			b.StopTimer()
			s.fill(benchRounds/batch, batch)
			filled += benchRounds / batch
			b.StartTimer()
		}
		_, err := s.Receive(b.Context(), engine.ReceiveParams{Queue: s.queues[i%queues].ID, Max: batch})
		return err
	})
}

func benchAcknowledge(b *testing.B, queues, batch, callers int) {
	s := newBenchStore(b, queues)
	var held [][]engine.Ref
	prepare := func(n int) {
		s.fill(n, batch)
		for i := range n {
			held = append(held, refs(s.receive(s.queues[i%queues], batch)))
		}
	}
	if callers > 1 {
		prepare(b.N)
	}
	run(b, callers, func(i int) error {
		if i >= len(held) {
			b.StopTimer()
			prepare(benchRounds / batch)
			b.StartTimer()
		}
		_, err := s.Acknowledge(b.Context(), engine.AcknowledgeParams{Queue: s.queues[i%queues].ID, Refs: held[i]})
		return err
	})
}

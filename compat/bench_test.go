package compat_test

import (
	"context"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"queues/compat"
	"queues/engine"
	"queues/engine/storetest"
	"queues/protocol"
)

// freeStore has one queue and takes every message without keeping it; all else
// is another store's.
type freeStore struct {
	engine.Store
	queue engine.Queue
}

func (s *freeStore) FindQueue(context.Context, engine.QueueName) (*engine.Queue, error) {
	return &s.queue, nil
}

func (s *freeStore) Send(_ context.Context, p engine.SendParams) ([]engine.Sent, error) {
	sent := make([]engine.Sent, len(p.Messages))
	for i := range p.Messages {
		sent[i].ID = p.Messages[i].ID
	}
	return sent, nil
}

// BenchmarkSend sends messages of 1 KB, one and ten at a time, to a store that
// costs next to nothing.
func BenchmarkSend(b *testing.B) {
	clock := storetest.NewManualClock(time.Time{})
	wakeups := engine.NewWakeups(clock)
	store := &freeStore{Store: storetest.NewModel(clock, wakeups.Report), queue: engine.Queue{
		Name:     engine.QueueName{Namespace: engine.Namespace{Account: home.Account, Region: home.Region}, Name: "jobs"},
		Settings: engine.Settings{MaxMessageBytes: 1 << 20},
	}}
	e := engine.New(store, engine.Options{Clock: clock, Log: slog.New(slog.DiscardHandler), Wakeups: wakeups})
	b.Cleanup(e.Drain)
	s := compat.New(e, compat.Options{})
	url, body := "http://127.0.0.1:9324/000000000000/jobs", strings.Repeat("m", 1024)
	batch := &protocol.SendMessageBatchInput{QueueURL: &url}
	for i := range 10 {
		batch.Entries = append(batch.Entries, protocol.SendMessageBatchRequestEntry{ID: new(strconv.Itoa(i)), MessageBody: &body})
	}
	for _, call := range []protocol.Call{
		{Operation: protocol.SendMessage, Input: &protocol.SendMessageInput{QueueURL: &url, MessageBody: &body}},
		{Operation: protocol.SendMessageBatch, Input: batch},
	} {
		b.Run(string(call.Operation), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Do(b.Context(), home, call); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

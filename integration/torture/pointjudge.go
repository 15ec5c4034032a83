//go:build linux

package main

import (
	"context"
	"fmt"
	"strconv"

	"queues/integration/torture/contents"
	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// judge starts the server again, lets it end what was under way, and compares
// what is there with what may be.
func (p *pointer) judge(ctx context.Context, s *script, states []map[string]int, answered int) string {
	server, client, err := p.serve(p.data, nil)
	if server != nil {
		defer server.kill()
	}
	if err != nil {
		return err.Error()
	}
	if err := p.settled(ctx, p.data, server); err != nil {
		return err.Error()
	}
	if text := s.judgeTask(ctx, client, answered); text != "" {
		return text
	}
	counts, err := s.counts(ctx, client, states)
	if err == nil {
		err = server.stop()
	}
	if err != nil {
		return err.Error()
	}
	found, err := contents.Of(ctx, p.data)
	if err != nil {
		return err.Error()
	}
	if text := s.differs(found, states); text != "" {
		return text
	}
	return s.miscounted(counts, found)
}

// judgeTask judges the move task: one that was answered for is there, and one
// that is there has moved everything.
func (s *script) judgeTask(ctx context.Context, client *wire.Client, answered int) string {
	if s.task == "" {
		return ""
	}
	a := client.Call(ctx, "ListMessageMoveTasks", wire.Args{"SourceArn": wire.QueueARN(s.task)})
	switch {
	case a.Outcome != history.Done:
		return "the move tasks cannot be listed: " + a.Message
	case len(a.Results) == 0 && answered == 0:
		return ""
	case len(a.Results) != 1:
		return fmt.Sprintf("there are %d move tasks", len(a.Results))
	case a.Results[0].Status != "COMPLETED" || a.Results[0].ApproximateNumberOfMessagesMoved != s.moves:
		return fmt.Sprintf("the move task is %s and has moved %d messages, want COMPLETED and %d", a.Results[0].Status, a.Results[0].ApproximateNumberOfMessagesMoved, s.moves)
	}
	return ""
}

// counts asks for the sizes of the queues that any of the states has, by family.
func (s *script) counts(ctx context.Context, client *wire.Client, states []map[string]int) (map[string]int, error) {
	counts := make(map[string]int)
	asked := make(map[string]bool)
	for _, state := range states {
		for name := range state {
			queue, ok := queueOf(name)
			if !ok || asked[queue] {
				continue
			}
			asked[queue] = true
			a := client.Call(ctx, "GetQueueAttributes", wire.Args{"QueueUrl": wire.QueueURL(queue), "AttributeNames": []string{"All"}})
			if a.Outcome == history.Refused && a.Status == 400 {
				continue // whether it may be missing is judged by the contents
			}
			for _, kind := range []string{"", "NotVisible", "Delayed"} {
				n, err := strconv.Atoi(a.Attributes["ApproximateNumberOfMessages"+kind])
				if err != nil {
					return nil, fmt.Errorf("the counts of %s: status %d %s: %w", queue, a.Status, a.Message, err)
				}
				counts[s.familyOf(queue)] += n
			}
		}
	}
	return counts, nil
}

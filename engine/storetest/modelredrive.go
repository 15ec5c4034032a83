package storetest

import (
	"time"

	"queues/engine"
)

// deadLetters gives the queue that a message goes to instead of being received
// once more; nil when it can be received.
func (m *Model) deadLetters(q *modelQueue, msg *modelMessage) *modelQueue {
	if q.Redrive == nil || msg.here < q.Redrive.MaxReceives {
		return nil
	}
	target := m.named(q.Redrive.Target)
	if target == nil || target.Kind != q.Kind {
		return nil
	}
	return target
}

// bury moves messages that were received too often from a queue to its target
// and gives the reports of both.
func (m *Model) bury(q, target *modelQueue, dead []*modelMessage, now time.Time) engine.Report {
	report := m.settled(target, now)
	begin := target.turn(now)
	var open uint64
	for _, msg := range dead {
		q.remove(msg)
		letter := m.arrive(target, msg.Message, now)
		letter.receives, letter.first, letter.source = msg.receives, msg.first, q.Name
		letter.due = now
		if target.Kind == engine.FIFO {
			letter.Dedup = letter.ID.String()
		} else {
			letter.sent = msg.sent
		}
		if msg.Group != dead[0].Group && q.Kind == engine.FIFO || q.Kind == engine.Standard && msg.here > keptReturns {
			if open == 0 {
				open = letter.sequence
			}
			letter.batch = open
		}
		report.Ready++
	}
	m.relined(target, &report, begin, now)
	return report
}

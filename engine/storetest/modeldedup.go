package storetest

import (
	"time"

	"queues/engine"
)

// modelSend is a send that a FIFO queue remembers.
type modelSend struct {
	id       engine.MessageID
	sequence uint64
	at       time.Time
}

// dedupKey is what a FIFO queue remembers a send by.
func (q *modelQueue) dedupKey(msg engine.Message) string {
	if q.DedupPerGroup {
		return msg.Group + "\x00" + msg.Dedup
	}
	return msg.Dedup
}

// sentBefore gives the send that a message is a duplicate of.
func (q *modelQueue) sentBefore(msg engine.Message, now time.Time) (modelSend, bool) {
	before, known := q.sends[q.dedupKey(msg)]
	return before, q.Kind == engine.FIFO && known && now.Sub(before.at) < engine.DedupWindow
}

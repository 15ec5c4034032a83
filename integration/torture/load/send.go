package load

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// outgoing is one message to be sent.
type outgoing struct{ key, group string }

// next makes the next message of a client.
func (w *worker) next(queue, group string) outgoing {
	w.sent++
	key := fmt.Sprintf("%s-%d-%d", strings.TrimSuffix(queue, ".fifo"), w.name, w.sent)
	if w.Round > 0 {
		key = fmt.Sprintf("%s-%d", key, w.Round)
	}
	return outgoing{key, group}
}

// send sends messages to a queue, some of them delayed if it can.
func (w *worker) send(queue string, messages []outgoing) []history.Outcome {
	return w.sendAll(queue, messages, !w.History.Queues[queue].FIFO)
}

// sendNow sends messages that are visible at once.
func (w *worker) sendNow(queue string, messages []outgoing) []history.Outcome {
	return w.sendAll(queue, messages, false)
}

// sendAll sends messages to a queue, one alone or several in a batch, and gives
// the outcome of each.
func (w *worker) sendAll(queue string, messages []outgoing, delays bool) []history.Outcome {
	entries := make([]wire.Args, len(messages))
	for i, m := range messages {
		entries[i] = wire.Args{"Id": strconv.Itoa(i), "MessageBody": Body(m.key)}
		if m.group != "" {
			entries[i]["MessageGroupId"] = m.group
		}
		if queue == byContent {
			continue // the body tells
		}
		if w.History.Queues[queue].FIFO {
			entries[i]["MessageDeduplicationId"] = m.key
		} else if delays && w.chance(10) {
			entries[i]["DelaySeconds"] = w.random.IntN(3)
		}
	}
	action, in := "SendMessageBatch", wire.Args{"QueueUrl": wire.QueueURL(queue), "Entries": entries}
	if len(messages) == 1 {
		action, in = "SendMessage", entries[0]
		delete(in, "Id")
		in["QueueUrl"] = wire.QueueURL(queue)
	}
	outcomes := make([]history.Outcome, len(messages))
	a, start, end, ok := w.call(action, in)
	if !ok {
		for i := range outcomes {
			outcomes[i] = history.Refused
		}
		return outcomes
	}
	if len(messages) == 1 {
		a.Successful = []wire.Entry{{Id: "0", MessageId: a.MessageId, SequenceNumber: a.SequenceNumber}}
	}
	events := make([]history.Event, len(messages))
	for i, m := range messages {
		e := history.Event{Op: history.Send, Queue: queue, Key: m.key, Group: m.group, Start: start, End: end}
		e.Outcome, e.Error = outcomeOf(&a, strconv.Itoa(i))
		if e.Outcome == history.Done {
			entry := find(a.Successful, strconv.Itoa(i))
			e.ID, e.Sequence = entry.MessageId, entry.SequenceNumber
			w.live[queue].Add(1)
		}
		events[i], outcomes[i] = e, e.Outcome
	}
	w.History.Add(events...)
	return outcomes
}

// outcomeOf gives what is known of one entry of a call.
func outcomeOf(a *wire.Answer, id string) (history.Outcome, string) {
	if a.Outcome != history.Done {
		return a.Outcome, blame(a.Code)
	}
	if find(a.Successful, id) != nil {
		return history.Done, ""
	}
	failed := find(a.Failed, id)
	switch {
	case failed == nil:
		return history.Unknown, "the answer has no entry for it"
	case failed.Code == "InternalFailure" || failed.Code == "InternalError" || strings.Contains(failed.Message, "cannot tell"):
		return history.Unknown, failed.Code
	}
	return history.Refused, blame(failed.Code)
}

// blame gives the code of an error that is about the call, and nothing for one
// that only says that this is not the moment.
func blame(code string) string {
	if code == "ServiceUnavailable" || code == "RequestThrottled" {
		return ""
	}
	return code
}

func find(entries []wire.Entry, id string) *wire.Entry {
	for i := range entries {
		if entries[i].Id == id {
			return &entries[i]
		}
	}
	return nil
}

// sender sends to a standard queue as long as fewer messages than most are
// there. With groups each message has one.
func sender(queue string, groups int, most int64) func(*worker) {
	return func(w *worker) {
		for w.rest(w.Pace) {
			if w.live[queue].Load() > most && !w.chance(50) {
				w.rest(5 * w.Pace)
				continue
			}
			n := 1
			if w.chance(3) {
				n = 1 + w.random.IntN(10)
			}
			var messages []outgoing
			for size := 0; len(messages) < n && size < 200_000; {
				group := ""
				if groups > 0 {
					group = fmt.Sprintf("g%d", w.random.IntN(groups))
				}
				m := w.next(queue, group)
				size += len(Body(m.key))
				messages = append(messages, m)
			}
			w.send(queue, messages)
		}
	}
}

// fifoSender sends to a FIFO queue, in groups of its own, and repeats what was
// not answered until it is. A batch has no group twice, so that an entry that
// fails alone cannot change the order.
func fifoSender(queue string, most int64) func(*worker) {
	const groups = 4
	return func(w *worker) {
		for w.rest(w.Pace) {
			if w.live[queue].Load() > most {
				w.rest(5 * w.Pace)
				continue
			}
			n := 1
			if w.chance(3) {
				n = 1 + w.random.IntN(groups)
			}
			var messages []outgoing
			for _, g := range w.random.Perm(groups)[:n] {
				messages = append(messages, w.next(queue, fmt.Sprintf("g%d-%d", w.name, g)))
			}
			for len(messages) > 0 && w.rest(w.Pace) {
				var again []outgoing
				for i, outcome := range w.send(queue, messages) {
					if outcome != history.Done {
						again = append(again, messages[i])
					}
				}
				messages = again
				if len(again) > 0 {
					w.rest(20 * time.Millisecond)
				}
			}
		}
	}
}

package load

import (
	"strconv"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// holding is a message that a client has received.
type holding struct {
	queue, key, handle string
	number             int
}

// habits are how a consumer treats what it receives: out of a hundred messages
// so many are let go at once, kept until later, or hidden for longer first. The
// rest is deleted at once.
type habits struct {
	hidden               []time.Duration
	letGo, keep, prolong int
	forget               int
}

// long keeps a message beyond the end of any run.
const long = 3 * time.Hour

var (
	// diligent deletes most of what it gets.
	// A receive whose answer was lost keeps its messages hidden, and on a FIFO
	// queue their groups locked, so the timeouts are short of a run's length.
	diligent = habits{hidden: []time.Duration{20 * time.Second, time.Minute}, letGo: 5, keep: 8, prolong: 8}
	orderly  = habits{hidden: []time.Duration{2 * time.Second, 5 * time.Second, 10 * time.Second}, letGo: 5, keep: 4, prolong: 4}
	// failing lets most of what it gets fall due.
	failing = habits{hidden: []time.Duration{0, 0, time.Second, 2 * time.Second}, letGo: 30, forget: 30}
)

// consumer receives from a queue.
func consumer(queue string, h habits) func(*worker) {
	return func(w *worker) {
		for w.rest(w.Pace) {
			got, _ := w.receive(queue, h.hidden[w.random.IntN(len(h.hidden))], "")
			var now, longer, free []holding
			for _, m := range got {
				switch n := w.random.IntN(100); {
				case n < h.letGo:
					free = append(free, m)
				case n < h.letGo+h.keep && len(w.held) < 30:
					w.held = append(w.held, m)
				case n < h.letGo+h.keep+h.prolong:
					longer = append(longer, m)
				case n < h.letGo+h.keep+h.prolong+h.forget:
				default:
					now = append(now, m)
				}
			}
			w.hide(longer, long)
			w.remove(append(now, longer...))
			w.hide(free, 0)
			// What was kept goes some time later, often after a restart.
			if n := len(w.held); n > 0 && w.chance(25) {
				w.remove(w.held[n/2:])
				w.held = w.held[:n/2]
			}
		}
	}
}

// receive receives up to ten messages, with an attempt id unless that is empty,
// and tells whether it was answered.
func (w *worker) receive(queue string, hidden time.Duration, attempt string) ([]holding, bool) {
	in := wire.Args{
		"QueueUrl": wire.QueueURL(queue), "MaxNumberOfMessages": 1 + w.random.IntN(10),
		"VisibilityTimeout": int(hidden / time.Second),
	}
	if w.chance(4) {
		in["WaitTimeSeconds"] = 1
	}
	if attempt != "" {
		in["ReceiveRequestAttemptId"] = attempt
	}
	a, start, end, ok := w.call("ReceiveMessage", in)
	if !ok {
		return nil, false
	}
	call := w.History.NewCall()
	events := []history.Event{{Op: history.Receive, Queue: queue, Start: start, End: end, Outcome: a.Outcome, Call: call, Error: a.Code, Attempt: attempt}}
	got := make([]holding, len(a.Messages))
	for i, m := range a.Messages {
		key, altered := Key(m.Body)
		number := w.numbers[m.ReceiptHandle]
		if number == 0 {
			number = w.History.NewHandle()
		}
		if attempt != "" { // it may come again
			w.numbers[m.ReceiptHandle] = number
		}
		got[i] = holding{queue, key, m.ReceiptHandle, number}
		events = append(events, history.Event{
			Op: history.Deliver, Queue: queue, Key: key, ID: m.MessageId, Start: start, End: end, Outcome: history.Done,
			Call: call, Position: i, Handle: number, Hidden: hidden, Altered: altered, Attempt: attempt,
		})
	}
	w.History.Add(events...)
	return got, a.Outcome == history.Done
}

// attempter receives from a FIFO queue with attempt ids, and repeats a receive
// that was not answered, and some that were, before it deletes what came. Nobody
// else receives from the queue.
func attempter(queue string) func(*worker) {
	return func(w *worker) {
		for n := 0; w.rest(w.Pace); n++ {
			clear(w.numbers)
			var got []holding
			more := w.random.IntN(3)
			for done := false; more >= 0 && w.rest(w.Pace); more-- {
				now, answered := w.receive(queue, 20*time.Second, "try-"+strconv.Itoa(n))
				if done = done || answered; answered {
					got = now
				}
				if !done {
					more++
				}
			}
			w.remove(got)
		}
	}
}

// remove deletes messages, one alone or up to ten in a batch.
func (w *worker) remove(messages []holding) {
	w.settle(messages, history.Delete, "DeleteMessage", 0)
}

// hide changes for how long messages are hidden.
func (w *worker) hide(messages []holding, hidden time.Duration) {
	w.settle(messages, history.Change, "ChangeMessageVisibility", hidden)
}

func (w *worker) settle(messages []holding, op history.Op, action string, hidden time.Duration) {
	for len(messages) > 0 {
		n := 1
		if !w.chance(3) {
			n = min(len(messages), 10)
			for i, m := range messages[:n] {
				if m.queue != messages[0].queue {
					n = i
					break
				}
			}
		}
		w.settleSome(messages[:n], op, action, hidden)
		messages = messages[n:]
	}
}

// settleSome settles messages of one queue in one call.
func (w *worker) settleSome(messages []holding, op history.Op, action string, hidden time.Duration) {
	entries := make([]wire.Args, len(messages))
	for i, m := range messages {
		entries[i] = wire.Args{"Id": strconv.Itoa(i), "ReceiptHandle": m.handle}
		if op == history.Change {
			entries[i]["VisibilityTimeout"] = int(hidden / time.Second)
		}
	}
	queue := messages[0].queue
	in := wire.Args{"QueueUrl": wire.QueueURL(queue), "Entries": entries}
	if len(messages) == 1 {
		in = entries[0]
		delete(in, "Id")
		in["QueueUrl"] = wire.QueueURL(queue)
	} else {
		action += "Batch"
	}
	a, start, end, ok := w.call(action, in)
	if !ok {
		return
	}
	if len(messages) == 1 {
		a.Successful = []wire.Entry{{Id: "0"}}
	}
	events := make([]history.Event, len(messages))
	for i, m := range messages {
		e := history.Event{Op: op, Queue: queue, Key: m.key, Handle: m.number, Hidden: hidden, Start: start, End: end}
		e.Outcome, e.Error = outcomeOf(&a, strconv.Itoa(i))
		if op == history.Delete && e.Outcome == history.Done {
			w.live[queue].Add(-1)
		}
		events[i] = e
	}
	w.History.Add(events...)
}

package load

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/wire"
)

// The queues of the lanes.
const (
	plain      = "plain"
	fair       = "fair"
	orders     = "orders.fifo"
	purged     = "purged"
	phoenix    = "phoenix"
	letters    = "letters"
	failures   = "failures.fifo"
	round      = "round"
	drain      = "drain"
	settings   = "settings"
	drainOwner = "drain-owner"
	drained    = "drained"
	attempts   = "attempts.fifo"
	byContent  = "content.fifo"
	tagged     = "tagged"
	brief      = "brief"
)

// dead names the dead-letter queue of a queue.
func dead(queue string) string {
	if name, ok := strings.CutSuffix(queue, ".fifo"); ok {
		return name + "-dead.fifo"
	}
	return queue + "-dead"
}

// queues are all queues, as the checker knows them.
func queues() map[string]history.Queue {
	all := map[string]history.Queue{
		plain: {}, fair: {}, orders: {FIFO: true}, purged: {}, phoenix: {},
		letters: {DeadLetters: dead(letters), MaxReceives: 2}, dead(letters): {},
		failures: {FIFO: true, DeadLetters: dead(failures), MaxReceives: 3}, dead(failures): {FIFO: true},
		round: {DeadLetters: dead(round), MaxReceives: 1}, dead(round): {MovesTo: round},
		drainOwner: {DeadLetters: drain, MaxReceives: 1}, drain: {MovesTo: drained}, drained: {},
		settings: {}, tagged: {}, attempts: {FIFO: true}, byContent: {FIFO: true}, brief: {Retention: time.Minute},
	}
	for name, rule := range all {
		rule.Lasting = name != phoenix
		all[name] = rule
	}
	return all
}

// Tasked are the queues that move tasks take messages from.
var Tasked = []string{dead(round), drain}

// clients are the clients of all lanes.
func clients() []func(*worker) {
	return []func(*worker){
		sender(plain, 0, 400), sender(plain, 0, 400), consumer(plain, diligent), consumer(plain, diligent),
		sender(fair, 20, 300), consumer(fair, diligent),
		fifoSender(orders, 200), fifoSender(orders, 200), consumer(orders, orderly), consumer(orders, orderly),
		sender(purged, 0, 1500), sender(purged, 5, 1500), consumer(purged, diligent), purger(purged),
		sender(phoenix, 0, 500), consumer(phoenix, diligent), recreator(phoenix),
		sender(letters, 0, 200), consumer(letters, failing), consumer(dead(letters), diligent),
		fifoSender(failures, 200), consumer(failures, failing), consumer(dead(failures), orderly),
		sender(round, 0, 200), consumer(round, failing), returner(dead(round)),
		drainer(drain, drained), consumer(drained, diligent),
		setter(settings), tagger(tagged), trickle(brief),
		fifoSender(attempts, 100), attempter(attempts),
		fifoSender(byContent, 100), consumer(byContent, orderly),
	}
}

// attributes gives what a queue is created with.
func attributes(queue string) map[string]string {
	rule := queues()[queue]
	a := map[string]string{"VisibilityTimeout": "5"}
	if rule.FIFO {
		a["FifoQueue"] = "true"
	}
	if queue == byContent {
		a["ContentBasedDeduplication"] = "true"
	}
	if rule.Retention > 0 {
		a["MessageRetentionPeriod"] = strconv.Itoa(int(rule.Retention / time.Second))
	}
	if rule.DeadLetters != "" {
		a["RedrivePolicy"] = fmt.Sprintf(`{"deadLetterTargetArn":%q,"maxReceiveCount":%d}`, wire.QueueARN(rule.DeadLetters), rule.MaxReceives)
	}
	return a
}

// Create makes all queues; dead-letter queues come before their sources. It
// must be answered for each.
func Create(ctx context.Context, c *wire.Client) error {
	var first, last []string
	for queue, rule := range queues() {
		if rule.DeadLetters == "" {
			first = append(first, queue)
		} else {
			last = append(last, queue)
		}
	}
	for _, queue := range append(first, last...) {
		a := c.Call(ctx, "CreateQueue", wire.Args{"QueueName": queue, "Attributes": attributes(queue)})
		if a.Outcome != history.Done {
			return fmt.Errorf("cannot create %s: status %d %s %s", queue, a.Status, a.Code, a.Message)
		}
	}
	return nil
}

// purger purges a queue now and then.
func purger(queue string) func(*worker) {
	return func(w *worker) {
		for w.rest(250 * w.Pace) {
			w.wipe("PurgeQueue", queue)
		}
	}
}

// recreator deletes a queue now and then and creates it again.
func recreator(queue string) func(*worker) {
	return func(w *worker) {
		for w.rest(150 * w.Pace) {
			w.wipe("DeleteQueue", queue)
			w.rest(10 * w.Pace)
			for created := false; !created && w.rest(w.Pace); {
				a, _, _, _ := w.call("CreateQueue", wire.Args{"QueueName": queue, "Attributes": attributes(queue)})
				created = a.Outcome == history.Done
			}
		}
	}
}

func (w *worker) wipe(action, queue string) {
	a, start, end, ok := w.call(action, wire.Args{"QueueUrl": wire.QueueURL(queue)})
	if !ok {
		return
	}
	w.History.Add(history.Event{Op: history.Wipe, Queue: queue, Start: start, End: end, Outcome: a.Outcome, Error: a.Code})
	w.live[queue].Store(0)
}

// setter writes and reads a setting of a queue, a greater value each time.
func setter(queue string) func(*worker) {
	return func(w *worker) {
		for value := 1; w.rest(2 * w.Pace); {
			e := history.Event{Op: history.Read, Queue: queue}
			var a wire.Answer
			var ok bool
			if w.chance(2) {
				value = value%43200 + 1
				e.Op, e.Value = history.Set, value
				a, e.Start, e.End, ok = w.call("SetQueueAttributes", wire.Args{
					"QueueUrl": wire.QueueURL(queue), "Attributes": map[string]string{"VisibilityTimeout": strconv.Itoa(value)},
				})
			} else {
				a, e.Start, e.End, ok = w.call("GetQueueAttributes", wire.Args{"QueueUrl": wire.QueueURL(queue), "AttributeNames": []string{"VisibilityTimeout"}})
				e.Value, _ = strconv.Atoi(a.Attributes["VisibilityTimeout"])
			}
			if !ok {
				return
			}
			e.Outcome, e.Error = a.Outcome, a.Code
			w.History.Add(e)
		}
	}
}

// tagger writes, removes and reads a tag of a queue.
func tagger(queue string) func(*worker) {
	return func(w *worker) {
		for value := 1; w.rest(2 * w.Pace); {
			e := history.Event{Op: history.Read, Queue: queue}
			action, in := "ListQueueTags", wire.Args{"QueueUrl": wire.QueueURL(queue)}
			switch w.random.IntN(4) {
			case 0:
				e.Op, action = history.Set, "UntagQueue"
				in["TagKeys"] = []string{"value"}
			case 1:
				value++
				e.Op, e.Value, action = history.Set, value, "TagQueue"
				in["Tags"] = map[string]string{"value": strconv.Itoa(value)}
			}
			a, start, end, ok := w.call(action, in)
			if !ok {
				return
			}
			e.Start, e.End, e.Outcome, e.Error = start, end, a.Outcome, a.Code
			if e.Op == history.Read {
				e.Value, _ = strconv.Atoi(a.Tags["value"]) // none is zero
			}
			w.History.Add(e)
		}
	}
}

// trickle sends a message now and then to a queue from which only time removes
// any.
func trickle(queue string) func(*worker) {
	return func(w *worker) {
		for w.rest(20 * w.Pace) {
			w.sendNow(queue, []outgoing{w.next(queue, "")})
		}
	}
}

// returner sends what is in a dead-letter queue back to where it came from, now
// and then.
func returner(queue string) func(*worker) {
	return func(w *worker) {
		for w.rest(100 * w.Pace) {
			w.call("StartMessageMoveTask", wire.Args{"SourceArn": wire.QueueARN(queue)})
		}
	}
}

// drainer fills a queue, lets a move task empty it into another, and checks
// what the task says at its end. Nobody else uses the queue.
func drainer(from, to string) func(*worker) {
	return func(w *worker) {
		last := int64(0)
		for w.rest(20 * w.Pace) {
			if w.live[from].Load() > 1500 {
				continue
			}
			least, unknown := 0, 0
			for range 5 + w.random.IntN(40) {
				var messages []outgoing
				for range 10 {
					messages = append(messages, w.next(from, ""))
				}
				for _, outcome := range w.sendNow(from, messages) {
					switch outcome {
					case history.Done:
						least++
					case history.Unknown:
						unknown++
					}
				}
			}
			a, _, _, _ := w.call("StartMessageMoveTask", wire.Args{"SourceArn": wire.QueueARN(from), "DestinationArn": wire.QueueARN(to)})
			task := history.Task{Source: from, Acknowledged: a.Outcome == history.Done, Least: least, Most: least + unknown}
			for w.rest(10 * w.Pace) {
				newest, ok := w.newestTask(from)
				if !ok || newest.Status == "RUNNING" {
					continue
				}
				if newest.StartedTimestamp > last {
					last = newest.StartedTimestamp
					task.Status, task.Moved = newest.Status, newest.ApproximateNumberOfMessagesMoved
				}
				break
			}
			if w.ctx.Err() != nil {
				return // its end was not seen
			}
			w.History.AddTask(task)
			for task.Status == "" && w.rest(10*w.Pace) {
				// Nothing was started; try again before more is sent, so that
				// the numbers stay known.
				a, _, _, _ := w.call("StartMessageMoveTask", wire.Args{"SourceArn": wire.QueueARN(from), "DestinationArn": wire.QueueARN(to)})
				if a.Outcome == history.Done {
					break
				}
			}
			last = w.settled(from, last)
		}
	}
}

// settled waits until no task of a queue runs, and gives the start of the
// newest.
func (w *worker) settled(queue string, last int64) int64 {
	for w.rest(10 * w.Pace) {
		if newest, ok := w.newestTask(queue); ok && newest.Status != "RUNNING" {
			return max(last, newest.StartedTimestamp)
		}
	}
	return last
}

// newestTask gives the newest move task of a queue, all zero when there is none.
func (w *worker) newestTask(queue string) (wire.Task, bool) {
	a, _, _, _ := w.call("ListMessageMoveTasks", wire.Args{"SourceArn": wire.QueueARN(queue)})
	if a.Outcome != history.Done {
		return wire.Task{}, false
	}
	if len(a.Results) == 0 {
		return wire.Task{}, true
	}
	return a.Results[0], true
}

// wait is how long a driver gives the move tasks to end.
const wait = 60 * time.Second

// Quiet waits until no move task runs, on a server that nobody else calls.
func Quiet(ctx context.Context, c *wire.Client) error {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for _, queue := range Tasked {
		for {
			a := c.Call(ctx, "ListMessageMoveTasks", wire.Args{"SourceArn": wire.QueueARN(queue)})
			if ctx.Err() != nil {
				return fmt.Errorf("the move task of %s has not ended within %v", queue, wait)
			}
			if a.Outcome == history.Done && (len(a.Results) == 0 || a.Results[0].Status != "RUNNING") {
				break
			}
			select {
			case <-time.After(20 * time.Millisecond):
			case <-ctx.Done():
			}
		}
	}
	return nil
}

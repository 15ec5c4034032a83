package integration

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
)

// recorder writes down what clients do and see.
type recorder struct {
	begun time.Time

	mu      sync.Mutex
	history []porcupine.Operation
	handles []string
	numbers map[string]int
	// known are the handles of each queue.
	known map[string][]int
}

func newRecorder() *recorder {
	return &recorder{begun: time.Now(), numbers: map[string]int{}, known: map[string][]int{}}
}

// number gives the number of a handle, from 1.
func (r *recorder) number(queue, handle string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	n, ok := r.numbers[handle]
	if !ok {
		r.handles = append(r.handles, handle)
		n = len(r.handles)
		r.numbers[handle] = n
		r.known[queue] = append(r.known[queue], n)
	}
	return n
}

// recent gives one of the newest handles of a queue; 0 for none.
func (r *recorder) recent(random *rand.Rand, queue string) (number int, handle string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.known[queue]
	if len(known) == 0 {
		return 0, ""
	}
	n := known[len(known)-1-random.IntN(min(len(known), 6))]
	return n, r.handles[n-1]
}

// take makes a step and writes it down.
func (r *recorder) take(t *testing.T, e *env, client int, s step, handle string) {
	call := time.Since(r.begun)
	reply := e.call(t, s.action(), s.args(e, handle))
	end := time.Since(r.begun)
	a := answer{code: reply.Code}
	switch {
	case reply.Status >= 500:
		t.Errorf("%s was answered with %d %s", s.do, reply.Status, reply.Body)
	case reply.Status != 200:
	case s.do == "receive":
		for _, m := range reply.messages(t) {
			a.got = append(a.got, taken{m.Body, r.number(s.queue, m.ReceiptHandle)})
		}
	case s.do == "send" && s.group != "":
		a.id, a.number = reply.text(t, "MessageId"), reply.text(t, "SequenceNumber")
	case s.do == "count":
		a.counts = reply.sizes(t)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{
		ClientId: client, Input: s, Call: int64(call), Output: a, Return: int64(end),
	})
}

// action is the action of a step.
func (s step) action() string {
	if s.do == "send" && len(s.bodies) > 1 {
		return "SendMessageBatch"
	}
	return map[string]string{
		"send": "SendMessage", "receive": "ReceiveMessage", "delete": "DeleteMessage", "change": "ChangeMessageVisibility",
		"count": "GetQueueAttributes", "purge": "PurgeQueue", "remove": "DeleteQueue", "create": "CreateQueue",
	}[s.do]
}

// args are its members.
func (s step) args(e *env, handle string) args {
	in := args{"QueueUrl": e.url + "/" + e.account + "/" + s.queue}
	timeout := 0
	if s.hidden {
		timeout = 3600
	}
	switch s.do {
	case "send":
		if len(s.bodies) > 1 {
			entries := list{}
			for i, body := range s.bodies {
				entries = append(entries, args{"Id": fmt.Sprint(i), "MessageBody": body})
			}
			in["Entries"] = entries
			break
		}
		in["MessageBody"] = s.bodies[0]
		if s.delayed {
			in["DelaySeconds"] = 900
		}
		if s.group != "" {
			in["MessageGroupId"], in["MessageDeduplicationId"] = s.group, s.dedup
		}
	case "receive":
		in["MaxNumberOfMessages"], in["VisibilityTimeout"] = s.most, timeout
		if s.attempt != "" {
			in["ReceiveRequestAttemptId"] = s.attempt
		}
	case "change":
		in["ReceiptHandle"], in["VisibilityTimeout"] = handle, timeout
	case "delete":
		in["ReceiptHandle"] = handle
	case "count":
		in["AttributeNames"] = list{"All"}
	case "create":
		return args{"QueueName": s.queue}
	}
	return in
}

// text reads one member of an answer.
func (r *reply) text(t *testing.T, member string) string {
	var j map[string]any
	if json.Unmarshal([]byte(r.Body), &j) == nil {
		text, _ := j[member].(string)
		return text
	}
	_, rest, _ := strings.Cut(r.Body, "<"+member+">")
	text, _, ok := strings.Cut(rest, "</"+member+">")
	if !ok {
		t.Errorf("there is no %s in %s", member, r.Body)
	}
	return text
}

// finish tells each receive whether something was removed beside it, and ends
// each queue with a step at which nothing may be missing any more.
func (r *recorder) finish() {
	end := int64(time.Since(r.begun))
	last := map[string]bool{}
	var again []porcupine.Operation
	for i := range r.history {
		s := r.history[i].Input.(step)
		last[s.queue] = true
		s.besides = slices.ContainsFunc(r.history, func(o porcupine.Operation) bool {
			other := o.Input.(step)
			removes := other.do == "purge" || other.do == "remove" || other.do == "delete"
			return removes && other.queue == s.queue && o.Call <= r.history[i].Return && r.history[i].Call <= o.Return
		})
		r.history[i].Input = s
		if s.do == "receive" && s.besides {
			// One that finds nothing of what it took takes again.
			s.do = "again"
			o := r.history[i]
			o.Input, o.Output = s, answer{}
			again = append(again, o)
		}
	}
	r.history = append(r.history, again...)
	for queue := range last {
		r.history = append(r.history, porcupine.Operation{Input: step{queue: queue, do: "end"}, Call: end, Output: answer{}, Return: end + 1})
	}
}

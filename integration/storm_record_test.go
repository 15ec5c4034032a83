package integration

import (
	"fmt"
	"maps"
	"math/rand/v2"
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

// count counts what was done.
func (r *recorder) count(did map[string]int) {
	for _, o := range r.history {
		s, a := o.Input.(step), o.Output.(answer)
		did[strings.TrimSuffix(s.do+"/"+a.code, "/")]++
		if s.queue != family(s.queue) {
			did["dead letters"] += len(a.got)
			did["moved"] = max(did["moved"], a.task.moved)
		}
		if len(s.entries)+len(s.handles) > 1 {
			did["batches"]++
		}
	}
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

// take makes a step, writes it down and gives the answer.
func (r *recorder) take(t *testing.T, e *env, client int, s step, handles ...string) (a answer) {
	call := time.Since(r.begun)
	reply := e.call(t, s.action(), s.args(e, handles))
	end := time.Since(r.begun)
	a.code = reply.Code
	switch {
	case reply.Status >= 500:
		t.Errorf("%s was answered with %d %s", s.do, reply.Status, reply.Body)
	case reply.Status != 200:
	case strings.HasSuffix(s.action(), "Batch"):
		a.entries = reply.outcomes(t, len(s.entries)+len(s.handles))
	case s.do == "receive":
		for _, m := range reply.messages(t) {
			a.got = append(a.got, taken{m.Body, r.number(s.queue, m.ReceiptHandle), m.MessageId})
		}
	case s.do == "send":
		a.entries = []result{{id: reply.text(t, "MessageId")}}
		if s.entries[0].group != "" {
			a.entries[0].number = reply.text(t, "SequenceNumber")
		}
	case s.do == "count":
		a.counts = reply.sizes(t)
	case s.do == "tasks":
		a.task = reply.task(t)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.history = append(r.history, porcupine.Operation{
		ClientId: client, Input: s, Call: int64(call), Output: a, Return: int64(end),
	})
	return a
}

// action is the action of a step.
func (s step) action() string {
	action := map[string]string{
		"send": "SendMessage", "receive": "ReceiveMessage", "delete": "DeleteMessage", "change": "ChangeMessageVisibility",
		"count": "GetQueueAttributes", "purge": "PurgeQueue", "remove": "DeleteQueue", "create": "CreateQueue",
		"move": "StartMessageMoveTask", "tasks": "ListMessageMoveTasks",
	}[s.do]
	if len(s.entries)+len(s.handles) > 1 {
		action += "Batch"
	}
	return action
}

// args are its members.
func (s step) args(e *env, handles []string) args {
	in := args{"QueueUrl": e.url + "/" + e.account + "/" + s.queue}
	timeout := 0
	if s.hidden {
		timeout = 3600
	}
	var entries []args
	switch s.do {
	case "send":
		for _, m := range s.entries {
			entries = append(entries, m.args(s.delayed))
		}
	case "delete", "change":
		for _, handle := range handles {
			entry := args{"ReceiptHandle": handle}
			if s.do == "change" {
				entry["VisibilityTimeout"] = timeout
			}
			entries = append(entries, entry)
		}
	case "receive":
		in["MaxNumberOfMessages"], in["VisibilityTimeout"] = s.most, timeout
		if s.attempt != "" {
			in["ReceiveRequestAttemptId"] = s.attempt
		}
	case "count":
		in["AttributeNames"] = list{"All"}
	case "create":
		return args{"QueueName": s.queue}
	case "move", "tasks":
		return args{"SourceArn": resourceName(e, s.queue)}
	}
	if len(entries) == 1 {
		maps.Copy(in, entries[0])
		return in
	}
	all := list{}
	for i, entry := range entries {
		entry["Id"] = fmt.Sprint(i)
		all = append(all, entry)
	}
	if len(all) > 0 {
		in["Entries"] = all
	}
	return in
}

// args are the members of a message.
func (m parcel) args(delayed bool) args {
	in := args{"MessageBody": m.body}
	switch {
	case m.bad:
		in["DelaySeconds"] = 9999
	case delayed:
		in["DelaySeconds"] = 900
	}
	if m.group != "" {
		in["MessageGroupId"], in["MessageDeduplicationId"] = m.group, m.dedup
	}
	return in
}

// finish tells each receive whether it may miss something, and ends each queue
// with a step at which nothing may be missing any more.
func (r *recorder) finish() {
	last := map[string]bool{}
	var again []porcupine.Operation
	end := int64(time.Since(r.begun))
	for i, o := range r.history {
		s := o.Input.(step)
		last[family(s.queue)] = true
		s.besides = s.mayMiss(r.beside(o))
		r.history[i].Input = s
		if s.besides {
			// One that finds nothing of what it took takes again.
			s.do = "again"
			o.Input, o.Output = s, answer{}
			again = append(again, o)
		}
	}
	r.history = append(r.history, again...)
	for queue := range last {
		r.history = append(r.history, porcupine.Operation{Input: step{queue: queue, do: "end"}, Call: end, Output: answer{}, Return: end + 1})
	}
}

// beside counts the steps that were under way together with one, by what they
// do.
func (r *recorder) beside(o porcupine.Operation) map[string]int {
	beside := map[string]int{}
	for _, other := range r.history {
		if s := other.Input.(step); s.queue == o.Input.(step).queue && other.Call <= o.Return && o.Call <= other.Return {
			beside[s.do]++
		}
	}
	return beside
}

// mayMiss tells whether what a step takes may be gone before it is read. What
// stays visible is read at once. What is hidden goes with its queue or in a
// purge; else only when somebody may make it visible, with an older handle of a
// standard queue, or has the handle already, by a repeated attempt.
func (s step) mayMiss(beside map[string]int) bool {
	if s.do != "receive" || !s.hidden {
		return false
	}
	shared := s.attempt != ""
	if !strings.HasSuffix(s.queue, ".fifo") {
		shared = beside["change"] > 0
	}
	return beside["purge"]+beside["remove"] > 0 || shared && (beside["delete"] > 0 || beside["change"] > 0 && redriven(s.queue) > 0)
}

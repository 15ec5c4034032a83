package integration

import (
	"fmt"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

// kept is a server in a process of its own that a test ends and starts again on
// the same data. Queues are called by their bare names there: the port is
// another after every start.
type kept struct {
	data string
	p    *process
	*env
}

// startKept starts a server on an empty folder.
func startKept(t *testing.T, w wire) *kept {
	t.Helper()
	k := &kept{data: t.TempDir()}
	k.p = startBinary(t, serveArgs(k.data)...)
	k.env = newEnv(t, k.p.server(), w)
	return k
}

// again ends the server, by SIGKILL or in an orderly way, and starts it again.
func (k *kept) again(t *testing.T, kill bool) {
	t.Helper()
	if kill {
		k.p.kill()
	} else if err := k.p.stop(); err != nil {
		t.Error(err)
	}
	k.p = startBinary(t, serveArgs(k.data)...)
	k.env = k.p.server().client(t, k.wire, k.account, k.region)
}

// total gives how many messages a queue holds.
func (e *env) total(t *testing.T, url string) int {
	t.Helper()
	n := 0
	for _, v := range e.attributes(t, url, "ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible", "ApproximateNumberOfMessagesDelayed") {
		one, err := strconv.Atoi(v)
		if err != nil {
			t.Fatal(err)
		}
		n += one
	}
	return n
}

var reportsOfDurability = []report{
	{21, "B180", "DeletedDeadLettersStayDeleted", nil, func(t *testing.T, w wire) {
		k := startKept(t, w)
		k.createNamed(t, "dlq", nil)
		k.createNamed(t, "q", attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(k.arn(t, "dlq"), 1)})
		for _, kill := range []bool{false, true} {
			k.send(t, "q", "m")
			k.receiveOne(t, "q")
			k.wantNothing(t, "q")
			k.delete(t, "dlq", k.receiveOne(t, "dlq", hideFor(1)))
			k.again(t, kill)
			for _, name := range []string{"q", "dlq"} {
				k.wantCounts(t, name, counts{"0", "0", "0"})
				k.wantNothing(t, name)
			}
			// Longer than the message was hidden for.
			if got := k.receive(t, "dlq", waitFor(2)); len(got) != 0 {
				t.Errorf("received %q", bodies(got))
			}
		}
		// A move that a kill meets: every message is in exactly one of the two.
		const n = 200
		k.flood(t, "q", "m", n)
		var receives atomic.Int64
		half, ended := make(chan struct{}), make(chan struct{})
		go func(e *env) {
			defer close(ended)
			url := "q"
			for {
				if _, err := e.sqs.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: 7}); err != nil {
					return
				}
				if receives.Add(1) == n/7+10 { // all were received once, some moved
					close(half)
				}
			}
		}(k.env)
		<-half
		k.p.kill()
		<-ended
		k.again(t, true)
		if a, b := k.total(t, "q"), k.total(t, "dlq"); a+b != n {
			t.Errorf("%d and %d messages, want %d in all", a, b, n)
		}
	}},
	{21, "B182", "AttributesAfterARestart", nil, func(t *testing.T, w wire) {
		k := startKept(t, w)
		k.createNamed(t, "dlq", nil)
		k.createNamed(t, "dlq.fifo", attrs{"FifoQueue": "true"})
		common := attrs{
			"VisibilityTimeout": "69", "ReceiveMessageWaitTimeSeconds": "1", "MessageRetentionPeriod": "604800", "MaximumMessageSize": "2048",
			"KmsMasterKeyId": "k", "KmsDataKeyReusePeriodSeconds": "86400", "RedriveAllowPolicy": `{"redrivePermission":"denyAll"}`,
			"Policy": `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"sqs:*","Resource":"*"}]}`,
		}
		fifo := attrs{
			"FifoQueue": "true", "ContentBasedDeduplication": "true", "DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId",
			"RedrivePolicy": redriveTo(k.arn(t, "dlq.fifo"), 5),
		}
		standard := attrs{"RedrivePolicy": redriveTo(k.arn(t, "dlq"), 5)}
		for name, value := range common {
			standard[name], fifo[name] = value, value
		}
		given, tags := map[string]attrs{"q": standard, "q.fifo": fifo}, attrs{"k": "v", "empty": ""}
		before := map[string]attrs{}
		for name, a := range given {
			k.createNamed(t, name, a)
			k.setAttributes(t, name, attrs{"DelaySeconds": "0"})
			k.call(t, "TagQueue", args{"QueueUrl": name, "Tags": tags}).wantOK(t)
			before[name] = k.attributes(t, name, "All")
		}
		for _, kill := range []bool{false, true} {
			k.again(t, kill)
			for name, a := range given {
				if diff := cmp.Diff(before[name], k.attributes(t, name, "All")); diff != "" {
					t.Errorf("%s (-before +after):\n%s", name, diff)
				}
				k.wantTags(t, name, tags)
				k.createNamed(t, name, a)
				start := time.Now()
				if r := k.call(t, "ReceiveMessage", args{"QueueUrl": name}); len(r.messages(t)) != 0 {
					t.Errorf("%s", r.Body)
				}
				k.took(t, start, time.Second)
			}
			k.send(t, "q", "b")
			k.delete(t, "q", k.receiveOne(t, "q"))
			k.send(t, "q.fifo", fmt.Sprint("b", kill), inGroup("g"))
			k.delete(t, "q.fifo", k.receiveOne(t, "q.fifo"))
		}
	}},
	{21, "B183", "MessagesAfterARestart", nil, func(t *testing.T, w wire) {
		for _, kill := range []bool{false, true} {
			k := startKept(t, w)
			k.createNamed(t, "long", attrs{"VisibilityTimeout": "3600"})
			k.createNamed(t, "short", nil)
			k.createNamed(t, "order.fifo", attrs{"FifoQueue": "true", "VisibilityTimeout": "3600"})
			twice := func(name, body string, seconds int32) sqsMessage {
				t.Helper()
				k.send(t, name, body)
				k.changeVisibility(t, name, k.receiveOne(t, name), 0)
				return k.receiveOne(t, name, hideFor(seconds))
			}
			held := twice("long", "held", 3600)
			k.send(t, "long", "visible")
			k.send(t, "long", "delayed", delayed(900))
			k.put(t, "order.fifo", "g-1", "g-2", "g-3", "h-1")
			locked := k.receive(t, "order.fifo", upTo(1))
			first := k.send(t, "order.fifo", "other", inGroup("g"), as("g-1"))
			// A deadline of which the restart is a part, in the time of the wall.
			start := time.Now()
			twice("short", "held", 3)
			k.send(t, "short", "delayed", delayed(3))

			k.again(t, kill)
			seen := map[string]string{}
			for len(seen) < 2 {
				got := k.receive(t, "short", waitFor(20))
				k.took(t, start, 3*time.Second)
				if len(got) == 0 {
					t.Fatalf("only %v came back", seen)
				}
				for _, m := range got {
					seen[*m.Body] = receiveCount(m)
				}
			}
			if diff := cmp.Diff(map[string]string{"held": "3", "delayed": "1"}, seen); diff != "" {
				t.Errorf("receive counts (-want +got):\n%s", diff)
			}
			k.wantCounts(t, "long", counts{"1", "1", "1"})
			wantBodies(t, k.receive(t, "long"), "visible")
			k.delete(t, "long", held)
			k.wantCounts(t, "long", counts{"0", "1", "1"})

			wantBodies(t, locked, "g-1")
			wantBodies(t, k.receive(t, "order.fifo"), "h-1")
			if again := k.send(t, "order.fifo", "another", inGroup("g"), as("g-1")); *again.MessageId != *first.MessageId || *again.MessageId != *locked[0].MessageId {
				t.Errorf("the duplicate is %s, want %s", *again.MessageId, *first.MessageId)
			}
			k.delete(t, "order.fifo", locked[0])
			wantBodies(t, k.receive(t, "order.fifo"), "g-2", "g-3")
			if err := k.p.stop(); err != nil {
				t.Error(err)
			}
		}
	}},
}

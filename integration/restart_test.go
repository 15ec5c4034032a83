package integration

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// serveArgs are the arguments of a server that keeps what it acknowledged.
func serveArgs(data string) []string {
	return []string{"serve", "--sync=full", "--listen", "127.0.0.1:0", "--admin", "127.0.0.1:0", "--data", data}
}

// newSeed gives the seed of a randomised test, and prints it.
func newSeed(t *testing.T) *rand.Rand {
	t.Helper()
	seed := *seedFlag
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-seed=%d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// restartRounds is how often the server is killed under load.
const restartRounds = 3

// Whatever was acknowledged before a kill holds after it: sends are there,
// deletes stay done, handles work and deadlines are kept.
func TestKilledServerKeepsItsPromises(t *testing.T) {
	t.Parallel()
	random := newSeed(t)
	data := t.TempDir()
	p := startBinary(t, serveArgs(data)...)
	e := newEnv(t, p.server(), wireJSON)
	e.createNamed(t, "load", nil)
	held := e.createNamed(t, "held", attrs{"VisibilityTimeout": "3600"})
	for range 2 {
		e.sendBatch(t, held, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
	}
	handles := append(e.receive(t, held), e.receive(t, held)...)
	e.send(t, held, "delayed", delayed(900))

	l := newLedger()
	for round := range restartRounds {
		// The load says when it has done so much: no clock decides.
		killAt := int64(50 + random.IntN(400))
		done := l.run(t, p.server(), e, "load", killAt, random)
		<-l.reached
		p.kill()
		<-done

		p = startBinary(t, serveArgs(data)...)
		e = p.server().client(t, wires[round%2], e.account, e.region)
		held = e.url + "/" + e.account + "/held"
		e.wantNothing(t, held)
		e.wantCounts(t, held, counts{"0", fmt.Sprint(len(handles)), "1"})
		e.delete(t, held, handles[0])
		handles = handles[1:]
		e.wantCounts(t, held, counts{"0", fmt.Sprint(len(handles)), "1"})
		l.check(t, e, e.url+"/"+e.account+"/load")
	}
	t.Logf("%d sends and %d deletes were acknowledged", len(l.sent), len(l.deleted))
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}

// Attributes, tags, counts and deadlines read the same after a restart.
func TestRestartChangesNothing(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startBinary(t, serveArgs(data)...)
	e := newEnv(t, p.server(), wireJSON)
	target := e.attributes(t, e.createNamed(t, "target", nil), "QueueArn")["QueueArn"]
	given := attrs{
		"VisibilityTimeout": "6969", "DelaySeconds": "1", "ReceiveMessageWaitTimeSeconds": "1", "MessageRetentionPeriod": "604800",
		"MaximumMessageSize": "2048", "RedrivePolicy": `{"deadLetterTargetArn":"` + target + `","maxReceiveCount":5}`,
		"Policy": `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"sqs:*","Resource":"*"}]}`, "KmsMasterKeyId": "k",
	}
	url := e.createNamed(t, "all", given)
	e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{"k": "v", "empty": ""}}).wantOK(t)
	e.call(t, "SendMessage", args{
		"QueueUrl": url, "MessageBody": "received twice", "DelaySeconds": 0,
		"MessageAttributes": map[string]args{"a": {"DataType": "Binary.x", "BinaryValue": "AAECAw=="}},
	}).wantOK(t)
	first := e.receiveOne(t, url)
	e.changeVisibility(t, url, first, 0)
	second := e.receiveOne(t, url)
	e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": "visible", "DelaySeconds": 0}).wantOK(t)
	e.send(t, url, "delayed", delayed(900))
	gone := e.createNamed(t, "gone", nil)
	deleted := time.Now()
	e.deleteQueue(t, gone)
	before := e.attributes(t, url, "All")

	for _, end := range []func(){p.kill, func() {
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	}} {
		end()
		p = startBinary(t, serveArgs(data)...)
		e = p.server().client(t, wireQuery, e.account, e.region)
		url = e.url + "/" + e.account + "/all"
		if diff := cmp.Diff(before, e.attributes(t, url, "All")); diff != "" {
			t.Errorf("attributes (-before +after):\n%s", diff)
		}
		e.wantTags(t, url, attrs{"k": "v", "empty": ""})
		e.createNamed(t, "all", given)
		e.call(t, "GetQueueUrl", args{"QueueName": "gone"}).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
		if r := e.call(t, "CreateQueue", args{"QueueName": "gone"}); time.Since(deleted) < time.Minute {
			r.wantCode(t, "AWS.SimpleQueueService.QueueDeletedRecently")
		}
	}
	e.changeVisibility(t, url, second, 0)
	third := e.receive(t, url, upTo(1))
	wantBodies(t, third, "received twice")
	if receiveCount(third[0]) != "3" || third[0].Attributes["SentTimestamp"] != second.Attributes["SentTimestamp"] ||
		third[0].Attributes["ApproximateFirstReceiveTimestamp"] != first.Attributes["ApproximateFirstReceiveTimestamp"] {
		t.Errorf("attributes %v, before %v", third[0].Attributes, second.Attributes)
	}
	if got := string(third[0].MessageAttributes["a"].BinaryValue); got != "\x00\x01\x02\x03" {
		t.Errorf("the message attribute is %q", got)
	}
	e.delete(t, url, third[0])
	wantBodies(t, e.receive(t, url), "visible")
	e.wantCounts(t, url, counts{"0", "1", "1"})
}

// One data folder has one owner, and the second is told so.
func TestSecondServerOnTheSameDataIsRefused(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	p := startBinary(t, serveArgs(data)...)
	e := newEnv(t, p.server(), wireJSON)
	url := e.create(t, nil)
	second, err := start(serveArgs(data)...)
	if err == nil {
		second.kill()
		t.Fatal("a second server started on the same data")
	}
	if !strings.Contains(err.Error(), data) || !strings.Contains(err.Error(), "in use") && !strings.Contains(err.Error(), "another") {
		t.Errorf("the refusal does not say that another server has the folder: %v", err)
	}
	e.send(t, url, "b")
	wantBodies(t, e.receive(t, url), "b")
}

// drain receives and deletes until the queue is empty for longer than any
// timeout in it.
func (e *env) drain(t *testing.T, url string) []types.Message {
	t.Helper()
	var all []types.Message
	for deadline := time.Now().Add(patience); ; {
		if time.Now().After(deadline) {
			t.Fatalf("the queue is not empty after %v, %d messages came", patience, len(all))
		}
		ms := e.receive(t, url, hideFor(600), waitFor(loadTimeout+1))
		if len(ms) == 0 {
			return all
		}
		all = append(all, ms...)
		in := &sqs.DeleteMessageBatchInput{QueueUrl: &url}
		for i, m := range ms {
			id := fmt.Sprint(i)
			in.Entries = append(in.Entries, types.DeleteMessageBatchRequestEntry{Id: &id, ReceiptHandle: m.ReceiptHandle})
		}
		if out, err := e.sqs.DeleteMessageBatch(t.Context(), in); err != nil || len(out.Failed) > 0 {
			t.Fatalf("deleting: %v %v", out, err)
		}
	}
}

package integration

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// ledger is what clients know of a queue whose server may die at any time:
// what was acknowledged, and what was asked for without an answer.
type ledger struct {
	mu sync.Mutex
	// tried are the bodies of all sends, sent those that were acknowledged.
	tried, sent map[string]bool
	// deleting are the bodies of all deletes, deleted those acknowledged.
	deleting, deleted map[string]bool
	next              int
	acknowledged      int64
	target            int64
	// reached is closed when as much was acknowledged as was asked for.
	reached chan struct{}
}

func newLedger() *ledger {
	return &ledger{tried: map[string]bool{}, sent: map[string]bool{}, deleting: map[string]bool{}, deleted: map[string]bool{}}
}

// try notes bodies that are about to be sent.
func (l *ledger) try(n int) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	bodies := make([]string, n)
	for i := range bodies {
		bodies[i] = fmt.Sprint("message ", l.next)
		l.tried[bodies[i]] = true
		l.next++
	}
	return bodies
}

// note puts bodies into one of the sets, and counts them if they were
// acknowledged.
func (l *ledger) note(set map[string]bool, acknowledged bool, bodies ...string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range bodies {
		set[b] = true
	}
	if !acknowledged {
		return
	}
	before := l.acknowledged
	l.acknowledged += int64(len(bodies))
	if before < l.target && l.acknowledged >= l.target {
		close(l.reached)
	}
}

// run puts a queue under load from several producers and consumers until the
// server is gone; the channel is closed when all have noticed. The first answer
// that is no success ends a client.
func (l *ledger) run(t *testing.T, s *server, e *env, queue string, until int64, random *rand.Rand) <-chan struct{} {
	t.Helper()
	l.target, l.acknowledged, l.reached = until, 0, make(chan struct{})
	var work sync.WaitGroup
	for i := range 3 {
		producer := s.client(t, wires[i%2], e.account, e.region)
		consumer := s.client(t, wires[i%2], e.account, e.region)
		seed := random.Uint64()
		url := s.url + "/" + e.account + "/" + queue
		work.Go(func() { l.produce(t.Context(), producer, url, rand.New(rand.NewPCG(seed, 1))) })
		work.Go(func() { l.consume(t.Context(), consumer, url, rand.New(rand.NewPCG(seed, 2))) })
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		work.Wait()
	}()
	return done
}

// produce sends one by one and in batches until it fails.
func (l *ledger) produce(ctx context.Context, e *env, url string, random *rand.Rand) {
	for {
		if random.IntN(2) == 0 {
			b := l.try(1)
			if _, err := e.sqs.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &b[0]}); err != nil {
				return
			}
			l.note(l.sent, true, b...)
			continue
		}
		bodies := l.try(1 + random.IntN(10))
		in := &sqs.SendMessageBatchInput{QueueUrl: &url}
		for i, b := range bodies {
			in.Entries = append(in.Entries, types.SendMessageBatchRequestEntry{Id: aws.String(fmt.Sprint(i)), MessageBody: aws.String(b)})
		}
		out, err := e.sqs.SendMessageBatch(ctx, in)
		if err != nil || len(out.Failed) > 0 {
			return
		}
		l.note(l.sent, true, bodies...)
	}
}

// loadTimeout is the visibility timeout of a queue under load, in seconds.
const loadTimeout = 2

// consume deletes some of what it receives, and lets the rest come back. A
// delete is only sure to have deleted if the timeout cannot have passed: after
// it the message may have another holder, whom a late delete leaves it to.
func (l *ledger) consume(ctx context.Context, e *env, url string, random *rand.Rand) {
	for {
		begin := time.Now()
		out, err := e.sqs.ReceiveMessage(ctx, &sqs.ReceiveMessageInput{QueueUrl: &url, MaxNumberOfMessages: int32(1 + random.IntN(10)), VisibilityTimeout: loadTimeout})
		if err != nil {
			return
		}
		for _, m := range out.Messages {
			if random.IntN(3) == 0 {
				continue
			}
			l.note(l.deleting, false, *m.Body)
			if _, err := e.sqs.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle}); err != nil {
				return
			}
			if time.Since(begin) < loadTimeout*time.Second {
				l.note(l.deleted, true, *m.Body)
			}
		}
	}
}

// check empties the queue and compares what came with what must be there.
func (l *ledger) check(t *testing.T, e *env, url string) {
	t.Helper()
	found := map[string]bool{}
	for _, b := range bodies(e.drain(t, url)) {
		if found[b] {
			t.Errorf("%q is there twice", b)
		}
		found[b] = true
		if !l.tried[b] {
			t.Errorf("%q was never sent", b)
		}
		if l.deleted[b] {
			t.Errorf("%q was deleted and came back", b)
		}
	}
	for b := range l.sent {
		if !found[b] && !l.deleting[b] {
			t.Errorf("%q was acknowledged and is lost", b)
		}
	}
	e.wantCounts(t, url, counts{"0", "0", "0"})
	for b := range found {
		l.deleting[b], l.deleted[b] = true, true
	}
}

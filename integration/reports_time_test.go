package integration

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func TestReportsOfVisibilityAndDelay(t *testing.T) {
	runReports(t, []report{
		{"B114", "HeartbeatsCountFromTheCall", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			m := e.receiveOne(t, u, hideFor(2))
			for range 8 {
				time.Sleep(time.Second)
				e.changeVisibility(t, u, m, 2)
				e.wantNothing(t, u)
			}
			time.Sleep(2 * time.Second)
			e.receiveOne(t, u)
		}},
		{"B115", "ChangeWithAnExpiredHandle", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			m := e.receiveOne(t, u, hideFor(1))
			time.Sleep(2 * time.Second)
			e.changeVisibility(t, u, m, 30)
			e.wantNothing(t, u)
		}},
		{"B117", "TwelveHoursInAll", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			m := e.receiveOne(t, u)
			time.Sleep(2 * time.Second)
			for seconds, code := range map[int]string{43200: "InvalidParameterValue", 43190: "", 43201: "InvalidParameterValue"} {
				r := e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": seconds})
				if r.Code != code {
					t.Errorf("%d: %q %s", seconds, r.Code, r.Message)
				}
			}
		}},
		{"B118", "LateDelete", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			m := e.receiveOne(t, u, hideFor(1))
			time.Sleep(2 * time.Second)
			e.delete(t, u, m)
			e.wantCounts(t, u, counts{"0", "0", "0"})
		}},
		{"B120", "ReleaseThenDelete", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			m := e.receiveOne(t, u)
			e.changeVisibility(t, u, m, 0)
			e.delete(t, u, m)
			e.wantCounts(t, u, counts{"0", "0", "0"})
		}},
		{"B122", "DeleteThreeTimes", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			m := e.receiveOne(t, u)
			for range 3 {
				e.delete(t, u, m)
			}
			e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 1}).
				wantCode(t, "InvalidParameterValue").wantText(t, "Message does not exist or is not available for visibility timeout change.")
		}},
		{"B125", "OnceInAnAnswer", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, want := range []int{1, 3} {
				for i := range want {
					if want > 1 && i == 0 {
						continue
					}
					e.send(t, u, fmt.Sprint(i))
				}
				for range 20 {
					seen := map[string]bool{}
					ms := e.call(t, "ReceiveMessage", args{"QueueUrl": u, "MaxNumberOfMessages": 10, "VisibilityTimeout": 0}).messages(t)
					for _, m := range ms {
						seen[m.MessageId] = true
					}
					if len(ms) != want || len(seen) != want {
						t.Errorf("%d messages, %d different, want %d", len(ms), len(seen), want)
					}
				}
				e.wantCounts(t, u, counts{fmt.Sprint(want), "0", "0"})
			}
		}},
		{"B127", "TimeoutOfTheQueue", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"VisibilityTimeout": "2"})
			e.send(t, u, "b")
			e.receiveOne(t, u)
			time.Sleep(time.Second)
			e.wantNothing(t, u)
			time.Sleep(2 * time.Second)
			if n := len(e.call(t, "ReceiveMessage", args{"QueueUrl": u, "VisibilityTimeout": 0}).messages(t)); n != 1 {
				t.Errorf("%d messages", n)
			}
			e.receiveOne(t, u)
		}},
		{"B128", "WaitOfTheQueue", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"ReceiveMessageWaitTimeSeconds": "3"})
			for _, tt := range []struct {
				in   args
				want time.Duration
			}{{args{"QueueUrl": u}, 3 * time.Second}, {args{"QueueUrl": u, "WaitTimeSeconds": 0}, 0}, {args{"QueueUrl": u, "WaitTimeSeconds": 1}, time.Second}} {
				start := time.Now()
				e.call(t, "ReceiveMessage", tt.in).wantOK(t)
				e.took(t, start, tt.want)
			}
		}},
		{"B132", "ChangedDelay", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"DelaySeconds": "10"})
			e.send(t, u, "b")
			e.setAttributes(t, u, attrs{"DelaySeconds": "0"})
			start := time.Now()
			e.wantNothing(t, u)
			e.receiveOne(t, u, waitFor(20))
			e.took(t, start, 10*time.Second)
		}},
		{"B133", "PollAndDelay", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			start := time.Now()
			e.send(t, u, "b", delayed(2))
			e.receiveOne(t, u, waitFor(10), hideFor(600))
			e.took(t, start, 2*time.Second)
			start = time.Now()
			poll := e.poll(t, u, waitFor(10))
			time.Sleep(time.Millisecond)
			e.send(t, u, "b", delayed(2))
			got := <-poll
			wantBodies(t, got.messages, "b")
			e.took(t, start, 2001*time.Millisecond)
		}},
		{"B134", "PollAndVisibility", func(t *testing.T, e *env) {
			for _, tt := range []struct {
				change int32
				want   time.Duration
			}{{0, time.Second}, {2, 3 * time.Second}, {-1, 3 * time.Second}} {
				u := e.create(t, nil)
				e.send(t, u, "b")
				start := time.Now()
				m := e.receiveOne(t, u, hideFor(3))
				poll := e.poll(t, u, waitFor(10))
				time.Sleep(time.Second)
				if tt.change >= 0 {
					e.changeVisibility(t, u, m, tt.change)
				}
				got := <-poll
				e.took(t, start, tt.want)
				wantBodies(t, got.messages, "b")
			}
		}},
		{"B136", "PollsOfTwentySeconds", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for range 2 {
				start := time.Now()
				var polls []<-chan polled
				for range 5 {
					polls = append(polls, e.poll(t, u, waitFor(20)))
				}
				for _, p := range polls {
					if got := <-p; got.err != nil || len(got.messages) != 0 {
						t.Errorf("%v", got)
					}
				}
				e.took(t, start, 20*time.Second)
			}
		}},
		{"B137", "PollOfADeletedQueue", func(t *testing.T, e *env) {
			u := e.createNamed(t, "q", nil)
			start := time.Now()
			poll := e.poll(t, u, waitFor(15))
			time.Sleep(time.Second)
			e.deleteQueue(t, u)
			<-poll
			e.took(t, start, time.Second)
			time.Sleep(61 * time.Second)
			e.createNamed(t, "q", nil)
			e.send(t, u, "fresh")
			if m := e.receiveOne(t, u); receiveCount(m) != "1" {
				t.Errorf("receive count %s", receiveCount(m))
			}
		}},
		{"B139", "PollsWithABacklog", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.sendBatch(t, u, "1", "2", "3", "4")
			start := time.Now()
			for range 4 {
				e.delete(t, u, e.receiveOne(t, u, waitFor(20), upTo(1)))
			}
			e.took(t, start, 0)
		}},
	})
}

func TestReportsOfCountersAndLoad(t *testing.T) {
	runReports(t, []report{
		{"B176", "ThreeCounters", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.wantCounts(t, u, counts{"0", "0", "0"})
			e.send(t, u, "b", delayed(3))
			e.send(t, u, "b")
			e.receiveOne(t, u)
			e.wantCounts(t, u, counts{"0", "1", "1"})
			time.Sleep(4 * time.Second)
			e.wantCounts(t, u, counts{"1", "1", "0"})
		}},
		{"B178", "PurgeTwice", func(t *testing.T, e *env) {
			u := e.createNamed(t, "q", nil)
			e.purge(t, u)
			r := e.call(t, "PurgeQueue", args{"QueueUrl": u}).wantCode(t, "AWS.SimpleQueueService.PurgeQueueInProgress").
				wantText(t, "Only one PurgeQueue operation on q is allowed every 60 seconds.")
			if r.Status != 403 {
				t.Errorf("status %d", r.Status)
			}
			time.Sleep(61 * time.Second)
			e.purge(t, u)
		}},
		{"B179", "Retention", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"MessageRetentionPeriod": "60"})
			e.send(t, u, "b")
			m := e.receiveOne(t, u, hideFor(120))
			e.send(t, u, "b")
			time.Sleep(61 * time.Second)
			e.wantCounts(t, u, counts{"0", "0", "0"})
			e.wantNothing(t, u)
			time.Sleep(70 * time.Second)
			e.wantNothing(t, u)
			e.delete(t, u, m)
			old := e.create(t, nil)
			e.send(t, old, "b")
			time.Sleep(100 * time.Second)
			e.setAttributes(t, old, attrs{"MessageRetentionPeriod": "60"})
			e.wantNothing(t, old)
		}},
		{"B190", "MixedBatchesLoseNothing", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"VisibilityTimeout": "5"})
			var work sync.WaitGroup
			const producers, each = 4, 10
			for p := range producers {
				work.Go(func() {
					for i := range each {
						var b []string
						for j := range 10 {
							b = append(b, fmt.Sprint(p, "/", i, "/", j))
						}
						e.sendBatch(t, u, b...)
					}
				})
			}
			var mu sync.Mutex
			seen, done := map[string]bool{}, map[string]bool{}
			for c := range 4 {
				work.Go(func() {
					for n := 0; ; n++ {
						ms := e.receive(t, u, waitFor(10))
						if len(ms) == 0 {
							return
						}
						remove, change := list{}, list{}
						for i, m := range ms {
							mu.Lock()
							seen[*m.Body] = true
							mu.Unlock()
							if (i+n+c)%2 == 0 {
								remove = append(remove, args{"Id": fmt.Sprint(i), "ReceiptHandle": *m.ReceiptHandle})
								mu.Lock()
								done[*m.Body] = true
								mu.Unlock()
							} else {
								change = append(change, args{"Id": fmt.Sprint(i), "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": i % 3})
							}
						}
						if len(remove) > 0 {
							e.call(t, "DeleteMessageBatch", args{"QueueUrl": u, "Entries": remove}).wantOK(t)
						}
						if len(change) > 0 {
							e.call(t, "ChangeMessageVisibilityBatch", args{"QueueUrl": u, "Entries": change}).wantOK(t)
						}
					}
				})
			}
			work.Wait()
			if want := producers * each * 10; len(seen) != want || len(done) != want {
				t.Errorf("%d seen and %d deleted of %d", len(seen), len(done), want)
			}
			e.wantCounts(t, u, counts{"0", "0", "0"})
		}},
		{"B191", "NoLockedDatabase", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			var work sync.WaitGroup
			for c := range 32 {
				work.Go(func() {
					for i := range 5 {
						e.send(t, u, fmt.Sprint(c, i))
						for _, m := range e.receive(t, u, upTo(1)) {
							e.delete(t, u, m)
						}
						e.call(t, "TagQueue", args{"QueueUrl": u, "Tags": attrs{fmt.Sprint("k", c): fmt.Sprint(i)}}).wantOK(t)
						e.listed(t, &sqs.ListQueuesInput{})
					}
				})
			}
			work.Wait()
			if n := len(e.tags(t, u)); n != 32 {
				t.Errorf("%d tags", n)
			}
		}},
	})
}

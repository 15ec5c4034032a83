package integration

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"queues/cmd/queues/app"
	"queues/engine"
)

// wrongClock is a machine whose wall clock can be set. That of a suspended one
// leaps ahead too, while every timer stands still.
type wrongClock struct {
	started time.Time
	skew    atomic.Int64
}

func newWrongClock() *wrongClock { return &wrongClock{started: time.Now()} }

// set moves the wall clock by so much.
func (c *wrongClock) set(by time.Duration) { c.skew.Add(int64(by)) }

// clock is the time of messages on such a machine.
func (c *wrongClock) clock() engine.Clock {
	return engine.NewSystemClockOf(func() (time.Time, time.Duration) {
		now := time.Now()
		return now.Add(time.Duration(c.skew.Load())), now.Sub(c.started)
	})
}

const day = 24 * time.Hour

// jumps are what happens to wall clocks.
var jumps = map[string]time.Duration{
	"BackMinutes": -5 * time.Minute, "BackHours": -3 * time.Hour, "BackDays": -10 * day,
	"AheadSeconds": 10 * time.Second, "AheadMinutes": 6 * time.Minute, "AheadHours": 3 * time.Hour, "AheadDays": 3 * day,
}

// Whatever becomes of the wall clock, each message comes once, none before its
// time by a clock that was set back, and none much after it.
func TestClockJumps(t *testing.T) {
	t.Parallel()
	for name, jump := range jumps {
		for _, w := range wires {
			t.Run(name+"/"+w.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					wrong := newWrongClock()
					s, _ := startInProcessWith(t, app.Config{Data: t.TempDir(), Clock: wrong.clock()})
					jumped(t, newEnv(t, s, w), func() { wrong.set(jump) }, jump)
				})
			})
		}
	}
}

// jumped puts messages into every state that ends by the clock, lets it jump
// and looks what becomes of them.
func jumped(t *testing.T, e *env, leap func(), jump time.Duration) {
	t.Helper()
	ahead := max(jump, 0) // how much sooner deadlines come
	jobs := e.create(t, attrs{"VisibilityTimeout": "30"})
	fifo := e.createFIFO(t, attrs{"VisibilityTimeout": "30"})
	e.sendBatch(t, jobs, "held", "free")
	e.send(t, jobs, "later", delayed(900))
	wantBodies(t, e.receive(t, jobs, upTo(1)), "held")
	e.put(t, fifo, "g-1", "g-2", "h-1")
	wantBodies(t, e.receive(t, fifo, upTo(1)), "g-1")
	purged := e.create(t, nil)
	e.call(t, "PurgeQueue", args{"QueueUrl": purged}).wantOK(t)
	letters, target := e.create(t, nil), e.create(t, nil)
	e.create(t, attrs{"RedrivePolicy": redriveTo(e.arn(t, letters), 1)})
	e.sendBatch(t, letters, "1", "2", "3", "4", "5")
	from, to := e.arn(t, letters), e.arn(t, target)
	e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &from, DestinationArn: &to, MaxNumberOfMessagesPerSecond: aws.Int32(1)})
	idle := e.create(t, nil)
	waited := make(chan []sqsMessage, 1)
	go func() { waited <- e.receive(t, idle, waitFor(20)) }()
	time.Sleep(2500 * time.Millisecond)
	moved := count(t, e, target)

	leap()
	if now := count(t, e, target); now > moved+2 {
		t.Errorf("the clock moved %d messages, of %d in as many seconds", now-moved, moved)
	}
	e.send(t, idle, "wake")
	select {
	case ms := <-waited:
		wantBodies(t, ms, "wake")
	case <-time.After(100 * time.Millisecond):
		t.Error("a waiting receive did not wake for a send")
	}
	// What is remembered is so for as long as it should be.
	again := e.send(t, fifo, "g-1", inGroup("g"), as("g-1"))
	stored := ahead > 5*time.Minute
	if r := e.call(t, "PurgeQueue", args{"QueueUrl": purged}); (r.Code == "") != (ahead >= time.Minute) {
		t.Errorf("a second purge: %d %s", r.Status, r.Code)
	}

	var got []string
	take := func(url string) {
		for {
			ms := e.receive(t, url, hideFor(3600))
			if len(ms) == 0 {
				return
			}
			for _, m := range ms {
				got = append(got, *m.Body)
				e.delete(t, url, m)
			}
		}
	}
	wants := func(when string, want ...string) {
		t.Helper()
		take(jobs)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: received %q, want %q", when, got, want)
		}
	}
	want := []string{"free"}
	if ahead >= 30*time.Second {
		want = append(want, "held")
	}
	if ahead >= 900*time.Second {
		want = append(want, "later")
	}
	wants("at once", want...)
	if ahead < 30*time.Second {
		time.Sleep(27*time.Second - ahead)
		wants("before the timeout", want...)
		time.Sleep(time.Second)
		want = append(want, "held")
		wants("after the timeout", want...)
	}
	if ahead < 900*time.Second {
		time.Sleep(900*time.Second - ahead)
		want = append(want, "later")
		wants("after the delay", want...)
	}
	e.wantCounts(t, jobs, counts{"0", "0", "0"})

	got = nil
	take(fifo)
	order := "h-1 g-1 g-2" // group g was served last
	if stored {
		order += " g-1"
	}
	if strings.Join(got, " ") != order {
		t.Errorf("the FIFO queue gave %q, want %q (the duplicate is %s)", got, order, *again.MessageId)
	}
	time.Sleep(10 * time.Second)
	got = nil
	take(target)
	slices.Sort(got)
	if fmt.Sprint(got) != "[1 2 3 4 5]" {
		t.Errorf("%q moved, want each of five once", got)
	}
	e.wantCounts(t, letters, counts{"0", "0", "0"})
}

// count gives how many messages of a queue are visible.
func count(t *testing.T, e *env, url string) int {
	t.Helper()
	n := 0
	if _, err := fmt.Sscan(e.attributes(t, url, "ApproximateNumberOfMessages")["ApproximateNumberOfMessages"], &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A clock that is a month ahead for some minutes deletes nothing, whether the
// server runs meanwhile or starts with it; one that stays ahead is believed.
func TestWrongClockDeletesNothing(t *testing.T) {
	t.Parallel()
	bubble := func(t *testing.T, body func(t *testing.T, e *env, wrong *wrongClock, restart func() *env)) {
		t.Helper()
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			wrong, data := newWrongClock(), t.TempDir()
			s, stop := startInProcessWith(t, app.Config{Data: data, Clock: wrong.clock()})
			e := newEnv(t, s, wireJSON)
			body(t, e, wrong, func() *env {
				e.http.CloseIdleConnections()
				stop()
				s, stop = startInProcessWith(t, app.Config{Data: data, Clock: wrong.clock()})
				e = s.client(t, wireQuery, e.account, e.region)
				return e
			})
		})
	}
	t.Run("SetRight", func(t *testing.T) {
		bubble(t, func(t *testing.T, e *env, wrong *wrongClock, _ func() *env) {
			url := e.create(t, nil)
			e.send(t, url, "a")
			wrong.set(30 * day)
			time.Sleep(5 * time.Minute)
			wrong.set(-30 * day)
			e.send(t, url, "b")
			time.Sleep(3 * time.Hour)
			wantBodies(t, e.receive(t, url, hideFor(30)), "a", "b")
			time.Sleep(31 * time.Second)
			wantBodies(t, e.receive(t, url), "a", "b")
		})
	})
	t.Run("SetRightOverRestarts", func(t *testing.T) {
		bubble(t, func(t *testing.T, e *env, wrong *wrongClock, restart func() *env) {
			url := e.create(t, nil)
			e.send(t, url, "a")
			wrong.set(30 * day)
			e = restart()
			e.send(t, url, "b", delayed(60))
			wantBodies(t, e.receive(t, url, hideFor(60)), "a")
			wrong.set(-30 * day)
			e = restart()
			e.wantNothing(t, url)
			time.Sleep(59 * time.Second)
			e.wantNothing(t, url)
			time.Sleep(2 * time.Second)
			wantBodies(t, e.receive(t, url, hideFor(60)), "a", "b")
			time.Sleep(3 * time.Hour)
			wantBodies(t, e.receive(t, url), "a", "b")
		})
	})
	t.Run("StaysAhead", func(t *testing.T) {
		bubble(t, func(t *testing.T, e *env, wrong *wrongClock, _ func() *env) {
			url := e.create(t, nil)
			e.send(t, url, "a")
			wrong.set(30 * day)
			e.wantCounts(t, url, counts{"1", "0", "0"})
			time.Sleep(9 * time.Minute)
			e.wantCounts(t, url, counts{"1", "0", "0"})
			time.Sleep(70 * time.Second)
			e.wantCounts(t, url, counts{"0", "0", "0"})
			e.wantNothing(t, url)
		})
	})
}

package integration

import (
	"bufio"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

var reportsOfPolling = []report{
	{15, "B133", "PollAndDelay", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		start := time.Now()
		e.send(t, u, "b", delayed(2))
		e.receiveOne(t, u, waitFor(10), hideFor(600))
		e.took(t, start, 2*time.Second)
		for url, opts := range map[string][]func(*sqs.SendMessageInput){u: {delayed(2)}, e.create(t, attrs{"DelaySeconds": "2"}): nil} {
			start := time.Now()
			poll := e.poll(t, url, waitFor(10))
			time.Sleep(time.Second)
			e.send(t, url, "b", opts...)
			got := <-poll
			wantBodies(t, got.messages, "b")
			e.took(t, start, 3*time.Second)
		}
	}, nil},
	{15, "B134", "PollAndVisibility", func(t *testing.T, e *env) {
		for name, tt := range map[string]struct {
			change func(u string, m sqsMessage)
			want   time.Duration
		}{
			"Zero":    {func(u string, m sqsMessage) { e.changeVisibility(t, u, m, 0) }, time.Second},
			"Two":     {func(u string, m sqsMessage) { e.changeVisibility(t, u, m, 2) }, 3 * time.Second},
			"Nothing": {func(string, sqsMessage) {}, 3 * time.Second},
			"Batch":   {func(u string, m sqsMessage) { e.release(t, u, m) }, time.Second},
		} {
			u := e.create(t, nil)
			e.send(t, u, name)
			start := time.Now()
			m := e.receiveOne(t, u, hideFor(3))
			poll := e.poll(t, u, waitFor(10))
			time.Sleep(time.Second)
			tt.change(u, m)
			got := <-poll
			e.took(t, start, tt.want)
			wantBodies(t, got.messages, name)
		}
	}, nil},
	{15, "B136", "PollsOfTwentySeconds", func(t *testing.T, e *env) {
		u := e.createNamed(t, "q", nil)
		start := time.Now()
		var polls []<-chan polled
		for range 5 {
			polls = append(polls, e.poll(t, u, waitFor(20)))
		}
		c := e.connect(t)
		r := bufio.NewReader(c)
		for round := range 2 {
			form := "Action=ReceiveMessage&QueueUrl=q&WaitTimeSeconds=20"
			if _, err := io.WriteString(c, e.lines("q", form, "POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-www-form-urlencoded", scope)); err != nil {
				t.Fatal(err)
			}
			if n := len(readReply(t, readRaw(t, r)).messages(t)); n != 0 {
				t.Errorf("%d messages", n)
			}
			e.took(t, start, time.Duration(round+1)*20*time.Second)
		}
		for _, p := range polls {
			if got := <-p; got.err != nil || len(got.messages) != 0 {
				t.Errorf("%v", got)
			}
		}
	}, nil},
	{15, "B137", "PollOfADeletedQueue", func(t *testing.T, e *env) {
		u := e.createNamed(t, "q", nil)
		start := time.Now()
		poll := e.poll(t, u, waitFor(15))
		time.Sleep(time.Second)
		e.deleteQueue(t, u)
		got := <-poll
		e.took(t, start, time.Second)
		if len(got.messages) != 0 {
			t.Errorf("received %q", bodies(got.messages))
		}
		if got.err != nil {
			e.wantError(t, got.err, noQueue, 400)
		}
		time.Sleep(61 * time.Second)
		e.createNamed(t, "q", attrs{"RedrivePolicy": redriveTo(e.arn(t, e.create(t, nil)), 1)})
		e.send(t, u, "fresh")
		m := e.receiveOne(t, u)
		if *m.Body != "fresh" || receiveCount(m) != "1" {
			t.Errorf("%s with receive count %s", *m.Body, receiveCount(m))
		}
	}, nil},
	{15, "B139", "PollsWithABacklog", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.sendBatch(t, u, "1", "2", "3", "4")
		start := time.Now()
		for i := range 4 {
			m := e.receiveOne(t, u, waitFor(20), upTo(1))
			e.wantCounts(t, u, counts{fmt.Sprint(3 - i), "1", "0"})
			e.delete(t, u, m)
		}
		e.took(t, start, 0)
	}, nil},
}

package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

var reportsOfMoveTasks = []report{
	{19, "B171", "SeveralOrigins", func(t *testing.T, e *env) {
		for _, straight := range []bool{false, true} {
			dlq := e.create(t, nil)
			a, b := e.deadLettered(t, dlq, "a1", "a2"), e.deadLettered(t, dlq, "b1", "b2")
			status, reason := "COMPLETED", ""
			if straight {
				e.send(t, dlq, "straight")
				status, reason = "FAILED", "CouldNotDetermineMessageSource"
			}
			source := e.arn(t, dlq)
			e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
			task := e.ended(t, source)
			if task.ApproximateNumberOfMessagesMoved != 4 || *task.Status != status || aws.ToString(task.FailureReason) != reason {
				t.Errorf("the task is %+v, %s for %q", task, *task.Status, aws.ToString(task.FailureReason))
			}
			wantBodies(t, e.receive(t, a), "a1", "a2")
			wantBodies(t, e.receive(t, b), "b1", "b2")
			if straight {
				wantBodies(t, e.receive(t, dlq), "straight")
			}
		}
	}, nil},
	{19, "B173", "ListedTasks", func(t *testing.T, e *env) {
		dlq, to := e.create(t, nil), e.create(t, nil)
		e.deadLettered(t, dlq, "1", "2", "3")
		source, target := e.arn(t, dlq), e.arn(t, to)
		began := time.Now().UnixMilli()
		handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source, DestinationArn: &target, MaxNumberOfMessagesPerSecond: aws.Int32(1)})
		running := e.moveTasks(t, source)[0]
		if *running.Status != "RUNNING" || aws.ToString(running.TaskHandle) != handle || *running.SourceArn != source || *running.DestinationArn != target ||
			*running.MaxNumberOfMessagesPerSecond != 1 || running.StartedTimestamp != began || running.FailureReason != nil {
			t.Errorf("the task is %+v", running)
		}
		if task := e.ended(t, source); *task.Status != "COMPLETED" || task.TaskHandle != nil || *task.DestinationArn != target ||
			task.ApproximateNumberOfMessagesMoved != 3 || aws.ToInt64(task.ApproximateNumberOfMessagesToMove) != 3 {
			t.Errorf("the task is %+v", task)
		}
		for range 12 {
			time.Sleep(time.Second)
			e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
			if task := e.ended(t, source); task.DestinationArn != nil || task.MaxNumberOfMessagesPerSecond != nil || task.TaskHandle != nil || *task.Status != "COMPLETED" {
				t.Errorf("the task is %+v", task)
			}
		}
		tasks := e.moveTasks(t, source)
		for i := range tasks[1:] {
			if tasks[i].StartedTimestamp <= tasks[i+1].StartedTimestamp {
				t.Errorf("task %d started at %d, the next at %d", i, tasks[i].StartedTimestamp, tasks[i+1].StartedTimestamp)
			}
		}
		if len(tasks) != 10 {
			t.Errorf("%d tasks", len(tasks))
		}
		if r := e.call(t, "ListMessageMoveTasks", args{"SourceArn": source}).wantOK(t); strings.Count(r.Body, "COMPLETED") != 1 {
			t.Errorf("without MaxResults: %s", r.Body)
		}
		e.call(t, "ListMessageMoveTasks", args{"SourceArn": source, "MaxResults": 11}).wantStatus(t, 400).wantCode(t, "InvalidParameterValue")
		none := e.call(t, "ListMessageMoveTasks", args{"SourceArn": e.arn(t, e.create(t, nil))}).wantOK(t)
		if e.wire.query && !strings.Contains(none.Body, "<ListMessageMoveTasksResult/>") || !e.wire.query && none.Body != "{}" {
			t.Errorf("a queue without tasks: %s", none.Body)
		}
		e.call(t, "ListMessageMoveTasks", args{"SourceArn": source + "-none"}).wantStatus(t, 404).wantCode(t, "ResourceNotFoundException").
			wantShape(t, sqsShape+"ResourceNotFoundException")
	}, nil},
	{19, "B174", "ArrivalsDuringAMove", func(t *testing.T, e *env) {
		const n, more = 1000, 200
		dlq := e.create(t, nil)
		u := e.withDeadLetters(t, dlq, 1)
		e.flood(t, u, "old", n)
		for range n / 10 * 2 {
			e.receive(t, u)
		}
		e.wantCounts(t, dlq, counts{fmt.Sprint(n), "0", "0"})
		source := e.arn(t, dlq)
		handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source, MaxNumberOfMessagesPerSecond: aws.Int32(200)})
		time.Sleep(time.Second)
		e.flood(t, dlq, "new", more)
		where := map[string]int{}
		for range 5 {
			for _, m := range e.receive(t, dlq) {
				e.delete(t, dlq, m)
				where[*m.Body]++
			}
		}
		deleted := len(where)
		time.Sleep(time.Second)
		out, err := e.sqs.CancelMessageMoveTask(t.Context(), &sqs.CancelMessageMoveTaskInput{TaskHandle: &handle})
		if err != nil || out.ApproximateNumberOfMessagesMoved == 0 {
			t.Fatalf("cancelled after %+v, %v", out, err)
		}
		task := e.ended(t, source)
		moved := int(task.ApproximateNumberOfMessagesMoved)
		if *task.Status != "CANCELLED" || task.TaskHandle != nil || moved == n || task.ApproximateNumberOfMessagesMoved < out.ApproximateNumberOfMessagesMoved {
			t.Errorf("the task is %+v, was cancelled after %d", task, out.ApproximateNumberOfMessagesMoved)
		}
		time.Sleep(5 * time.Second) // and nothing moves any more
		e.wantCounts(t, u, counts{fmt.Sprint(moved), "0", "0"})
		e.wantCounts(t, dlq, counts{fmt.Sprint(n + more - moved - deleted), "0", "0"})
		for _, url := range []string{u, dlq} {
			for {
				ms := e.receive(t, url, hideFor(600))
				for _, m := range ms {
					where[*m.Body]++
				}
				if len(ms) == 0 {
					break
				}
			}
		}
		for body, times := range where {
			if times != 1 {
				t.Errorf("%s came %d times", body, times)
			}
		}
		if len(where) != n+more {
			t.Errorf("%d different messages, want %d", len(where), n+more)
		}
	}, nil},
}

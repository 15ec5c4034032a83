package integration

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// deadLettered makes a source of a dead-letter queue and brings messages from
// it into that.
func (e *env) deadLettered(t *testing.T, dlq string, list ...string) string {
	t.Helper()
	url := e.withDeadLetters(t, dlq, 1)
	for _, body := range list {
		e.send(t, url, body)
	}
	for range 2 {
		e.receive(t, url)
	}
	e.wantCounts(t, url, counts{"0", "0", "0"})
	return url
}

// startMove starts a task and gives its handle.
func (e *env) startMove(t *testing.T, in *sqs.StartMessageMoveTaskInput) string {
	t.Helper()
	out, err := e.sqs.StartMessageMoveTask(t.Context(), in)
	if err != nil {
		t.Fatalf("StartMessageMoveTask: %v", err)
	}
	return *out.TaskHandle
}

// moveTasks lists the newest tasks of a source.
func (e *env) moveTasks(t *testing.T, source string) []types.ListMessageMoveTasksResultEntry {
	t.Helper()
	out, err := e.sqs.ListMessageMoveTasks(t.Context(), &sqs.ListMessageMoveTasksInput{SourceArn: &source, MaxResults: aws.Int32(10)})
	if err != nil {
		t.Fatalf("ListMessageMoveTasks: %v", err)
	}
	return out.Results
}

// ended waits until the newest task of a source is over.
func (e *env) ended(t *testing.T, source string) types.ListMessageMoveTasksResultEntry {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		task := e.moveTasks(t, source)[0]
		if status := *task.Status; status != "RUNNING" && status != "CANCELLING" {
			return task
		}
		if time.Now().After(deadline) {
			t.Fatalf("the task is still %s", *task.Status)
		}
		if e.bubble {
			time.Sleep(100 * time.Millisecond)
		}
	}
}

// Each message goes back to where it came from, as a new message.
func TestMoveTaskBackToTheSources(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		dlq := e.create(t, nil)
		a, b := e.deadLettered(t, dlq, "a1", "a2"), e.deadLettered(t, dlq, "b1", "b2")
		source := e.arn(t, dlq)
		if tasks := e.moveTasks(t, source); len(tasks) != 0 {
			t.Errorf("tasks before any: %v", tasks)
		}
		handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
		var parts map[string]string
		if raw, err := base64.StdEncoding.DecodeString(handle); err != nil || json.Unmarshal(raw, &parts) != nil || len(parts) != 2 || parts["sourceArn"] != source {
			t.Errorf("the handle holds %q", raw)
		}
		task := e.ended(t, source)
		if *task.Status != "COMPLETED" || task.ApproximateNumberOfMessagesMoved != 4 || aws.ToInt64(task.ApproximateNumberOfMessagesToMove) != 4 ||
			task.TaskHandle != nil || task.DestinationArn != nil || task.MaxNumberOfMessagesPerSecond != nil || task.FailureReason != nil || *task.SourceArn != source {
			t.Errorf("the task is %+v", task)
		}
		e.wantCounts(t, dlq, counts{"0", "0", "0"})
		for url, want := range map[string]string{a: "a1 a2", b: "b1 b2"} {
			got := e.receive(t, url)
			wantList(t, bodies(got), want)
			for _, m := range got {
				if _, ok := m.Attributes["DeadLetterQueueSourceArn"]; ok || receiveCount(m) != "1" {
					t.Errorf("%s came back with %v", *m.Body, m.Attributes)
				}
			}
		}
	})
}

// The errors of move tasks, as the SDK knows them.
func TestMoveTaskErrors(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		source := e.arn(t, e.create(t, nil))
		_, err := e.sqs.ListMessageMoveTasks(t.Context(), &sqs.ListMessageMoveTasksInput{SourceArn: aws.String(source + "-none")})
		if _, ok := errors.AsType[*types.ResourceNotFoundException](err); !ok {
			t.Errorf("an unknown source: %v", err)
		}
		if r := e.call(t, "StartMessageMoveTask", args{"SourceArn": source + "-none"}); r.Status != 404 || r.Code != "ResourceNotFoundException" {
			t.Errorf("an unknown source: %d %s", r.Status, r.Code)
		}
		e.call(t, "StartMessageMoveTask", args{"SourceArn": source}).wantCode(t, "InvalidParameterValue").wantText(t, "Source queue must be configured as a Dead Letter Queue.")
		e.call(t, "CancelMessageMoveTask", args{"TaskHandle": "foobared"}).wantCode(t, "InvalidParameterValue").wantText(t, "Value for parameter TaskHandle is invalid.")
		for text, arn := range map[string]string{"Task does not exist.": source, "SourceArn": source + "-none"} {
			handle := base64.StdEncoding.EncodeToString([]byte(`{"taskId":"10f57157-fb1b-4ac1-8b09-6d8e43fa5a7e","sourceArn":"` + arn + `"}`))
			if r := e.call(t, "CancelMessageMoveTask", args{"TaskHandle": handle}).wantText(t, text); r.Status != 404 || r.Code != "ResourceNotFoundException" {
				t.Errorf("%s: %d %s", text, r.Status, r.Code)
			}
		}
	})
}

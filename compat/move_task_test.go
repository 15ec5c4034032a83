package compat_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/engine/storetest"
	"queues/protocol"
)

const (
	noSource    = "The resource that you specified for the SourceArn parameter doesn't exist."
	noTarget    = "The resource that you specified for the DestinationArn parameter doesn't exist."
	noResource  = "ResourceNotFoundException"
	noTask      = "Task does not exist."
	textFormat  = "You must use this format to specify the %s: arn:<partition>:<service>:<region>:<account-id>:<resource-id>"
	unknownTask = "10f57157-fb1b-4ac1-8b09-6d8e43fa5a7e"
)

// handleOf is the handle of a task as anybody can make it.
func handleOf(task, source string) string {
	return base64.StdEncoding.EncodeToString([]byte(`{"taskId":"` + task + `","sourceArn":"` + source + `"}`))
}

// tasks lists a source's tasks, at most n.
func (e *env) tasks(source string, n int32) []protocol.ListMessageMoveTasksResultEntry {
	e.t.Helper()
	in := &protocol.ListMessageMoveTasksInput{SourceARN: &source, MaxResults: &n}
	return do[*protocol.ListMessageMoveTasksOutput](e, protocol.ListMessageMoveTasks, in).Results
}

// startMove starts a task and gives its handle.
func (e *env) startMove(in *protocol.StartMessageMoveTaskInput) *string {
	e.t.Helper()
	return do[*protocol.StartMessageMoveTaskOutput](e, protocol.StartMessageMoveTask, in).TaskHandle
}

// move does what the background does for tasks, as far as it can now.
func (e *env) move() {
	e.t.Helper()
	for {
		res, err := e.store.Move(e.t.Context())
		if err != nil {
			e.t.Fatal(err)
		}
		if !res.More {
			return
		}
	}
}

// deadLetters makes a dead-letter queue named dlq of two sources, q and p, and
// brings messages of both into it.
func deadLetters(e *env, messages int) (dlq, q, p *string) {
	dlq = e.create("dlq")
	policy := redrive(arnOf("dlq"), "1")
	q, p = e.create("q", "VisibilityTimeout", "0", "RedrivePolicy", policy), e.create("p", "VisibilityTimeout", "0", "RedrivePolicy", policy)
	for _, url := range []*string{q, p} {
		for i := range messages {
			e.send(url, fmt.Sprint((*url)[len(*url)-1:], i))
		}
		e.receive(url)
		e.receive(url)
	}
	return dlq, q, p
}

func TestStartMessageMoveTaskFaults(t *testing.T) {
	t.Parallel()
	type in = protocol.StartMessageMoveTaskInput
	const rate = "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and 500."
	dlq := new(arnOf("dlq"))
	tests := map[string]struct {
		in         in
		code, text string
	}{
		"NoSource":      {in{}, missingMember, "The request must contain the parameter SourceArn."},
		"EmptySource":   {in{SourceARN: new("")}, missingMember, "The request must contain the parameter SourceArn."},
		"SourceURL":     {in{SourceARN: new("http://localhost:9324/000000000000/dlq")}, badValue, fmt.Sprintf(textFormat, "SourceArn")},
		"SourceName":    {in{SourceARN: new("dlq")}, badValue, fmt.Sprintf(textFormat, "SourceArn")},
		"UnknownSource": {in{SourceARN: new(arnOf("none"))}, noResource, noSource},
		"OtherService":  {in{SourceARN: new("arn:aws:sns:us-east-1:000000000000:dlq")}, noResource, noSource},
		"OtherRegion":   {in{SourceARN: new("arn:aws:sqs:eu-west-1:000000000000:dlq")}, noResource, noSource},
		"OtherAccount":  {in{SourceARN: new("arn:aws:sqs:us-east-1:111111111111:dlq")}, noResource, noSource},
		"NobodysTarget": {in{SourceARN: new(arnOf("plain"))}, badValue, "Source queue must be configured as a Dead Letter Queue."},
		"TargetName":    {in{SourceARN: dlq, DestinationARN: new("plain")}, badValue, fmt.Sprintf(textFormat, "DestinationArn")},
		"EmptyTarget":   {in{SourceARN: dlq, DestinationARN: new("")}, badValue, fmt.Sprintf(textFormat, "DestinationArn")},
		"SameQueue":     {in{SourceARN: dlq, DestinationARN: dlq}, badValue, "Source queue arn and destination queue arn cannot be the same."},
		"UnknownTarget": {in{SourceARN: dlq, DestinationARN: new(arnOf("none"))}, noResource, noTarget},
		"OtherKind":     {in{SourceARN: dlq, DestinationARN: new(arnOf("f.fifo"))}, badValue, "The source queue and destination queue must be of the same queue type."},
		"RateZero":      {in{SourceARN: dlq, MaxNumberOfMessagesPerSecond: new(int32(0))}, badValue, rate},
		"RateNegative":  {in{SourceARN: dlq, MaxNumberOfMessagesPerSecond: new(int32(-1))}, badValue, rate},
		"RateTooHigh":   {in{SourceARN: dlq, MaxNumberOfMessagesPerSecond: new(int32(501))}, badValue, rate},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newStoredEnv(t, compat.Options{})
			url, _, _ := deadLetters(e, 1)
			e.create("plain")
			e.createFIFO("f")
			e.refused(protocol.StartMessageMoveTask, &test.in, test.code, test.text)
			e.move()
			e.wantCounts(url, "2 0 0")
			if got := e.tasks(*dlq, 10); len(got) != 0 {
				t.Errorf("there are tasks: %+v", got)
			}
		})
	}
}

// Each message goes back to where it came from, as a new one.
func TestMoveTaskHome(t *testing.T) {
	t.Parallel()
	e := newStoredEnv(t, compat.Options{})
	dlq, q, p := deadLetters(e, 2)
	source := arnOf("dlq")
	e.clock.Advance(time.Hour)
	handle := e.startMove(&protocol.StartMessageMoveTaskInput{SourceARN: &source})
	var content map[string]string
	raw, err := base64.StdEncoding.DecodeString(*handle)
	if err != nil || json.Unmarshal(raw, &content) != nil || len(content) != 2 || len(content["taskId"]) != 36 || content["sourceArn"] != source {
		t.Fatalf("the handle holds %q", raw)
	}
	started := storetest.Epoch.Add(time.Hour).UnixMilli()
	want := []protocol.ListMessageMoveTasksResultEntry{{
		TaskHandle: handle, Status: new("RUNNING"), SourceARN: &source, StartedTimestamp: &started,
		ApproximateNumberOfMessagesMoved: new(int64(0)), ApproximateNumberOfMessagesToMove: new(int64(4)),
	}}
	if diff := cmp.Diff(want, e.tasks(source, 10)); diff != "" {
		t.Errorf("the task running (-want +got):\n%s", diff)
	}
	e.refused(protocol.StartMessageMoveTask, &protocol.StartMessageMoveTaskInput{SourceARN: &source}, badValue, "There is already a task running. Only one active task is allowed for a source queue arn at a given time.")

	e.move()
	want[0].TaskHandle, want[0].Status, want[0].ApproximateNumberOfMessagesMoved = nil, new("COMPLETED"), new(int64(4))
	if diff := cmp.Diff(want, e.tasks(source, 10)); diff != "" {
		t.Errorf("the task done (-want +got):\n%s", diff)
	}
	e.refused(protocol.CancelMessageMoveTask, &protocol.CancelMessageMoveTaskInput{TaskHandle: handle}, badValue, "Only active tasks can be cancelled.")
	e.wantCounts(dlq, "0 0 0")
	e.wantCounts(q, "2 0 0")
	e.wantCounts(p, "2 0 0")
	got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: q, AttributeNames: []string{"ApproximateReceiveCount", "DeadLetterQueueSourceArn", "SentTimestamp"}})
	if diff := cmp.Diff(pairs("ApproximateReceiveCount", "1", "SentTimestamp", fmt.Sprint(started)), got[0].Attributes); diff != "" || *got[0].Body != "q0" {
		t.Errorf("%q, attributes (-want +got):\n%s", *got[0].Body, diff)
	}
}

// A task with a target and a rate shows both for as long as it is listed, and
// one that is cancelled leaves the rest where it is.
func TestMoveTaskCancelled(t *testing.T) {
	t.Parallel()
	e := newStoredEnv(t, compat.Options{})
	dlq, _, _ := deadLetters(e, 3)
	target := e.create("target")
	source, to := arnOf("dlq"), arnOf("target")
	handle := e.startMove(&protocol.StartMessageMoveTaskInput{SourceARN: &source, DestinationARN: &to, MaxNumberOfMessagesPerSecond: new(int32(1))})
	e.move()
	running := e.tasks(source, 1)[0]
	moved := *running.ApproximateNumberOfMessagesMoved
	if moved == 6 || *running.Status != "RUNNING" {
		t.Fatalf("at a message a second %d moved at once, and the task is %s", moved, *running.Status)
	}
	// The handle is made of its two parts, by whoever makes it.
	raw, _ := base64.StdEncoding.DecodeString(*handle)
	var parts map[string]string
	if err := json.Unmarshal(raw, &parts); err != nil {
		t.Fatal(err)
	}
	own := handleOf(parts["taskId"], source)
	out := do[*protocol.CancelMessageMoveTaskOutput](e, protocol.CancelMessageMoveTask, &protocol.CancelMessageMoveTaskInput{TaskHandle: &own})
	if *out.ApproximateNumberOfMessagesMoved != moved {
		t.Errorf("cancelled after %d, want %d", *out.ApproximateNumberOfMessagesMoved, moved)
	}
	e.move()
	want := []protocol.ListMessageMoveTasksResultEntry{{
		Status: new("CANCELLED"), SourceARN: &source, DestinationARN: &to, MaxNumberOfMessagesPerSecond: new(int32(1)),
		ApproximateNumberOfMessagesMoved: running.ApproximateNumberOfMessagesMoved, ApproximateNumberOfMessagesToMove: new(int64(6)), StartedTimestamp: running.StartedTimestamp,
	}}
	if diff := cmp.Diff(want, e.tasks(source, 10)); diff != "" {
		t.Errorf("the task cancelled (-want +got):\n%s", diff)
	}
	e.wantCounts(target, fmt.Sprintf("%d 0 0", moved))
	e.wantCounts(dlq, fmt.Sprintf("%d 0 0", 6-moved))
}

func TestMoveTaskFails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		target *string
		before func(e *env, dlq *string)
		reason string
		moved  int64
		left   string
	}{
		"TargetGone": {new(arnOf("target")), func(e *env, _ *string) {
			e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: new("target")})
		}, "AWS.SimpleQueueService.NonExistentQueue", 0, "2 0 0"},
		"OriginGone": {nil, func(e *env, _ *string) {
			e.run(protocol.DeleteQueue, &protocol.DeleteQueueInput{QueueURL: new("p")})
		}, "AWS.SimpleQueueService.NonExistentQueue", 1, "1 0 0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newStoredEnv(t, compat.Options{})
			dlq, _, _ := deadLetters(e, 1)
			e.create("target")
			source := arnOf("dlq")
			e.startMove(&protocol.StartMessageMoveTaskInput{SourceARN: &source, DestinationARN: test.target})
			test.before(e, dlq)
			e.move()
			task := e.tasks(source, 1)[0]
			want := protocol.ListMessageMoveTasksResultEntry{
				Status: new("FAILED"), FailureReason: &test.reason, SourceARN: &source, DestinationARN: test.target,
				ApproximateNumberOfMessagesMoved: &test.moved, ApproximateNumberOfMessagesToMove: new(int64(2)), StartedTimestamp: task.StartedTimestamp,
			}
			if diff := cmp.Diff(want, task); diff != "" {
				t.Errorf("the task (-want +got):\n%s", diff)
			}
			e.wantCounts(dlq, test.left)
		})
	}
	// A message that was sent to the dead-letter queue came from no queue.
	e := newStoredEnv(t, compat.Options{})
	dlq, _, _ := deadLetters(e, 0)
	e.send(dlq, "straight")
	source := arnOf("dlq")
	e.startMove(&protocol.StartMessageMoveTaskInput{SourceARN: &source})
	e.move()
	if task := e.tasks(source, 1)[0]; *task.Status != "FAILED" || task.FailureReason == nil || *task.FailureReason != "CouldNotDetermineMessageSource" {
		t.Errorf("the task is %+v", task)
	}
	e.wantCounts(dlq, "1 0 0")
}

func TestCancelMessageMoveTaskFaults(t *testing.T) {
	t.Parallel()
	const invalid = "Value for parameter TaskHandle is invalid."
	encoded := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	e := newStoredEnv(t, compat.Options{})
	deadLetters(e, 0)
	e.create("plain")
	for name, test := range map[string]struct{ handle, code, text string }{
		"NotBase64":    {"foobared!", badValue, invalid},
		"NotJSON":      {"foobared", badValue, invalid},
		"Array":        {encoded(`["a","b"]`), badValue, invalid},
		"Null":         {encoded(`null`), badValue, invalid},
		"NoTask":       {encoded(`{"sourceArn":"` + ownARN + `"}`), badValue, invalid},
		"NoSource":     {encoded(`{"taskId":"` + unknownTask + `"}`), badValue, invalid},
		"NumberTask":   {encoded(`{"taskId":1,"sourceArn":"` + ownARN + `"}`), badValue, invalid},
		"ThreeMembers": {encoded(`{"taskId":"` + unknownTask + `","sourceArn":"` + ownARN + `","x":1}`), badValue, invalid},
		"TooLong":      {encoded(`{"taskId":"` + strings.Repeat("x", 2000) + `","sourceArn":"` + ownARN + `"}`), badValue, invalid},
		"UnknownQueue": {handleOf(unknownTask, arnOf("none")), noResource, noSource},
		"OtherAccount": {handleOf(unknownTask, "arn:aws:sqs:us-east-1:111111111111:dlq"), noResource, noSource},
		"OtherRegion":  {handleOf(unknownTask, "arn:aws:sqs:eu-west-1:000000000000:dlq"), noResource, noSource},
		"NotAnARN":     {handleOf(unknownTask, "dlq"), noResource, noSource},
		"UnknownTask":  {handleOf(unknownTask, arnOf("dlq")), noResource, noTask},
		"NoUUID":       {handleOf("task", arnOf("dlq")), noResource, noTask},
		"CapitalUUID":  {handleOf(strings.ToUpper(unknownTask), arnOf("dlq")), noResource, noTask},
		"NoDeadLetter": {handleOf(unknownTask, arnOf("plain")), noResource, noTask},
	} {
		t.Run(name, func(t *testing.T) {
			e := *e
			e.t = t
			e.refused(protocol.CancelMessageMoveTask, &protocol.CancelMessageMoveTaskInput{TaskHandle: &test.handle}, test.code, test.text)
		})
	}
	for _, handle := range []*string{nil, new("")} {
		e.refused(protocol.CancelMessageMoveTask, &protocol.CancelMessageMoveTaskInput{TaskHandle: handle}, missingMember, "The request must contain the parameter TaskHandle.")
	}
}

func TestListMessageMoveTasks(t *testing.T) {
	t.Parallel()
	type in = protocol.ListMessageMoveTasksInput
	e := newStoredEnv(t, compat.Options{})
	deadLetters(e, 0)
	source := arnOf("dlq")
	if got := e.tasks(source, 10); got != nil {
		t.Errorf("without tasks: %+v", got)
	}
	for range 12 {
		e.clock.Advance(time.Second)
		e.startMove(&protocol.StartMessageMoveTaskInput{SourceARN: &source})
		e.move()
	}
	got := e.tasks(source, 10)
	if len(got) != 10 {
		t.Fatalf("%d tasks are listed, want 10", len(got))
	}
	for i, task := range got {
		if want := storetest.Epoch.Add(time.Duration(12-i) * time.Second).UnixMilli(); *task.StartedTimestamp != want || *task.Status != "COMPLETED" {
			t.Errorf("task %d is %s and started at %d, want COMPLETED and %d", i, *task.Status, *task.StartedTimestamp, want)
		}
	}
	newest := do[*protocol.ListMessageMoveTasksOutput](e, protocol.ListMessageMoveTasks, &in{SourceARN: &source}).Results
	if diff := cmp.Diff(got[:1], newest); diff != "" {
		t.Errorf("without a number (-want +got):\n%s", diff)
	}
	for _, n := range []int32{0, -1, 11} {
		e.refused(protocol.ListMessageMoveTasks, &in{SourceARN: &source, MaxResults: &n}, badValue, "Value for parameter MaxResults is invalid. Reason: You must enter a number that's between 1 and 10.")
	}
	e.refused(protocol.ListMessageMoveTasks, &in{}, missingMember, "The request must contain the parameter SourceArn.")
	e.refused(protocol.ListMessageMoveTasks, &in{SourceARN: new("dlq")}, badValue, fmt.Sprintf(textFormat, "SourceArn"))
	e.refused(protocol.ListMessageMoveTasks, &in{SourceARN: new(arnOf("none"))}, noResource, noSource)
	e.create("plain")
	if got := e.tasks(arnOf("plain"), 10); got != nil {
		t.Errorf("a queue without tasks: %+v", got)
	}
}

// Another account's queue is as good as none where accounts are apart.
func TestMoveTasksOfOtherAccounts(t *testing.T) {
	t.Parallel()
	for name, separate := range map[string]bool{"Open": false, "Separate": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newStoredEnv(t, compat.Options{SeparateAccounts: separate})
			deadLetters(e, 0)
			e.caller.Account = "111111111111"
			source := arnOf("dlq")
			if separate {
				e.refused(protocol.StartMessageMoveTask, &protocol.StartMessageMoveTaskInput{SourceARN: &source}, noResource, noSource)
				return
			}
			e.startMove(&protocol.StartMessageMoveTaskInput{SourceARN: &source})
		})
	}
}

package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// A task takes nothing from behind a message that a consumer of the dead-letter
// queue holds, so that a group is in order wherever its messages go.
func TestMoveTaskKeepsGroupsInOrder(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		dlq, target := e.createFIFO(t, nil), e.createFIFO(t, nil)
		source, destination := e.arn(t, dlq), e.arn(t, target)
		e.createFIFO(t, attrs{"RedrivePolicy": redriveTo(source, 1)})
		e.put(t, dlq, "a-1", "a-2", "b-1", "b-2")
		move := func(want int64, rate int32) {
			t.Helper()
			in := &sqs.StartMessageMoveTaskInput{SourceArn: &source, DestinationArn: &destination}
			if rate > 0 {
				in.MaxNumberOfMessagesPerSecond = &rate
			}
			e.startMove(t, in)
			if task := e.ended(t, source); *task.Status != "COMPLETED" || task.ApproximateNumberOfMessagesMoved != want {
				t.Errorf("the task is %s and has moved %d, want %d", *task.Status, task.ApproximateNumberOfMessagesMoved, want)
			}
		}
		held := e.receiveOne(t, dlq, upTo(1))
		move(2, 0)
		e.wantCounts(t, dlq, counts{"1", "1", "0"})
		wantList(t, e.peek(t, target, 10), "b-1 b-2")
		e.changeVisibility(t, dlq, held, 0)
		move(2, 0)
		e.wantCounts(t, dlq, counts{"0", "0", "0"})
		wantList(t, e.peek(t, target, 10), "b-1 b-2 a-1 a-2")

		// A group that is freed while a task runs moves whole.
		e.call(t, "PurgeQueue", args{"QueueUrl": target})
		e.put(t, dlq, "c-1", "c-2", "d-1", "d-2", "d-3")
		e.receiveOne(t, dlq, upTo(1), hideFor(1))
		move(5, 1)
		var c []string
		for _, body := range e.peek(t, target, 10) {
			if body[0] == 'c' {
				c = append(c, body)
			}
		}
		wantList(t, c, "c-1 c-2")
	})
}

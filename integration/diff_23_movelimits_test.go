package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

// DIFFERENCES 23: an account may have more than 100 move tasks at once. That
// none is ended after 36 hours is not shown: it would take a message a second.
func TestDiff23AnyNumberOfMoveTasks(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		target := e.create(t, nil)
		var sources []string
		for range 101 {
			dlq := e.create(t, nil)
			// A source of dead letters while the task starts.
			e.setAttributes(t, target, attrs{"RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
			for range 2 { // the first moves at once, the second a second later
				e.send(t, dlq, "b")
			}
			source, to := e.arn(t, dlq), e.arn(t, target)
			e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source, DestinationArn: &to, MaxNumberOfMessagesPerSecond: aws.Int32(1)})
			sources = append(sources, source)
		}
		for i, source := range sources { // all of one moment of the bubble's time
			if status := *e.moveTasks(t, source)[0].Status; status != "RUNNING" {
				t.Errorf("task %d is %s", i, status)
			}
		}
	})
}

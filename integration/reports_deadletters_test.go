package integration

import (
	"fmt"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func TestReportsOfDeadLetters(t *testing.T) {
	runReports(t, []report{
		{"B111", "Permissions", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			arn := e.arn(t, u)
			add := args{"QueueUrl": u, "Label": "l", "AWSAccountIds": list{"111111111111", "222222222222"}, "Actions": list{"ReceiveMessage"}}
			e.call(t, "AddPermission", add).wantOK(t)
			want := `{"Version":"2008-10-17","Id":"` + arn + `/SQSDefaultPolicy","Statement":[{"Sid":"l","Effect":"Allow","Principal":{"AWS":["arn:aws:iam::111111111111:root",` +
				`"arn:aws:iam::222222222222:root"]},"Action":"SQS:ReceiveMessage","Resource":"` + arn + `"}]}`
			if got := e.attributes(t, u, "Policy")["Policy"]; !sameValue(got, want) {
				t.Errorf("the policy is %s", got)
			}
			e.call(t, "AddPermission", add).wantCode(t, "InvalidParameterValue").wantText(t, "Already exists.")
			remove := args{"QueueUrl": u, "Label": "l"}
			e.call(t, "RemovePermission", remove).wantOK(t)
			if got, ok := e.attributes(t, u, "All")["Policy"]; ok {
				t.Errorf("the policy is %s", got)
			}
			e.call(t, "RemovePermission", remove).wantCode(t, "InvalidParameterValue")
			add["QueueUrl"], remove["QueueUrl"] = u+"-none", u+"-none"
			e.call(t, "AddPermission", add).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
			e.call(t, "RemovePermission", remove).wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
		}},
		{"B163", "ExactCount", func(t *testing.T, e *env) {
			for _, times := range []int{1, 3} {
				dlq := e.create(t, nil)
				u := e.withDeadLetters(t, dlq, times)
				e.send(t, u, "m")
				for range times {
					wantBodies(t, e.receive(t, u), "m")
				}
				e.wantNothing(t, u)
				wantBodies(t, e.receive(t, dlq), "m")
			}
		}},
		{"B164", "MoveOnTheNextReceive", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			u := e.create(t, attrs{"VisibilityTimeout": "1", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
			e.send(t, u, "m")
			e.receiveOne(t, u)
			time.Sleep(5 * time.Second)
			e.wantCounts(t, u, counts{"1", "0", "0"})
			e.wantCounts(t, dlq, counts{"0", "0", "0"})
			e.wantNothing(t, u)
			e.wantCounts(t, u, counts{"0", "0", "0"})
			e.wantCounts(t, dlq, counts{"1", "0", "0"})
			wantBodies(t, e.receive(t, dlq), "m")
		}},
		{"B166", "NoDeadLetterQueue", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			arn := e.arn(t, dlq)
			u := e.create(t, attrs{"VisibilityTimeout": "0"})
			for _, policy := range []string{
				redriveTo(arn+"-none", 1), redriveTo("not-an-arn", 1), `{"deadLetterTargetArn":"` + arn + `"}`, redriveTo(arn, 0), redriveTo(arn, 1001),
				`{"deadLetterTargetArn":"` + arn + `","maxReceiveCount":"abc"}`,
			} {
				e.call(t, "SetQueueAttributes", args{"QueueUrl": u, "Attributes": attrs{"RedrivePolicy": policy}}).wantCode(t, "InvalidParameterValue")
			}
			e.setAttributes(t, u, attrs{"RedrivePolicy": redriveTo(arn, 1)})
			e.send(t, u, "m")
			e.deleteQueue(t, dlq)
			for range 5 {
				wantBodies(t, e.receive(t, u), "m")
			}
		}},
		{"B168", "EqualBodiesIntoFIFO", func(t *testing.T, e *env) {
			dlq := e.createFIFO(t, nil)
			u := e.createFIFO(t, attrs{"ContentBasedDeduplication": "true", "VisibilityTimeout": "0", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
			e.send(t, u, "same", inGroup("g"), as("d1"))
			e.send(t, u, "same", inGroup("g"), as("d2"))
			sent := e.receive(t, u)
			e.wantNothing(t, u)
			got := e.receive(t, dlq)
			wantBodies(t, got, "same", "same")
			for i, m := range got {
				if *m.MessageId != *sent[i].MessageId || m.Attributes["MessageGroupId"] != "g" {
					t.Errorf("message %d is %s with %v", i, *m.MessageId, m.Attributes)
				}
			}
		}},
		{"B170", "OldHandleAfterTheMove", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			u := e.create(t, attrs{"VisibilityTimeout": "2", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
			e.send(t, u, "m")
			m := e.receiveOne(t, u)
			time.Sleep(4 * time.Second)
			e.wantNothing(t, u)
			e.delete(t, u, m)
			e.call(t, "ChangeMessageVisibility", args{"QueueUrl": u, "ReceiptHandle": *m.ReceiptHandle, "VisibilityTimeout": 0}).wantCode(t, "InvalidParameterValue")
			e.call(t, "DeleteMessage", args{"QueueUrl": dlq, "ReceiptHandle": *m.ReceiptHandle}).wantCode(t, "ReceiptHandleIsInvalid")
			wantBodies(t, e.receive(t, dlq), "m")
		}},
	})
}

func TestReportsOfMoveTasks(t *testing.T) {
	runReports(t, []report{
		{"B171", "SeveralOrigins", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			a, b := e.deadLettered(t, dlq, "a1", "a2"), e.deadLettered(t, dlq, "b1", "b2")
			e.send(t, dlq, "straight")
			source := e.arn(t, dlq)
			e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
			if task := e.ended(t, source); task.ApproximateNumberOfMessagesMoved != 4 {
				t.Errorf("the task is %+v", task)
			}
			wantBodies(t, e.receive(t, a), "a1", "a2")
			wantBodies(t, e.receive(t, b), "b1", "b2")
			wantBodies(t, e.receive(t, dlq), "straight")
		}},
		{"B173", "ListedTasks", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			e.deadLettered(t, dlq)
			source := e.arn(t, dlq)
			for range 12 {
				e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
				e.ended(t, source)
				time.Sleep(time.Second)
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
			if none := e.moveTasks(t, e.arn(t, e.create(t, nil))); len(none) != 0 {
				t.Errorf("tasks of a queue that has none: %v", none)
			}
			e.call(t, "ListMessageMoveTasks", args{"SourceArn": source + "-none"}).wantCode(t, "ResourceNotFoundException")
		}},
		{"B174", "ArrivalsDuringAMove", func(t *testing.T, e *env) {
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
			deleted := 0
			for range 5 {
				for _, m := range e.receive(t, dlq) {
					e.delete(t, dlq, m)
					deleted++
				}
			}
			time.Sleep(time.Second)
			e.call(t, "CancelMessageMoveTask", args{"TaskHandle": handle}).wantOK(t)
			task := e.ended(t, source)
			moved := int(task.ApproximateNumberOfMessagesMoved)
			if *task.Status != "CANCELLED" || moved == 0 || moved == n {
				t.Errorf("the task is %+v", task)
			}
			e.wantCounts(t, u, counts{fmt.Sprint(moved), "0", "0"})
			e.wantCounts(t, dlq, counts{fmt.Sprint(n + more - moved - deleted), "0", "0"})
		}},
	})
}

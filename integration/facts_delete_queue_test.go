package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/google/go-cmp/cmp"
)

func TestFactsOfDeleteQueue(t *testing.T) {
	const action = "DeleteQueue"
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", args{}, "", ""),
		{action, "WithMessagesInEveryState", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{})
			e.sendBatch(t, "q", "1", "2")
			e.send(t, "q", "3", delayed(9))
			e.receiveOne(t, "q", upTo(1))
			e.call(t, action, in).wantOK(t)
		}},
		{action, "ItIsGoneAtOnceInEveryAnswer", "", func(t *testing.T, e *env) {
			witness, url := e.create(t, nil), e.createNamed(t, "gone", nil)
			e.send(t, url, "b")
			e.deleteQueue(t, url)
			if diff := cmp.Diff([]string{witness}, e.listed(t, &sqs.ListQueuesInput{})); diff != "" {
				t.Errorf("queues (-want +got):\n%s", diff)
			}
			for action, do := range missing {
				if action == "GetQueueUrl" {
					continue
				}
				if err := do(e, t, &url); !typed[*types.QueueDoesNotExist](err) {
					t.Errorf("%s: %v", action, err)
				}
			}
			e.call(t, "GetQueueUrl", args{"QueueName": "gone"}).wantRefusal(t, e, noQueue, "")
		}},
		{action, "Twice", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{})
			e.call(t, action, in).wantOK(t)
			e.call(t, action, in).wantRefusal(t, e, noQueue, "")
		}},
		{action, "ByGetOnTheQueuesPath", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			e.get(t, "/"+e.account+"/q?Action=DeleteQueue", nil).wantOK(t)
			e.call(t, "GetQueueUrl", args{"QueueName": "q"}).wantRefusal(t, e, noQueue, "")
		}},
		{action, "ADeadLetterQueueOfAnother", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			policy := redriveTo("arn:aws:sqs:us-east-1:"+e.account+":q", 1)
			source := e.create(t, attrs{"VisibilityTimeout": "0", "RedrivePolicy": policy})
			e.send(t, source, "b")
			e.call(t, action, args{"QueueUrl": "q"}).wantOK(t)
			if got := e.attributes(t, source, "RedrivePolicy")["RedrivePolicy"]; got != policy {
				t.Errorf("the source's policy is %s, want %s", got, policy)
			}
			for range 3 {
				wantBodies(t, e.receive(t, source), "b")
			}
		}},
	})
}

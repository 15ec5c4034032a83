package integration

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func TestFactsOfGetQueueUrl(t *testing.T) {
	const action = "GetQueueUrl"
	const foreign = "210987654321"
	runFacts(t, []fact{
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{"QueueName": "q"})
			url := e.url + "/" + e.account + "/q"
			e.call(t, action, in).wantOK(t).wantAnswer(t, e, action, `{"QueueUrl":"`+url+`"}`, "<GetQueueUrlResult><QueueUrl>"+url+"</QueueUrl></GetQueueUrlResult>")
		}},
		{action, "OneURLEverywhere", "", func(t *testing.T, e *env) {
			created := e.createNamed(t, "one", nil)
			found, err := e.sqs.GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: aws.String("one")})
			if err != nil || *found.QueueUrl != created {
				t.Errorf("GetQueueUrl gave %v (%v), CreateQueue %q", found, err, created)
			}
			if got := e.listed(t, &sqs.ListQueuesInput{}); len(got) != 1 || got[0] != created {
				t.Errorf("ListQueues gave %q, want %q", got, created)
			}
			if again := e.speaking(t, e.other()).createNamed(t, "one", nil); again != created {
				t.Errorf("in the other protocol it is %q, want %q", again, created)
			}
		}},
		accepted(action, "WithTheOwnersAccount", args{"QueueName": "q", "QueueOwnerAWSAccountId": "%ACCOUNT"}),
		refused(action, "WithoutAName", args{}, badParam, noQueueName),
		refused(action, "AnEmptyName", args{"QueueName": ""}, badParam, noQueueName),
		refused(action, "AnUnknownQueue", args{"QueueName": "nowhere"}, noQueue, ""),
		refused(action, "AnotherCase", args{"QueueName": "Q"}, noQueue, ""),
		refused(action, "BadCharactersAreNotThere", args{"QueueName": "a b!"}, noQueue, ""),
		refused(action, "AQueueOfAnotherAccountThatIsNotThere", args{"QueueName": "q", "QueueOwnerAWSAccountId": foreign}, noQueue, anyText),
		{action, "ByGetOnAnotherQueuesPath", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, action, args{})
			url := e.url + "/" + e.account + "/q"
			e.get(t, "/"+e.account+"/q.fifo?Action=GetQueueUrl&QueueName=q", nil).wantOK(t).wantAnswer(t, e, action, "", "<GetQueueUrlResult><QueueUrl>"+url+"</QueueUrl></GetQueueUrlResult>")
		}},
	})
}

package integration

import (
	"fmt"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

func TestFactsOfListDeadLetterSourceQueues(t *testing.T) {
	const action = "ListDeadLetterSourceQueues"
	const badMost = "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000."
	// sources makes some sources of "q" and gives their URLs.
	sources := func(t *testing.T, e *env, n int) (urls []string) {
		e.world(t, action, args{})
		for i := range n {
			urls = append(urls, e.createNamed(t, fmt.Sprint("s", i), attrs{"RedrivePolicy": redriveTo("arn:aws:sqs:us-east-1:"+e.account+":q", 1)}))
		}
		return urls
	}
	runFacts(t, []fact{
		answers(action, "WithoutSources", args{}, "{}", "<ListDeadLetterSourceQueuesResult/>"),
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			urls := sources(t, e, 2)
			e.call(t, action, args{"QueueUrl": "q"}).wantOK(t).wantAnswer(t, e, action, `{"queueUrls":["`+urls[0]+`","`+urls[1]+`"]}`,
				"<ListDeadLetterSourceQueuesResult><QueueUrl>"+urls[0]+"</QueueUrl><QueueUrl>"+urls[1]+"</QueueUrl></ListDeadLetterSourceQueuesResult>")
		}},
		{action, "Pages", "", func(t *testing.T, e *env) {
			urls := sources(t, e, 5)
			var got []string
			in := &sqs.ListDeadLetterSourceQueuesInput{QueueUrl: aws.String("q"), MaxResults: aws.Int32(2)}
			for n := 0; n < 3; n++ {
				out, err := e.sqs.ListDeadLetterSourceQueues(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				got, in.NextToken = append(got, out.QueueUrls...), out.NextToken
				if (out.NextToken == nil) != (n == 2) {
					t.Errorf("page %d ended with the token %v", n, aws.ToString(out.NextToken))
				}
			}
			if diff := cmp.Diff(urls, got); diff != "" {
				t.Errorf("sources (-want +got):\n%s", diff)
			}
		}},
		{action, "ARemovedPolicyIsNoSource", "", func(t *testing.T, e *env) {
			e.setAttributes(t, sources(t, e, 1)[0], attrs{"RedrivePolicy": ""})
			e.call(t, action, args{"QueueUrl": "q"}).wantOK(t).wantAnswer(t, e, action, "{}", "<ListDeadLetterSourceQueuesResult/>")
		}},
		refused(action, "MaxResultsOf1001", args{"MaxResults": 1001}, badParam, badMost),
		refused(action, "MaxResultsNegative", args{"MaxResults": -1}, badParam, badMost),
		refused(action, "ATokenOfNobody", args{"NextToken": "garbage", "MaxResults": 1}, badParam, "Invalid or expired next token."),
	})
}

package integration

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

func TestFactsOfListQueues(t *testing.T) {
	const action = "ListQueues"
	const badMost = "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000."
	// ten makes queues "p-0" to "p-9", and some of other names.
	ten := func(t *testing.T, e *env) (urls []string) {
		for i := range 10 {
			urls = append(urls, e.createNamed(t, fmt.Sprint("p-", i), nil))
		}
		e.createNamed(t, "prefix", nil)
		e.createNamed(t, "P-upper", nil)
		return urls
	}
	page := func(t *testing.T, e *env, prefix string, most int32, token *string) ([]string, *string) {
		in := &sqs.ListQueuesInput{QueueNamePrefix: &prefix, NextToken: token}
		if most != 0 {
			in.MaxResults = &most
		}
		out, err := e.sqs.ListQueues(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return out.QueueUrls, out.NextToken
	}
	facts := []fact{
		answers(action, "NoMatch", args{"QueueNamePrefix": "none"}, "{}", "<ListQueuesResult/>"),
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			in := e.world(t, action, args{})
			urls := []string{e.url + "/" + e.account + "/q", e.url + "/" + e.account + "/q.fifo"}
			e.call(t, action, in).wantOK(t).wantAnswer(t, e, action, `{"QueueUrls":["`+urls[0]+`","`+urls[1]+`"]}`,
				"<ListQueuesResult><QueueUrl>"+urls[0]+"</QueueUrl><QueueUrl>"+urls[1]+"</QueueUrl></ListQueuesResult>")
		}},
		{action, "PrefixesAreCaseSensitiveAndListsInOrder", "", func(t *testing.T, e *env) {
			want := ten(t, e)
			if got, token := page(t, e, "p-", 0, nil); !slices.Equal(got, want) || token != nil {
				t.Errorf("token %v (-want +got):\n%s", token, cmp.Diff(want, got))
			}
		}},
		{action, "ThePageSizeMayChange", "", func(t *testing.T, e *env) {
			want := ten(t, e)
			first, token := page(t, e, "p-", 2, nil)
			rest, token := page(t, e, "p-", 10, token)
			if got := append(first, rest...); !slices.Equal(got, want) || len(rest) != 8 || token != nil {
				t.Errorf("%d and %d, then token %v: %v", len(first), len(rest), token, got)
			}
		}},
		{action, "MaxResultsOfZeroIsNone", "", func(t *testing.T, e *env) {
			ten(t, e)
			if r := e.call(t, action, args{"QueueNamePrefix": "p-", "MaxResults": 0}).wantOK(t); strings.Count(r.Body, "/p-") != 10 || strings.Contains(r.Body, "NextToken") {
				t.Errorf("the answer is %s", r.Body)
			}
		}},
		{action, "AThousandAtMost", "", func(t *testing.T, e *env) {
			for i := range 1001 {
				e.createNamed(t, fmt.Sprintf("many-%04d", i), nil)
			}
			for _, most := range []int32{0, 1000} {
				got, token := page(t, e, "many", most, nil)
				if len(got) != 1000 || (token == nil) != (most == 0) {
					t.Errorf("with MaxResults %d: %d queues and token %q", most, len(got), aws.ToString(token))
				}
			}
		}},
		{action, "ATokenWithAnotherPrefix", "", func(t *testing.T, e *env) {
			ten(t, e)
			_, token := page(t, e, "p-", 2, nil)
			e.call(t, action, args{"QueueNamePrefix": "P", "MaxResults": 2, "NextToken": *token}).
				wantRefusal(t, e, badParam, "Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters.")
		}},
		{action, "AccountsAndRegionsAreSeparate", "", separate},
		refused(action, "MaxResultsOf1001", args{"MaxResults": 1001}, badParam, badMost),
		refused(action, "MaxResultsNegative", args{"MaxResults": -1}, badParam, badMost),
		refused(action, "ATokenOfNobody", args{"NextToken": "garbage", "MaxResults": 1}, badParam, "Invalid or expired next token."),
	}
	for _, size := range []int32{1, 3, 5, 10, 11} {
		facts = append(facts, fact{action, fmt.Sprint("PagesOf", size), "", func(t *testing.T, e *env) {
			want := ten(t, e)
			var got []string
			var token *string
			for n := 1; n == 1 || token != nil; n++ {
				var urls []string
				if urls, token = page(t, e, "p-", size, token); token != nil && len(urls) != int(size) {
					t.Errorf("page %d has %d", n, len(urls))
				}
				got = append(got, urls...)
				if last := len(got) == len(want); last != (token == nil) {
					t.Fatalf("after %d of 10 the token is %v", len(got), aws.ToString(token))
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("pages (-want +got):\n%s", cmp.Diff(want, got))
			}
		}})
	}
	runFacts(t, facts)
}

// separate shows that accounts and regions are worlds of their own.
func separate(t *testing.T, e *env) {
	here := e.createNamed(t, "same", nil)
	abroad := e.client(t, e.wire, e.account, "eu-west-1")
	if got := abroad.listed(t, &sqs.ListQueuesInput{}); len(got) != 0 {
		t.Errorf("another region lists %q", got)
	}
	there := abroad.createNamed(t, "same", attrs{"DelaySeconds": "7"})
	stranger := newEnv(t, e.server, e.wire)
	if got := stranger.listed(t, &sqs.ListQueuesInput{}); len(got) != 0 {
		t.Errorf("another account lists %q", got)
	}
	e.send(t, here, "here")
	abroad.wantCounts(t, there, counts{"0", "0", "0"})
	e.wantCounts(t, here, counts{"1", "0", "0"})
	for region, url := range map[string]string{"us-east-1": here, "eu-west-1": there} {
		arn := e.client(t, e.wire, e.account, region).attributes(t, url, "QueueArn")["QueueArn"]
		if want := "arn:aws:sqs:" + region + ":" + e.account + ":same"; arn != want {
			t.Errorf("the ARN is %q, want %q", arn, want)
		}
	}
}

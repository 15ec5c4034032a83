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

func TestCreateQueueGivesOneURLEverywhere(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		created := e.createNamed(t, name, nil)
		if want := e.url + "/" + e.account + "/" + name; created != want {
			t.Errorf("CreateQueue gave %q, want %q", created, want)
		}
		found, err := e.sqs.GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: &name})
		if err != nil {
			t.Fatal(err)
		}
		if *found.QueueUrl != created {
			t.Errorf("GetQueueUrl gave %q, CreateQueue %q", *found.QueueUrl, created)
		}
		if got := e.listed(t, &sqs.ListQueuesInput{}); !slices.Equal(got, []string{created}) {
			t.Errorf("ListQueues gave %q, want %q", got, created)
		}
		other := e.speaking(t, e.other())
		if again := other.createNamed(t, name, nil); again != created {
			t.Errorf("in the other protocol it is %q, want %q", again, created)
		}
	})
}

func TestCreateQueueIsIdempotentByGivenAttributes(t *testing.T) {
	steps := []struct {
		name  string
		given attrs
		code  string
	}{
		{name: "Nothing", given: nil},
		{name: "Same", given: attrs{"DelaySeconds": "5"}},
		{name: "DefaultSaidAloud", given: attrs{"DelaySeconds": "5", "VisibilityTimeout": "30"}},
		{name: "Other", given: attrs{"DelaySeconds": "6"}, code: "QueueAlreadyExists"},
		{name: "OneOfTwoOther", given: attrs{"DelaySeconds": "5", "VisibilityTimeout": "31"}, code: "QueueAlreadyExists"},
	}
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, attrs{"DelaySeconds": "5"})
		for _, s := range steps {
			in := args{"QueueName": name}
			if s.given != nil {
				in["Attributes"] = s.given
			}
			r := e.call(t, "CreateQueue", in)
			if s.code == "" {
				if r.wantOK(t); !strings.Contains(r.Body, url) {
					t.Errorf("%s: answer %q does not name %s", s.name, r.Body, url)
				}
				continue
			}
			r.wantCode(t, s.code).wantText(t, "A queue already exists with the same name and a different value for attribute")
		}
		r := e.call(t, "CreateQueue", args{"QueueName": name, "tags": attrs{"k": "v"}})
		r.wantOK(t)
	})
}

// The values in force count, not those of the first creation.
func TestCreateQueueComparesWithCurrentValues(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, attrs{"VisibilityTimeout": "40"})
		e.setAttributes(t, url, attrs{"VisibilityTimeout": "41"})
		e.createNamed(t, name, attrs{"VisibilityTimeout": "41"})
		e.call(t, "CreateQueue", args{"QueueName": name, "Attributes": attrs{"VisibilityTimeout": "40"}}).
			wantCode(t, "QueueAlreadyExists").wantText(t, "VisibilityTimeout")
	})
}

func TestCreateQueueAgainTouchesNoMessage(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, nil)
		for i := range 5 {
			e.send(t, url, fmt.Sprint(i))
		}
		e.send(t, url, "later", delayed(600))
		held := e.receive(t, url, upTo(2))
		e.createNamed(t, name, nil)
		e.wantCounts(t, url, counts{"3", "2", "1"})
		e.delete(t, url, held[0])
		e.wantCounts(t, url, counts{"3", "1", "1"})
	})
}

func TestQueueNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("n", 80)
	for name, tt := range map[string]struct {
		queue string
		code  string
	}{
		"EightyCharacters":    {queue: long},
		"AllLegalCharacters":  {queue: "az_AZ-09"},
		"EightyOne":           {queue: long + "n", code: "InvalidParameterValue"},
		"Blank":               {queue: "a b", code: "InvalidParameterValue"},
		"Slash":               {queue: "a/b", code: "InvalidParameterValue"},
		"Dot":                 {queue: "a.b", code: "InvalidParameterValue"},
		"FifoSuffixAlone":     {queue: "x.fifo", code: "InvalidParameterValue"},
		"Empty":               {queue: "", code: "InvalidParameterValue"},
		"AccentedLetter":      {queue: "é", code: "InvalidParameterValue"},
		"ExclamationAndBlank": {queue: "bad name!", code: "InvalidParameterValue"},
	} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				r := e.call(t, "CreateQueue", args{"QueueName": tt.queue})
				if tt.code == "" {
					r.wantOK(t)
					return
				}
				r.wantCode(t, tt.code)
				if got := e.listed(t, &sqs.ListQueuesInput{}); len(got) != 0 {
					t.Errorf("queues %q are there after a refusal", got)
				}
			})
		})
	}
	t.Run("FifoWithoutSuffix", func(t *testing.T) {
		forEach(t, func(t *testing.T, e *env) {
			e.call(t, "CreateQueue", args{"QueueName": "x", "Attributes": attrs{"FifoQueue": "true"}}).
				wantCode(t, "InvalidParameterValue")
		})
	})
	t.Run("Absent", func(t *testing.T) {
		forEach(t, func(t *testing.T, e *env) {
			e.call(t, "CreateQueue", args{}).wantCode(t, "InvalidParameterValue").wantText(t, "QueueName")
			e.call(t, "GetQueueUrl", args{}).wantCode(t, "InvalidParameterValue").wantText(t, "QueueName")
		})
	})
}

// Names differ by case, and so do prefixes.
func TestQueueNamesAreCaseSensitive(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		lower := e.createNamed(t, "orders", attrs{"DelaySeconds": "1"})
		upper := e.createNamed(t, "Orders", attrs{"DelaySeconds": "2"})
		if lower == upper {
			t.Fatalf("both are %s", lower)
		}
		if got := e.listed(t, &sqs.ListQueuesInput{QueueNamePrefix: aws.String("ord")}); !slices.Equal(got, []string{lower}) {
			t.Errorf("listed %q, want %q", got, lower)
		}
	})
}

// listed gives the queue URLs of one ListQueues call.
func (e *env) listed(t *testing.T, in *sqs.ListQueuesInput) []string {
	t.Helper()
	out, err := e.sqs.ListQueues(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out.QueueUrls
}

func TestListQueuesPages(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		var want []string
		for i := range 10 {
			want = append(want, e.createNamed(t, fmt.Sprintf("pre_%02d", i), nil))
		}
		e.createNamed(t, "prefix", nil)
		e.createNamed(t, "Pre_upper", nil)

		prefix := aws.String("pre_")
		if got := e.listed(t, &sqs.ListQueuesInput{QueueNamePrefix: prefix}); !slices.Equal(got, want) {
			t.Errorf("one list gave (-want +got):\n%s", cmp.Diff(want, got))
		}
		for _, size := range []int32{1, 3, 5, 10, 11} {
			var got []string
			pages := sqs.NewListQueuesPaginator(e.sqs, &sqs.ListQueuesInput{QueueNamePrefix: prefix, MaxResults: aws.Int32(size)})
			n := 0
			for ; pages.HasMorePages(); n++ {
				page, err := pages.NextPage(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, page.QueueUrls...)
			}
			if !slices.Equal(got, want) {
				t.Errorf("pages of %d gave (-want +got):\n%s", size, cmp.Diff(want, got))
			}
			if pages := (10 + int(size) - 1) / int(size); n != pages {
				t.Errorf("pages of %d were %d, want %d: a full last page needs no token", size, n, pages)
			}
		}
		if got := e.listed(t, &sqs.ListQueuesInput{QueueNamePrefix: aws.String("none")}); len(got) != 0 {
			t.Errorf("a prefix of nothing gave %q", got)
		}
	})
}

func TestListQueuesRefusesBadPaging(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		e.create(t, nil)
		for name, in := range map[string]args{
			"TooMany":       {"MaxResults": 1001},
			"Negative":      {"MaxResults": -1},
			"TokenOfNobody": {"MaxResults": 1, "NextToken": "garbage"},
		} {
			t.Log(name)
			e.call(t, "ListQueues", in).wantCode(t, "InvalidParameterValue")
		}
	})
}

// The most that one call gives is a thousand, and without MaxResults there is
// no token to go on with.
func TestListQueuesGivesAThousandAtMost(t *testing.T) {
	t.Parallel()
	inBubble.run(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wireJSON)
		for i := range 1010 {
			e.createNamed(t, fmt.Sprintf("many-%04d", i), nil)
		}
		for _, w := range wires {
			out, err := e.speaking(t, w).sqs.ListQueues(t.Context(), &sqs.ListQueuesInput{})
			if err != nil {
				t.Fatal(err)
			}
			if len(out.QueueUrls) != 1000 || out.NextToken != nil {
				t.Errorf("%s: %d queues and token %q, want 1000 and none", w.name, len(out.QueueUrls), aws.ToString(out.NextToken))
			}
		}
	})
}

// Accounts and regions are worlds of their own.
func TestAccountsAndRegionsAreSeparate(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
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
	})
}

package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// edges makes two facts of a range that a request member has: its last good
// value is taken and its first bad one refused. ask makes the request's members
// of a value; the queue that it is for has the attributes given.
func edges[T any](action, name string, a attrs, good, bad T, code string, ask func(v T) args) []fact {
	run := func(name string, v T, code string) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			in := ask(v)
			if action != "CreateQueue" {
				in["QueueUrl"] = e.create(t, a)
			}
			if r := e.call(t, action, in); code == "" {
				r.wantOK(t)
				if strings.Contains(r.Body, "Failed") || strings.Contains(r.Body, "BatchResultErrorEntry") {
					t.Errorf("the answer is %s", r.Body)
				}
			} else {
				r.wantCode(t, code)
			}
		}}
	}
	return []fact{run(name, good, ""), run(name+"AndOneMore", bad, code)}
}

// entriesOf makes so many entries of a batch.
func entriesOf(n int, more func(i int) args) list {
	l := list{}
	for i := range n {
		l = append(l, with("Id", fmt.Sprint("e", i), more(i)))
	}
	return l
}

func TestFactsOfLimits(t *testing.T) {
	const bad = "InvalidParameterValue"
	x := func(n int) string { return strings.Repeat("x", n) }
	body := func(int) args { return args{"MessageBody": "b"} }
	attribute := func(name string) func(v string) args {
		return func(v string) args { return args{"QueueName": "q", "Attributes": attrs{name: v}} }
	}
	var facts []fact
	for _, f := range [][]fact{
		edges("CreateQueue", "80CharactersOfName", nil, x(80), x(81), bad, func(v string) args { return args{"QueueName": v} }),
		edges("CreateQueue", "80CharactersOfFIFOName", nil, x(75)+".fifo", x(76)+".fifo", bad, func(v string) args {
			return args{"QueueName": v, "Attributes": attrs{"FifoQueue": "true"}}
		}),
		edges("CreateQueue", "DelayOf900", nil, "900", "901", "InvalidAttributeValue", attribute("DelaySeconds")),
		edges("CreateQueue", "RetentionOf14Days", nil, "1209600", "1209601", "InvalidAttributeValue", attribute("MessageRetentionPeriod")),
		edges("CreateQueue", "RetentionOfAMinute", nil, "60", "59", "InvalidAttributeValue", attribute("MessageRetentionPeriod")),
		edges("CreateQueue", "VisibilityOfTwelveHours", nil, "43200", "43201", "InvalidAttributeValue", attribute("VisibilityTimeout")),
		edges("CreateQueue", "PollsOf20Seconds", nil, "20", "21", "InvalidAttributeValue", attribute("ReceiveMessageWaitTimeSeconds")),
		edges("CreateQueue", "MessagesOf1MiB", nil, "1048576", "1048577", "InvalidAttributeValue", attribute("MaximumMessageSize")),
		edges("SendMessage", "1MiB", nil, x(1<<20), x(1<<20+1), bad, func(v string) args { return args{"MessageBody": v} }),
		edges("SendMessage", "DelayOf900", nil, 900, 901, bad, func(v int) args { return args{"MessageBody": "b", "DelaySeconds": v} }),
		edges("SendMessage", "NoDelay", nil, 0, -1, bad, func(v int) args { return args{"MessageBody": "b", "DelaySeconds": v} }),
		edges("SendMessage", "GroupOf128", nil, x(128), x(129), bad, func(v string) args { return args{"MessageBody": "b", "MessageGroupId": v} }),
		edges("SendMessage", "TenAttributes", nil, 10, 11, bad, func(v int) args {
			all := map[string]args{}
			for i := range v {
				all[fmt.Sprint("k", i)] = args{"DataType": "String", "StringValue": "v"}
			}
			return args{"MessageBody": "b", "MessageAttributes": all}
		}),
		edges("SendMessageBatch", "TenEntries", nil, 10, 11, "AWS.SimpleQueueService.TooManyEntriesInBatchRequest", func(v int) args {
			return args{"Entries": entriesOf(v, body)}
		}),
		edges("SendMessageBatch", "1MiBInAll", nil, 1<<19, 1<<19+1, "AWS.SimpleQueueService.BatchRequestTooLong", func(v int) args {
			return args{"Entries": entriesOf(2, func(i int) args { return args{"MessageBody": x(1<<19 + i*(v-1<<19))} })}
		}),
		edges("SendMessageBatch", "IdOf80", nil, x(80), x(81), "AWS.SimpleQueueService.InvalidBatchEntryId", func(v string) args {
			return args{"Entries": list{args{"Id": v, "MessageBody": "b"}}}
		}),
		edges("ReceiveMessage", "TenMessages", nil, 10, 11, bad, func(v int) args { return args{"MaxNumberOfMessages": v} }),
		edges("ReceiveMessage", "WaitOf20", nil, 20, 21, bad, func(v int) args { return args{"WaitTimeSeconds": v} }),
		edges("ReceiveMessage", "TimeoutOf43200", nil, 43200, 43201, bad, func(v int) args { return args{"VisibilityTimeout": v} }),
		edges("AddPermission", "LabelOf80", nil, x(80), x(81), bad, func(v string) args {
			return args{"Label": v, "AWSAccountIds": list{"111111111111"}, "Actions": list{"*"}}
		}),
		edges("AddPermission", "SevenActions", nil, 7, 8, "OverLimit", func(v int) args {
			l := list{}
			for _, action := range []string{"SendMessage", "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility", "PurgeQueue", "GetQueueUrl", "GetQueueAttributes", "ListDeadLetterSourceQueues"}[:v] {
				l = append(l, action)
			}
			return args{"Label": "l", "AWSAccountIds": list{"111111111111"}, "Actions": l}
		}),
		edges("ListDeadLetterSourceQueues", "1000Results", nil, 1000, 1001, bad, func(v int) args { return args{"MaxResults": v} }),
		edges("ListDeadLetterSourceQueues", "NoResultsMeansAll", nil, 0, -1, bad, func(v int) args { return args{"MaxResults": v} }),
	} {
		facts = append(facts, f...)
	}
	runFacts(t, append(facts, []fact{
		{"CreateQueue", "DefaultsOfAllRanges", "", func(t *testing.T, e *env) {
			a := e.attributes(t, e.create(t, nil), "All")
			for name, want := range map[string]string{
				"MessageRetentionPeriod": "345600", "VisibilityTimeout": "30", "DelaySeconds": "0", "MaximumMessageSize": "1048576", "ReceiveMessageWaitTimeSeconds": "0",
			} {
				if a[name] != want {
					t.Errorf("%s is %s, want %s", name, a[name], want)
				}
			}
		}},
		{"PurgeQueue", "TwiceInAMinute", "", func(t *testing.T, e *env) {
			url := e.createNamed(t, "q", nil)
			purge := func() *reply { return e.call(t, "PurgeQueue", args{"QueueUrl": url}) }
			purge().wantVoid(t, "PurgeQueue")
			time.Sleep(59 * time.Second)
			purge().wantExactly(t, 403, "AWS.SimpleQueueService.PurgeQueueInProgress", "Only one PurgeQueue operation on q is allowed every 60 seconds.")
			time.Sleep(2 * time.Second)
			purge().wantVoid(t, "PurgeQueue")
		}},
		{"PurgeQueue", "TakesWhatIsThereAndNothingLater", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "held")
			e.take(t, url, args{"VisibilityTimeout": 5})
			e.send(t, url, "visible")
			e.send(t, url, "delayed", delayed(5))
			e.purge(t, url)
			e.send(t, url, "later")
			time.Sleep(10 * time.Second)
			wantTaken(t, e.take(t, url, all), "later")
			e.wantCounts(t, url, counts{"0", "1", "0"})
		}},
		{"CreateQueue", "WithinAMinuteOfItsDeletion", "", func(t *testing.T, e *env) {
			url := e.createNamed(t, "q", nil)
			e.deleteQueue(t, url)
			time.Sleep(59 * time.Second)
			e.call(t, "CreateQueue", args{"QueueName": "q"}).wantExactly(t, 400, "AWS.SimpleQueueService.QueueDeletedRecently",
				"You must wait 60 seconds after deleting a queue before you can create another with the same name.")
			time.Sleep(2 * time.Second)
			e.call(t, "CreateQueue", args{"QueueName": "q"}).wantOK(t)
		}},
		{"ListQueues", "AThousandForEachCall", onlyJSON, func(t *testing.T, e *env) {
			for i := range 1001 {
				e.createNamed(t, fmt.Sprint("q", i), nil)
			}
			r := e.call(t, "ListQueues", args{}).wantOK(t)
			if n := strings.Count(r.Body, "/"+e.account+"/q"); n != 1000 {
				t.Errorf("%d queues are listed, want 1000", n)
			}
			e.call(t, "ListQueues", args{"MaxResults": 1001}).wantCode(t, bad)
		}},
		{"SendMessageBatch", "TooManyInItsWords", "", func(t *testing.T, e *env) {
			e.call(t, "SendMessageBatch", args{"QueueUrl": e.create(t, nil), "Entries": entriesOf(11, body)}).
				wantExactly(t, 400, "AWS.SimpleQueueService.TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11.")
		}},
	}...))
}

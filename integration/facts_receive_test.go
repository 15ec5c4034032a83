package integration

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"
)

// all asks a receive for every attribute that there is.
var all = args{"MessageSystemAttributeNames": list{"All"}, "MessageAttributeNames": list{"All"}, "MaxNumberOfMessages": 10}

func TestFactsOfReceive(t *testing.T) {
	runFacts(t, []fact{
		{"ReceiveMessage", "NeverMoreThanAsked", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.flood(t, url, "g", 30)
			for n := 1; n <= 7; n++ {
				if got := e.pull(t, url, args{"MaxNumberOfMessages": n}); len(got) != n {
					t.Errorf("asked for %d, got %d", n, len(got))
				}
			}
		}},
		{"ReceiveMessage", "InTheOrderOfTheSends", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			var want []string
			for i := range 100 {
				e.send(t, url, fmt.Sprint(i))
				want = append(want, fmt.Sprint(i))
			}
			var got []string
			for range 10 {
				got = append(got, strings.Fields(bodiesOf(e.pull(t, url, all)))...)
			}
			wantList(t, got, strings.Join(want, " "))
		}},
		{"ReceiveMessage", "BackAtItsPlaceAfterTheTimeout", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "1")
			e.pull(t, url, args{"VisibilityTimeout": 1})
			e.send(t, url, "2")
			time.Sleep(time.Second)
			wantTaken(t, e.pull(t, url, all), "1 2")
		}},
		{"ReceiveMessage", "DelayOfTheMessageElseOfTheQueue", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"DelaySeconds": "5"})
			for body, delay := range map[string]any{"own": 2, "none": 0, "queue's": nil} {
				e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": body, "DelaySeconds": delay}).wantOK(t)
			}
			wantTaken(t, e.pull(t, url, all), "none")
			time.Sleep(2 * time.Second)
			wantTaken(t, e.pull(t, url, all), "own")
			time.Sleep(3 * time.Second)
			wantTaken(t, e.pull(t, url, all), "queue's")
		}},
		{"ReceiveMessage", "ExpiredMessagesAreGone", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MessageRetentionPeriod": "60"})
			e.send(t, url, "waiting")
			held := e.pullOne(t, url, args{"VisibilityTimeout": 600})
			e.send(t, url, "visible")
			e.send(t, url, "delayed", delayed(90))
			time.Sleep(61 * time.Second)
			e.wantCounts(t, url, counts{"0", "0", "0"})
			wantTaken(t, e.pull(t, url, all), "")
			e.call(t, "DeleteMessage", args{"QueueUrl": url, "ReceiptHandle": held.ReceiptHandle}).wantVoid(t, "DeleteMessage")
		}},
		{"ReceiveMessage", "TheRetentionCountsFromTheSend", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"MessageRetentionPeriod": "60"})
			e.send(t, url, "b")
			time.Sleep(59 * time.Second)
			wantTaken(t, e.pull(t, url, args{"VisibilityTimeout": 0}), "b")
			time.Sleep(time.Second)
			wantTaken(t, e.pull(t, url, nil), "")
		}},
		{"ReceiveMessage", "AHandleForEachReceive", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, url, "b")
			seen := map[string]string{}
			for i := range 5 {
				m := e.pullOne(t, url, all)
				if was, ok := seen[m.ReceiptHandle]; ok || m.Attributes["ApproximateReceiveCount"] != fmt.Sprint(i+1) || len(m.ReceiptHandle) > 1024 || len(m.MessageId) > 100 {
					t.Errorf("receive %d is %+v, seen %q", i, m, was)
				}
				seen[m.ReceiptHandle] = m.MessageId
			}
		}},
		{"ReceiveMessage", "TheCountRisesWithTheReceiveNotTheTimeout", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "1"})
			e.send(t, url, "b")
			e.pull(t, url, nil)
			time.Sleep(10 * time.Second)
			if m := e.pullOne(t, url, all); m.Attributes["ApproximateReceiveCount"] != "2" {
				t.Errorf("it came with %v", m.Attributes)
			}
		}},
		{"GetQueueAttributes", "CountersFollowTheStates", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"DelaySeconds": "1", "VisibilityTimeout": "1"})
			e.send(t, url, "b")
			e.wantCounts(t, url, counts{"0", "0", "1"})
			time.Sleep(time.Second)
			e.wantCounts(t, url, counts{"1", "0", "0"})
			m := e.receiveOne(t, url)
			e.wantCounts(t, url, counts{"0", "1", "0"})
			time.Sleep(time.Second)
			e.wantCounts(t, url, counts{"1", "0", "0"})
			e.delete(t, url, m)
			e.wantCounts(t, url, counts{"0", "0", "0"})
		}},
		{"GetQueueAttributes", "MessagesOfALockedGroupCountAsVisible", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			e.put(t, url, "g-1", "g-2", "g-3")
			wantTaken(t, e.pull(t, url, nil), "g-1")
			e.wantCounts(t, url, counts{"2", "1", "0"})
			wantTaken(t, e.pull(t, url, all), "")
		}},
	})
}

// labelled sends a message that has something for every system attribute but
// those of FIFO queues and dead letters, to a standard queue with a label.
func (e *env) labelled(t *testing.T, url string) {
	t.Helper()
	e.call(t, "SendMessage", args{
		"QueueUrl": url, "MessageBody": "b", "MessageGroupId": "g",
		"MessageSystemAttributes": map[string]args{"AWSTraceHeader": {"DataType": "String", "StringValue": trace}},
	}).wantOK(t)
}

func TestFactsOfSystemAttributes(t *testing.T) {
	standard := []string{"ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "SenderId", "SentTimestamp"}
	runFacts(t, []fact{
		{"ReceiveMessage", "AllOfAStandardQueue", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			wantNames(t, e.pullOne(t, url, all).Attributes, standard...)
		}},
		{"ReceiveMessage", "AllOfEverythingSent", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.labelled(t, url)
			m := e.pullOne(t, url, all)
			wantNames(t, m.Attributes, "AWSTraceHeader", "ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "MessageGroupId", "SenderId", "SentTimestamp")
			if m.Attributes["AWSTraceHeader"] != trace || m.Attributes["MessageGroupId"] != "g" {
				t.Errorf("they are %v", m.Attributes)
			}
		}},
		{"ReceiveMessage", "AllOfAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, nil)
			sent := e.send(t, url, "b", inGroup("g"), as("d"))
			for _, count := range []string{"1", "2", "3"} {
				m := e.pullOne(t, url, args{"AttributeNames": list{"All"}, "VisibilityTimeout": 0})
				wantNames(t, m.Attributes, "ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "MessageDeduplicationId", "MessageGroupId", "SenderId", "SentTimestamp", "SequenceNumber")
				if m.Attributes["SequenceNumber"] != *sent.SequenceNumber || m.Attributes["ApproximateReceiveCount"] != count || m.Attributes["MessageDeduplicationId"] != "d" {
					t.Errorf("they are %v", m.Attributes)
				}
			}
		}},
		{"ReceiveMessage", "TimesInMilliseconds", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			sent := time.Now()
			e.send(t, url, "b")
			time.Sleep(1234 * time.Millisecond)
			first := time.Now()
			for range 2 {
				m := e.pullOne(t, url, args{"MessageSystemAttributeNames": list{"All"}, "VisibilityTimeout": 0})
				if m.Attributes["SentTimestamp"] != fmt.Sprint(sent.UnixMilli()) || m.Attributes["ApproximateFirstReceiveTimestamp"] != fmt.Sprint(first.UnixMilli()) {
					t.Errorf("they are %v, want %d and %d", m.Attributes, sent.UnixMilli(), first.UnixMilli())
				}
				time.Sleep(time.Second)
			}
		}},
		{"ReceiveMessage", "TheSenderHasAUserId", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.send(t, url, "b")
			// Each access key is a user, and the same one every time.
			other := e.client(t, e.wire, "AKIAIOSFODNN7EXAMPLE", e.region)
			other.send(t, url, "of another")
			e.send(t, url, "again")
			got := e.pull(t, url, all)
			a, b, c := got[0].Attributes["SenderId"], got[1].Attributes["SenderId"], got[2].Attributes["SenderId"]
			if !regexp.MustCompile(`^AIDA[A-Z0-9]{17}$`).MatchString(a) || a != c || a == b {
				t.Errorf("the senders are %q, %q and %q", a, b, c)
			}
		}},
		{"ReceiveMessage", "NotAskedNotReturned", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.labelled(t, url)
			if m := e.pullOne(t, url, nil); m.Attributes != nil || m.MessageAttributes != nil {
				t.Errorf("it came with %v", m)
			}
		}},
		{"ReceiveMessage", "EachByItsName", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.labelled(t, url)
			for _, member := range []string{"AttributeNames", "MessageSystemAttributeNames"} {
				for _, name := range append([]string{"AWSTraceHeader", "MessageGroupId"}, standard...) {
					wantNames(t, e.pullOne(t, url, args{member: list{name}}).Attributes, name)
				}
			}
		}},
		{"ReceiveMessage", "EachByItsNameOfAFIFOQueue", "", func(t *testing.T, e *env) {
			url := e.createFIFO(t, attrs{"VisibilityTimeout": "0"})
			e.put(t, url, "g-1")
			for name, want := range map[string]string{"SequenceNumber": "", "MessageGroupId": "g", "MessageDeduplicationId": "g-1"} {
				m := e.pullOne(t, url, args{"MessageSystemAttributeNames": list{name}})
				wantNames(t, m.Attributes, name)
				if want != "" && m.Attributes[name] != want {
					t.Errorf("they are %v", m.Attributes)
				}
			}
		}},
		{"ReceiveMessage", "WhatDoesNotApplyIsLeftOut", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, url, "b")
			for _, name := range []string{"SequenceNumber", "DeadLetterQueueSourceArn", "MessageDeduplicationId", "MessageGroupId", "AWSTraceHeader"} {
				r := e.call(t, "ReceiveMessage", args{"QueueUrl": url, "MessageSystemAttributeNames": list{name}}).wantOK(t)
				if strings.Contains(r.Body, "Attribute") {
					t.Errorf("%s: the body is %s", name, r.Body)
				}
			}
		}},
		{"ReceiveMessage", "NamesOfQueueAttributesHaveNoEffect", "", func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, url, "b")
			for _, name := range []string{"Policy", "VisibilityTimeout", "QueueArn", "SqsManagedSseEnabled"} {
				if m := e.pullOne(t, url, args{"AttributeNames": list{name}}); m.Attributes != nil {
					t.Errorf("%s gives %v", name, m.Attributes)
				}
			}
		}},
		{"ReceiveMessage", "BothListsAreTheirUnion", onlyJSON, func(t *testing.T, e *env) {
			url := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, url, "b")
			wantNames(t, e.pullOne(t, url, args{"AttributeNames": list{"SenderId"}, "MessageSystemAttributeNames": list{"SentTimestamp"}}).Attributes, "SenderId", "SentTimestamp")
			for _, in := range []args{{"AttributeNames": list{"SenderId"}, "MessageSystemAttributeNames": list{"All"}}, {"AttributeNames": list{"All"}, "MessageSystemAttributeNames": list{"SenderId"}}} {
				wantNames(t, e.pullOne(t, url, in).Attributes, standard...)
			}
		}},
	})
}

func TestFactsOfAttributeFilters(t *testing.T) {
	sent := map[string]args{}
	for _, name := range []string{"Hello", "Help.Me", "hello", "color", "col.or", "World"} {
		sent[name] = args{"DataType": "String", "StringValue": "v"}
	}
	filter := func(name, want string, filters ...any) fact {
		return fact{"ReceiveMessage", "Filter" + name, "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": "b", "MessageAttributes": maps.Clone(sent)}).wantOK(t)
			in := args{}
			if filters != nil {
				in["MessageAttributeNames"] = list(filters)
			}
			m := e.pullOne(t, url, in)
			wantNames(t, m.MessageAttributes, strings.Fields(want)...)
			m.checkDigests(t)
		}}
	}
	const every = "Hello Help.Me World col.or color hello"
	facts := []fact{
		filter("Absent", ""),
		filter("All", every, "All"),
		filter("DotStar", every, ".*"),
		filter("Star", every, "*"),
		filter("ExactName", "hello", "hello"),
		filter("ExactNameInAnotherCase", "", "HELLO"),
		filter("PrefixWithoutTheDot", "Hello Help.Me", "Hel.*"),
		filter("PrefixInsideAWord", "col.or color", "col.*"),
		filter("PrefixOfNothing", "", "nope.*"),
		filter("UnknownName", "", "nope"),
		filter("IllegalNames", "", "AWS.", "..foo"),
		filter("IllegalBesideGood", "World", "AWS.", "World"),
		filter("Union", "Hello Help.Me World", "Hel.*", "World", "World"),
	}
	facts = append(facts, fact{"ReceiveMessage", "FilterEmptyList", "", func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.call(t, "SendMessage", args{"QueueUrl": url, "MessageBody": "b", "MessageAttributes": sent}).wantOK(t)
		if m := e.pullOne(t, url, args{"MessageAttributeNames": list{}}); m.MessageAttributes != nil || m.MD5OfMessageAttributes != "" {
			t.Errorf("it came with %v", m)
		}
	}})
	runFacts(t, facts)
}

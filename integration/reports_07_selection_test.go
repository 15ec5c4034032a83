package integration

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/google/go-cmp/cmp"
)

// fifoSystemAttributes are the system attributes of a message in a FIFO queue.
var fifoSystemAttributes = []string{
	"ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "MessageDeduplicationId", "MessageGroupId", "SenderId", "SentTimestamp", "SequenceNumber",
}

var reportsOfSelection = []report{
	{7, "B063", "NothingAskedNothingReturned", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.send(t, u, "b", func(in *sqs.SendMessageInput) {
			in.MessageAttributes = map[string]messageAttribute{"version": text("Number", "1")}
		})
		r := e.call(t, "ReceiveMessage", args{"QueueUrl": u})
		if len(r.messages(t)) != 1 || strings.Contains(r.Body, "Attribute") {
			t.Errorf("%s", r.Body)
		}
	}, nil},
	{7, "B064", "Patterns", func(t *testing.T, e *env) {
		u := e.create(t, attrs{"VisibilityTimeout": "0"})
		all := map[string]messageAttribute{"Hello": text("String", "1"), "Help.Me": text("String", "2"), "General": text("String", "3")}
		e.send(t, u, "b", func(in *sqs.SendMessageInput) { in.MessageAttributes = all })
		for ask, want := range map[string][]string{".*": {"General", "Hello", "Help.Me"}, "Hel.*": {"Hello", "Help.Me"}, "All": {"General", "Hello", "Help.Me"}, "hello": nil} {
			m := e.receiveOne(t, u, func(in *sqs.ReceiveMessageInput) { in.MessageAttributeNames = []string{ask} })
			chosen, digest := map[string]messageAttribute{}, ""
			for _, name := range want {
				chosen[name] = all[name]
				digest = attributeDigest(chosen)
			}
			if !slices.Equal(names(m.MessageAttributes), want) || aws.ToString(m.MD5OfMessageAttributes) != digest {
				t.Errorf("%s: %v with %s", ask, m.MessageAttributes, aws.ToString(m.MD5OfMessageAttributes))
			}
		}
	}, nil},
	{7, "B066", "SystemAttributesAreFiltered", func(t *testing.T, e *env) {
		standard, fifo := e.create(t, attrs{"VisibilityTimeout": "0"}), e.createFIFO(t, attrs{"VisibilityTimeout": "0"})
		e.send(t, standard, "b")
		e.put(t, fifo, "g-1")
		got := func(u string, in args) []string {
			t.Helper()
			in["QueueUrl"] = u
			r := e.call(t, "ReceiveMessage", in)
			if len(r.messages(t)) != 1 {
				t.Fatalf("%s", r.Body)
			}
			found := regexp.MustCompile(`"([A-Za-z]+)":"|<Name>([A-Za-z]+)</Name>`).FindAllStringSubmatch(r.Body, -1)
			var list []string
			for _, f := range found {
				if name := f[1] + f[2]; slices.Contains(fifoSystemAttributes, name) {
					list = append(list, name)
				}
			}
			slices.Sort(list)
			return list
		}
		want := func(in args, want ...string) {
			t.Helper()
			if diff := cmp.Diff(want, got(standard, in)); diff != "" {
				t.Errorf("%v (-want +got):\n%s", in, diff)
			}
		}
		want(args{})
		for _, member := range []string{"AttributeNames", "MessageSystemAttributeNames"} {
			want(args{member: list{}})
			want(args{member: list{"SenderId"}}, "SenderId")
			want(args{member: list{"unknown"}})
			want(args{member: list{"All"}}, standardSystemAttributes...)
			if diff := cmp.Diff(fifoSystemAttributes, got(fifo, args{member: list{"All"}})); diff != "" {
				t.Errorf("FIFO (-want +got):\n%s", diff)
			}
		}
		want(args{"AttributeNames": list{"SenderId"}, "MessageSystemAttributeNames": list{"SentTimestamp"}}, "SenderId", "SentTimestamp")
	}, nil},
	{7, "B068", "SequenceNumbersOfASend", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		sent := map[string]string{}
		last := ""
		for i := range 12 {
			body := fmt.Sprint("g", i%3, "-", i)
			number := *e.send(t, u, body, inGroup(body[:2]), as(body)).SequenceNumber
			if !regexp.MustCompile(`^[0-9]{20}$`).MatchString(number) || number <= last {
				t.Errorf("the number %s follows %s", number, last)
			}
			sent[body], last = number, number
		}
		seen := 0
		for seen < 12 {
			ms := e.receive(t, u)
			if len(ms) == 0 {
				t.Fatalf("%d of 12 came", seen)
			}
			for _, m := range ms {
				if got := m.Attributes["SequenceNumber"]; got != sent[*m.Body] {
					t.Errorf("%s came with %q, was sent with %s", *m.Body, got, sent[*m.Body])
				}
				seen++
				e.delete(t, u, m)
			}
		}
	}, nil},
	{7, "B070", "NoNamesNoAttributes", func(t *testing.T, e *env) {
		r := e.call(t, "GetQueueAttributes", args{"QueueUrl": e.create(t, nil)}).wantOK(t)
		if e.wire.query && !strings.Contains(r.Body, "<GetQueueAttributesResult/>") || !e.wire.query && r.Body != "{}" {
			t.Errorf("%s", r.Body)
		}
	}, nil},
}

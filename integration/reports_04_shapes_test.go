package integration

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var reportsOfShapes = []report{
	{4, "B033", "EmptyReceive", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		for _, wait := range []int{-1, 0, 1} {
			in := args{"QueueUrl": u}
			if wait >= 0 {
				in["WaitTimeSeconds"] = wait
			}
			r := e.call(t, "ReceiveMessage", in).wantOK(t)
			if e.wire.query && !strings.Contains(r.Body, "<ReceiveMessageResult/>") || !e.wire.query && r.Body != "{}" {
				t.Errorf("wait %d: %s", wait, r.Body)
			}
		}
	}, nil},
	// Time in a bubble begins in 2000, whose milliseconds have 12 digits.
	{4, "B035", "MillisecondsAsDigits", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		sent := fmt.Sprint(time.Now().UnixMilli())
		e.send(t, u, "b")
		time.Sleep(1234 * time.Millisecond)
		first := fmt.Sprint(time.Now().UnixMilli())
		for range 2 {
			m := e.receiveOneAgain(t, u)
			if got := m.Attributes["SentTimestamp"]; got != sent {
				t.Errorf("sent at %s, want %s", got, sent)
			}
			if got := m.Attributes["ApproximateFirstReceiveTimestamp"]; got != first {
				t.Errorf("first received at %s, want %s", got, first)
			}
			time.Sleep(time.Second)
		}
	}, func(t *testing.T, w wire) {
		e := newEnv(t, shared.get(t), w)
		u := e.create(t, nil)
		e.send(t, u, "b")
		a := e.receiveOne(t, u).Attributes
		sent, first, now := a["SentTimestamp"], a["ApproximateFirstReceiveTimestamp"], fmt.Sprint(time.Now().UnixMilli()+5)
		if digits := regexp.MustCompile(`^[0-9]{13}$`); !digits.MatchString(sent) || !digits.MatchString(first) || sent > first || first > now {
			t.Errorf("sent %s, first received %s, now %s", sent, first, now)
		}
	}},
	{4, "B037", "SecondsAsDigits", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		created := fmt.Sprint(time.Now().Unix())
		want := func(modified string) {
			t.Helper()
			a := e.attributes(t, u, "CreatedTimestamp", "LastModifiedTimestamp")
			if diff := cmp.Diff(attrs{"CreatedTimestamp": created, "LastModifiedTimestamp": modified}, a); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
		want(created)
		time.Sleep(2500 * time.Millisecond)
		want(created)
		e.setAttributes(t, u, attrs{"DelaySeconds": "1"})
		want(fmt.Sprint(time.Now().Unix()))
	}, func(t *testing.T, w wire) {
		e := newEnv(t, shared.get(t), w)
		a := e.attributes(t, e.create(t, nil), "All")
		if digits := regexp.MustCompile(`^[0-9]{10}$`); !digits.MatchString(a["CreatedTimestamp"]) || !digits.MatchString(a["LastModifiedTimestamp"]) {
			t.Errorf("%v", a)
		}
	}},
	{4, "B038", "UnsetAttributesAreAbsent", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		unset := list{"Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId"}
		all := e.call(t, "GetQueueAttributes", args{"QueueUrl": u, "AttributeNames": list{"All"}}).wantOK(t)
		some := e.call(t, "GetQueueAttributes", args{"QueueUrl": u, "AttributeNames": unset}).wantOK(t)
		for _, r := range []*reply{all, some} {
			for _, name := range append(unset, "None", "null") {
				if strings.Contains(r.Body, fmt.Sprint(name)) {
					t.Errorf("%s is in %s", name, r.Body)
				}
			}
		}
		if e.wire.query && !strings.Contains(some.Body, "<GetQueueAttributesResult/>") || !e.wire.query && some.Body != "{}" {
			t.Errorf("%s", some.Body)
		}
	}, nil},
	{4, "B040", "FormOfBatchAnswersInXML", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		form := "Action=SendMessageBatch&QueueUrl=" + u
		for _, n := range []string{"1", "2", "3"} {
			form += "&SendMessageBatchRequestEntry." + n + ".Id=i" + n + "&SendMessageBatchRequestEntry." + n + ".MessageBody=b"
		}
		seen := map[string]bool{}
		uuid := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
		for range 3 {
			r := e.query(t, form).wantOutcome(t, outcome{OK: []string{"i1", "i2", "i3"}})
			id := r.Header.Get("X-Amzn-Requestid")
			if r.Header.Get("Content-Type") != "text/xml" || !strings.Contains(r.Body, "<ResponseMetadata><RequestId>"+id+"</RequestId></ResponseMetadata>") ||
				strings.Count(r.Body, "<SendMessageBatchResultEntry>") != 3 || !uuid.MatchString(id) || seen[id] {
				t.Errorf("%v %s", r.Header, r.Body)
			}
			seen[id] = true
		}
	}, nil},
}

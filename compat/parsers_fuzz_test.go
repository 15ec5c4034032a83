package compat

import (
	"strconv"
	"strings"
	"testing"

	"queues/engine"
)

// FuzzAttributes holds that a value that a queue attribute takes is shown in a
// form that it takes again and that is then the same.
func FuzzAttributes(f *testing.F) {
	for name := range attributes {
		for _, value := range []string{"", "0", "30", "+1", "true", "perQueue", "messageGroup", "{}", "99999999999999999999", "alias/aws/sqs"} {
			f.Add(name, value)
		}
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		a, ok := attributes[name]
		if !ok || a.Parse == nil || name == attrRedrivePolicy { // which looks for its queue, and has a target of its own
			return
		}
		q := &engine.Queue{Name: engine.QueueName{Namespace: engine.Namespace{Account: fuzzCaller.Account, Region: fuzzCaller.Region}, Name: "q"}}
		set := func(value string) (shown string, ok bool) {
			change, err := a.Parse(&attributeReader{ctx: t.Context(), queue: q.Name, creating: true}, value)
			if err != nil {
				return "", false
			}
			change(&q.Settings)
			shown, _ = a.Get(q, engine.Counts{})
			return shown, true
		}
		shown, ok := set(value)
		if !ok {
			return
		}
		if again, ok := set(shown); shown != "" && (!ok || again != shown) {
			t.Errorf("%s %q is shown as %q, which then is %q, %t", name, value, shown, again, ok)
		}
	})
}

// FuzzARN holds that the queue that a resource name stands for has that name.
func FuzzARN(f *testing.F) {
	for _, s := range []string{"", "arn:aws:sqs:us-east-1:000000000000:q", "arn:aws-cn:sqs:cn-north-1:000000000000:q.fifo", "arn:aws:sns:us-east-1:000000000000:q", "arn:::::", "arn:aws:sqs:us-east-1:000000000000:q:r"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, ok := parseARN(s)
		if !ok {
			return
		}
		if name, ok := a.queue(); ok && queueARN(name) != s {
			t.Errorf("%q stands for the queue %q", s, queueARN(name))
		}
	})
}

// FuzzNumber holds that what passes for a number is one to the standard library
// too.
func FuzzNumber(f *testing.F) {
	for _, s := range []string{"", "0", "-1.5e+10", "1e126", "-1E128", ".5", "5.", "+", "1e", "0e99999999", strings.Repeat("9", 38), strings.Repeat("9", 39)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !isNumber(s) {
			return
		}
		if _, err := strconv.ParseFloat(s, 64); err != nil {
			t.Errorf("%q passes for a number: %v", s, err)
		}
	})
}

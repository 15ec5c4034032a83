package compat

import (
	"encoding/json"
	"strings"
	"testing"

	"queues/engine"
	"queues/protocol"
)

var fuzzCaller = Caller{Account: "000000000000", Region: "us-east-1", BaseURL: "http://localhost:9324"}

// Whatever a QueueUrl says, the queue it names has a possible name and account,
// and the URL built for it names the same queue.
func FuzzQueueURL(f *testing.F) {
	for _, url := range []string{
		"", "q", "/q", "http://localhost:9324", "http://h/000000000000/q", "https://sqs.us-east-1.amazonaws.com/111111111111/a.fifo/?x=/y#z",
		"/http://h/222222222222/q", "http://h/queue/us-east-1/333333333333/q", "a%2Fb", "://", "http:////", "q\x00", "/000000000000/",
	} {
		f.Add(url)
	}
	f.Fuzz(func(t *testing.T, url string) {
		name, ok := parseQueueURL(fuzzCaller, url)
		if !ok {
			return
		}
		if !possibleName(name.Name) || !isAccount(name.Account) || name.Region != fuzzCaller.Region {
			t.Fatalf("%q names the impossible queue %+v", url, name)
		}
		again, ok := parseQueueURL(Caller{Account: "999999999999", Region: fuzzCaller.Region}, queueURL(fuzzCaller, name))
		if !ok || again != name {
			t.Errorf("%q names %+v, whose own URL names %+v", url, name, again)
		}
	})
}

// A redrive policy that is accepted reads back as one that means the same.
func FuzzRedrivePolicy(f *testing.F) {
	for _, policy := range []string{
		"", "{}", "null", `{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:q","maxReceiveCount":3}`,
		`{"maxReceiveCount":"0005","deadLetterTargetArn":"arn:aws-cn:sqs:cn-north-1:000000000000:q.fifo"}`, `{"maxReceiveCount":1e2}`,
	} {
		f.Add(policy)
	}
	f.Fuzz(func(t *testing.T, policy string) {
		r, err := readRedrivePolicy(policy, fuzzCaller.Account)
		if err != nil {
			return
		}
		text := renderRedrivePolicy(r)
		again, err := readRedrivePolicy(text, fuzzCaller.Account)
		if err != nil || again != r {
			t.Errorf("%q became %q, which reads as %+v, %v", policy, text, again, err)
		}
		if !rangeMaxReceiveCount.holds(int64(r.MaxReceives)) || r.Target.Account != fuzzCaller.Account {
			t.Errorf("%q was accepted as %+v", policy, r)
		}
	})
}

// An access policy that is accepted is kept JSON-equal and is accepted again in
// the form it is kept in. The same goes for a redrive allow policy.
func FuzzPolicy(f *testing.F) {
	for _, policy := range []string{
		"", "{}", "[]", `{"Statement":[{"Effect":"Allow","Principal":"*","Action":"sqs:*"}]}`, `{"redrivePermission":"denyAll"}`,
		`{"redrivePermission":"byQueue","sourceQueueArns":["arn:aws:sqs:us-east-1:000000000000:q"]}`,
		` {"Version":"2012-10-17","Id":"i","Statement":{"Sid":"\u0000","Effect":"Deny","NotPrincipal":{"AWS":["1","2"]},"NotAction":["SQS:x"],"Condition":{"a":{"b":[1]}}}}`,
	} {
		f.Add(policy)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := readPolicy(text); ok {
			if !sameJSON(text, p.document) || len(p.statements) == 0 {
				t.Errorf("%q is kept as %q", text, p.document)
			}
			if again, ok := readPolicy(p.document); !ok || again.document != p.document {
				t.Errorf("%q is kept as %q, which is not accepted as it is", text, p.document)
			}
		}
		if p, ok := readRedriveAllow(text); ok {
			form := p.render()
			if !json.Valid([]byte(form)) {
				t.Errorf("%q is kept as %q", text, form)
			}
			if again, ok := readRedriveAllow(form); !ok || again.render() != form {
				t.Errorf("%q is kept as %q, which is not accepted as it is", text, form)
			}
		}
	})
}

// No text opens as a token but those made for this listing, and those give back
// what was put in.
func FuzzNextToken(f *testing.F) {
	n := engine.Namespace{Account: fuzzCaller.Account, Region: fuzzCaller.Region}
	of := func(prefix string) listing { return listing{protocol.ListQueues, n, prefix} }
	f.Add("", "a", of("").token("a"))
	f.Add("pre", "prefix.fifo", "AAAA")
	f.Add(strings.Repeat("p", 80), strings.Repeat("q", 80), "=")
	f.Fuzz(func(t *testing.T, prefix, last, token string) {
		if after, err := of(prefix).open(&token); err == nil && token != "" && of(prefix).token(after) != token {
			t.Errorf("%q opens as %q, which makes another token", token, after)
		}
		if len(prefix) > maxQueueName || len(last) > maxQueueName || last == "" {
			return
		}
		made := of(prefix).token(last)
		if after, err := of(prefix).open(&made); err != nil || after != last {
			t.Errorf("the token of %q opens as %q, %v", last, after, err)
		}
		if after, err := of(prefix + "x").open(&made); err == nil {
			t.Errorf("the token opens under another prefix, as %q", after)
		}
		other := of(prefix)
		other.Region = "eu-west-1"
		if after, err := other.open(&made); err == nil {
			t.Errorf("the token opens in another region, as %q", after)
		}
		other = of(prefix)
		other.operation = protocol.ListDeadLetterSourceQueues
		if after, err := other.open(&made); err == nil {
			t.Errorf("the token opens for another action, as %q", after)
		}
	})
}

// Whatever a task handle is, taking it apart does not fail in an unknown way,
// and what comes out of a made one is what went in.
func FuzzTaskHandle(f *testing.F) {
	f.Add(taskHandle(engine.MoveTask{Source: engine.QueueName{Namespace: engine.Namespace{Account: "000000000000", Region: "us-east-1"}, Name: "q"}}))
	f.Add("foobared")
	f.Add("e30=")
	f.Fuzz(func(t *testing.T, handle string) {
		task, source, ok := readTaskHandle(handle)
		if !ok {
			if task+source != "" {
				t.Errorf("%q is no handle but gives %q and %q", handle, task, source)
			}
			return
		}
		id, ok := moveID(task)
		a, isARN := parseARN(source)
		name, isQueue := a.queue()
		if !ok || !isARN || !isQueue {
			return
		}
		made := taskHandle(engine.MoveTask{ID: id, Source: name})
		if again, from, ok := readTaskHandle(made); !ok || again != task || from != source {
			t.Errorf("the handle of %s from %s reads as %q from %q", task, source, again, from)
		}
	})
}

// A policy that is accepted can have a permission added and removed again, and
// is then what it was.
func FuzzPolicyDocument(f *testing.F) {
	f.Add(`{"Statement":{"Sid":"a","Effect":"Allow","Principal":"*","Action":"*"}}`)
	f.Add(`{"Id":"\u003c","Version":"2012-10-17","Statement":[{"Effect":"Deny","Principal":{"AWS":"*"},"Action":["sqs:A"],"Resource":"<&>"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := readPolicy(text)
		if !ok {
			return
		}
		q := &engine.Queue{Settings: engine.Settings{Extra: map[string]string{attrPolicy: p.document}}}
		open, err := openPolicy(q)
		if err != nil {
			t.Fatalf("the accepted policy %s does not open: %v", p.document, err)
		}
		label := "a-label-that-is-not-there"
		if open.add(label, `{"Sid":"`+label+`","Effect":"Allow","Principal":"*","Action":"*"}`) != nil {
			return
		}
		if _, ok := readPolicy(open.render()); !ok && len(open.render()) <= maxPolicy {
			t.Errorf("with a statement more %s is no policy: %s", p.document, open.render())
		}
		if err := open.remove(label); err != nil {
			t.Fatalf("the statement just added: %v", err)
		}
		again, ok := readPolicy(open.render())
		if !ok && len(open.render()) <= maxPolicy || ok && len(again.statements) != len(p.statements) {
			t.Errorf("%s became %s", p.document, open.render())
		}
	})
}

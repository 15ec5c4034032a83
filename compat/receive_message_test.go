package compat_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/engine/storetest"
	"queues/protocol"
)

func TestReceiveMessageFaults(t *testing.T) {
	t.Parallel()
	type in = protocol.ReceiveMessageInput
	tests := map[string]struct {
		in   in
		text string
	}{
		"AttemptID": {in{ReceiveRequestAttemptID: new("x")}, "Value x for parameter ReceiveRequestAttemptId is invalid. Reason: The request include parameter that is not valid for this queue type."},
		"MaxFirst":  {in{MaxNumberOfMessages: new(int32(0)), WaitTimeSeconds: new(int32(21)), VisibilityTimeout: new(int32(-1))}, "Value 0 for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided."},
		"WaitFirst": {in{WaitTimeSeconds: new(int32(21)), VisibilityTimeout: new(int32(-1))}, "Value 21 for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided."},
	}
	for _, n := range []int32{-1, 0, 11, 1000, -2147483648} {
		tests[fmt.Sprint("Max", n)] = struct {
			in   in
			text string
		}{in{MaxNumberOfMessages: &n}, fmt.Sprintf("Value %d for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.", n)}
	}
	for _, n := range []int32{-1, 21, 2147483647} {
		tests[fmt.Sprint("Wait", n)] = struct {
			in   in
			text string
		}{in{WaitTimeSeconds: &n}, fmt.Sprintf("Value %d for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.", n)}
	}
	for _, n := range []int32{-1, 43201, 2147483647} {
		tests[fmt.Sprint("Timeout", n)] = struct {
			in   in
			text string
		}{in{VisibilityTimeout: &n}, fmt.Sprintf("Value %d for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided.", n)}
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			test.in.QueueURL = e.create("q")
			e.send(test.in.QueueURL, "b")
			e.refused(protocol.ReceiveMessage, &test.in, badValue, test.text)
			e.wantCounts(test.in.QueueURL, "1 0 0")
		})
	}
}

func TestReceiveMessageMax(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	for i := range 14 {
		e.send(url, fmt.Sprint(i))
	}
	if got := bodies(e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url})); got != "0" {
		t.Errorf("without a number: %q, want one message", got)
	}
	if got := bodies(e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MaxNumberOfMessages: new(int32(2))})); got != "1 2" {
		t.Errorf("two: %q", got)
	}
	if got := bodies(e.receive(url)); got != "3 4 5 6 7 8 9 10 11 12" {
		t.Errorf("ten: %q", got)
	}
	if got := bodies(e.receive(url)); got != "13" {
		t.Errorf("the rest: %q", got)
	}
	res := e.run(protocol.ReceiveMessage, &protocol.ReceiveMessageInput{QueueURL: url})
	if out := res.Output.(*protocol.ReceiveMessageOutput); out.Messages != nil || res.Undo != nil {
		t.Errorf("nothing to receive: %+v with Undo %t, want no list and no Undo", out, res.Undo != nil)
	}
}

// Request over queue over default; zero is a value.
func TestReceiveMessageTimeouts(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		queue   string
		timeout *int32
		hidden  time.Duration
	}{
		"Default":     {"", nil, 30 * time.Second},
		"Queue":       {"2", nil, 2 * time.Second},
		"QueueZero":   {"0", nil, 0},
		"Request":     {"2", new(int32(5)), 5 * time.Second},
		"RequestZero": {"2", new(int32(0)), 0},
		"RequestMost": {"2", new(int32(43200)), 12 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			var given []string
			if test.queue != "" {
				given = []string{"VisibilityTimeout", test.queue}
			}
			url := e.create("q", given...)
			e.send(url, "b")
			e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, VisibilityTimeout: test.timeout})
			if test.hidden > 0 {
				e.clock.Advance(test.hidden - time.Millisecond)
				e.wantCounts(url, "0 1 0")
				e.clock.Advance(time.Millisecond)
			}
			e.wantCounts(url, "1 0 0")
		})
	}
}

func TestReceiveMessageZeroTimeout(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q", "VisibilityTimeout", "0")
	e.send(url, "b")
	handles := map[string]bool{}
	for i := range 5 {
		got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MaxNumberOfMessages: new(int32(10)), AttributeNames: []string{"ApproximateReceiveCount"}})
		if len(got) != 1 || got[0].Attributes["ApproximateReceiveCount"] != strconv.Itoa(i+1) {
			t.Fatalf("receive %d gave %d messages, the first with %v", i+1, len(got), got[0].Attributes)
		}
		handles[*got[0].ReceiptHandle] = true
	}
	if len(handles) != 5 {
		t.Errorf("%d different handles, want 5", len(handles))
	}
	e.wantCounts(url, "1 0 0")
}

func TestReceiveMessageSystemAttributes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q", "VisibilityTimeout", "0")
	plain := e.create("plain", "VisibilityTimeout", "0")
	in := &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b"), MessageGroupID: new("tenant"), MessageSystemAttributes: attrs{"AWSTraceHeader": text(traceHeader)}}
	e.run(protocol.SendMessage, in)
	e.send(plain, "b")
	sent := strconv.FormatInt(storetest.Epoch.UnixMilli(), 10)
	e.clock.Advance(1500 * time.Millisecond)
	first := strconv.FormatInt(storetest.Epoch.UnixMilli()+1500, 10)
	e.receive(url)
	e.receive(plain)
	e.clock.Advance(time.Hour)

	common := pairs("SenderId", "AIDATESTUSER", "SentTimestamp", sent, "ApproximateFirstReceiveTimestamp", first)
	all := func(n int) map[string]string {
		return with(with(map[string]string{}, "AWSTraceHeader", traceHeader, "MessageGroupId", "tenant", "ApproximateReceiveCount", strconv.Itoa(n)), flat(common)...)
	}
	tests := []struct {
		name     string
		old, new []string
		want     func(n int) map[string]string
	}{
		{"None", nil, nil, func(int) map[string]string { return nil }},
		{"EmptyLists", []string{}, []string{}, func(int) map[string]string { return nil }},
		{"All", nil, []string{"All"}, all},
		{"OldAll", []string{"All"}, nil, all},
		{"One", nil, []string{"SenderId"}, func(int) map[string]string { return pairs("SenderId", "AIDATESTUSER") }},
		{"OldOne", []string{"SenderId"}, nil, func(int) map[string]string { return pairs("SenderId", "AIDATESTUSER") }},
		{"Union", []string{"SenderId"}, []string{"SentTimestamp"}, func(int) map[string]string { return pairs("SenderId", "AIDATESTUSER", "SentTimestamp", sent) }},
		{"UnionWithAll", []string{"SenderId"}, []string{"All"}, all},
		{"Unknown", nil, []string{"not-a-real-name"}, func(int) map[string]string { return nil }},
		{"UnknownBeside", []string{"Policy", "x"}, []string{"MessageGroupId", "x"}, func(int) map[string]string { return pairs("MessageGroupId", "tenant") }},
		{"NotApplicable", nil, []string{"SequenceNumber", "MessageDeduplicationId", "DeadLetterQueueSourceArn", "SqsManagedSseEnabled"}, func(int) map[string]string { return nil }},
		{"OtherCase", nil, []string{"senderid", "all"}, func(int) map[string]string { return nil }},
		{"Count", nil, []string{"ApproximateReceiveCount"}, func(n int) map[string]string { return pairs("ApproximateReceiveCount", strconv.Itoa(n)) }},
	}
	for i, test := range tests {
		got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, AttributeNames: test.old, MessageSystemAttributeNames: test.new})
		if diff := cmp.Diff(test.want(i+2), got[0].Attributes); diff != "" {
			t.Errorf("%s: system attributes (-want +got):\n%s", test.name, diff)
		}
	}
	got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: plain, AttributeNames: []string{"All"}})
	if diff := cmp.Diff(with(common, "ApproximateReceiveCount", "2"), got[0].Attributes); diff != "" {
		t.Errorf("a plain message's system attributes (-want +got):\n%s", diff)
	}
}

// flat gives names and values in turn.
func flat(m map[string]string) []string {
	var list []string
	for name, value := range m {
		list = append(list, name, value)
	}
	return list
}

func TestReceiveMessageAttributeNames(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q", "VisibilityTimeout", "0")
	sent := attrs{"Help.Me": text("Me"), "Hello": text("There"), "General": text("Kenobi")}
	e.run(protocol.SendMessage, &protocol.SendMessageInput{QueueURL: url, MessageBody: new("b"), MessageAttributes: sent})
	const every = "4c360f3fdafd970e05fae2f149d997f5"
	many := make([]string, 20_000)
	for i := range many {
		many[i] = fmt.Sprintf("x%d.*", i)
	}
	tests := map[string]struct {
		names  []string
		want   string
		digest string
	}{
		"None":        {nil, "", ""},
		"Empty":       {[]string{}, "", ""},
		"EmptyName":   {[]string{""}, "", ""},
		"All":         {[]string{"All"}, "General Hello Help.Me", every},
		"DotStar":     {[]string{".*"}, "General Hello Help.Me", every},
		"Star":        {[]string{"*"}, "General Hello Help.Me", every},
		"Exact":       {[]string{"Hello"}, "Hello", "a311262e065454b75da111d535b8dacd"},
		"Two":         {[]string{"General", "Hello"}, "General Hello", "fca026605781cb4126a1e9044df24232"},
		"Prefix":      {[]string{"Hel.*"}, "Hello Help.Me", "83fee93c1bcd8b9a5a923ffacdc636c7"},
		"WholeName":   {[]string{"Hello.*"}, "Hello", "a311262e065454b75da111d535b8dacd"},
		"DotPrefix":   {[]string{"Help..*"}, "Help.Me", ""},
		"Union":       {[]string{"General", "Hel.*", "Nope"}, "General Hello Help.Me", every},
		"OtherCase":   {[]string{"hello", "all", "hel.*"}, "", ""},
		"Illegal":     {[]string{"AWS.", "..foo", "AWS.*", "a!"}, "", ""},
		"StarBehind":  {[]string{"Hel*"}, "", ""},
		"ManyFilters": {append(many, "Gen.*"), "General", ""},
	}
	for name, test := range tests {
		got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MessageAttributeNames: test.names})[0]
		want := attrs{}
		for _, name := range strings.Fields(test.want) {
			want[name] = sent[name]
		}
		if len(want) == 0 {
			want = nil
		}
		if diff := cmp.Diff(want, got.MessageAttributes); diff != "" {
			t.Errorf("%s: attributes (-want +got):\n%s", name, diff)
		}
		switch digest := got.MD5OfMessageAttributes; {
		case (digest == nil) != (want == nil):
			t.Errorf("%s: the digest is %v", name, digest)
		case digest != nil && test.digest != "" && *digest != test.digest:
			t.Errorf("%s: the digest is %s, want %s", name, *digest, test.digest)
		}
	}
}

// At the limit a short poll is refused until a message is deleted or comes back.
func TestReceiveMessageInFlightLimit(t *testing.T) {
	t.Parallel()
	const text = "Too many messages have been received without being deleted.\nPlease delete your received messages or let them timeout before receiving more."
	e := newEnv(t, compat.Options{InFlightLimit: 2})
	url := e.create("q")
	for _, body := range []string{"a", "b", "c"} {
		e.send(url, body)
	}
	held := e.receive(url)
	if bodies(held) != "a b" {
		t.Fatalf("received %q, want as many as the limit leaves room for", bodies(held))
	}
	in := &protocol.ReceiveMessageInput{QueueURL: url}
	e.refused(protocol.ReceiveMessage, in, "OverLimit", text)
	e.wantCounts(url, "1 2 0")
	e.run(protocol.DeleteMessage, &protocol.DeleteMessageInput{QueueURL: url, ReceiptHandle: held[0].ReceiptHandle})
	if got := bodies(e.receive(url)); got != "c" {
		t.Errorf("after a delete: %q", got)
	}
}

// Undo makes messages visible as if they had not been received.
func TestReceiveMessageUndo(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	e.send(url, "a")
	e.send(url, "b")
	res := e.run(protocol.ReceiveMessage, &protocol.ReceiveMessageInput{QueueURL: url, MaxNumberOfMessages: new(int32(10))})
	e.wantCounts(url, "0 2 0")
	res.Undo(t.Context())
	e.wantCounts(url, "2 0 0")
	got := e.receiveAs(&protocol.ReceiveMessageInput{QueueURL: url, MaxNumberOfMessages: new(int32(10)), AttributeNames: []string{"ApproximateReceiveCount"}})
	if bodies(got) != "a b" || got[0].Attributes["ApproximateReceiveCount"] != "1" {
		t.Errorf("received %q, the first for the %sth time", bodies(got), got[0].Attributes["ApproximateReceiveCount"])
	}
}

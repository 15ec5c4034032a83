package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"queues/engine"
)

func sendTests() []test {
	return []test{
		{"ComesBackUnchanged", testSendFidelity},
		{"LargeBody", testSendLarge},
		{"ManyAttributes", testSendAttributes},
		{"Results", testSendResults},
		{"SequenceGrows", testSequence},
		{"CopiesItsInput", testSendCopies},
		{"DeliveriesAreTheCallers", testDeliveryCopies},
		{"LargeBatch", testSendBatch},
	}
}

// oddTexts are texts that a careless store bends.
var oddTexts = []string{
	"", " ", "plain", "trailing \n", "\x00", "a\x00b", "ünïcödé \U0001f600", "\xff\xfe not utf-8 \xc3",
	"'; DROP TABLE messages; --", "%s %d", "1", "1.0", "NULL", "\r\n\t", "\ufeffbom", "e\u0301",
}

func testSendFidelity(t testing.TB, e *env) {
	q := e.create("q")
	for i, text := range oddTexts {
		other := oddTexts[(i+3)%len(oddTexts)]
		want := engine.Message{
			ID: newID(), Body: text, Sender: other, Trace: text, Group: other, Dedup: text,
			Attributes: []engine.Attribute{
				{Name: "z" + text, Type: "String", Value: []byte(text)},
				{Name: "a", Type: "Number.int", Value: []byte("1.50")},
				{Name: "", Type: "", Value: nil},
				{Name: other, Type: "Binary." + other, Value: []byte{0, 255, 0}},
			},
		}
		e.sendAll(q, engine.NewMessage{Message: want})
		got := e.receive(q, 10)
		if len(got) != 1 {
			t.Fatalf("%q: received %d messages", text, len(got))
		}
		if d := cmp.Diff(want, got[0].Message, cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%q (-sent +received):\n%s", text, d)
		}
		if got[0].Handle != "" {
			t.Errorf("the store set the handle %q", got[0].Handle)
		}
	}
	e.clock.Advance(time.Minute)
	for i, d := range e.receive(q, 100) {
		if d.Body != oddTexts[i] {
			t.Errorf("the second receive gave %q, want %q", d.Body, oddTexts[i])
		}
	}
}

func testSendLarge(t testing.TB, e *env) {
	q := e.create("q")
	sizes := []int{1, 1023, 1024, 4095, 4096, 4097, 65535, 65536, 1<<20 - 1, 1 << 20}
	for _, n := range sizes {
		e.sendAll(q, message(strings.Repeat("x", n-1)+"y"))
	}
	got := e.receive(q, len(sizes))
	if len(got) != len(sizes) {
		t.Fatalf("received %d messages, want %d", len(got), len(sizes))
	}
	for i, n := range sizes {
		if len(got[i].Body) != n || got[i].Body[n-1] != 'y' {
			t.Errorf("a body of %d bytes came back with %d", n, len(got[i].Body))
		}
	}
}

func testSendAttributes(t testing.TB, e *env) {
	q := e.create("q")
	n := message("a")
	for i := range 100 {
		n.Attributes = append(n.Attributes, engine.Attribute{
			Name: fmt.Sprintf("name-%d", 99-i), Type: "Binary", Value: randomBytes(i * 10),
		})
	}
	e.sendAll(q, n)
	if d := cmp.Diff(n.Message, e.one(q, "a").Message, cmpopts.EquateEmpty()); d != "" {
		t.Errorf("(-sent +received):\n%s", d)
	}
}

func testSendResults(t testing.TB, e *env) {
	q := e.create("q")
	messages := []engine.NewMessage{message("a"), message("b"), message("c")}
	e.clock.Advance(time.Hour)
	sent := e.sendAll(q, messages...)
	at := e.clock.Now()
	e.clock.Advance(time.Minute)
	for i, d := range e.expect(q, "a b c") {
		if sent[i].ID != messages[i].ID || d.ID != sent[i].ID {
			t.Errorf("message %d: sent as %v, answered %v, received as %v", i, messages[i].ID, sent[i].ID, d.ID)
		}
		if d.Sequence != sent[i].Sequence {
			t.Errorf("message %d: sequence %d on send, %d on receive", i, sent[i].Sequence, d.Sequence)
		}
		if !d.Sent.Equal(at) {
			t.Errorf("message %d was sent at %v, want %v", i, d.Sent, at)
		}
	}
}

func testSequence(t testing.TB, e *env) {
	q := e.create("q")
	var last uint64
	grow := func(sent []engine.Sent) {
		for _, s := range sent {
			if s.Sequence <= last {
				t.Fatalf("sequence %d follows %d", s.Sequence, last)
			}
			last = s.Sequence
		}
	}
	for round := range 5 {
		grow(e.send(q, "a b c"))
		grow(e.sendLater(q, time.Minute, "d"))
		e.send(e.create(fmt.Sprintf("other-%d", round)), "x")
		switch round {
		case 0:
			got := e.receive(q, 10)
			e.ack(q, engine.StaleFails, refsOf(got), ok, ok, ok)
		case 1:
			e.purge(q)
		case 2:
			e.drain()
		case 3:
			e.clock.Advance(30 * 24 * time.Hour)
			e.wantSizes(q, 0, 0, 0)
		}
	}
}

func testSendCopies(t testing.TB, e *env) {
	q := e.create("q")
	delay := time.Duration(0)
	n := message("a")
	n.Delay = &delay
	n.Attributes = []engine.Attribute{{Name: "n", Type: "String", Value: []byte("value")}}
	messages := []engine.NewMessage{n, message("b")}
	e.sendAll(q, messages...)
	delay = time.Hour
	n.Attributes[0].Value[0] = 'X'
	n.Attributes[0].Name = "changed"
	messages[1].Body = "changed"

	got := e.expect(q, "a b")
	if a := got[0].Attributes[0]; a.Name != "n" || string(a.Value) != "value" {
		t.Errorf("the stored message follows the sender's: %+v", a)
	}
}

func testDeliveryCopies(t testing.TB, e *env) {
	q := e.create("q")
	n := message("a")
	n.Attributes = []engine.Attribute{{Name: "n", Type: "String", Value: []byte("value")}}
	e.sendAll(q, n)
	first := e.expectFor(q, 0, "a")[0]
	first.Attributes[0].Value[0] = 'X'
	first.Attributes[0].Name = "changed"
	if a := e.one(q, "a").Attributes[0]; a.Name != "n" || string(a.Value) != "value" {
		t.Errorf("the stored message follows the receiver's: %+v", a)
	}
}

func testSendBatch(t testing.TB, e *env) {
	const n = 1500
	q := e.create("q")
	messages := make([]engine.NewMessage, n)
	for i := range messages {
		messages[i] = message(fmt.Sprint(i))
	}
	e.sendAll(q, messages...)
	e.wantSizes(q, n, 0, 0)
	for i := 0; i < n; {
		got := e.receive(q, 100)
		if len(got) == 0 {
			t.Fatalf("only %d of %d messages came back", i, n)
		}
		for _, d := range got {
			if d.Body != fmt.Sprint(i) {
				t.Fatalf("received %q, want %d", d.Body, i)
			}
			i++
		}
	}
}

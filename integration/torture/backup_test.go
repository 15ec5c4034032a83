//go:build linux

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"queues/integration/torture/history"
	"queues/integration/torture/load"
	"queues/integration/torture/powercut"
	"queues/integration/torture/wire"
)

// binary builds the real server.
func binary(t *testing.T) string {
	t.Helper()
	path, err := build(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// backupTest is a server with a few messages, and the judge of its copies.
type backupTest struct {
	*testing.T
	c   *copier
	out *torture
}

// send sends a message and notes it in the history.
func (b *backupTest) send(key string) {
	b.Helper()
	h := b.c.load.History
	start := h.Now()
	a := b.c.load.Client.Call(b.Context(), "SendMessage", wire.Args{"QueueUrl": wire.QueueURL("plain"), "MessageBody": load.Body(key)})
	if a.Outcome != history.Done {
		b.Fatalf("SendMessage: %+v", a)
	}
	h.Add(history.Event{Op: history.Send, Queue: "plain", Key: key, ID: a.MessageId, Start: start, End: h.Now(), Outcome: history.Done})
}

// remove deletes a message, which nobody notes.
func (b *backupTest) remove(key string) {
	b.Helper()
	url := wire.QueueURL("plain")
	a := b.c.load.Client.Call(b.Context(), "ReceiveMessage", wire.Args{"QueueUrl": url, "MaxNumberOfMessages": 10, "VisibilityTimeout": 0})
	for _, m := range a.Messages {
		if got, _ := load.Key(m.Body); got != key {
			continue
		}
		if a := b.c.load.Client.Call(b.Context(), "DeleteMessage", wire.Args{"QueueUrl": url, "ReceiptHandle": m.ReceiptHandle}); a.Outcome != history.Done {
			b.Fatalf("DeleteMessage: %+v", a)
		}
		return
	}
	b.Fatalf("%s is not received: %+v", key, a)
}

// noteRemoval writes down that a message was received and deleted.
func (b *backupTest) noteRemoval(key string) {
	h := b.c.load.History
	now, call, handle := h.Now(), h.NewCall(), h.NewHandle()
	h.Add(
		history.Event{Op: history.Receive, Queue: "plain", Start: now, End: now, Outcome: history.Done, Call: call},
		history.Event{Op: history.Deliver, Queue: "plain", Key: key, Start: now, End: now, Outcome: history.Done, Call: call, Handle: handle, Hidden: time.Hour},
		history.Event{Op: history.Delete, Queue: "plain", Key: key, Start: now, End: now, Outcome: history.Done, Handle: handle},
	)
}

// judge makes a copy, lets spoil do something to it, and gives what the judge
// says.
func (b *backupTest) judge(spoil func(data []byte) []byte) string {
	b.Helper()
	admin, err := adminOf(b.c.server)
	if err != nil {
		b.Fatal(err)
	}
	file := filepath.Join(b.c.copies, "copy.db")
	if err := os.RemoveAll(file); err != nil {
		b.Fatal(err)
	}
	before := b.c.load.History.Now()
	if out, err := exec.CommandContext(b.Context(), b.out.server, "backup", "--admin="+admin, file).CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	after := b.c.load.History.Now()
	if spoil != nil {
		data, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file, spoil(data), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.out.violations = nil
	if err := b.c.judge(b.Context(), file, before, after); err != nil {
		b.Fatal(err)
	}
	return strings.Join(b.out.violations, "\n")
}

// TestBackupCanFail gives the judge of the part backup copies that are not what
// they should be.
func TestBackupCanFail(t *testing.T) {
	t.Parallel()
	out := &torture{settings: settings{Short: true}, server: binary(t), dir: t.TempDir(), out: io.Discard, begun: time.Now()}
	c, err := newCopier(out, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.start(); err != nil {
		t.Fatal(err)
	}
	defer func() { c.server.kill() }()
	b := &backupTest{T: t, c: c, out: out}
	if err := load.Create(t.Context(), c.load.Client); err != nil {
		t.Fatal(err)
	}
	if err := fillBallast(t.Context(), c.load.Client, c.ballast); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"gone", "kept", "missed"} {
		b.send(key)
	}
	b.remove("gone")
	b.noteRemoval("gone")
	if got := b.judge(nil); got != "" || c.made != 1 {
		t.Fatalf("a good copy: %s", got)
	}
	page := func(data []byte) int { return bytes.Index(data, []byte(load.Body(ballast + "-1")[50_000:50_100])) }
	for name, tc := range map[string]struct {
		spoil func([]byte) []byte
		says  string
	}{
		"Half": {func(data []byte) []byte { return data[:len(data)/2/4096*4096] }, "check"},
		"TornPage": {func(data []byte) []byte {
			return append(append(data[:8192:8192], make([]byte, 2048)...), data[8192+2048:]...)
		}, "check"},
		"TornMessage": {func(data []byte) []byte { clear(data[page(data):][:100]); return data }, "without or with an altered ballast-1"},
	} {
		if got := b.judge(tc.spoil); !strings.Contains(got, tc.says) {
			t.Errorf("%s: the judge says %q, want %q in it", name, got, tc.says)
		}
	}
	b.remove("missed")
	if got := b.judge(nil); !strings.Contains(got, "lost: missed") || strings.Contains(got, "kept") {
		t.Errorf("a message is missing, and the judge says %q", got)
	}
	b.noteRemoval("kept")
	if got := b.judge(nil); !strings.Contains(got, "back again: kept") {
		t.Errorf("a deleted message is there, and the judge says %q", got)
	}
	c.ballast++
	if got := b.judge(nil); !strings.Contains(got, "has 2 of 3 messages of ballast") {
		t.Errorf("a large message is missing, and the judge says %q", got)
	}
}

// TestJudgeCopy holds what a client's folder may have after a power cut.
func TestJudgeCopy(t *testing.T) {
	t.Parallel()
	made := []byte("whole")
	for name, tc := range map[string]struct {
		image    powercut.Image
		made     []byte
		answered bool
		says     string
	}{
		"NotYet":       {powercut.Image{}, made, false, ""},
		"Whole":        {powercut.Image{copyName: made}, made, true, ""},
		"WholeEarly":   {powercut.Image{copyName: made}, made, false, ""},
		"NameTaken":    {powercut.Image{copyName: nil}, made, false, ""},
		"NameAlone":    {powercut.Image{copyName: nil}, made, true, "not whole"},
		"Gone":         {powercut.Image{".queues-backup-1.tmp": made}, made, true, "gone"},
		"Torn":         {powercut.Image{copyName: []byte("who\x00\x00")}, made, false, "not whole"},
		"FailedAndIs":  {powercut.Image{copyName: made}, nil, false, "failed"},
		"FailedAndNot": {powercut.Image{}, nil, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := judgeCopy(tc.image, tc.made, tc.answered); !strings.Contains(got, tc.says) || tc.says == "" && got != "" {
				t.Errorf("got %q, want %q in it", got, tc.says)
			}
		})
	}
}

package compat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

func (e *env) tags(url *string) map[string]string {
	e.t.Helper()
	return do[*protocol.ListQueueTagsOutput](e, protocol.ListQueueTags, &protocol.ListQueueTagsInput{QueueURL: url}).Tags
}

func TestTags(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.create("q")
	if got := e.tags(url); len(got) != 0 {
		t.Errorf("a new queue has tags: %v", got)
	}
	modified := e.attributes(url, "LastModifiedTimestamp")
	e.clock.Advance(time.Hour)
	if out := e.run(protocol.TagQueue, &protocol.TagQueueInput{QueueURL: url, Tags: pairs("a", "1", "A", "2", "empty", "")}).Output; out != nil {
		t.Errorf("the output is %v, want none", out)
	}
	e.run(protocol.TagQueue, &protocol.TagQueueInput{QueueURL: url, Tags: pairs("a", "3", "b", "4")})
	if diff := cmp.Diff(pairs("a", "3", "A", "2", "empty", "", "b", "4"), e.tags(url)); diff != "" {
		t.Errorf("after two calls (-want +got):\n%s", diff)
	}
	if out := e.run(protocol.UntagQueue, &protocol.UntagQueueInput{QueueURL: url, TagKeys: []string{"a", "none", "empty", "a"}}).Output; out != nil {
		t.Errorf("the output is %v, want none", out)
	}
	if diff := cmp.Diff(pairs("A", "2", "b", "4"), e.tags(url)); diff != "" {
		t.Errorf("after a removal (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(modified, e.attributes(url, "LastModifiedTimestamp")); diff != "" {
		t.Errorf("tags changed the time of the last change (-want +got):\n%s", diff)
	}
	for _, tags := range []map[string]string{nil, {}} {
		e.refused(protocol.TagQueue, &protocol.TagQueueInput{QueueURL: url, Tags: tags}, missingMember, "The request must contain the parameter Tags.")
	}
	for _, keys := range [][]string{nil, {}} {
		e.refused(protocol.UntagQueue, &protocol.UntagQueueInput{QueueURL: url, TagKeys: keys}, missingMember, "The request must contain the parameter TagKeys.")
	}
}

func TestTagForms(t *testing.T) {
	t.Parallel()
	const (
		keyLength   = "Tag keys must be between 1 and 128 characters in length."
		keyChars    = "Tag keys may only contain unicode letters, digits, whitespace, or one of these symbols: _ . : / = + - @"
		valueLength = "Tag values must be between 0 and 256 characters in length."
		valueChars  = "Tag values may only contain unicode letters, digits, whitespace, or one of these symbols: _ . : / = + - @"
		reserved    = "Tag keys must not begin with 'aws:'. This prefix is reserved for internal use."
	)
	tests := map[string]struct{ key, value, text string }{
		"Plain":        {"k", "v", ""},
		"Symbols":      {"_.:/=+-@ 1", "_.:/=+-@ 1", ""},
		"Letters":      {"ключ", "значение", ""},
		"LongestKey":   {strings.Repeat("é", 128), "", ""},
		"LongestValue": {"k", strings.Repeat("é", 256), ""},
		"AwsInside":    {"my:aws:x", "aws:x", ""},
		"EmptyKey":     {"", "v", keyLength},
		"LongKey":      {strings.Repeat("é", 129), "v", keyLength},
		"LongValue":    {"k", strings.Repeat("é", 257), valueLength},
		"Reserved":     {"aws:x", "v", reserved},
		"ReservedCase": {"AWS:x", "v", reserved},
		"BadKey":       {"a!b", "v", keyChars},
		"BadValue":     {"k", "a<b", valueChars},
		"ControlKey":   {"a\x00", "v", keyChars},
		"VerticalTab":  {"k", "\v", valueChars},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.create("q")
			e.run(protocol.TagQueue, &protocol.TagQueueInput{QueueURL: url, Tags: pairs("kept", "1")})
			in := &protocol.TagQueueInput{QueueURL: url, Tags: pairs(test.key, test.value, "good", "1")}
			create := &protocol.CreateQueueInput{QueueName: new("new"), Tags: in.Tags}
			if test.text != "" {
				e.refused(protocol.TagQueue, in, badValue, test.text)
				if diff := cmp.Diff(pairs("kept", "1"), e.tags(url)); diff != "" {
					t.Errorf("the tags changed (-want +got):\n%s", diff)
				}
				e.refused(protocol.CreateQueue, create, badValue, test.text)
				e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: new("new")}, noQueue, "")
				return
			}
			e.run(protocol.TagQueue, in)
			if diff := cmp.Diff(pairs(test.key, test.value, "good", "1", "kept", "1"), e.tags(url)); diff != "" {
				t.Errorf("unlike the tags wanted (-want +got):\n%s", diff)
			}
			made := do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, create).QueueURL
			if diff := cmp.Diff(pairs(test.key, test.value, "good", "1"), e.tags(made)); diff != "" {
				t.Errorf("the tags of a new queue (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTagLimit(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	tags := map[string]string{}
	for i := range 50 {
		tags[fmt.Sprint("k", i)] = "v"
	}
	url := do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, &protocol.CreateQueueInput{QueueName: new("q"), Tags: tags}).QueueURL
	const text = "Too many tags added for queue q."
	e.refused(protocol.TagQueue, &protocol.TagQueueInput{QueueURL: url, Tags: pairs("k0", "changed", "more", "v")}, badValue, text)
	if diff := cmp.Diff(tags, e.tags(url)); diff != "" {
		t.Errorf("the tags changed (-want +got):\n%s", diff)
	}
	e.run(protocol.TagQueue, &protocol.TagQueueInput{QueueURL: url, Tags: pairs("k0", "changed")})
	more := map[string]string{"more": "v"}
	for k, v := range tags {
		more[k] = v
	}
	e.refused(protocol.CreateQueue, &protocol.CreateQueueInput{QueueName: new("q"), Tags: more}, badValue, text)
}

package load

import (
	"bytes"
	"html"
	"strings"
)

// member is a name that is looked for in answers.
type member struct{ json, xml []byte }

func newMember(name string) member { return member{[]byte(`"` + name + `"`), []byte("<" + name + ">")} }

var (
	memberMessageID = newMember("MessageId")
	memberHandle    = newMember("ReceiptHandle")
	memberEntryID   = newMember("Id")
	memberFailed    = newMember("SenderFault") // every failed entry has it
	memberCode      = newMember("Code")
	memberType      = newMember("__type")
	memberQueueURL  = newMember("QueueUrl")
	memberWaiting   = []byte("ApproximateNumberOfMessages")
)

// next finds the next member in a body and gives what comes after its name:
// the value and the rest. In JSON a name in a text has escaped quotes and so
// does not match.
func (p Protocol) next(body []byte, m member) (rest []byte, ok bool) {
	if p == Query {
		_, rest, ok = bytes.Cut(body, m.xml)
		return rest, ok
	}
	for {
		_, after, found := bytes.Cut(body, m.json)
		if !found {
			return nil, false
		}
		body = after
		if rest, ok := bytes.CutPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte(":")); ok {
			return bytes.TrimLeft(rest, " \t\r\n"), true
		}
	}
}

// values finds the texts that a member has in a body, in order, up to the end
// of the body. JSON's stay escaped as they are, ready for another request.
func (p Protocol) values(body []byte, m member, each func(value []byte)) {
	for {
		rest, ok := p.next(body, m)
		if !ok {
			return
		}
		mark := byte('<')
		if p == JSON {
			if rest, ok = bytes.CutPrefix(rest, []byte{'"'}); !ok {
				body = rest
				continue
			}
			mark = '"'
		}
		end := bytes.IndexByte(rest, mark)
		if end < 0 {
			return
		}
		value := rest[:end]
		if p == Query && bytes.IndexByte(value, '&') >= 0 {
			value = []byte(html.UnescapeString(string(value)))
		}
		each(value)
		body = rest[end:]
	}
}

// count is how often a body has a member.
func (p Protocol) count(body []byte, m member) int {
	n := 0
	for rest, ok := p.next(body, m); ok; rest, ok = p.next(rest, m) {
		n++
	}
	return n
}

// first is the first text of a member; empty for none.
func (p Protocol) first(body []byte, m member) string {
	got := ""
	p.values(body, m, func(value []byte) {
		if got == "" {
			got = string(value)
		}
	})
	return got
}

// errorCode finds the code of an error in either protocol.
func errorCode(body []byte) string {
	if code := Query.first(body, memberCode); code != "" {
		return code
	}
	code := JSON.first(body, memberType)
	return code[strings.LastIndexByte(code, '#')+1:]
}

// entries counts what succeeded in a batch of n and gives an error unless all
// did.
func (p Protocol) entries(body []byte, n int) (int, error) {
	failed := p.count(body, memberFailed)
	if done := p.count(body, memberEntryID) - failed; done != n {
		e := &EntryError{Done: done, Of: n, Body: string(clip(body))}
		if failed > 0 {
			e.Code = p.first(body, memberCode)
		}
		return 0, e
	}
	return n, nil
}

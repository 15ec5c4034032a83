package load

import (
	"bytes"
	"slices"
)

// Judge tells whether the body of an answer 200 to a request is right. Judges
// look for texts and parse nothing: what they cost is the generator's.
type Judge func(r *Request, body []byte) bool

// Nothing is the answer of actions that only say that they have done it.
func Nothing(r *Request, body []byte) bool {
	if r.wire.Protocol == JSON {
		return len(body) == 0
	}
	return contains(body, []byte("<"+r.Action.String()+"Response")) && !contains(body, []byte("Result"))
}

// Queue is an answer that names a queue by its URL.
func Queue(url string) Judge {
	return func(r *Request, body []byte) bool {
		rest, ok := r.wire.Protocol.next(body, memberQueueURL)
		if ok && r.wire.Protocol == JSON {
			rest, ok = bytes.CutPrefix(rest, []byte{'"'})
		}
		rest, same := bytes.CutPrefix(rest, []byte(url))
		return ok && same && len(rest) > 0 && (rest[0] == '"' || rest[0] == '<')
	}
}

// Queues is a list of n queues whose names begin with a prefix, and maybe of
// others.
func Queues(prefix string, n int) Judge { return Times("/"+prefix, n) }

// Times is an answer in which a text stands n times.
func Times(text string, n int) Judge {
	wanted := []byte(text)
	return func(_ *Request, body []byte) bool { return bytes.Count(body, wanted) == n }
}

// Members is an answer in which a member stands n times.
func Members(name string, n int) Judge {
	m := newMember(name)
	return func(r *Request, body []byte) bool { return r.wire.Protocol.count(body, m) == n }
}

// Texts is an answer that has members with these texts, given as names and
// values in turns, and maybe others. This and what follows expects JSON without
// white space, as SQS writes it, and texts that need no escapes.
func Texts(members ...string) Judge {
	return all(members, func(name, value string) string { return "<" + name + ">" + value + "</" + name + ">" })
}

// Attributes is an answer that has attributes, given as names and values in
// turns, and maybe others.
func Attributes(attributes ...string) Judge {
	return all(attributes, func(name, value string) string { return "<Name>" + name + "</Name><Value>" + value + "</Value>" })
}

// Tags is an answer that has tags, given as keys and values in turns, and no
// others.
func Tags(tags ...string) Judge {
	have, n := all(tags, func(key, value string) string { return "<Key>" + key + "</Key><Value>" + value + "</Value>" }), len(tags)/2
	return func(r *Request, body []byte) bool {
		if !have(r, body) {
			return false
		}
		if r.wire.Protocol == Query {
			return bytes.Count(body, []byte("<Key>")) == n
		}
		return n == 0 && !contains(body, []byte(`"Tags"`)) || bytes.Count(body, []byte{'"'}) == 4*n+2
	}
}

// all is an answer that has all of some names and values, given in turns. In
// JSON each pair looks the same; xml writes one for Query.
func all(pairs []string, xml func(name, value string) string) Judge {
	var wanted [][2][]byte
	for i := 0; i+1 < len(pairs); i += 2 {
		name, value := pairs[i], pairs[i+1]
		wanted = append(wanted, [2][]byte{JSON: []byte(`"` + name + `":"` + value + `"`), Query: []byte(xml(name, value))})
	}
	return func(r *Request, body []byte) bool {
		return !slices.ContainsFunc(wanted, func(w [2][]byte) bool { return !contains(body, w[r.wire.Protocol]) })
	}
}

var memberTaskHandle = newMember("TaskHandle")

// TaskHandleIn gives the handle in the answer to the start of a move task; empty
// for none.
func (w *Wire) TaskHandleIn(body []byte) string { return w.Protocol.first(body, memberTaskHandle) }

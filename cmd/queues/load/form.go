package load

import (
	"strconv"
	"strings"
)

// form writes the body of a request in either protocol. Members come in the
// order in which they are written; entries of a batch come last but for the
// queue's URL.
type form struct {
	b     []byte
	query bool
	// list is the name of the batch's entries and entry the number of the
	// present one, in Query only.
	list  string
	entry int
	some  bool
}

// begin starts a body in the room of dst.
func (w *Wire) begin(dst []byte, a Action) form {
	f := form{b: dst[:0], query: w.Protocol == Query}
	if f.query {
		f.b = append(f.b, "Action="...)
		f.b = append(f.b, a.String()...)
		f.b = append(f.b, "&Version=2012-11-05"...)
	} else {
		f.b = append(f.b, '{')
	}
	return f
}

// name writes what comes before a value.
func (f *form) name(name string) {
	if f.query {
		f.b = append(f.b, '&')
		if f.list != "" {
			f.b = append(f.b, f.list...)
			f.b = append(f.b, '.')
			f.b = strconv.AppendInt(f.b, int64(f.entry), 10)
			f.b = append(f.b, '.')
		}
		f.b = append(f.b, name...)
		f.b = append(f.b, '=')
		return
	}
	if f.some {
		f.b = append(f.b, ',')
	}
	f.some = true
	f.b = append(f.b, '"')
	f.b = append(f.b, name...)
	f.b = append(f.b, '"', ':')
}

// encoded writes a text that is written as the protocol wants it.
func (f *form) encoded(name, value string) {
	f.name(name)
	if f.query {
		f.b = append(f.b, value...)
		return
	}
	f.b = append(f.b, '"')
	f.b = append(f.b, value...)
	f.b = append(f.b, '"')
}

// text writes a text that needs no escapes in JSON, as names, handles and URLs.
func (f *form) text(name, value string) {
	if !f.query {
		f.encoded(name, value)
		return
	}
	f.name(name)
	const hex = "0123456789ABCDEF"
	for i := range len(value) {
		switch c := value[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '~':
			f.b = append(f.b, c)
		default:
			f.b = append(f.b, '%', hex[c>>4], hex[c&15])
		}
	}
}

// number writes a whole number.
func (f *form) number(name string, n int) {
	f.name(name)
	f.b = strconv.AppendInt(f.b, int64(n), 10)
}

// next begins the entry i of a batch, from 0, with its id.
func (f *form) next(a Action, i int) {
	switch {
	case f.query:
		f.list, f.entry = entryLists[a], i+1
	case i == 0:
		f.name("Entries")
		f.b = append(f.b, '[', '{')
	default:
		f.b = append(f.b, '}', ',', '{')
	}
	f.some = false
	f.name("Id")
	if !f.query {
		f.b = append(f.b, '"')
	}
	f.b = append(f.b, 'm')
	f.b = strconv.AppendInt(f.b, int64(i), 10)
	if !f.query {
		f.b = append(f.b, '"')
	}
}

// entryLists are the names of entries in Query.
var entryLists = map[Action]string{
	SendMessageBatch:             "SendMessageBatchRequestEntry",
	DeleteMessageBatch:           "DeleteMessageBatchRequestEntry",
	ChangeMessageVisibilityBatch: "ChangeMessageVisibilityBatchRequestEntry",
}

// endEntries ends the entries of a batch.
func (f *form) endEntries() {
	f.list = ""
	if !f.query {
		f.b = append(f.b, '}', ']')
	}
	f.some = true
}

// attributes writes the names and values of attributes, in turns.
func (f *form) attributes(pairs ...string) { f.pairs("Attributes", "Attribute", "Name", pairs) }

// pairs writes a map, given as names and values in turns, where Query wants the
// list's name in the singular and the name of what names a value.
func (f *form) pairs(json, query, key string, pairs []string) {
	if f.query {
		for i := 0; i+1 < len(pairs); i += 2 {
			f.list, f.entry = query, i/2+1
			f.text(key, pairs[i])
			f.text("Value", pairs[i+1])
		}
		f.list = ""
		return
	}
	f.name(json)
	f.b = append(f.b, '{')
	f.some = false
	for i := 0; i+1 < len(pairs); i += 2 {
		f.text(pairs[i], strings.ReplaceAll(pairs[i+1], `"`, `\"`)) // a value may be JSON itself
	}
	f.b = append(f.b, '}')
	f.some = true
}

// texts writes a list of texts, whose name Query wants in the singular.
func (f *form) texts(json, query string, values ...string) {
	if f.query {
		for i, v := range values {
			f.text(query+"."+strconv.Itoa(i+1), v)
		}
		return
	}
	f.name(json)
	f.b = append(f.b, '[')
	for i, v := range values {
		if i > 0 {
			f.b = append(f.b, ',')
		}
		f.b = append(f.b, '"')
		f.b = append(f.b, v...)
		f.b = append(f.b, '"')
	}
	f.b = append(f.b, ']')
}

// end finishes the body with the queue's URL, unless that is empty.
func (f *form) end(queue string) []byte {
	if queue != "" {
		f.text("QueueUrl", queue)
	}
	if !f.query {
		f.b = append(f.b, '}')
	}
	return f.b
}

package protocol

import (
	"encoding/base64"
	"reflect"
	"unicode/utf8"
)

const (
	xmlType      = "text/xml"
	xmlDecl      = `<?xml version="1.0"?>`
	xmlNamespace = ` xmlns="http://queue.amazonaws.com/doc/2012-11-05/">`
)

// xmlFrame is what stands around the members of one operation's answer.
type xmlFrame struct {
	// head goes up to and includes the opening tag of the result, if any.
	head string
	// full and empty close the result, which has members or has none; both go
	// up to the request id. Without an output they are the same.
	full, empty string
	// tail comes after the request id.
	tail string
}

func newXMLFrame(op Operation, hasOutput bool) xmlFrame {
	name := string(op)
	const metadata = "<ResponseMetadata><RequestId>"
	f := xmlFrame{
		head:  xmlDecl + "<" + name + "Response" + xmlNamespace,
		full:  metadata,
		empty: metadata,
		tail:  "</RequestId></ResponseMetadata></" + name + "Response>",
	}
	if hasOutput {
		f.full = "</" + name + "Result>" + metadata
		f.empty = "<" + name + "Result/>" + metadata
		f.head += "<" + name + "Result>"
	}
	return f
}

// appendXMLAnswer writes a whole successful answer. The zero Value is an empty
// output.
func appendXMLAnswer(b []byte, s *spec, v reflect.Value, requestID string) []byte {
	b = append(b, s.xml.head...)
	before := len(b)
	if v.IsValid() {
		b = appendXMLStruct(b, s.output, v)
	}
	switch {
	case s.output == nil || len(b) > before:
		b = append(b, s.xml.full...)
	default:
		opening := len("<") + len(s.op) + len("Result>")
		b = append(b[:before-opening], s.xml.empty...)
	}
	b = appendXMLText(b, requestID)
	return append(b, s.xml.tail...)
}

// appendXMLStruct writes a struct's members, in the struct's order. Lists and
// maps are flattened: each item is an element of its own beside the others.
func appendXMLStruct(b []byte, s *shape, v reflect.Value) []byte {
	for i := range s.fields {
		f := &s.fields[i]
		member := v.Field(f.index)
		if isAbsent(f.shape, member) {
			continue
		}
		switch f.shape.kind {
		case kindList:
			for i := range member.Len() {
				b = append(b, f.open...)
				b = appendXMLValue(b, f.shape.elem, member.Index(i))
				b = append(b, f.close...)
			}
		case kindMap:
			eachEntry(member, func(key string, elem reflect.Value) {
				b = appendXMLText(append(b, f.open...), key)
				b = append(b, f.middle...)
				b = appendXMLValue(b, f.shape.elem, elem)
				b = append(b, f.close...)
			})
		default:
			b = append(b, f.open...)
			b = appendXMLValue(b, f.shape, member)
			b = append(b, f.close...)
		}
	}
	return b
}

func appendXMLValue(b []byte, s *shape, v reflect.Value) []byte {
	switch s.kind {
	case kindStruct:
		return appendXMLStruct(b, s, v)
	case kindString:
		return appendXMLText(b, reflect.Indirect(v).String())
	case kindBlob:
		return base64.StdEncoding.AppendEncode(b, v.Bytes())
	default:
		return appendScalar(b, s, v)
	}
}

// appendXMLText writes character data. A carriage return must be a reference,
// or parsers turn it into a line feed, and must be spelled in just this way,
// the only one that some clients decode; tab and line feed must stay as they
// are, for the same clients. What XML 1.0 cannot carry becomes U+FFFD: stored
// text has none of it, error texts may repeat it from a request.
func appendXMLText(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plainXML[c] {
			i++
			continue
		}
		size, replacement := 1, ""
		switch c {
		case '&':
			replacement = "&amp;"
		case '<':
			replacement = "&lt;"
		case '>':
			replacement = "&gt;"
		case '"':
			replacement = "&quot;"
		case '\r':
			replacement = "&#xD;"
		default:
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if isXMLChar(r, size) {
				i += size
				continue
			}
			replacement = "\uFFFD"
		}
		b = append(append(b, s[start:i]...), replacement...)
		i += size
		start = i
	}
	return append(b, s[start:]...)
}

// plainXML marks the bytes that stand for themselves in character data and
// need no second look.
var plainXML = func() (plain [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		plain[c] = c != '&' && c != '<' && c != '>' && c != '"'
	}
	plain['\t'], plain['\n'] = true, true
	return plain
}()

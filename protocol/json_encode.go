package protocol

import (
	"encoding/base64"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"
)

// appendJSONStruct writes a struct as an object, without white space, members
// in the struct's order. Absent members are left out, and so are empty lists,
// maps and blobs, as AWS does. The zero Value is an empty struct.
func appendJSONStruct(b []byte, s *shape, v reflect.Value) []byte {
	b = append(b, '{')
	start := len(b)
	for i := range s.fields {
		f := &s.fields[i]
		if !v.IsValid() || isAbsent(f.shape, v.Field(f.index)) {
			continue
		}
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(b, f.jsonPrefix...)
		b = appendJSONValue(b, f.shape, v.Field(f.index))
	}
	return append(b, '}')
}

// isAbsent reports whether a member has nothing to be written.
func isAbsent(s *shape, v reflect.Value) bool {
	switch s.kind {
	case kindList, kindMap, kindBlob:
		return v.Len() == 0
	default:
		return v.IsNil()
	}
}

func appendJSONValue(b []byte, s *shape, v reflect.Value) []byte {
	switch s.kind {
	case kindStruct:
		return appendJSONStruct(b, s, v)
	case kindList:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSONValue(b, s.elem, v.Index(i))
		}
		return append(b, ']')
	case kindMap:
		b = append(b, '{')
		first := true
		eachEntry(v, func(key string, elem reflect.Value) {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = append(appendJSONString(b, key), ':')
			b = appendJSONValue(b, s.elem, elem)
		})
		return append(b, '}')
	case kindString:
		return appendJSONString(b, reflect.Indirect(v).String())
	case kindBlob:
		b = append(b, '"')
		b = base64.StdEncoding.AppendEncode(b, v.Bytes())
		return append(b, '"')
	default:
		return appendScalar(b, s, v)
	}
}

// appendScalar writes a number or a boolean, which look the same everywhere.
func appendScalar(b []byte, s *shape, v reflect.Value) []byte {
	v = reflect.Indirect(v)
	if s.kind == kindBool {
		return strconv.AppendBool(b, v.Bool())
	}
	return strconv.AppendInt(b, v.Int(), 10)
}

// eachEntry visits a map's entries, sorted by key, so that equal answers are
// equal bytes. The value passed is valid until the next call.
func eachEntry(v reflect.Value, visit func(key string, elem reflect.Value)) {
	switch m := v.Addr().Interface().(type) {
	case *map[string]string:
		visitSorted(*m, visit)
	case *map[string]MessageAttributeValue:
		visitSorted(*m, visit)
	default:
		panic("protocol: no encoder for " + v.Type().String())
	}
}

func visitSorted[V any](m map[string]V, visit func(key string, elem reflect.Value)) {
	var few [16]string
	keys := slices.AppendSeq(few[:0], maps.Keys(m))
	slices.Sort(keys)
	elem := new(V)
	ev := reflect.ValueOf(elem).Elem()
	for _, key := range keys {
		*elem = m[key]
		visit(key, ev)
	}
}

// appendJSONString writes a quoted string. Only what must be escaped is; bytes
// that are not UTF-8 become U+FFFD.
func appendJSONString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plainJSON[c] {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\f':
			b = append(b, `\f`...)
		case '\n':
			b = append(b, `\n`...)
		case '\r':
			b = append(b, `\r`...)
		case '\t':
			b = append(b, `\t`...)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

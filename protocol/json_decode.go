package protocol

import (
	"reflect"
	"strconv"
)

// maxValues bounds the list items and map entries of one request, so that a
// body of `{},{},{}` cannot grow twentyfold in memory.
const maxValues = 10_000

// maxTexts bounds the room made for the texts of members at once.
const maxTexts = 64

// jsonDecoder reads a JSON request into a typed input by its plan. Members
// that the plan does not know are skipped, null means absent, and of repeated
// members the last one counts.
type jsonDecoder struct {
	jsonReader
	values int
	// texts is where the texts of members stand. What points there stays: a full
	// one is left, and another begun.
	texts []string
}

// decodeJSON reads a request body into v, a struct.
func decodeJSON(body []byte, s *shape, v reflect.Value) *Error {
	d := jsonDecoder{jsonReader: jsonReader{data: body}}
	if d.space(); d.pos == len(body) {
		return nil
	}
	kind, err := d.next()
	if err != nil {
		return err
	}
	if err := d.value(kind, s, v); err != nil {
		return err
	}
	return d.end()
}

// value reads the value that next has found to be of that kind.
func (d *jsonDecoder) value(kind jsonKind, s *shape, v reflect.Value) *Error {
	switch s.kind {
	case kindStruct:
		return d.structure(kind, s, v)
	case kindMap:
		switch m := v.Addr().Interface().(type) {
		case *map[string]string:
			return decodeJSONMap(d, kind, s, m)
		case *map[string]MessageAttributeValue:
			return decodeJSONMap(d, kind, s, m)
		}
		panic("protocol: no decoder for " + v.Type().String())
	case kindList:
		return d.list(kind, s, v)
	case kindString:
		return d.text(kind, s, v)
	case kindBlob:
		return d.blob(kind, v)
	case kindBool:
		return d.boolean(kind, v)
	default:
		return d.integer(kind, s, v)
	}
}

func (d *jsonDecoder) structure(kind jsonKind, s *shape, v reflect.Value) *Error {
	if kind != jsonObject {
		return wrongKind(kind, "a structure")
	}
	if err := d.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := d.more(first, '}')
		if err != nil || !more {
			return err
		}
		name, err := d.name()
		if err != nil {
			return err
		}
		if err := d.member(s, v, name); err != nil {
			return err
		}
	}
}

// member reads the value of one member of a struct.
func (d *jsonDecoder) member(s *shape, v reflect.Value, name []byte) *Error {
	// Names are found before the value is read: the bytes do not last.
	var f *field
	for i := range s.fields {
		if s.fields[i].accepts(name, false) {
			f = &s.fields[i]
			break
		}
	}
	kind, err := d.next()
	switch {
	case err != nil:
		return err
	case f == nil:
		return d.skip(kind)
	case kind == jsonNull:
		v.Field(f.index).SetZero()
		return d.literal(kind)
	default:
		return d.value(kind, f.shape, v.Field(f.index))
	}
}

// decodeJSONMap reads an object into a new map. Null values are left out.
func decodeJSONMap[V any](d *jsonDecoder, kind jsonKind, s *shape, out *map[string]V) *Error {
	if kind != jsonObject {
		return wrongKind(kind, "a map")
	}
	if err := d.enter(); err != nil {
		return err
	}
	m := make(map[string]V)
	*out = m
	var elem, zero V
	ev := reflect.ValueOf(&elem).Elem()
	for first := true; ; first = false {
		more, err := d.more(first, '}')
		if err != nil || !more {
			return err
		}
		name, err := d.name()
		if err != nil {
			return err
		}
		key := string(name)
		kind, err := d.next()
		if err != nil {
			return err
		}
		if kind == jsonNull {
			delete(m, key)
			if err := d.literal(kind); err != nil {
				return err
			}
			continue
		}
		if kind == jsonArray && s.elem.kind == kindString {
			return Serialization.New(textListInStringMap)
		}
		elem = zero
		if err := d.count(); err != nil {
			return err
		}
		if err := d.value(kind, s.elem, ev); err != nil {
			return err
		}
		m[key] = elem
	}
}

// list reads an array into a new slice. Null items are left out.
func (d *jsonDecoder) list(kind jsonKind, s *shape, v reflect.Value) *Error {
	if kind != jsonArray {
		return wrongKind(kind, "a list")
	}
	if err := d.enter(); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for first := true; ; first = false {
		more, err := d.more(first, ']')
		if err != nil || !more {
			return err
		}
		kind, err := d.next()
		if err != nil {
			return err
		}
		if kind == jsonNull {
			if err := d.literal(kind); err != nil {
				return err
			}
			continue
		}
		if err := d.count(); err != nil {
			return err
		}
		if err := d.value(kind, s.elem, appendItem(v)); err != nil {
			return err
		}
	}
}

// appendItem makes a slice longer by one zero item and returns that item.
func appendItem(slice reflect.Value) reflect.Value {
	n := slice.Len()
	slice.Grow(1)
	slice.SetLen(n + 1)
	return slice.Index(n)
}

func (d *jsonDecoder) count() *Error {
	if d.values++; d.values > maxValues {
		return Serialization.New("The request has more than " + strconv.Itoa(maxValues) + " list items and map entries.")
	}
	return nil
}

// skip reads a value of that kind and forgets it. It is as strict as if the
// value were kept.
func (d *jsonDecoder) skip(kind jsonKind) *Error {
	var err *Error
	switch kind {
	case jsonString:
		_, err = d.str()
	case jsonNumber:
		_, err = d.number()
	case jsonObject, jsonArray:
		return d.skipAll(kind)
	default:
		err = d.literal(kind)
	}
	return err
}

// skipAll skips an object or array with everything in it.
func (d *jsonDecoder) skipAll(kind jsonKind) *Error {
	closing := byte(']')
	if kind == jsonObject {
		closing = '}'
	}
	if err := d.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		more, err := d.more(first, closing)
		if err != nil || !more {
			return err
		}
		if kind == jsonObject {
			if _, err := d.name(); err != nil {
				return err
			}
		}
		inner, err := d.next()
		if err != nil {
			return err
		}
		if err := d.skip(inner); err != nil {
			return err
		}
	}
}

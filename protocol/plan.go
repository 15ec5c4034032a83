package protocol

import (
	"fmt"
	"reflect"
	"strings"
)

// shapeKind is the wire type of a value.
type shapeKind uint8

const (
	kindString shapeKind = iota
	kindInt32
	kindInt64
	kindBool
	kindBlob
	kindList
	kindMap
	kindStruct
)

// shape is the plan by which the codecs read and write one Go type. Plans are
// built once, at start, from the types and their tags, and never change.
//
// A leaf (everything but list, map and struct) is held by a pointer in a
// struct, where it can be absent, and by value in a list or a map. Blobs are
// always byte slices.
type shape struct {
	kind shapeKind
	// strict strings take JSON strings only; others also take numbers and
	// booleans, by their text.
	strict bool
	// elem is the shape of a list's items or of a map's values. Map keys are
	// always strings.
	elem *shape
	// fields are a struct's members in the order of the answer.
	fields []field
}

// field is one member of a struct shape.
type field struct {
	// index is the member's place in the Go struct.
	index int
	shape *shape
	// name is the member name of the model: the JSON name, and for leaves the
	// Query name. alias is another name taken in requests, mostly empty.
	name, alias string
	// query is the name in Query parameters and XML. For lists and maps it
	// names one item, because both are flattened.
	query string
	// key and value name the two halves of a map's item on Query.
	key, value string
	// jsonPrefix is `"name":`.
	jsonPrefix string
	// open and close are the XML tags of the member, or of one item. For maps
	// they include the tags of the key before and the value after:
	// open + key + middle + value + close.
	open, middle, close string
}

// accepts reports whether a JSON member name or the first part of a Query
// parameter name means this member. Query takes the model's name as well as
// its own: some clients send lists by it.
func (f *field) accepts(name []byte, query bool) bool {
	return string(name) == f.name || (query && string(name) == f.query) ||
		(f.alias != "" && string(name) == f.alias)
}

// shapeOf builds the plan of a type. It panics on a type that no codec can
// handle, which every start of the program would show.
func shapeOf(t reflect.Type) *shape {
	switch t.Kind() {
	case reflect.Pointer:
		return shapeOf(t.Elem())
	case reflect.String:
		return &shape{kind: kindString}
	case reflect.Int32:
		return &shape{kind: kindInt32}
	case reflect.Int64:
		return &shape{kind: kindInt64}
	case reflect.Bool:
		return &shape{kind: kindBool}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return &shape{kind: kindBlob}
		}
		return &shape{kind: kindList, elem: shapeOf(t.Elem())}
	case reflect.Map:
		return &shape{kind: kindMap, elem: shapeOf(t.Elem())}
	case reflect.Struct:
		s := &shape{kind: kindStruct}
		for i := range t.NumField() {
			s.fields = append(s.fields, fieldOf(i, t.Field(i)))
		}
		return s
	default:
		panic(fmt.Sprintf("protocol: no shape for %v", t))
	}
}

// fieldOf reads a member's tags: `json:"Name"`, `wire:"strict"`, `query:"Item"` or
// `query:"Item,Key,Value"`, and `alias:"Other"`.
func fieldOf(index int, sf reflect.StructField) field {
	name := sf.Tag.Get("json")
	f := field{
		index:      index,
		shape:      shapeOf(sf.Type),
		name:       name,
		alias:      sf.Tag.Get("alias"),
		query:      name,
		jsonPrefix: `"` + name + `":`,
	}
	if sf.Tag.Get("wire") == "strict" {
		f.shape.strict = true
		if f.shape.elem != nil {
			f.shape.elem.strict = true
		}
	}
	if tag, ok := sf.Tag.Lookup("query"); ok {
		parts := strings.Split(tag, ",")
		f.query = parts[0]
		if len(parts) == 3 {
			f.key, f.value = parts[1], parts[2]
		}
	}
	f.open, f.close = "<"+f.query+">", "</"+f.query+">"
	if f.shape.kind == kindMap {
		f.open += "<" + f.key + ">"
		f.middle = "</" + f.key + "><" + f.value + ">"
		f.close = "</" + f.value + ">" + f.close
	}
	return f
}

// setString stores a string in a member or an item.
func setString(v reflect.Value, text string) {
	switch p := v.Addr().Interface().(type) {
	case **string:
		s := text
		*p = &s
	case *string:
		*p = text
	}
}

// setInt stores an integer that fits the member's type.
func setInt(v reflect.Value, n int64) {
	switch p := v.Addr().Interface().(type) {
	case **int32:
		n32 := int32(n)
		*p = &n32
	case **int64:
		n64 := n
		*p = &n64
	}
}

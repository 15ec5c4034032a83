package protocol

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"
	"strconv"
)

// decodeParams reads parameters into a struct by its plan. Parameters that the
// plan does not know are ignored; of repeated ones the last counts. A list of
// structs that no parameter names is given empty: on Query a batch without
// entries and a batch of no entries are the same request.
func decodeParams(s *shape, v reflect.Value, params []param) *Error {
	for i := range s.fields {
		f := &s.fields[i]
		member := v.Field(f.index)
		var err *Error
		switch f.shape.kind {
		case kindList:
			err = decodeParamList(f, member, params)
		case kindMap:
			err = decodeParamMap(f, member, params)
		default:
			if p := lastOf(f, params); p != nil {
				err = setParam(f.shape, member, p)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lastOf finds the parameter that gives a scalar member, nil for none.
func lastOf(f *field, params []param) *param {
	for i := range slices.Backward(params) {
		if f.accepts(params[i].name, true) {
			return &params[i]
		}
	}
	return nil
}

// membersOf picks the parameters of a list or map member, without its name,
// sorted by index. The un-numbered form comes first, as index 1 would. A lone
// empty "Name=" is how some clients send an empty list: it makes the member
// given, and is no item.
func membersOf(f *field, params []param) (members []param, given bool) {
	for _, p := range params {
		head, rest, _ := bytes.Cut(p.name, []byte("."))
		if !f.accepts(head, true) {
			continue
		}
		given = true
		p.name, p.index = rest, nil
		if first, after, _ := bytes.Cut(rest, []byte(".")); isIndex(first) {
			p.name, p.index = after, trimZeros(first)
		}
		if len(rest) > 0 || p.value != "" {
			members = append(members, p)
		}
	}
	// Without leading zeros the longer number is the larger one, so numbers of
	// any length compare without being computed.
	slices.SortStableFunc(members, func(a, b param) int {
		return cmp.Or(cmp.Compare(len(a.index), len(b.index)), bytes.Compare(a.index, b.index))
	})
	return members, given
}

func isIndex(part []byte) bool {
	for _, c := range part {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(part) > 0
}

// trimZeros takes leading zeros off a number, but not its last digit.
func trimZeros(number []byte) []byte {
	for len(number) > 1 && number[0] == '0' {
		number = number[1:]
	}
	return number
}

// cutItem parts the parameters of the first item from the rest.
func cutItem(members []param) (item, rest []param) {
	n := 1
	for n < len(members) && bytes.Equal(members[n].index, members[0].index) {
		n++
	}
	return members[:n], members[n:]
}

// decodeParamList reads a flattened list: Name.N, or Name.N.Member for a list
// of structs. An un-numbered name may be repeated: each is an item.
func decodeParamList(f *field, v reflect.Value, params []param) *Error {
	s := f.shape
	members, given := membersOf(f, params)
	if given || s.elem.kind == kindStruct {
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	for len(members) > 0 {
		var item []param
		item, members = cutItem(members)
		if s.elem.kind != kindStruct {
			if err := setScalarItem(s.elem, v, item); err != nil {
				return err
			}
			continue
		}
		for i := range item {
			if len(item[i].name) == 0 {
				return badParam(&item[i], "Must be a structure")
			}
		}
		if err := decodeParams(s.elem, appendItem(v), item); err != nil {
			return err
		}
	}
	return nil
}

// setScalarItem appends the scalars that were given under one index: the last
// one, or all of the un-numbered ones.
func setScalarItem(s *shape, v reflect.Value, item []param) *Error {
	var last *param
	for i := range item {
		p := &item[i]
		switch {
		case len(p.name) > 0:
		case len(p.index) > 0:
			last = p
		default:
			if err := setParam(s, appendItem(v), p); err != nil {
				return err
			}
		}
	}
	if last == nil {
		return nil
	}
	return setParam(s, appendItem(v), last)
}

// decodeParamMap reads a flattened map: Name.N.Key and Name.N.Value, where the
// value may be a struct and go on as Name.N.Value.Member.
func decodeParamMap(f *field, v reflect.Value, params []param) *Error {
	members, given := membersOf(f, params)
	if !given {
		return nil
	}
	switch m := v.Addr().Interface().(type) {
	case *map[string]string:
		return decodeEntries(f, m, members)
	case *map[string]MessageAttributeValue:
		return decodeEntries(f, m, members)
	}
	panic("protocol: no decoder for " + v.Type().String())
}

// decodeEntries fills a new map. A missing key is the empty key, which no map
// of the API allows; a missing value is not the empty value, which may erase a
// queue attribute.
func decodeEntries[V any](f *field, out *map[string]V, members []param) *Error {
	m := make(map[string]V)
	*out = m
	for len(members) > 0 {
		var item, value []param
		item, members = cutItem(members)
		key := ""
		for _, p := range item {
			head, rest, _ := bytes.Cut(p.name, []byte("."))
			switch string(head) {
			case f.key:
				key = p.value
			case f.value:
				p.name = rest
				value = append(value, p)
			}
		}
		elem := new(V)
		ev := reflect.ValueOf(elem).Elem()
		if f.shape.elem.kind == kindStruct {
			if err := decodeParams(f.shape.elem, ev, value); err != nil {
				return err
			}
		} else {
			if len(value) == 0 {
				return missingValue(f)
			}
			if err := setParam(f.shape.elem, ev, &value[len(value)-1]); err != nil {
				return err
			}
		}
		m[key] = *elem
	}
	return nil
}

// missingValue is the error for a map entry without a value. It names the
// parameter without the number of the entry.
func missingValue(f *field) *Error {
	return MissingParameter.New("The request must contain the parameter " + f.query + "." + f.value + ".")
}

// setParam stores a parameter's value in a scalar member or item.
func setParam(s *shape, v reflect.Value, p *param) *Error {
	switch s.kind {
	case kindString:
		setString(v, p.value)
	case kindBlob:
		blob, ok := decodeBlob([]byte(p.value))
		if !ok {
			return Serialization.New(textBadBlob)
		}
		v.SetBytes(blob)
	case kindBool:
		given := p.value == "true"
		if !given && p.value != "false" {
			return badParam(p, "Must be true or false")
		}
		*v.Addr().Interface().(**bool) = &given
	default:
		bits := 32
		if s.kind == kindInt64 {
			bits = 64
		}
		n, err := strconv.ParseInt(p.value, 10, bits)
		if err != nil {
			return badParam(p, "Must be an integer of "+strconv.Itoa(bits)+" bits")
		}
		setInt(v, n)
	}
	return nil
}

// badParam is the error for a value that a parameter cannot have.
func badParam(p *param, reason string) *Error {
	return InvalidParameterValue.New("Value " + clip(p.value) + " for parameter " + clip(string(p.full)) +
		" is invalid. Reason: " + reason + ".")
}

package protocol

import "reflect"

// QueryJSON is Query with JSON answers, for callers that ask for them by
// "Accept: application/json" (API Gateway does). The JSON is not that of the
// JSON protocol: absent members are null, maps are lists of pairs, and answer
// and result are wrapped as in the XML. Its name is "query", as Query's.
var QueryJSON Codec = queryJSONCodec{}

type queryJSONCodec struct{}

func (queryJSONCodec) Name() string { return Query.Name() }

func (queryJSONCodec) Decode(r *Request) (Call, *Error) { return decodeQuery(r) }

func (queryJSONCodec) EncodeOutput(op Operation, output any, requestID string) Response {
	s, v := outputOf(op, output)
	if s.output != nil && !v.IsValid() {
		v = reflect.New(s.outputType.Elem()).Elem()
	}
	body := render(func(b []byte) []byte {
		b = append(b, `{"`...)
		b = append(b, op...)
		b = append(b, `Response":{`...)
		if s.output != nil {
			b = append(b, '"')
			b = append(b, op...)
			b = append(b, `Result":`...)
			b = append(appendWrapped(b, s.output, v), ',')
		}
		b = append(b, `"ResponseMetadata":{"RequestId":`...)
		b = appendJSONString(b, requestID)
		return append(b, "}}}"...)
	})
	return Response{Status: 200, ContentType: "application/json", Body: body}
}

func (queryJSONCodec) EncodeError(err *Error, requestID string) Response {
	if err.Kind == MissingAction {
		return Query.EncodeError(err, requestID)
	}
	b := append([]byte(nil), `{"Error":{"Code":`...)
	b = appendJSONString(b, err.Kind.QueryCode)
	b = append(b, `,"Message":`...)
	b = appendJSONString(b, queryMessage(err))
	b = append(b, `,"Type":`...)
	b = appendJSONString(b, string(err.Kind.Fault))
	b = append(b, `},"RequestId":`...)
	b = append(appendJSONString(b, requestID), '}')
	return Response{Status: err.Kind.Status, ContentType: "application/json", Body: b}
}

// appendWrapped writes a struct with all of its members, null for absent ones.
func appendWrapped(b []byte, s *shape, v reflect.Value) []byte {
	b = append(b, '{')
	for i := range s.fields {
		f := &s.fields[i]
		if i > 0 {
			b = append(b, ',')
		}
		if f.query == "Message" && f.shape.kind == kindList {
			// The one member that this form names in its own way.
			b = append(b, `"messages":`...)
		} else {
			b = append(b, f.jsonPrefix...)
		}
		member := v.Field(f.index)
		if isAbsent(f.shape, member) {
			b = append(b, "null"...)
			continue
		}
		b = appendWrappedValue(b, f, f.shape, member)
	}
	return append(b, '}')
}

// appendWrappedValue writes a member of the field f, or an item of it.
func appendWrappedValue(b []byte, f *field, s *shape, v reflect.Value) []byte {
	switch s.kind {
	case kindStruct:
		return appendWrapped(b, s, v)
	case kindList:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendWrappedValue(b, f, s.elem, v.Index(i))
		}
		return append(b, ']')
	case kindMap:
		b = append(b, '[')
		start := len(b)
		eachEntry(v, func(key string, elem reflect.Value) {
			if len(b) > start {
				b = append(b, ',')
			}
			b = append(append(b, `{"`...), f.key...)
			b = append(appendJSONString(append(b, `":`...), key), `,"`...)
			b = append(append(b, f.value...), `":`...)
			b = append(appendWrappedValue(b, f, s.elem, elem), '}')
		})
		return append(b, ']')
	default:
		return appendJSONValue(b, s, v)
	}
}

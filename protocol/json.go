package protocol

import (
	"reflect"
	"strings"
	"sync"
)

// JSON is the codec of AWS JSON 1.0: a POST whose X-Amz-Target names the
// action and whose body is one JSON object.
var JSON Codec = jsonCodec{}

const (
	jsonType     = "application/x-amz-json-1.0"
	targetPrefix = "AmazonSQS."
)

type jsonCodec struct{}

func (jsonCodec) Name() string { return "json" }

func (jsonCodec) Decode(r *Request) (Call, *Error) {
	action, ok := strings.CutPrefix(r.Target, targetPrefix)
	switch {
	case r.Target == "":
		return Call{}, UnknownOperation.New("The request names no action: it has no X-Amz-Target header.")
	case !ok:
		return Call{}, unknownAction(r.Target)
	}
	s, ok := specOf[Operation(action)]
	if !ok {
		return Call{}, unknownAction(action)
	}
	call := Call{Operation: s.op}
	if r.Method != "POST" {
		return call, UnknownOperation.New("The action " + action + " must be sent by POST.")
	}
	input := s.newInput()
	v := reflect.ValueOf(input).Elem()
	if err := decodeJSON(r.Body, s.input, v); err != nil {
		return call, err
	}
	queueURLFromPath(s, v, r.Path)
	call.Input = input
	return call, nil
}

func (jsonCodec) EncodeOutput(op Operation, output any, _ string) Response {
	resp := Response{Status: 200, ContentType: jsonType}
	s, v := outputOf(op, output)
	if s.output == nil {
		return resp
	}
	resp.Body = render(func(b []byte) []byte { return appendJSONStruct(b, s.output, v) })
	return resp
}

func (jsonCodec) EncodeError(err *Error, _ string) Response {
	k := err.Kind
	b := append([]byte(nil), `{"__type":"`...)
	b = append(b, k.Namespace...)
	b = append(b, '#')
	b = append(b, k.Shape...)
	if k.Shape == AccessDenied.Shape {
		// The one error that AWS spells so.
		b = append(b, `","Message":`...)
	} else {
		b = append(b, `","message":`...)
	}
	message := err.Message
	if message == "" {
		message = k.Message
	}
	b = append(appendJSONString(b, message), '}')
	return Response{Status: k.Status, ContentType: jsonType, QueryError: k.QueryCode + ";" + string(k.Fault), Body: b}
}

// outputOf finds the operation's plan and the output struct, which is the zero
// Value when the output is nil. Any other type than the operation's own is a
// mistake in the program.
func outputOf(op Operation, output any) (*spec, reflect.Value) {
	s, ok := specOf[op]
	if !ok {
		panic("protocol: no operation " + string(op))
	}
	v := reflect.ValueOf(output)
	if s.output == nil || !v.IsValid() {
		return s, reflect.Value{}
	}
	if v.Type() != s.outputType {
		panic("protocol: " + v.Type().String() + " is no output of " + string(op))
	}
	return s, v.Elem()
}

// maxScratch is the size, in bytes, up to which an encoding buffer is kept for
// the next answer.
const maxScratch = 64 << 10

var scratch = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// render collects an answer in a shared buffer and returns a copy of the right
// size: answers differ too much in length to guess one.
func render(appendTo func([]byte) []byte) []byte {
	p := scratch.Get().(*[]byte)
	b := appendTo((*p)[:0])
	if cap(b) > maxScratch {
		return b
	}
	out := append([]byte(nil), b...)
	*p = b
	scratch.Put(p)
	return out
}

package protocol

import "reflect"

// Query is the codec of AWS Query with XML answers: parameters in a form body
// or in the URL's query string, one of them named Action.
var Query Codec = queryCodec{}

// MissingAction is the answer to a Query request that names no action, for
// example a browser's visit to a queue URL. It is not part of the catalogue:
// AWS answers with one bare XML element instead of an error document.
var MissingAction = &Kind{
	Shape: "UnknownOperationException", Namespace: nsCoral, QueryCode: "InvalidAction",
	Status: 404, Fault: Sender, Message: "The request names no action.",
}

// missingActionBody is the whole body of a MissingAction answer on Query.
const missingActionBody = "<UnknownOperationException/>"

type queryCodec struct{}

func (queryCodec) Name() string { return "query" }

func (queryCodec) Decode(r *Request) (Call, *Error) { return decodeQuery(r) }

func (queryCodec) EncodeOutput(op Operation, output any, requestID string) Response {
	s, v := outputOf(op, output)
	body := render(func(b []byte) []byte { return appendXMLAnswer(b, s, v, requestID) })
	return Response{Status: 200, ContentType: xmlType, Body: body}
}

func (queryCodec) EncodeError(err *Error, requestID string) Response {
	resp := Response{Status: err.Kind.Status, ContentType: xmlType}
	if err.Kind == MissingAction {
		resp.Body = []byte(missingActionBody)
		return resp
	}
	b := append([]byte(nil), xmlDecl+"<ErrorResponse"+xmlNamespace+"<Error><Type>"...)
	b = append(b, err.Kind.Fault...)
	b = append(b, "</Type><Code>"...)
	b = append(b, err.Kind.QueryCode...)
	b = append(b, "</Code><Message>"...)
	b = appendXMLText(b, queryMessage(err))
	b = append(b, "</Message><Detail/></Error><RequestId>"...)
	b = appendXMLText(b, requestID)
	resp.Body = append(b, "</RequestId></ErrorResponse>"...)
	return resp
}

// queryMessage is an error's text on Query.
func queryMessage(err *Error) string {
	switch {
	case err.Message != "":
		return err.Message
	case err.Kind.QueryMessage != "":
		return err.Kind.QueryMessage
	default:
		return err.Kind.Message
	}
}

// decodeQuery reads a Query request, whatever the form of its answer.
func decodeQuery(r *Request) (Call, *Error) {
	if r.Method != "GET" && r.Method != "POST" {
		return Call{}, MissingAction.New("")
	}
	params, err := parseParams(r.Body, r.RawQuery)
	if err != nil {
		return Call{}, err
	}
	action := ""
	for i := range params {
		if string(params[i].name) == "Action" {
			action = params[i].value
		}
	}
	if action == "" {
		return Call{}, MissingAction.New("")
	}
	s, ok := specOf[Operation(action)]
	if !ok {
		return Call{}, unknownAction(action)
	}
	call := Call{Operation: s.op}
	if (s.op == CreateQueue || s.op == ListQueues) && onQueuePath(r.Path) {
		return call, unknownAction(action)
	}
	input := s.newInput()
	v := reflect.ValueOf(input).Elem()
	if err := decodeParams(s.input, v, params); err != nil {
		return call, err
	}
	queueURLFromPath(s, v, r.Path)
	call.Input = input
	return call, nil
}

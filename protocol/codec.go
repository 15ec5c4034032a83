package protocol

import "reflect"

// Request is one HTTP request as far as a codec needs it. The gateway fills
// it, so that this package stays free of net/http.
type Request struct {
	// Method is GET or POST; anything else is refused by the codec.
	Method string
	// Path is the decoded URL path.
	Path string
	// RawQuery is the URL's query string, still encoded, without "?".
	RawQuery string
	// ContentType, Target (X-Amz-Target) and Accept are headers, verbatim.
	ContentType, Target, Accept string
	// Body is the whole request body. What is decoded may share its memory, so
	// it must never change afterwards.
	Body []byte
}

// Call is a decoded request.
type Call struct {
	Operation Operation
	// Input points to the operation's typed input, for example
	// *SendMessageInput. It is never nil when the error is nil.
	Input any
}

// Queue gives what the call names its queue by, its QueueUrl or QueueName as
// given; empty for a call that names none or could not be decoded.
func (c Call) Queue() string {
	s, ok := specOf[c.Operation]
	if !ok || s.queueName < 0 || c.Input == nil {
		return ""
	}
	name := reflect.ValueOf(c.Input).Elem().Field(s.queueName)
	if name.IsNil() {
		return ""
	}
	return name.Elem().String()
}

// Response is what a codec hands back to the gateway: everything that depends
// on the protocol. The gateway adds x-amzn-RequestId, Date and Content-Length.
type Response struct {
	Status      int
	ContentType string
	// QueryError is the value of x-amzn-query-error, empty for none.
	QueryError string
	Body       []byte
}

// Codec turns requests of one protocol into typed inputs, and typed outputs
// or errors back into bytes. Codecs hold no state and are safe for concurrent
// use.
type Codec interface {
	// Name is "json" or "query", for logs and metrics.
	Name() string
	// Decode reads the action and its members. On an error the Call still
	// carries the operation as far as it is known, for the log.
	Decode(*Request) (Call, *Error)
	// EncodeOutput renders the output of a successful operation: a pointer to
	// the operation's output type, or nil for an operation without output.
	EncodeOutput(op Operation, output any, requestID string) Response
	// EncodeError renders err.
	EncodeError(err *Error, requestID string) Response
}

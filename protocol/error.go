package protocol

// Fault says whose mistake an error is.
type Fault string

// The two faults of the protocols.
const (
	Sender   Fault = "Sender"
	Receiver Fault = "Receiver"
)

// Namespaces of the JSON __type member: errors in SQS's own model, and errors
// of the framework that AWS serves it with.
const (
	nsSQS   = "com.amazonaws.sqs"
	nsCoral = "com.amazon.coral.service"
)

// Kind is one row of the error catalogue: how one kind of error looks in both
// protocols.
type Kind struct {
	// Shape is the short name in the JSON __type member.
	Shape string
	// Namespace stands before the shape, parted by "#".
	Namespace string
	// QueryCode is the <Code> of Query and the first half of the JSON
	// x-amzn-query-error header.
	QueryCode string
	// Status is the HTTP status.
	Status int
	// Fault is Sender for the caller's mistakes and Receiver for ours.
	Fault Fault
	// Message is the text used when the error has none of its own.
	Message string
	// QueryMessage replaces Message on Query where AWS words it otherwise.
	QueryMessage string
}

// Error is an operation's failure in the vocabulary of the wire.
type Error struct {
	// Kind is never nil.
	Kind *Kind
	// Message is the text for the caller; empty means the kind's own.
	Message string
	// Cause is what went wrong inside, for the log; nil for none. It never
	// reaches the caller, and Error leaves it out.
	Cause error
}

// New makes an error of this kind with its own text for the caller.
func (k *Kind) New(message string) *Error { return &Error{Kind: k, Message: message} }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Cause }

// Error gives the short name and the text, for logs and tests.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Kind.Shape + ": " + e.Kind.Message
	}
	return e.Kind.Shape + ": " + e.Message
}

package gateway

import (
	"fmt"

	"queues/protocol"
)

// Refusals that the gateway makes by itself. What may pass is a 503, which
// every SDK tries again; what cannot is a 4xx, which none does.
var (
	errStopping = protocol.ServiceUnavailable.New("The server is shutting down.")
	errFull     = protocol.ServiceUnavailable.New("The server has too many open connections. Try again.")
	errMemory   = protocol.ServiceUnavailable.New("The server holds too many bytes of requests and answers. Try again.")
	errBusy     = protocol.RequestThrottled.New("The server has too much work waiting. Wait a short while and then retry the operation.")
	errSlowBody = protocol.ServiceUnavailable.New("The body of the request did not arrive in time.")
	errBody     = protocol.Serialization.New("The body of the request could not be read.")
	errHost     = protocol.InvalidParameterValue.New("The Host of the request must be a name or address with an optional port.")
	errMethod   = methodNotAllowed.New("The method of the request must be GET or POST.")
	errInternal = protocol.InternalFailure.New("")
)

// methodNotAllowed has the shape of an unknown operation and a status of its
// own. AWS's form of it is not known.
var methodNotAllowed = func() *protocol.Kind {
	k := *protocol.UnknownOperation
	k.Status = 405
	return &k
}()

// errTooLarge refuses a body over the limit as AWS refuses a message that is
// too long, so that it reads like one to whoever sent it: an HTTP 413 is
// nothing that an SQS client knows.
func errTooLarge(limit int64) *protocol.Error {
	return protocol.InvalidParameterValue.New(
		fmt.Sprintf("One or more parameters are invalid. Reason: The request must be shorter than %d bytes.", limit+1))
}

// errLongQuery refuses a request line over the limit.
func errLongQuery(limit int) *protocol.Error {
	return protocol.InvalidParameterValue.New(
		fmt.Sprintf("One or more parameters are invalid. Reason: The URL must be shorter than %d bytes; send the parameters by POST.", limit+1))
}

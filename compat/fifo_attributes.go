package compat

import (
	"slices"
	"strconv"

	"queues/engine"
	"queues/protocol"
)

// A FIFO queue has four attributes more. The engine knows the kind of a queue
// and the scope that it was created with, which stays in effect; what is shown
// is kept for this wire. The throughput limit limits nothing.

// The words of DeduplicationScope and FifoThroughputLimit, the default first.
const (
	scopeQueue = "queue"
	scopeGroup = "messageGroup"
	limitQueue = "perQueue"
	limitGroup = "perMessageGroupId"
)

// The texts of values that a FIFO queue cannot take.
const (
	textKindIsFixed     = "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported."
	textThroughputScope = "Invalid value for the parameter FifoThroughputLimit. Reason: To set FifoThroughputLimit to perMessageGroupId, the DeduplicationScope must be messageGroup."
)

// onlyOnFIFO is the text of an attribute that needs a FIFO queue.
func onlyOnFIFO(name string) string {
	return "You can specify the " + name + " only when FifoQueue is set to true."
}

// parseFIFOQueue takes what the queue is anyway.
func parseFIFOQueue(_ *attributeReader, value string) (setting, *protocol.Error) {
	switch fifo, ok := boolean(value); {
	case !ok:
		return nil, badAttribute(attrFifoQueue)
	case !fifo:
		return nil, protocol.InvalidAttributeValue.New(textKindIsFixed)
	}
	return func(*engine.Settings) {}, nil
}

func getFIFOQueue(q *engine.Queue, _ engine.Counts) (string, bool) {
	return "true", q.Kind == engine.FIFO
}

func parseContentBasedDedup(_ *attributeReader, value string) (setting, *protocol.Error) {
	on, ok := boolean(value)
	if !ok {
		return nil, badAttribute(attrContentBasedDedup)
	}
	return setExtra(attrContentBasedDedup, strconv.FormatBool(on)), nil
}

// contentBased reports whether the queue makes deduplication ids of bodies.
func contentBased(q *engine.Queue) bool { return q.Extra[attrContentBasedDedup] == "true" }

// fifoChoice is an attribute of FIFO queues whose value is one of a few words,
// the default first.
func fifoChoice(name string, words ...string) attribute {
	return attribute{
		Parse: func(_ *attributeReader, value string) (setting, *protocol.Error) {
			if !slices.Contains(words, value) {
				return nil, badAttribute(name)
			}
			return setExtra(name, value), nil
		},
		Get:      fifoExtra(name, words[0]),
		FIFOOnly: onlyOnFIFO(name),
	}
}

// fifoExtra shows on FIFO queues a value that is kept for this wire.
func fifoExtra(name, otherwise string) func(*engine.Queue, engine.Counts) (string, bool) {
	return func(q *engine.Queue, _ engine.Counts) (string, bool) {
		if value, ok := q.Extra[name]; ok {
			return value, true
		}
		return otherwise, q.Kind == engine.FIFO
	}
}

// checkThroughput refuses a limit by group where ids are not unique by group.
// It looks at the settings as they would be, so that neither can be set without
// the other.
func checkThroughput(s *engine.Settings) *protocol.Error {
	if s.Extra[attrFifoThroughputLimit] == limitGroup && s.Extra[attrDeduplicationScope] != scopeGroup {
		return protocol.InvalidAttributeValue.New(textThroughputScope)
	}
	return nil
}

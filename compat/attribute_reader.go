package compat

import (
	"context"
	"maps"
	"slices"

	"queues/engine"
	"queues/protocol"
)

// attributeReader checks the attributes of one CreateQueue or
// SetQueueAttributes request.
type attributeReader struct {
	ctx     context.Context
	service *Service
	// queue is the queue that gets the attributes.
	queue engine.QueueName
	kind  engine.Kind
	// creating is true for CreateQueue. existing is then the queue that has the
	// name already, nil for none.
	creating bool
	existing *engine.Queue
}

// edit is a checked set of attributes, ready to be applied as a whole.
type edit struct {
	names    []string
	settings []setting
}

// apply changes the settings to the values, and refuses what does not go
// together with the values that stay.
func (e edit) apply(s *engine.Settings) *protocol.Error {
	for _, set := range e.settings {
		set(s)
	}
	return checkThroughput(s)
}

// read checks all names, then all values, then what the values mean together.
// Names come in alphabetical order, so that of several mistakes always the
// same is told.
func (r *attributeReader) read(given map[string]string) (edit, *protocol.Error) {
	names := slices.Sorted(maps.Keys(given))
	for _, name := range names {
		if err := r.checkName(name); err != nil {
			return edit{}, err
		}
	}
	e := edit{names: names}
	for _, name := range names {
		set, err := attributes[name].Parse(r, given[name])
		if err != nil {
			return edit{}, err
		}
		e.settings = append(e.settings, set)
	}
	return e, checkTogether(given)
}

// checkName refuses a name that cannot be set on this kind of queue.
func (r *attributeReader) checkName(name string) *protocol.Error {
	a, ok := attributes[name]
	switch {
	case !ok || a.Parse == nil:
		return protocol.InvalidAttributeName.New(unknownAttribute(name))
	case a.FIFOOnly != "" && r.kind != engine.FIFO:
		return protocol.InvalidAttributeName.New(a.FIFOOnly)
	}
	return nil
}

// textTwoEncryptions refuses two kinds of encryption at once.
const textTwoEncryptions = "You can use one type of server-side encryption (SSE) at one time. You can either enable KMS SSE or SQS SSE."

// checkTogether refuses values that are right one by one but exclude each
// other in one request.
func checkTogether(given map[string]string) *protocol.Error {
	managed, _ := boolean(given[attrSqsManagedSseEnabled])
	if managed && given[attrKmsMasterKeyID] != "" {
		return protocol.InvalidAttributeName.New(textTwoEncryptions)
	}
	return nil
}

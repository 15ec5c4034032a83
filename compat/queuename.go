package compat

import (
	"strings"

	"queues/protocol"
)

// fifoSuffix ends the name of every FIFO queue and of no other.
const fifoSuffix = ".fifo"

// The texts of names that cannot be given to a queue.
const (
	textNoQueueName = "Value for parameter QueueName is invalid. Reason: Must specify a queue name."
	textEmptyName   = "Queue name cannot be empty"
	textBadName     = "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"
	textBadFIFOName = "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
)

// checkName refuses what cannot be the name of a new queue of the kind.
func checkName(name *string, fifo bool) *protocol.Error {
	switch {
	case name == nil:
		return protocol.InvalidParameterValue.New(textNoQueueName)
	case *name == "":
		return protocol.InvalidParameterValue.New(textEmptyName)
	case fifo:
		stem, ok := strings.CutSuffix(*name, fifoSuffix)
		if !ok || !plainName(stem) || len(*name) > maxQueueName {
			return protocol.InvalidParameterValue.New(textBadFIFOName)
		}
	case !plainName(*name):
		return protocol.InvalidParameterValue.New(textBadName)
	}
	return nil
}

// possibleName reports whether some queue could have the name.
func possibleName(name string) bool {
	return plainName(strings.TrimSuffix(name, fifoSuffix)) && len(name) <= maxQueueName
}

// plainName reports whether s is 1 to 80 letters, digits, hyphens and
// underscores of ASCII: the alphabet of queue names, batch entry ids and labels.
func plainName(s string) bool {
	if s == "" || len(s) > maxQueueName {
		return false
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

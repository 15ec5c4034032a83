package compat

import (
	"fmt"

	"queues/protocol"
)

// attrTraceHeader is the one system attribute that a sender may give.
const attrTraceHeader = "AWSTraceHeader"

// traceHeader checks a sender's system attributes and gives the message's trace
// header: the one given, else the request's own, else none.
func traceHeader(c Caller, given map[string]protocol.MessageAttributeValue) (string, *protocol.Error) {
	for _, name := range sortedNames(given) {
		if text := systemAttributeFault(name, given[name]); text != "" {
			return "", protocol.InvalidParameterValue.New(text)
		}
	}
	if v, ok := given[attrTraceHeader]; ok {
		return *v.StringValue, nil
	}
	if len(c.TraceID) > maxTraceHeader || !protocol.ValidText(c.TraceID) {
		return "", nil
	}
	return c.TraceID, nil
}

// systemAttributeFault is what is wrong with a system attribute, empty for
// nothing.
func systemAttributeFault(name string, v protocol.MessageAttributeValue) string {
	if name != attrTraceHeader {
		return fmt.Sprintf("Message system attribute name '%s' is invalid.", clip(name))
	}
	if text := attributeValueFault("message (system)", name, v); text != "" {
		return text
	}
	if *v.DataType != typeString {
		return fmt.Sprintf("The type of message (system) attribute '%s' is invalid. You must use only the following supported type prefixes: String.", name)
	}
	if len(*v.StringValue) > maxTraceHeader {
		return fmt.Sprintf("Message (system) attribute '%s' must be at most %d bytes long.", name, maxTraceHeader)
	}
	return ""
}

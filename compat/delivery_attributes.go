package compat

import (
	"strconv"
	"strings"
	"time"

	"queues/engine"
	"queues/protocol"
)

// deliveryAttributes is every system attribute of a received message, by name.
// A function gives the empty text for what the message does not have.
var deliveryAttributes = map[string]func(*engine.Queue, *engine.Delivery) string{
	"ApproximateFirstReceiveTimestamp": func(_ *engine.Queue, d *engine.Delivery) string { return milliseconds(d.FirstReceived) },
	"ApproximateReceiveCount":          func(_ *engine.Queue, d *engine.Delivery) string { return strconv.Itoa(d.Receives) },
	"DeadLetterQueueSourceArn":         func(_ *engine.Queue, d *engine.Delivery) string { return sourceARN(d.Source) },
	attrTraceHeader:                    func(_ *engine.Queue, d *engine.Delivery) string { return d.Trace },
	memberDedup:                        func(_ *engine.Queue, d *engine.Delivery) string { return d.Dedup },
	memberGroup:                        func(_ *engine.Queue, d *engine.Delivery) string { return d.Group },
	"SenderId":                         func(_ *engine.Queue, d *engine.Delivery) string { return d.Sender },
	"SentTimestamp":                    func(_ *engine.Queue, d *engine.Delivery) string { return milliseconds(d.Sent) },
	"SequenceNumber":                   func(q *engine.Queue, d *engine.Delivery) string { return deref(sequenceNumber(q, d.Sequence)) },
}

// sourceARN names the queue whose redrive brought a message; empty for none.
func sourceARN(source engine.QueueName) string {
	if source.Name == "" {
		return ""
	}
	return queueARN(source)
}

// milliseconds is the wire form of a message's times.
func milliseconds(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// systemAttributes are those asked for that the message has; nil for none.
// Names that are no such attribute are ignored.
func systemAttributes(q *engine.Queue, d *engine.Delivery, asked selection) map[string]string {
	var m map[string]string
	for name, of := range deliveryAttributes {
		if !asked.all && !asked.exact[name] {
			continue
		}
		value := of(q, d)
		if value == "" {
			continue
		}
		if m == nil {
			m = make(map[string]string, len(deliveryAttributes))
		}
		m[name] = value
	}
	return m
}

// attributeValue is the wire form of a message attribute: its type as it was
// given and the one value that such a type has.
func attributeValue(a engine.Attribute) protocol.MessageAttributeValue {
	v := protocol.MessageAttributeValue{DataType: &a.Type}
	if base, _, _ := strings.Cut(a.Type, "."); base == typeBinary {
		v.BinaryValue = a.Value
	} else {
		text := string(a.Value)
		v.StringValue = &text
	}
	return v
}

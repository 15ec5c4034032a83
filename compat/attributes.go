package compat

import (
	"strconv"
	"time"

	"queues/engine"
	"queues/protocol"
)

// The names of queue attributes that more than the catalogue speaks of.
const (
	attrAll                  = "All"
	attrFifoQueue            = "FifoQueue"
	attrKmsDataKeyReuse      = "KmsDataKeyReusePeriodSeconds"
	attrKmsMasterKeyID       = "KmsMasterKeyId"
	attrPolicy               = "Policy"
	attrRedriveAllowPolicy   = "RedriveAllowPolicy"
	attrRedrivePolicy        = "RedrivePolicy"
	attrSqsManagedSseEnabled = "SqsManagedSseEnabled"
	attrDeduplicationScope   = "DeduplicationScope"
	attrFifoThroughputLimit  = "FifoThroughputLimit"
	attrContentBasedDedup    = "ContentBasedDeduplication"
)

// setting changes one property of a queue to a value that has been checked.
type setting func(*engine.Settings)

// attribute is one row of the catalogue.
type attribute struct {
	// Parse checks a value that is to be set; nil for a read-only attribute.
	Parse func(r *attributeReader, value string) (setting, *protocol.Error)
	// Get renders the queue's value; false when there is nothing to show.
	Get func(q *engine.Queue, n engine.Counts) (string, bool)
	// Counted is true when Get needs the counts.
	Counted bool
	// FIFOOnly is the text that refuses the attribute on a standard queue;
	// empty for an attribute of both kinds.
	FIFOOnly string
}

// attributes is every queue attribute, by name.
var attributes = map[string]attribute{
	"ApproximateNumberOfMessages":           count(func(n engine.Counts) int64 { return n.Visible }),
	"ApproximateNumberOfMessagesDelayed":    count(func(n engine.Counts) int64 { return n.Delayed }),
	"ApproximateNumberOfMessagesNotVisible": count(func(n engine.Counts) int64 { return n.InFlight }),
	"CreatedTimestamp":                      readOnly(func(q *engine.Queue) string { return strconv.FormatInt(q.Created.Unix(), 10) }),
	"LastModifiedTimestamp":                 readOnly(func(q *engine.Queue) string { return strconv.FormatInt(q.Modified.Unix(), 10) }),
	"QueueArn":                              readOnly(func(q *engine.Queue) string { return queueARN(q.Name) }),

	"DelaySeconds":                  seconds("DelaySeconds", rangeDelaySeconds, func(s *engine.Settings) *time.Duration { return &s.Delay }),
	"MaximumMessageSize":            {Parse: parseMaximumMessageSize, Get: getMaximumMessageSize},
	"MessageRetentionPeriod":        seconds("MessageRetentionPeriod", rangeMessageRetentionPeriod, func(s *engine.Settings) *time.Duration { return &s.Retention }),
	"ReceiveMessageWaitTimeSeconds": seconds("ReceiveMessageWaitTimeSeconds", rangeReceiveMessageWaitTimeSeconds, func(s *engine.Settings) *time.Duration { return &s.ReceiveWait }),
	"VisibilityTimeout":             seconds("VisibilityTimeout", rangeVisibilityTimeout, func(s *engine.Settings) *time.Duration { return &s.VisibilityTimeout }),

	attrPolicy:               {Parse: parsePolicy, Get: extra(attrPolicy)},
	attrRedrivePolicy:        {Parse: parseRedrivePolicy, Get: getRedrivePolicy},
	attrRedriveAllowPolicy:   {Parse: parseRedriveAllowPolicy, Get: extra(attrRedriveAllowPolicy)},
	attrKmsMasterKeyID:       {Parse: parseKmsMasterKeyID, Get: extra(attrKmsMasterKeyID)},
	attrKmsDataKeyReuse:      {Parse: parseKmsDataKeyReuse, Get: getKmsDataKeyReuse},
	attrSqsManagedSseEnabled: {Parse: parseSqsManagedSse, Get: getSqsManagedSse},

	attrFifoQueue:           {Parse: parseFIFOQueue, Get: getFIFOQueue, FIFOOnly: unknownAttribute(attrFifoQueue)},
	attrContentBasedDedup:   {Parse: parseContentBasedDedup, Get: fifoExtra(attrContentBasedDedup, defaultContentBasedDedup), FIFOOnly: unknownAttribute(attrContentBasedDedup)},
	attrDeduplicationScope:  fifoChoice(attrDeduplicationScope, scopeQueue, scopeGroup),
	attrFifoThroughputLimit: fifoChoice(attrFifoThroughputLimit, limitQueue, limitGroup),
}

// unknownAttribute is the text of a name that is no attribute, or not one that
// can be used there.
func unknownAttribute(name string) string { return "Unknown Attribute " + clip(name) + "." }

// badAttribute is the error of an attribute's unacceptable value.
func badAttribute(name string) *protocol.Error {
	return protocol.InvalidAttributeValue.New("Invalid value for the parameter " + name + ".")
}

// count is a read-only attribute for one of the sizes of a queue.
func count(of func(engine.Counts) int64) attribute {
	return attribute{
		Counted: true,
		Get: func(_ *engine.Queue, n engine.Counts) (string, bool) {
			return strconv.FormatInt(of(n), 10), true
		},
	}
}

// readOnly is an attribute that nobody sets.
func readOnly(of func(*engine.Queue) string) attribute {
	return attribute{Get: func(q *engine.Queue, _ engine.Counts) (string, bool) { return of(q), true }}
}

// seconds is an attribute for a length of time in whole seconds.
func seconds(name string, allowed span, field func(*engine.Settings) *time.Duration) attribute {
	return attribute{
		Parse: func(_ *attributeReader, value string) (setting, *protocol.Error) {
			n, ok := wholeNumber(value, allowed)
			if !ok {
				return nil, badAttribute(name)
			}
			return func(s *engine.Settings) { *field(s) = time.Duration(n) * time.Second }, nil
		},
		Get: func(q *engine.Queue, _ engine.Counts) (string, bool) {
			return strconv.FormatInt(int64(*field(&q.Settings)/time.Second), 10), true
		},
	}
}

// extra shows a value that is kept as it is for this wire; one that is not set
// is not shown.
func extra(name string) func(*engine.Queue, engine.Counts) (string, bool) {
	return func(q *engine.Queue, _ engine.Counts) (string, bool) {
		value, ok := q.Extra[name]
		return value, ok
	}
}

// setExtra keeps a value for this wire; the empty one removes it.
func setExtra(name, value string) setting {
	return func(s *engine.Settings) {
		if value == "" {
			delete(s.Extra, name)
			return
		}
		if s.Extra == nil {
			s.Extra = make(map[string]string)
		}
		s.Extra[name] = value
	}
}

func parseMaximumMessageSize(_ *attributeReader, value string) (setting, *protocol.Error) {
	n, ok := wholeNumber(value, rangeMaximumMessageSize)
	if !ok {
		return nil, badAttribute("MaximumMessageSize")
	}
	return func(s *engine.Settings) { s.MaxMessageBytes = int(n) }, nil
}

func getMaximumMessageSize(q *engine.Queue, _ engine.Counts) (string, bool) {
	return strconv.Itoa(q.MaxMessageBytes), true
}

// defaultSettings are those of a queue created without attributes.
func defaultSettings() engine.Settings {
	return engine.Settings{
		MaxMessageBytes:   defaultMaximumMessageSize,
		Retention:         defaultMessageRetentionPeriod,
		VisibilityTimeout: defaultVisibilityTimeout,
	}
}

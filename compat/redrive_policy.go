package compat

import (
	"encoding/json"
	"strconv"

	"queues/engine"
	"queues/protocol"
)

// The two keys of a redrive policy.
const (
	keyMaxReceiveCount = "maxReceiveCount"
	keyDeadLetterARN   = "deadLetterTargetArn"
)

// textNotAMap refuses what is no JSON object at all.
const textNotAMap = "Invalid value for the parameter RedrivePolicy. Reason: Redrive policy is not a valid JSON map."

// parseRedrivePolicy checks where messages shall go that were received too
// often. The target must exist and take messages of this queue. The empty
// value removes the policy.
func parseRedrivePolicy(r *attributeReader, value string) (setting, *protocol.Error) {
	if value == "" {
		return func(s *engine.Settings) { s.Redrive = nil }, nil
	}
	redrive, err := readRedrivePolicy(value, r.queue.Account)
	if err == nil {
		err = r.checkTarget(redrive.Target, value)
	}
	if err != nil {
		return nil, err
	}
	return func(s *engine.Settings) { s.Redrive = &redrive }, nil
}

// badRedrive is the error of a redrive policy of the right shape.
func badRedrive(value, reason string) *protocol.Error {
	return invalid(value, attrRedrivePolicy, reason)
}

// readRedrivePolicy reads the JSON form of a redrive policy of a queue that
// belongs to the account. Whether the target exists is not its matter.
func readRedrivePolicy(value, account string) (engine.Redrive, *protocol.Error) {
	var m map[string]json.RawMessage
	document, ok := compactJSON(value, maxRedrivePolicyBytes)
	if !ok || json.Unmarshal(document, &m) != nil || m == nil {
		return engine.Redrive{}, protocol.InvalidAttributeValue.New(textNotAMap)
	}
	for _, key := range []string{keyMaxReceiveCount, keyDeadLetterARN} {
		if raw := string(m[key]); raw == "" || raw == "null" {
			return engine.Redrive{}, badRedrive(value, "Redrive policy does not contain mandatory attribute: "+key+".")
		}
	}
	count := scalar(m[keyMaxReceiveCount])
	n, ok := wholeNumber(count, rangeMaxReceiveCount)
	if !ok {
		return engine.Redrive{}, badRedrive(value, "Invalid value for maxReceiveCount: "+clip(count)+", valid values are from 1 to 1000 both inclusive.")
	}
	target, ok := parseARN(scalar(m[keyDeadLetterARN]))
	switch {
	case !ok:
		return engine.Redrive{}, badRedrive(value, "Dead-letter target ARN should be fully qualified ARN.")
	case len(m) != 2:
		return engine.Redrive{}, badRedrive(value, "Only following attributes are supported: [maxReceiveCount, deadLetterTargetArn].")
	case target.Service != "sqs":
		return engine.Redrive{}, badRedrive(value, "Only SQS queues are valid resources for deadLetterTargetArn.")
	case target.Account != account:
		return engine.Redrive{}, badRedrive(value, "Dead-letter target owner should be same as the source.")
	}
	name, ok := target.queue()
	if !ok {
		return engine.Redrive{}, badRedrive(value, textNoTarget)
	}
	return engine.Redrive{Target: name, MaxReceives: int(n)}, nil
}

// scalar is the text of a JSON value: a string without its quotes, anything
// else as it is written.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// The texts of targets that cannot be used.
const (
	textNoTarget      = "Dead letter target does not exist."
	textTargetKind    = "Dead-letter queue must be same type of queue as the source.."
	textTargetRefuses = "The redrive allow policy of the dead-letter target does not permit this source queue."
)

// checkTarget refuses a dead-letter queue that is not there, is of the other
// kind, or does not take messages of this queue. A queue may be its own target.
// CreateQueue may name the target that the queue has already, whatever has
// become of that: it sets nothing.
func (r *attributeReader) checkTarget(target engine.QueueName, value string) *protocol.Error {
	if r.creating && target == r.queue {
		return nil
	}
	if r.existing != nil && r.existing.Redrive != nil && r.existing.Redrive.Target == target {
		return nil
	}
	if target.Region != r.queue.Region {
		return badRedrive(value, textNoTarget)
	}
	q, err := r.service.engine.FindQueue(r.ctx, target)
	switch {
	case err != nil && engine.ErrorCode(err) == engine.QueueNotFound:
		return badRedrive(value, textNoTarget)
	case err != nil:
		return translate(err, about{})
	case q.Kind != r.kind:
		return badRedrive(value, textTargetKind)
	case !allowsSource(q.Extra[attrRedriveAllowPolicy], queueARN(r.queue)):
		return badRedrive(value, textTargetRefuses)
	}
	return nil
}

// getRedrivePolicy renders the policy in AWS's form and order of keys.
func getRedrivePolicy(q *engine.Queue, _ engine.Counts) (string, bool) {
	if q.Redrive == nil {
		return "", false
	}
	return renderRedrivePolicy(*q.Redrive), true
}

// renderRedrivePolicy is the JSON form of a redrive policy. Nothing in a
// queue's ARN needs escaping.
func renderRedrivePolicy(r engine.Redrive) string {
	return `{"deadLetterTargetArn":"` + queueARN(r.Target) + `","maxReceiveCount":` + strconv.Itoa(r.MaxReceives) + `}`
}

package compat

import (
	"encoding/json"
	"slices"
	"strings"

	"queues/protocol"
)

// The texts of redrive allow policies that cannot be.
const (
	textAllowFormat   = "Invalid value for the parameter RedriveAllowPolicy. Reason: Amazon SQS can't create the redrive allow policy, as it’s in an unsupported format."
	textAllowNotByARN = "Amazon SQS can't create the redrive allow policy. To specify one or more source queue ARNs, you must set redrivePermission to byQueue."
	textAllowNoARN    = "Amazon SQS can't create the redrive allow policy. When you specify the byQueue permission type, you must also specify one or more sourceQueueArns values."
	textAllowManyARNs = "Amazon SQS can't create the redrive allow policy. The maximum number of source queue ARNs you can specify is 10."
)

// redriveAllow says which queues may use a queue as their dead-letter queue.
type redriveAllow struct {
	Permission string   `json:"redrivePermission"`
	Sources    []string `json:"sourceQueueArns,omitempty"`
}

// parseRedriveAllowPolicy checks who may use the queue as a dead-letter queue.
// The empty value removes the policy, which allows all.
func parseRedriveAllowPolicy(_ *attributeReader, value string) (setting, *protocol.Error) {
	if value == "" {
		return setExtra(attrRedriveAllowPolicy, ""), nil
	}
	p, ok := readRedriveAllow(value)
	switch {
	case !ok:
		return nil, protocol.InvalidAttributeValue.New(textAllowFormat)
	case p.Permission != "byQueue" && len(p.Sources) > 0:
		return nil, invalid(value, attrRedriveAllowPolicy, textAllowNotByARN)
	case p.Permission == "byQueue" && len(p.Sources) == 0:
		return nil, invalid(value, attrRedriveAllowPolicy, textAllowNoARN)
	case len(p.Sources) > maxSourceQueueARNs:
		return nil, invalid(value, attrRedriveAllowPolicy, textAllowManyARNs)
	}
	return setExtra(attrRedriveAllowPolicy, p.render()), nil
}

// readRedriveAllow reads the JSON form. False means that it is none.
func readRedriveAllow(text string) (redriveAllow, bool) {
	document, ok := compactJSON(text, maxRedrivePolicyBytes)
	if !ok {
		return redriveAllow{}, false
	}
	m, ok := object(document, "redrivePermission", "sourceQueueArns")
	if !ok {
		return redriveAllow{}, false
	}
	p := redriveAllow{Permission: scalar(m["redrivePermission"])}
	if !slices.Contains([]string{"allowAll", "denyAll", "byQueue"}, p.Permission) {
		return redriveAllow{}, false
	}
	raw, given := m["sourceQueueArns"]
	if !given || string(raw) == "[]" || string(raw) == "null" {
		return p, true
	}
	if raw[0] != '[' {
		return redriveAllow{}, false
	}
	if p.Sources, ok = stringOrStrings(raw); !ok {
		return redriveAllow{}, false
	}
	for _, source := range p.Sources {
		a, ok := parseARN(source)
		if _, named := a.queue(); !ok || !named {
			return redriveAllow{}, false
		}
	}
	return p, true
}

// render is the compact JSON form. Its words and ARNs need no escaping.
func (p redriveAllow) render() string {
	if len(p.Sources) == 0 {
		return `{"redrivePermission":"` + p.Permission + `"}`
	}
	return `{"redrivePermission":"` + p.Permission + `","sourceQueueArns":["` + strings.Join(p.Sources, `","`) + `"]}`
}

// allowsSource reports whether a stored policy lets the queue with the ARN use
// its queue as a dead-letter queue. No policy lets everyone.
func allowsSource(policy, source string) bool {
	if policy == "" {
		return true
	}
	var p redriveAllow
	if json.Unmarshal([]byte(policy), &p) != nil {
		return false
	}
	return p.Permission == "allowAll" || slices.Contains(p.Sources, source)
}

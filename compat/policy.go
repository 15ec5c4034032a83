package compat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"queues/protocol"
)

// parsePolicy checks that a value is an access policy and keeps it as it is,
// without the white space between its tokens. The empty value removes the
// policy.
func parsePolicy(r *attributeReader, value string) (setting, *protocol.Error) {
	if value == "" {
		return setExtra(attrPolicy, ""), nil
	}
	p, ok := readPolicy(value)
	if !ok {
		return nil, badAttribute(attrPolicy)
	}
	if excess := p.excess(); excess != "" {
		if r.creating {
			return nil, protocol.InvalidParameterValue.New(excess)
		}
		return nil, protocol.OverLimit.New(excess)
	}
	return setExtra(attrPolicy, p.document), nil
}

// policy is an access policy as far as its form and size matter.
type policy struct {
	// document is the whole of it, in compact JSON.
	document   string
	statements []statement
}

// statement is one statement of a policy, as far as its size matters.
type statement struct{ actions, principals, conditions int }

// excess is the text of the first limit that the policy passes, empty for
// none.
func (p policy) excess() string {
	if n := len(p.statements); n > maxPolicyStatements {
		return fmt.Sprintf("%d statements were found in the submitted policy, max allowed is %d", n, maxPolicyStatements)
	}
	for _, s := range p.statements {
		switch {
		case s.actions > maxPolicyActions:
			return fmt.Sprintf("%d Actions were found, maximum allowed is %d.", s.actions, maxPolicyActions)
		case s.principals > maxPolicyPrincipals:
			return fmt.Sprintf("%d Principals were found, maximum allowed is %d.", s.principals, maxPolicyPrincipals)
		case s.conditions > maxPolicyConditions:
			return fmt.Sprintf("%d Conditions were found, maximum allowed is %d.", s.conditions, maxPolicyConditions)
		}
	}
	return ""
}

// readPolicy reads a policy document. False means that it is none, or too
// long.
func readPolicy(text string) (policy, bool) {
	document, ok := compactJSON(text, maxPolicy)
	if !ok || !protocol.ValidText(text) {
		return policy{}, false
	}
	top, ok := object(document, "Version", "Id", "Statement")
	if !ok || top["Statement"] == nil {
		return policy{}, false
	}
	if version, given := top["Version"]; given && string(version) != `"2012-10-17"` && string(version) != `"2008-10-17"` {
		return policy{}, false
	}
	if id, given := top["Id"]; given && !isString(id) {
		return policy{}, false
	}
	p := policy{document: string(document)}
	items, ok := oneOrMore(top["Statement"])
	if !ok {
		return policy{}, false
	}
	for _, item := range items {
		s, ok := readStatement(item)
		if !ok {
			return policy{}, false
		}
		p.statements = append(p.statements, s)
	}
	return p, true
}

// readStatement checks one statement: an effect, whom it is for, what it is
// about. Resources and conditions may be anything.
func readStatement(raw json.RawMessage) (statement, bool) {
	m, ok := object(raw, "Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "NotResource", "Condition")
	if !ok {
		return statement{}, false
	}
	if effect := string(m["Effect"]); effect != `"Allow"` && effect != `"Deny"` {
		return statement{}, false
	}
	if sid, given := m["Sid"]; given && !isString(sid) {
		return statement{}, false
	}
	var s statement
	who, ok := either(m, "Principal", "NotPrincipal")
	if !ok {
		return statement{}, false
	}
	if s.principals, ok = countPrincipals(who); !ok {
		return statement{}, false
	}
	what, ok := either(m, "Action", "NotAction")
	if !ok {
		return statement{}, false
	}
	actions, ok := stringOrStrings(what)
	if !ok || slices.ContainsFunc(actions, func(a string) bool { return !isAction(a) }) {
		return statement{}, false
	}
	s.actions = len(actions)
	if s.conditions, ok = countConditions(m["Condition"]); !ok {
		return statement{}, false
	}
	return s, true
}

// isAction reports whether a names actions of this service, or all actions.
func isAction(a string) bool {
	const prefix = "sqs:"
	return a == "*" || len(a) > len(prefix) && strings.EqualFold(a[:len(prefix)], prefix)
}

// countPrincipals counts those a statement is for: "*", or names by their kind.
func countPrincipals(raw json.RawMessage) (int, bool) {
	if string(raw) == `"*"` {
		return 1, true
	}
	kinds, ok := object(raw, "AWS", "Service", "Federated", "CanonicalUser")
	if !ok || len(kinds) == 0 {
		return 0, false
	}
	n := 0
	for _, names := range kinds {
		list, ok := stringOrStrings(names)
		if !ok {
			return 0, false
		}
		n += len(list)
	}
	return n, true
}

// countConditions counts the conditions of a statement: keys under operators.
func countConditions(raw json.RawMessage) (int, bool) {
	if raw == nil {
		return 0, true
	}
	var operators map[string]map[string]any
	if json.Unmarshal(raw, &operators) != nil {
		return 0, false
	}
	n := 0
	for _, keys := range operators {
		n += len(keys)
	}
	return n, true
}

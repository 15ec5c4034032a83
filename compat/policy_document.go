package compat

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"queues/engine"
	"queues/protocol"
)

// policyDocument is a queue's policy taken apart at its statements, so that one
// can be added or removed and all else stays as it is written.
type policyDocument struct {
	// version and id are JSON values; nil where the document has none.
	version, id json.RawMessage
	statements  []json.RawMessage
}

// changePolicy changes the policy of a queue in one step. A policy without
// statements is none.
func (s *Service) changePolicy(ctx context.Context, q *engine.Queue, change func(*policyDocument) *protocol.Error) *protocol.Error {
	_, failure := s.engine.UpdateQueue(ctx, engine.UpdateQueueParams{
		Queue: q.ID,
		Touch: true,
		Change: func(q *engine.Queue) error {
			p, err := openPolicy(q)
			if err != nil {
				return err
			}
			if err := change(&p); err != nil {
				return err
			}
			text := p.render()
			if len(text) > maxPolicy {
				return protocol.OverLimit.New(fmt.Sprintf("The policy would be %d bytes long, maximum allowed is %d.", len(text), maxPolicy))
			}
			setExtra(attrPolicy, text)(&q.Settings)
			return nil
		},
	})
	if failure != nil {
		return translate(failure, about{Queue: q.Name.Name})
	}
	return nil
}

// openPolicy takes the policy of a queue apart. A queue without one gets the
// head of the policy that AWS begins for it.
func openPolicy(q *engine.Queue) (policyDocument, error) {
	text := q.Extra[attrPolicy]
	if text == "" {
		return policyDocument{
			version: json.RawMessage(`"2008-10-17"`),
			id:      json.RawMessage(`"` + queueARN(q.Name) + `/SQSDefaultPolicy"`),
		}, nil
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return policyDocument{}, fmt.Errorf("the stored policy of %s: %w", q.Name.Name, err)
	}
	statements, ok := oneOrMore(m["Statement"])
	if !ok {
		return policyDocument{}, fmt.Errorf("the stored policy of %s has no statements", q.Name.Name)
	}
	return policyDocument{version: m["Version"], id: m["Id"], statements: statements}, nil
}

// sid is the label of a statement, empty for none.
func sid(statement json.RawMessage) string {
	var m map[string]json.RawMessage
	if json.Unmarshal(statement, &m) != nil || m["Sid"] == nil {
		return ""
	}
	return scalar(m["Sid"])
}

// add appends a statement, under a label that no other has.
func (p *policyDocument) add(label, statement string) *protocol.Error {
	for _, s := range p.statements {
		if sid(s) == label {
			return invalid(label, "Label", "Already exists.")
		}
	}
	p.statements = append(p.statements, json.RawMessage(statement))
	if n := len(p.statements); n > maxPolicyStatements {
		return protocol.OverLimit.New(fmt.Sprintf("%d Statements were found, maximum allowed is %d.", n, maxPolicyStatements))
	}
	return nil
}

// remove takes out what has the label.
func (p *policyDocument) remove(label string) *protocol.Error {
	var rest []json.RawMessage
	for _, s := range p.statements {
		if sid(s) != label {
			rest = append(rest, s)
		}
	}
	switch {
	case len(p.statements) == 0:
		return invalid(label, "Label", "can't find label.")
	case len(rest) == len(p.statements):
		return invalid(label, "Label", "can't find label on existing policy.")
	}
	p.statements = rest
	return nil
}

// render is the whole document, whose statements are always an array; empty
// without any. The values are compact JSON already and stay as they are.
func (p *policyDocument) render() string {
	if len(p.statements) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteByte('{')
	if p.version != nil {
		b.WriteString(`"Version":` + string(p.version) + `,`)
	}
	if p.id != nil {
		b.WriteString(`"Id":` + string(p.id) + `,`)
	}
	b.WriteString(`"Statement":[`)
	for i, s := range p.statements {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(s)
	}
	b.WriteString(`]}`)
	return b.String()
}

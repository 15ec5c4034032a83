package compat

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"

	"queues/engine"
	"queues/protocol"
)

// createQueue makes a queue, or finds the one of that name when none of the
// attributes given differs from its own. Tags are not compared.
func (s *Service) createQueue(ctx context.Context, c Caller, in *protocol.CreateQueueInput) (Result, *protocol.Error) {
	fifo, _ := boolean(in.Attributes[attrFifoQueue])
	if err := checkName(in.QueueName, fifo); err != nil {
		return Result{}, err
	}
	kind := engine.Standard
	if fifo {
		kind = engine.FIFO
	}
	name := engine.QueueName{Namespace: engine.Namespace{Account: c.Account, Region: c.Region}, Name: *in.QueueName}
	existing, err := s.existingQueue(ctx, name)
	if err != nil {
		return Result{}, err
	}
	reader := &attributeReader{ctx: ctx, service: s, queue: name, kind: kind, creating: true, existing: existing}
	edit, err := reader.read(in.Attributes)
	if err != nil {
		return Result{}, err
	}
	if err := checkTags(in.Tags); err != nil {
		return Result{}, err
	}
	if len(in.Tags) > maxTags {
		return Result{}, tooManyTags(name.Name)
	}
	if existing != nil && edit.differs(existing) == "" {
		return created(c, name), nil
	}
	settings := defaultSettings()
	if err := edit.apply(&settings); err != nil {
		return Result{}, err
	}
	res, failure := s.engine.CreateQueue(ctx, engine.CreateQueueParams{
		Name:          name,
		Kind:          kind,
		DedupPerGroup: settings.Extra[attrDeduplicationScope] == scopeGroup,
		Settings:      settings,
		Tags:          in.Tags,
		Cooldown:      s.options.NameCooldown,
		MaxQueues:     s.options.MaxQueues,
	})
	if failure != nil {
		return Result{}, translate(failure, about{Queue: name.Name})
	}
	if !res.Created {
		if attr := edit.differs(res.Queue); attr != "" {
			return Result{}, protocol.QueueNameExists.New("A queue already exists with the same name and a different value for attribute " + attr)
		}
	}
	return created(c, name), nil
}

// existingQueue gives the queue that has the name already, nil for none.
func (s *Service) existingQueue(ctx context.Context, name engine.QueueName) (*engine.Queue, *protocol.Error) {
	q, err := s.engine.FindQueue(ctx, name)
	switch {
	case err == nil:
		return q, nil
	case engine.ErrorCode(err) == engine.QueueNotFound:
		return nil, nil
	}
	return nil, translate(err, about{Queue: name.Name})
}

// created is the answer with the URL of a queue.
func created(c Caller, name engine.QueueName) Result {
	url := queueURL(c, name)
	return Result{Output: &protocol.CreateQueueOutput{QueueURL: &url}}
}

// differs names the first attribute of the edit that would change the queue,
// empty for none.
func (e edit) differs(q *engine.Queue) string {
	wanted := *q
	wanted.Extra = maps.Clone(q.Extra)
	for _, set := range e.settings {
		set(&wanted.Settings)
	}
	for _, name := range e.names {
		want, ok := attributes[name].Get(&wanted, engine.Counts{})
		have, had := attributes[name].Get(q, engine.Counts{})
		if ok != had || !sameValue(name, want, have) {
			return name
		}
	}
	return ""
}

// sameValue compares two values of an attribute as what they mean.
func sameValue(name, a, b string) bool {
	return a == b || name == attrPolicy && sameJSON(a, b)
}

// sameJSON compares two JSON texts apart from the order of keys.
func sameJSON(a, b string) bool {
	var x, y any
	return json.Unmarshal([]byte(a), &x) == nil && json.Unmarshal([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

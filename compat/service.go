package compat

import (
	"context"
	"fmt"
	"time"

	"queues/engine"
	"queues/protocol"
)

// Options are what an operator decides about the semantics. The zero value has
// no cooldowns, the default in-flight limit and open accounts.
type Options struct {
	// InFlightLimit bounds the messages of one queue in flight. Zero means
	// 120,000.
	InFlightLimit int64
	// NameCooldown blocks a queue's name after its deletion; zero for not at
	// all.
	NameCooldown time.Duration
	// PurgeCooldown is the least time between two purges of a queue; zero for
	// no such rule.
	PurgeCooldown time.Duration
	// MaxQueues bounds the queues of all accounts and regions together; zero for
	// no bound.
	MaxQueues int
	// SeparateAccounts hides the queues of all accounts but the caller's own.
	// Without it a queue URL may name any account.
	SeparateAccounts bool
}

// Service answers decoded calls. It is safe for concurrent use.
type Service struct {
	engine  *engine.Engine
	options Options
}

// New gives a service over the engine.
func New(e *engine.Engine, o Options) *Service {
	if o.InFlightLimit == 0 {
		o.InFlightLimit = defaultInFlightLimit
	}
	return &Service{engine: e, options: o}
}

// Do performs one call. The call's input must be of its operation's type. What
// went wrong inside is in the error's Cause.
func (s *Service) Do(ctx context.Context, c Caller, call protocol.Call) (Result, *protocol.Error) {
	run, ok := operations[call.Operation]
	if !ok {
		return Result{}, protocol.UnknownOperation.New(fmt.Sprintf("The action %s is not valid for this endpoint.", clip(string(call.Operation))))
	}
	return run(s, ctx, c, call.Input)
}

// queue finds the queue that a QueueUrl member names. An absent, empty or
// unusable URL names none.
func (s *Service) queue(ctx context.Context, c Caller, url *string) (*engine.Queue, *protocol.Error) {
	name, ok := parseQueueURL(c, deref(url))
	if !ok {
		return nil, protocol.QueueDoesNotExist.New("")
	}
	return s.find(ctx, c, name)
}

// find gives the queue that has the name.
func (s *Service) find(ctx context.Context, c Caller, name engine.QueueName) (*engine.Queue, *protocol.Error) {
	if s.options.SeparateAccounts && name.Account != c.Account {
		return nil, protocol.QueueDoesNotExist.New(textNoAccess)
	}
	if !possibleName(name.Name) {
		return nil, protocol.QueueDoesNotExist.New("")
	}
	q, err := s.engine.FindQueue(ctx, name)
	if err != nil {
		return nil, translate(err, about{Queue: name.Name})
	}
	return q, nil
}

// textNoAccess does not tell whether the queue exists.
const textNoAccess = "The specified queue does not exist or you do not have access to it."

// deref reads an optional member; absent reads as empty.
func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

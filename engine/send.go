package engine

import (
	"context"

	"github.com/google/uuid"
)

// Send stores messages in their order, each under a new id, and gives their
// ids and numbers. Errors as for [Store].
func (e *Engine) Send(ctx context.Context, p SendParams) ([]Sent, error) {
	for i := range p.Messages {
		id, err := uuid.NewRandom()
		if err != nil {
			return nil, &Error{Code: Internal, Text: "no random bytes for a message id", Err: err}
		}
		p.Messages[i].ID = MessageID(id)
	}
	return e.store.Send(ctx, p)
}

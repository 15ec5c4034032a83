package compat

import (
	"context"

	"queues/protocol"
)

// removePermission is not offered: nothing evaluates policies.
func (s *Service) removePermission(ctx context.Context, c Caller, in *protocol.RemovePermissionInput) (Result, *protocol.Error) {
	return s.refuseOn(ctx, c, in.QueueURL, protocol.RemovePermission)
}

package compat

import (
	"context"

	"queues/protocol"
)

// addPermission is not offered: nothing evaluates policies.
func (s *Service) addPermission(ctx context.Context, c Caller, in *protocol.AddPermissionInput) (Result, *protocol.Error) {
	return s.refuseOn(ctx, c, in.QueueURL, protocol.AddPermission)
}

package sqlite

// fairStatements are the statements of the groups of standard queues.
type fairStatements struct {
	findFair, addFair, fairName, putFair, removeFair   *stmt
	deadFair, dueGroups, heldGroups                    *stmt
	fairHeads, fairLate, fairMembers, noisyGroups      *stmt
	forgetMovedHeld, staleFair, staleLate, liveFlights *stmt
}

// prepareFair prepares them on the writer's connection.
func (w *writer) prepareFair(c *conn) error {
	if err := c.prepareAll([]preparation{
		{&w.findFair, "fair.find", findFairSQL},
		{&w.addFair, "fair.add", addFairSQL},
		{&w.fairName, "fair.name", fairNameSQL},
		{&w.putFair, "fair.put", putFairSQL},
		{&w.removeFair, "fair.remove", removeFairSQL},
		{&w.deadFair, "sweep.fair", deadFairSQL},
		{&w.dueGroups, "promote.groups", dueGroupsSQL},
		{&w.heldGroups, "expire.groups", heldGroupsSQL},
		{&w.staleFair, "expire.stale_heads", staleFairSQL},
		{&w.staleLate, "expire.stale_late_heads", staleLateSQL},
		{&w.liveFlights, "receive.live_flights", liveFlightsSQL},
		{&w.fairHeads, "receive.heads", fairHeadsSQL},
		{&w.fairLate, "receive.late_heads", fairLateSQL},
		{&w.fairMembers, "receive.members", fairMembersSQL},
		{&w.noisyGroups, "receive.noisy", noisyGroupsSQL},
		{&w.forgetMovedHeld, "moved.forget_held", forgetMovedHeldSQL},
	}); err != nil {
		return err
	}
	return nil
}

package sqlite

// fairStatements are the statements of the groups of standard queues.
type fairStatements struct {
	findFair, addFair, fairName, putFair, removeFair *stmt
	deadFair, dueGroups, heldGroups                  *stmt
	fairHeads, fairLate, fairMembers, noisyGroups    *stmt
	forgetMovedHeld                                  *stmt
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

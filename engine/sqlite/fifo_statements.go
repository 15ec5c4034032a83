package sqlite

// fifoStatements are the statements of FIFO queues.
type fifoStatements struct {
	findGroup, addGroup, readGroup, setGroup, moveHead, removeGroup *stmt
	groupOf, headOfGroup, lastTurn, deadGroups                      *stmt

	line, lineHeads, runOfGroup                   *stmt
	acknowledgeMember, acknowledgeMemberUnexpired *stmt
	unreceive                                     *stmt

	dueMembers, flipMembers, waitingGroups             *stmt
	countRange, countRangeBack, lastBefore, rangeHeads *stmt
	expiredRows                                        *stmt
	recall, forgetDedup, oldestDedup                   *stmt
	addAttempt, findAttempt, readMember, repeatMember  *stmt
	forgetAttempts, oldestAttempt                      *stmt
	groupName, buryMember, walkMembers, headInLine     *stmt

	claimMembers, lockGroups, remember *multi
}

// prepareFIFO prepares them on the writer's connection.
func (w *writer) prepareFIFO(c *conn) error {
	if err := c.prepareAll([]preparation{
		{&w.groupName, "redrive.group_name", groupNameSQL},
		{&w.buryMember, "redrive.bury", buryMemberSQL},
		{&w.walkMembers, "move.walk_members", walkMembersSQL},
		{&w.headInLine, "move.head_in_line", headInLineSQL},
		{&w.acknowledgeMember, "acknowledge.remove_member", acknowledgeSQL + ofGroupSQL},
		{&w.acknowledgeMemberUnexpired, "acknowledge.remove_member_unexpired", acknowledgeUnexpiredSQL + ofGroupSQL},
		{&w.unreceive, "release.unreceive", unreceiveSQL},
		{&w.findGroup, "group.find", findGroupSQL},
		{&w.addGroup, "group.add", addGroupSQL},
		{&w.readGroup, "group.read", readGroupSQL},
		{&w.groupOf, "group.of", groupOfSQL},
		{&w.setGroup, "group.set", setGroupSQL},
		{&w.moveHead, "group.move_head", moveHeadSQL},
		{&w.removeGroup, "group.remove", removeGroupSQL},
		{&w.lastTurn, "group.last_turn", lastTurnSQL},
		{&w.headOfGroup, "group.head", headOfGroupSQL},
		{&w.line, "receive.line", lineSQL},
		{&w.lineHeads, "receive.line_heads", lineHeadsSQL},
		{&w.runOfGroup, "receive.run", runOfGroupSQL},
		{&w.flipMembers, "promote.move_members", promoteMembersSQL},
		{&w.dueMembers, "promote.members", dueMembersSQL},
		{&w.countRange, "promote.count_range", countRangeSQL},
		{&w.countRangeBack, "promote.count_range_back", countRangeBackSQL},
		{&w.waitingGroups, "promote.waiting", waitingGroupsSQL},
		{&w.rangeHeads, "promote.range_heads", rangeHeadsSQL},
		{&w.lastBefore, "promote.last_before", lastBeforeSQL},
		{&w.expiredRows, "expire.rows", expiredRowsSQL},
		{&w.recall, "dedup.recall", recallSQL},
		{&w.forgetDedup, "dedup.forget", forgetDedupSQL},
		{&w.oldestDedup, "dedup.oldest", oldestDedupSQL},
		{&w.addAttempt, "attempt.add", addAttemptSQL},
		{&w.findAttempt, "attempt.find", findAttemptSQL},
		{&w.readMember, "attempt.member", readMemberSQL},
		{&w.repeatMember, "attempt.repeat", repeatMemberSQL},
		{&w.forgetAttempts, "attempt.forget", forgetAttemptsSQL},
		{&w.oldestAttempt, "attempt.oldest", oldestAttemptSQL},
		{&w.deadGroups, "sweep.groups", deadGroupsSQL},
	}); err != nil {
		return err
	}
	for _, p := range []struct {
		to                         **multi
		name, head, params, behind string
	}{
		{&w.claimMembers, "receive.claim_members", claimMembersSQL, claimMemberParams, claimMembersTail},
		{&w.lockGroups, "receive.lock_groups", lockGroupsSQL, "?", ")"},
		{&w.remember, "dedup.remember", rememberSQL, rememberParams, rememberTail},
	} {
		m, err := c.prepareMulti(p.name, p.head, p.params, p.behind)
		if err != nil {
			return err
		}
		*p.to = m
	}
	return nil
}

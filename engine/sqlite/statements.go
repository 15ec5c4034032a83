package sqlite

// statements are what the writer has prepared. Their texts are beside the code
// that uses them.
type statements struct {
	begin, commit, rollback *stmt
	logSize                 *stmt

	insertMessages, removeMessages, putStates *multi

	readState, removeState *stmt

	insertQueue, updateQueue, purgeQueue, removeQueue *stmt
	dropName, forgetName, findName, trimNames         *stmt
	addGarbage, firstGarbage, removeGarbage           *stmt

	stored storedStatements

	fifoStatements
	fairStatements

	holdMessage *stmt

	returnedIDs, freshIDs               *stmt
	claimFresh, claimReturned           *stmt
	acknowledge, acknowledgeUnexpired   *stmt
	readDelivery, moveDelivery, release *stmt

	firstKept, keptOver, keptSent, endKept             *stmt
	forgetMoved, forgetMovedUpTo, forgetMovedOf        *stmt
	walkReturned, walkFresh                            *stmt
	tries, unspent, spent                              *stmt
	copyMessage, insertMoved, removeDeliveryRow        *stmt
	insertMove, findMove, lastMove, trimMoves, putMove *stmt
	nextMove, removeMoves, moveQueue, readMeta         *stmt

	countDue, promoteDue, firstDue                       *stmt
	oldestFresh, oldestHeld, messageFrom                 *stmt
	countFresh, countHeld, removeFreshDue, removeHeldDue *stmt
	removeFreshRows, removeHeldRows, freePages, shrink   *stmt
}

// prepare prepares everything on the writer's connection.
func (w *writer) prepare(c *conn) error {
	if err := w.stored.prepare(c); err != nil {
		return err
	}
	if err := c.prepareAll([]preparation{
		{&w.begin, "begin", "BEGIN IMMEDIATE"},
		{&w.commit, "commit", "COMMIT"},
		{&w.rollback, "rollback", "ROLLBACK"},
		{&w.logSize, "log.size", logSizeSQL},
		{&w.readState, "state.read", readStateSQL},
		{&w.removeState, "state.remove", removeStateSQL},
		{&w.insertQueue, "queue.insert", insertQueueSQL},
		{&w.updateQueue, "queue.update", updateQueueSQL},
		{&w.purgeQueue, "queue.purge", purgeQueueSQL},
		{&w.removeQueue, "queue.remove", removeQueueSQL},
		{&w.dropName, "name.drop", dropNameSQL},
		{&w.forgetName, "name.forget", forgetNameSQL},
		{&w.findName, "name.find", findNameSQL},
		{&w.trimNames, "name.trim", trimNamesSQL},
		{&w.addGarbage, "garbage.add", addGarbageSQL},
		{&w.firstGarbage, "garbage.first", firstGarbageSQL},
		{&w.removeGarbage, "garbage.remove", removeGarbageSQL},
		{&w.holdMessage, "send.hold", holdMessageSQL},
		{&w.returnedIDs, "receive.returned_ids", returnedIDsSQL},
		{&w.freshIDs, "receive.fresh_ids", freshIDsSQL},
		{&w.claimFresh, "receive.claim_fresh", claimFreshSQL},
		{&w.claimReturned, "receive.claim_returned", claimReturnedSQL},
		{&w.acknowledge, "acknowledge.remove", acknowledgeSQL},
		{&w.acknowledgeUnexpired, "acknowledge.remove_unexpired", acknowledgeUnexpiredSQL},
		{&w.readDelivery, "delivery.read", readDeliverySQL},
		{&w.moveDelivery, "visibility.move", moveDeliverySQL},
		{&w.release, "release.undo", releaseSQL},
		{&w.firstKept, "kept.first", firstKeptSQL},
		{&w.keptOver, "kept.over", keptOverSQL},
		{&w.keptSent, "kept.sent", keptSentSQL},
		{&w.endKept, "kept.end", endKeptSQL},
		{&w.forgetMoved, "moved.forget", forgetMovedSQL},
		{&w.forgetMovedUpTo, "moved.forget_up_to", forgetMovedUpToSQL},
		{&w.forgetMovedOf, "moved.forget_of", forgetMovedOfSQL},
		{&w.walkReturned, "sift.returned", walkReturnedSQL},
		{&w.walkFresh, "sift.fresh", walkFreshSQL},
		{&w.tries, "sift.tries", triesSQL},
		{&w.unspent, "sift.unspent", unspentSQL},
		{&w.spent, "redrive.spent", spentSQL},
		{&w.copyMessage, "redrive.copy", copyMessageSQL},
		{&w.insertMoved, "redrive.moved", insertMovedSQL},
		{&w.removeDeliveryRow, "redrive.delivery", removeDeliverySQL},
		{&w.insertMove, "move.insert", insertMoveSQL},
		{&w.findMove, "move.find", findMoveSQL},
		{&w.lastMove, "move.last", listMovesSQL},
		{&w.trimMoves, "move.trim", trimMovesSQL},
		{&w.putMove, "move.put", putMoveSQL},
		{&w.nextMove, "move.next", nextMoveSQL},
		{&w.removeMoves, "move.remove", removeMovesSQL},
		{&w.moveQueue, "move.queue", moveQueueSQL},
		{&w.readMeta, "move.meta", readMetaSQL},
		{&w.countDue, "promote.count", countDueSQL},
		{&w.promoteDue, "promote.move", promoteDueSQL},
		{&w.firstDue, "promote.first", firstDueSQL},
		{&w.oldestFresh, "expire.oldest_fresh", oldestFreshSQL},
		{&w.oldestHeld, "expire.oldest_held", oldestHeldSQL},
		{&w.messageFrom, "expire.message_from", messageFromSQL},
		{&w.countFresh, "sweep.count_fresh", countFreshSQL},
		{&w.countHeld, "sweep.count_held", countHeldSQL},
		{&w.removeFreshDue, "sweep.remove_fresh_deliveries", removeFreshDeliveriesSQL},
		{&w.removeHeldDue, "sweep.remove_held_deliveries", removeHeldDeliveriesSQL},
		{&w.removeFreshRows, "sweep.remove_fresh", removeFreshSQL},
		{&w.removeHeldRows, "sweep.remove_held", removeHeldSQL},
		{&w.freePages, "sweep.free_pages", freePagesSQL},
		{&w.shrink, "sweep.shrink", shrinkSQL},
	}); err != nil {
		return err
	}
	for _, p := range []struct {
		to                         **multi
		name, head, params, behind string
	}{
		{&w.insertMessages, "send.messages", insertMessagesSQL, insertMessageParams, ""},
		{&w.removeMessages, "acknowledge.messages", removeMessagesSQL, "?", ")"},
		{&w.putStates, "state.put", putStatesSQL, putStateParams, ""},
	} {
		m, err := c.prepareMulti(p.name, p.head, p.params, p.behind)
		if err != nil {
			return err
		}
		*p.to = m
	}
	if err := w.prepareFIFO(c); err != nil {
		return err
	}
	return w.prepareFair(c)
}

package sqlite

import "testing"

// TestFIFOPlans holds the statements of FIFO queues to their indexes.
func TestFIFOPlans(t *testing.T) {
	t.Parallel()
	checkPlans(t, map[string]plan{
		"FindGroup":      {findGroupSQL, "groups USING INDEX sqlite_autoindex_groups_1 (queue=? AND name=?)"},
		"ReadGroup":      {readGroupSQL, "groups USING INTEGER PRIMARY KEY (rowid=?)"},
		"GroupOf":        {groupOfSQL, "messages USING INTEGER PRIMARY KEY (rowid=?)"},
		"HeadOfGroup":    {headOfGroupSQL, "messages_group (grp=? AND rowid>?)"},
		"LastTurn":       {lastTurnSQL, "COVERING INDEX groups_line (queue=?)"},
		"Line":           {lineSQL, "groups_line (queue=? AND turn>?)"},
		"LineHeads":      {lineHeadsSQL, "groups_line (queue=? AND turn>?)"},
		"Run":            {runOfGroupSQL, "messages_group (grp=? AND rowid>?)"},
		"DueMembers":     {dueMembersSQL, "COVERING INDEX deliveries_due (queue=? AND due<?)"},
		"Promote":        {promoteMembersSQL, "COVERING INDEX deliveries_due (queue=? AND due<?)"},
		"Waiting":        {waitingGroupsSQL, "groups_waiting (queue=? AND head<?)"},
		"CountRange":     {countRangeSQL, "COVERING INDEX messages_fresh (queue=? AND rowid>? AND rowid<?)"},
		"CountBack":      {countRangeBackSQL, "COVERING INDEX messages_fresh (queue=? AND rowid>? AND rowid<?)"},
		"RangeHeads":     {rangeHeadsSQL, "messages_fresh (queue=? AND rowid>? AND rowid<?)"},
		"LastBefore":     {lastBeforeSQL, "messages_fresh (queue=? AND rowid<?)"},
		"ExpiredRows":    {expiredRowsSQL, "messages_fresh (queue=? AND rowid<?)"},
		"Recall":         {recallSQL, "dedup USING PRIMARY KEY (generation=? AND queue=? AND grp=? AND id=?)"},
		"Remember":       {rememberSQL + rememberParams + rememberTail, "dedup USING PRIMARY KEY (generation=? AND queue=? AND grp=? AND id=?)"},
		"ForgetDedup":    {forgetDedupSQL, "dedup USING PRIMARY KEY (generation=? AND queue=? AND grp=? AND id=?)"},
		"OldestDedup":    {oldestDedupSQL, "dedup USING PRIMARY KEY (generation>?)"},
		"FindAttempt":    {findAttemptSQL, "attempts USING PRIMARY KEY (generation=? AND queue=? AND id=?)"},
		"ForgetAttempts": {forgetAttemptsSQL, "attempts USING PRIMARY KEY (generation=? AND queue=? AND id=?)"},
		"ReadMember":     {readMemberSQL, "deliveries USING INTEGER PRIMARY KEY (rowid=?)"},
		"DeadGroups":     {deadGroupsSQL, "sqlite_autoindex_groups_1 (queue=?)"},
		"GroupName":      {groupNameSQL, "g USING INTEGER PRIMARY KEY (rowid=?)"},
		"WalkMembers":    {walkMembersSQL, "messages_fresh (queue=? AND rowid>? AND rowid<?)"},
		"RepeatMembers":  {repeatMemberSQL, "deliveries USING INTEGER PRIMARY KEY (rowid=?)"},
	})
}

package sqlite

import "testing"

// TestFairPlans holds the statements of groups of standard queues to their
// indexes.
func TestFairPlans(t *testing.T) {
	t.Parallel()
	checkPlans(t, map[string]plan{
		"Find":        {findFairSQL, "fair_groups USING INDEX sqlite_autoindex_fair_groups_1 (queue=? AND name=?)"},
		"Name":        {fairNameSQL, "fair_groups USING INTEGER PRIMARY KEY (rowid=?)"},
		"Put":         {putFairSQL, "COVERING INDEX deliveries_grouped (grp=? AND state=? AND rowid>?)"},
		"StaleHeads":  {staleFairSQL, "COVERING INDEX fair_groups_head (queue=? AND head<?)"},
		"StaleLate":   {staleLateSQL, "COVERING INDEX fair_groups_late (queue=? AND late_head<?)"},
		"LiveFlights": {liveFlightsSQL, "COVERING INDEX deliveries_grouped (grp=? AND state=? AND rowid>?)"},
		"Remove":      {removeFairSQL, "COVERING INDEX deliveries_grouped (grp=?)"},
		"Dead":        {deadFairSQL, "COVERING INDEX sqlite_autoindex_fair_groups_1 (queue=?)"},
		"Due":         {dueGroupsSQL, "deliveries_due (queue=? AND due<?)"},
		"Held":        {heldGroupsSQL, "COVERING INDEX messages_held (queue=? AND rowid<?)"},
		"Heads":       {fairHeadsSQL, "COVERING INDEX fair_groups_head (queue=? AND head>?)"},
		"Late":        {fairLateSQL, "COVERING INDEX fair_groups_late (queue=? AND late_head>?)"},
		"Members":     {fairMembersSQL, "deliveries_grouped (grp=? AND state=? AND rowid>?)"},
		"Noisy":       {noisyGroupsSQL, "COVERING INDEX fair_groups_noisy (queue=? AND in_flight>?)"},
		"ForgetMoved": {forgetMovedHeldSQL, "COVERING INDEX messages_held (queue=? AND rowid<?)"},
	})
}

package sqlite

import (
	"slices"
	"strings"
	"testing"
)

// TestPlans holds the statements that every call makes to their indexes: a
// plan that reads a table, or sorts, makes a call dearer with the backlog.
func TestPlans(t *testing.T) {
	t.Parallel()
	checkPlans(t, map[string]plan{
		"ReturnedIDs":   {returnedIDsSQL, "deliveries_ready (queue=? AND state=? AND rowid>?)"},
		"FreshIDs":      {freshIDsSQL, "COVERING INDEX messages_fresh (queue=? AND rowid>?)"},
		"ClaimFresh":    {claimFreshSQL, "COVERING INDEX messages_fresh (queue=? AND rowid>?)"},
		"ClaimReturned": {claimReturnedSQL, "deliveries_ready (queue=? AND state=? AND rowid>?)"},
		"CountDue":      {countDueSQL, "deliveries_due (queue=? AND due<?)"},
		"PromoteDue":    {promoteDueSQL, "COVERING INDEX deliveries_due (queue=? AND due<?)"},
		"FirstDue":      {firstDueSQL, "COVERING INDEX deliveries_due (queue=? AND due>?)"},
		"OldestFresh":   {oldestFreshSQL, "messages_fresh (queue=? AND rowid>?)"},
		"OldestHeld":    {oldestHeldSQL, "messages_held (queue=? AND rowid>?)"},
		"MessageFrom":   {messageFromSQL, "INTEGER PRIMARY KEY (rowid>?)"},
		"CountFresh":    {countFreshSQL, "COVERING INDEX messages_fresh (queue=? AND rowid<?)"},
		"CountHeld":     {countHeldSQL, "COVERING INDEX messages_held (queue=? AND rowid<?)"},
		"RemoveFresh":   {removeFreshSQL, "messages_fresh (queue=? AND rowid<?)"},
		"FirstKept":     {firstKeptSQL, "COVERING INDEX moved_sent (queue=? AND sent>?)"},
		"KeptOver":      {keptOverSQL, "COVERING INDEX moved_sent (queue=? AND sent<?)"},
		"KeptSent":      {keptSentSQL, "moved USING INTEGER PRIMARY KEY (rowid=?)"},
		"WalkMembers":   {walkMembersSQL, "COVERING INDEX messages_fresh (queue=? AND rowid>? AND rowid<?)"},
		"EndKept":       {endKeptSQL, "moved_sent (queue=? AND sent>? AND sent<?)"},
		"ForgetUpTo":    {forgetMovedUpToSQL, "COVERING INDEX messages_fresh (queue=? AND rowid<?)"},
		"ForgetOf":      {forgetMovedOfSQL, "COVERING INDEX moved_sent (queue=?)"},
		"WalkReturned":  {walkReturnedSQL, "deliveries_ready (queue=? AND state=? AND rowid>?)"},
		"WalkFresh":     {walkFreshSQL, "COVERING INDEX messages_fresh (queue=? AND rowid>?)"},
		"Tries":         {triesSQL, "deliveries_tries (queue=? AND state=? AND receives>?)"},
		"Unspent":       {unspentSQL, "deliveries_tries (queue=? AND state=? AND receives=? AND rowid>?)"},
		"Spent":         {spentSQL, "deliveries_tries (queue=? AND state=? AND receives>?)"},
		"CopyMessage":   {copyMessageSQL, "messages USING INTEGER PRIMARY KEY (rowid=?)"},
		"InsertMoved":   {insertMovedSQL, "m USING INTEGER PRIMARY KEY (rowid=?)"},
		"ReadPast":      {readPastBodiesSQL, "b USING INTEGER PRIMARY KEY (rowid=?)"},
		"ListSources":   {listSourcesSQL, "queues_redrive (<expr>=? AND <expr>=? AND <expr>=? AND account=? AND region=? AND name>?)"},
		"LastMoves":     {listMovesSQL, "moves_source (source=?)"},
		"TrimMoves":     {trimMovesSQL, "moves_source (source=?"},
		"FindMove":      {findMoveSQL, "(id=?)"},
		"NextMove":      {nextMoveSQL, "moves_active (due>?)"},
		"RemoveMoves":   {removeMovesSQL, "moves_source (source=?)"},
		"ListQueues":    {listQueuesSQL, "(account=? AND region=? AND name>? AND name<?)"},
	})
}

// plan is a statement and a step that its plan must have.
type plan struct{ query, want string }

func checkPlans(t *testing.T, plans map[string]plan) {
	t.Helper()
	f := open(t)
	f.create("q")
	c, err := openConn(f.path(), "query_only = ON")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.close() }()
	for name, p := range plans {
		var steps []string
		err := c.query("EXPLAIN QUERY PLAN "+unpeeked.Replace(p.query), func(r row) error {
			steps = append(steps, r.text(3))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			if strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "(subquery") && !strings.Contains(step, "CONSTANT ROW") || strings.Contains(step, "TEMP B-TREE") {
				t.Errorf("%s: %s", name, step)
			}
		}
		if !slices.ContainsFunc(steps, func(s string) bool { return strings.Contains(s, p.want) }) {
			t.Errorf("%s: no step has %q: %q", name, p.want, steps)
		}
	}
}

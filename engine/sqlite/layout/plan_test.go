package layout

import (
	"context"
	"strings"
	"testing"
)

// TestPlans checks that no query of a candidate scans or sorts: a candidate
// whose index is not used would lose for the wrong reason.
func TestPlans(t *testing.T) {
	t.Parallel()
	for _, c := range candidates {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := openStore(t, options{candidate: c}, 1)
			for _, query := range []string{
				s.candidate.walk(false), s.candidate.promote(), s.candidate.nextDue(), s.candidate.read(),
				"SELECT id, receives FROM deliveries WHERE queue = ? AND state = 3 ORDER BY id LIMIT 1",
			} {
				for _, step := range s.plan(query) {
					t.Log(step)
					scan := strings.HasPrefix(step, "SCAN") && !strings.Contains(step, "INDEX")
					if scan || strings.Contains(step, "TEMP B-TREE") {
						t.Errorf("%s\nruns with %q", query, step)
					}
				}
			}
		})
	}
}

// plan returns the steps of SQLite's plan for a query.
func (s *store) plan(query string) (steps []string) {
	args := make([]any, strings.Count(strings.NewReplacer("?1", "", "?2", "").Replace(query), "?"))
	if strings.Contains(query, "?2") {
		args = append(args, 0, 0)
	}
	rows := must(s.conn.QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+query, args...))
	for rows.Next() {
		var id, parent, unused int
		var detail string
		check(rows.Scan(&id, &parent, &unused, &detail))
		steps = append(steps, detail)
	}
	check(rows.Err())
	check(rows.Close())
	return steps
}

package sqlite

// fairRules are the rules of the groups of standard queues.
var fairRules = []rule{
	{"a delivery of no group", `SELECT 'message ' || d.id FROM deliveries AS d LEFT JOIN fair_groups AS g ON g.number = d.grp AND g.queue = d.queue
		WHERE d.grp IS NOT NULL AND g.number IS NULL`},
	{"a message of a group that the cursor meets", `SELECT 'message ' || d.id FROM deliveries AS d JOIN messages AS m ON m.id = d.id
		WHERE d.grp IS NOT NULL AND (m.fresh = 1 OR m.grp IS NOT NULL)`},
	{"a fair group of no queue", `SELECT 'group ' || number FROM fair_groups WHERE queue NOT IN (
		SELECT s.epoch FROM queue_state AS s JOIN queues AS k ON k.number = s.number AND k.kind = 0
		UNION SELECT epoch FROM garbage)`},
	{"a fair group without messages", `SELECT 'group ' || g.number FROM fair_groups AS g
		JOIN queue_state AS s ON s.epoch = g.queue AND s.number > 0
		WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE grp = g.number)`},
	{"a fair group that differs from its messages", `SELECT 'group ' || g.number FROM fair_groups AS g
		JOIN queue_state AS s ON s.epoch = g.queue AND s.number > 0
		WHERE g.in_flight <> (SELECT count(*) FROM deliveries WHERE grp = g.number AND state = 2)
			OR coalesce(g.head, s.cut + 1) > s.cut AND g.head IS NOT (
				SELECT min(id) FROM deliveries WHERE grp = g.number AND state = 3 AND id > s.cut)
			OR coalesce(g.late_head, s.cut + 1) > s.cut AND g.late_head IS NOT (
				SELECT min(id) FROM deliveries WHERE grp = g.number AND state = 4 AND id > s.cut)`},
	{"fair groups that are counted wrong", `SELECT 'queue ' || s.number || ' counts ' || s.fair_groups FROM queue_state AS s
		WHERE s.number > 0 AND s.fair_groups <> (SELECT count(*) FROM fair_groups WHERE queue = s.epoch)`},
}

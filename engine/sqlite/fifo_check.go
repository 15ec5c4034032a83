package sqlite

// fifoRules are the rules of FIFO queues. What is up to the cut has expired and
// stays until it is swept; what belongs to a dead epoch stays too.
var fifoRules = []rule{
	{"a member of no group", `SELECT 'message ' || m.id FROM messages AS m
		JOIN queue_state AS s ON s.epoch = m.queue JOIN queues AS k ON k.number = s.number AND k.kind = 1
		LEFT JOIN groups AS g ON g.number = m.grp AND g.queue = m.queue
		WHERE m.id > s.cut AND g.number IS NULL`},
	{"a group of no queue", `SELECT 'group ' || number FROM groups WHERE queue NOT IN (
		SELECT s.epoch FROM queue_state AS s JOIN queues AS k ON k.number = s.number AND k.kind = 1
		UNION SELECT epoch FROM garbage)`},
	{"a group without its head", `SELECT 'group ' || g.number FROM groups AS g
		JOIN queue_state AS s ON s.epoch = g.queue AND s.number > 0
		LEFT JOIN messages AS m ON m.id = g.head
		WHERE m.id IS NULL OR m.grp IS NOT g.number OR g.number > g.head OR (g.head > s.cut
			AND g.head <> (SELECT min(o.id) FROM messages AS o WHERE o.grp = g.number AND o.id > s.cut))`},
	{"a group in a state that is not its head's", `SELECT 'group ' || g.number || ' in ' || g.state FROM groups AS g
		JOIN queue_state AS s ON s.epoch = g.queue AND s.number > 0
		LEFT JOIN deliveries AS d ON d.id = g.head
		WHERE g.state NOT IN (0, 1, 2) OR (g.state = 2) <> (d.state IS 2)
			OR (g.state = 0) <> (d.id IS NULL AND g.head > s.cursor)`},
	{"two groups in one place", `SELECT 'group ' || max(number) FROM groups WHERE state = 1 GROUP BY queue, turn HAVING count(*) > 1`},
	{"a deduplication id that cannot be", `SELECT 'sequence ' || d.sequence FROM dedup AS d JOIN queue_state AS o ON o.number = 0
		WHERE d.queue >= o.epoch OR d.sequence >= o.cursor OR d.at > o.cut OR d.generation <> d.at / 300000`},
	{"a deduplication id of no FIFO queue", `SELECT 'sequence ' || d.sequence FROM dedup AS d
		JOIN queue_state AS s ON s.epoch = d.queue JOIN queues AS k ON k.number = s.number WHERE k.kind <> 1`},
	{"an attempt that cannot be", `SELECT 'attempt ' || a.number FROM attempts AS a JOIN queue_state AS o ON o.number = 0
		WHERE a.queue >= o.epoch OR a.number >= o.cursor OR a.at > o.cut OR a.generation <> a.at / 300000
		OR length(a.members) = 0 OR length(a.members) % 8 <> 0`},
	{"an attempt of no FIFO queue", `SELECT 'attempt ' || a.number FROM attempts AS a
		JOIN queue_state AS s ON s.epoch = a.queue JOIN queues AS k ON k.number = s.number WHERE k.kind <> 1`},
}

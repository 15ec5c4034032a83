package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"queues/engine"
)

// maxFindings bounds what one check of [Check] tells.
const maxFindings = 10

// Check looks for damage and broken rules in a data folder that no process
// has open. It changes nothing but the lock, which it does not make, and returns
// everything it finds, joined; nil when all is well. The time it takes grows
// with the data.
//
// Its errors are as for [Open]; what it finds in data that can be read is not
// an [engine.Error].
func Check(ctx context.Context, dir string) error {
	lock, err := lockToLook(dir)
	if err != nil {
		return err
	}
	return errors.Join(checkFolder(ctx, dir, lock), lock.release())
}

// checkFolder checks a folder that is owned.
func checkFolder(ctx context.Context, dir string, lock *folderLock) error {
	path := dataPath(dir)
	if err := examine(dir, lock); err != nil {
		return translateOpen(dir, err)
	}
	c, err := openToLook(path)
	if err != nil {
		return translateOpen(dir, err)
	}
	return errors.Join(checkAll(ctx, c), c.close())
}

// CheckFile is [Check] for a single file that no process writes, such as a
// copy. It changes nothing.
func CheckFile(ctx context.Context, path string) error {
	if err := regular(path); err != nil {
		return err
	}
	if err := refusePartial(path); err != nil {
		return err
	}
	if log, err := sizeOf(path + "-wal"); err != nil || log > 0 {
		return errors.Join(err, unusable("the file "+path+" has a log beside it, so it is no finished copy: check its folder", nil))
	}
	if size, err := sizeOf(path); err == nil && size > 0 {
		if err := checkLength(path, size, 0); err != nil {
			return translateFile(path, err)
		}
	}
	c, err := openConnAs(toReadAlone, path)
	if err != nil {
		return translateFile(path, err)
	}
	err = checkAll(ctx, c)
	if damagedBy(err) || errors.As(err, new(*engine.Error)) {
		err = translateFile(path, err)
	}
	return errors.Join(err, c.close())
}

// rule is something that must hold, as a query of what breaks it. Its first
// column says what.
type rule struct{ text, query string }

var rules = []rule{
	{"integrity", `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`},
	{"a queue without a state", `SELECT 'queue ' || number FROM queues WHERE number NOT IN (SELECT number FROM queue_state)`},
	{"a state without a queue", `SELECT 'queue ' || number FROM queue_state
		WHERE number > 0 AND number NOT IN (SELECT number FROM queues)`},
	{"an epoch used twice", `SELECT 'epoch ' || epoch FROM queue_state WHERE number > 0 AND (
		epoch IN (SELECT epoch FROM garbage)
		OR epoch IN (SELECT o.epoch FROM queue_state AS o WHERE o.number > 0 AND o.number <> queue_state.number))`},
	{"a queue of no kind", `SELECT 'queue ' || number FROM queues WHERE kind NOT IN (0, 1)`},
	{"a queue without a name", `SELECT 'queue ' || number FROM queues WHERE '' IN (slug, account, region, name)`},
	{"a number from the future", `SELECT 'queue ' || s.number FROM queue_state AS s JOIN queue_state AS o ON o.number = 0
		WHERE s.number > 0 AND (s.number >= o.epoch OR s.epoch >= o.epoch OR s.cursor >= o.cursor)`},
	{"a message from the future", `SELECT 'message ' || m.id FROM messages AS m JOIN queue_state AS o ON o.number = 0
		WHERE m.id >= o.cursor OR m.arrived > o.cut`},
	{"a message before its time", `SELECT 'message ' || id FROM (SELECT id, arrived, lag(arrived) OVER (ORDER BY id) AS before FROM messages)
		WHERE arrived < before`},
	{"a message of no queue", `SELECT 'message ' || id FROM messages
		WHERE queue NOT IN (SELECT epoch FROM queue_state WHERE number > 0 UNION SELECT epoch FROM garbage)`},
	{"a cut past the cursor", `SELECT 'queue ' || number FROM queue_state JOIN queues USING (number) WHERE kind = 0 AND cut > cursor`},
	{"a delivery without its message", `SELECT 'message ' || d.id FROM deliveries AS d LEFT JOIN messages AS m ON m.id = d.id
		WHERE m.id IS NULL OR m.queue <> d.queue`},
	{"a held message without a delivery", `SELECT 'message ' || m.id FROM messages AS m LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.fresh = 0 AND d.id IS NULL`},
	{"a message that no receive finds", `SELECT 'message ' || m.id FROM messages AS m
		JOIN queue_state AS s ON s.epoch = m.queue JOIN queues AS k ON k.number = s.number AND k.kind = 0
		LEFT JOIN deliveries AS d ON d.id = m.id
		WHERE m.fresh = 1 AND m.id > s.cut AND m.id <= s.cursor AND d.id IS NULL`},
	{"a message that is received twice", `SELECT 'message ' || m.id FROM messages AS m
		JOIN queue_state AS s ON s.epoch = m.queue JOIN queues AS k ON k.number = s.number AND k.kind = 0
		JOIN deliveries AS d ON d.id = m.id
		WHERE m.fresh = 1 AND m.id > s.cursor`},
	{"a delivery in a state that cannot be", `SELECT 'message ' || d.id FROM deliveries AS d JOIN messages AS m ON m.id = d.id
		LEFT JOIN queue_state AS s ON s.epoch = m.queue LEFT JOIN queues AS k ON k.number = s.number
		WHERE d.state NOT IN (1, 2, 3, 4) OR (d.state IN (1, 2)) <> (d.due IS NOT NULL)
		OR d.receives < 0 OR (d.receives = 0) <> (d.first_receive IS NULL)
		OR (d.state = 1 AND (d.receives > 0 OR m.fresh = 1))
		OR (d.state = 3 AND d.receives > 2 AND k.kind = 0) OR (d.state = 4 AND k.kind = 1) OR (d.state = 4 AND d.receives < 3)`},
	{"a past without its message", `SELECT 'message ' || b.id FROM moved AS b LEFT JOIN messages AS m ON m.id = b.id
		WHERE m.id IS NULL OR m.queue <> b.queue`},
	{"a past that cannot be", `SELECT 'message ' || b.id FROM moved AS b JOIN messages AS m ON m.id = b.id LEFT JOIN deliveries AS d ON d.id = b.id
		LEFT JOIN queue_state AS s ON s.epoch = b.queue AND s.number > 0 LEFT JOIN queues AS q ON q.number = s.number
		WHERE b.sent > m.arrived OR b.prior < 1 OR b.first > m.arrived OR (m.fresh = 0 AND d.grp IS NULL)
		OR (q.kind = 0 AND b.sent IS NULL) OR (q.kind <> 0 AND b.sent IS NOT NULL)`},
	{"pasts that are counted wrong", `SELECT 'queue ' || s.number || ' counts ' || s.moved FROM queue_state AS s
		WHERE s.number > 0 AND s.moved <> (SELECT count(*) FROM moved WHERE queue = s.epoch)`},
	{"a move task without its source", `SELECT 'task ' || number FROM moves WHERE source NOT IN (SELECT number FROM queues)`},
	{"too many move tasks", `SELECT 'queue ' || source FROM moves GROUP BY source HAVING sum(status < 2) > 1 OR count(*) > 10`},
	{"a move task that cannot be", `SELECT 'task ' || m.number FROM moves AS m JOIN queue_state AS o ON o.number = 0
		WHERE m.status NOT BETWEEN 0 AND 4 OR m.failure NOT BETWEEN 0 AND 2 OR (m.status = 3) <> (m.failure > 0)
		OR m.moved < 0 OR m.to_move < 0 OR m.boundary >= o.cursor OR m.started > o.cut
		OR (m.target_name IS NULL AND coalesce(m.target_account, m.target_region) IS NOT NULL)`},
	{"counters that differ from the rows", `SELECT 'queue ' || s.number || ' counts '
			|| s.fresh || ' ' || s.delayed || ' ' || s.in_flight || ' ' || s.again || ' ' || s.late || ' has '
			|| coalesce(r.fresh, 0) || ' ' || coalesce(r.delayed, 0) || ' ' || coalesce(r.in_flight, 0)
			|| ' ' || coalesce(r.again, 0) || ' ' || coalesce(r.late, 0)
		FROM queue_state AS s LEFT JOIN (
			SELECT m.queue AS epoch, sum(d.id IS NULL AND (k.kind IS NOT 1 OR m.id <= s.cursor)) AS fresh,
				sum(d.state IS 1 OR d.id IS NULL AND k.kind = 1 AND m.id > s.cursor) AS delayed,
				sum(d.state IS 2) AS in_flight, sum(d.state IS 3) AS again, sum(d.state IS 4) AS late
			FROM messages AS m LEFT JOIN deliveries AS d ON d.id = m.id
			LEFT JOIN queue_state AS s ON s.epoch = m.queue LEFT JOIN queues AS k ON k.number = s.number GROUP BY m.queue
		) AS r ON r.epoch = s.epoch
		WHERE s.number > 0 AND (s.fresh <> coalesce(r.fresh, 0) OR s.delayed <> coalesce(r.delayed, 0)
			OR s.in_flight <> coalesce(r.in_flight, 0) OR s.again <> coalesce(r.again, 0) OR s.late <> coalesce(r.late, 0))`},
}

// checkAll checks every rule in one view of the database. Of an older schema,
// whose data the rules do not know, it checks that the file is whole: the rest
// is for a copy that has been migrated.
func checkAll(ctx context.Context, c *conn) error {
	version, err := identify(c)
	if err != nil {
		return err
	}
	if version == 0 {
		return unusable("the data file is empty", nil)
	}
	if err := c.exec("BEGIN"); err != nil {
		return err
	}
	findings := []error{checkSchema(c, version), checkMeta(c)}
	all := slices.Concat(rules, fifoRules, fairRules)
	if files, err := migrations(); err != nil || version < int64(len(files)) {
		findings = append(findings, err)
		all = rules[:1]
	}
	if len(all) > 1 {
		findings = append(findings, checkStored(ctx, c))
	}
	findings = append(findings, checkRules(ctx, c, all))
	return errors.Join(errors.Join(findings...), c.exec("COMMIT"))
}

// readings are what is read from the rows of a table, beyond what a query can
// tell: what cannot be read would keep a store from opening, or stay unseen.
var readings = []struct {
	query string
	read  func(row) error
}{
	{`SELECT ` + queueColumns + ` FROM queues`, func(r row) error { _, err := readQueue(r); return err }},
	{`SELECT ` + moveColumns + ` FROM moves`, func(r row) error { _, err := readMove(r); return err }},
	{`SELECT id, meta FROM messages`, func(r row) error {
		if _, err := decodeMeta(r.blob(1)); err != nil {
			return fmt.Errorf("message %d: %w", r.int(0), err)
		}
		return nil
	}},
}

// checkStored reads what the store keeps in a form of its own.
func checkStored(ctx context.Context, c *conn) error {
	var findings []error
	for _, reading := range readings {
		n := 0
		err := c.query(reading.query, func(r row) error {
			if err := reading.read(r); err != nil {
				if n++; n <= maxFindings {
					findings = append(findings, err)
				}
			}
			return ctx.Err()
		})
		findings = append(findings, err)
	}
	return errors.Join(findings...)
}

// checkRules checks some rules.
func checkRules(ctx context.Context, c *conn, some []rule) error {
	var findings []error
	for _, rule := range some {
		if err := ctx.Err(); err != nil {
			findings = append(findings, err)
			break
		}
		n := 0
		err := c.query(rule.query, func(r row) error {
			if n++; n <= maxFindings {
				findings = append(findings, fmt.Errorf("%s: %s", rule.text, r.text(0)))
			}
			return nil
		})
		if err != nil {
			findings = append(findings, fmt.Errorf("%s: %w", rule.text, err))
		}
	}
	return errors.Join(findings...)
}

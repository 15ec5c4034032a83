package layout

import (
	"fmt"
	"strings"
)

// freshKind says how a candidate finds the messages nobody has received yet.
type freshKind int

const (
	freshByKey   freshKind = iota // range of the primary key
	freshByIndex                  // partial index on messages
	freshByTable                  // separate table, row deleted by the receive
)

// queueShift is how far the queue number is shifted in a composite key. It
// leaves 2^44 messages per queue and 2^19 queues.
const queueShift = 44

// candidate is one layout under trial.
type candidate struct {
	name      string
	fresh     freshKind
	split     bool // bodies in a table of their own
	globalDue bool // one due index over all queues
	merged    bool // what is due goes back to the ready table; again is for later returns
}

// candidates lists the layouts in the order of the report; ratios are to "b".
var candidates = []candidate{
	{name: "a", fresh: freshByKey},
	{name: "b", fresh: freshByIndex},
	{name: "c", fresh: freshByTable},
	{name: "d", fresh: freshByIndex, split: true, globalDue: true},
	{name: "e", fresh: freshByIndex, globalDue: true},
	{name: "f", fresh: freshByTable, merged: true},
	{name: "g", fresh: freshByTable, globalDue: true},
}

// mustCandidate returns the layout called name and panics if there is none.
func mustCandidate(name string) candidate {
	for _, c := range candidates {
		if c.name == name {
			return c
		}
	}
	panic("no layout named " + name)
}

// chosen returns the candidates whose names are in names.
func chosen(names string) (some []candidate) {
	for _, c := range candidates {
		if strings.Contains(names, c.name) {
			some = append(some, c)
		}
	}
	return some
}

// composite reports whether the queue is part of the message's key.
func (c candidate) composite() bool { return c.fresh == freshByKey }

// schema returns the statements that create the layout.
func (c candidate) schema() string {
	var b strings.Builder
	columns := []string{"id INTEGER PRIMARY KEY"}
	if !c.composite() {
		columns = append(columns, "queue INTEGER NOT NULL")
	}
	if c.fresh != freshByTable {
		columns = append(columns, "fresh INTEGER NOT NULL")
	}
	columns = append(columns, "sent INTEGER NOT NULL", "grp TEXT", "meta BLOB")
	if !c.split {
		columns = append(columns, "body BLOB NOT NULL")
	} else {
		b.WriteString("CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL);\n")
	}
	fmt.Fprintf(&b, "CREATE TABLE messages (%s);\n", strings.Join(columns, ", "))
	switch c.fresh {
	case freshByIndex:
		b.WriteString("CREATE INDEX fresh ON messages (queue, id) WHERE fresh = 1;\n")
	case freshByTable:
		b.WriteString("CREATE TABLE ready (queue INTEGER, id INTEGER, PRIMARY KEY (queue, id)) WITHOUT ROWID;\n")
	}
	b.WriteString(`CREATE TABLE deliveries (id INTEGER PRIMARY KEY, queue INTEGER NOT NULL, state INTEGER NOT NULL,
		due INTEGER NOT NULL, stamp INTEGER NOT NULL, receives INTEGER NOT NULL,
		first_receive INTEGER NOT NULL, received INTEGER NOT NULL);
	CREATE INDEX again ON deliveries (queue, id) WHERE state = 3;
	CREATE TABLE queue_state (queue INTEGER PRIMARY KEY, cursor INTEGER NOT NULL, visible INTEGER NOT NULL,
		returned INTEGER NOT NULL, in_flight INTEGER NOT NULL, delayed INTEGER NOT NULL);
	CREATE TABLE store_state (one INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, clock INTEGER NOT NULL);
	INSERT INTO store_state VALUES (1, 0, 0);
	`)
	if c.globalDue {
		b.WriteString("CREATE INDEX due ON deliveries (due) WHERE state IN (1, 2);\n")
	} else {
		b.WriteString("CREATE INDEX due ON deliveries (queue, due) WHERE state IN (1, 2);\n")
	}
	return b.String()
}

// insertMessages returns the statement that stores rows messages at once; its
// parameters are messageArgs of each.
func (c candidate) insertMessages(rows int) string {
	columns := []string{"id"}
	if !c.composite() {
		columns = append(columns, "queue")
	}
	if c.fresh != freshByTable {
		columns = append(columns, "fresh")
	}
	columns = append(columns, "sent", "grp", "meta")
	if !c.split {
		columns = append(columns, "body")
	}
	return fmt.Sprintf("INSERT INTO messages (%s) VALUES %s", strings.Join(columns, ", "), tuples(rows, len(columns)))
}

// messageArgs returns the parameters of insertMessages for one message.
func (c candidate) messageArgs(args []any, m message) []any {
	args = append(args, m.id)
	if !c.composite() {
		args = append(args, m.queue)
	}
	if c.fresh != freshByTable {
		fresh := 1
		if m.delayed {
			fresh = 0
		}
		args = append(args, fresh)
	}
	args = append(args, m.sent, nil, m.meta)
	if !c.split {
		args = append(args, m.body)
	}
	return args
}

// walk returns the query for the oldest fresh messages of a queue past its
// cursor, with what a receive in readInside mode needs of them as well.
func (c candidate) walk(inside bool) string {
	columns := "id"
	if inside {
		columns = "id, meta, body"
	}
	switch c.fresh {
	case freshByKey:
		return "SELECT " + columns + " FROM messages WHERE id > ? AND id < ? AND fresh = 1 ORDER BY id LIMIT ?"
	case freshByIndex:
		return "SELECT " + columns + " FROM messages WHERE queue = ? AND id > ? AND fresh = 1 ORDER BY id LIMIT ?"
	default:
		if inside {
			return "SELECT r.id, m.meta, m.body FROM ready r JOIN messages m ON m.id = r.id WHERE r.queue = ? ORDER BY r.id LIMIT ?"
		}
		return "SELECT id FROM ready WHERE queue = ? ORDER BY id LIMIT ?"
	}
}

// walkArgs returns the parameters of walk.
func (c candidate) walkArgs(q *queue, limit int) []any {
	switch c.fresh {
	case freshByKey:
		return []any{max(q.cursor, q.number<<queueShift), (q.number + 1) << queueShift, limit}
	case freshByIndex:
		return []any{q.number, q.cursor, limit}
	default:
		return []any{q.number, limit}
	}
}

// read returns the query for the part of a message that answers a receive.
func (c candidate) read() string {
	if c.split {
		return "SELECT m.meta, b.body FROM messages m JOIN bodies b ON b.id = m.id WHERE m.id = ?"
	}
	return "SELECT meta, body FROM messages WHERE id = ?"
}

// promote returns the statement that flips due deliveries, at most 1,000 a
// step, and names them with their queues and counts.
func (c candidate) promote() string {
	where := "queue = ?1 AND due <= ?2"
	if c.globalDue {
		where = "due <= ?2"
	}
	state := "3"
	if c.merged {
		state = "4"
	}
	return `UPDATE deliveries SET state = ` + state + ` WHERE id IN (SELECT id FROM deliveries WHERE ` + where +
		` AND state IN (1, 2) ORDER BY due LIMIT 1000) RETURNING id, queue, receives`
}

// nextDue returns the query for the earliest due time, of a queue or of all.
func (c candidate) nextDue() string {
	if c.globalDue {
		return "SELECT due FROM deliveries WHERE state IN (1, 2) ORDER BY due LIMIT 1"
	}
	return "SELECT due FROM deliveries WHERE queue = ? AND state IN (1, 2) ORDER BY due LIMIT 1"
}

// tuples returns n parenthesised lists of width placeholders.
func tuples(n, width int) string {
	tuple := "(" + strings.TrimSuffix(strings.Repeat("?, ", width), ", ") + ")"
	return strings.TrimSuffix(strings.Repeat(tuple+", ", n), ", ")
}

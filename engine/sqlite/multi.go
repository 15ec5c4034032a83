package sqlite

import "strings"

// multi is a statement that takes many rows, prepared for several numbers of
// them.
type multi struct {
	// sizes fall; the last is 1.
	sizes []int
	stmts []*stmt
	// width is how many parameters a row has, and waiting the values of the rows
	// that the transaction under way has for the statement, one behind the other.
	width   int
	waiting []any
}

// multiSizes are the numbers of rows that statements are prepared for.
var multiSizes = []int{32, 16, 8, 4, 2, 1}

// prepareMulti prepares head, a list of as many rows of parameters as each
// size says, and tail.
func (c *conn) prepareMulti(name, head, params, tail string) (*multi, error) {
	m := &multi{sizes: multiSizes, width: strings.Count(params, "?")}
	for _, size := range m.sizes {
		rows := strings.TrimSuffix(strings.Repeat(params+", ", size), ", ")
		s, err := c.prepare(name, head+rows+tail)
		if err != nil {
			return nil, err
		}
		m.stmts = append(m.stmts, s)
	}
	c.multis = append(c.multis, m)
	return m, nil
}

// add lets a row wait for company in a statement. Many rows in one statement
// cost far less than as many statements.
func (t *tx) add(m *multi, row ...any) {
	t.writes++
	m.waiting = append(m.waiting, row...)
}

// runRows runs a statement for the rows that wait, in as few parts as it can,
// and hands what they return to each, which may be nil.
func (t *tx) runRows(m *multi, each func(row) error) error {
	defer m.drop()
	rows := m.waiting
	for i, size := range m.sizes {
		for values := size * m.width; len(rows) >= values; rows = rows[values:] {
			s := m.stmts[i]
			s.bind(rows[:values])
			if err := t.runBound(s, each); err != nil {
				return err
			}
		}
	}
	return nil
}

// drop forgets the rows that wait, and lets go of what they hold.
func (m *multi) drop() {
	clear(m.waiting)
	m.waiting = m.waiting[:0]
}

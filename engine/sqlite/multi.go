package sqlite

import (
	"database/sql/driver"
	"strings"
)

// multi is a statement that takes many rows, prepared for several numbers of
// them.
type multi struct {
	// sizes fall; the last is 1.
	sizes []int
	stmts []*stmt
}

// multiSizes are the numbers of rows that statements are prepared for.
var multiSizes = []int{32, 16, 8, 4, 2, 1}

// prepareMulti prepares head, a list of as many rows of parameters as each
// size says, and tail.
func (c *conn) prepareMulti(name, head, params, tail string) (*multi, error) {
	m := &multi{sizes: multiSizes}
	for _, size := range m.sizes {
		rows := strings.TrimSuffix(strings.Repeat(params+", ", size), ", ")
		s, err := c.prepare(name, head+rows+tail)
		if err != nil {
			return nil, err
		}
		m.stmts = append(m.stmts, s)
	}
	return m, nil
}

// run takes all rows, with as few statements as it can.
func (m *multi) run(t *tx, rows [][]any) error { return m.runEach(t, rows, nil) }

// runEach is run for statements that return rows.
func (m *multi) runEach(t *tx, rows [][]any, each func(row) error) error {
	for i, size := range m.sizes {
		for len(rows) >= size {
			s := m.stmts[i]
			s.args = s.args[:0]
			for _, r := range rows[:size] {
				for _, v := range r {
					s.args = append(s.args, driver.NamedValue{Ordinal: len(s.args) + 1, Value: v})
				}
			}
			if err := t.runBound(s, each); err != nil {
				return err
			}
			rows = rows[size:]
		}
	}
	return nil
}

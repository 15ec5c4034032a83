package sqlite

// stepRows is how many rows one step of promotion or removal touches at most,
// groupedRows how many are removed where groups may have to be put right, which
// makes each cost as much as groupedCost others, and passingRows how many by a
// call that is after something else.
const (
	stepRows    = 1000
	groupedCost = 10
	groupedRows = stepRows / groupedCost
	passingRows = 25
)

// lookRows is how many rows are read at once where nobody knows how many will
// do.
const lookRows = 100

const (
	countDueSQL = `SELECT count(*), sum(state = 1), sum(receives > 2) FROM (
		SELECT state, receives FROM deliveries INDEXED BY deliveries_due
		WHERE queue = ?1 AND due <= ?2 ORDER BY due, id LIMIT ?3)`
	promoteDueSQL = `UPDATE deliveries SET state = CASE WHEN receives > 2 THEN 4 ELSE 3 END, due = NULL
		WHERE id IN (SELECT id FROM deliveries INDEXED BY deliveries_due
			WHERE queue = ?1 AND due <= ?2 ORDER BY due, id LIMIT ?3)`
	firstDueSQL = `SELECT due FROM deliveries INDEXED BY deliveries_due
		WHERE queue = ? AND due IS NOT NULL ORDER BY due LIMIT 1`
)

// promote makes due messages of a queue visible, one step's worth. When more
// are due, nextDue stays in the past.
func (t *tx) promote(q *queue) error {
	_, err := t.promoteUpTo(q, stepRows)
	return err
}

func (t *tx) promoteUpTo(q *queue, limit int64) (promoted int64, err error) {
	if q.fifo() {
		return t.promoteFIFO(q, limit)
	}
	if q.nextDue > t.now {
		return 0, nil
	}
	var wereDelayed, nowLate int64
	err = t.run(t.w.countDue, func(r row) error {
		promoted, wereDelayed, nowLate = r.int(0), r.int(1), r.int(2)
		return nil
	}, q.epoch, t.now, limit)
	if err != nil {
		return 0, err
	}
	if promoted > 0 {
		if err := t.noteDue(q, limit); err != nil {
			return 0, err
		}
		if err := t.run(t.w.promoteDue, nil, q.epoch, t.now, limit); err != nil {
			return 0, err
		}
		t.ready(q, promoted)
		q.count[delayed] -= wereDelayed
		q.count[inFlight] -= promoted - wereDelayed
		q.count[late] += nowLate
		q.count[again] += promoted - nowLate
	}
	q.nextDue = never
	return promoted, t.run(t.w.firstDue, func(r row) error { q.nextDue = r.int(0); return nil }, q.epoch)
}

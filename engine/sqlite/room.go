package sqlite

import "queues/engine"

// errNoRoom refuses a receive whose messages nobody has memory for.
var errNoRoom = &engine.Error{
	Code: engine.Overloaded,
	Text: "no memory is free for the messages of a receive; they were not received, try again",
}

// readClaimed reads what was claimed, if there is memory for it. It does so
// after the commit, on a connection beside the writer, whose time is
// everybody's.
func (s *Store) readClaimed(c *claim, room func(int64) bool) ([]engine.Delivery, error) {
	if c.read || len(c.rows) == 0 {
		if c.noRoom {
			return nil, errNoRoom
		}
		return c.messages, nil
	}
	var messages []engine.Delivery
	err := s.readers.with(func(r *reader) error {
		if room != nil {
			size, err := r.stored.size(c)
			if err != nil {
				return err
			}
			if !room(size) {
				return errNoRoom
			}
		}
		var err error
		messages, err = r.stored.read(c, s.log, s.noteDamage)
		return err
	})
	if err != nil && err != errNoRoom { //nolint:errorlint // the very value
		err = unavailable(err)
	}
	return messages, err
}

// readVisible reads at once what was claimed without being hidden: before the
// commit, since the next request may acknowledge it or move it away.
func (t *tx) readVisible(c *claim, room func(int64) bool) error {
	if len(c.rows) == 0 || c.deadline.After(fromMS(t.now)) {
		return nil
	}
	c.read = true
	if room != nil {
		size, err := t.w.stored.size(c)
		if err != nil {
			return t.fail("read.sizes", err)
		}
		if c.noRoom = !room(size); c.noRoom {
			return nil
		}
	}
	var err error
	if c.messages, err = t.w.stored.read(c, t.w.log, t.w.store.noteDamage); err != nil {
		return t.fail("read.bodies", err)
	}
	return nil
}

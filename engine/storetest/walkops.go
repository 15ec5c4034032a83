package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"queues/engine"
)

// maxWalkMessages keeps the queues of a walk so small that no bound on the
// background work of one call can show.
const maxWalkMessages = 90

func walkOps(f Features) []walkOp {
	ops := []walkOp{
		{1, (*walk).create},
		{1, (*walk).delete},
		{20, (*walk).send},
		{30, (*walk).receiveAny},
		{18, (*walk).acknowledge},
		{18, (*walk).change},
		{6, (*walk).release},
		{1, (*walk).purge},
		{3, (*walk).update},
		{8, (*walk).advance},
		{8, (*walk).advanceToEdge},
		{3, (*walk).sweep},
		{1, (*walk).list},
		{3, (*walk).startMove},
		{4, (*walk).moveStep},
		{1, (*walk).cancelMove},
		{1, (*walk).crowd},
		{3, (*walk).repeat},
	}
	if f.Persistent {
		ops = append(ops, walkOp{1, (*walk).restart})
	}
	return ops
}

func (w *walk) create() {
	w.createNamed(w.queueName(w.kind()))
}

func (w *walk) createNamed(name engine.QueueName) {
	kind := engine.Standard
	if slices.Contains(walkNames[engine.FIFO], name.Name) {
		kind = engine.FIFO
	}
	p := engine.CreateQueueParams{
		Name: name, Kind: kind, DedupPerGroup: kind == engine.FIFO && w.chance(3), Settings: w.settings(kind), Tags: map[string]string{"t": fmt.Sprint(w.step)},
		Cooldown: pick(w, 0, time.Minute),
	}
	w.note("CreateQueue %s/%s, cooldown %v, %+v", name.Region, name.Name, p.Cooldown, p.Settings)
	got, err := w.e.store.CreateQueue(w.t.Context(), p)
	want, wantErr := w.model.CreateQueue(w.t.Context(), p)
	if !w.sameError(err, wantErr) {
		return
	}
	if got.Created != want.Created {
		w.failf("created: %v, the model says %v", got.Created, want.Created)
	}
	if want.Created {
		w.queues = append(w.queues, &walkQueue{
			number: len(w.queues), name: name, real: got.Queue.ID, model: want.Queue.ID, kind: kind,
			repeated: make(map[string]time.Time), last: make(map[string]uint64),
		})
	}
	w.sameQueue(got.Queue, want.Queue)
}

func (w *walk) delete() {
	q := w.queue()
	if q == nil || !w.chance(2) {
		return
	}
	w.note("DeleteQueue %v", q)
	err := w.e.store.DeleteQueue(w.t.Context(), engine.DeleteQueueParams{Queue: q.real})
	w.sameError(err, w.model.DeleteQueue(w.t.Context(), engine.DeleteQueueParams{Queue: q.model}))
	q.deleted = true
	w.forgetHolds(q)
	for w.chance(2) {
		w.createNamed(q.name)
	}
}

func (w *walk) purge() {
	q := w.queue()
	if q == nil {
		return
	}
	w.purgeWith(q, pick(w, 0, time.Minute))
	if w.chance(3) {
		w.sendAll(q, []engine.NewMessage{w.newMessage(q)})
		w.purgeWith(q, time.Minute)
	}
}

func (w *walk) purgeWith(q *walkQueue, cooldown time.Duration) {
	w.t.Helper()
	w.note("PurgeQueue %v, cooldown %v", q, cooldown)
	err := w.e.store.PurgeQueue(w.t.Context(), engine.PurgeQueueParams{Queue: q.real, Cooldown: cooldown})
	if err == nil {
		w.forgetHolds(q)
	}
	w.sameError(err, w.model.PurgeQueue(w.t.Context(), engine.PurgeQueueParams{Queue: q.model, Cooldown: cooldown}))
}

func (w *walk) update() {
	q := w.queue()
	if q == nil {
		return
	}
	// A longer retention must not meet messages whose end has passed and that
	// are only not swept yet.
	w.e.drain()
	settings, touch, fails := w.settings(q.kind), w.chance(2), w.chance(4)
	if w.released(q) {
		settings.Delay = 0
	}
	refusal := errors.New("refused")
	change := func(q *engine.Queue) error {
		q.Settings = settings
		q.Tags = map[string]string{"u": fmt.Sprint(w.step)}
		if fails {
			return refusal
		}
		return nil
	}
	w.note("UpdateQueue %v, touch %v, fails %v, %+v", q, touch, fails, settings)
	got, err := w.e.store.UpdateQueue(w.t.Context(), engine.UpdateQueueParams{Queue: q.real, Change: change, Touch: touch})
	want, wantErr := w.model.UpdateQueue(w.t.Context(), engine.UpdateQueueParams{Queue: q.model, Change: change, Touch: touch})
	if w.sameError(err, wantErr) {
		w.sameQueue(got, want)
	}
}

func (w *walk) send() {
	q := w.queue()
	if q == nil || w.size(q) > maxWalkMessages {
		return
	}
	messages := make([]engine.NewMessage, pick(w, 1, 1, 2, 3, 10))
	for i := range messages {
		messages[i] = w.newMessage(q)
	}
	w.sendAll(q, messages)
}

// sendAll sends messages to both stores and compares.
func (w *walk) sendAll(q *walkQueue, messages []engine.NewMessage) {
	w.t.Helper()
	var names []string
	for i := range messages {
		name := fmt.Sprintf("%s(%s,%s)", messages[i].Body, messages[i].Group, messages[i].Dedup)
		if delay := messages[i].Delay; delay != nil {
			name += fmt.Sprintf("(delay %v)", *delay)
		}
		names = append(names, name)
	}
	w.note("Send %v: %s", q, strings.Join(names, " "))
	got, err := w.e.store.Send(w.t.Context(), engine.SendParams{Queue: q.real, Messages: messages})
	want, wantErr := w.model.Send(w.t.Context(), engine.SendParams{Queue: q.model, Messages: messages})
	if !w.sameError(err, wantErr) {
		return
	}
	for i := range want {
		if len(got) != len(want) || got[i].ID != want[i].ID || got[i].Sequence == 0 || got[i].Duplicate != want[i].Duplicate {
			w.failf("the store says %v, the model %v", got, want)
		}
		if want[i].Duplicate {
			continue
		}
		w.ids[messages[i].Body] = messages[i].ID
		if group := messages[i].Group; got[i].Sequence <= q.last[group] {
			w.failf("sequence %d follows %d", got[i].Sequence, q.last[group])
		} else {
			q.last[group] = got[i].Sequence
		}
	}
}

func (w *walk) receiveAny() {
	q := w.queue()
	if q == nil {
		return
	}
	p := engine.ReceiveParams{Max: pick(w, 1, 1, 2, 3, 10, 10, 20, 29)}
	if !w.chance(3) {
		timeout := pick(w, 0, 0, time.Millisecond, time.Second, 5*time.Second, 30*time.Second, time.Minute, 12*time.Hour)
		p.Visibility = &timeout
	}
	switch {
	case q.kind == engine.FIFO && w.chance(3):
		w.tryAttempt(q, &p)
	case w.chance(4) && !w.redrives(q):
		p.InFlightLimit = pick[int64](w, 1, 2, 5, 10, 20)
	}
	w.receive(q, p)
}

// handle chooses a delivery: mostly a young one of a message that is still in
// the queue, else an old one, or one of another queue.
func (w *walk) handle(q *walkQueue) (h walkHandle, found bool) {
	from := q.handles
	if w.chance(20) {
		from = w.handles
	}
	n := len(from)
	if n == 0 {
		return walkHandle{}, false
	}
	for range 5 {
		h = from[n-1-w.rng.IntN(min(n, pick(w, 5, 20, 20, 100, n)))]
		if w.kept(h) || w.chance(8) {
			break
		}
	}
	return h, w.decided(h)
}

// deliveries chooses a batch of deliveries, sometimes one of them twice, and
// sometimes one that never was.
func (w *walk) deliveries(q *walkQueue) []walkHandle {
	var handles []walkHandle
	for range pick(w, 1, 1, 2, 3, 10) {
		if h, found := w.handle(q); found {
			handles = append(handles, h)
		}
	}
	if len(handles) > 0 && w.chance(8) {
		handles = append(handles, handles[0])
	}
	if w.chance(20) {
		bad := engine.Ref(strings.Repeat("\x07z", w.rng.IntN(50)))
		handles = slices.Insert(handles, 0, walkHandle{queue: q, real: bad, model: bad, body: "malformed"})
	}
	return handles
}

// rule chooses a stale rule and whether expired deliveries are refused.
func (w *walk) rule() (engine.StaleRule, bool) {
	rule := pick(w, engine.StaleFails, engine.StaleIgnored, engine.StaleActs)
	return rule, rule != engine.StaleIgnored && w.chance(3)
}

func (w *walk) acknowledge() {
	q := w.queue()
	if q == nil {
		return
	}
	handles := w.deliveries(q)
	rule, refuse := w.rule()
	p := engine.AcknowledgeParams{Queue: q.real, Stale: rule, RefuseExpired: refuse}
	m := engine.AcknowledgeParams{Queue: q.model, Stale: rule, RefuseExpired: refuse}
	for _, h := range handles {
		p.Refs, m.Refs = append(p.Refs, h.real), append(m.Refs, h.model)
	}
	w.note("Acknowledge %v, rule %d, refuse expired %v: %v", q, rule, refuse, handles)
	got, err := w.e.store.Acknowledge(w.t.Context(), p)
	want, wantErr := w.model.Acknowledge(w.t.Context(), m)
	if w.sameError(err, wantErr) {
		w.sameResults(got, want, refuse)
		for i, h := range handles {
			if want[i] == nil {
				w.drop(h, rule)
			}
		}
	}
}

func (w *walk) change() {
	q := w.queue()
	if q == nil {
		return
	}
	handles := w.deliveries(q)
	rule, refuse := w.rule()
	limit := pick(w, 0, 0, time.Minute, 12*time.Hour)
	p := engine.ChangeVisibilityParams{Queue: q.real, Stale: rule, RefuseExpired: refuse, MaxTotal: limit}
	m := engine.ChangeVisibilityParams{Queue: q.model, Stale: rule, RefuseExpired: refuse, MaxTotal: limit}
	var timeouts []time.Duration
	for _, h := range handles {
		timeout := pick(w, time.Millisecond, time.Second, 30*time.Second, time.Minute, 12*time.Hour)
		if limit == 0 && w.chance(2) {
			timeout = 0
		}
		timeouts = append(timeouts, timeout)
		p.Changes = append(p.Changes, engine.Change{Ref: h.real, Timeout: timeout})
		m.Changes = append(m.Changes, engine.Change{Ref: h.model, Timeout: timeout})
	}
	w.note("ChangeVisibility %v, rule %d, refuse expired %v, at most %v: %v %v", q, rule, refuse, limit, handles, timeouts)
	got, err := w.e.store.ChangeVisibility(w.t.Context(), p)
	want, wantErr := w.model.ChangeVisibility(w.t.Context(), m)
	if w.sameError(err, wantErr) {
		w.sameResults(got, want, refuse)
		for i, h := range handles {
			if want[i] == nil {
				w.drop(h, rule)
			}
		}
	}
}

func (w *walk) release() {
	q := w.queue()
	if q == nil {
		return
	}
	handles := w.deliveries(q)
	var got, want []engine.Ref
	for _, h := range handles {
		if w.delayedAgain(q, h) {
			continue
		}
		got, want = append(got, h.real), append(want, h.model)
		w.drop(h, engine.StaleFails)
	}
	w.note("Release %v: %v", q, handles)
	w.sameError(w.e.store.Release(w.t.Context(), q.real, got), w.model.Release(w.t.Context(), q.model, want))
}

func (w *walk) advance() {
	d := pick(w, time.Millisecond, time.Millisecond, 10*time.Millisecond, time.Second, time.Second, 5*time.Second,
		5*time.Second, 30*time.Second, time.Minute, 10*time.Minute)
	if w.chance(20) {
		d = pick(w, time.Hour, 12*time.Hour, 24*time.Hour)
	}
	if w.chance(200) {
		d = pick(w, 12*time.Hour, 24*time.Hour, 3*24*time.Hour)
	}
	w.note("the clock moves by %v", d)
	w.e.clock.Advance(d)
}

// advanceToEdge moves the clock to where something falls due, or just beside.
func (w *walk) advanceToEdge() {
	q := w.queue()
	if q == nil {
		return
	}
	now := w.e.clock.Now()
	edge := now.Add(365 * 24 * time.Hour)
	for _, at := range w.edges(q) {
		if at.After(now) && (at.Before(edge) || w.chance(10)) {
			edge = at
		}
	}
	at := edge.Add(pick(w, -time.Millisecond, 0, 0, time.Millisecond))
	if !at.After(now) || at.Sub(now) > time.Hour && !w.chance(100) {
		return
	}
	w.note("the clock moves to %v beside what falls due in %v", at.Sub(edge), q)
	w.e.clock.Set(at)
}

func (w *walk) sweep() {
	w.note("Sweep")
	if _, err := w.e.store.Sweep(w.t.Context()); err != nil {
		w.failf("%v", err)
	}
	if _, err := w.model.Sweep(w.t.Context()); err != nil {
		w.failf("the model: %v", err)
	}
}

func (w *walk) restart() {
	w.note("restart")
	w.e.reopen()
	clear(w.parked)
}

package storetest

import (
	"fmt"
	"time"

	"queues/engine"
)

// walkNames are the names of queues by kind.
var walkNames = map[engine.Kind][]string{
	engine.Standard: {"a", "a_"},
	engine.FIFO:     {"f", "f_"},
}

func (w *walk) kind() engine.Kind { return pick(w, engine.Standard, engine.FIFO) }

func (w *walk) settings(kind engine.Kind) engine.Settings {
	return engine.Settings{
		Delay:             pick[time.Duration](w, 0, 0, 0, 0, 0, time.Second, time.Minute),
		MaxMessageBytes:   1024,
		Retention:         pick(w, time.Minute, time.Hour, 24*time.Hour, 4*24*time.Hour, 4*24*time.Hour, 14*24*time.Hour),
		VisibilityTimeout: pick[time.Duration](w, 0, time.Second, 30*time.Second, 30*time.Second, 10*time.Minute),
		Redrive:           w.redrive(kind),
		Extra:             map[string]string{"n": fmt.Sprint(w.rng.IntN(100))},
	}
}

// queueName makes a name for a queue of a kind.
func (w *walk) queueName(kind engine.Kind) engine.QueueName {
	return engine.QueueName{
		Namespace: engine.Namespace{Account: home.Account, Region: pick(w, "us-east-1", "us-east-1", "us-east-1", "eu-west-1")},
		Name:      pick(w, walkNames[kind]...),
	}
}

// mostly gives the kind, or now and then any kind.
func (w *walk) mostly(kind engine.Kind) engine.Kind {
	if w.chance(8) {
		return w.kind()
	}
	return kind
}

// redrive makes a rule about dead letters, or none.
func (w *walk) redrive(kind engine.Kind) *engine.Redrive {
	if w.chance(2) {
		return nil
	}
	return &engine.Redrive{Target: w.queueName(w.mostly(kind)), MaxReceives: pick(w, 1, 1, 2, 2, 3, 5)}
}

// newMessage makes a message for a queue.
func (w *walk) newMessage(q *walkQueue) engine.NewMessage {
	w.bodies++
	n := engine.NewMessage{Message: engine.Message{
		ID: w.id(), Body: fmt.Sprintf("m%d", w.bodies), Group: pick(w, "", "g", "g", "g", "h"), Sender: "walker",
		Attributes: []engine.Attribute{{Name: "n", Type: "Number", Value: fmt.Append(nil, w.bodies)}},
	}}
	if q.kind == engine.FIFO {
		n.Group = pick(w, "g", "h", "i", "j")
		n.Dedup = fmt.Sprint("d", w.bodies)
		if w.chance(3) {
			n.Dedup = pick(w, "x", "y", "z")
		}
	}
	if w.chance(3) {
		delay := pick(w, 0, 0, time.Second, 10*time.Second, time.Minute, 15*time.Minute)
		n.Delay = &delay
	}
	return n
}

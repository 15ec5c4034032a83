package integration

import (
	"fmt"
	"strings"
)

// pair is a queue with a redrive policy, the target of its dead letters, and the
// newest task that moves them back.
type pair struct {
	source, dead single
	task         moving
}

// moving is a move task as its list tells of it.
type moving struct {
	status        string
	moved, toMove int
}

func (p *pair) copy() *pair { return &pair{p.source.clone(), p.dead.clone(), p.task} }

func (p *pair) text() string {
	return fmt.Sprint(p.source.text(), "\n-\n", p.dead.text(), p.task)
}

// deadOf gives the name of the target of a queue's dead letters.
func deadOf(queue string) string {
	name, fifo := strings.CutSuffix(queue, ".fifo")
	if fifo {
		return name + "-dead.fifo"
	}
	return name + "-dead"
}

// family gives the name of the queue of whose pair a queue is, or its own.
func family(queue string) string { return strings.Replace(queue, "-dead", "", 1) }

// redriven gives how often messages of a queue may be received, as its name
// has it; 0 when it has no dead letters.
func redriven(queue string) (most int) {
	if _, rest, ok := strings.Cut(queue, "-most"); ok {
		_, _ = fmt.Sscan(strings.TrimSuffix(rest, ".fifo"), &most) // there is none
	}
	return most
}

func (p *pair) next(s step, a answer) (sequential, bool) {
	n := &pair{p.source, p.dead, p.task}
	switch s.do {
	case "move":
		if p.task.status == "RUNNING" {
			return n, a.code == badParam
		}
		n.dead = p.dead.clone()
		n.task = moving{status: "RUNNING", toMove: n.dead.base().bind(true)}
		return n, a.code == ""
	case "tasks":
		return n, a.code == "" && a.task == p.task
	case "end":
		return n, p.source.base().whole() && p.dead.base().whole()
	}
	if s.queue != family(s.queue) {
		dead, ok := p.dead.next(s, a)
		if ok {
			n.dead = dead.(single)
		}
		return n, ok
	}
	source, ok := p.source.next(s, a)
	if !ok {
		return nil, false
	}
	n.source = source.(single)
	if len(n.source.base().letters) > 0 {
		n.dead = p.dead.clone()
	}
	for _, m := range n.source.base().letters {
		n.dead.arrive(m.elsewhere(false))
	}
	n.source.base().letters = nil
	return n, true
}

func (p *pair) orders() (all []sequential) {
	for _, source := range p.source.orders() {
		for _, dead := range p.dead.orders() {
			all = append(all, &pair{source, dead, p.task})
		}
	}
	return all
}

// alone moves one message after the other, as far as the task may have got, and
// ends the task when none is left that may move.
func (p *pair) alone() []sequential {
	all, seen := []*pair{p}, map[string]bool{}
	add := func(n *pair) {
		if text := n.text(); !seen[text] {
			seen[text] = true
			all = append(all, n)
		}
	}
	for i := 0; i < len(all); i++ {
		if all[i].task.status != "RUNNING" {
			continue
		}
		places := all[i].dead.movable()
		for _, at := range places {
			n := all[i].copy()
			n.source.arrive(n.dead.leave(at).elsewhere(true))
			n.task.moved++
			add(n)
		}
		if len(places) == 0 {
			n := all[i].copy()
			n.task.status = "COMPLETED"
			n.dead.base().bind(false)
			add(n)
		}
	}
	var list []sequential
	for _, n := range all {
		list = append(list, n)
	}
	return list
}

package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

const head = `# Compatibility

What this server does as Amazon SQS does, counted by the tests that show it. ` + "`make compatibility`" + ` runs them and writes this file; it is not
edited by hand. A *fact* is one documented or recorded behaviour of SQS; its test is in ` + "`integration/facts_*_test.go`" + ` under the name of its action.

`

const withoutClients = "The real clients were left out when this file was written. To have them here:\n\n" +
	"```sh\nmake clients ARGS=\"-out clients.json\"\nmake compatibility CLIENTS=clients.json\n```\n"

// markdown gives the report as a Markdown file. It depends on nothing but the
// report, in an order of its own.
func (r *report) markdown() []byte {
	var b bytes.Buffer
	b.WriteString(head)
	r.writeTotals(&b)
	r.writeActions(&b)
	r.writeCases(&b)
	r.writeDemands(&b)
	r.writeForms(&b)
	r.writeClients(&b)
	r.writeDifferences(&b)
	return b.Bytes()
}

// writeTotals writes the sums, by protocol.
func (r *report) writeTotals(b *bytes.Buffer) {
	b.WriteString("## Totals\n\n| | JSON 1.0 | Query | distinct |\n|---|---:|---:|---:|\n")
	fmt.Fprintf(b, "| Facts covered | %d | %d | %d |\n", covered(r.facts, "JSON"), covered(r.facts, "Query"), covered(r.facts, ""))
	fmt.Fprintf(b, "| Bug reports of other servers, as tests | %d | %d | %d |\n", covered(r.cases, "JSON"), covered(r.cases, "Query"), covered(r.cases, ""))
	both := map[string]int{}
	for _, d := range r.differences {
		for _, p := range protocols {
			if d.protocol == "" || d.protocol == p {
				both[p]++
			}
		}
	}
	fmt.Fprintf(b, "| Known differences | %d | %d | %d |\n\n", both["JSON"], both["Query"], len(r.differences))
}

// writeActions writes the table of actions.
func (r *report) writeActions(b *bytes.Buffer) {
	b.WriteString("## Actions\n\n" +
		"*Covered* facts have a test that passes; *different* are the known differences that name the action; *n/a* are facts of the other protocol alone.\n" +
		"What holds for every action is counted once, in the first row.\n\n" +
		"| Action | JSON covered | different | n/a | Query covered | different | n/a |\n|---|---:|---:|---:|---:|---:|---:|\n")
	for _, a := range r.actions() {
		j, q := r.figures(a, "JSON"), r.figures(a, "Query")
		name := a
		if a == anyAction {
			name = "every action"
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d |\n", name, j.covered, j.different, j.notApplicable, q.covered, q.different, q.notApplicable)
	}
	b.WriteString("\n")
}

// writeCases writes the table of bug reports.
func (r *report) writeCases(b *bytes.Buffer) {
	b.WriteString("## Bug reports\n\nFaults that users reported of SQS servers and clients, by kind.\n\n| Kind | Reports | JSON | Query |\n|---|---:|---:|---:|\n")
	for _, kind := range slices.Sorted(maps.Keys(r.cases)) {
		name := fmt.Sprint(kind)
		if r.kinds[kind] != "" {
			name += ". " + cell(r.kinds[kind])
		}
		one := map[int]map[string]cover{kind: r.cases[kind]}
		fmt.Fprintf(b, "| %s | %d | %d | %d |\n", name, len(r.cases[kind]), covered(one, "JSON"), covered(one, "Query"))
	}
	b.WriteString("\n")
}

// writeDemands writes the demands that are met.
func (r *report) writeDemands(b *bytes.Buffer) {
	if len(r.demands) > 0 {
		fmt.Fprintf(b, "## Demands\n\n%d demands that clients make of a server on the wire, such as a digest with every message, each have a test that passes\n"+
			"(`integration/demands_*_test.go`).\n\n", len(r.demands))
	}
}

// writeForms writes how many requests of clients without a package to install
// are answered as those clients want.
func (r *report) writeForms(b *bytes.Buffer) {
	if len(r.forms) == 0 {
		return
	}
	b.WriteString("## Wire forms\n\nRequests as clients send them that are not run here, each with an answer that is read as that client reads it\n" +
		"(`integration/wireforms_*_test.go`).\n\n| Client | Forms |\n|---|---:|\n")
	for _, client := range slices.Sorted(maps.Keys(r.forms)) {
		fmt.Fprintf(b, "| %s | %d |\n", cell(client), r.forms[client])
	}
	b.WriteString("\n")
}

// writeClients writes the table of real clients.
func (r *report) writeClients(b *bytes.Buffer) {
	b.WriteString("## Clients\n\n")
	if r.clients == nil {
		b.WriteString(withoutClients + "\n")
		return
	}
	b.WriteString("Round trips of real clients against the built server. A client may have no words for a step.\n\n" +
		"| Client | Version | Protocol | Outcome | Steps passed | no words for |\n|---|---|---|---|---:|---:|\n")
	for i := range r.clients {
		c := &r.clients[i]
		outcome := c.Outcome
		if c.Reason != "" {
			outcome += ": " + c.Reason
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %d | %d |\n", cell(c.Name), cell(c.Version), cell(c.Protocol), cell(outcome), c.count("passed"), c.count("skipped"))
	}
	b.WriteString("\n")
}

// writeDifferences writes the known differences.
func (r *report) writeDifferences(b *bytes.Buffer) {
	b.WriteString("## Known differences\n\n[DIFFERENCES.md](DIFFERENCES.md) has them with their tests.\n\n")
	for _, d := range r.differences {
		fmt.Fprintf(b, "- %s\n", d.text)
	}
}

// cell makes a text fit for a cell of a table.
func cell(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "|", "\\|")), " ")
}

package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// table prints the actions with their figures, the sums last.
func (r *report) table(w io.Writer) error {
	var rows strings.Builder
	row := func(name string, j, q figures) {
		fmt.Fprintf(&rows, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, j.covered, j.different, j.notApplicable, q.covered, q.different, q.notApplicable)
	}
	rows.WriteString("Action\tJSON covered\tdifferent\tn/a\tQuery covered\tdifferent\tn/a\t\n")
	var sum [2]figures
	for _, a := range r.actions() {
		var of [2]figures
		for i, p := range protocols {
			of[i] = r.figures(a, p)
			sum[i].covered += of[i].covered
			sum[i].different += of[i].different
			sum[i].notApplicable += of[i].notApplicable
		}
		row(a, of[0], of[1])
	}
	row("Sum", sum[0], sum[1])
	fmt.Fprintf(&rows, "%d facts, %d bug reports, %d differences, %d demands, %d clients\n",
		covered(r.facts, ""), covered(r.cases, ""), len(r.differences), len(r.demands), len(r.clients))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if _, err := t.Write([]byte(rows.String())); err != nil {
		return err
	}
	return t.Flush()
}

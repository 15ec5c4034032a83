package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// table prints the actions with their figures, the sums last.
func (r *report) table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name string, j, q figures) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t\n", name, j.covered, j.different, j.notApplicable, q.covered, q.different, q.notApplicable)
	}
	fmt.Fprint(t, "Action\tJSON covered\tdifferent\tn/a\tQuery covered\tdifferent\tn/a\t\n")
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
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d facts, %d bug reports, %d differences, %d demands, %d clients\n",
		covered(r.facts, ""), covered(r.cases, ""), len(r.differences), len(r.demands), len(r.clients))
	return err
}

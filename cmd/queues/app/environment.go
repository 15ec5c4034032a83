package app

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// kubernetes matches the variables that Kubernetes gives every container for a
// service called "queues", or "queues-" and something.
var kubernetes = regexp.MustCompile(`^QUEUES_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)$`)

// warnOfUnknown tells of variables that look like settings and are none, so
// that a slip of the pen does not start a server with other settings than
// meant.
func warnOfUnknown(parser *kong.Kong, w io.Writer) {
	var known []string
	for _, command := range parser.Model.Leaves(true) {
		for _, flag := range command.Flags {
			known = append(known, flag.Envs...)
		}
	}
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "QUEUES_") && !slices.Contains(known, name) && !kubernetes.MatchString(name) {
			// There is nobody else to tell.
			_, _ = fmt.Fprintf(w, "queues: %s is not a setting and is ignored: \"queues serve --help\" lists them\n", name)
		}
	}
}

package app

import (
	"errors"
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

// variables are the names of all settings in the environment.
func variables(parser *kong.Kong) []string {
	var names []string
	for _, command := range parser.Model.Leaves(true) {
		for _, flag := range command.Flags {
			names = append(names, flag.Envs...)
		}
	}
	return names
}

// dropEmpty takes the settings that are set to nothing out of the environment,
// so that every one of them then has its default: a compose file that passes a
// variable on sets it to nothing when there is nothing to pass on.
func dropEmpty(names []string) error {
	var errs []error
	for _, name := range names {
		if value, ok := os.LookupEnv(name); ok && value == "" {
			errs = append(errs, os.Unsetenv(name))
		}
	}
	return errors.Join(errs...)
}

// warnOfUnknown tells of variables that look like settings and are none, so
// that a slip of the pen does not start a server with other settings than
// meant.
func warnOfUnknown(known []string, w io.Writer) {
	for _, variable := range os.Environ() {
		name, _, _ := strings.Cut(variable, "=")
		if strings.HasPrefix(name, "QUEUES_") && !slices.Contains(known, name) && !kubernetes.MatchString(name) {
			// There is nobody else to tell.
			_, _ = fmt.Fprintf(w, "queues: %s is not a setting and is ignored: \"queues serve --help\" lists them\n", name)
		}
	}
}

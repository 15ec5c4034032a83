package compat

import "strings"

// selection is which message attributes a receiver asked for.
type selection struct {
	all             bool
	exact, prefixes map[string]bool
}

// selectNames reads names and patterns: "All", ".*" and "*" mean every
// attribute, "prefix.*" those whose name begins with the prefix, everything
// else one name. What names nothing is no mistake.
func selectNames(names []string) selection {
	if len(names) == 0 {
		return selection{}
	}
	s := selection{exact: make(map[string]bool), prefixes: make(map[string]bool)}
	for _, name := range names {
		switch prefix, pattern := strings.CutSuffix(name, ".*"); {
		case name == attrAll || name == "*" || name == ".*":
			s.all = true
		case pattern:
			s.prefixes[prefix] = true
		default:
			s.exact[name] = true
		}
	}
	return s
}

// has reports whether an attribute was asked for. Its cost does not depend on
// how many names were.
func (s selection) has(name string) bool {
	if s.all || s.exact[name] {
		return true
	}
	for end := 1; len(s.prefixes) > 0 && end <= len(name); end++ {
		if s.prefixes[name[:end]] {
			return true
		}
	}
	return false
}

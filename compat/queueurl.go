package compat

import (
	"strings"

	"queues/engine"
)

// queueURL is the URL that names the queue to this caller.
func queueURL(c Caller, name engine.QueueName) string {
	return c.BaseURL + "/" + name.Account + "/" + name.Name
}

// parseQueueURL reads a QueueUrl as anybody may write it: only the path counts,
// and of it the last two segments; one segment is a name of the caller's own
// account. False means that it can name no queue.
func parseQueueURL(c Caller, url string) (engine.QueueName, bool) {
	if len(url) > maxQueueURL {
		return engine.QueueName{}, false
	}
	path, _, _ := strings.Cut(url, "?")
	path, _, _ = strings.Cut(path, "#")
	if _, rest, ok := strings.Cut(path, "://"); ok && !strings.HasPrefix(path, "/") {
		_, path, _ = strings.Cut(rest, "/") // the host names no queue
	}
	path = strings.TrimRight(path, "/")
	account := c.Account
	cut := strings.LastIndexByte(path, '/')
	name := path[cut+1:]
	if cut > 0 {
		before := strings.TrimRight(path[:cut], "/")
		if segment := before[strings.LastIndexByte(before, '/')+1:]; isAccount(segment) {
			account = segment
		}
	}
	if !possibleName(name) {
		return engine.QueueName{}, false
	}
	return engine.QueueName{Namespace: engine.Namespace{Account: account, Region: c.Region}, Name: name}, true
}

// isAccount reports whether s has the form of an account number: 12 digits.
func isAccount(s string) bool {
	if len(s) != 12 {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

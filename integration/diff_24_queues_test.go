package integration

import "testing"

// DIFFERENCES 24: a server has a most of queues. One more is refused and the
// others can be used; when one is deleted there is room again.
func TestDiff24MostQueues(t *testing.T) {
	t.Parallel()
	p := startBinary(t, append(serveArgs(t.TempDir()), "--max-queues=2")...)
	for _, w := range wires {
		e := newEnv(t, p.server(), w)
		first, second := e.create(t, nil), e.create(t, nil)
		r := e.call(t, "CreateQueue", args{"QueueName": "third"})
		r.wantExactly(t, 403, "OverLimit", "The server has as many queues as it may have. Delete queues that are not used, or raise its limit.")
		e.send(t, first, "b")
		for _, url := range []string{second, first} {
			e.call(t, "DeleteQueue", args{"QueueUrl": url}).wantOK(t)
		}
		again := e.create(t, nil)
		e.call(t, "DeleteQueue", args{"QueueUrl": again}).wantOK(t)
	}
}

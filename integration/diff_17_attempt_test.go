package integration

import "testing"

// DIFFERENCES 17: an attempt that cannot be repeated is a new receive.
func TestDiff17AttemptAfterAChange(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.createFIFO(t, nil)
		e.put(t, url, "g-1", "h-1", "i-1")
		attempt := args{"QueueUrl": url, "MaxNumberOfMessages": 2, "ReceiveRequestAttemptId": "a"}
		first := e.call(t, "ReceiveMessage", attempt).messages(t)
		e.call(t, "DeleteMessage", args{"QueueUrl": url, "ReceiptHandle": first[0].ReceiptHandle}).wantOK(t)
		if got := e.call(t, "ReceiveMessage", attempt).messages(t); len(got) != 1 || got[0].Body != "i-1" {
			t.Errorf("received %+v, want i-1", got)
		}
	})
}

package load

import "time"

// Send is a SendMessage of one body.
func (w *Wire) Send(queue string) *Request {
	f := w.begin(nil, SendMessage)
	f.encoded("MessageBody", w.payload)
	return w.request(SendMessage, f.end(queue))
}

// SendBatch is a SendMessageBatch of n bodies.
func (w *Wire) SendBatch(queue string, n int) *Request {
	f := w.begin(nil, SendMessageBatch)
	for i := range n {
		f.next(SendMessageBatch, i)
		f.encoded("MessageBody", w.payload)
	}
	f.endEntries()
	return w.request(SendMessageBatch, f.end(queue))
}

// Receive is a ReceiveMessage of up to n that waits up to wait, in whole
// seconds.
func (w *Wire) Receive(queue string, n int, wait time.Duration) *Request {
	f := w.begin(nil, ReceiveMessage)
	f.number("MaxNumberOfMessages", n)
	f.number("WaitTimeSeconds", int(wait/time.Second))
	return w.request(ReceiveMessage, f.end(queue))
}

// AppendGrouped adds a SendMessage with a group, and a deduplication id unless
// that is empty, to dst; scratch is reused for its body.
func (w *Wire) AppendGrouped(dst []byte, scratch *[]byte, queue, group, dedup string) []byte {
	f := w.begin(*scratch, SendMessage)
	f.encoded("MessageBody", w.payload)
	f.grouped(group, dedup)
	*scratch = f.end(queue)
	return w.append(dst, SendMessage, *scratch)
}

func (f *form) grouped(group, dedup string) {
	if dedup != "" {
		f.text("MessageDeduplicationId", dedup)
	}
	f.text("MessageGroupId", group)
}

// appendGroupedBatch is AppendGrouped for a message in each group, with
// deduplication ids in front of which each has its place.
func (w *Wire) appendGroupedBatch(dst []byte, scratch *[]byte, queue string, groups, dedups []string) []byte {
	f := w.begin(*scratch, SendMessageBatch)
	for i, group := range groups {
		f.next(SendMessageBatch, i)
		f.encoded("MessageBody", w.payload)
		f.grouped(group, dedups[i])
	}
	f.endEntries()
	*scratch = f.end(queue)
	return w.append(dst, SendMessageBatch, *scratch)
}

// AppendDelete adds a DeleteMessage to dst; scratch is reused for its body.
func (w *Wire) AppendDelete(dst []byte, scratch *[]byte, queue, handle string) []byte {
	f := w.begin(*scratch, DeleteMessage)
	f.text("ReceiptHandle", handle)
	*scratch = f.end(queue)
	return w.append(dst, DeleteMessage, *scratch)
}

// extension is the timeout that a change of visibility sets, in seconds.
const extension = 600

// appendVisibility adds a ChangeMessageVisibility to dst.
func (w *Wire) appendVisibility(dst []byte, scratch *[]byte, queue, handle string) []byte {
	f := w.begin(*scratch, ChangeMessageVisibility)
	f.text("ReceiptHandle", handle)
	f.number("VisibilityTimeout", extension)
	*scratch = f.end(queue)
	return w.append(dst, ChangeMessageVisibility, *scratch)
}

// appendSettled adds a batch of a, a DeleteMessageBatch or a
// ChangeMessageVisibilityBatch, to dst; scratch is reused for its body.
func (w *Wire) appendSettled(dst []byte, scratch *[]byte, a Action, queue string, handles []string) []byte {
	f := w.begin(*scratch, a)
	for i, h := range handles {
		f.next(a, i)
		f.text("ReceiptHandle", h)
		if a == ChangeMessageVisibilityBatch {
			f.number("VisibilityTimeout", extension)
		}
	}
	f.endEntries()
	*scratch = f.end(queue)
	return w.append(dst, a, *scratch)
}

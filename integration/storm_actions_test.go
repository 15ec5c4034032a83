package integration

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// stormWorker is one client of the storm.
type stormWorker struct {
	*storm
	e      *env
	random *rand.Rand
	name   string
	made   int
	// last is what it sent last to each FIFO queue, with the answer.
	last map[string]stormSend
}

type stormSend struct {
	in args
	id string
}

// stormActions are all actions, and how a client makes each.
var stormActions = []struct {
	name string
	run  func(c *stormWorker, action string)
}{
	{"AddPermission", func(c *stormWorker, action string) {
		c.call(action, c.any(), args{"Label": c.label(), "AWSAccountIds": list{"123456789012"}, "Actions": list{"SendMessage"}}, badParam, "OverLimit")
	}},
	{"CancelMessageMoveTask", func(c *stormWorker, action string) {
		if task := c.task(); task != "" {
			c.call(action, "", args{"TaskHandle": task}, badParam, unknownARN)
		}
	}},
	{"ChangeMessageVisibility", func(c *stormWorker, action string) {
		queue := c.any()
		for _, m := range c.known(queue, 1) {
			c.call(action, queue, args{"ReceiptHandle": m.ReceiptHandle, "VisibilityTimeout": c.random.IntN(3)}, badParam)
		}
	}},
	{"ChangeMessageVisibilityBatch", func(c *stormWorker, action string) {
		queue := c.any()
		if entries := c.entries(c.known(queue, 4), "VisibilityTimeout", c.random.IntN(2)); len(entries) > 0 {
			c.call(action, queue, args{"Entries": entries}, badParam, badHandle)
		}
	}},
	{"CreateQueue", func(c *stormWorker, action string) {
		queue := c.passing()
		c.call(action, "", args{"QueueName": queue, "Attributes": c.attributes(queue)}, "QueueAlreadyExists")
	}},
	{"DeleteMessage", func(c *stormWorker, action string) {
		queue := c.any()
		for _, m := range c.known(queue, 1) {
			r := c.call(action, queue, args{"ReceiptHandle": m.ReceiptHandle}, fifoOnly(queue, badParam)...)
			c.remove(m, r.Code)
		}
	}},
	{"DeleteMessageBatch", func(c *stormWorker, action string) {
		queue := c.any()
		known := c.known(queue, 5)
		if entries := c.entries(known, "", 0); len(entries) > 0 {
			c.call(action, queue, args{"Entries": entries}, fifoOnly(queue, badParam)...)
			for _, m := range known { // which of them is not told here
				c.remove(m, "")
			}
		}
	}},
	{"DeleteQueue", func(c *stormWorker, action string) {
		if c.random.IntN(3) == 0 {
			c.call(action, c.passing(), nil)
		}
	}},
	{"GetQueueAttributes", func(c *stormWorker, action string) {
		if r := c.call(action, c.any(), args{"AttributeNames": list{"All"}}); r.Status == 200 {
			r.sizes(c.t)
		}
	}},
	{"GetQueueUrl", func(c *stormWorker, action string) {
		queue := c.any()
		if r := c.call(action, "", args{"QueueName": queue}, c.gone(queue)...); r.Status == 200 && !strings.Contains(r.Body, "/"+queue) {
			c.t.Errorf("the URL of %s is %s", queue, r.Body)
		}
	}},
	{"ListDeadLetterSourceQueues", func(c *stormWorker, action string) {
		if r := c.call(action, "dead", nil); !strings.Contains(r.Body, "/src") {
			c.t.Errorf("the sources of dead are %s", r.Body)
		}
	}},
	{"ListMessageMoveTasks", func(c *stormWorker, action string) {
		c.call(action, "", args{"SourceArn": c.named(c.dead()), "MaxResults": 10})
	}},
	{"ListQueueTags", func(c *stormWorker, action string) { c.call(action, c.any(), nil) }},
	{"ListQueues", func(c *stormWorker, action string) {
		r := c.call(action, "", args{})
		for _, queue := range stormLasting {
			if !strings.Contains(r.Body, "/"+queue) {
				c.t.Errorf("%s is not listed in %s", queue, r.Body)
			}
		}
	}},
	{"PurgeQueue", func(c *stormWorker, action string) { c.call(action, c.passing(), nil) }},
	{"ReceiveMessage", (*stormWorker).receive},
	{"RemovePermission", func(c *stormWorker, action string) { c.call(action, c.any(), args{"Label": c.label()}, badParam) }},
	{"SendMessage", (*stormWorker).sendOne},
	{"SendMessageBatch", (*stormWorker).sendMany},
	{"SetQueueAttributes", func(c *stormWorker, action string) {
		name := []string{"VisibilityTimeout", "DelaySeconds", "ReceiveMessageWaitTimeSeconds"}[c.random.IntN(3)]
		c.call(action, c.any(), args{"Attributes": attrs{name: fmt.Sprint(c.random.IntN(2))}})
	}},
	{"StartMessageMoveTask", func(c *stormWorker, action string) {
		source := c.dead()
		in := args{"SourceArn": c.named(source)}
		if c.random.IntN(2) == 0 {
			in["DestinationArn"] = c.named("moved" + strings.TrimPrefix(source, "dead"))
		}
		if c.random.IntN(2) == 0 {
			in["MaxNumberOfMessagesPerSecond"] = 1
		}
		if r := c.call(action, "", in, badParam); r.Status == 200 {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.tasks["all"] = append(c.tasks["all"], r.text(c.t, "TaskHandle"))
		}
	}},
	{"TagQueue", func(c *stormWorker, action string) {
		c.call(action, c.any(), args{"Tags": attrs{c.label(): c.name}})
	}},
	{"UntagQueue", func(c *stormWorker, action string) { c.call(action, c.any(), args{"TagKeys": list{c.label()}}) }},
}

func (c *stormWorker) one(of []string) string { return of[c.random.IntN(len(of))] }
func (c *stormWorker) passing() string        { return c.one(stormPassing) }
func (c *stormWorker) any() string {
	return c.one(slices.Concat(stormLasting, stormLasting, stormPassing))
}
func (c *stormWorker) dead() string  { return c.one([]string{"dead", "dead.fifo"}) }
func (c *stormWorker) label() string { return fmt.Sprint("l", c.random.IntN(4)) }

// task gives one of the move tasks.
func (c *stormWorker) task() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.tasks["all"]
	if len(all) == 0 {
		return ""
	}
	return all[max(0, len(all)-1-c.random.IntN(3))]
}

// known gives some of the newest messages that came from a queue.
func (c *stormWorker) known(queue string, most int) []message {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.handles[queue]
	n := min(most, len(all))
	from := max(0, len(all)-n-c.random.IntN(20))
	return slices.Clone(all[from : from+n])
}

// entries are those of a batch over messages, with one more member.
func (c *stormWorker) entries(messages []message, name string, value int) (entries list) {
	for i, m := range messages {
		e := args{"Id": fmt.Sprint(i), "ReceiptHandle": m.ReceiptHandle}
		if name != "" {
			e[name] = value
		}
		entries = append(entries, e)
	}
	return entries
}

// remove notes a delete that may have removed its message.
func (c *stormWorker) remove(m message, code string) {
	if code == "" {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.removed[m.Body] = true
	}
}

// gone are the codes for a queue that may not be there.
func (c *stormWorker) gone(queue string) []string {
	if slices.Contains(stormPassing, queue) {
		return []string{noQueue}
	}
	return nil
}

// fifoOnly are codes that only FIFO queues give.
func fifoOnly(queue string, codes ...string) []string {
	if strings.HasSuffix(queue, ".fifo") {
		return codes
	}
	return nil
}

var failedEntries = regexp.MustCompile(`"Code":"([^"]+)"|<Code>([^<]+)</Code>`)

// call makes a call about a queue, and checks that the answer is a success or
// has one of some codes; so must what failed of a batch. A queue that comes and
// goes may also be gone, or another one than the handle's.
func (c *stormWorker) call(action, queue string, in args, may ...string) *reply {
	if queue != "" {
		all := args{"QueueUrl": c.e.url + "/" + c.e.account + "/" + queue}
		for name, value := range in {
			all[name] = value
		}
		in = all
		may = append(slices.Clone(may), c.gone(queue)...)
		if len(may) > 0 && slices.Contains(stormPassing, queue) {
			may = append(may, badHandle)
		}
	}
	called := c.tick()
	r := c.e.call(c.t, action, in)
	c.witness(action, queue, in, r, called)
	codes := []string{r.Code}
	if r.Status == 200 && strings.HasSuffix(action, "Batch") {
		for _, m := range failedEntries.FindAllStringSubmatch(r.Body, -1) {
			codes = append(codes, m[1]+m[2])
		}
	}
	for _, code := range codes {
		if code != "" && !slices.Contains(may, code) || r.Status >= 500 {
			c.t.Errorf("%s of %s %v was answered with %d %s: %s", action, queue, in, r.Status, code, r.Body)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := action
	if r.Code != "" {
		key += " " + r.Code
	}
	c.answers[key]++
	return r
}

// receive receives, now and then for longer than the client stays.
func (c *stormWorker) receive(action string) {
	queue := c.any()
	in := args{"MaxNumberOfMessages": 1 + c.random.IntN(10), "WaitTimeSeconds": c.random.IntN(8) / 7, "VisibilityTimeout": c.random.IntN(3)}
	if strings.HasSuffix(queue, ".fifo") && c.random.IntN(2) == 0 {
		in["ReceiveRequestAttemptId"] = fmt.Sprint("try-", c.random.IntN(3))
	}
	if c.random.IntN(4) == 0 {
		in["WaitTimeSeconds"] = 20
		c.leave(action, queue, in)
		return
	}
	r := c.call(action, queue, in)
	if r.Status != 200 {
		return
	}
	got := r.messages(c.t)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.handles[queue] = append(c.handles[queue], got...)
}

// leave makes a call and hangs up soon after. Whether it was answered before
// cannot be told.
func (c *stormWorker) leave(action, queue string, in args) {
	in["QueueUrl"] = c.e.url + "/" + c.e.account + "/" + queue
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(c.random.IntN(int(50*time.Millisecond))))
	defer cancel()
	form := url.Values{"Action": {action}, "Version": {"2012-11-05"}}
	flatten(form, action, in)
	body, contentType, target := form.Encode(), "application/x-www-form-urlencoded", ""
	if c.random.IntN(2) == 0 {
		object, err := json.Marshal(in)
		if err != nil {
			c.t.Error(err)
			return
		}
		body, contentType, target = string(object), "application/x-amz-json-1.0", "AmazonSQS."+action
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.e.url+"/", strings.NewReader(body))
	if err != nil {
		c.t.Error(err)
		return
	}
	req.Header.Set("Content-Type", contentType)
	if target != "" {
		req.Header.Set("X-Amz-Target", target)
	}
	req.Header.Set("Authorization", "AWS4-HMAC-SHA256 Credential="+c.e.account+"/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=00")
	if res, err := c.e.http.Do(req); err == nil {
		_, _ = io.Copy(io.Discard, res.Body) // it may be cut off
		_ = res.Body.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.answers["(hung up)"]++
}

// message makes the members of a new message.
func (c *stormWorker) message(queue string) args {
	c.made++
	in := args{"MessageBody": fmt.Sprintf("%s/%s/%d", queue, c.name, c.made)}
	switch {
	case strings.HasSuffix(queue, ".fifo"):
		in["MessageGroupId"], in["MessageDeduplicationId"] = fmt.Sprint("g", c.random.IntN(5)), in["MessageBody"]
	case queue == "fair":
		in["MessageGroupId"] = fmt.Sprint("g", c.random.IntN(5))
	case c.random.IntN(5) == 0:
		in["DelaySeconds"] = c.random.IntN(2)
	}
	return in
}

// took notes that a message was taken.
func (c *stormWorker) took(queue string, in args) {
	if slices.Contains(stormLasting, queue) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sent[in["MessageBody"].(string)] = true
	}
}

// sendOne sends a message; to a FIFO queue sometimes the last one again, which
// must be known if the queue stays.
func (c *stormWorker) sendOne(action string) {
	queue := c.any()
	before, ok := c.last[queue]
	if ok && c.random.IntN(4) == 0 {
		if r := c.call(action, queue, before.in); r.Status == 200 && slices.Contains(stormLasting, queue) && r.text(c.t, "MessageId") != before.id {
			c.t.Errorf("%v was stored as %s and again: %s", before.in, before.id, r.Body)
		}
		return
	}
	in := c.message(queue)
	r := c.call(action, queue, in)
	if r.Status != 200 {
		return
	}
	c.took(queue, in)
	if strings.HasSuffix(queue, ".fifo") {
		if c.last == nil {
			c.last = map[string]stormSend{}
		}
		c.last[queue] = stormSend{in, r.text(c.t, "MessageId")}
	}
}

func (c *stormWorker) sendMany(action string) {
	queue := c.any()
	var all []args
	entries := list{}
	for i := range 1 + c.random.IntN(10) {
		in := c.message(queue)
		all = append(all, in)
		entry := args{"Id": fmt.Sprint(i)}
		for name, value := range in {
			entry[name] = value
		}
		entries = append(entries, entry)
	}
	if r := c.call(action, queue, args{"Entries": entries}); r.Status == 200 {
		for _, in := range all {
			c.took(queue, in)
		}
	}
}

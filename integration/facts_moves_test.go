package integration

import (
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// task is an entry of a list of move tasks; what it has not is empty.
type task struct {
	TaskHandle, Status, SourceArn, DestinationArn, FailureReason string
	MaxNumberOfMessagesPerSecond                                 int
	ApproximateNumberOfMessagesMoved                             *int
	ApproximateNumberOfMessagesToMove                            *int
	StartedTimestamp                                             int64
}

// tasks lists the newest move tasks of a source, as many as asked for.
func (e *env) tasks(t *testing.T, in args) []task {
	t.Helper()
	r := e.call(t, "ListMessageMoveTasks", in).wantOK(t)
	if e.wire.query {
		var x struct {
			Results []task `xml:"ListMessageMoveTasksResult>ListMessageMoveTasksResultEntry"`
		}
		if err := xml.Unmarshal([]byte(r.Body), &x); err != nil {
			t.Fatal(err)
		}
		return x.Results
	}
	var j struct{ Results []task }
	if err := json.Unmarshal([]byte(r.Body), &j); err != nil {
		t.Fatal(err)
	}
	return j.Results
}

// over waits until the newest task of a source has ended and gives it, its time
// and source left out.
func (e *env) over(t *testing.T, source string) task {
	t.Helper()
	for range 600 {
		got := e.tasks(t, args{"SourceArn": source})[0]
		if got.Status != "RUNNING" && got.Status != "CANCELLING" {
			if got.SourceArn != source || got.StartedTimestamp == 0 {
				t.Errorf("the task is %+v", got)
			}
			got.SourceArn, got.StartedTimestamp = "", 0
			return got
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal("the task does not end")
	return task{}
}

// move starts a task and gives its handle.
func (e *env) move(t *testing.T, in args) string {
	t.Helper()
	r := e.call(t, "StartMessageMoveTask", in).wantOK(t)
	if e.wire.query {
		var x struct {
			TaskHandle string `xml:"StartMessageMoveTaskResult>TaskHandle"`
		}
		if err := xml.Unmarshal([]byte(r.Body), &x); err != nil {
			t.Fatal(err)
		}
		return x.TaskHandle
	}
	var j struct{ TaskHandle string }
	if err := json.Unmarshal([]byte(r.Body), &j); err != nil {
		t.Fatal(err)
	}
	return j.TaskHandle
}

// wantTask checks a task.
func wantTask(t *testing.T, got, want task) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the task (-want +got):\n%s", diff)
	}
}

func TestFactsOfMoveTasks(t *testing.T) {
	const start = "StartMessageMoveTask"
	runFacts(t, []fact{
		{start, "BackToEachSource", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			a, b := e.deadLettered(t, dlq, "a1", "a2"), e.deadLettered(t, dlq, "b1", "b2")
			source := e.arn(t, dlq)
			e.move(t, args{"SourceArn": source})
			wantTask(t, e.over(t, source), task{Status: "COMPLETED", ApproximateNumberOfMessagesMoved: new(4), ApproximateNumberOfMessagesToMove: new(4)})
			e.wantCounts(t, dlq, counts{"0", "0", "0"})
			wantTaken(t, e.pull(t, a, all), "a1 a2")
			wantTaken(t, e.pull(t, b, all), "b1 b2")
		}},
		{start, "ToTheDestination", "", func(t *testing.T, e *env) {
			dlq, target := e.create(t, nil), e.create(t, nil)
			e.deadLettered(t, dlq, "1", "2")
			e.send(t, dlq, "straight")
			source, to := e.arn(t, dlq), e.arn(t, target)
			e.move(t, args{"SourceArn": source, "DestinationArn": to, "MaxNumberOfMessagesPerSecond": 500})
			wantTask(t, e.over(t, source), task{Status: "COMPLETED", DestinationArn: to, MaxNumberOfMessagesPerSecond: 500, ApproximateNumberOfMessagesMoved: new(3), ApproximateNumberOfMessagesToMove: new(3)})
			wantTaken(t, e.pull(t, target, all), "1 2 straight")
		}},
		{start, "MovedMessagesAreNew", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.create(t, attrs{"VisibilityTimeout": "0", "MessageRetentionPeriod": "3600", "RedrivePolicy": redriveTo(e.arn(t, dlq), 1)})
			e.send(t, url, "b")
			was := e.pullOne(t, url, all)
			e.pull(t, url, all)
			time.Sleep(time.Hour)
			began := time.Now()
			e.move(t, args{"SourceArn": e.arn(t, dlq)})
			e.over(t, e.arn(t, dlq))
			m := e.pullOne(t, url, all)
			if m.MessageId == was.MessageId || m.Attributes["SentTimestamp"] < fmt.Sprint(began.UnixMilli()) || m.Attributes["ApproximateReceiveCount"] != "1" {
				t.Errorf("it was %v and came back as %v", was, m)
			}
			wantNames(t, m.Attributes, "ApproximateFirstReceiveTimestamp", "ApproximateReceiveCount", "SenderId", "SentTimestamp")
		}},
		{start, "FullRetentionAgain", "", func(t *testing.T, e *env) {
			dlq, target := e.create(t, nil), e.create(t, attrs{"MessageRetentionPeriod": "3600"})
			e.deadLettered(t, dlq, "b")
			time.Sleep(2 * time.Hour)
			e.move(t, args{"SourceArn": e.arn(t, dlq), "DestinationArn": e.arn(t, target)})
			e.over(t, e.arn(t, dlq))
			time.Sleep(59 * time.Minute)
			e.wantCounts(t, target, counts{"1", "0", "0"})
			time.Sleep(time.Minute)
			e.wantCounts(t, target, counts{"0", "0", "0"})
		}},
		{start, "OldestFirst", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.deadLettered(t, dlq, "1", "2", "3", "4", "5")
			e.move(t, args{"SourceArn": e.arn(t, dlq), "MaxNumberOfMessagesPerSecond": 1})
			time.Sleep(1500 * time.Millisecond)
			e.send(t, url, "new")
			e.over(t, e.arn(t, dlq))
			got := bodiesOf(e.pull(t, url, all))
			if got != "1 2 new 3 4 5" && got != "1 new 2 3 4 5" {
				t.Errorf("received [%s]", got)
			}
		}},
		{start, "OnlyVisibleMessagesAreMoved", "", func(t *testing.T, e *env) {
			dlq, target := e.create(t, nil), e.create(t, nil)
			e.deadLettered(t, dlq, "held", "visible")
			e.send(t, dlq, "delayed", delayed(900))
			e.pull(t, dlq, most(1, 600))
			e.move(t, args{"SourceArn": e.arn(t, dlq), "DestinationArn": e.arn(t, target)})
			got := e.over(t, e.arn(t, dlq))
			if got.Status != "COMPLETED" || *got.ApproximateNumberOfMessagesToMove != 1 || *got.ApproximateNumberOfMessagesMoved != 1 {
				t.Errorf("the task is %+v", got)
			}
			wantTaken(t, e.pull(t, target, all), "visible")
			e.wantCounts(t, dlq, counts{"0", "1", "1"})
		}},
		{start, "TheRateIsKept", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			e.deadLettered(t, dlq, "1", "2", "3", "4")
			began := time.Now()
			e.move(t, args{"SourceArn": e.arn(t, dlq), "MaxNumberOfMessagesPerSecond": 1})
			got := e.over(t, e.arn(t, dlq))
			if took := time.Since(began); took < 3*time.Second || took > 5*time.Second {
				t.Errorf("four messages at one a second took %v", took)
			}
			wantTask(t, got, task{Status: "COMPLETED", MaxNumberOfMessagesPerSecond: 1, ApproximateNumberOfMessagesMoved: new(4), ApproximateNumberOfMessagesToMove: new(4)})
			e.wantCounts(t, dlq, counts{"0", "0", "0"})
		}},
		{start, "WithoutASourceItFails", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			e.deadLettered(t, dlq)
			e.send(t, dlq, "straight")
			e.move(t, args{"SourceArn": e.arn(t, dlq)})
			if got := e.over(t, e.arn(t, dlq)); got.Status != "FAILED" || got.FailureReason != "CouldNotDetermineMessageSource" || got.TaskHandle != "" {
				t.Errorf("the task is %+v", got)
			}
			wantTaken(t, e.pull(t, dlq, all), "straight")
		}},
		{start, "ADeletedDestinationFailsIt", "", func(t *testing.T, e *env) {
			dlq, target := e.create(t, nil), e.create(t, nil)
			e.deadLettered(t, dlq, "1", "2", "3", "4")
			source, to := e.arn(t, dlq), e.arn(t, target)
			e.move(t, args{"SourceArn": source, "DestinationArn": to, "MaxNumberOfMessagesPerSecond": 1})
			time.Sleep(1500 * time.Millisecond)
			began := time.Now()
			e.deleteQueue(t, target)
			got := e.over(t, source)
			if d := time.Since(began); d > 30*time.Second {
				t.Errorf("it failed after %v", d)
			}
			moved := *got.ApproximateNumberOfMessagesMoved
			wantTask(t, got, task{Status: "FAILED", FailureReason: "AWS.SimpleQueueService.NonExistentQueue", DestinationArn: to, MaxNumberOfMessagesPerSecond: 1, ApproximateNumberOfMessagesMoved: &moved, ApproximateNumberOfMessagesToMove: new(4)})
			if n := len(e.pull(t, dlq, all)); n != 4-moved || n == 0 {
				t.Errorf("%d are left after %d moved", n, moved)
			}
		}},
		{start, "FIFOQueuesKeepTheirOrder", "", func(t *testing.T, e *env) {
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1", "g-2", "g-3")
			e.pull(t, url, all)
			e.pull(t, url, all)
			e.move(t, args{"SourceArn": e.arn(t, dlq)})
			if got := e.over(t, e.arn(t, dlq)); got.Status != "COMPLETED" {
				t.Errorf("the task is %+v", got)
			}
			got := e.pull(t, url, all)
			wantTaken(t, got, "g-1 g-2 g-3")
			if got[0].Attributes["MessageGroupId"] != "g" {
				t.Errorf("it came with %v", got[0].Attributes)
			}
		}},
		{start, "FIFOGroupsAcrossARate", "", func(t *testing.T, e *env) {
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1", "h-1", "g-2", "h-2")
			for range 6 {
				e.pull(t, url, all)
			}
			e.setAttributes(t, url, attrs{"RedrivePolicy": redriveTo(e.arn(t, dlq), 100), "VisibilityTimeout": "60"})
			e.move(t, args{"SourceArn": e.arn(t, dlq), "MaxNumberOfMessagesPerSecond": 1})
			var got []string
			for len(got) < 4 {
				ms := e.pull(t, url, args{"WaitTimeSeconds": 20})
				if len(ms) == 0 {
					t.Fatalf("received %v and then nothing", got)
				}
				got = append(got, ms[0].Body)
				e.remove(t, url, ms[0].ReceiptHandle).wantOK(t)
			}
			if slices.Index(got, "g-1") > slices.Index(got, "g-2") || slices.Index(got, "h-1") > slices.Index(got, "h-2") {
				t.Errorf("received %v", got)
			}
		}},
		{start, "ALockedGroupTakesWhatIsMoved", "", func(t *testing.T, e *env) {
			url, dlq := e.fifoDeadLetters(t, 1)
			e.put(t, url, "g-1")
			e.pull(t, url, all)
			e.pull(t, url, all)
			e.put(t, url, "g-2")
			held := e.pullOne(t, url, most(1, 3600))
			e.move(t, args{"SourceArn": e.arn(t, dlq)})
			if got := e.over(t, e.arn(t, dlq)); got.Status != "COMPLETED" {
				t.Errorf("the task is %+v", got)
			}
			wantTaken(t, e.pull(t, url, all), "")
			e.remove(t, url, held.ReceiptHandle).wantOK(t)
			wantTaken(t, e.pull(t, url, all), "g-1")
		}},
		{start, "OneTaskForEachSource", "", func(t *testing.T, e *env) {
			dlq, other := e.create(t, nil), e.create(t, nil)
			e.deadLettered(t, dlq, "1", "2", "3", "4")
			e.deadLettered(t, other, "1")
			source := args{"SourceArn": e.arn(t, dlq), "MaxNumberOfMessagesPerSecond": 1}
			e.move(t, source)
			e.call(t, start, source).wantExactly(t, 400, "InvalidParameterValue", "There is already a task running. Only one active task is allowed for a source queue arn at a given time.")
			e.move(t, args{"SourceArn": e.arn(t, other)})
			e.over(t, e.arn(t, dlq))
			e.move(t, source)
		}},
		{start, "TheHandleHoldsTwoMembers", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			e.deadLettered(t, dlq, "1")
			handle := e.move(t, args{"SourceArn": e.arn(t, dlq)})
			raw, err := base64.StdEncoding.DecodeString(handle)
			var parts map[string]string
			if err != nil || json.Unmarshal(raw, &parts) != nil || len(parts) != 2 || parts["sourceArn"] != e.arn(t, dlq) || len(parts["taskId"]) != 36 {
				t.Errorf("the handle holds %q, %v", raw, err)
			}
		}},
		{"ListMessageMoveTasks", "ARunningTask", "", func(t *testing.T, e *env) {
			dlq, target := e.create(t, nil), e.create(t, nil)
			e.deadLettered(t, dlq, "1", "2", "3", "4")
			source, to := e.arn(t, dlq), e.arn(t, target)
			began := time.Now().UnixMilli()
			handle := e.move(t, args{"SourceArn": source, "DestinationArn": to, "MaxNumberOfMessagesPerSecond": 1})
			time.Sleep(500 * time.Millisecond)
			wantTask(t, e.tasks(t, args{"SourceArn": source})[0], task{
				TaskHandle: handle, Status: "RUNNING", SourceArn: source, DestinationArn: to, MaxNumberOfMessagesPerSecond: 1,
				ApproximateNumberOfMessagesMoved: new(1), ApproximateNumberOfMessagesToMove: new(4), StartedTimestamp: began,
			})
		}},
		{"CancelMessageMoveTask", "TheRestStays", "", func(t *testing.T, e *env) {
			dlq := e.create(t, nil)
			url := e.deadLettered(t, dlq, "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
			source := e.arn(t, dlq)
			handle := e.move(t, args{"SourceArn": source, "DestinationArn": e.arn(t, url), "MaxNumberOfMessagesPerSecond": 1})
			time.Sleep(2500 * time.Millisecond)
			r := e.call(t, "CancelMessageMoveTask", args{"TaskHandle": handle}).wantOK(t)
			if want := `{"ApproximateNumberOfMessagesMoved":3}`; !e.wire.query && r.Body != want {
				t.Errorf("the answer is %s, want %s", r.Body, want)
			}
			got := e.over(t, source)
			moved := *got.ApproximateNumberOfMessagesMoved
			wantTask(t, got, task{Status: "CANCELLED", DestinationArn: e.arn(t, url), MaxNumberOfMessagesPerSecond: 1, ApproximateNumberOfMessagesMoved: &moved, ApproximateNumberOfMessagesToMove: new(10)})
			e.wantCounts(t, url, counts{fmt.Sprint(moved), "0", "0"})
			e.wantCounts(t, dlq, counts{fmt.Sprint(10 - moved), "0", "0"})
			if n := len(e.pull(t, dlq, all)); n != 10-moved || moved < 3 || moved > 8 {
				t.Errorf("%d can be received after %d moved", n, moved)
			}
			e.call(t, "CancelMessageMoveTask", args{"TaskHandle": handle}).wantExactly(t, 400, "InvalidParameterValue", "Only active tasks can be cancelled.")
		}},
	})
}

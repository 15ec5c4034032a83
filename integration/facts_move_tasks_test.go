package integration

import (
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

const (
	noSource   = "The resource that you specified for the SourceArn parameter doesn't exist."
	noTarget   = "The resource that you specified for the DestinationArn parameter doesn't exist."
	arnFormat  = "You must use this format to specify the %: arn:<partition>:<service>:<region>:<account-id>:<resource-id>"
	badTask    = "Value for parameter TaskHandle is invalid."
	noTask     = "Task does not exist."
	nobodysARN = "arn:aws:sqs:us-east-1:%ACCOUNT:nowhere"
)

// taskHandle is a handle as the server makes them.
func taskHandle(arn string) string {
	return base64.StdEncoding.EncodeToString([]byte(`{"taskId":"10f57157-fb1b-4ac1-8b09-6d8e43fa5a7e","sourceArn":"` + arn + `"}`))
}

// moving makes "q" the dead-letter queue of "source", brings some messages into
// it and gives its ARN.
func (e *env) moving(t *testing.T, n int) string {
	t.Helper()
	e.world(t, "ListQueues", args{})
	arn := "arn:aws:sqs:us-east-1:" + e.account + ":q"
	e.createNamed(t, "source", attrs{"VisibilityTimeout": "0", "RedrivePolicy": redriveTo(arn, 1)})
	for range n {
		e.send(t, "source", "b")
	}
	for range 2 {
		e.receive(t, "source")
	}
	return arn
}

func TestFactsOfStartMessageMoveTask(t *testing.T) {
	const action = "StartMessageMoveTask"
	const badRate = "Value for parameter MaxNumberOfMessagesPerSecond is invalid. Reason: You must enter a number that's between 1 and 500."
	// started is the fact about starting a task of a dead-letter queue.
	started := func(name string, with args, code, text string) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			in := args{"SourceArn": e.moving(t, 0)}
			for k, v := range e.world(t, action, with) {
				in[k] = v
			}
			if r := e.call(t, action, in); code != "" {
				r.wantRefusal(t, e, code, text)
			} else {
				r.wantOK(t)
			}
		}}
	}
	runFacts(t, []fact{
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			r := e.call(t, action, args{"SourceArn": e.moving(t, 0)}).wantOK(t)
			_, handle, _ := strings.Cut(r.Body, "TaskHandle")
			handle = strings.FieldsFunc(handle, func(c rune) bool { return strings.ContainsRune(`<>":`, c) })[0]
			r.wantAnswer(t, e, action, `{"TaskHandle":"`+handle+`"}`, "<StartMessageMoveTaskResult><TaskHandle>"+handle+"</TaskHandle></StartMessageMoveTaskResult>")
		}},
		refused(action, "WithoutASource", args{}, noParam, "The request must contain the parameter SourceArn."),
		refused(action, "AMalformedSource", args{"SourceArn": "nonsense"}, badParam, strings.Replace(arnFormat, "%", "SourceArn", 1)),
		refused(action, "AnUnknownSource", args{"SourceArn": nobodysARN}, unknownARN, noSource),
		refused(action, "ASourceThatIsNoDeadLetterQueue", args{"SourceArn": "%ARN"}, badParam, "Source queue must be configured as a Dead Letter Queue."),
		started("AMalformedTarget", args{"DestinationArn": "nonsense"}, badParam, strings.Replace(arnFormat, "%", "DestinationArn", 1)),
		started("TheSourceAsTarget", args{"DestinationArn": "%ARN"}, badParam, "Source queue arn and destination queue arn cannot be the same."),
		started("AnUnknownTarget", args{"DestinationArn": nobodysARN}, unknownARN, noTarget),
		started("ATargetOfTheOtherType", args{"DestinationArn": "%ARN.fifo"}, badParam, "The source queue and destination queue must be of the same queue type."),
		started("ARateOfZero", args{"MaxNumberOfMessagesPerSecond": 0}, badParam, badRate),
		started("ARateOf501", args{"MaxNumberOfMessagesPerSecond": 501}, badParam, badRate),
		started("ARateOfOne", args{"MaxNumberOfMessagesPerSecond": 1}, "", ""),
		started("ARateOf500", args{"MaxNumberOfMessagesPerSecond": 500}, "", ""),
		{action, "WhileOneIsRunning", "", func(t *testing.T, e *env) {
			in := args{"SourceArn": e.moving(t, 3), "MaxNumberOfMessagesPerSecond": 1}
			e.call(t, action, in).wantOK(t)
			e.call(t, action, in).wantRefusal(t, e, badParam, "There is already a task running. Only one active task is allowed for a source queue arn at a given time.")
		}},
		{action, "AfterOneHasEnded", "", func(t *testing.T, e *env) {
			in := args{"SourceArn": e.moving(t, 1)}
			e.call(t, action, in).wantOK(t)
			e.ended(t, in["SourceArn"].(string))
			e.call(t, action, in).wantOK(t)
		}},
	})
}

func TestFactsOfCancelMessageMoveTask(t *testing.T) {
	const action = "CancelMessageMoveTask"
	runFacts(t, []fact{
		{action, "TheFormOfItsAnswer", "", func(t *testing.T, e *env) {
			source := e.moving(t, 3)
			handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source, MaxNumberOfMessagesPerSecond: aws.Int32(1)})
			time.Sleep(1500 * time.Millisecond)
			moved := decimal(int(e.moveTasks(t, source)[0].ApproximateNumberOfMessagesMoved))
			e.call(t, action, args{"TaskHandle": handle}).wantOK(t).wantAnswer(t, e, action, `{"ApproximateNumberOfMessagesMoved":`+moved+`}`,
				"<CancelMessageMoveTaskResult><ApproximateNumberOfMessagesMoved>"+moved+"</ApproximateNumberOfMessagesMoved></CancelMessageMoveTaskResult>")
		}},
		{action, "MovedMessagesStayMoved", "", func(t *testing.T, e *env) {
			source := e.moving(t, 5)
			handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source, MaxNumberOfMessagesPerSecond: aws.Int32(1)})
			time.Sleep(1500 * time.Millisecond)
			e.call(t, action, args{"TaskHandle": handle}).wantOK(t)
			task := e.ended(t, source)
			moved := int(task.ApproximateNumberOfMessagesMoved)
			if *task.Status != "CANCELLED" || task.TaskHandle != nil || moved == 0 || moved == 5 {
				t.Errorf("the task is %+v", task)
			}
			e.wantCounts(t, "source", counts{decimal(moved), "0", "0"})
			e.wantCounts(t, "q", counts{decimal(5 - moved), "0", "0"})
		}},
		refused(action, "WithoutAHandle", args{}, noParam, "The request must contain the parameter TaskHandle."),
		refused(action, "AHandleThatHoldsNothing", args{"TaskHandle": "foobared"}, badParam, badTask),
		refused(action, "AHandleThatIsNoBase64", args{"TaskHandle": "%%%"}, badParam, badTask),
		refused(action, "AHandleOfOtherJSON", args{"TaskHandle": base64.StdEncoding.EncodeToString([]byte(`{"a":1}`))}, badParam, badTask),
		{action, "AnUnknownQueue", "", func(t *testing.T, e *env) {
			for _, account := range []string{e.account, "999999999999"} {
				e.call(t, action, args{"TaskHandle": taskHandle("arn:aws:sqs:us-east-1:" + account + ":nowhere")}).wantRefusal(t, e, unknownARN, noSource)
			}
		}},
		{action, "AnUnknownTask", "", func(t *testing.T, e *env) {
			e.call(t, action, args{"TaskHandle": taskHandle(e.moving(t, 0))}).wantRefusal(t, e, unknownARN, noTask)
		}},
		{action, "AnUnknownTaskOfNoDeadLetterQueue", "", func(t *testing.T, e *env) {
			e.world(t, action, args{})
			e.call(t, action, args{"TaskHandle": taskHandle("arn:aws:sqs:us-east-1:" + e.account + ":q")}).wantRefusal(t, e, unknownARN, noTask)
		}},
		{action, "ATaskThatHasEnded", "", func(t *testing.T, e *env) {
			source := e.moving(t, 1)
			handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
			e.ended(t, source)
			e.call(t, action, args{"TaskHandle": handle}).wantRefusal(t, e, badParam, "Only active tasks can be cancelled.")
		}},
	})
}

func TestFactsOfListMessageMoveTasks(t *testing.T) {
	const action = "ListMessageMoveTasks"
	const badMost = "Value for parameter MaxResults is invalid. Reason: You must enter a number that's between 1 and 10."
	runFacts(t, []fact{
		answers(action, "WithoutTasks", args{"SourceArn": "%ARN"}, "{}", "<ListMessageMoveTasksResult/>"),
		refused(action, "WithoutASource", args{}, noParam, "The request must contain the parameter SourceArn."),
		refused(action, "AMalformedSource", args{"SourceArn": "nonsense"}, badParam, strings.Replace(arnFormat, "%", "SourceArn", 1)),
		refused(action, "AnUnknownSource", args{"SourceArn": nobodysARN}, unknownARN, noSource),
		refused(action, "MaxResultsOfZero", args{"SourceArn": "%ARN", "MaxResults": 0}, badParam, badMost),
		refused(action, "MaxResultsOf11", args{"SourceArn": "%ARN", "MaxResults": 11}, badParam, badMost),
		{action, "TheFormOfARunningTask", "", func(t *testing.T, e *env) {
			source := e.moving(t, 3)
			handle := e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source, DestinationArn: aws.String(e.arn(t, "source")), MaxNumberOfMessagesPerSecond: aws.Int32(1)})
			time.Sleep(1500 * time.Millisecond) // between two steps, where the count stands still
			r := e.call(t, action, args{"SourceArn": source}).wantOK(t)
			moved := decimal(int(e.moveTasks(t, source)[0].ApproximateNumberOfMessagesMoved))
			to := e.arn(t, "source")
			r.wantAnswer(t, e, action, `{"Results":[{"TaskHandle":"`+handle+`","Status":"RUNNING","SourceArn":"`+source+`","DestinationArn":"`+to+`","MaxNumberOfMessagesPerSecond":1,"ApproximateNumberOfMessagesMoved":`+moved+`,"ApproximateNumberOfMessagesToMove":3,"StartedTimestamp":946684800000}]}`,
				"<ListMessageMoveTasksResult><ListMessageMoveTasksResultEntry><TaskHandle>"+handle+"</TaskHandle><Status>RUNNING</Status><SourceArn>"+source+"</SourceArn><DestinationArn>"+to+"</DestinationArn><MaxNumberOfMessagesPerSecond>1</MaxNumberOfMessagesPerSecond><ApproximateNumberOfMessagesMoved>"+moved+"</ApproximateNumberOfMessagesMoved><ApproximateNumberOfMessagesToMove>3</ApproximateNumberOfMessagesToMove><StartedTimestamp>946684800000</StartedTimestamp></ListMessageMoveTasksResultEntry></ListMessageMoveTasksResult>")
		}},
		{action, "TheFormOfATaskThatHasEnded", "", func(t *testing.T, e *env) {
			source := e.moving(t, 2)
			e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
			e.ended(t, source)
			e.call(t, action, args{"SourceArn": source}).wantOK(t).wantAnswer(t, e, action,
				`{"Results":[{"Status":"COMPLETED","SourceArn":"`+source+`","ApproximateNumberOfMessagesMoved":2,"ApproximateNumberOfMessagesToMove":2,"StartedTimestamp":946684800000}]}`,
				"<ListMessageMoveTasksResult><ListMessageMoveTasksResultEntry><Status>COMPLETED</Status><SourceArn>"+source+"</SourceArn><ApproximateNumberOfMessagesMoved>2</ApproximateNumberOfMessagesMoved><ApproximateNumberOfMessagesToMove>2</ApproximateNumberOfMessagesToMove><StartedTimestamp>946684800000</StartedTimestamp></ListMessageMoveTasksResultEntry></ListMessageMoveTasksResult>")
		}},
		{action, "OneUnlessToldOtherwiseAndTheNewestFirst", "", func(t *testing.T, e *env) {
			source := e.moving(t, 0)
			for range 12 {
				e.startMove(t, &sqs.StartMessageMoveTaskInput{SourceArn: &source})
				e.ended(t, source)
				time.Sleep(time.Second)
			}
			if r := e.call(t, action, args{"SourceArn": source}).wantOK(t); strings.Count(r.Body, "COMPLETED") != 1 {
				t.Errorf("the answer is %s", r.Body)
			}
			tasks := e.moveTasks(t, source)
			for i := 1; i < len(tasks); i++ {
				if tasks[i].StartedTimestamp >= tasks[i-1].StartedTimestamp {
					t.Errorf("task %d began at %d, the one before it in the list at %d", i, tasks[i].StartedTimestamp, tasks[i-1].StartedTimestamp)
				}
			}
			if len(tasks) != 10 {
				t.Errorf("%d tasks, want 10", len(tasks))
			}
		}},
	})
}

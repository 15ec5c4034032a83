package integration

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"
)

// modelled are the names that the SDK has for errors whose code on the wire ends
// in another word.
var modelled = map[string]string{"NonExistentQueue": "QueueDoesNotExist", "QueueAlreadyExists": "QueueNameExists"}

// wantError checks an SDK error by the code that programs match on, by its
// status and by its request id. On Query the SDK gives modelled errors its own
// names, on JSON the codes of the wire.
func (e *env) wantError(t *testing.T, err error, code string, status int) {
	t.Helper()
	if e.wire.query {
		code = code[strings.LastIndexByte(code, '.')+1:]
		if name, ok := modelled[code]; ok {
			code = name
		}
	}
	api, ok := errors.AsType[smithy.APIError](err)
	if !ok {
		t.Errorf("the error is %v, want %s", err, code)
		return
	}
	if api.ErrorCode() != code || api.ErrorMessage() == "" {
		t.Errorf("the error is %q %q, want code %q and a text", api.ErrorCode(), api.ErrorMessage(), code)
	}
	answer, ok := errors.AsType[*awshttp.ResponseError](err)
	if !ok {
		t.Errorf("no answer in %v", err)
		return
	}
	if answer.HTTPStatusCode() != status || len(answer.RequestID) != 36 {
		t.Errorf("%s: status %d and request id %q, want %d and an id", code, answer.HTTPStatusCode(), answer.RequestID, status)
	}
}

// typed reports whether an error is of a type that the SDK has for it.
func typed[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// missing makes every call that names a queue with a URL of none.
var missing = map[string]func(e *env, t *testing.T, url *string) error{
	"SendMessage": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: url, MessageBody: aws.String("b")})
		return err
	},
	"SendMessageBatch": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.SendMessageBatch(t.Context(), &sqs.SendMessageBatchInput{QueueUrl: url, Entries: []types.SendMessageBatchRequestEntry{{Id: aws.String("a"), MessageBody: aws.String("b")}}})
		return err
	},
	"ReceiveMessage": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.ReceiveMessage(t.Context(), &sqs.ReceiveMessageInput{QueueUrl: url, WaitTimeSeconds: 20})
		return err
	},
	"DeleteMessage": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: url, ReceiptHandle: aws.String("h")})
		return err
	},
	"ChangeMessageVisibility": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.ChangeMessageVisibility(t.Context(), &sqs.ChangeMessageVisibilityInput{QueueUrl: url, ReceiptHandle: aws.String("h")})
		return err
	},
	"GetQueueAttributes": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.GetQueueAttributes(t.Context(), &sqs.GetQueueAttributesInput{QueueUrl: url, AttributeNames: []types.QueueAttributeName{"All"}})
		return err
	},
	"SetQueueAttributes": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.SetQueueAttributes(t.Context(), &sqs.SetQueueAttributesInput{QueueUrl: url, Attributes: attrs{"DelaySeconds": "1"}})
		return err
	},
	"PurgeQueue": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.PurgeQueue(t.Context(), &sqs.PurgeQueueInput{QueueUrl: url})
		return err
	},
	"DeleteQueue": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.DeleteQueue(t.Context(), &sqs.DeleteQueueInput{QueueUrl: url})
		return err
	},
	"ListQueueTags": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.ListQueueTags(t.Context(), &sqs.ListQueueTagsInput{QueueUrl: url})
		return err
	},
	"TagQueue": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.TagQueue(t.Context(), &sqs.TagQueueInput{QueueUrl: url, Tags: attrs{"k": "v"}})
		return err
	},
	"UntagQueue": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.UntagQueue(t.Context(), &sqs.UntagQueueInput{QueueUrl: url, TagKeys: []string{"k"}})
		return err
	},
	"ListDeadLetterSourceQueues": func(e *env, t *testing.T, url *string) error {
		_, err := e.sqs.ListDeadLetterSourceQueues(t.Context(), &sqs.ListDeadLetterSourceQueuesInput{QueueUrl: url})
		return err
	},
	"GetQueueUrl": func(e *env, t *testing.T, _ *string) error {
		_, err := e.sqs.GetQueueUrl(t.Context(), &sqs.GetQueueUrlInput{QueueName: aws.String("nowhere")})
		return err
	},
}

func TestMissingQueueIsATypedErrorOfEveryAction(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		e.create(t, nil)
		for action, do := range missing {
			err := do(e, t, aws.String(e.url+"/"+e.account+"/nowhere"))
			e.wantError(t, err, "AWS.SimpleQueueService.NonExistentQueue", 400)
			if !typed[*types.QueueDoesNotExist](err) {
				t.Errorf("%s: %T %v is no QueueDoesNotExist", action, err, err)
			}
			text := "The specified queue does not exist."
			if e.wire.query {
				text = "The specified queue does not exist for this wsdl version."
			}
			if api, ok := errors.AsType[smithy.APIError](err); !ok || api.ErrorMessage() != text {
				t.Errorf("%s: the text is %q, want %q", action, api.ErrorMessage(), text)
			}
		}
	})
}

func TestTypedErrors(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url, elsewhere := e.createNamed(t, "errors", nil), e.create(t, nil)
		e.send(t, elsewhere, "b")
		foreign := e.receiveOne(t, elsewhere).ReceiptHandle
		ids := func(ids ...string) []types.SendMessageBatchRequestEntry {
			l := []types.SendMessageBatchRequestEntry{} // nil is refused by the SDK itself
			for _, id := range ids {
				l = append(l, types.SendMessageBatchRequestEntry{Id: aws.String(id), MessageBody: aws.String("b")})
			}
			return l
		}
		batch := func(l []types.SendMessageBatchRequestEntry) error {
			_, err := e.sqs.SendMessageBatch(t.Context(), &sqs.SendMessageBatchInput{QueueUrl: &url, Entries: l})
			return err
		}
		remove := func(handle string) error {
			_, err := e.sqs.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: &handle})
			return err
		}
		create := func(a attrs) error {
			_, err := e.sqs.CreateQueue(t.Context(), &sqs.CreateQueueInput{QueueName: aws.String("errors"), Attributes: a})
			return err
		}
		_, contents := e.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &url, MessageBody: aws.String("a\x0bb")})
		long := batch(append(ids("a"), types.SendMessageBatchRequestEntry{Id: aws.String("b"), MessageBody: aws.String(strings.Repeat("x", 1<<20))}))
		const prefix = "AWS.SimpleQueueService."
		for name, tt := range map[string]struct {
			err    error
			typed  bool
			code   string
			status int
		}{
			"QueueNameExists":            {create(attrs{"DelaySeconds": "1"}), typed[*types.QueueNameExists](create(attrs{"DelaySeconds": "1"})), "QueueAlreadyExists", 400},
			"InvalidAttributeName":       {create(attrs{"Bogus": "1"}), typed[*types.InvalidAttributeName](create(attrs{"Bogus": "1"})), "InvalidAttributeName", 400},
			"InvalidAttributeValue":      {create(attrs{"DelaySeconds": "x"}), typed[*types.InvalidAttributeValue](create(attrs{"DelaySeconds": "x"})), "InvalidAttributeValue", 400},
			"EmptyBatchRequest":          {batch(ids()), typed[*types.EmptyBatchRequest](batch(ids())), prefix + "EmptyBatchRequest", 400},
			"BatchEntryIdsNotDistinct":   {batch(ids("a", "a")), typed[*types.BatchEntryIdsNotDistinct](batch(ids("a", "a"))), prefix + "BatchEntryIdsNotDistinct", 400},
			"InvalidBatchEntryId":        {batch(ids("a!")), typed[*types.InvalidBatchEntryId](batch(ids("a!"))), prefix + "InvalidBatchEntryId", 400},
			"TooManyEntries":             {batch(ids(strings.Split("abcdefghijk", "")...)), typed[*types.TooManyEntriesInBatchRequest](batch(ids(strings.Split("abcdefghijk", "")...))), prefix + "TooManyEntriesInBatchRequest", 400},
			"BatchRequestTooLong":        {long, typed[*types.BatchRequestTooLong](long), prefix + "BatchRequestTooLong", 400},
			"InvalidMessageContents":     {contents, typed[*types.InvalidMessageContents](contents), "InvalidMessageContents", 400},
			"ReceiptHandleOfNobody":      {remove("garbage"), typed[*types.ReceiptHandleIsInvalid](remove("garbage")), "ReceiptHandleIsInvalid", 404},
			"ReceiptHandleOfOtherQueue":  {remove(*foreign), typed[*types.ReceiptHandleIsInvalid](remove(*foreign)), "ReceiptHandleIsInvalid", 404},
			"ReceiptHandleTooLong":       {remove(strings.Repeat("h", 1025)), typed[*types.ReceiptHandleIsInvalid](remove(strings.Repeat("h", 1025))), "ReceiptHandleIsInvalid", 404},
			"ReceiptHandleTamperedWith":  {remove(tampered(*foreign)), typed[*types.ReceiptHandleIsInvalid](remove(tampered(*foreign))), "ReceiptHandleIsInvalid", 404},
			"ReceiptHandleCutOff":        {remove((*foreign)[:len(*foreign)-1]), typed[*types.ReceiptHandleIsInvalid](remove((*foreign)[:len(*foreign)-1])), "ReceiptHandleIsInvalid", 404},
			"ReceiptHandleWithLateBytes": {remove(*foreign + "AAAA"), typed[*types.ReceiptHandleIsInvalid](remove(*foreign + "AAAA")), "ReceiptHandleIsInvalid", 404},
		} {
			e.wantError(t, tt.err, tt.code, tt.status)
			if !tt.typed {
				t.Errorf("%s: %v has not the SDK's type", name, tt.err)
			}
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
		e.wantCounts(t, elsewhere, counts{"0", "1", "0"})
	})
}

// tampered changes one character in the middle of a handle.
func tampered(handle string) string {
	b := []byte(handle)
	at := len(b) / 2
	if b[at] == 'A' {
		b[at] = 'B'
	} else {
		b[at] = 'A'
	}
	return string(b)
}

// A handle forged bit by bit deletes nothing.
func TestForgedHandlesDeleteNothing(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.send(t, url, "b")
		handle := *e.receiveOne(t, url).ReceiptHandle
		for at := range len(handle) - 1 {
			b := []byte(handle)
			if b[at] == 'x' {
				b[at] = 'y'
			} else {
				b[at] = 'x'
			}
			_, err := e.sqs.DeleteMessage(t.Context(), &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: aws.String(string(b))})
			if !typed[*types.ReceiptHandleIsInvalid](err) {
				t.Fatalf("character %d changed: %v", at, err)
			}
		}
		e.wantCounts(t, url, counts{"0", "1", "0"})
	})
}

// wantForm checks that an error has the form of its protocol.
func (r *reply) wantForm(t *testing.T, w wire) {
	t.Helper()
	id := r.Header.Get("X-Amzn-Requestid")
	if len(id) != 36 || r.Header.Get("Date") == "" {
		t.Errorf("request id %q and date %q", id, r.Header.Get("Date"))
	}
	if w.query {
		if ct := r.Header.Get("Content-Type"); !strings.HasPrefix(ct, "text/xml") {
			t.Errorf("content type %q", ct)
		}
		for _, part := range []string{
			`<ErrorResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><Error><Type>Sender</Type><Code>`,
			`</Message><Detail/></Error><RequestId>` + id + `</RequestId></ErrorResponse>`,
		} {
			if !strings.Contains(r.Body, part) {
				t.Errorf("%q is not in %s", part, r.Body)
			}
		}
		return
	}
	if ct := r.Header.Get("Content-Type"); ct != "application/x-amz-json-1.0" {
		t.Errorf("content type %q", ct)
	}
	if got := r.Header.Get("X-Amzn-Query-Error"); !strings.HasSuffix(got, ";Sender") {
		t.Errorf("x-amzn-query-error is %q", got)
	}
	if strings.Contains(r.Message, "engine") || strings.Contains(r.Message, "sqlite") || strings.Contains(r.Message, ".go:") {
		t.Errorf("the text speaks of the inside: %q", r.Message)
	}
	if r.Status == http.StatusInternalServerError {
		t.Error("a caller's mistake is a 500")
	}
}

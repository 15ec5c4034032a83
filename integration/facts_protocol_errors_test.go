package integration

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The rows of the error table that a request can provoke, under the names of
// their JSON shapes. refused and wantRefusal check status, __type, header and
// form.
func TestFactsOfTheErrorTable(t *testing.T) {
	tooMany := list{}
	for i := range 11 {
		tooMany = append(tooMany, args{"Id": fmt.Sprint(i), "MessageBody": "b"})
	}
	send := func(bodies ...string) args {
		entries := list{}
		for i, b := range bodies {
			entries = append(entries, args{"Id": fmt.Sprint(i), "MessageBody": b})
		}
		return args{"Entries": entries}
	}
	listed := args{"MessageBody": "b", "MessageAttributes": map[string]args{"a": {"DataType": "String", "StringListValues": list{"x"}}}}
	runFacts(t, []fact{
		refused("SendMessage", "", args{"QueueUrl": "nowhere"}, noQueue, "").about(anyAction, "QueueDoesNotExist"),
		refused("CreateQueue", "", args{"QueueName": "q", "Attributes": attrs{"DelaySeconds": "1"}}, alreadyThere, otherValue+"DelaySeconds").about(anyAction, "QueueNameExists"),
		{anyAction, "QueueDeletedRecently", "", func(t *testing.T, e *env) {
			e.deleteQueue(t, e.createNamed(t, "gone", nil))
			e.call(t, "CreateQueue", args{"QueueName": "gone"}).wantRefusal(t, e, batchPrefix+"QueueDeletedRecently", deletedRecently)
		}},
		refused("GetQueueAttributes", "", args{"AttributeNames": list{"Foobar"}}, badName, "Unknown Attribute Foobar.").about(anyAction, "InvalidAttributeName"),
		refused("SetQueueAttributes", "", args{"Attributes": attrs{"VisibilityTimeout": "99999"}}, badAttr, "Invalid value for the parameter VisibilityTimeout.").about(anyAction, "InvalidAttributeValue"),
		refused("SendMessage", "", args{"MessageBody": "a\x08b"}, "InvalidMessageContents", badBody).about(anyAction, "InvalidMessageContents"),
		refused("SendMessage", "", listed, unsupported, listValues).about(anyAction, "UnsupportedOperation").only(onlyJSON),
		{anyAction, "UnsupportedOperationInAForm", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.query(t, "Action=SendMessage&QueueUrl=q&MessageBody=b&MessageAttribute.1.Name=a&MessageAttribute.1.Value.DataType=String&MessageAttribute.1.Value.StringListValue.1=x").
				wantRefusal(t, e, unsupported, listValues)
		}},
		refused("SendMessageBatch", "", args{"Entries": list{}}, batchPrefix+"EmptyBatchRequest", "There should be at least one SendMessageBatchRequestEntry in the request.").about(anyAction, "EmptyBatchRequest"),
		refused("SendMessageBatch", "", args{"Entries": tooMany}, batchPrefix+"TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10. You have sent 11.").about(anyAction, "TooManyEntriesInBatchRequest"),
		refused("SendMessageBatch", "", args{"Entries": list{tooMany[1], tooMany[1]}}, batchPrefix+"BatchEntryIdsNotDistinct", "Id 1 repeated.").about(anyAction, "BatchEntryIdsNotDistinct"),
		refused("DeleteMessageBatch", "", args{"Entries": list{args{"Id": "a!", "ReceiptHandle": "h"}}}, batchPrefix+"InvalidBatchEntryId", anyText).about(anyAction, "InvalidBatchEntryId"),
		refused("SendMessageBatch", "", send(strings.Repeat("x", 1<<20), "x"), batchPrefix+"BatchRequestTooLong", anyText).about(anyAction, "BatchRequestTooLong"),
		refused("DeleteMessage", "", args{"ReceiptHandle": "garbage"}, badHandle, anyText).about(anyAction, "ReceiptHandleIsInvalid"),
		{anyAction, "PurgeQueueInProgress", "", func(t *testing.T, e *env) {
			e.world(t, "PurgeQueue", args{})
			e.purge(t, "q")
			e.call(t, "PurgeQueue", args{"QueueUrl": "q"}).wantRefusal(t, e, batchPrefix+"PurgeQueueInProgress", "Only one PurgeQueue operation on q is allowed every 60 seconds.")
		}},
		refused("AddPermission", "", permission(args{"Actions": list{"*", "*", "*", "*", "*", "*", "*", "*"}}), "OverLimit", "8 Actions were found, maximum allowed is 7.").about(anyAction, "OverLimit"),
		refused("ListMessageMoveTasks", "", args{"SourceArn": nobodysARN}, unknownARN, noSource).about(anyAction, "ResourceNotFoundException"),
		refused("ReceiveMessage", "", args{"WaitTimeSeconds": 21}, badParam, anyText).about(anyAction, "InvalidParameterValueException"),
		refused("SendMessage", "", args{}, noParam, anyText).about(anyAction, "MissingRequiredParameterException"),
		refused("ReceiveMessage", "", args{"WaitTimeSeconds": list{}}, malformed, anyText).about(anyAction, "SerializationException").only(onlyJSON),
		refused("FooBar", "", args{}, "InvalidAction", anyText).about(anyAction, "UnknownOperationException"),
		{anyAction, "AccessDeniedException", "", func(t *testing.T, e *env) {
			h, body := jsonHeader("ListQueues"), "{}"
			if e.wire.query {
				h, body = formHeader.Clone(), "Action=ListQueues"
			}
			h.Set("Origin", "https://elsewhere.example")
			// In JSON this one error spells its text with a capital.
			r := e.post(t, "/", h, body)
			if r.Status != 403 || r.Code != "AccessDenied" || !e.wire.query && (r.Shape != "com.amazon.coral.service#AccessDeniedException" || !strings.Contains(r.Body, `"Message":"`)) {
				t.Errorf("the answer is %d %s", r.Status, r.Body)
			}
		}},
	})
}

// The form of errors.
func TestFactsOfErrors(t *testing.T) {
	failing := func(t *testing.T, e *env) *reply { return e.call(t, "GetQueueUrl", args{"QueueName": "nowhere"}) }
	runFacts(t, []fact{
		{anyAction, "TheWholeErrorInJSON", onlyJSON, func(t *testing.T, e *env) {
			r := failing(t, e)
			if want := `{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."}`; r.Body != want {
				t.Errorf("the body is %s, want %s", r.Body, want)
			}
			for name, want := range map[string]string{"Content-Type": "application/x-amz-json-1.0", "X-Amzn-Query-Error": noQueue + ";Sender"} {
				if got := r.Header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if got := r.Header.Get("X-Amzn-Errortype"); got != "" && got != r.Shape {
				t.Errorf("x-amzn-errortype is %q, __type %q", got, r.Shape)
			}
		}},
		{anyAction, "TheWholeErrorInXML", onlyQuery, func(t *testing.T, e *env) {
			r := failing(t, e)
			want := `<?xml version="1.0"?><ErrorResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/"><Error><Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code><Message>The specified queue does not exist for this wsdl version.</Message><Detail/></Error><RequestId>` +
				r.Header.Get("X-Amzn-Requestid") + `</RequestId></ErrorResponse>`
			if r.Body != want {
				t.Errorf("the body is\n%s, want\n%s", r.Body, want)
			}
		}},
		{anyAction, "TheQueryErrorComesUnaskedToo", onlyJSON, func(t *testing.T, e *env) {
			for _, mode := range []string{"", "true"} {
				h := jsonHeader("GetQueueUrl")
				if mode != "" {
					h.Set("X-Amzn-Query-Mode", mode)
				}
				if got := e.post(t, "/", h, `{"QueueName":"nowhere"}`).Header.Get("X-Amzn-Query-Error"); got != noQueue+";Sender" {
					t.Errorf("with query mode %q x-amzn-query-error is %q", mode, got)
				}
			}
		}},
		{anyAction, "EveryErrorHasARequestIdOfItsOwn", "", func(t *testing.T, e *env) {
			if a, b := failing(t, e).Header.Get("X-Amzn-Requestid"), failing(t, e).Header.Get("X-Amzn-Requestid"); a == b || len(a) != 36 {
				t.Errorf("the ids are %q and %q", a, b)
			}
		}},
		{anyAction, "LineBreaksInTextsAreLiteral", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			r := e.query(t, "Action=SendMessage&QueueUrl=q&MessageBody=b&DelaySeconds=1%0A2")
			if r.Status != 400 || strings.Contains(r.Body, "&#") {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		}},
		{anyAction, "MarkupInTextsIsEscaped", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "DeleteMessage", args{})
			r := e.query(t, "Action=DeleteMessage&QueueUrl=q&ReceiptHandle=%3Ca%3E%26%22")
			if want := `<Message>The input receipt handle &quot;&lt;a&gt;&amp;&quot;&quot; is not a valid receipt handle.</Message>`; !strings.Contains(r.Body, want) {
				t.Errorf("%s is not in %s", want, r.Body)
			}
		}},
		{anyAction, "AfterAnErrorTheConnectionServesOn", "", func(t *testing.T, e *env) {
			failing(t, e)
			start := time.Now()
			e.call(t, "ListQueues", args{}).wantOK(t)
			e.took(t, start, 0)
		}},
	})
}

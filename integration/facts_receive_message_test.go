package integration

import (
	"strings"
	"testing"
)

// The semantics of receives are elsewhere; this is what a request may say.
func TestFactsOfReceiveMessage(t *testing.T) {
	const action = "ReceiveMessage"
	const most, wait, hidden = " for parameter MaxNumberOfMessages is invalid. Reason: Must be between 1 and 10, if provided.",
		" for parameter WaitTimeSeconds is invalid. Reason: Must be >= 0 and <= 20, if provided.",
		" for parameter VisibilityTimeout is invalid. Reason: Must be >= 0 and <= 43200, if provided."
	// received is the fact of how many of eleven messages one call gives.
	received := func(name string, in args, want int) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			in := e.world(t, action, in)
			e.sendBatch(t, "q", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10")
			e.send(t, "q", "11")
			if n := len(e.call(t, action, in).messages(t)); n != want {
				t.Errorf("received %d, want %d", n, want)
			}
		}}
	}
	// plain is the fact that a message comes without any attribute.
	plain := func(name string, in args) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			in := e.world(t, action, in)
			sent := e.send(t, "q", "b")
			r := e.call(t, action, in)
			m := r.messages(t)[0]
			r.wantAnswer(t, e, action,
				`{"Messages":[{"MessageId":"`+*sent.MessageId+`","ReceiptHandle":"`+m.ReceiptHandle+`","MD5OfBody":"92eb5ffee6ae2fec3ad71c777531578f","Body":"b"}]}`,
				"<ReceiveMessageResult><Message><MessageId>"+*sent.MessageId+"</MessageId><ReceiptHandle>"+m.ReceiptHandle+"</ReceiptHandle><MD5OfBody>92eb5ffee6ae2fec3ad71c777531578f</MD5OfBody><Body>b</Body></Message></ReceiveMessageResult>")
		}}
	}
	runFacts(t, []fact{
		answers(action, "AnEmptyQueue", args{}, "{}", "<ReceiveMessageResult/>"),
		plain("WithoutNamesNoAttributes", args{}),
		plain("UnknownSystemAttributesAreIgnored", args{"MessageSystemAttributeNames": list{"not-a-real-name"}}),
		plain("UnknownNamesInTheOlderListAreIgnored", args{"AttributeNames": list{"not-a-real-name", "Policy"}}),
		plain("UnknownMessageAttributesAreIgnored", args{"MessageAttributeNames": list{"AWS.", "..x", "nothing"}}),
		plain("SystemAttributesThatTheMessageHasNot", args{"MessageSystemAttributeNames": list{"SequenceNumber", "DeadLetterQueueSourceArn", "MessageGroupId"}}),
		received("OneUnlessToldOtherwise", args{}, 1),
		received("TenAtMost", args{"MaxNumberOfMessages": 10}, 10),
		refused(action, "NoMessages", args{"MaxNumberOfMessages": 0}, badParam, "Value 0"+most),
		refused(action, "MinusOneMessage", args{"MaxNumberOfMessages": -1}, badParam, "Value -1"+most),
		refused(action, "ElevenMessages", args{"MaxNumberOfMessages": 11}, badParam, "Value 11"+most),
		refused(action, "AWaitOf21", args{"WaitTimeSeconds": 21}, badParam, "Value 21"+wait),
		refused(action, "ANegativeWait", args{"WaitTimeSeconds": -1}, badParam, "Value -1"+wait),
		refused(action, "ATimeoutOf43201", args{"VisibilityTimeout": 43201}, badParam, "Value 43201"+hidden),
		refused(action, "ANegativeTimeout", args{"VisibilityTimeout": -1}, badParam, "Value -1"+hidden),
		accepted(action, "ATimeoutOf43200", args{"VisibilityTimeout": 43200}),
		accepted(action, "ATimeoutOfZero", args{"VisibilityTimeout": 0}),
		accepted(action, "AWaitOf20", args{"WaitTimeSeconds": 20}),
		refused(action, "AnAttemptIdOnAStandardQueue", args{"ReceiveRequestAttemptId": "a"}, badParam, anyText),
		accepted(action, "FIFOAnAttemptId", args{"QueueUrl": "q.fifo", "ReceiveRequestAttemptId": "aZ0!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}),
		refused(action, "FIFOAnAttemptIdWithABlank", args{"QueueUrl": "q.fifo", "ReceiveRequestAttemptId": "a b"}, badParam, anyText),
		refused(action, "FIFOAnAttemptIdOf129", args{"QueueUrl": "q.fifo", "ReceiveRequestAttemptId": strings.Repeat("a", 129)}, badParam, anyText),
	})
}

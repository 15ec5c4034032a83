package integration

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// jsonSays is the fact that a JSON body for an action is malformed, with a text.
func jsonSays(name, action, body, text string) fact {
	return fact{anyAction, name, onlyJSON, func(t *testing.T, e *env) {
		e.world(t, action, args{})
		e.post(t, "/", jsonHeader(action), body).wantRefusal(t, e, malformed, text)
		e.wantCounts(t, "q", counts{"0", "0", "0"})
	}}
}

// jsonStores is the fact that a JSON body for SendMessage stores "b".
func jsonStores(name, body string) fact {
	return fact{"SendMessage", name, onlyJSON, func(t *testing.T, e *env) {
		e.world(t, "SendMessage", args{})
		e.post(t, "/", jsonHeader("SendMessage"), body).wantOK(t)
		wantBodies(t, e.receive(t, "q"), "b")
	}}
}

func TestFactsOfJSONRequests(t *testing.T) {
	const noList, noMap = "Start of list found where not expected", "Start of structure or map found where not expected."
	const send = `{"QueueUrl":"q","MessageBody":"b","MessageAttributes":{"a":`
	// with is the fact that a request with another header is served.
	with := func(name, contentType, path string) fact {
		return fact{anyAction, name, onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			h := jsonHeader("GetQueueAttributes")
			h.Set("Content-Type", contentType)
			r := e.post(t, strings.Replace(path, "ACCOUNT", e.account, 1), h, `{"QueueUrl":"q"}`).wantOK(t)
			if got := r.Header.Get("Content-Type"); got != "application/x-amz-json-1.0" || r.Body != "{}" {
				t.Errorf("the answer is %s %s", got, r.Body)
			}
		}}
	}
	target := func(name, target string) fact {
		return fact{anyAction, name, onlyJSON, func(t *testing.T, e *env) {
			h := http.Header{"Content-Type": {"application/x-amz-json-1.0"}}
			if target != "" {
				h.Set("X-Amz-Target", target)
			}
			e.post(t, "/", h, "{}").wantRefusal(t, e, "InvalidAction", anyText)
		}}
	}
	runFacts(t, []fact{
		jsonSays("JSONCutOff", "GetQueueUrl", `{"QueueName":`, anyText),
		jsonSays("NoJSON", "GetQueueUrl", `QueueName=q`, anyText),
		jsonSays("AnArrayAsBody", "GetQueueUrl", `[]`, anyText),
		jsonSays("AStringAsBody", "GetQueueUrl", `"x"`, anyText),
		jsonSays("MoreAfterTheBody", "ListQueues", `{} {}`, anyText),
		jsonSays("DeeplyNested", "SendMessage", strings.Repeat(`{"a":`, 100_000), anyText),
		jsonSays("AListForAString", "SendMessage", `{"QueueUrl":"q","MessageBody":["b"]}`, noList),
		jsonSays("AListForANumber", "ReceiveMessage", `{"QueueUrl":"q","MaxNumberOfMessages":[1]}`, noList),
		jsonSays("AnObjectForAString", "SendMessage", `{"QueueUrl":"q","MessageBody":{"b":1}}`, noMap),
		jsonSays("AnObjectForANumber", "ReceiveMessage", `{"QueueUrl":"q","MaxNumberOfMessages":{}}`, noMap),
		jsonSays("AListInAMapOfStrings", "SetQueueAttributes", `{"QueueUrl":"q","Attributes":{"DelaySeconds":["1"]}}`, "Unrecognized collection type class java.lang.String"),
		jsonSays("ATextForANumber", "ReceiveMessage", `{"QueueUrl":"q","MaxNumberOfMessages":"abc"}`, "STRING_VALUE can not be converted to an Integer"),
		jsonSays("TrueForANumber", "ReceiveMessage", `{"QueueUrl":"q","MaxNumberOfMessages":true}`, "TRUE_VALUE can not be converted to an Integer"),
		jsonSays("FalseForANumber", "ReceiveMessage", `{"QueueUrl":"q","MaxNumberOfMessages":false}`, "FALSE_VALUE can not be converted to an Integer"),
		jsonSays("ANumberInAnAttributesValue", "SendMessage", send+`{"DataType":"Number","StringValue":1}}}`, "NUMBER_VALUE can not be converted to a String"),
		jsonSays("ANumberAsAnAttributesType", "SendMessage", send+`{"DataType":1,"StringValue":"1"}}}`, "NUMBER_VALUE can not be converted to a String"),
		jsonSays("BadBase64", "SendMessage", send+`{"DataType":"Binary","BinaryValue":"!"}}}`, anyText),
		jsonStores("ANumberForTheDelayAsText", `{"QueueUrl":"q","MessageBody":"b","DelaySeconds":"0"}`),
		jsonStores("NullsAreAbsent", `{"QueueUrl":"q","MessageBody":"b","DelaySeconds":null,"MessageAttributes":null,"MessageGroupId":null,"MessageDeduplicationId":null,"MessageSystemAttributes":null}`),
		jsonStores("UnknownMembersAreIgnored", `{"QueueUrl":"q","MessageBody":"b","Future":{"a":[1,{}]},"messagebody":"no"}`),
		jsonStores("EscapesOfPHP", `{"QueueUrl":"http:\/\/x\/q","MessageBody":"\u0062"}`),
		{"SendMessage", "MemberNamesAreCaseSensitive", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"q","messageBody":"b"}`).wantRefusal(t, e, noParam, "The request must contain the parameter MessageBody.")
		}},
		{"SendMessage", "ANumberAsBodyIsItsText", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			for _, body := range []string{"12", "true"} {
				e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"q","MessageBody":`+body+`}`).wantOK(t)
			}
			wantBodies(t, e.receive(t, "q"), "12", "true")
		}},
		{"SendMessageBatch", "ANumberAsIdIsItsText", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SendMessageBatch", args{})
			ok, _ := e.post(t, "/", jsonHeader("SendMessageBatch"), `{"QueueUrl":"q","Entries":[{"Id":7,"MessageBody":"b"}]}`).batch(t, e, "SendMessageBatch")
			wantList(t, ok, "7")
		}},
		{"SetQueueAttributes", "NumbersAndBooleansAreTheirTexts", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SetQueueAttributes", args{})
			e.post(t, "/", jsonHeader("SetQueueAttributes"), `{"QueueUrl":"q","Attributes":{"DelaySeconds":7,"SqsManagedSseEnabled":false,"VisibilityTimeout":null}}`).wantOK(t)
			if a := e.attributes(t, "q", "All"); a["DelaySeconds"] != "7" || a["SqsManagedSseEnabled"] != "false" || a["VisibilityTimeout"] != "30" {
				t.Errorf("attributes are %v", a)
			}
		}},
		{"ReceiveMessage", "AnEmptyBodyIsNoMembers", onlyJSON, func(t *testing.T, e *env) {
			e.post(t, "/", jsonHeader("ReceiveMessage"), ``).wantRefusal(t, e, noQueue, "")
		}},
		{"SendMessage", "BinaryIsPaddedBase64", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.post(t, "/", jsonHeader("SendMessage"), send+`{"DataType":"Binary","BinaryValue":"AQ=="}}}`).wantOK(t)
			r := e.call(t, "ReceiveMessage", args{"QueueUrl": "q", "MessageAttributeNames": list{"All"}}).wantOK(t)
			if want := `"MessageAttributes":{"a":{"BinaryValue":"AQ==","DataType":"Binary"}}`; !strings.Contains(r.Body, want) {
				t.Errorf("%s is not in %s", want, r.Body)
			}
		}},
		{"SendMessage", "TheLongestSpellingOfTheLargestBody", "", func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			const limit = 1 << 20
			if e.wire.query {
				e.query(t, "Action=SendMessage&QueueUrl=q&MessageBody="+strings.Repeat("%61", limit)).wantOK(t)
			} else {
				e.post(t, "/", jsonHeader("SendMessage"), `{"QueueUrl":"q","MessageBody":"`+strings.Repeat(`\u0061`, limit)+`"}`).wantOK(t)
			}
			if m := e.receiveOne(t, "q"); *m.Body != strings.Repeat("a", limit) {
				t.Errorf("the body came back with %d bytes", len(*m.Body))
			}
		}},
		with("JSON10", "application/x-amz-json-1.0", "/"),
		with("JSON11", "application/x-amz-json-1.1", "/"),
		with("JSONWithACharset", "application/x-amz-json-1.0; charset=utf-8", "/"),
		with("JSONOnTheQueuesPath", "application/x-amz-json-1.0", "/ACCOUNT/q"),
		target("WithoutATarget", ""),
		target("AnUnknownTarget", "AmazonSQS.NoSuchAction"),
		target("ATargetOfAnotherService", "DynamoDB_20120810.ListTables"),
		target("ATargetWithoutThePrefix", "SendMessage"),
		target("ATargetInLowerCase", "AmazonSQS.sendMessage"),
	})
}

func TestFactsOfJSONAnswers(t *testing.T) {
	runFacts(t, []fact{
		{anyAction, "AnswersAreCompactAndNeverCompressed", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			h := jsonHeader("GetQueueAttributes")
			h.Set("Accept-Encoding", "gzip")
			r := e.post(t, "/", h, `{"QueueUrl":"q","AttributeNames":["All"]}`).wantOK(t)
			if strings.ContainsAny(r.Body, " \n\t") || r.Header.Get("Content-Encoding") != "" {
				t.Errorf("header %v, body %s", r.Header, r.Body)
			}
		}},
		{anyAction, "EmptyAnswersHaveTypeAndLength", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "PurgeQueue", args{})
			r := e.call(t, "PurgeQueue", args{"QueueUrl": "q"}).wantOK(t)
			if r.Header.Get("Content-Length") != "0" || r.Header.Get("Content-Type") != "application/x-amz-json-1.0" || r.Body != "" {
				t.Errorf("header %v, body %q", r.Header, r.Body)
			}
		}},
		{anyAction, "RequestIdsAreUUIDsAndDiffer", "", func(t *testing.T, e *env) {
			seen := map[string]bool{"00000000-0000-0000-0000-000000000000": true}
			for range 5 {
				id := e.call(t, "ListQueues", args{}).wantOK(t).Header.Get("X-Amzn-Requestid")
				if !uuids.MatchString(id) || seen[id] {
					t.Errorf("request id %q, seen before: %v", id, seen[id])
				}
				seen[id] = true
			}
		}},
		{"ReceiveMessage", "NoNullsAndNoEmptyMembers", onlyJSON, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.send(t, "q", "b")
			r := e.call(t, "ReceiveMessage", args{"QueueUrl": "q", "MessageAttributeNames": list{"All"}}).wantOK(t)
			var got struct{ Messages []map[string]any }
			if err := json.Unmarshal([]byte(r.Body), &got); err != nil || len(got.Messages) != 1 || len(got.Messages[0]) != 4 {
				t.Errorf("%v: %s", err, r.Body)
			}
		}},
	})
}

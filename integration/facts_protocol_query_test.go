package integration

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asked is the fact of the attributes that a form's list of names asks for.
func asked(name, form string, want ...string) fact {
	return fact{"GetQueueAttributes", name, onlyQuery, func(t *testing.T, e *env) {
		e.world(t, "GetQueueAttributes", args{})
		r := e.query(t, "Action=GetQueueAttributes&QueueUrl=q&"+form).wantOK(t)
		for _, n := range want {
			if !strings.Contains(r.Body, "<Name>"+n+"</Name>") {
				t.Errorf("no %s in %s", n, r.Body)
			}
		}
		if n := strings.Count(r.Body, "<Attribute>"); n != len(want) {
			t.Errorf("%d attributes, want %d", n, len(want))
		}
	}}
}

// formStores is the fact that a form for SendMessage stores a body.
func formStores(name, form, body string) fact {
	return fact{"SendMessage", name, onlyQuery, func(t *testing.T, e *env) {
		e.world(t, "SendMessage", args{})
		e.query(t, "Action=SendMessage&QueueUrl=q&"+form).wantOK(t)
		wantBodies(t, e.receive(t, "q"), body)
	}}
}

func TestFactsOfQueryRequests(t *testing.T) {
	// noAction is the fact that a request without an action is 404 with a bare
	// element, whatever it accepts.
	noAction := func(name, method, path, body string) fact {
		return fact{anyAction, name, onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			for _, accept := range []string{"", "application/json"} {
				h := formHeader.Clone()
				h.Set("Accept", accept)
				r := e.request(t, method, strings.Replace(path, "ACCOUNT", e.account, 1), h, strings.NewReader(body))
				if r.Status != 404 || !strings.Contains(r.Body, "<UnknownOperationException/>") {
					t.Errorf("accepting %q: %d %s", accept, r.Status, r.Body)
				}
			}
		}}
	}
	onPath := func(action, query, text string) fact {
		return fact{action, "OnAQueuesPath", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, action, args{})
			e.get(t, "/"+e.account+"/q?Action="+action+query, nil).wantRefusal(t, e, "InvalidAction", text)
		}}
	}
	facts := []fact{
		{anyAction, "ByGetAtTheRoot", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.get(t, "/?Action=SendMessage&QueueUrl=q&MessageBody=b+c&Version=2012-11-05", nil).wantOK(t)
			wantBodies(t, e.receive(t, "q"), "b c")
		}},
		{anyAction, "ByGetOnTheQueuesPathWithoutAVersion", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.get(t, "/"+e.account+"/q?Action=SendMessage&MessageBody=b", nil).wantOK(t)
			wantBodies(t, e.receive(t, "q"), "b")
		}},
		{anyAction, "TheActionInTheQueryStringOfAPost", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.post(t, "/?Action=SendMessage", formHeader, "QueueUrl=q&MessageBody=b").wantOK(t)
			wantBodies(t, e.receive(t, "q"), "b")
		}},
		{anyAction, "TheQueueURLWinsOverThePath", "", func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			header, body := jsonHeader("GetQueueAttributes"), `{"AttributeNames":["QueueArn"],"QueueUrl":"q"}`
			if e.wire.query {
				header, body = formHeader, "Action=GetQueueAttributes&AttributeName.1=QueueArn&QueueUrl=q"
			}
			if r := e.post(t, "/"+e.account+"/q.fifo", header, body).wantOK(t); !strings.Contains(r.Body, ":q"+e.closing()) {
				t.Errorf("the queue of the path answered: %s", r.Body)
			}
		}},
		noAction("NoActionByGetOnAQueuesPath", http.MethodGet, "/ACCOUNT/q", ""),
		noAction("NoActionByGetAtTheRoot", http.MethodGet, "/", ""),
		noAction("OnlyAVersionByGet", http.MethodGet, "/ACCOUNT/q?Version=2012-11-05", ""),
		noAction("NoActionByPost", http.MethodPost, "/", "QueueUrl=q"),
		refused("FooBar", "", args{}, "InvalidAction", "The action FooBar is not valid for this endpoint.").about(anyAction, "AnUnknownAction").only(onlyQuery),
		refused("sendMessage", "", args{}, "InvalidAction", "The action sendMessage is not valid for this endpoint.").about(anyAction, "AnActionInLowerCase").only(onlyQuery),
		onPath("CreateQueue", "&QueueName=x", "The action CreateQueue is not valid for this endpoint."),
		onPath("ListQueues", "", "The action ListQueues is not valid for this endpoint."),
		onPath("FooBar", "", "The action FooBar is not valid for this endpoint.").about(anyAction, "AnUnknownActionOnAQueuesPath"),
		asked("NamesWithoutANumber", "AttributeName=QueueArn", "QueueArn"),
		asked("NamesWithANumber", "AttributeName.1=QueueArn", "QueueArn"),
		asked("NamesThatBeginAtTwo", "AttributeName.2=QueueArn", "QueueArn"),
		asked("NamesWithAGap", "AttributeName.1=QueueArn&AttributeName.3=DelaySeconds", "QueueArn", "DelaySeconds"),
		asked("NamesOutOfOrder", "AttributeName.10=QueueArn&AttributeName.9=DelaySeconds", "QueueArn", "DelaySeconds"),
		asked("AnEmptyListByTheModelsName", "AttributeNames="),
		asked("UnknownParametersAreIgnored", "AttributeName.1=DelaySeconds&Unknown.1=x&Foo=", "DelaySeconds"),
		{"SetQueueAttributes", "AttributesWithoutANumber", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SetQueueAttributes", args{})
			e.query(t, "Action=SetQueueAttributes&QueueUrl=q&Attribute.Name=DelaySeconds&Attribute.Value=1").wantOK(t)
			e.query(t, "Action=SetQueueAttributes&QueueUrl=q&Attribute.3.Name=VisibilityTimeout&Attribute.3.Value=7").wantOK(t)
			got := e.attributes(t, "q", "DelaySeconds", "VisibilityTimeout")
			if diff := cmp.Diff(attrs{"DelaySeconds": "1", "VisibilityTimeout": "7"}, got); diff != "" {
				t.Errorf("attributes (-want +got):\n%s", diff)
			}
		}},
		{"ReceiveMessage", "EmptyListsByTheModelsNames", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "ReceiveMessage", args{})
			e.query(t, "Action=ReceiveMessage&QueueUrl=q&AttributeNames=&MessageAttributeNames=&MessageSystemAttributeNames=").wantOK(t)
		}},
		{"SendMessageBatch", "EntriesAreOrderedByNumber", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessageBatch", args{})
			form := "Action=SendMessageBatch&QueueUrl=q"
			for _, n := range []int{2, 10, 1, 7} {
				form += fmt.Sprintf("&SendMessageBatchRequestEntry.%d.MessageBody=b%d&SendMessageBatchRequestEntry.%d.Id=i%d", n, n, n, n)
			}
			ok, _ := e.query(t, form).batch(t, e, "SendMessageBatch")
			wantList(t, ok, "i1 i2 i7 i10")
			wantBodies(t, e.receive(t, "q"), "b1", "b2", "b7", "b10")
		}},
		{"SendMessageBatch", "AllMembersOfEntries", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessageBatch", args{})
			const n = "&SendMessageBatchRequestEntry.1."
			e.query(t, "Action=SendMessageBatch&QueueUrl=q"+n+"Id=a"+n+"MessageBody=b"+n+"DelaySeconds=0"+n+"MessageGroupId=g"+
				n+"MessageAttribute.1.Name=x"+n+"MessageAttribute.1.Value.DataType=String"+n+"MessageAttribute.1.Value.StringValue=v"+
				n+"MessageSystemAttribute.1.Name=AWSTraceHeader"+n+"MessageSystemAttribute.1.Value.DataType=String"+n+"MessageSystemAttribute.1.Value.StringValue=t").wantOK(t)
			m := e.receiveOne(t, "q")
			if m.Attributes["AWSTraceHeader"] != "t" || m.Attributes["MessageGroupId"] != "g" || *m.MessageAttributes["x"].StringValue != "v" {
				t.Errorf("received %v %v", m.Attributes, m.MessageAttributes)
			}
		}},
		{"TagQueue", "AnEmptyValueIsAValue", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "TagQueue", args{})
			e.query(t, "Action=TagQueue&QueueUrl=q&Tag.1.Key=k&Tag.1.Value=").wantOK(t)
			e.wantTags(t, "q", attrs{"k": ""})
		}},
		{"SetQueueAttributes", "AnEmptyValueIsAValue", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SetQueueAttributes", args{})
			e.setAttributes(t, "q", attrs{"KmsMasterKeyId": "k"})
			e.query(t, "Action=SetQueueAttributes&QueueUrl=q&Attribute.1.Name=KmsMasterKeyId&Attribute.1.Value=").wantOK(t)
			if a := e.attributes(t, "q", "All"); a["KmsMasterKeyId"] != "" {
				t.Errorf("attributes are %v", a)
			}
		}},
		{"ReceiveMessage", "NoNumberWhereOneBelongs", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "ReceiveMessage", args{})
			if r := e.query(t, "Action=ReceiveMessage&QueueUrl=q&MaxNumberOfMessages=abc"); r.Status != 400 {
				t.Errorf("status %d", r.Status)
			}
		}},
		{"ReceiveMessage", "OldClientsSendBothListsAsOne", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{"MessageBody": "b"})
			e.send(t, "q", "b")
			for form, want := range map[string][]string{
				"AttributeName.1=SenderId":                               {"SenderId"},
				"MessageSystemAttributeName.1=SenderId":                  {"SenderId"},
				"AttributeName=All":                                      standardSystemAttributes,
				"MessageSystemAttributeName.1=All":                       standardSystemAttributes,
				"AttributeName.1=SentTimestamp&AttributeName.2=SenderId": {"SenderId", "SentTimestamp"},
			} {
				r := e.query(t, "Action=ReceiveMessage&QueueUrl=q&VisibilityTimeout=0&"+form).wantOK(t)
				for _, n := range want {
					if !strings.Contains(r.Body, "<Name>"+n+"</Name>") {
						t.Errorf("%s: no %s in %s", form, n, r.Body)
					}
				}
				if n := strings.Count(r.Body, "<Attribute>"); n != len(want) {
					t.Errorf("%s: %d attributes, want %d", form, n, len(want))
				}
			}
		}},
		formStores("PlusIsABlank", "MessageBody=a+b", "a b"),
		formStores("PercentCodesInEitherCase", "MessageBody=a%2Bb+c%2520d%26e%3df", "a+b c%20d&e=f"),
		formStores("ADelayOfZero", "MessageBody=b&DelaySeconds=0", "b"),
		formStores("TheLastActionOfAForm", "MessageBody=b&Version=2012-11-05", "b"),
		{"SendMessage", "BrokenPercentCodes", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			for _, bad := range []string{"%zz", "%4", "%ff%fe"} {
				if r := e.query(t, "Action=SendMessage&QueueUrl=q&MessageBody="+bad); r.Status != 400 {
					t.Errorf("%s: status %d", bad, r.Status)
				}
			}
			e.wantCounts(t, "q", counts{"0", "0", "0"})
		}},
		{"SendMessage", "BinaryIsBase64ThenPercentCoded", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.query(t, "Action=SendMessage&QueueUrl=q&MessageBody=b&MessageAttribute.1.Name=x&MessageAttribute.1.Value.DataType=Binary&MessageAttribute.1.Value.BinaryValue=%2B%2F%2B%2FAA%3D%3D").wantOK(t)
			if got := e.receiveOne(t, "q").MessageAttributes["x"].BinaryValue; base64.StdEncoding.EncodeToString(got) != "+/+/AA==" {
				t.Errorf("the value is %v", got)
			}
		}},
	}
	for _, method := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions} {
		facts = append(facts, fact{anyAction, "Method" + method, onlyQuery, func(t *testing.T, e *env) {
			r := e.raw(t, method+" / HTTP/1.1\r\nHost: "+e.host+"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
			if r.StatusCode != 404 && r.StatusCode != 405 {
				t.Errorf("status %d", r.StatusCode)
			}
		}})
	}
	runFacts(t, facts)
}

func TestFactsOfQueryAnswers(t *testing.T) {
	asJSON := formHeader.Clone()
	asJSON.Set("Accept", "application/json")
	runFacts(t, []fact{
		{"ReceiveMessage", "TheOrderOfAMessagesElements", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.query(t, "Action=SendMessage&QueueUrl=q&MessageBody=b&MessageAttribute.1.Name=x&MessageAttribute.1.Value.DataType=String&MessageAttribute.1.Value.StringValue=v").wantOK(t)
			r := e.call(t, "ReceiveMessage", args{"QueueUrl": "q", "MessageAttributeNames": list{"All"}, "AttributeNames": list{"SenderId"}}).wantOK(t)
			at := -1
			for _, part := range []string{
				"<Message><MessageId>", "</MessageId><ReceiptHandle>", "</ReceiptHandle><MD5OfBody>", "</MD5OfBody><Body>b</Body><Attribute><Name>SenderId</Name><Value>",
				"</Value></Attribute><MD5OfMessageAttributes>", "</MD5OfMessageAttributes><MessageAttribute><Name>x</Name><Value><StringValue>v</StringValue><DataType>String</DataType></Value></MessageAttribute></Message>",
			} {
				next := strings.Index(r.Body, part)
				if next <= at {
					t.Fatalf("%s is not in its place in %s", part, r.Body)
				}
				at = next
			}
		}},
		{"ReceiveMessage", "CarriageReturnsAreSpelledLineFeedsAndTabsAreNot", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.query(t, "Action=SendMessage&QueueUrl=q&MessageBody=a%0D%0A%09b%3C%26%3E%22&MessageAttribute.1.Name=x&MessageAttribute.1.Value.DataType=String&MessageAttribute.1.Value.StringValue=c%0D%0A%09d").wantOK(t)
			r := e.call(t, "ReceiveMessage", args{"QueueUrl": "q", "MessageAttributeNames": list{"All"}}).wantOK(t)
			for _, want := range []string{"<Body>a&#xD;\n\tb&lt;&amp;&gt;&quot;</Body>", "<StringValue>c&#xD;\n\td</StringValue>"} {
				if !strings.Contains(r.Body, want) {
					t.Errorf("%q is not in %s", want, r.Body)
				}
			}
		}},
		{anyAction, "XMLHasNoWhiteSpaceBetweenElements", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "GetQueueAttributes", args{})
			r := e.call(t, "GetQueueAttributes", args{"QueueUrl": "q", "AttributeNames": list{"All"}}).wantOK(t)
			if strings.Contains(r.Body, "> <") || strings.Contains(r.Body, ">\n<") || !strings.HasPrefix(r.Body, `<?xml version="1.0"?><GetQueueAttributesResponse xmlns="http://queue.amazonaws.com/doc/2012-11-05/">`) {
				t.Errorf("the answer is %s", r.Body)
			}
		}},
		{"GetQueueAttributes", "AcceptingJSON", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "GetQueueAttributes", args{})
			r := e.post(t, "/", asJSON, "Action=GetQueueAttributes&QueueUrl=q&AttributeName.1=DelaySeconds").wantOK(t)
			want := `{"GetQueueAttributesResponse":{"GetQueueAttributesResult":{"Attributes":[{"Name":"DelaySeconds","Value":"0"}]},"ResponseMetadata":{"RequestId":"` + r.Header.Get("X-Amzn-Requestid") + `"}}}`
			if !sameValue(r.Body, want) {
				t.Errorf("the answer is %s, want %s", r.Body, want)
			}
		}},
		{"SendMessage", "AcceptingJSONAbsentMembersAreNull", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			r := e.post(t, "/", asJSON, "Action=SendMessage&MessageBody=b&QueueUrl=q").wantOK(t)
			want := `{"SendMessageResponse":{"ResponseMetadata":{"RequestId":"` + r.Header.Get("X-Amzn-Requestid") + `"},"SendMessageResult":{"MD5OfMessageAttributes":null,"MD5OfMessageBody":"92eb5ffee6ae2fec3ad71c777531578f","MD5OfMessageSystemAttributes":null,"MessageId":"` +
				*e.receiveOne(t, "q").MessageId + `","SequenceNumber":null}}}`
			if !sameValue(r.Body, want) {
				t.Errorf("the answer is %s, want %s", r.Body, want)
			}
		}},
		{"ReceiveMessage", "AcceptingJSONTheListIsInLowerCase", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, "SendMessage", args{})
			e.send(t, "q", "b")
			r := e.post(t, "/", asJSON, "Action=ReceiveMessage&QueueUrl=q").wantOK(t)
			var got struct {
				ReceiveMessageResponse struct {
					ReceiveMessageResult map[string][]struct{ Body string }
				}
			}
			if err := json.Unmarshal([]byte(r.Body), &got); err != nil || len(got.ReceiveMessageResponse.ReceiveMessageResult["messages"]) != 1 {
				t.Errorf("%v: %s", err, r.Body)
			}
		}},
		{anyAction, "AcceptingJSONErrors", onlyQuery, func(t *testing.T, e *env) {
			r := e.post(t, "/", asJSON, "Action=FooBar")
			if !strings.Contains(r.Body, `"Error":{"Code":"InvalidAction","Message":"The action FooBar is not valid for this endpoint."`) || r.Status != 400 {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		}},
	})
}

package integration

import (
	"strings"
	"testing"
)

var reportsOfErrors = []report{
	{2, "B011", "DeleteOfAMissingQueue", func(t *testing.T, e *env) {
		r := e.post(t, "/", jsonHeader("DeleteQueue"), `{"QueueUrl":"`+e.url+`/000000000000/never"}`)
		if r.Status != 400 || r.Body != `{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."}` ||
			r.Header.Get("X-Amzn-Query-Error") != noQueue+";Sender" {
			t.Errorf("%d %v %s", r.Status, r.Header, r.Body)
		}
		e.call(t, "DeleteQueue", args{"QueueUrl": e.url + "/000000000000/never"}).wantStatus(t, 400).wantCode(t, noQueue)
	}, nil},
	{2, "B012", "ShapesInJSON", func(t *testing.T, e *env) {
		r := e.post(t, "/", jsonHeader("GetQueueUrl"), `{"QueueName":"nope"}`).wantCode(t, noQueue).wantShape(t, sqsShape+"QueueDoesNotExist")
		e.createNamed(t, "q", attrs{"VisibilityTimeout": "1"})
		s := e.post(t, "/", jsonHeader("CreateQueue"), `{"QueueName":"q","Attributes":{"VisibilityTimeout":"2"}}`).wantCode(t, "QueueAlreadyExists").wantShape(t, sqsShape+"QueueNameExists")
		if strings.Contains(r.Body, r.Code) || strings.Contains(s.Body, s.Code) {
			t.Errorf("legacy codes in %s or %s", r.Body, s.Body)
		}
	}, nil},
	{2, "B014", "CodesInQuery", func(t *testing.T, e *env) {
		e.query(t, "Action=GetQueueUrl&QueueName=nope").wantStatus(t, 400).wantCode(t, noQueue).wantMessage(t, "The specified queue does not exist for this wsdl version.")
		e.createNamed(t, "q", attrs{"DelaySeconds": "1"})
		e.query(t, "Action=CreateQueue&QueueName=q&Attribute.1.Name=DelaySeconds&Attribute.1.Value=2").wantStatus(t, 400).wantCode(t, "QueueAlreadyExists")
	}, nil},
	{2, "B016", "SchemaOfErrorsInXML", func(t *testing.T, e *env) {
		e.query(t, "Action=ReceiveMessage&QueueUrl=nope").wantStatus(t, 400).wantCode(t, noQueue).wantForm(t, wireQuery)
	}, nil},
	{2, "B017", "TextsForPeople", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.call(t, "CreateQueue", args{"QueueName": "bad name!"}).wantCode(t, "InvalidParameterValue").
			wantMessage(t, "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length")
		e.call(t, "SendMessage", args{"QueueUrl": u}).wantCode(t, "MissingParameter").wantMessage(t, "The request must contain the parameter MessageBody.")
	}, nil},
	{2, "B018", "ErrorsNameTheTrueFault", func(t *testing.T, e *env) {
		u := e.create(t, nil)
		e.query(t, "Action=SendMessage&MessageBody=x").wantStatus(t, 400).wantCode(t, noQueue)
		e.post(t, "/", jsonHeader("SendMessage"), `{"MessageBody":"x"}`).wantStatus(t, 400).wantCode(t, noQueue)
		r := e.query(t, "Action=ReceiveMessage&MaxNumberOfMessages=abc&QueueUrl="+u).wantStatus(t, 400)
		s := e.post(t, "/", jsonHeader("ReceiveMessage"), `{"MaxNumberOfMessages":"abc","QueueUrl":"`+u+`"}`).wantStatus(t, 400).wantCode(t, "MalformedInput")
		if r.Code != "InvalidParameterValue" && r.Code != "MalformedInput" {
			t.Errorf("code %s", r.Code)
		}
		for _, r := range []*reply{r, s} {
			if strings.Contains(r.Message, "Queue") {
				t.Errorf("another parameter is blamed: %s", r.Message)
			}
		}
	}, nil},
	{2, "B019", "MissingGroup", func(t *testing.T, e *env) {
		u := e.createFIFO(t, nil)
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b"}).wantStatus(t, 400).wantCode(t, "MissingParameter").
			wantShape(t, coralShape+"MissingRequiredParameterException").wantMessage(t, "The request must contain the parameter MessageGroupId.").wantForm(t, e.wire)
		e.call(t, "SendMessage", args{"QueueUrl": u, "MessageBody": "b", "MessageGroupId": "a b", "MessageDeduplicationId": "d"}).wantStatus(t, 400).
			wantCode(t, "InvalidParameterValue").wantShape(t, coralShape+"InvalidParameterValueException").wantForm(t, e.wire)
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, nil},
	{2, "B020", "UnknownAndMisplacedActions", func(t *testing.T, e *env) {
		e.createNamed(t, "q", nil)
		path := "/" + e.account + "/q"
		for _, action := range []string{"FooBar", "ListQueues", "CreateQueue"} {
			e.get(t, path+"?Action="+action, nil).wantStatus(t, 400).wantCode(t, "InvalidAction").wantMessage(t, "The action "+action+" is not valid for this endpoint.")
		}
		if r := e.get(t, path, nil).wantStatus(t, 404); !strings.Contains(r.Body, "UnknownOperationException") {
			t.Errorf("a bare GET: %s", r.Body)
		}
	}, nil},
}

package integration

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sqs"
)

func TestReportsOfProtocolsAndErrors(t *testing.T) {
	const noQueue = "AWS.SimpleQueueService.NonExistentQueue"
	runReports(t, []report{
		{"B001", "JSONErrorsAreJSON", func(t *testing.T, e *env) {
			for target, body := range map[string]string{"GetQueueUrl": `{"QueueName":"nope"}`, "CreateQueue": `{"QueueName":`, "NoSuchAction": `{}`} {
				e.post(t, "/", jsonHeader(target), body).wantForm(t, wireJSON)
			}
		}},
		{"B003", "HeaderNamesInAnyCase", func(t *testing.T, e *env) {
			for _, name := range []string{"x-amz-target", "X-AMZ-TARGET", "X-Amz-Target"} {
				res := e.raw(t, e.lines("", "{}", "POST / HTTP/1.1", "Host: %HOST", "Content-Type: application/x-amz-json-1.0", name+": AmazonSQS.ListQueues", scope))
				readReply(t, res).wantOK(t)
			}
		}},
		{"B004", "FormsWithCharsetAndGets", func(t *testing.T, e *env) {
			h := http.Header{"Content-Type": {"application/x-www-form-urlencoded; charset=utf-8"}}
			e.post(t, "/", h, "Action=CreateQueue&Version=2012-11-05&QueueName=q").wantOK(t)
			path := "/" + e.account + "/q"
			e.post(t, path, formHeader, "Action=SendMessage&Version=2012-11-05&MessageBody=hi+there").wantOK(t)
			e.post(t, path, formHeader, "Action=SendMessage&MessageBody=hi+there").wantOK(t)
			e.get(t, path+"?Action=SendMessage&Version=2012-11-05&MessageBody=hi+there", nil).wantOK(t)
			wantBodies(t, e.receive(t, "q"), "hi there", "hi there", "hi there")
		}},
		{"B006", "MessageAttributeNameWithoutNumber", func(t *testing.T, e *env) {
			u := e.create(t, attrs{"VisibilityTimeout": "0"})
			e.send(t, u, "b", func(in *sqs.SendMessageInput) {
				in.MessageAttributes = map[string]messageAttribute{"x": text("String", "v")}
			})
			for _, ask := range []string{"MessageAttributeName=x", "MessageAttributeName.1=x", "MessageAttributeName.2=x"} {
				if r := e.query(t, "Action=ReceiveMessage&QueueUrl="+u+"&"+ask).wantOK(t); !strings.Contains(r.Body, "<Name>x</Name>") {
					t.Errorf("%s: %s", ask, r.Body)
				}
			}
		}},
		{"B007", "TagsOfCreateQueue", func(t *testing.T, e *env) {
			e.call(t, "CreateQueue", args{"QueueName": "t", "tags": attrs{"k1": "v1", "k2": "v2"}}).wantOK(t)
			e.wantTags(t, "t", attrs{"k1": "v1", "k2": "v2"})
		}},
		{"B009", "AllAttributes", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, ask := range []list{{"All"}, {"All", "QueueArn"}} {
				r := e.call(t, "GetQueueAttributes", args{"QueueUrl": u, "AttributeNames": ask}).wantOK(t)
				for _, name := range standardAttributes {
					if !strings.Contains(r.Body, name) {
						t.Errorf("%v: no %s in %s", ask, name, r.Body)
					}
				}
			}
		}},
		{"B010", "NumbersAsTextAndTextAsNumbers", func(t *testing.T, e *env) {
			r := e.post(t, "/", jsonHeader("CreateQueue"), `{"QueueName":"n","Attributes":{"VisibilityTimeout":20}}`).wantOK(t)
			if got := e.attributes(t, "n", "VisibilityTimeout")["VisibilityTimeout"]; got != "20" {
				t.Errorf("a number was ignored: %q, %s", got, r.Body)
			}
			e.post(t, "/", jsonHeader("ReceiveMessage"), `{"QueueUrl":"n","MaxNumberOfMessages":"5","WaitTimeSeconds":"0","VisibilityTimeout":null,"MessageAttributeNames":null}`).wantOK(t)
		}},
		{"B011", "DeleteOfAMissingQueue", func(t *testing.T, e *env) {
			r := e.post(t, "/", jsonHeader("DeleteQueue"), `{"QueueUrl":"`+e.url+`/000000000000/never"}`)
			if r.Status != 400 || r.Body != `{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"The specified queue does not exist."}` ||
				r.Header.Get("X-Amzn-Query-Error") != noQueue+";Sender" {
				t.Errorf("%d %v %s", r.Status, r.Header, r.Body)
			}
		}},
		{"B012", "ShapesInJSON", func(t *testing.T, e *env) {
			r := e.post(t, "/", jsonHeader("GetQueueUrl"), `{"QueueName":"nope"}`)
			e.createNamed(t, "q", attrs{"VisibilityTimeout": "1"})
			s := e.post(t, "/", jsonHeader("CreateQueue"), `{"QueueName":"q","Attributes":{"VisibilityTimeout":"2"}}`)
			if !strings.HasSuffix(r.Shape, "#QueueDoesNotExist") || !strings.HasSuffix(s.Shape, "#QueueNameExists") {
				t.Errorf("shapes %s and %s", r.Shape, s.Shape)
			}
		}},
		{"B014", "CodesInQuery", func(t *testing.T, e *env) {
			e.query(t, "Action=GetQueueUrl&QueueName=nope").wantCode(t, noQueue).wantText(t, "for this wsdl version.")
			e.createNamed(t, "q", attrs{"DelaySeconds": "1"})
			e.query(t, "Action=CreateQueue&QueueName=q&Attribute.1.Name=DelaySeconds&Attribute.1.Value=2").wantCode(t, "QueueAlreadyExists")
		}},
		{"B016", "SchemaOfErrorsInXML", func(t *testing.T, e *env) {
			e.query(t, "Action=ReceiveMessage&QueueUrl=nope").wantCode(t, noQueue).wantForm(t, wireQuery)
		}},
		{"B017", "TextsForPeople", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.call(t, "CreateQueue", args{"QueueName": "bad name!"}).wantText(t, "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length")
			e.call(t, "SendMessage", args{"QueueUrl": u}).wantText(t, "The request must contain the parameter MessageBody.")
		}},
		{"B018", "ErrorsNameTheTrueFault", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			r := e.query(t, "Action=SendMessage&MessageBody=x")
			s := e.query(t, "Action=ReceiveMessage&MaxNumberOfMessages=abc&QueueUrl="+u)
			j := e.post(t, "/", jsonHeader("SendMessage"), `{"MessageBody":"x"}`)
			for _, r := range []*reply{r, s, j} {
				if r.Status != 400 || strings.Contains(r.Message, "QueueName") {
					t.Errorf("%d %s", r.Status, r.Message)
				}
			}
			if s.Code != "InvalidParameterValue" && s.Code != "MalformedInput" {
				t.Errorf("code %s", s.Code)
			}
		}},
		{"B020", "UnknownAndMisplacedActions", func(t *testing.T, e *env) {
			e.createNamed(t, "q", nil)
			path := "/" + e.account + "/q"
			e.get(t, path+"?Action=FooBar", nil).wantCode(t, "InvalidAction").wantText(t, "The action FooBar is not valid for this endpoint.")
			e.get(t, path+"?Action=ListQueues", nil).wantCode(t, "InvalidAction")
			if r := e.get(t, path, nil); r.Status != 404 {
				t.Errorf("a bare GET: %d", r.Status)
			}
		}},
		{"B021", "UrlsOfTheCallersHost", func(t *testing.T, e *env) {
			h := jsonHeader("CreateQueue")
			h.Set("Host", "mq.internal:18080")
			if r := e.post(t, "/", h, `{"QueueName":"q"}`).wantOK(t); !strings.Contains(r.Body, "http://mq.internal:18080/"+e.account+"/q") {
				t.Errorf("URL %s", r.Body)
			}
			e.send(t, "http://mq.internal:18080/"+e.account+"/q", "b")
			wantBodies(t, e.receive(t, e.createNamed(t, "q", nil)), "b")
		}},
		{"B023", "UrlsOfNobodyElsesDomain", func(t *testing.T, e *env) {
			for _, region := range []string{"us-east-1", "eu-central-1", "cn-north-1"} {
				u := e.client(t, e.wire, e.account, region).create(t, nil)
				if !strings.HasPrefix(u, e.url+"/") {
					t.Errorf("URL %s", u)
				}
			}
		}},
		{"B024", "UrlsOfAnyHost", func(t *testing.T, e *env) {
			e.createNamed(t, "q", nil)
			for _, base := range []string{"http://localhost", "https://sqs.us-east-1.amazonaws.com", "http://other:1"} {
				e.send(t, base+"/"+e.account+"/q", "b")
			}
			e.wantCounts(t, "q", counts{"3", "0", "0"})
		}},
		{"B025", "PostsToTheQueuesPath", func(t *testing.T, e *env) {
			e.createNamed(t, "q", nil)
			for _, form := range []string{"Action=ReceiveMessage&MaxNumberOfMessages=5&Version=2012-11-05", "Action=ReceiveMessage&QueueUrl="} {
				e.post(t, "/"+e.account+"/q", formHeader, form).wantOK(t)
			}
		}},
		{"B027", "BareNameAsUrl", func(t *testing.T, e *env) {
			e.createNamed(t, "TestQueue", nil)
			e.send(t, "TestQueue", "b")
			wantBodies(t, e.receive(t, "TestQueue"), "b")
			e.wantCounts(t, "TestQueue", counts{"0", "1", "0"})
			e.purge(t, "TestQueue")
		}},
		{"B030", "ParameterBeforePath", func(t *testing.T, e *env) {
			e.createNamed(t, "a", nil)
			b := e.createNamed(t, "b", nil)
			r := e.get(t, "/"+e.account+"/a?Action=GetQueueAttributes&AttributeName.1=QueueArn&QueueUrl="+url.QueryEscape(b), nil).wantOK(t)
			if !strings.Contains(r.Body, ":b</Value>") {
				t.Errorf("answer of another queue: %s", r.Body)
			}
		}},
		{"B031", "PathsWithoutAccount", func(t *testing.T, e *env) {
			e.createNamed(t, "demo-queue", nil)
			for _, path := range []string{"/demo-queue", "/queue/demo-queue"} {
				e.post(t, path, formHeader, "Action=SendMessage&MessageBody=b").wantOK(t)
			}
			e.post(t, "/000000000000/does-not-exist", formHeader, "Action=SendMessage&MessageBody=b").wantCode(t, noQueue)
		}},
		{"B032", "UrlWithoutAQueue", func(t *testing.T, e *env) {
			e.post(t, "/", jsonHeader("PurgeQueue"), `{"QueueUrl":"http://x/"}`).wantCode(t, noQueue).wantForm(t, wireJSON)
		}},
		{"B033", "EmptyReceive", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			for _, wait := range []string{"0", "1"} {
				if r := e.post(t, "/", jsonHeader("ReceiveMessage"), `{"QueueUrl":"`+u+`","WaitTimeSeconds":`+wait+`}`); r.Body != "{}" {
					t.Errorf("JSON %q", r.Body)
				}
				if r := e.query(t, "Action=ReceiveMessage&QueueUrl="+u+"&WaitTimeSeconds="+wait); !strings.Contains(r.Body, "<ReceiveMessageResult/>") {
					t.Errorf("XML %q", r.Body)
				}
			}
		}},
		{"B035", "MillisecondsAsDigits", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.send(t, u, "b")
			for _, name := range []string{"SentTimestamp", "ApproximateFirstReceiveTimestamp"} {
				if v := e.receiveOneAgain(t, u).Attributes[name]; !regexp.MustCompile(`^[0-9]{12}$`).MatchString(v) {
					t.Errorf("%s is %q", name, v)
				}
			}
		}},
		{"B037", "SecondsAsDigits", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			e.setAttributes(t, u, attrs{"DelaySeconds": "1"})
			a := e.attributes(t, u, "All")
			if a["CreatedTimestamp"] != "946684800" || a["LastModifiedTimestamp"] != "946684800" {
				t.Errorf("%v", a)
			}
		}},
		{"B038", "UnsetAttributesAreAbsent", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			if a := e.attributes(t, u, "Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId"); len(a) != 0 {
				t.Errorf("%v", a)
			}
		}},
		{"B040", "FormOfBatchAnswersInXML", func(t *testing.T, e *env) {
			u := e.create(t, nil)
			form := "Action=SendMessageBatch&QueueUrl=" + u
			for _, n := range []string{"1", "2", "3"} {
				form += "&SendMessageBatchRequestEntry." + n + ".Id=i" + n + "&SendMessageBatchRequestEntry." + n + ".MessageBody=b"
			}
			r := e.query(t, form).wantOK(t)
			id := r.Header.Get("X-Amzn-Requestid")
			if r.Header.Get("Content-Type") != "text/xml" || !strings.Contains(r.Body, "<RequestId>"+id+"</RequestId>") || strings.Count(r.Body, "<SendMessageBatchResultEntry>") != 3 {
				t.Errorf("%v %s", r.Header, r.Body)
			}
		}},
	})
}

// receiveOneAgain receives one message and leaves it visible.
func (e *env) receiveOneAgain(t *testing.T, url string) sqsMessage {
	t.Helper()
	m := e.receiveOne(t, url)
	e.changeVisibility(t, url, m, 0)
	return m
}

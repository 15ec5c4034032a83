package integration

import (
	"net/url"
	"strings"
	"testing"
)

var reportsOfURLs = []report{
	{3, "B021", "UrlsOfTheCallersHost", func(t *testing.T, e *env) {
		for _, host := range []string{"mq.internal:18080", "10.1.2.3:99", "queues:80"} {
			want := "http://" + host + "/" + e.account + "/q"
			for _, r := range []*reply{
				e.hosted(t, host, "CreateQueue", `{"QueueName":"q"}`, "QueueName=q"),
				e.hosted(t, host, "GetQueueUrl", `{"QueueName":"q"}`, "QueueName=q"),
				e.hosted(t, host, "ListQueues", `{}`, ""),
			} {
				if b := r.wantOK(t).Body; !strings.Contains(b, `"`+want+`"`) && !strings.Contains(b, ">"+want+"<") {
					t.Errorf("under %s: %s", host, b)
				}
			}
			e.send(t, want, host)
		}
		wantBodies(t, e.receive(t, e.createNamed(t, "q", nil)), "mq.internal:18080", "10.1.2.3:99", "queues:80")
	}, nil},
	{3, "B023", "UrlsOfNobodyElsesDomain", func(t *testing.T, e *env) {
		for _, region := range []string{"us-east-1", "eu-central-1", "cn-north-1"} {
			c := e.client(t, e.wire, e.account, region)
			u := c.create(t, nil)
			c.withDeadLetters(t, u, 1)
			name := u[strings.LastIndex(u, "/")+1:]
			for _, r := range []*reply{
				c.call(t, "GetQueueUrl", args{"QueueName": name}), c.call(t, "ListQueues", args{}), c.call(t, "ListDeadLetterSourceQueues", args{"QueueUrl": u}),
			} {
				if b := r.wantOK(t).Body; strings.Contains(b, "amazonaws.com/1") || !strings.Contains(b, e.url+"/"+e.account+"/queue-") {
					t.Errorf("%s", b)
				}
			}
			if !strings.HasPrefix(u, e.url+"/") {
				t.Errorf("URL %s", u)
			}
		}
	}, nil},
	{3, "B024", "UrlsOfAnyHost", func(t *testing.T, e *env) {
		e.createNamed(t, "q", nil)
		for _, base := range []string{"http://localhost", "https://sqs.us-east-1.amazonaws.com", "http://other:1"} {
			e.call(t, "SendMessage", args{"QueueUrl": base + "/" + e.account + "/q", "MessageBody": base}).wantOK(t)
		}
		wantBodies(t, e.receive(t, "q"), "http://localhost", "https://sqs.us-east-1.amazonaws.com", "http://other:1")
	}, nil},
	{3, "B025", "PostsToTheQueuesPath", func(t *testing.T, e *env) {
		u := e.createNamed(t, "q", nil)
		for _, form := range []string{"Action=ReceiveMessage&MaxNumberOfMessages=5&Version=2012-11-05", "Action=ReceiveMessage&QueueUrl="} {
			e.send(t, u, "b")
			if n := len(e.post(t, "/"+e.account+"/q", formHeader, form).messages(t)); n != 1 {
				t.Errorf("%s: received %d", form, n)
			}
		}
	}, nil},
	{3, "B027", "BareNameAsUrl", func(t *testing.T, e *env) {
		u := e.createNamed(t, "TestQueue", nil)
		e.send(t, "TestQueue", "b")
		e.wantCounts(t, "TestQueue", counts{"1", "0", "0"})
		wantBodies(t, e.receive(t, "TestQueue"), "b")
		e.wantCounts(t, u, counts{"0", "1", "0"})
		e.purge(t, "TestQueue")
		e.wantCounts(t, u, counts{"0", "0", "0"})
	}, nil},
	{3, "B029", "DotInTheNameOfAFIFOQueue", func(t *testing.T, e *env) {
		u := e.createNamed(t, "status.fifo", attrs{"FifoQueue": "true"})
		if want := e.url + "/" + e.account + "/status.fifo"; u != want {
			t.Errorf("URL %s, want %s", u, want)
		}
		if got, want := e.arn(t, u), "arn:aws:sqs:us-east-1:"+e.account+":status.fifo"; got != want {
			t.Errorf("ARN %s, want %s", got, want)
		}
		r := e.call(t, "GetQueueUrl", args{"QueueName": "status.fifo"}).wantOK(t)
		if !strings.Contains(r.Body, u+`"`) && !strings.Contains(r.Body, u+"<") {
			t.Errorf("%s", r.Body)
		}
		e.put(t, u, "g-1")
		wantBodies(t, e.receive(t, u), "g-1")
	}, nil},
	{3, "B030", "ParameterBeforePath", func(t *testing.T, e *env) {
		e.createNamed(t, "a", nil)
		b := e.createNamed(t, "b", nil)
		path := "/" + e.account + "/a"
		ask := "Action=GetQueueAttributes&AttributeName.1=QueueArn&QueueUrl=" + url.QueryEscape(b)
		for _, r := range []*reply{e.get(t, path+"?"+ask, nil), e.post(t, path, formHeader, ask)} {
			if got := r.attributes(t)["QueueArn"]; !strings.HasSuffix(got, ":b") {
				t.Errorf("answer of another queue: %s", got)
			}
		}
	}, nil},
	{3, "B031", "PathsWithoutAccount", func(t *testing.T, e *env) {
		u := e.createNamed(t, "demo-queue", nil)
		for _, path := range []string{"/demo-queue", "/queue/demo-queue"} {
			e.post(t, path, formHeader, "Action=SendMessage&MessageBody="+path).wantOK(t)
		}
		e.post(t, "/000000000000/does-not-exist", formHeader, "Action=SendMessage&MessageBody=b").wantStatus(t, 400).wantCode(t, noQueue)
		wantBodies(t, e.receive(t, u), "/demo-queue", "/queue/demo-queue")
	}, nil},
	{3, "B032", "UrlWithoutAQueue", func(t *testing.T, e *env) {
		r := e.post(t, "/", jsonHeader("PurgeQueue"), `{"QueueUrl":"http://x/"}`).wantStatus(t, 400).wantCode(t, noQueue).wantShape(t, sqsShape+"QueueDoesNotExist")
		r.wantForm(t, wireJSON)
		e.call(t, "PurgeQueue", args{"QueueUrl": "http://x/"}).wantStatus(t, 400).wantCode(t, noQueue)
	}, nil},
}

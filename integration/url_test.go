package integration

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// formHeader is the header of a Query request by POST.
var formHeader = http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}

// Of a QueueUrl only account and name count.
func TestQueueURLForms(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"BareName":           "NAME",
		"SlashName":          "/NAME",
		"AccountAndName":     "ACCOUNT/NAME",
		"Path":               "/ACCOUNT/NAME",
		"TrailingSlash":      "http://HOST/ACCOUNT/NAME/",
		"HostWithoutPort":    "http://localhost/ACCOUNT/NAME",
		"OtherPort":          "http://other:1/ACCOUNT/NAME",
		"OtherScheme":        "https://HOST/ACCOUNT/NAME",
		"AWS":                "https://sqs.us-east-1.amazonaws.com/ACCOUNT/NAME",
		"AWSOtherRegion":     "https://sqs.eu-west-1.amazonaws.com/ACCOUNT/NAME",
		"LegacyAWS":          "https://queue.amazonaws.com/ACCOUNT/NAME",
		"PathOfOtherServers": "http://sqs.us-east-1.localhost.localstack.cloud:4566/queue/us-east-1/ACCOUNT/NAME",
		"WithoutAccount":     "http://HOST/NAME",
		"UnderQueue":         "http://HOST/queue/NAME",
		"DoubleSlash":        "http://HOST//ACCOUNT/NAME",
	} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(t *testing.T, e *env) {
				queue := freshName()
				given := strings.NewReplacer("HOST", e.host, "ACCOUNT", e.account, "NAME", queue).Replace(form)
				issued := e.createNamed(t, queue, nil)
				e.send(t, given, "b")
				e.wantCounts(t, given, counts{"1", "0", "0"})
				e.delete(t, issued, e.receiveOne(t, given))
				e.call(t, "PurgeQueue", args{"QueueUrl": given}).wantOK(t)
			})
		})
	}
}

// URLs are made of the host that the caller used, and each of them works.
func TestQueueURLsCarryTheCallersHost(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		e.createNamed(t, name, nil)
		port := e.host[strings.LastIndexByte(e.host, ':')+1:]
		for given, host := range map[string]string{
			"mq.internal:18080": "mq.internal:18080",
			"MQ.internal:18080": "",
			"mq.internal":       "mq.internal:" + port,
			"127.0.0.1":         "127.0.0.1:" + port,
			"[::1]:9324":        "[::1]:9324",
			"[::1]":             "[::1]:" + port,
			"queues":            "queues:" + port,
		} {
			for _, action := range []string{"GetQueueUrl", "CreateQueue", "ListQueues"} {
				in := "{\"QueueName\":\"" + name + "\",\"QueueNamePrefix\":\"" + name + "\"}"
				h := jsonHeader(action)
				body := in
				if e.wire.query {
					h = formHeader.Clone()
					body = url.Values{"Action": {action}, "QueueName": {name}, "QueueNamePrefix": {name}}.Encode()
				}
				h.Set("Host", given)
				r := e.post(t, "/", h, body).wantOK(t)
				want := "http://" + host + "/" + e.account + "/" + name
				if host == "" {
					want = "/" + e.account + "/" + name
				}
				if !strings.Contains(r.Body, want) {
					t.Errorf("%s by way of %s: %q is not in %s", action, given, want, r.Body)
				}
			}
		}
	})
}

// A Host that is no host is not repeated in any URL.
func TestOddHostsAreNotRepeated(t *testing.T) {
	forServers(t, func(t *testing.T, s *server) {
		e := newEnv(t, s, wireJSON)
		e.createNamed(t, "q", nil)
		for _, host := range []string{"a<b>", "evil.com/x", "a b", `a"b`, "user@host", "h:1:2", "h:port"} {
			r := s.raw(t, "POST / HTTP/1.1\r\nHost: "+host+"\r\nContent-Type: application/x-amz-json-1.0\r\nX-Amz-Target: AmazonSQS.ListQueues\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
			if r.StatusCode == http.StatusOK {
				t.Errorf("host %q: %d, want a refusal", host, r.StatusCode)
			}
			if r.StatusCode >= 500 {
				t.Errorf("host %q: %d", host, r.StatusCode)
			}
		}
	})
}

// Both protocols work on every path, and the path names the queue when nothing
// else does.
func TestRequestsToTheQueuesPath(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		name := freshName()
		issued := e.createNamed(t, name, nil)
		e.send(t, issued, "b")
		for _, path := range []string{
			"/" + e.account + "/" + name,
			"/" + e.account + "/" + name + "/",
			"//" + e.account + "/" + name,
			"/http://" + e.host + "/" + e.account + "/" + name,
			"/" + name,
			"/queue/" + name,
		} {
			header, body := jsonHeader("GetQueueAttributes"), `{"AttributeNames":["QueueArn"]}`
			if e.wire.query {
				header, body = formHeader, "Action=GetQueueAttributes&AttributeName.1=QueueArn"
			}
			r := e.post(t, path, header, body).wantOK(t)
			if arn := "arn:aws:sqs:us-east-1:" + e.account + ":" + name; !strings.Contains(r.Body, arn) {
				t.Errorf("%s: %q is not in %s", path, arn, r.Body)
			}
		}
	})
}

// The parameter names the queue before the path does.
func TestQueueURLParameterWinsOverThePath(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		a, b := freshName(), freshName()
		e.createNamed(t, a, nil)
		urlB := e.createNamed(t, b, nil)
		header, body := jsonHeader("GetQueueAttributes"), `{"AttributeNames":["QueueArn"],"QueueUrl":"`+urlB+`"}`
		if e.wire.query {
			header, body = formHeader, "Action=GetQueueAttributes&AttributeName.1=QueueArn&QueueUrl="+url.QueryEscape(urlB)
		}
		r := e.post(t, "/"+e.account+"/"+a, header, body).wantOK(t)
		if !strings.Contains(r.Body, ":"+b) || strings.Contains(r.Body, ":"+a+`"`) {
			t.Errorf("the queue of the path answered: %s", r.Body)
		}
	})
}

func TestPathsOfNoQueue(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		for _, path := range []string{"/" + e.account + "/nowhere", "/nowhere", "/queue/nowhere", "/a/b/c/d/nowhere", "/.", "/..", "/%2e%2e/%2f", "/" + strings.Repeat("x", 3000)} {
			header, body := jsonHeader("SendMessage"), `{"MessageBody":"b"}`
			if e.wire.query {
				header, body = formHeader, "Action=SendMessage&MessageBody=b"
			}
			r := e.post(t, path, header, body)
			if r.Status != 400 || r.Code != "AWS.SimpleQueueService.NonExistentQueue" {
				t.Errorf("%.40s: %d %s", path, r.Status, r.Code)
			}
		}
	})
}

// The account in a URL decides, whoever calls: without credentials everybody
// may use every queue.
func TestQueueURLOfAnotherAccount(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		issued := e.create(t, nil)
		stranger := newEnv(t, e.server, e.wire)
		stranger.send(t, issued, "b")
		wantBodies(t, e.receive(t, issued), "b")
		name := issued[strings.LastIndexByte(issued, '/')+1:]
		_, err := stranger.sqs.SendMessage(t.Context(), &sqs.SendMessageInput{QueueUrl: &name, MessageBody: aws.String("b")})
		if !typed[*types.QueueDoesNotExist](err) {
			t.Errorf("a bare name reached another account's queue: %v", err)
		}
	})
}

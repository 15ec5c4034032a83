// Package gocloud runs gocloud.dev/pubsub over SQS, by its own suite for
// drivers and in the way that an application uses it.
package gocloud

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go"
	"gocloud.dev/gcerrors"
	"gocloud.dev/pubsub"
	"gocloud.dev/pubsub/awssnssqs"
	"gocloud.dev/pubsub/driver"
	"gocloud.dev/pubsub/drivertest"
)

var (
	endpoint = os.Getenv("QUEUES_ENDPOINT")
	client   = sqs.New(sqs.Options{
		BaseEndpoint: &endpoint,
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
	queues atomic.Int64
)

// module is the module file, which has the version: a test's program does not
// know its own.
//
//go:embed go.mod
var module string

func TestMain(m *testing.M) {
	if v := regexp.MustCompile(`gocloud\.dev v(\S+)`).FindStringSubmatch(module); v != nil {
		fmt.Println("version", v[1])
	}
	code := m.Run()
	fmt.Println("done")
	os.Exit(code)
}

// inside gives the driver in a topic or a subscription. The package makes
// drivers only within these, and its suite wants them bare.
func inside[D any](portable any) D {
	f := reflect.ValueOf(portable).Elem().FieldByName("driver")
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem().Interface().(D)
}

// harness makes queues for the suite. A queue is its topic and its
// subscription at once.
type harness struct{ urls map[driver.Topic]string }

func (h *harness) CreateTopic(ctx context.Context, _ string) (driver.Topic, func(), error) {
	name := fmt.Sprintf("conformance-%d", queues.Add(1))
	out, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name})
	if err != nil {
		return nil, nil, err
	}
	t := inside[driver.Topic](awssnssqs.OpenSQSTopic(ctx, client, *out.QueueUrl, nil))
	h.urls[t] = *out.QueueUrl
	return t, func() { _, _ = client.DeleteQueue(ctx, &sqs.DeleteQueueInput{QueueUrl: out.QueueUrl}) }, nil
}

func (*harness) MakeNonexistentTopic(ctx context.Context) (driver.Topic, error) {
	return inside[driver.Topic](awssnssqs.OpenSQSTopic(ctx, client, endpoint+"/000000000000/nothing", nil)), nil
}

func (h *harness) CreateSubscription(ctx context.Context, t driver.Topic, _ string) (driver.Subscription, func(), error) {
	return inside[driver.Subscription](awssnssqs.OpenSubscription(ctx, client, h.urls[t], nil)), func() {}, nil
}

func (*harness) MakeNonexistentSubscription(ctx context.Context) (driver.Subscription, func(), error) {
	return inside[driver.Subscription](awssnssqs.OpenSubscription(ctx, client, endpoint+"/000000000000/nothing", nil)), func() {}, nil
}

func (*harness) Close()                              {}
func (*harness) MaxBatchSizes() (int, int)           { return 10, 10 }
func (*harness) SupportsMultipleSubscriptions() bool { return false }

// errorsAs checks what a missing queue gives.
type errorsAs struct{}

func (errorsAs) Name() string { return "SQS" }

func (errorsAs) TopicCheck(t *pubsub.Topic) error {
	var c *sqs.Client
	if !t.As(&c) {
		return errors.New("no client of SQS in the topic")
	}
	return nil
}

func (errorsAs) SubscriptionCheck(s *pubsub.Subscription) error {
	var c *sqs.Client
	if !s.As(&c) {
		return errors.New("no client of SQS in the subscription")
	}
	return nil
}

func missing(as bool, e smithy.APIError) error {
	const want = "AWS.SimpleQueueService.NonExistentQueue"
	if !as {
		return errors.New("not an error of the API")
	}
	if e.ErrorCode() != want {
		return fmt.Errorf("got code %q, want %q", e.ErrorCode(), want)
	}
	return nil
}

func (errorsAs) TopicErrorCheck(t *pubsub.Topic, err error) error {
	var e smithy.APIError
	return missing(t.ErrorAs(err, &e), e)
}

func (errorsAs) SubscriptionErrorCheck(s *pubsub.Subscription, err error) error {
	var e smithy.APIError
	return missing(s.ErrorAs(err, &e), e)
}

func (errorsAs) MessageCheck(*pubsub.Message) error { return nil }
func (errorsAs) BeforeSend(func(any) bool) error    { return nil }
func (errorsAs) AfterSend(func(any) bool) error     { return nil }

func TestConformance(t *testing.T) {
	drivertest.RunConformanceTests(t, func(context.Context, *testing.T) (drivertest.Harness, error) {
		return &harness{urls: map[driver.Topic]string{}}, nil
	}, []drivertest.AsTest{errorsAs{}})
}

func TestRoundTrip(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("jobs")})
	if err != nil {
		t.Fatal(err)
	}
	topic := awssnssqs.OpenSQSTopic(ctx, client, *out.QueueUrl, nil)
	subscription := awssnssqs.OpenSubscription(ctx, client, *out.QueueUrl, &awssnssqs.SubscriptionOptions{WaitTime: 20 * time.Second})
	defer func() {
		if err := errors.Join(topic.Shutdown(ctx), subscription.Shutdown(ctx)); err != nil {
			t.Error(err)
		}
	}()
	text := os.Getenv("QUEUES_BODY")
	for _, body := range []string{text, "\x00\xff"} {
		send := func() {
			if err := topic.Send(ctx, &pubsub.Message{Body: []byte(body), Metadata: map[string]string{"a key": text}}); err != nil {
				t.Error(err)
			}
		}
		time.AfterFunc(300*time.Millisecond, send)
		m, err := subscription.Receive(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if string(m.Body) != body || m.Metadata["a key"] != text {
			t.Errorf("got body %q and metadata %q, want %q and %q", m.Body, m.Metadata["a key"], body, text)
		}
		m.Ack()
	}
}

func TestCutOff(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	out, err := client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: aws.String("cut-off")})
	if err != nil {
		t.Fatal(err)
	}
	open := func() *pubsub.Subscription {
		return awssnssqs.OpenSubscription(ctx, client, *out.QueueUrl, &awssnssqs.SubscriptionOptions{WaitTime: 20 * time.Second})
	}
	first := open()
	short, stop := context.WithTimeout(ctx, 500*time.Millisecond)
	defer stop()
	if _, err := first.Receive(short); gcerrors.Code(err) != gcerrors.DeadlineExceeded && !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the receive that was cut off gave %v", err)
	}
	if err := first.Shutdown(ctx); err != nil {
		t.Error(err)
	}
	if _, err := client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: out.QueueUrl, MessageBody: aws.String("next")}); err != nil {
		t.Fatal(err)
	}
	second := open()
	soon, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	m, err := second.Receive(soon)
	if err != nil {
		t.Fatalf("the next message: %v", err)
	}
	m.Ack()
	if err := second.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}

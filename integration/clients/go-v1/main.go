// Go-v1 makes the round trip with the AWS SDK for Go, version 1, which checks
// the digests of bodies, and sends again what it thinks was spoiled.
package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/aws/aws-sdk-go/aws"
	"github.com/aws/aws-sdk-go/aws/awserr"
	"github.com/aws/aws-sdk-go/aws/credentials"
	"github.com/aws/aws-sdk-go/aws/session"
	"github.com/aws/aws-sdk-go/service/sqs"
)

const missing = "AWS.SimpleQueueService.NonExistentQueue"

var client = sqs.New(session.Must(session.NewSession(&aws.Config{
	Endpoint: &endpoint, Region: aws.String("us-east-1"), Credentials: credentials.NewStaticCredentials("test", "test", ""),
})))

// code gives the code of an error.
func code(err error) string {
	var api awserr.Error
	if !errors.As(err, &api) {
		panic(fmt.Sprintf("not an error of the API: %v", err))
	}
	return api.Code()
}

func create(name string, attributes map[string]string) string {
	return *must(client.CreateQueue(&sqs.CreateQueueInput{QueueName: &name, Attributes: aws.StringMap(attributes)})).QueueUrl
}

func send(url, body string) *sqs.SendMessageOutput {
	return must(client.SendMessage(&sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body}))
}

// receive takes messages with all attributes, waiting some seconds.
func receive(url string, wait, n int64, more ...func(*sqs.ReceiveMessageInput)) []*sqs.Message {
	in := &sqs.ReceiveMessageInput{
		QueueUrl: &url, WaitTimeSeconds: &wait, MaxNumberOfMessages: &n,
		AttributeNames: aws.StringSlice([]string{"All"}), MessageAttributeNames: aws.StringSlice([]string{"All"}),
	}
	for _, f := range more {
		f(in)
	}
	return must(client.ReceiveMessage(in)).Messages
}

// visible leaves messages visible.
func visible(in *sqs.ReceiveMessageInput) { in.VisibilityTimeout = aws.Int64(0) }

// one is the only message of a list.
func one(list []*sqs.Message) *sqs.Message {
	same("number of messages", len(list), 1)
	return list[0]
}

func bodies(list []*sqs.Message) []string {
	out := []string{}
	for _, m := range list {
		out = append(out, *m.Body)
	}
	return out
}

func read(url string) map[string]string {
	return aws.StringValueMap(must(client.GetQueueAttributes(&sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: aws.StringSlice([]string{"All"}),
	})).Attributes)
}

func remove(url string, m *sqs.Message) {
	must(client.DeleteMessage(&sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle}))
}

func main() {
	fmt.Println("version", aws.SDKVersion)
	queue()
	messages()
	polls()
	kinds()
	ends()
	fmt.Println("done")
	os.Exit(exit)
}

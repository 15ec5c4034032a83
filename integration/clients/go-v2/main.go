// Go-v2 makes the round trip with the AWS SDK for Go v2: its newest version
// with go.mod, the last years' that spoke Query with query.mod. The SDK checks
// the digests of bodies.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
	"github.com/aws/smithy-go"
)

const missing = "AWS.SimpleQueueService.NonExistentQueue"

var (
	ctx    = context.Background()
	client = sqs.New(sqs.Options{
		BaseEndpoint: aws.String(endpoint),
		Region:       "us-east-1",
		Credentials:  credentials.NewStaticCredentialsProvider("test", "test", ""),
	})
)

// version tells the version of a module that this program was built with.
func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, d := range info.Deps {
		if d.Path == module {
			return strings.TrimPrefix(d.Version, "v")
		}
	}
	return "unknown"
}

// code gives the code of an error.
func code(err error) string {
	var api smithy.APIError
	if !errors.As(err, &api) {
		panic(fmt.Sprintf("not an error of the API: %v", err))
	}
	return api.ErrorCode()
}

func create(name string, attributes map[string]string) string {
	return *must(client.CreateQueue(ctx, &sqs.CreateQueueInput{QueueName: &name, Attributes: attributes})).QueueUrl
}

func send(url, body string) *sqs.SendMessageOutput {
	return must(client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: &url, MessageBody: &body}))
}

// receive takes a message with all attributes, waiting some seconds.
func receive(url string, wait int32, more ...func(*sqs.ReceiveMessageInput)) []types.Message {
	in := &sqs.ReceiveMessageInput{
		QueueUrl: &url, WaitTimeSeconds: wait, AttributeNames: []types.QueueAttributeName{"All"}, MessageAttributeNames: []string{"All"},
	}
	for _, f := range more {
		f(in)
	}
	return must(client.ReceiveMessage(ctx, in)).Messages
}

func ten(in *sqs.ReceiveMessageInput) { in.MaxNumberOfMessages = 10 }

// one is the only message of a list.
func one(list []types.Message) types.Message {
	same("number of messages", len(list), 1)
	return list[0]
}

func bodies(list []types.Message) []string {
	out := []string{}
	for _, m := range list {
		out = append(out, *m.Body)
	}
	return out
}

func read(url string) map[string]string {
	return must(client.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
		QueueUrl: &url, AttributeNames: []types.QueueAttributeName{"All"},
	})).Attributes
}

func remove(url string, m types.Message) {
	must(client.DeleteMessage(ctx, &sqs.DeleteMessageInput{QueueUrl: &url, ReceiptHandle: m.ReceiptHandle}))
}

func main() {
	fmt.Println("version", version("github.com/aws/aws-sdk-go-v2/service/sqs"))
	queue()
	messages()
	polls()
	kinds()
	ends()
	fmt.Println("done")
	os.Exit(exit)
}

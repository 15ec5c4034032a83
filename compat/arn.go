package compat

import (
	"strings"

	"queues/engine"
)

// queueARN is the Amazon Resource Name of a queue.
func queueARN(name engine.QueueName) string {
	return "arn:" + partition(name.Region) + ":sqs:" + name.Region + ":" + name.Account + ":" + name.Name
}

// partition is the part of AWS that a region belongs to.
func partition(region string) string {
	switch {
	case strings.HasPrefix(region, "cn-"):
		return "aws-cn"
	case strings.HasPrefix(region, "us-gov-"):
		return "aws-us-gov"
	}
	return "aws"
}

// arn is a resource name in its six parts, the first of which is "arn".
type arn struct{ Partition, Service, Region, Account, Resource string }

// parseARN splits a resource name. False means that it is none.
func parseARN(s string) (arn, bool) {
	parts := strings.Split(s, ":")
	if len(parts) != 6 || parts[0] != "arn" {
		return arn{}, false
	}
	for _, part := range parts[1:] {
		if part == "" {
			return arn{}, false
		}
	}
	return arn{parts[1], parts[2], parts[3], parts[4], parts[5]}, true
}

// queue is the name of the queue that a resource name stands for. False means
// that no queue can have it.
func (a arn) queue() (engine.QueueName, bool) {
	name := engine.QueueName{Namespace: engine.Namespace{Account: a.Account, Region: a.Region}, Name: a.Resource}
	ok := a.Service == "sqs" && a.Partition == partition(a.Region) && isAccount(a.Account) && possibleName(a.Resource)
	return name, ok
}

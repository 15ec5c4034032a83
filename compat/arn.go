package compat

import (
	"strings"

	"queues/engine"
)

// queueARN is the Amazon Resource Name of a queue.
func queueARN(name engine.QueueName) string {
	return "arn:" + partition(name.Region) + ":sqs:" + name.Region + ":" + name.Account + ":" + name.Name
}

// partitions are the parts of AWS but for the main one, by what their regions
// begin with. No beginning is the beginning of another.
var partitions = []struct{ prefix, name string }{
	{"cn-", "aws-cn"},
	{"us-gov-", "aws-us-gov"},
	{"us-iso-", "aws-iso"},
	{"us-isob-", "aws-iso-b"},
	{"us-isof-", "aws-iso-f"},
	{"eu-isoe-", "aws-iso-e"},
	{"eusc-", "aws-eusc"},
}

// partition is the part of AWS that a region belongs to.
func partition(region string) string {
	for _, p := range partitions {
		if strings.HasPrefix(region, p.prefix) {
			return p.name
		}
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

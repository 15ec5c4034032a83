package compat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"queues/engine"
	"queues/protocol"
)

// grantable is every action that a permission can name. A permission for a
// single form holds for its batch form.
var grantable = []protocol.Operation{
	"*",
	protocol.ChangeMessageVisibility, protocol.DeleteMessage, protocol.GetQueueAttributes, protocol.GetQueueURL,
	protocol.ListDeadLetterSourceQueues, protocol.PurgeQueue, protocol.ReceiveMessage, protocol.SendMessage,
}

// ownersOnly is every action that cannot be granted to anybody.
var ownersOnly = []protocol.Operation{
	protocol.AddPermission, protocol.CancelMessageMoveTask, protocol.CreateQueue, protocol.DeleteQueue,
	protocol.ListMessageMoveTasks, protocol.ListQueueTags, protocol.ListQueues, protocol.RemovePermission,
	protocol.SetQueueAttributes, protocol.StartMessageMoveTask, protocol.TagQueue, protocol.UntagQueue,
}

// addPermission adds a statement to the queue's policy, which is where
// permissions are kept.
func (s *Service) addPermission(ctx context.Context, c Caller, in *protocol.AddPermissionInput) (Result, *protocol.Error) {
	q, err := s.queue(ctx, c, in.QueueURL)
	if err != nil {
		return Result{}, err
	}
	if err := checkPermission(in); err != nil {
		return Result{}, err
	}
	granted := permission(q.Name, in)
	return Result{}, s.changePolicy(ctx, q, func(p *policyDocument) *protocol.Error {
		return p.add(*in.Label, granted)
	})
}

// checkPermission refuses a permission by its form.
func checkPermission(in *protocol.AddPermissionInput) *protocol.Error {
	const member = "ActionName"
	if err := checkLabel(in.Label); err != nil {
		return err
	}
	if len(in.Actions) == 0 {
		return missing(member)
	}
	for _, action := range in.Actions {
		switch op := protocol.Operation(action); {
		case slices.Contains(ownersOnly, op):
			return invalid("SQS:"+action, member, "Only the queue owner is allowed to invoke this action.")
		case !slices.Contains(grantable, op):
			return invalid("SQS:"+action, member, "Please refer to the appropriate WSDL for a list of valid actions.")
		}
	}
	if len(in.AWSAccountIDs) == 0 {
		return missing("AWSAccountIds")
	}
	if i := slices.IndexFunc(in.AWSAccountIDs, func(id string) bool { return !isAccount(id) }); i >= 0 {
		return invalid("["+in.AWSAccountIDs[i]+"]", "PrincipalId", "Unable to verify.")
	}
	switch actions, accounts := len(in.Actions), len(in.AWSAccountIDs); {
	case actions > maxPolicyActions:
		return protocol.OverLimit.New(fmt.Sprintf("%d Actions were found, maximum allowed is %d.", actions, maxPolicyActions))
	case accounts > maxPolicyPrincipals:
		return protocol.OverLimit.New(fmt.Sprintf("%d Principals were found, maximum allowed is %d.", accounts, maxPolicyPrincipals))
	}
	return nil
}

// checkLabel refuses what cannot be the label of a permission.
func checkLabel(label *string) *protocol.Error {
	switch {
	case deref(label) == "":
		return missing("Label")
	case !plainName(*label):
		return invalid(*label, "Label", textBadName+".")
	}
	return nil
}

// permission is the statement for a permission. Nothing in it needs escaping:
// labels, accounts, actions and ARNs have been checked.
func permission(queue engine.QueueName, in *protocol.AddPermissionInput) string {
	var principals, actions []string
	for _, account := range in.AWSAccountIDs {
		principals = append(principals, "arn:"+partition(queue.Region)+":iam::"+account+":root")
	}
	for _, action := range in.Actions {
		actions = append(actions, "SQS:"+action)
	}
	return `{"Sid":"` + *in.Label + `","Effect":"Allow","Principal":{"AWS":` + oneOrList(principals) + `},"Action":` + oneOrList(actions) +
		`,"Resource":"` + queueARN(queue) + `"}`
}

// oneOrList is the JSON form of texts that need no escaping: one is a string,
// several are an array.
func oneOrList(texts []string) string {
	if len(texts) == 1 {
		return `"` + texts[0] + `"`
	}
	return `["` + strings.Join(texts, `","`) + `"]`
}

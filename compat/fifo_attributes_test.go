package compat_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"queues/compat"
	"queues/protocol"
)

const textThroughput = "Invalid value for the parameter FifoThroughputLimit. Reason: To set FifoThroughputLimit to perMessageGroupId, the DeduplicationScope must be messageGroup."

// createFIFO makes a FIFO queue; the suffix of its name is added.
func (e *env) createFIFO(name string, attributes ...string) *string {
	e.t.Helper()
	return e.create(name+".fifo", append([]string{"FifoQueue", "true"}, attributes...)...)
}

// fifoAttributes are the four attributes that only FIFO queues have.
func (e *env) fifoAttributes(url *string) map[string]string {
	e.t.Helper()
	return e.attributes(url, "FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit")
}

// fifoShown is what they show.
func fifoShown(contentBased, scope, limit string) map[string]string {
	return pairs("FifoQueue", "true", "ContentBasedDeduplication", contentBased, "DeduplicationScope", scope, "FifoThroughputLimit", limit)
}

func TestCreateFIFOQueue(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		attributes []string
		want       map[string]string
		code, text string
	}{
		"Plain":             {nil, fifoShown("false", "queue", "perQueue"), "", ""},
		"DefaultsGiven":     {flat(fifoShown("False", "queue", "perQueue")), fifoShown("false", "queue", "perQueue"), "", ""},
		"HighThroughput":    {[]string{"DeduplicationScope", "messageGroup", "FifoThroughputLimit", "perMessageGroupId"}, fifoShown("false", "messageGroup", "perMessageGroupId"), "", ""},
		"GroupScope":        {[]string{"DeduplicationScope", "messageGroup", "FifoThroughputLimit", "perQueue"}, fifoShown("false", "messageGroup", "perQueue"), "", ""},
		"GroupScopeAlone":   {[]string{"DeduplicationScope", "messageGroup"}, fifoShown("false", "messageGroup", "perQueue"), "", ""},
		"ContentBased":      {[]string{"ContentBasedDeduplication", "True"}, fifoShown("true", "queue", "perQueue"), "", ""},
		"BadContentBased":   {[]string{"ContentBasedDeduplication", "yes"}, nil, badAttrValue, "Invalid value for the parameter ContentBasedDeduplication."},
		"NoContentBased":    {[]string{"ContentBasedDeduplication", ""}, nil, badAttrValue, "Invalid value for the parameter ContentBasedDeduplication."},
		"BadScope":          {[]string{"DeduplicationScope", "group"}, nil, badAttrValue, "Invalid value for the parameter DeduplicationScope."},
		"BadThroughput":     {[]string{"FifoThroughputLimit", "perGroup"}, nil, badAttrValue, "Invalid value for the parameter FifoThroughputLimit."},
		"ThroughputAlone":   {[]string{"FifoThroughputLimit", "perMessageGroupId"}, nil, badAttrValue, textThroughput},
		"ThroughputByQueue": {[]string{"FifoThroughputLimit", "perMessageGroupId", "DeduplicationScope", "queue"}, nil, badAttrValue, textThroughput},
		"Unknown":           {[]string{"Bogus", "1"}, nil, badAttrName, "Unknown Attribute Bogus."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			if test.code == "" {
				url := e.createFIFO("x", test.attributes...)
				if diff := cmp.Diff(test.want, e.fifoAttributes(url)); diff != "" {
					t.Errorf("unlike the attributes wanted (-want +got):\n%s", diff)
				}
				return
			}
			in := &protocol.CreateQueueInput{QueueName: new("x.fifo"), Attributes: pairs(append(test.attributes, "FifoQueue", "true")...)}
			e.refused(protocol.CreateQueue, in, test.code, test.text)
			e.refused(protocol.GetQueueURL, &protocol.GetQueueURLInput{QueueName: new("x.fifo")}, noQueue, "")
		})
	}
}

// All of a fresh FIFO queue is that of a standard queue and four more.
func TestGetFIFOQueueAttributes(t *testing.T) {
	t.Parallel()
	e := newEnv(t, compat.Options{})
	url := e.createFIFO("q")
	want := with(with(fresh(), flat(fifoShown("false", "queue", "perQueue"))...), "QueueArn", ownARN+".fifo")
	if diff := cmp.Diff(want, e.attributes(url, "All")); diff != "" {
		t.Errorf("unlike the attributes wanted (-want +got):\n%s", diff)
	}
}

func TestSetFIFOQueueAttributes(t *testing.T) {
	t.Parallel()
	high := []string{"DeduplicationScope", "messageGroup", "FifoThroughputLimit", "perMessageGroupId"}
	tests := map[string]struct {
		first, set []string
		want       map[string]string
		code, text string
	}{
		"SameKind":           {nil, []string{"FifoQueue", "true", "VisibilityTimeout", "5"}, fifoShown("false", "queue", "perQueue"), "", ""},
		"OtherKind":          {nil, []string{"FifoQueue", "false"}, nil, badAttrValue, "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported."},
		"NoKind":             {nil, []string{"FifoQueue", "maybe"}, nil, badAttrValue, "Invalid value for the parameter FifoQueue."},
		"ContentBased":       {nil, []string{"ContentBasedDeduplication", "true"}, fifoShown("true", "queue", "perQueue"), "", ""},
		"NotContentBased":    {[]string{"ContentBasedDeduplication", "true"}, []string{"ContentBasedDeduplication", "False"}, fifoShown("false", "queue", "perQueue"), "", ""},
		"HighThroughput":     {nil, high, fifoShown("false", "messageGroup", "perMessageGroupId"), "", ""},
		"ScopeThenLimit":     {high[:2], high[2:], fifoShown("false", "messageGroup", "perMessageGroupId"), "", ""},
		"BackInOne":          {high, []string{"DeduplicationScope", "queue", "FifoThroughputLimit", "perQueue"}, fifoShown("false", "queue", "perQueue"), "", ""},
		"LimitBack":          {high, []string{"FifoThroughputLimit", "perQueue"}, fifoShown("false", "messageGroup", "perQueue"), "", ""},
		"LimitAlone":         {nil, high[2:], nil, badAttrValue, textThroughput},
		"ScopeBackUnderHigh": {high, []string{"DeduplicationScope", "queue"}, nil, badAttrValue, textThroughput},
		"OtherBesideBad":     {nil, []string{"VisibilityTimeout", "5", "FifoThroughputLimit", "perMessageGroupId"}, nil, badAttrValue, textThroughput},
		"BadWord":            {nil, []string{"DeduplicationScope", ""}, nil, badAttrValue, "Invalid value for the parameter DeduplicationScope."},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.createFIFO("x", test.first...)
			before := e.attributes(url, "All")
			in := &protocol.SetQueueAttributesInput{QueueURL: url, Attributes: pairs(test.set...)}
			if test.code != "" {
				e.refused(protocol.SetQueueAttributes, in, test.code, test.text)
				if diff := cmp.Diff(before, e.attributes(url, "All")); diff != "" {
					t.Errorf("the queue changed (-before +after):\n%s", diff)
				}
				return
			}
			e.run(protocol.SetQueueAttributes, in)
			if diff := cmp.Diff(test.want, e.fifoAttributes(url)); diff != "" {
				t.Errorf("unlike the attributes wanted (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCreateFIFOQueueAgain(t *testing.T) {
	t.Parallel()
	const exists = "QueueAlreadyExists"
	differs := func(name string) string {
		return "A queue already exists with the same name and a different value for attribute " + name
	}
	tests := map[string]struct {
		first, again []string
		code, text   string
	}{
		"Plain":          {[]string{"ContentBasedDeduplication", "true"}, nil, "", ""},
		"Same":           {[]string{"ContentBasedDeduplication", "true"}, []string{"ContentBasedDeduplication", "True"}, "", ""},
		"DefaultsGiven":  {nil, flat(fifoShown("false", "queue", "perQueue")), "", ""},
		"ContentDiffers": {[]string{"ContentBasedDeduplication", "true"}, []string{"ContentBasedDeduplication", "false"}, exists, differs("ContentBasedDeduplication")},
		"ScopeDiffers":   {nil, []string{"DeduplicationScope", "messageGroup"}, exists, differs("DeduplicationScope")},
		"DelayDiffers":   {nil, []string{"DelaySeconds", "1"}, exists, differs("DelaySeconds")},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEnv(t, compat.Options{})
			url := e.createFIFO("x", test.first...)
			in := &protocol.CreateQueueInput{QueueName: new("x.fifo"), Attributes: pairs(append(test.again, "FifoQueue", "true")...)}
			if test.code != "" {
				e.refused(protocol.CreateQueue, in, test.code, test.text)
			} else if got := do[*protocol.CreateQueueOutput](e, protocol.CreateQueue, in); *got.QueueURL != *url {
				t.Errorf("the URL is %q, want %q", *got.QueueURL, *url)
			}
		})
	}
	e := newEnv(t, compat.Options{})
	e.createFIFO("x")
	e.refused(protocol.CreateQueue, &protocol.CreateQueueInput{QueueName: new("x.fifo")}, badValue, textName)
}

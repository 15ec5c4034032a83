package wire

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Message is a received message.
type Message struct {
	MessageId, ReceiptHandle, Body string //nolint:revive // the wire's spelling
}

// Entry answers for one entry of a batch, good or bad.
type Entry struct {
	Id, MessageId, SequenceNumber, Code, Message string //nolint:revive // the wire's spelling
}

// Task is one move task.
type Task struct {
	TaskHandle, Status               string
	ApproximateNumberOfMessagesMoved int
	FailureReason                    string
	StartedTimestamp                 int64
}

// Result is everything that good answers can hold, of whatever action.
type Result struct {
	MessageId, SequenceNumber string //nolint:revive // the wire's spelling
	TaskHandle                string
	Messages                  []Message
	Successful                []Entry
	Failed                    []Entry
	Attributes                map[string]string
	Results                   []Task
	Tags                      map[string]string
}

// xmlResult is a result as Query has it.
type xmlResult struct {
	MessageId, SequenceNumber, TaskHandle string                         //nolint:revive // the wire's spelling
	Messages                              []Message                      `xml:"Message"`
	Sent                                  []Entry                        `xml:"SendMessageBatchResultEntry"`
	Deleted                               []Entry                        `xml:"DeleteMessageBatchResultEntry"`
	Changed                               []Entry                        `xml:"ChangeMessageVisibilityBatchResultEntry"`
	Failed                                []Entry                        `xml:"BatchResultErrorEntry"`
	Results                               []Task                         `xml:"ListMessageMoveTasksResultEntry"`
	Attributes                            []struct{ Name, Value string } `xml:"Attribute"`
	Tags                                  []struct{ Key, Value string }  `xml:"Tag"`
}

// decode reads the body of an answer, good or bad.
func (a *Answer) decode(text []byte, query bool) error {
	good := a.Status == 200
	if !query {
		if good {
			if len(text) == 0 {
				return nil
			}
			return json.Unmarshal(text, &a.Result)
		}
		var e struct{ Message string }
		err := json.Unmarshal(text, &e)
		a.Message = e.Message
		return err
	}
	var x struct {
		Error    struct{ Code, Message string }
		Metadata struct{}  `xml:"ResponseMetadata"`
		Result   xmlResult `xml:",any"`
	}
	if err := xml.Unmarshal(text, &x); err != nil {
		return err
	}
	r := &x.Result
	a.Code, a.Message = x.Error.Code, x.Error.Message
	a.Result = Result{
		MessageId: r.MessageId, SequenceNumber: r.SequenceNumber, TaskHandle: r.TaskHandle, Messages: r.Messages,
		Successful: slices.Concat(r.Sent, r.Deleted, r.Changed), Failed: r.Failed, Results: r.Results,
		Attributes: make(map[string]string, len(r.Attributes)), Tags: make(map[string]string, len(r.Tags)),
	}
	for _, tag := range r.Tags {
		a.Tags[tag.Key] = tag.Value
	}
	for _, attribute := range r.Attributes {
		a.Attributes[attribute.Name] = attribute.Value
	}
	return nil
}

// flatten writes members as Query parameters.
func flatten(form url.Values, action string, in Args) {
	for _, name := range slices.Sorted(maps.Keys(in)) {
		param := name
		switch name {
		case "Entries":
			param = action + "RequestEntry"
		case "Attributes", "AttributeNames", "Tags", "TagKeys":
			param = strings.TrimSuffix(name, "s")
		}
		flattenValue(form, param, in[name])
	}
}

func flattenValue(form url.Values, param string, value any) {
	switch v := value.(type) {
	case []Args:
		for i, entry := range v {
			for name, member := range entry {
				form.Set(fmt.Sprintf("%s.%d.%s", param, i+1, name), fmt.Sprint(member))
			}
		}
	case []string:
		for i, text := range v {
			form.Set(fmt.Sprintf("%s.%d", param, i+1), text)
		}
	case map[string]string:
		for i, name := range slices.Sorted(maps.Keys(v)) {
			key := "Name"
			if param == "Tag" {
				key = "Key"
			}
			form.Set(fmt.Sprintf("%s.%d.%s", param, i+1, key), name)
			form.Set(fmt.Sprintf("%s.%d.Value", param, i+1), v[name])
		}
	default:
		form.Set(param, fmt.Sprint(v))
	}
}

package integration

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// query posts a form.
func (e *env) query(t *testing.T, form string) *reply {
	t.Helper()
	return e.post(t, "/", formHeader, form)
}

// Lists of old clients have no numbers, gaps, or numbers out of order.
func TestQueryLists(t *testing.T) {
	eachWire(t, places(), []wire{wireQuery}, func(t *testing.T, e *env) {
		name := freshName()
		url := e.createNamed(t, name, nil)
		for form, want := range map[string][]string{
			"AttributeName=QueueArn":                                  {"QueueArn"},
			"AttributeName.1=QueueArn":                                {"QueueArn"},
			"AttributeName.2=QueueArn":                                {"QueueArn"},
			"AttributeName.1=QueueArn&AttributeName.3=DelaySeconds":   {"QueueArn", "DelaySeconds"},
			"AttributeName.10=QueueArn&AttributeName.9=DelaySeconds":  {"QueueArn", "DelaySeconds"},
			"AttributeNames=":                                         nil,
			"AttributeName.1=All&AttributeName.2=VisibilityTimeout":   standardAttributes,
			"AttributeName=All":                                       standardAttributes,
			"AttributeName=&AttributeName.1=DelaySeconds&Unknown.1=x": {"DelaySeconds"},
		} {
			r := e.query(t, "Action=GetQueueAttributes&QueueUrl="+url+"&"+form)
			if form[:14] == "AttributeName=" && strings.Contains(form, "&AttributeName.1") && r.Status == 400 {
				continue // an empty item and a numbered one contradict each other
			}
			r.wantOK(t)
			for _, name := range want {
				if !strings.Contains(r.Body, "<Name>"+name+"</Name>") {
					t.Errorf("%s: no %s in %s", form, name, r.Body)
				}
			}
			if n := strings.Count(r.Body, "<Attribute>"); n != len(want) {
				t.Errorf("%s: %d attributes, want %d", form, n, len(want))
			}
		}
	})
}

// An empty list goes out as its name without a value.
func TestQueryEmptyLists(t *testing.T) {
	eachWire(t, places(), []wire{wireQuery}, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for action := range batches {
			for _, empty := range []string{"", "&Entries=", "&" + action + "RequestEntry="} {
				e.query(t, "Action="+action+"&QueueUrl="+url+empty).wantCode(t, "AWS.SimpleQueueService.EmptyBatchRequest")
			}
		}
		e.query(t, "Action=ReceiveMessage&QueueUrl="+url+"&AttributeNames=&MessageAttributeNames=&MessageSystemAttributeNames=").wantOK(t)
	})
}

func TestQueryAttributesWithoutNumbers(t *testing.T) {
	eachWire(t, places(), []wire{wireQuery}, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		e.query(t, "Action=SetQueueAttributes&QueueUrl="+url+"&Attribute.Name=DelaySeconds&Attribute.Value=1").wantOK(t)
		e.query(t, "Action=SetQueueAttributes&QueueUrl="+url+"&Attribute.3.Name=VisibilityTimeout&Attribute.3.Value=7").wantOK(t)
		got := e.attributes(t, url, "DelaySeconds", "VisibilityTimeout")
		if diff := cmp.Diff(attrs{"DelaySeconds": "1", "VisibilityTimeout": "7"}, got); diff != "" {
			t.Errorf("attributes (-want +got):\n%s", diff)
		}
		e.query(t, "Action=SendMessage&QueueUrl="+url+"&MessageBody=b&DelaySeconds=0&MessageAttribute.3.Name=x&MessageAttribute.3.Value.DataType=String&MessageAttribute.3.Value.StringValue=v").wantOK(t)
		for _, ask := range []string{"MessageAttributeName=x", "MessageAttributeName.1=x", "MessageAttributeName.2=x", "MessageAttributeNames=All"} {
			r := e.query(t, "Action=ReceiveMessage&VisibilityTimeout=0&QueueUrl="+url+"&"+ask).wantOK(t)
			if !strings.Contains(r.Body, "<StringValue>v</StringValue>") {
				t.Errorf("%s: the attribute is not in %s", ask, r.Body)
			}
		}
	})
}

// Form data is decoded once: plus is a blank, %2B is a plus.
func TestFormsAreDecodedOnce(t *testing.T) {
	eachWire(t, places(), []wire{wireQuery}, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for _, body := range []string{"a%2Bb+c%2520d%26e%3Df", "a%2Bb%20c%2520d%26e%3Df", "a%2bb+c%2520d%26e%3df"} {
			r := e.query(t, "Action=SendMessage&QueueUrl="+url+"&MessageBody="+body).wantOK(t)
			if want := "<MD5OfMessageBody>ae26cd911ea767c7cf6a5bdc4ded1eaa</MD5OfMessageBody>"; !strings.Contains(r.Body, want) {
				t.Errorf("%s: %s", body, r.Body)
			}
			m := e.receiveOne(t, url)
			wantBodies(t, e.receive(t, url))
			if *m.Body != "a+b c%20d&e=f" {
				t.Errorf("%s is stored as %q", body, *m.Body)
			}
			e.delete(t, url, m)
		}
		for _, bad := range []string{"MessageBody=%zz", "MessageBody=%4", "MessageBody=%ff%fe"} {
			if r := e.query(t, "Action=SendMessage&QueueUrl="+url+"&"+bad); r.Status != 400 {
				t.Errorf("%s: status %d, want 400", bad, r.Status)
			}
		}
		e.wantCounts(t, url, counts{"0", "0", "0"})
	})
}

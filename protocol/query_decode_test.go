package protocol

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func formRequest(form string) *Request {
	return &Request{Method: "POST", Path: "/", ContentType: "application/x-www-form-urlencoded", Body: []byte(form)}
}

func TestQueryDecode(t *testing.T) {
	t.Parallel()
	type attribute = MessageAttributeValue
	for name, tc := range map[string]struct {
		form string
		want any
	}{
		"ActionLast":             {"QueueNamePrefix=q&Version=2012-11-05&Action=ListQueues", &ListQueuesInput{QueueNamePrefix: new("q")}},
		"OldVersion":             {"Action=ListQueues&Version=2009-02-01", &ListQueuesInput{}},
		"NoVersion":              {"Action=ListQueues", &ListQueuesInput{}},
		"SignatureParameters":    {"Action=ListQueues&AWSAccessKeyId=k&SignatureVersion=2&X-Amz-Signature=f00&Expires=2030-01-01T00%3A00%3A00Z", &ListQueuesInput{}},
		"EmptyPairs":             {"&Action=ListQueues&&QueueNamePrefix=q&", &ListQueuesInput{QueueNamePrefix: new("q")}},
		"EscapedNames":           {"Acti%6Fn=ListQueues&Queue%4eamePrefix=q", &ListQueuesInput{QueueNamePrefix: new("q")}},
		"DecodedOnceWithPlus":    {"Action=SendMessage&MessageBody=a%2Bb+c%2520d%26e%3Df", &SendMessageInput{MessageBody: new("a+b c%20d&e=f")}},
		"DecodedOnceWithPercent": {"Action=SendMessage&MessageBody=a%2Bb%20c%2520d%26e%3Df", &SendMessageInput{MessageBody: new("a+b c%20d&e=f")}},
		"EqualsSignsInValue":     {"Action=DeleteMessage&ReceiptHandle=AQ==", &DeleteMessageInput{ReceiptHandle: new("AQ==")}},
		"RawUTF8":                {"Action=SendMessage&MessageBody=é🚀", &SendMessageInput{MessageBody: new("é🚀")}},
		"EmptyValueIsGiven":      {"Action=SendMessage&MessageBody=", &SendMessageInput{MessageBody: new("")}},
		"NameAloneIsEmpty":       {"Action=SendMessage&MessageBody", &SendMessageInput{MessageBody: new("")}},
		"LastDuplicateWins":      {"Action=ListQueues&QueueNamePrefix=a&QueueNamePrefix=b", &ListQueuesInput{QueueNamePrefix: new("b")}},
		"Integers":               {"Action=ReceiveMessage&MaxNumberOfMessages=10&WaitTimeSeconds=-1", &ReceiveMessageInput{MaxNumberOfMessages: new(int32(10)), WaitTimeSeconds: new(int32(-1))}},

		"NumberedList":           {"Action=GetQueueAttributes&AttributeName.1=A&AttributeName.2=B", &GetQueueAttributesInput{AttributeNames: []string{"A", "B"}}},
		"OrderedByNumber":        {"Action=GetQueueAttributes&AttributeName.10=C&AttributeName.9=B&AttributeName.1=A", &GetQueueAttributesInput{AttributeNames: []string{"A", "B", "C"}}},
		"GapsClosed":             {"Action=GetQueueAttributes&AttributeName.3=B&AttributeName.1=A", &GetQueueAttributesInput{AttributeNames: []string{"A", "B"}}},
		"UnnumberedList":         {"Action=GetQueueAttributes&AttributeName=All", &GetQueueAttributesInput{AttributeNames: []string{"All"}}},
		"UnnumberedRepeated":     {"Action=GetQueueAttributes&AttributeName=A&AttributeName=B", &GetQueueAttributesInput{AttributeNames: []string{"A", "B"}}},
		"UnnumberedBeforeOne":    {"Action=GetQueueAttributes&AttributeName.1=B&AttributeName=A", &GetQueueAttributesInput{AttributeNames: []string{"A", "B"}}},
		"NumberRepeated":         {"Action=GetQueueAttributes&AttributeName.1=A&AttributeName.1=B", &GetQueueAttributesInput{AttributeNames: []string{"B"}}},
		"LeadingZeros":           {"Action=GetQueueAttributes&AttributeName.02=B&AttributeName.001=A&AttributeName.00=Z", &GetQueueAttributesInput{AttributeNames: []string{"Z", "A", "B"}}},
		"HugeNumbers":            {"Action=GetQueueAttributes&AttributeName.99999999999999999999999999=C&AttributeName.2147483648=B&AttributeName.1=A", &GetQueueAttributesInput{AttributeNames: []string{"A", "B", "C"}}},
		"MemberNameOfTheModel":   {"Action=ReceiveMessage&MessageAttributeNames=All&AttributeNames.1=SenderId", &ReceiveMessageInput{MessageAttributeNames: []string{"All"}, AttributeNames: []string{"SenderId"}}},
		"EmptyListIsGiven":       {"Action=ReceiveMessage&AttributeNames=&MessageAttributeNames=", &ReceiveMessageInput{AttributeNames: []string{}, MessageAttributeNames: []string{}}},
		"EmptyListAndItems":      {"Action=ReceiveMessage&AttributeName=&AttributeName.1=All", &ReceiveMessageInput{AttributeNames: []string{"All"}}},
		"EmptyItemIsKept":        {"Action=UntagQueue&TagKey.1=", &UntagQueueInput{TagKeys: []string{""}}},
		"UnknownPartsIgnored":    {"Action=UntagQueue&TagKey.1=a&TagKey.x=b&TagKey.2.y=c&TagKey.-3=d", &UntagQueueInput{TagKeys: []string{"a"}}},
		"SystemAttributesByName": {"Action=ReceiveMessage&MessageSystemAttributeName.1=All", &ReceiveMessageInput{MessageSystemAttributeNames: []string{"All"}}},
		"AttributeNamesAlone":    {"Action=ReceiveMessage&AttributeName.1=SenderId&AttributeName.2=All", &ReceiveMessageInput{AttributeNames: []string{"SenderId", "All"}}},
		"UnnumberedPermission":   {"Action=AddPermission&Label=l&AWSAccountId=111122223333&ActionName=*", &AddPermissionInput{Label: new("l"), AWSAccountIDs: []string{"111122223333"}, Actions: []string{"*"}}},

		"NumberedMap":         {"Action=TagQueue&Tag.2.Value=2&Tag.1.Key=a&Tag.1.Value=1&Tag.2.Key=b", &TagQueueInput{Tags: map[string]string{"a": "1", "b": "2"}}},
		"UnnumberedMap":       {"Action=SetQueueAttributes&Attribute.Name=Policy&Attribute.Value=", &SetQueueAttributesInput{Attributes: map[string]string{"Policy": ""}}},
		"EmptyMapValue":       {"Action=TagQueue&Tag.1.Key=a&Tag.1.Value=", &TagQueueInput{Tags: map[string]string{"a": ""}}},
		"EmptyMapIsGiven":     {"Action=TagQueue&Tags=", &TagQueueInput{Tags: map[string]string{}}},
		"MissingKeyIsEmpty":   {"Action=TagQueue&Tag.1.Value=v", &TagQueueInput{Tags: map[string]string{"": "v"}}},
		"RepeatedKeyReplaces": {"Action=TagQueue&Tag.1.Key=a&Tag.1.Value=1&Tag.2.Key=a&Tag.2.Value=2", &TagQueueInput{Tags: map[string]string{"a": "2"}}},
		"SparseAttribute": {
			"Action=SendMessage&MessageAttribute.3.Name=n&MessageAttribute.3.Value.DataType=Number&MessageAttribute.3.Value.StringValue=007",
			&SendMessageInput{MessageAttributes: map[string]attribute{"n": {DataType: new("Number"), StringValue: new("007")}}},
		},
		"UnnumberedAttribute": {
			"Action=SendMessage&MessageAttribute.Name=b&MessageAttribute.Value.DataType=Binary&MessageAttribute.Value.BinaryValue=%2B%2F8%3D",
			&SendMessageInput{MessageAttributes: map[string]attribute{"b": {DataType: new("Binary"), BinaryValue: []byte{0xfb, 0xff}}}},
		},
		"AttributeWithoutValue": {"Action=SendMessage&MessageAttribute.1.Name=n", &SendMessageInput{MessageAttributes: map[string]attribute{"n": {}}}},
		"NestedBatch": {
			"Action=SendMessageBatch&SendMessageBatchRequestEntry.2.Id=b&SendMessageBatchRequestEntry.1.Id=a&SendMessageBatchRequestEntry.1.DelaySeconds=3" +
				"&SendMessageBatchRequestEntry.1.MessageAttribute.2.Name=n&SendMessageBatchRequestEntry.1.MessageAttribute.2.Value.StringValue=v",
			&SendMessageBatchInput{Entries: []SendMessageBatchRequestEntry{
				{ID: new("a"), DelaySeconds: new(int32(3)), MessageAttributes: map[string]attribute{"n": {StringValue: new("v")}}}, {ID: new("b")},
			}},
		},
		"EntriesByModelName": {"Action=DeleteMessageBatch&Entries.1.Id=a", &DeleteMessageBatchInput{Entries: []DeleteMessageBatchRequestEntry{{ID: new("a")}}}},
		"UnnumberedEntry":    {"Action=DeleteMessageBatch&DeleteMessageBatchRequestEntry.Id=a&DeleteMessageBatchRequestEntry.ReceiptHandle=h", &DeleteMessageBatchInput{Entries: []DeleteMessageBatchRequestEntry{{ID: new("a"), ReceiptHandle: new("h")}}}},
		"EmptyEntryId":       {"Action=DeleteMessageBatch&DeleteMessageBatchRequestEntry.1.Id=", &DeleteMessageBatchInput{Entries: []DeleteMessageBatchRequestEntry{{ID: new("")}}}},
		"NoEntries":          {"Action=DeleteMessageBatch", &DeleteMessageBatchInput{Entries: []DeleteMessageBatchRequestEntry{}}},
		"EmptyEntries":       {"Action=SendMessageBatch&Entries=", &SendMessageBatchInput{Entries: []SendMessageBatchRequestEntry{}}},
		"EmptyEntriesByItem": {"Action=SendMessageBatch&SendMessageBatchRequestEntry=", &SendMessageBatchInput{Entries: []SendMessageBatchRequestEntry{}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			post := formRequest(tc.form)
			get := &Request{Method: "GET", Path: "/", RawQuery: tc.form}
			mixed := &Request{Method: "POST", Path: "/", ContentType: post.ContentType, RawQuery: tc.form, Body: []byte("Foo=1")}
			for way, r := range map[string]*Request{"Post": post, "Get": get, "PostWithQueryString": mixed} {
				call, err := Query.Decode(r)
				if err != nil {
					t.Fatalf("%s: %v", way, err)
				}
				if diff := cmp.Diff(tc.want, call.Input); diff != "" {
					t.Errorf("%s (-want +got):\n%s", way, diff)
				}
			}
		})
	}
}

func TestQueryRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		form string
		want *Error
	}{
		"BrokenEscape":    {"Action=SendMessage&MessageBody=%4", Serialization.New("The value of parameter MessageBody is not valid percent-encoded UTF-8.")},
		"NoHexDigits":     {"Action=SendMessage&MessageBody=%zz1", Serialization.New("The value of parameter MessageBody is not valid percent-encoded UTF-8.")},
		"LonePercent":     {"Action=SendMessage&MessageBody=100%", Serialization.New("The value of parameter MessageBody is not valid percent-encoded UTF-8.")},
		"BrokenUTF8":      {"Action=SendMessage&MessageBody=%FF", Serialization.New("The value of parameter MessageBody is not valid percent-encoded UTF-8.")},
		"RawBrokenUTF8":   {"Action=SendMessage&MessageBody=\xff", Serialization.New("The value of parameter MessageBody is not valid percent-encoded UTF-8.")},
		"SurrogateAsUTF8": {"Action=SendMessage&MessageBody=%ED%A0%80", Serialization.New("The value of parameter MessageBody is not valid percent-encoded UTF-8.")},
		"BrokenName":      {"Action=SendMessage&%C3=x", Serialization.New("A parameter name is not valid percent-encoded UTF-8.")},
		"BadBase64":       {"Action=SendMessage&MessageAttribute.1.Name=n&MessageAttribute.1.Value.BinaryValue=A", Serialization.New("A binary value is not valid base64.")},
		"TextForInt":      {"Action=ReceiveMessage&MaxNumberOfMessages=abc", InvalidParameterValue.New("Value abc for parameter MaxNumberOfMessages is invalid. Reason: Must be an integer of 32 bits.")},
		"EmptyInt":        {"Action=ReceiveMessage&MaxNumberOfMessages=", InvalidParameterValue.New("Value  for parameter MaxNumberOfMessages is invalid. Reason: Must be an integer of 32 bits.")},
		"FractionForInt":  {"Action=ReceiveMessage&MaxNumberOfMessages=1.0", InvalidParameterValue.New("Value 1.0 for parameter MaxNumberOfMessages is invalid. Reason: Must be an integer of 32 bits.")},
		"IntTooLarge":     {"Action=ReceiveMessage&WaitTimeSeconds=2147483648", InvalidParameterValue.New("Value 2147483648 for parameter WaitTimeSeconds is invalid. Reason: Must be an integer of 32 bits.")},
		"IntInEntry":      {"Action=SendMessageBatch&SendMessageBatchRequestEntry.07.DelaySeconds=x", InvalidParameterValue.New("Value x for parameter SendMessageBatchRequestEntry.07.DelaySeconds is invalid. Reason: Must be an integer of 32 bits.")},
		"LongValue":       {"Action=ReceiveMessage&WaitTimeSeconds=" + strings.Repeat("9", 10_000), InvalidParameterValue.New("Value " + strings.Repeat("9", 256) + "... for parameter WaitTimeSeconds is invalid. Reason: Must be an integer of 32 bits.")},
		"TextForEntries":  {"Action=SendMessageBatch&Entries=x", InvalidParameterValue.New("Value x for parameter Entries is invalid. Reason: Must be a structure.")},
		"TextForEntry":    {"Action=SendMessageBatch&SendMessageBatchRequestEntry.1=x", InvalidParameterValue.New("Value x for parameter SendMessageBatchRequestEntry.1 is invalid. Reason: Must be a structure.")},
		"MissingMapValue": {"Action=SetQueueAttributes&Attribute.4.Name=Policy", MissingParameter.New("The request must contain the parameter Attribute.Value.")},
		"TooMany":         {"Action=ListQueues" + strings.Repeat("&a=b", 10_000), Serialization.New("The request has more than 10000 parameters.")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Query.Decode(formRequest(tc.form))
			if diff := cmp.Diff(tc.want, err); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestQueryBodyHidesQueryString checks that the two places of parameters are
// one set in which the body comes first.
func TestQueryBodyHidesQueryString(t *testing.T) {
	t.Parallel()
	r := formRequest("QueueNamePrefix=body&Action=ListQueues")
	r.RawQuery = "Action=PurgeQueue&QueueNamePrefix=url&MaxResults=7"
	call, err := Query.Decode(r)
	if err != nil {
		t.Fatal(err)
	}
	want := &ListQueuesInput{QueueNamePrefix: new("body"), MaxResults: new(int32(7))}
	if diff := cmp.Diff(want, call.Input); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestQueryAgreesWithNetURL decodes what the standard library encodes.
func TestQueryAgreesWithNetURL(t *testing.T) {
	t.Parallel()
	var all strings.Builder
	for r := rune(0); r < 0x3000; r++ {
		all.WriteRune(r)
	}
	form := url.Values{"Action": {"SendMessage"}, "MessageBody": {all.String()}}
	call, err := Query.Decode(formRequest(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if got := *call.Input.(*SendMessageInput).MessageBody; got != all.String() {
		t.Error("the text changed on the way")
	}
}

// TestQueryIndexesCostNothing checks that the memory a request takes depends on
// its size and not on the numbers in it.
func TestQueryIndexesCostNothing(t *testing.T) {
	form := func(index string) string {
		return fmt.Sprintf("Action=GetQueueAttributes&AttributeName.%s=All", index)
	}
	cost := func(form string) float64 {
		r := formRequest(form)
		return testing.AllocsPerRun(100, func() {
			if _, err := Query.Decode(r); err != nil {
				t.Fatal(err)
			}
		})
	}
	if small, huge := cost(form("1")), cost(form("4294967295")); huge > small {
		t.Errorf("%v allocations for index 1, %v for a huge one", small, huge)
	}
}

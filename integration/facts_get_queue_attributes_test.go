package integration

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

func TestFactsOfGetQueueAttributes(t *testing.T) {
	const action = "GetQueueAttributes"
	// given is the fact of which attributes a fresh standard queue answers with.
	given := func(name string, ask []types.QueueAttributeName, want ...string) fact {
		return fact{action, name, "", func(t *testing.T, e *env) {
			if got := names(e.attributes(t, e.create(t, nil), ask...)); !slices.Equal(got, want) {
				t.Errorf("attributes (-want +got):\n%s", cmp.Diff(want, got))
			}
		}}
	}
	type of = []types.QueueAttributeName
	runFacts(t, []fact{
		answers(action, "WithoutNames", args{}, "{}", "<GetQueueAttributesResult/>"),
		answers(action, "NoNamesInTheList", args{"AttributeNames": list{}}, "{}", "<GetQueueAttributesResult/>"),
		answers(action, "TheFormOfItsAnswer", args{"AttributeNames": list{"DelaySeconds"}}, `{"Attributes":{"DelaySeconds":"0"}}`,
			"<GetQueueAttributesResult><Attribute><Name>DelaySeconds</Name><Value>0</Value></Attribute></GetQueueAttributesResult>"),
		answers(action, "KnownNamesWithoutAValue", args{"AttributeNames": list{"Policy", "RedrivePolicy", "RedriveAllowPolicy", "KmsMasterKeyId", "KmsDataKeyReusePeriodSeconds"}}, "{}", "<GetQueueAttributesResult/>"),
		answers(action, "NamesOfFIFOQueuesOnly", args{"AttributeNames": list{"FifoQueue", "ContentBasedDeduplication", "DeduplicationScope", "FifoThroughputLimit"}}, "{}", "<GetQueueAttributesResult/>"),
		given("One", of{"QueueArn"}, "QueueArn"),
		given("Two", of{"DelaySeconds", "VisibilityTimeout"}, "DelaySeconds", "VisibilityTimeout"),
		given("OneTwice", of{"DelaySeconds", "DelaySeconds"}, "DelaySeconds"),
		given("OneWithAndOneWithoutAValue", of{"Policy", "DelaySeconds"}, "DelaySeconds"),
		given("All", of{"All"}, standardAttributes...),
		given("AllAndOne", of{"All", "QueueArn"}, standardAttributes...),
		refused(action, "AnUnknownName", args{"AttributeNames": list{"Foobar"}}, badName, "Unknown Attribute Foobar."),
		refused(action, "AllInLowerCase", args{"AttributeNames": list{"all"}}, badName, "Unknown Attribute all."),
		refused(action, "AllAndAnUnknownName", args{"AttributeNames": list{"All", "Foobar"}}, badName, "Unknown Attribute Foobar."),
		refused(action, "AnEmptyName", args{"AttributeNames": list{""}}, badName, "Unknown Attribute ."),
		refused(action, "AllAndAnEmptyName", args{"AttributeNames": list{"All", ""}}, badName, "Unknown Attribute ."),
		{action, "ChangesShowAtOnce", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			e.setAttributes(t, url, attrs{"DelaySeconds": "7"})
			e.send(t, url, "b")
			if a := e.attributes(t, url, "All"); a["DelaySeconds"] != "7" || a["ApproximateNumberOfMessagesDelayed"] != "1" {
				t.Errorf("attributes are %v", a)
			}
		}},
	})
}

package integration

import (
	"testing"
	"time"
)

func TestFactsOfSetQueueAttributes(t *testing.T) {
	const action = "SetQueueAttributes"
	const noName = "The request must contain the parameter Attribute.Name."
	set := func(url string, a attrs) args { return args{"QueueUrl": url, "Attributes": a} }
	runFacts(t, []fact{
		answers(action, "ItsAnswerIsEmpty", set("q", attrs{"DelaySeconds": "1"}), "", ""),
		refused(action, "WithoutAttributes", args{}, noParam, noName),
		refused(action, "NoAttributesInTheMap", set("q", attrs{}), noParam, noName),
		{action, "ANameWithoutAValueInAForm", onlyQuery, func(t *testing.T, e *env) {
			e.world(t, action, args{})
			e.query(t, "Action=SetQueueAttributes&QueueUrl=q&Attribute.1.Name=DelaySeconds").wantRefusal(t, e, noParam, "The request must contain the parameter Attribute.Value.")
		}},
		refused(action, "FIFOQueueTrueOnAStandardQueue", set("q", attrs{"FifoQueue": "true"}), badName, "Unknown Attribute FifoQueue."),
		refused(action, "FIFOQueueFalseOnAStandardQueue", set("q", attrs{"FifoQueue": "false"}), badName, "Unknown Attribute FifoQueue."),
		accepted(action, "FIFOQueueTrueOnAFIFOQueue", set("q.fifo", attrs{"FifoQueue": "true"})),
		refused(action, "FIFOQueueFalseOnAFIFOQueue", set("q.fifo", attrs{"FifoQueue": "false"}), badAttr, "Invalid value for the parameter FifoQueue. Reason: Modifying queue type is not supported."),
		refused(action, "OneBadOfTwoChangesNothing", set("q", attrs{"DelaySeconds": "7", "VisibilityTimeout": "43201"}), badAttr, "Invalid value for the parameter VisibilityTimeout."),
		refused(action, "OneUnknownOfTwoChangesNothing", set("q", attrs{"DelaySeconds": "7", "Bogus": "1"}), badName, "Unknown Attribute Bogus."),
		{action, "LastModifiedTimestampMoves", "", func(t *testing.T, e *env) {
			url := e.create(t, nil)
			before := e.attributes(t, url, "All")
			time.Sleep(7 * time.Second)
			e.setAttributes(t, url, attrs{"DelaySeconds": "1"})
			after := e.attributes(t, url, "All")
			if before["CreatedTimestamp"] != "946684800" || after["CreatedTimestamp"] != before["CreatedTimestamp"] {
				t.Errorf("created %s, then %s", before["CreatedTimestamp"], after["CreatedTimestamp"])
			}
			if before["LastModifiedTimestamp"] != "946684800" || after["LastModifiedTimestamp"] != "946684807" {
				t.Errorf("modified %s, then %s; want 7 s between", before["LastModifiedTimestamp"], after["LastModifiedTimestamp"])
			}
		}},
	})
}

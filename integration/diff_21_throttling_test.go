package integration

import (
	"fmt"
	"testing"
)

// DIFFERENCES 21: attributes and tags can be changed as fast as one likes. AWS
// answers RequestThrottled when attributes change again too soon, and to more
// than 30 calls about tags in a second.
func TestDiff21ChangesAreNotThrottled(t *testing.T) {
	forEachInBubble(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		for i := range 100 { // in one moment of the bubble's time
			e.setAttributes(t, url, attrs{"VisibilityTimeout": fmt.Sprint(i)})
			e.call(t, "TagQueue", args{"QueueUrl": url, "Tags": attrs{"k": fmt.Sprint(i)}}).wantOK(t)
			e.call(t, "UntagQueue", args{"QueueUrl": url, "TagKeys": list{"k"}}).wantOK(t)
		}
	})
}

package integration

import "testing"

// DIFFERENCES 5: message move tasks, permissions and the list of
// dead-letter sources are known actions that answer UnsupportedOperation.
func TestDiff05ActionsThatAreNotSupported(t *testing.T) {
	forEach(t, func(t *testing.T, e *env) {
		url := e.create(t, nil)
		arn := e.attributes(t, url, "QueueArn")["QueueArn"]
		for action, in := range map[string]args{
			"StartMessageMoveTask":       {"SourceArn": arn},
			"ListMessageMoveTasks":       {"SourceArn": arn},
			"CancelMessageMoveTask":      {"TaskHandle": "x"},
			"ListDeadLetterSourceQueues": {"QueueUrl": url},
			"AddPermission":              {"QueueUrl": url, "Label": "l", "AWSAccountIds": list{"111111111111"}, "Actions": list{"SendMessage"}},
			"RemovePermission":           {"QueueUrl": url, "Label": "l"},
		} {
			r := e.call(t, action, in)
			if r.Status != 400 || r.Code != "AWS.SimpleQueueService.UnsupportedOperation" {
				t.Errorf("%s: %d %s", action, r.Status, r.Code)
			}
		}
		for _, action := range []string{"AddPermission", "RemovePermission"} {
			e.call(t, action, args{"QueueUrl": e.url + "/" + e.account + "/nowhere", "Label": "l", "AWSAccountIds": list{"111111111111"}, "Actions": list{"SendMessage"}}).
				wantCode(t, "AWS.SimpleQueueService.NonExistentQueue")
		}
	})
}

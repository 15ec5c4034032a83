package protocol

// StartMessageMoveTaskInput is the request of StartMessageMoveTask.
type StartMessageMoveTaskInput struct {
	SourceARN                    *string `json:"SourceArn"`
	DestinationARN               *string `json:"DestinationArn"`
	MaxNumberOfMessagesPerSecond *int32  `json:"MaxNumberOfMessagesPerSecond"`
}

// StartMessageMoveTaskOutput is the answer of StartMessageMoveTask.
type StartMessageMoveTaskOutput struct {
	TaskHandle *string `json:"TaskHandle"`
}

// CancelMessageMoveTaskInput is the request of CancelMessageMoveTask.
type CancelMessageMoveTaskInput struct {
	TaskHandle *string `json:"TaskHandle"`
}

// CancelMessageMoveTaskOutput is the answer of CancelMessageMoveTask.
type CancelMessageMoveTaskOutput struct {
	ApproximateNumberOfMessagesMoved *int64 `json:"ApproximateNumberOfMessagesMoved"`
}

// ListMessageMoveTasksInput is the request of ListMessageMoveTasks.
type ListMessageMoveTasksInput struct {
	SourceARN  *string `json:"SourceArn"`
	MaxResults *int32  `json:"MaxResults"`
}

// ListMessageMoveTasksOutput is the answer of ListMessageMoveTasks.
type ListMessageMoveTasksOutput struct {
	Results []ListMessageMoveTasksResultEntry `json:"Results" query:"ListMessageMoveTasksResultEntry"`
}

// ListMessageMoveTasksResultEntry describes one move task. StartedTimestamp is
// in milliseconds since 1970; the rate is in messages per second, absent when
// the task chooses its own; TaskHandle is present while the task runs.
type ListMessageMoveTasksResultEntry struct {
	TaskHandle                        *string `json:"TaskHandle"`
	Status                            *string `json:"Status"`
	SourceARN                         *string `json:"SourceArn"`
	DestinationARN                    *string `json:"DestinationArn"`
	MaxNumberOfMessagesPerSecond      *int32  `json:"MaxNumberOfMessagesPerSecond"`
	ApproximateNumberOfMessagesMoved  *int64  `json:"ApproximateNumberOfMessagesMoved"`
	ApproximateNumberOfMessagesToMove *int64  `json:"ApproximateNumberOfMessagesToMove"`
	FailureReason                     *string `json:"FailureReason"`
	StartedTimestamp                  *int64  `json:"StartedTimestamp"`
}

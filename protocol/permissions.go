package protocol

// AddPermissionInput is the request of AddPermission.
type AddPermissionInput struct {
	QueueURL      *string  `json:"QueueUrl"`
	Label         *string  `json:"Label"`
	AWSAccountIDs []string `json:"AWSAccountIds" query:"AWSAccountId"`
	Actions       []string `json:"Actions" query:"ActionName"`
}

// RemovePermissionInput is the request of RemovePermission.
type RemovePermissionInput struct {
	QueueURL *string `json:"QueueUrl"`
	Label    *string `json:"Label"`
}

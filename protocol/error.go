package protocol

// Fault says whose mistake an error is.
type Fault string

// The two faults of the protocols.
const (
	Sender   Fault = "Sender"
	Receiver Fault = "Receiver"
)

// Namespaces of the JSON __type member: errors in SQS's own model, and errors
// of the framework that AWS serves it with.
const (
	nsSQS   = "com.amazonaws.sqs"
	nsCoral = "com.amazon.coral.service"
)

// Kind is one row of the error catalogue: how one kind of error looks in both
// protocols.
type Kind struct {
	// Shape is the short name in the JSON __type member.
	Shape string
	// Namespace stands before the shape, parted by "#".
	Namespace string
	// QueryCode is the <Code> of Query and the first half of the JSON
	// x-amzn-query-error header.
	QueryCode string
	// Status is the HTTP status.
	Status int
	// Fault is Sender for the caller's mistakes and Receiver for ours.
	Fault Fault
	// Message is the text used when the error has none of its own.
	Message string
	// QueryMessage replaces Message on Query where AWS words it otherwise.
	QueryMessage string
}

// Error is an operation's failure in the vocabulary of the wire.
type Error struct {
	// Kind is never nil.
	Kind *Kind
	// Message is the text for the caller; empty means the kind's own.
	Message string
}

// The catalogue: every kind of error that either protocol can carry. The
// variable is the JSON shape without its "Exception".
var (
	QueueDoesNotExist            = &Kind{Shape: "QueueDoesNotExist", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.NonExistentQueue", Status: 400, Fault: Sender, Message: "The specified queue does not exist.", QueryMessage: "The specified queue does not exist for this wsdl version."}
	QueueNameExists              = &Kind{Shape: "QueueNameExists", Namespace: nsSQS, QueryCode: "QueueAlreadyExists", Status: 400, Fault: Sender}
	QueueDeletedRecently         = &Kind{Shape: "QueueDeletedRecently", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.QueueDeletedRecently", Status: 400, Fault: Sender}
	InvalidAttributeName         = &Kind{Shape: "InvalidAttributeName", Namespace: nsSQS, QueryCode: "InvalidAttributeName", Status: 400, Fault: Sender}
	InvalidAttributeValue        = &Kind{Shape: "InvalidAttributeValue", Namespace: nsSQS, QueryCode: "InvalidAttributeValue", Status: 400, Fault: Sender}
	InvalidMessageContents       = &Kind{Shape: "InvalidMessageContents", Namespace: nsSQS, QueryCode: "InvalidMessageContents", Status: 400, Fault: Sender}
	UnsupportedOperation         = &Kind{Shape: "UnsupportedOperation", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.UnsupportedOperation", Status: 400, Fault: Sender}
	EmptyBatchRequest            = &Kind{Shape: "EmptyBatchRequest", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.EmptyBatchRequest", Status: 400, Fault: Sender}
	TooManyEntriesInBatchRequest = &Kind{Shape: "TooManyEntriesInBatchRequest", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.TooManyEntriesInBatchRequest", Status: 400, Fault: Sender}
	BatchEntryIDsNotDistinct     = &Kind{Shape: "BatchEntryIdsNotDistinct", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.BatchEntryIdsNotDistinct", Status: 400, Fault: Sender}
	InvalidBatchEntryID          = &Kind{Shape: "InvalidBatchEntryId", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.InvalidBatchEntryId", Status: 400, Fault: Sender}
	BatchRequestTooLong          = &Kind{Shape: "BatchRequestTooLong", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.BatchRequestTooLong", Status: 400, Fault: Sender}
	ReceiptHandleIsInvalid       = &Kind{Shape: "ReceiptHandleIsInvalid", Namespace: nsSQS, QueryCode: "ReceiptHandleIsInvalid", Status: 404, Fault: Sender}
	MessageNotInflight           = &Kind{Shape: "MessageNotInflight", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.MessageNotInflight", Status: 400, Fault: Sender}
	InvalidIDFormat              = &Kind{Shape: "InvalidIdFormat", Namespace: nsSQS, QueryCode: "InvalidIdFormat", Status: 400, Fault: Sender}
	PurgeQueueInProgress         = &Kind{Shape: "PurgeQueueInProgress", Namespace: nsSQS, QueryCode: "AWS.SimpleQueueService.PurgeQueueInProgress", Status: 403, Fault: Sender}
	OverLimit                    = &Kind{Shape: "OverLimit", Namespace: nsSQS, QueryCode: "OverLimit", Status: 403, Fault: Sender}
	RequestThrottled             = &Kind{Shape: "RequestThrottled", Namespace: nsSQS, QueryCode: "RequestThrottled", Status: 403, Fault: Sender}
	InvalidSecurity              = &Kind{Shape: "InvalidSecurity", Namespace: nsSQS, QueryCode: "InvalidSecurity", Status: 403, Fault: Sender}
	InvalidAddress               = &Kind{Shape: "InvalidAddress", Namespace: nsSQS, QueryCode: "InvalidAddress", Status: 404, Fault: Sender}
	ResourceNotFound             = &Kind{Shape: "ResourceNotFoundException", Namespace: nsSQS, QueryCode: "ResourceNotFoundException", Status: 404, Fault: Sender}
	KmsAccessDenied              = &Kind{Shape: "KmsAccessDenied", Namespace: nsSQS, QueryCode: "KMS.AccessDeniedException", Status: 400, Fault: Sender}
	KmsDisabled                  = &Kind{Shape: "KmsDisabled", Namespace: nsSQS, QueryCode: "KMS.DisabledException", Status: 400, Fault: Sender}
	KmsInvalidKeyUsage           = &Kind{Shape: "KmsInvalidKeyUsage", Namespace: nsSQS, QueryCode: "KMS.InvalidKeyUsageException", Status: 400, Fault: Sender}
	KmsInvalidState              = &Kind{Shape: "KmsInvalidState", Namespace: nsSQS, QueryCode: "KMS.InvalidStateException", Status: 400, Fault: Sender}
	KmsNotFound                  = &Kind{Shape: "KmsNotFound", Namespace: nsSQS, QueryCode: "KMS.NotFoundException", Status: 400, Fault: Sender}
	KmsOptInRequired             = &Kind{Shape: "KmsOptInRequired", Namespace: nsSQS, QueryCode: "KMS.OptInRequired", Status: 403, Fault: Sender}
	KmsThrottled                 = &Kind{Shape: "KmsThrottled", Namespace: nsSQS, QueryCode: "KMS.ThrottlingException", Status: 400, Fault: Sender}
	InvalidParameterValue        = &Kind{Shape: "InvalidParameterValueException", Namespace: nsCoral, QueryCode: "InvalidParameterValue", Status: 400, Fault: Sender}
	MissingParameter             = &Kind{Shape: "MissingRequiredParameterException", Namespace: nsCoral, QueryCode: "MissingParameter", Status: 400, Fault: Sender}
	Serialization                = &Kind{Shape: "SerializationException", Namespace: nsCoral, QueryCode: "MalformedInput", Status: 400, Fault: Sender}
	UnknownOperation             = &Kind{Shape: "UnknownOperationException", Namespace: nsCoral, QueryCode: "InvalidAction", Status: 400, Fault: Sender}
	AccessDenied                 = &Kind{Shape: "AccessDeniedException", Namespace: nsCoral, QueryCode: "AccessDenied", Status: 403, Fault: Sender}
	UnrecognizedClient           = &Kind{Shape: "UnrecognizedClientException", Namespace: nsCoral, QueryCode: "InvalidClientTokenId", Status: 403, Fault: Sender}
	InvalidSignature             = &Kind{Shape: "InvalidSignatureException", Namespace: nsCoral, QueryCode: "SignatureDoesNotMatch", Status: 403, Fault: Sender}
	IncompleteSignature          = &Kind{Shape: "IncompleteSignatureException", Namespace: nsCoral, QueryCode: "IncompleteSignature", Status: 400, Fault: Sender}
	ExpiredToken                 = &Kind{Shape: "ExpiredTokenException", Namespace: nsCoral, QueryCode: "ExpiredToken", Status: 403, Fault: Sender}
	MissingAuthenticationToken   = &Kind{Shape: "MissingAuthenticationTokenException", Namespace: nsCoral, QueryCode: "MissingAuthenticationToken", Status: 403, Fault: Sender}
	Throttling                   = &Kind{Shape: "ThrottlingException", Namespace: nsCoral, QueryCode: "ThrottlingException", Status: 400, Fault: Sender}
	InternalFailure              = &Kind{Shape: "InternalFailure", Namespace: nsCoral, QueryCode: "InternalFailure", Status: 500, Fault: Receiver}
	ServiceUnavailable           = &Kind{Shape: "ServiceUnavailable", Namespace: nsCoral, QueryCode: "ServiceUnavailable", Status: 503, Fault: Receiver}
)

// Kinds lists the whole catalogue, in the order above.
func Kinds() []*Kind {
	return []*Kind{
		QueueDoesNotExist,
		QueueNameExists,
		QueueDeletedRecently,
		InvalidAttributeName,
		InvalidAttributeValue,
		InvalidMessageContents,
		UnsupportedOperation,
		EmptyBatchRequest,
		TooManyEntriesInBatchRequest,
		BatchEntryIDsNotDistinct,
		InvalidBatchEntryID,
		BatchRequestTooLong,
		ReceiptHandleIsInvalid,
		MessageNotInflight,
		InvalidIDFormat,
		PurgeQueueInProgress,
		OverLimit,
		RequestThrottled,
		InvalidSecurity,
		InvalidAddress,
		ResourceNotFound,
		KmsAccessDenied,
		KmsDisabled,
		KmsInvalidKeyUsage,
		KmsInvalidState,
		KmsNotFound,
		KmsOptInRequired,
		KmsThrottled,
		InvalidParameterValue,
		MissingParameter,
		Serialization,
		UnknownOperation,
		AccessDenied,
		UnrecognizedClient,
		InvalidSignature,
		IncompleteSignature,
		ExpiredToken,
		MissingAuthenticationToken,
		Throttling,
		InternalFailure,
		ServiceUnavailable,
	}
}

// New makes an error of this kind with its own text for the caller.
func (k *Kind) New(message string) *Error { return &Error{Kind: k, Message: message} }

// Error gives the short name and the text, for logs and tests.
func (e *Error) Error() string {
	if e.Message == "" {
		return e.Kind.Shape + ": " + e.Kind.Message
	}
	return e.Kind.Shape + ": " + e.Message
}

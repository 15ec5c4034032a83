package protocol

// The catalogue: every kind of error that either protocol can carry. The
// variable is the JSON shape without its "Exception".
var (
	QueueDoesNotExist = &Kind{
		Shape: "QueueDoesNotExist", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.NonExistentQueue", Status: 400, Fault: Sender,
		Message:      "The specified queue does not exist.",
		QueryMessage: "The specified queue does not exist for this wsdl version.",
	}
	QueueNameExists = &Kind{
		Shape: "QueueNameExists", Namespace: nsSQS,
		QueryCode: "QueueAlreadyExists", Status: 400, Fault: Sender,
		Message: "A queue already exists with the same name and a different value for an attribute.",
	}
	QueueDeletedRecently = &Kind{
		Shape: "QueueDeletedRecently", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.QueueDeletedRecently", Status: 400, Fault: Sender,
		Message: "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
	}
	InvalidAttributeName = &Kind{
		Shape: "InvalidAttributeName", Namespace: nsSQS,
		QueryCode: "InvalidAttributeName", Status: 400, Fault: Sender,
		Message: "The specified attribute does not exist.",
	}
	InvalidAttributeValue = &Kind{
		Shape: "InvalidAttributeValue", Namespace: nsSQS,
		QueryCode: "InvalidAttributeValue", Status: 400, Fault: Sender,
		Message: "A queue attribute value is invalid.",
	}
	InvalidMessageContents = &Kind{
		Shape: "InvalidMessageContents", Namespace: nsSQS,
		QueryCode: "InvalidMessageContents", Status: 400, Fault: Sender,
		Message: "The message contains characters outside the allowed set.",
	}
	UnsupportedOperation = &Kind{
		Shape: "UnsupportedOperation", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.UnsupportedOperation", Status: 400, Fault: Sender,
		Message: "The operation is not supported.",
	}
	EmptyBatchRequest = &Kind{
		Shape: "EmptyBatchRequest", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.EmptyBatchRequest", Status: 400, Fault: Sender,
		Message: "The batch request does not contain any entries.",
	}
	TooManyEntriesInBatchRequest = &Kind{
		Shape: "TooManyEntriesInBatchRequest", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.TooManyEntriesInBatchRequest", Status: 400, Fault: Sender,
		Message: "The batch request contains more entries than permissible.",
	}
	BatchEntryIDsNotDistinct = &Kind{
		Shape: "BatchEntryIdsNotDistinct", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.BatchEntryIdsNotDistinct", Status: 400, Fault: Sender,
		Message: "Two or more batch entries in the request have the same Id.",
	}
	InvalidBatchEntryID = &Kind{
		Shape: "InvalidBatchEntryId", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.InvalidBatchEntryId", Status: 400, Fault: Sender,
		Message: "A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.",
	}
	BatchRequestTooLong = &Kind{
		Shape: "BatchRequestTooLong", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.BatchRequestTooLong", Status: 400, Fault: Sender,
		Message: "The length of all the messages put together is more than the limit.",
	}
	ReceiptHandleIsInvalid = &Kind{
		Shape: "ReceiptHandleIsInvalid", Namespace: nsSQS,
		QueryCode: "ReceiptHandleIsInvalid", Status: 404, Fault: Sender,
		Message: "The specified receipt handle is not valid.",
	}
	MessageNotInflight = &Kind{
		Shape: "MessageNotInflight", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.MessageNotInflight", Status: 400, Fault: Sender,
		Message: "The specified message is not in flight.",
	}
	InvalidIDFormat = &Kind{
		Shape: "InvalidIdFormat", Namespace: nsSQS,
		QueryCode: "InvalidIdFormat", Status: 400, Fault: Sender,
		Message: "The specified receipt handle is not valid for the current version.",
	}
	PurgeQueueInProgress = &Kind{
		Shape: "PurgeQueueInProgress", Namespace: nsSQS,
		QueryCode: "AWS.SimpleQueueService.PurgeQueueInProgress", Status: 403, Fault: Sender,
		Message: "The queue was purged within the last 60 seconds.",
	}
	OverLimit = &Kind{
		Shape: "OverLimit", Namespace: nsSQS,
		QueryCode: "OverLimit", Status: 403, Fault: Sender,
		Message: "The action exceeds a limit.",
	}
	RequestThrottled = &Kind{
		Shape: "RequestThrottled", Namespace: nsSQS,
		QueryCode: "RequestThrottled", Status: 403, Fault: Sender,
		Message: "The request was denied because of too many requests.",
	}
	InvalidSecurity = &Kind{
		Shape: "InvalidSecurity", Namespace: nsSQS,
		QueryCode: "InvalidSecurity", Status: 403, Fault: Sender,
		Message: "The request was not made over a secure connection, or its signature is not valid.",
	}
	InvalidAddress = &Kind{
		Shape: "InvalidAddress", Namespace: nsSQS,
		QueryCode: "InvalidAddress", Status: 404, Fault: Sender,
		Message: "The specified address is not valid.",
	}
	ResourceNotFound = &Kind{
		Shape: "ResourceNotFoundException", Namespace: nsSQS,
		QueryCode: "ResourceNotFoundException", Status: 404, Fault: Sender,
		Message: "One or more of the specified resources do not exist.",
	}
	KmsAccessDenied = &Kind{
		Shape: "KmsAccessDenied", Namespace: nsSQS,
		QueryCode: "KMS.AccessDeniedException", Status: 400, Fault: Sender,
		Message: "Access to the encryption key was denied.",
	}
	KmsDisabled = &Kind{
		Shape: "KmsDisabled", Namespace: nsSQS,
		QueryCode: "KMS.DisabledException", Status: 400, Fault: Sender,
		Message: "The encryption key is disabled.",
	}
	KmsInvalidKeyUsage = &Kind{
		Shape: "KmsInvalidKeyUsage", Namespace: nsSQS,
		QueryCode: "KMS.InvalidKeyUsageException", Status: 400, Fault: Sender,
		Message: "The encryption key cannot be used for this operation.",
	}
	KmsInvalidState = &Kind{
		Shape: "KmsInvalidState", Namespace: nsSQS,
		QueryCode: "KMS.InvalidStateException", Status: 400, Fault: Sender,
		Message: "The state of the encryption key does not allow this operation.",
	}
	KmsNotFound = &Kind{
		Shape: "KmsNotFound", Namespace: nsSQS,
		QueryCode: "KMS.NotFoundException", Status: 400, Fault: Sender,
		Message: "The encryption key was not found.",
	}
	KmsOptInRequired = &Kind{
		Shape: "KmsOptInRequired", Namespace: nsSQS,
		QueryCode: "KMS.OptInRequired", Status: 403, Fault: Sender,
		Message: "The encryption key needs a subscription.",
	}
	KmsThrottled = &Kind{
		Shape: "KmsThrottled", Namespace: nsSQS,
		QueryCode: "KMS.ThrottlingException", Status: 400, Fault: Sender,
		Message: "Requests for the encryption key are being throttled.",
	}
	InvalidParameterValue = &Kind{
		Shape: "InvalidParameterValueException", Namespace: nsCoral,
		QueryCode: "InvalidParameterValue", Status: 400, Fault: Sender,
		Message: "A parameter value is invalid.",
	}
	MissingParameter = &Kind{
		Shape: "MissingRequiredParameterException", Namespace: nsCoral,
		QueryCode: "MissingParameter", Status: 400, Fault: Sender,
		Message: "A required parameter is missing.",
	}
	Serialization = &Kind{
		Shape: "SerializationException", Namespace: nsCoral,
		QueryCode: "MalformedInput", Status: 400, Fault: Sender,
		Message: "The request could not be read.",
	}
	UnknownOperation = &Kind{
		Shape: "UnknownOperationException", Namespace: nsCoral,
		QueryCode: "InvalidAction", Status: 400, Fault: Sender,
		Message: "The action is not valid for this endpoint.",
	}
	AccessDenied = &Kind{
		Shape: "AccessDeniedException", Namespace: nsCoral,
		QueryCode: "AccessDenied", Status: 403, Fault: Sender,
		Message: "Access to the resource is denied.",
	}
	UnrecognizedClient = &Kind{
		Shape: "UnrecognizedClientException", Namespace: nsCoral,
		QueryCode: "InvalidClientTokenId", Status: 403, Fault: Sender,
		Message: "The security token included in the request is invalid.",
	}
	InvalidSignature = &Kind{
		Shape: "InvalidSignatureException", Namespace: nsCoral,
		QueryCode: "SignatureDoesNotMatch", Status: 403, Fault: Sender,
		Message: "The request signature does not match the one calculated for it.",
	}
	IncompleteSignature = &Kind{
		Shape: "IncompleteSignatureException", Namespace: nsCoral,
		QueryCode: "IncompleteSignature", Status: 400, Fault: Sender,
		Message: "The request signature is not complete.",
	}
	ExpiredToken = &Kind{
		Shape: "ExpiredTokenException", Namespace: nsCoral,
		QueryCode: "ExpiredToken", Status: 403, Fault: Sender,
		Message: "The security token included in the request is expired.",
	}
	MissingAuthenticationToken = &Kind{
		Shape: "MissingAuthenticationTokenException", Namespace: nsCoral,
		QueryCode: "MissingAuthenticationToken", Status: 403, Fault: Sender,
		Message: "The request must contain a signature.",
	}
	Throttling = &Kind{
		Shape: "ThrottlingException", Namespace: nsCoral,
		QueryCode: "ThrottlingException", Status: 400, Fault: Sender,
		Message: "Rate exceeded.",
	}
	InternalFailure = &Kind{
		Shape: "InternalFailure", Namespace: nsCoral,
		QueryCode: "InternalFailure", Status: 500, Fault: Receiver,
		Message: "The request failed because of an internal error.",
	}
	ServiceUnavailable = &Kind{
		Shape: "ServiceUnavailable", Namespace: nsCoral,
		QueryCode: "ServiceUnavailable", Status: 503, Fault: Receiver,
		Message: "The service cannot take the request now; it can be tried again.",
	}
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

package compat

import "time"

// span is a range of whole numbers, both ends included.
type span struct{ Min, Max int64 }

// holds reports whether n lies in the range.
func (r span) holds(n int64) bool { return r.Min <= n && n <= r.Max }

// The ranges of request members and queue attributes, by AWS's names.
var (
	rangeDelaySeconds                  = span{0, 900}
	rangeKmsDataKeyReusePeriodSeconds  = span{60, 86_400}
	rangeMaxNumberOfMessages           = span{1, 10}
	rangeMaxReceiveCount               = span{1, 1000}
	rangeMoveRate                      = span{1, 500} // MaxNumberOfMessagesPerSecond
	rangeMoveResults                   = span{1, 10}  // MaxResults of ListMessageMoveTasks
	rangeMaxResults                    = span{1, 1000}
	rangeMaximumMessageSize            = span{1024, 1_048_576}
	rangeMessageRetentionPeriod        = span{60, 1_209_600}
	rangeReceiveMessageWaitTimeSeconds = span{0, 20}
	rangeVisibilityTimeout             = span{0, 43_200}
)

// The defaults of queue attributes and request members.
const (
	defaultContentBasedDedup            = "false"
	defaultInFlightLimit                = 120_000
	defaultKmsDataKeyReusePeriodSeconds = "300"
	defaultMaximumMessageSize           = 1_048_576
	defaultMessageRetentionPeriod       = 345_600 * time.Second
	defaultMoveResults                  = 1 // MaxResults of ListMessageMoveTasks
	defaultSqsManagedSseEnabled         = "true"
	defaultVisibilityTimeout            = 30 * time.Second
)

// Sizes and counts that may not be exceeded. Lengths are in bytes unless the
// comment says otherwise.
const (
	maxAttributeName      = 256
	maxAttributeType      = 256
	maxBatchBytes         = 1_048_576
	maxBatchEntries       = 10
	maxID                 = 128 // group, deduplication and receive attempt ids
	maxKmsMasterKeyID     = 2048
	maxListedQueues       = 1000
	maxMessageAttributes  = 10
	maxPolicy             = 8192
	maxPolicyActions      = 7
	maxPolicyConditions   = 10
	maxPolicyPrincipals   = 50
	maxPolicyStatements   = 20
	maxQueueName          = 80 // batch entry ids and labels have the same limit
	maxQueueURL           = 4096
	maxReceiptHandle      = 1024
	maxSourceQueueARNs    = 10
	maxTaskHandle         = 1024
	maxTagKey             = 128 // characters
	maxTagValue           = 256 // characters
	maxTags               = 50
	maxTotalVisibility    = 12 * time.Hour
	maxTraceHeader        = 1024
	maxNumberDigits       = 38
	maxNumberExponent     = 126
	maxNegativeExponent   = 128
	maxEchoed             = 1024
	maxRedrivePolicyBytes = 16_384
)

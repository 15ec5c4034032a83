package compat

import (
	"strconv"

	"queues/engine"
	"queues/protocol"
)

// A queue's messages are encrypted with a KMS key, with a key of the service,
// or not at all. Nothing here encrypts: the three attributes are kept and shown
// as AWS shows them. Choosing a KMS key turns the service's key off, and the
// reverse.

// parseKmsMasterKeyID takes any key: whether it exists is not asked.
func parseKmsMasterKeyID(_ *attributeReader, value string) (setting, *protocol.Error) {
	if len(value) > maxKmsMasterKeyID || !protocol.ValidText(value) {
		return nil, badAttribute(attrKmsMasterKeyID)
	}
	return func(s *engine.Settings) {
		setExtra(attrKmsMasterKeyID, value)(s)
		if value != "" {
			setExtra(attrSqsManagedSseEnabled, "false")(s)
		}
	}, nil
}

func parseKmsDataKeyReuse(_ *attributeReader, value string) (setting, *protocol.Error) {
	n, ok := wholeNumber(value, rangeKmsDataKeyReusePeriodSeconds)
	if !ok {
		return nil, badAttribute(attrKmsDataKeyReuse)
	}
	return setExtra(attrKmsDataKeyReuse, strconv.FormatInt(n, 10)), nil
}

// getKmsDataKeyReuse shows the period only while a key is set.
func getKmsDataKeyReuse(q *engine.Queue, _ engine.Counts) (string, bool) {
	if q.Extra[attrKmsMasterKeyID] == "" {
		return "", false
	}
	if value, ok := q.Extra[attrKmsDataKeyReuse]; ok {
		return value, true
	}
	return defaultKmsDataKeyReusePeriodSeconds, true
}

func parseSqsManagedSse(_ *attributeReader, value string) (setting, *protocol.Error) {
	on, ok := boolean(value)
	if !ok {
		return nil, badAttribute(attrSqsManagedSseEnabled)
	}
	return func(s *engine.Settings) {
		setExtra(attrSqsManagedSseEnabled, strconv.FormatBool(on))(s)
		if on {
			setExtra(attrKmsMasterKeyID, "")(s)
		}
	}, nil
}

func getSqsManagedSse(q *engine.Queue, _ engine.Counts) (string, bool) {
	if value, ok := q.Extra[attrSqsManagedSseEnabled]; ok {
		return value, true
	}
	return defaultSqsManagedSseEnabled, true
}

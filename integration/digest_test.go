package integration

import (
	"bytes"
	"crypto/md5"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs/types"
)

// bodyDigest is the MD5 that a message's body must come with.
func bodyDigest(body string) string {
	sum := md5.Sum([]byte(body))
	return hex.EncodeToString(sum[:])
}

// attributeDigest is the MD5 that message attributes must come with. It follows
// the published algorithm by itself, so that a mistake of the server is not
// repeated here.
func attributeDigest(attributes map[string]messageAttribute) string {
	var b bytes.Buffer
	field := func(p []byte) {
		var n [4]byte
		binary.BigEndian.PutUint32(n[:], uint32(len(p)))
		b.Write(n[:])
		b.Write(p)
	}
	keys := make([]string, 0, len(attributes))
	for k := range attributes {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, strings.Compare)
	for _, k := range keys {
		v := attributes[k]
		field([]byte(k))
		field([]byte(aws.ToString(v.DataType)))
		if strings.HasPrefix(aws.ToString(v.DataType), "Binary") {
			b.WriteByte(2)
			field(v.BinaryValue)
		} else {
			b.WriteByte(1)
			field([]byte(aws.ToString(v.StringValue)))
		}
	}
	sum := md5.Sum(b.Bytes())
	return hex.EncodeToString(sum[:])
}

// text is a message attribute with a string value.
func text(dataType, value string) messageAttribute {
	return messageAttribute{DataType: &dataType, StringValue: &value}
}

// blob is a message attribute with a binary value.
func blob(dataType string, value ...byte) messageAttribute {
	return messageAttribute{DataType: &dataType, BinaryValue: value}
}

// messageAttribute is short for the SDK's name of it.
type messageAttribute = types.MessageAttributeValue

package compat

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"

	"queues/engine"
	"queues/protocol"
)

// A NextToken is, in URL-safe base64, a check of 8 bytes, the length of the
// prefix in one byte, the prefix, and the last name of the page. It carries all
// it needs, so that it works on any node and after a restart. The check keeps
// tokens of other listings and damaged ones out; it is no secret, as a token
// gives nothing that its holder could not ask for.

// tokenCheck is the length of a token's check.
const tokenCheck = 8

// The texts of tokens that cannot be used.
const (
	textBadToken   = "Invalid or expired next token."
	textTokenMoved = "Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters."
)

// makeToken gives the token for the page after the last name. Prefix and name
// are at most 80 characters.
func makeToken(n engine.Namespace, prefix, last string) string {
	content := append([]byte{byte(len(prefix))}, prefix+last...)
	return base64.RawURLEncoding.EncodeToString(append(checkToken(n, content), content...))
}

// openToken gives the last name of the page before.
func openToken(n engine.Namespace, prefix, token string) (string, *protocol.Error) {
	const longest = (tokenCheck + 1 + 2*maxQueueName) * 4 / 3
	bad := protocol.InvalidParameterValue.New(textBadToken)
	if len(token) > longest+4 {
		return "", bad
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(b) <= tokenCheck+1 {
		return "", bad
	}
	content := b[tokenCheck:]
	size := int(content[0])
	if subtle.ConstantTimeCompare(b[:tokenCheck], checkToken(n, content)) != 1 || len(content) < 1+size {
		return "", bad
	}
	if string(content[1:1+size]) != prefix {
		return "", protocol.InvalidParameterValue.New(textTokenMoved)
	}
	return string(content[1+size:]), nil
}

// checkToken is the check of a token's content in a namespace.
func checkToken(n engine.Namespace, content []byte) []byte {
	h := sha256.New()
	h.Write([]byte("ListQueues\x00" + n.Account + "\x00" + n.Region + "\x00"))
	h.Write(content)
	return h.Sum(nil)[:tokenCheck]
}

package compat

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strings"

	"queues/engine"
	"queues/protocol"
)

// A NextToken is, in URL-safe base64, a check of 8 bytes, the length of the
// subject in one byte, the subject, and the last name of the page. It carries
// all it needs, so that it works on any node and after a restart. The check
// keeps tokens of other listings and damaged ones out; it is no secret, as a
// token gives nothing that its holder could not ask for.

// tokenCheck is the length of a token's check.
const tokenCheck = 8

// The texts of listings that cannot be.
const (
	textMaxResults = "Value for parameter MaxResults is invalid. Reason: MaxResults must be an integer between 1 and 1000."
	textBadToken   = "Invalid or expired next token."
	textTokenMoved = "Invalid NextToken value. If you are passing in NextToken, you must not change the other request parameters."
)

// listing is a list of queues that is given page by page.
type listing struct {
	operation protocol.Operation
	engine.Namespace
	// subject is what the request asks for: the prefix of names, or the name of
	// a queue. At most 80 characters where there is a further page.
	subject string
}

// pageSize reads MaxResults. Without it, or with zero, the one page is as long
// as can be and has no token.
func pageSize(n *int32) (limit int, paged bool, err *protocol.Error) {
	switch {
	case n == nil || *n == 0:
		return maxListedQueues, false, nil
	case !rangeMaxResults.holds(int64(*n)):
		return 0, false, protocol.InvalidParameterValue.New(textMaxResults)
	}
	return int(*n), true, nil
}

// page gives the URLs of a page, and the token for the next one if there is one
// and pages were asked for.
func (l listing) page(c Caller, res engine.ListQueuesResult, paged bool) (urls []string, next *string) {
	for _, q := range res.Queues {
		urls = append(urls, queueURL(c, q.Name))
	}
	if paged && res.More && len(res.Queues) > 0 {
		token := l.token(res.Queues[len(res.Queues)-1].Name.Name)
		next = &token
	}
	return urls, next
}

// token gives the token for the page after the last name.
func (l listing) token(last string) string {
	content := append([]byte{byte(len(l.subject))}, l.subject+last...)
	return base64.RawURLEncoding.EncodeToString(append(l.check(content), content...))
}

// open gives the last name of the page before: empty without a token.
func (l listing) open(token *string) (string, *protocol.Error) {
	if deref(token) == "" {
		return "", nil
	}
	const longest = (tokenCheck + 1 + 2*maxQueueName) * 4 / 3
	bad := protocol.InvalidParameterValue.New(textBadToken)
	// The decoder skips line breaks, which no token of ours has.
	if len(*token) > longest+4 || strings.ContainsAny(*token, "\r\n") {
		return "", bad
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(*token)
	if err != nil || len(b) <= tokenCheck+1 {
		return "", bad
	}
	content := b[tokenCheck:]
	size := int(content[0])
	if subtle.ConstantTimeCompare(b[:tokenCheck], l.check(content)) != 1 || len(content) < 1+size {
		return "", bad
	}
	if string(content[1:1+size]) != l.subject {
		return "", protocol.InvalidParameterValue.New(textTokenMoved)
	}
	return string(content[1+size:]), nil
}

// check is the check of a token's content.
func (l listing) check(content []byte) []byte {
	h := sha256.New()
	h.Write([]byte(string(l.operation) + "\x00" + l.Account + "\x00" + l.Region + "\x00"))
	h.Write(content)
	return h.Sum(nil)[:tokenCheck]
}

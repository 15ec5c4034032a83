package protocol

import (
	"reflect"
	"strings"
)

// Detect chooses the protocol of a request, by its Content-Type: some Query
// clients send X-Amz-Target as well, with a form body, and want XML. Only
// where the Content-Type is neither JSON nor a form does the target decide.
// A GET without a target is Query whatever it says about its empty body.
func Detect(r *Request) Codec {
	media, _, _ := strings.Cut(r.ContentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	isJSON := media == "application/json" || strings.HasPrefix(media, "application/x-amz-json-")
	isForm := media == "application/x-www-form-urlencoded"
	switch {
	case r.Target == "" && r.Method == "GET":
		isJSON = false
	case !isJSON && !isForm:
		isJSON = strings.HasPrefix(r.Target, targetPrefix)
	}
	switch {
	case isJSON:
		return JSON
	case wantsJSON(r.Accept):
		return QueryJSON
	default:
		return Query
	}
}

// MayWait reports whether a request that c decodes may be a receive, which waits
// for messages and takes them, as far as its headers tell. In Query only the body
// does.
func MayWait(c Codec, r *Request) bool {
	action, _ := strings.CutPrefix(r.Target, targetPrefix)
	return c != JSON || Operation(action) == ReceiveMessage
}

// wantsJSON reports whether the first choice of an Accept header is JSON.
func wantsJSON(accept string) bool {
	first, _, _ := strings.Cut(accept, ",")
	first, _, _ = strings.Cut(first, ";")
	return strings.EqualFold(strings.TrimSpace(first), "application/json")
}

// onQueuePath reports whether a request path can name a queue.
func onQueuePath(path string) bool { return strings.Trim(path, "/") != "" }

// queueURLFromPath lets the request path name the queue for an operation that
// wants one and was given none: several old clients post to the queue's URL
// and send no QueueUrl.
func queueURLFromPath(s *spec, v reflect.Value, path string) {
	if s.queueURL < 0 || !onQueuePath(path) {
		return
	}
	if given := v.Field(s.queueURL); given.IsNil() || given.Elem().Len() == 0 {
		setString(given, path)
	}
}

// unknownAction is the error for an action that does not exist, or not here.
func unknownAction(action string) *Error {
	return UnknownOperation.New("The action " + clip(action) + " is not valid for this endpoint.")
}

// clip bounds what an error text repeats of a request, in bytes.
func clip(text string) string {
	const limit = 256
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "..."
}

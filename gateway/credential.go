package gateway

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"net/http"
	"net/url"
	"strings"
)

// credential is what a request says about its sender. It is believed, not
// verified, and read leniently: whatever is missing or malformed leaves its
// field empty.
type credential struct {
	// key is the access key id; empty for an unsigned request.
	key string
	// region is from the credential scope; empty when the scope has none that
	// looks like one.
	region string
}

// maxAccessKey bounds an access key id, in bytes; AWS's own bound.
const maxAccessKey = 128

// maxCredential bounds an escaped credential, in bytes.
const maxCredential = 1024

// credentialOf finds the credential of a request: in the Authorization header
// (signature versions 4 and 2), in the query string of a presigned URL, or in
// the parameters of a form signed with version 2.
func credentialOf(r *http.Request, form []byte) credential {
	if auth := r.Header.Get("Authorization"); auth != "" {
		return credentialOfHeader(auth)
	}
	if r.URL.RawQuery != "" {
		if c := credentialOfParams(r.URL.RawQuery); c.key != "" {
			return c
		}
	}
	if value, ok := findParam(form, "AWSAccessKeyId"); ok {
		return credential{key: cleanKey(value)}
	}
	return credential{}
}

// credentialOfHeader reads an Authorization header. Clients differ in the
// spaces after its commas, and the scheme's own name does not matter here.
func credentialOfHeader(auth string) credential {
	if _, rest, ok := strings.Cut(auth, "Credential="); ok {
		return credentialOfScope(rest[:untilAny(rest, ", \t")])
	}
	if _, rest, ok := strings.Cut(auth, "AWSAccessKeyId="); ok {
		return credential{key: cleanKey(rest[:untilAny(rest, ", \t")])}
	}
	if rest, ok := strings.CutPrefix(auth, "AWS "); ok {
		key, _, _ := strings.Cut(rest, ":")
		return credential{key: cleanKey(key)}
	}
	return credential{}
}

// credentialOfParams reads the query string of a presigned request.
func credentialOfParams(query string) credential {
	if scope, ok := findParam([]byte(query), "X-Amz-Credential"); ok {
		return credentialOfScope(scope)
	}
	if key, ok := findParam([]byte(query), "AWSAccessKeyId"); ok {
		return credential{key: cleanKey(key)}
	}
	return credential{}
}

// credentialOfScope parts KEY/DATE/REGION/SERVICE/aws4_request. The region may
// be empty, the service may be another: some clients guess it from the host. A
// scope of fewer parts, as signatures for several regions have, names none.
func credentialOfScope(scope string) credential {
	key, rest, _ := strings.Cut(scope, "/")
	c := credential{key: cleanKey(key)}
	if strings.Count(rest, "/") != 3 {
		return c
	}
	_, rest, _ = strings.Cut(rest, "/")
	if region, _, _ := strings.Cut(rest, "/"); IsRegion(region) {
		c.region = region
	}
	return c
}

// IsRegion reports whether text can be the name of a region, real or made up.
// The pseudo-region of global services is none.
func IsRegion(text string) bool {
	if text == "" || len(text) > 32 || text[0] == '-' || text == "aws-global" {
		return false
	}
	for i := range len(text) {
		if c := text[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// IsAccount reports whether text is a 12-digit account number.
func IsAccount(text string) bool {
	if len(text) != 12 {
		return false
	}
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}

// cleanKey gives an access key id, or nothing for text that cannot be one.
func cleanKey(text string) string {
	if len(text) > maxAccessKey {
		return ""
	}
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			return ""
		}
	}
	return text
}

// principalOf names the holder of an access key, as receivers see it in
// SenderId: "AIDA" and 17 characters of A-Z and 2-7, the form of AWS's user
// ids. It is a digest of the access key id: always the same for one key, and
// no way back to the key. An unsigned request acts for the account itself,
// whose id on AWS is the account number.
func principalOf(key, account string) string {
	if key == "" {
		return account
	}
	sum := sha256.Sum256([]byte("queues principal\x00" + key))
	return "AIDA" + base32.StdEncoding.EncodeToString(sum[:])[:17]
}

// findParam finds the first parameter of that name in form-encoded text,
// without decoding the rest. A name that is itself escaped is not found.
func findParam(encoded []byte, name string) (string, bool) {
	prefix := []byte(name + "=")
	for at := 0; ; {
		i := bytes.Index(encoded[at:], prefix)
		if i < 0 {
			return "", false
		}
		begin := at + i
		at = begin + len(prefix)
		if begin > 0 && encoded[begin-1] != '&' {
			continue
		}
		value, _, _ := bytes.Cut(encoded[at:], []byte("&"))
		if len(value) > maxCredential {
			return "", false
		}
		text, err := url.QueryUnescape(string(value))
		return text, err == nil
	}
}

// untilAny is where the first of chars stands in text, or its end.
func untilAny(text, chars string) int {
	if i := strings.IndexAny(text, chars); i >= 0 {
		return i
	}
	return len(text)
}

package gateway

import (
	"context"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"queues/compat"
	"queues/protocol"
)

// Account and region come from whatever a client has to say about itself; what
// it leaves out or garbles gets the defaults.
func TestCaller(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	callers := make(map[string]compat.Caller)
	b := start(t, Options{Service: fakeService(func(_ context.Context, c compat.Caller, call protocol.Call) (compat.Result, *protocol.Error) {
		mu.Lock()
		defer mu.Unlock()
		callers[*call.Input.(*protocol.DeleteQueueInput).QueueURL] = c
		return compat.Result{}, nil
	})})
	const sigV4 = "AWS4-HMAC-SHA256 Credential="
	const rest = ", SignedHeaders=host, Signature=abc"
	for name, test := range map[string]struct {
		auth, query, form string
		account, region   string
		unsigned          bool
	}{
		"Unsigned":          {account: "000000000000", region: "us-east-1", unsigned: true},
		"Signed":            {auth: sigV4 + "AKIA/20260101/eu-west-1/sqs/aws4_request" + rest, account: "000000000000", region: "eu-west-1"},
		"AccountKey":        {auth: sigV4 + "123456789012/20260101/eu-west-1/sqs/aws4_request" + rest, account: "123456789012", region: "eu-west-1"},
		"ShortAccountKey":   {auth: sigV4 + "12345678901/20260101/eu-west-1/sqs/aws4_request" + rest, account: "000000000000", region: "eu-west-1"},
		"NoSpaces":          {auth: sigV4 + "AKIA/20260101/eu-west-1/sqs/aws4_request,SignedHeaders=host,Signature=abc", account: "000000000000", region: "eu-west-1"},
		"EmptyRegion":       {auth: sigV4 + "AKIA/20260101//sqs/aws4_request" + rest, account: "000000000000", region: "us-east-1"},
		"GlobalRegion":      {auth: sigV4 + "AKIA/20260101/aws-global/sqs/aws4_request" + rest, account: "000000000000", region: "us-east-1"},
		"OtherService":      {auth: sigV4 + "AKIA/20260101/us-west-2/s3/aws4_request" + rest, account: "000000000000", region: "us-west-2"},
		"InventedRegion":    {auth: sigV4 + "AKIA/20260101/elasticmq/sqs/aws4_request" + rest, account: "000000000000", region: "elasticmq"},
		"RegionSet":         {auth: "AWS4-ECDSA-P256-SHA256 Credential=AKIA/20260101/sqs/aws4_request" + rest, account: "000000000000", region: "us-east-1"},
		"RegionOfMarkup":    {auth: sigV4 + "AKIA/20260101/<b>/sqs/aws4_request" + rest, account: "000000000000", region: "us-east-1"},
		"RegionTooLong":     {auth: sigV4 + "AKIA/20260101/" + strings.Repeat("a", 33) + "/sqs/aws4_request" + rest, account: "000000000000", region: "us-east-1"},
		"UpperCaseRegion":   {auth: sigV4 + "AKIA/20260101/EU-WEST-1/sqs/aws4_request" + rest, account: "000000000000", region: "us-east-1"},
		"TooManyParts":      {auth: sigV4 + "AKIA/20260101/eu-west-1/sqs/aws4_request/x" + rest, account: "000000000000", region: "us-east-1"},
		"Malformed":         {auth: sigV4 + "bogus", account: "000000000000", region: "us-east-1"},
		"NoCredential":      {auth: "AWS4-HMAC-SHA256", account: "000000000000", region: "us-east-1", unsigned: true},
		"OtherScheme":       {auth: "Bearer AKIA", account: "000000000000", region: "us-east-1", unsigned: true},
		"LongKey":           {auth: sigV4 + strings.Repeat("k", 200) + "/20260101/eu-west-1/sqs/aws4_request", account: "000000000000", region: "eu-west-1", unsigned: true},
		"Version2Header":    {auth: "AWS 123456789012:c2ln", account: "123456789012", region: "us-east-1"},
		"Version3Header":    {auth: "AWS3-HTTPS AWSAccessKeyId=123456789012,Algorithm=HmacSHA256", account: "123456789012", region: "us-east-1"},
		"Presigned":         {query: "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=123456789012%2F20260101%2Feu-west-1%2Fsqs%2Faws4_request&X-Amz-Signature=abc", account: "123456789012", region: "eu-west-1"},
		"PresignedGarbled":  {query: "X-Amz-Credential=bogus", account: "000000000000", region: "us-east-1"},
		"Version2Query":     {query: "SignatureVersion=2&AWSAccessKeyId=123456789012", account: "123456789012", region: "us-east-1"},
		"Version2Form":      {form: "SignatureVersion=2&AWSAccessKeyId=123456789012", account: "123456789012", region: "us-east-1"},
		"NameInsideAnother": {form: "XAWSAccessKeyId=123456789012&Y=AWSAccessKeyId=123456789012", account: "000000000000", region: "us-east-1", unsigned: true},
		"HeaderWins":        {auth: sigV4 + "AKIA/20260101/eu-west-1/sqs/aws4_request", query: "AWSAccessKeyId=123456789012", account: "000000000000", region: "eu-west-1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := b.form(t, "Action=DeleteQueue&QueueUrl="+name+"&"+test.form)
			r.URL.RawQuery = test.query
			if test.auth != "" {
				r.Header.Set("Authorization", test.auth)
			}
			if a := b.do(t, r); a.StatusCode != http.StatusOK {
				t.Fatalf("status %d: %s", a.StatusCode, a.body)
			}
			mu.Lock()
			defer mu.Unlock()
			c := callers[name]
			if c.Account != test.account || c.Region != test.region {
				t.Errorf("got %s %s, want %s %s", c.Account, c.Region, test.account, test.region)
			}
			if test.unsigned {
				if c.Principal != c.Account {
					t.Errorf("principal %q, want the account", c.Principal)
				}
			} else if !regexp.MustCompile(`^AIDA[A-Z2-7]{17}$`).MatchString(c.Principal) {
				t.Errorf("principal %q has not the form of a user id", c.Principal)
			}
		})
	}
}

// One key is always the same principal, another key another one.
func TestPrincipal(t *testing.T) {
	t.Parallel()
	// Consumers may know senders by it, so the derivation never changes.
	if got, want := principalOf("test", "000000000000"), "AIDAKGNUAHLOYBJCEKP3V"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if principalOf("a", "000000000000") == principalOf("b", "000000000000") {
		t.Error("two keys are one principal")
	}
}

// One connection may carry requests of many senders.
func TestPrincipalOfConnection(t *testing.T) {
	t.Parallel()
	c := &countedConn{}
	for _, key := range []string{"a", "a", "b", "", "a", "b"} {
		if got, want := c.principalOf(key, "000000000000"), principalOf(key, "000000000000"); got != want {
			t.Errorf("the principal of %q is %s, want %s", key, got, want)
		}
	}
}

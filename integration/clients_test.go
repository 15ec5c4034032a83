package integration

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/aws-sdk-go-v2/service/sqs/schemas"
	"github.com/aws/smithy-go/transport/http/protocol/awsquery"
)

// wire is one of the two protocols.
type wire struct {
	name  string
	query bool
}

var (
	wireJSON  = wire{name: "JSON"}
	wireQuery = wire{name: "Query", query: true}
	wires     = []wire{wireJSON, wireQuery}
)

// other gives the protocol that w is not.
func (w wire) other() wire {
	if w.query {
		return wireJSON
	}
	return wireQuery
}

// env is what a test body works with: one client of one protocol, in an
// account that no other test knows.
type env struct {
	*server
	wire
	account string
	region  string
	sqs     *sqs.Client
	http    *http.Client
}

// newEnv gives an env with an account of its own, which an access key of 12
// digits names.
func newEnv(t *testing.T, s *server, w wire) *env {
	t.Helper()
	n, err := rand.Int(rand.Reader, big.NewInt(900_000_000_000))
	if err != nil {
		t.Fatal(err)
	}
	return s.client(t, w, fmt.Sprint(100_000_000_000+n.Int64()), "us-east-1")
}

// client gives a client of an account and a region.
func (s *server) client(t *testing.T, w wire, account, region string) *env {
	t.Helper()
	transport := &http.Transport{DialContext: s.dial, MaxIdleConnsPerHost: 64}
	t.Cleanup(transport.CloseIdleConnections)
	client := &http.Client{
		Transport:     plainBodies{transport},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &env{server: s, wire: w, account: account, region: region, http: client, sqs: sqs.New(sqs.Options{
		Region:       region,
		BaseEndpoint: aws.String(s.url),
		HTTPClient:   client,
		// A retry would hide a fault, and double a send.
		Retryer:     aws.NopRetryer{},
		Credentials: credentials.NewStaticCredentialsProvider(account, "secret", ""),
	}, func(o *sqs.Options) {
		if w.query {
			o.Protocol = awsquery.New(schemas.AmazonSQS)
		}
	})}
}

// plainBodies hides that the SDK's request bodies can write themselves. The SDK
// closes a body when the head of the answer is there; one that writes itself
// answers the transport's last look at it with an error then, for which the
// transport cuts the connection and loses the rest of a long answer.
type plainBodies struct{ next http.RoundTripper }

// RoundTrip sends the request with a body that can only be read.
func (p plainBodies) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil && r.Body != http.NoBody {
		plain := *r
		plain.Body = struct{ io.ReadCloser }{r.Body}
		r = &plain
	}
	return p.next.RoundTrip(r)
}

// speaking gives the same account through the other protocol.
func (e *env) speaking(t *testing.T, w wire) *env {
	t.Helper()
	return e.client(t, w, e.account, e.region)
}

package gateway

import (
	"testing"

	"go.uber.org/goleak"
)

// net/http leaves a connection that it closes half a second to deliver its
// last answer.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

package gateway

import (
	"net/http"

	"github.com/gorilla/mux"
)

// routes sends every path to the funnel. The first two are where clients
// should go; the rest are the forms that old ones and proxies produce, such as
// a trailing slash, a bare queue name or a whole URL as the path. The codecs
// make of a path what can be made of it.
//
// Paths are matched as they were sent, so that none is ever redirected: a
// redirected POST loses its body, and its signature would not fit.
func routes(funnel http.Handler) http.Handler {
	r := mux.NewRouter().SkipClean(true).UseEncodedPath()
	r.Path("/").Handler(funnel)
	r.Path("/{account}/{queue}").Handler(funnel)
	r.PathPrefix("/").Handler(funnel)
	// Targets without a path: "OPTIONS *" and CONNECT.
	r.NotFoundHandler = funnel
	r.MethodNotAllowedHandler = funnel
	return r
}

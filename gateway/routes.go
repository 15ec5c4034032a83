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
	// By itself the router copies each request twice, to tell in its context
	// which route it took with which variables: 4 of the 16 allocations that a
	// send made beyond a null handler (BenchmarkSend). Nobody reads them here.
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var match mux.RouteMatch
		r.Match(req, &match) // something always matches
		match.Handler.ServeHTTP(w, req)
	})
}

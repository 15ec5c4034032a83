package gateway

import (
	"net/http"
	"net/netip"
	"strings"

	"queues/protocol"
)

// corsExposed are the headers that a page may read of an answer.
const corsExposed = "x-amzn-RequestId, x-amzn-query-error, Date"

// maxCORSHeaders bounds what a preflight may ask for, in bytes.
const maxCORSHeaders = 2 << 10

// errForeignPage refuses what a page of another site makes a browser send.
// Listening on loopback is no protection from that: the browser is local.
var errForeignPage = protocol.AccessDenied.New("The request comes from a web page of another site, " +
	"which may not use this server. The server's --allow-origin option lists the origins that may.")

// admitOrigin refuses requests that a browser sends for a page of another
// site, whatever their method: a form or an image can send them without
// asking. An origin that is listed gets through, and its answer the headers
// that let the page read it. What is no browser sends none of these headers.
func (s *Server) admitOrigin(h http.Header, r *http.Request, p peer) *protocol.Error {
	origins := r.Header["Origin"]
	sites := r.Header["Sec-Fetch-Site"]
	if len(s.origins) > 0 {
		h.Add("Vary", "Origin")
	}
	if len(origins) == 0 && len(sites) == 0 {
		return nil
	}
	if len(origins) > 1 || len(sites) > 1 {
		return errForeignPage
	}
	if len(origins) == 1 && s.origins[strings.ToLower(origins[0])] {
		h.Set("Access-Control-Allow-Origin", origins[0])
		h.Set("Access-Control-Expose-Headers", corsExposed)
		return nil
	}
	if len(sites) == 1 && sites[0] != "same-origin" && sites[0] != "none" {
		return errForeignPage
	}
	if len(origins) == 1 && !s.isOwnOrigin(origins[0], p) {
		return errForeignPage
	}
	if len(origins) == 0 && sites[0] == "same-origin" && !s.isOwnOrigin("http://"+p.host, p) {
		return errForeignPage
	}
	return nil
}

// isOwnOrigin reports whether a page's origin is this server itself. The
// scheme does not count: a proxy that is not trusted may have changed it. A
// name proves nothing, since whoever owns it can point it at this machine: it
// has to be the public URL's, or localhost, or an address.
func (s *Server) isOwnOrigin(origin string, p peer) bool {
	if s.o.PublicURL != "" && strings.EqualFold(origin, originOf(s.o.PublicURL)) {
		return true
	}
	scheme, host, ok := strings.Cut(origin, "://")
	return ok && (scheme == "http" || scheme == "https") && strings.EqualFold(host, p.host) && cannotBeRebound(host)
}

// cannotBeRebound reports whether a host[:port] is an address or a name that
// always means this machine.
func cannotBeRebound(host string) bool {
	name, _, ok := splitHost(host)
	if !ok {
		return false
	}
	if name = strings.ToLower(name); name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil
}

// originOf cuts a URL after its host.
func originOf(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + host
}

// isPreflight reports whether r is a browser's question before the request
// proper. It is only ever asked of origins that were admitted.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" &&
		r.Header.Get("Access-Control-Request-Method") != ""
}

// allowPreflight answers a preflight: what the page asks for is allowed, since
// its origin is. The header names are repeated only if they look like such.
func allowPreflight(h http.Header, r *http.Request) {
	h.Set("Access-Control-Allow-Methods", "GET, POST")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" && isHeaderList(asked) {
		h.Set("Access-Control-Allow-Headers", asked)
	}
	if r.Header.Get("Access-Control-Request-Private-Network") == "true" {
		h.Set("Access-Control-Allow-Private-Network", "true")
	}
	h.Set("Access-Control-Max-Age", "600")
}

// isHeaderList reports whether text is a list of header names, as browsers
// write it.
func isHeaderList(text string) bool {
	if len(text) > maxCORSHeaders {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && !strings.ContainsRune("-_, ", rune(c)) {
			return false
		}
	}
	return true
}

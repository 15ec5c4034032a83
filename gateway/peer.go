package gateway

import (
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// peer is how a request reached the server, seen through trusted proxies.
type peer struct {
	// trusted is true when a trusted proxy sent the request.
	trusted bool
	// scheme is http or https.
	scheme string
	// host is the host and port that the caller used, as it wrote them.
	host string
}

// peerOf reads the request's connection and, if a trusted proxy has it, its
// forwarding headers. From anyone else these headers mean nothing.
func (s *Server) peerOf(r *http.Request) peer {
	p := peer{scheme: "http", host: r.Host}
	p.trusted = len(s.o.TrustedProxies) > 0 && s.trusts(addrOf(r.RemoteAddr))
	if r.TLS != nil {
		p.scheme = "https"
	}
	if p.trusted {
		switch proto := firstOf(r.Header.Get("X-Forwarded-Proto")); strings.ToLower(proto) {
		case "http":
			p.scheme = "http"
		case "https":
			p.scheme = "https"
		}
		if host := firstOf(r.Header.Get("X-Forwarded-Host")); host != "" {
			p.host = host
		}
	}
	if p.host == "" {
		// HTTP/1.0 needs no Host.
		p.host = "localhost"
		if addr, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr); ok {
			p.host = addr.String()
		}
	}
	return p
}

// trusts reports whether addr is a trusted proxy's.
func (s *Server) trusts(addr netip.Addr) bool {
	for _, prefix := range s.o.TrustedProxies {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}

// remote is the address of who really sent the request: the last one in
// X-Forwarded-For that is not a trusted proxy's.
func (s *Server) remote(r *http.Request) string {
	if len(s.o.TrustedProxies) == 0 {
		if c := connOf(r); c != nil {
			return c.remote
		}
	}
	addr := addrOf(r.RemoteAddr)
	if !addr.IsValid() {
		return r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusts(addr); i-- {
		hop := addrOf(strings.TrimSpace(hops[i]))
		if !hop.IsValid() {
			break
		}
		addr = hop
	}
	return addr.String()
}

// baseURL is what queue URLs begin with for this caller.
func (s *Server) baseURL(p peer) string {
	if s.o.PublicURL != "" {
		return s.o.PublicURL
	}
	_, port, _ := splitHost(p.host)
	if port == "" && !p.trusted && s.port != "" {
		// Some clients leave the port out of Host, and take it from the queue
		// URL that they are given.
		return p.scheme + "://" + strings.TrimSuffix(p.host, ":") + s.port
	}
	return p.scheme + "://" + strings.TrimSuffix(p.host, ":")
}

// portSuffix is the port of a listener as it stands in a URL: empty when there
// is none, or when it is the one that http implies.
func portSuffix(l net.Listener) string {
	if addr, ok := l.Addr().(*net.TCPAddr); ok && addr.Port != 80 {
		return ":" + strconv.Itoa(addr.Port)
	}
	return ""
}

// splitHost parts host[:port] and reports whether it is one: a name of letters,
// digits, dots, hyphens and underscores of at most 253 bytes, an IPv4 address,
// or an IPv6 address in brackets; the port is 1 to 65535, or nothing.
func splitHost(text string) (host, port string, ok bool) {
	if strings.HasPrefix(text, "[") {
		inside, rest, closed := strings.Cut(text[1:], "]")
		addr, err := netip.ParseAddr(inside)
		if !closed || err != nil || !addr.Is6() || addr.Zone() != "" {
			return "", "", false
		}
		if rest != "" && rest[0] != ':' {
			return "", "", false
		}
		port = strings.TrimPrefix(rest, ":")
		return inside, port, isPort(port)
	}
	host, port, _ = strings.Cut(text, ":")
	if host == "" || len(host) > 253 {
		return "", "", false
	}
	for i := range len(host) {
		c := host[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return "", "", false
		}
	}
	return host, port, isPort(port)
}

// isPort reports whether text is a port number or empty.
func isPort(text string) bool {
	if text == "" {
		return true
	}
	n, err := strconv.ParseUint(text, 10, 16)
	return err == nil && n > 0 && text[0] != '+'
}

// addrOf reads an address with or without a port; the zero Addr when it is
// none.
func addrOf(text string) netip.Addr {
	if ap, err := netip.ParseAddrPort(text); err == nil {
		return ap.Addr().Unmap()
	}
	addr, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap()
}

// hostOf is the address in a text of address and port, as the log shows it.
func hostOf(text string) string {
	if addr := addrOf(text); addr.IsValid() {
		return addr.String()
	}
	return text
}

// firstOf is the first element of a comma-separated header.
func firstOf(header string) string {
	first, _, _ := strings.Cut(header, ",")
	return strings.TrimSpace(first)
}

// IsHost reports whether text is host[:port], as a Host header may have it.
func IsHost(text string) bool {
	_, _, ok := splitHost(text)
	return ok
}

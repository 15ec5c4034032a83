// Package gateway is the HTTP side of the SQS API.
//
// Principles:
//
//   - One funnel. Every request, on whatever path, goes through the same steps
//     in the same order: detect the protocol, refuse what must be refused
//     before it costs anything, read the body, find out who calls, decode,
//     dispatch, encode, write once, log. A panic anywhere in it is one failed
//     request.
//   - Every answer is in the protocol that was asked, refusals and panics
//     included, and carries a request id. What net/http itself refuses (a
//     request line or headers it cannot read) is the one exception: it never
//     gets here.
//   - Nothing is unbounded: connections, headers, one body, the bytes of all
//     bodies and answers together, and the time a peer may take to send or to
//     read. No limit cuts a receive that waits.
//   - What a request has claimed for an answer that could not be written is
//     given back. A receive is watched for a client that hangs up; what is done
//     at once is done, whether the client is still there or not.
//   - A path is never cleaned or redirected: clients put whole URLs, double and
//     trailing slashes into it, and sign what they sent.
//   - Who calls is read from the request's credential scope and believed:
//     signatures are not verified. That is why the server keeps to the loopback
//     interface unless told otherwise, and why pages of other sites are refused.
package gateway

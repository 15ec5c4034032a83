package gateway

import (
	"cmp"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"queues/protocol"
)

// maxLoggedName bounds a queue name in the log, in bytes.
const maxLoggedName = 80

// log writes the request's one line, at a level that follows its status.
func (x *exchange) log() {
	level := slog.LevelInfo
	switch {
	case x.status == http.StatusServiceUnavailable:
		level = slog.LevelWarn
	case x.status >= 500:
		level = slog.LevelError
	}
	ctx := x.r.Context()
	if !x.s.log.Enabled(ctx, level) {
		return
	}
	now := time.Now()
	attrs := make([]slog.Attr, 0, 9)
	attrs = append(attrs,
		slog.String("action", string(x.call.Operation)),
		slog.String("protocol", x.codec.Name()),
		slog.String("queue", queueOf(x.call, x.req.Path)),
		slog.Int("status", x.status))
	if x.err != nil {
		attrs = append(attrs, slog.String("code", x.err.Kind.Shape))
	}
	attrs = append(attrs,
		slog.Float64("duration_ms", float64(now.Sub(x.start).Microseconds())/1000),
		slog.String("request_id", x.id),
		slog.String("remote", x.s.remote(x.r)))
	if x.err != nil {
		if cause := x.err.Cause; cause != nil {
			attrs = append(attrs, slog.String("cause", cause.Error()))
		}
	}
	// Straight to the handler: the logger would look up which line of the
	// program this is, and nobody shows it.
	line := slog.NewRecord(now, level, "request", 0)
	line.AddAttrs(attrs...)
	_ = x.s.log.Handler().Handle(ctx, line) // nobody is left to tell
}

// queueOf finds the name of the queue that a request speaks of, for the log:
// from its input, else from the request's path. Empty for none.
func queueOf(call protocol.Call, path string) string {
	name := strings.TrimRight(cmp.Or(call.Queue(), path), "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	return strings.ToValidUTF8(name[:min(len(name), maxLoggedName)], "")
}

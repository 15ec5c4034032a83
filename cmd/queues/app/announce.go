package app

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
)

// NewLog gives the log of "queues serve" as the configuration asks for it, and
// what writes the lines that still wait at the end.
func NewLog(c Config) (log *slog.Logger, end func()) {
	output := &gathered{to: c.Output}
	return newLog(c.withDefaults(), output), output.close
}

// newLog makes the log that the configuration asks for.
func newLog(c Config, to io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{Level: logLevels[c.LogLevel]}
	if c.LogFormat == "json" {
		return slog.New(slog.NewJSONHandler(to, options))
	}
	return slog.New(slog.NewTextHandler(to, options))
}

// promises say in words what the sync modes are.
var promises = map[string]string{
	"full":   "on disk before every answer",
	"normal": "a crash of the machine may lose the last moments",
	"off":    "a crash of the machine may ruin it",
}

// announce tells what is served, where the data is and how to point a client
// at it: as text for people, or as one log line for machines.
func (a *App) announce() {
	c := a.config
	endpoint := c.PublicURL
	if endpoint == "" {
		endpoint = "http://" + reachable(a.Addr())
	}
	endpoint = strings.TrimSuffix(endpoint, "/")
	if c.LogFormat == "json" {
		a.log.Info("serving",
			slog.String("endpoint", endpoint), slog.String("listen", a.Addr()), slog.String("admin", a.AdminAddr()),
			slog.String("data", a.dataFolder()), slog.Bool("temporary", a.temporary != ""), slog.String("sync", c.Sync),
			slog.String("account", c.Account), slog.String("region", c.Region), slog.String("version", Version()))
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Queues %s serves SQS on %s (account %s, region %s)\n", Version(), endpoint, c.Account, c.Region)
	kept := ""
	if a.temporary != "" {
		kept = ", removed at the end"
	}
	fmt.Fprintf(&b, "  data    %s (sync=%s: %s%s)\n", a.dataFolder(), c.Sync, promises[c.Sync], kept)
	if a.adminListener != nil {
		fmt.Fprintf(&b, "  health  http://%s/health/ready\n", reachable(a.AdminAddr()))
	}
	fmt.Fprintf(&b, "  client  aws --endpoint-url %s sqs list-queues  (any credentials and region will do)\n", endpoint)
	// Behind what was logged before; two writers at once could break lines.
	_, _ = a.output.Write([]byte(b.String()))
}

// reachable gives an address that a client on this machine can use: a server on
// all addresses is also on localhost.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

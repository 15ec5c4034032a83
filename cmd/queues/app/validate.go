package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"queues/engine/sqlite"
	"queues/gateway"
)

// syncModes are the values of --sync.
var syncModes = map[string]sqlite.SyncMode{"full": sqlite.Full, "normal": sqlite.Normal, "off": sqlite.Off}

// minMemory is the least memory budget: the largest answer, ten messages of
// 1 MiB with every byte escaped, must fit.
const minMemory = 96 << 20

// Validate reports everything that is wrong with the configuration, in words
// that say what to do. Empty fields are right: they take their defaults.
func (c Config) Validate() error {
	c = c.withDefaults()
	return errors.Join(
		c.validateAddresses(),
		c.validateURLs(),
		require(gateway.IsRegion(c.Region), "--region: %q is not the name of a region: use lower-case letters, digits and hyphens, such as eu-west-1", c.Region),
		require(gateway.IsAccount(c.Account), "--account: %q is not an account number: write 12 digits", c.Account),
		require(has(syncModes, c.Sync), "--sync: %q is not a mode: use full, normal or off", c.Sync),
		require(c.Cooldowns == "on" || c.Cooldowns == off, "--cooldowns: %q is not a mode: use on or off", c.Cooldowns),
		require(has(logLevels, c.LogLevel), "--log-level: %q is not a level: use debug, info, warn or error", c.LogLevel),
		require(c.LogFormat == "text" || c.LogFormat == "json", "--log-format: %q is not a format: use text or json", c.LogFormat),
		require(c.MaxBody >= 1<<20, "--max-body: %s is less than a message may have: use at least 1MiB", c.MaxBody),
		require(c.MaxMemory >= max(minMemory, 2*c.MaxBody), "--max-memory: %s is too little: use at least %s", c.MaxMemory, max(minMemory, 2*c.MaxBody)),
		require(c.MaxConnections >= 1, "--max-connections: %d: use at least 1", c.MaxConnections),
		require(c.MaxWaiting >= 1, "--max-waiting: %d: use at least 1", c.MaxWaiting),
		require(c.MaxQueues >= 1, "--max-queues: %d: use at least 1", c.MaxQueues),
	)
}

// validateAddresses checks where the server listens.
func (c Config) validateAddresses() error {
	errs := []error{c.validateAddress("--listen", c.Listen, c.Listener)}
	if c.Admin != off {
		errs = append(errs, c.validateAddress("--admin", c.Admin, c.AdminListener))
		_, port, _ := net.SplitHostPort(c.Listen)
		errs = append(errs, require(c.Listen != c.Admin || port == "0" || c.Listener != nil,
			"--admin: %s is the address of --listen: choose another port, or \"off\"", c.Admin))
	}
	return errors.Join(errs...)
}

func (c Config) validateAddress(flag, address string, given net.Listener) error {
	if given != nil {
		return nil
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%s: %q is not an address: write HOST:PORT, such as 127.0.0.1:9324", flag, address)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("%s: %q is not a port: use a number from 0, for any free one, to 65535", flag, port)
	}
	if !isLoopback(host) && !c.Insecure {
		return fmt.Errorf("%s: other machines can reach %s, and requests are not authenticated: "+
			"listen on 127.0.0.1, or say --insecure if whoever reaches it may do everything", flag, address)
	}
	return nil
}

// isLoopback reports whether a host is this machine only, without asking a
// name server.
func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// validateURLs checks what tells of other hosts.
func (c Config) validateURLs() error {
	var errs []error
	if c.PublicURL != "" {
		errs = append(errs, require(isOrigin(strings.TrimSuffix(c.PublicURL, "/")),
			"--public-url: %q: write scheme, host and port only, such as https://sqs.example.com", c.PublicURL))
	}
	for _, origin := range c.AllowOrigin {
		errs = append(errs, require(isOrigin(origin),
			"--allow-origin: %q is not an origin: write scheme, host and port only, such as https://app.example.com, one for each site", origin))
	}
	_, err := c.trustedProxies()
	return errors.Join(append(errs, err)...)
}

// isOrigin reports whether text is scheme://host[:port] and no more.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && gateway.IsHost(u.Host) && text == u.Scheme+"://"+u.Host
}

// trustedProxies reads the networks of --trusted-proxies.
func (c Config) trustedProxies() ([]netip.Prefix, error) {
	prefixes := make([]netip.Prefix, 0, len(c.TrustedProxies))
	for _, text := range c.TrustedProxies {
		prefix, err := netip.ParsePrefix(text)
		if addr, addrErr := netip.ParseAddr(text); addrErr == nil {
			prefix, err = addr.Prefix(addr.BitLen())
		}
		if err != nil {
			return nil, fmt.Errorf("--trusted-proxies: %q is not an address or network: write it like 10.0.0.0/8", text)
		}
		prefixes = append(prefixes, prefix.Masked())
	}
	return prefixes, nil
}

// logLevels are the values of --log-level.
var logLevels = map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError}

func has[V any](m map[string]V, key string) bool {
	_, ok := m[key]
	return ok
}

// require is nil when ok, else the error.
func require(ok bool, format string, args ...any) error {
	if ok {
		return nil
	}
	return fmt.Errorf(format, args...)
}

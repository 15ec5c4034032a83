package app

import (
	"bytes"
	"context"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// settings are every flag with a value that is not its default, and what it
// must make of the configuration.
var settings = []struct {
	flag, env, value string
	want             func(*Config)
}{
	{"--listen", "QUEUES_LISTEN", "127.0.0.1:1", func(c *Config) { c.Listen = "127.0.0.1:1" }},
	{"--admin", "QUEUES_ADMIN", "off", func(c *Config) { c.Admin = "off" }},
	{"--insecure", "QUEUES_INSECURE", "true", func(c *Config) { c.Insecure = true }},
	{"--data", "QUEUES_DATA", "/var/lib/queues", func(c *Config) { c.Data = "/var/lib/queues" }},
	{"--sync", "QUEUES_SYNC", "normal", func(c *Config) { c.Sync = "normal" }},
	{"--cooldowns", "QUEUES_COOLDOWNS", "off", func(c *Config) { c.Cooldowns = "off" }},
	{"--region", "QUEUES_REGION", "eu-west-1", func(c *Config) { c.Region = "eu-west-1" }},
	{"--account", "QUEUES_ACCOUNT", "123456789012", func(c *Config) { c.Account = "123456789012" }},
	{"--public-url", "QUEUES_PUBLIC_URL", "https://sqs.example.com", func(c *Config) { c.PublicURL = "https://sqs.example.com" }},
	{"--trusted-proxies", "QUEUES_TRUSTED_PROXIES", "10.0.0.0/8,::1", func(c *Config) { c.TrustedProxies = []string{"10.0.0.0/8", "::1"} }},
	{"--allow-origin", "QUEUES_ALLOW_ORIGIN", "https://a.example,http://b.example:8080", func(c *Config) {
		c.AllowOrigin = []string{"https://a.example", "http://b.example:8080"}
	}},
	{"--log-level", "QUEUES_LOG_LEVEL", "debug", func(c *Config) { c.LogLevel = "debug" }},
	{"--log-format", "QUEUES_LOG_FORMAT", "json", func(c *Config) { c.LogFormat = "json" }},
	{"--max-body", "QUEUES_MAX_BODY", "8MiB", func(c *Config) { c.MaxBody = 8 << 20 }},
	{"--max-memory", "QUEUES_MAX_MEMORY", "1GiB", func(c *Config) { c.MaxMemory = 1 << 30 }},
	{"--max-connections", "QUEUES_MAX_CONNECTIONS", "7", func(c *Config) { c.MaxConnections = 7 }},
	{"--max-waiting", "QUEUES_MAX_WAITING", "7", func(c *Config) { c.MaxWaiting = 7 }},
	{"--max-queues", "QUEUES_MAX_QUEUES", "7", func(c *Config) { c.MaxQueues = 7 }},
}

// defaults is what the command line makes of nothing.
var defaults = Config{
	Listen: "127.0.0.1:9324", Admin: "127.0.0.1:9325", Region: "us-east-1", Account: "000000000000",
	LogLevel: "info", LogFormat: "text", MaxBody: 16 << 20, MaxMemory: 512 << 20, MaxConnections: 16384, MaxWaiting: 16384, MaxQueues: 100_000,
}

// Every setting can be given as a flag to both commands, and in the
// environment; a flag wins.
func TestSettings(t *testing.T) {
	for _, command := range []string{"serve", "dev"} {
		check := func(t *testing.T, want Config, args ...string) {
			t.Helper()
			want.Dev = command == "dev"
			var out bytes.Buffer
			c, err := parse(append([]string{command}, args...), &out, &out)
			got, ok := c.(serveCommand)
			if err != nil || !ok {
				t.Fatalf("parse: %T, %v", c, err)
			}
			if diff := cmp.Diff(want, got.Config); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
		}
		t.Run(command, func(t *testing.T) {
			check(t, defaults)
			for _, s := range settings {
				t.Run(strings.TrimPrefix(s.flag, "--"), func(t *testing.T) {
					want := defaults
					s.want(&want)
					check(t, want, s.flag+"="+s.value)
					t.Setenv(s.env, s.value)
					check(t, want)
				})
			}
			for _, s := range settings {
				t.Run("Empty/"+s.env, func(t *testing.T) {
					t.Setenv(s.env, "")
					check(t, defaults)
				})
			}
			t.Run("FlagWins", func(t *testing.T) {
				t.Setenv("QUEUES_REGION", "eu-west-1")
				want := defaults
				want.Region = "eu-west-2"
				check(t, want, "--region=eu-west-2")
			})
		})
	}
}

// What is empty takes the default of its command.
func TestDefaults(t *testing.T) {
	t.Parallel()
	serve, dev := Config{}.withDefaults(), Config{Dev: true}.withDefaults()
	if serve.Sync != "full" || serve.Data != "data" {
		t.Errorf("serve: sync %q, data %q; want full, data", serve.Sync, serve.Data)
	}
	if dev.Sync != "off" || dev.Data != "" {
		t.Errorf("dev: sync %q, data %q; want off and a folder of its own", dev.Sync, dev.Data)
	}
	if err := (Config{}).Validate(); err != nil {
		t.Errorf("the empty configuration is refused: %v", err)
	}
	if serve.Cooldowns != "on" || dev.Cooldowns != "off" {
		t.Errorf("cooldowns: serve %q, dev %q; want on, off", serve.Cooldowns, dev.Cooldowns)
	}
	for _, c := range []Config{serve, dev} {
		c.Dev, c.Sync, c.Data, c.Cooldowns, c.Clock, c.Output = false, "", "", "", nil, nil
		if diff := cmp.Diff(defaults, c); diff != "" {
			t.Errorf("defaults differ from the command line's (-command line +program):\n%s", diff)
		}
	}
}

// Wrong values are refused in words that name the flag and say what to do.
func TestBadSettings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ flag, want string }{
		"NoPort":           {"--listen=127.0.0.1", "write HOST:PORT"},
		"PortNoNumber":     {"--listen=127.0.0.1:sqs", "not a port"},
		"PortTooLarge":     {"--listen=127.0.0.1:70000", "not a port"},
		"AllAddresses":     {"--listen=:9324", "--insecure"},
		"OtherAddress":     {"--listen=192.168.1.1:9324", "--insecure"},
		"OtherName":        {"--listen=example.com:9324", "--insecure"},
		"UnspecifiedIPv6":  {"--listen=[::]:9324", "--insecure"},
		"AdminReachable":   {"--admin=0.0.0.0:9325", "--insecure"},
		"AdminOn":          {"--admin=on", "write HOST:PORT"},
		"SameAddress":      {"--admin=127.0.0.1:9324", "is the address of --listen"},
		"Sync":             {"--sync=maybe", "full, normal or off"},
		"Region":           {"--region=US-East", "such as eu-west-1"},
		"AccountShort":     {"--account=123", "12 digits"},
		"AccountLetters":   {"--account=12345678901x", "12 digits"},
		"URLPath":          {"--public-url=https://example.com/sqs", "scheme, host and port only"},
		"URLScheme":        {"--public-url=ftp://example.com", "scheme, host and port only"},
		"URLBare":          {"--public-url=example.com", "scheme, host and port only"},
		"URLUser":          {"--public-url=https://me@example.com", "scheme, host and port only"},
		"URLPort":          {"--public-url=https://example.com:x", "scheme, host and port only"},
		"Proxy":            {"--trusted-proxies=10.0.0.0/8,proxy", `"proxy" is not an address or network`},
		"OriginAny":        {"--allow-origin=*", "one for each site"},
		"OriginNull":       {"--allow-origin=null", "one for each site"},
		"OriginPath":       {"--allow-origin=https://a.example/x", "one for each site"},
		"LogLevel":         {"--log-level=loud", "debug, info, warn or error"},
		"Cooldowns":        {"--cooldowns=60", "on or off"},
		"LogFormat":        {"--log-format=xml", "text or json"},
		"BodySmall":        {"--max-body=1KiB", "at least 1MiB"},
		"BodyNoSize":       {"--max-body=lots", "not a size"},
		"BodyNegative":     {"--max-body=-1", "not a size"},
		"BodyOverflow":     {"--max-body=9223372036854775807GiB", "not a size"},
		"MemorySmall":      {"--max-memory=1MiB", "at least 96MiB"},
		"MemoryUnderBody":  {"--max-body=512MiB", "at least 1GiB"},
		"NoConnections":    {"--max-connections=-1", "at least 1"},
		"NoWaiting":        {"--max-waiting=-1", "at least 1"},
		"ZeroConnections":  {"--max-connections=0", "at least 1"},
		"ZeroWaiting":      {"--max-waiting=0", "at least 1"},
		"QueuesApart":      {"--max-queues -1", "at least 1"},
		"BodyApart":        {"--max-body -1", "not a size"},
		"NoQueues":         {"--max-queues=-1", "at least 1"},
		"ZeroQueues":       {"--max-queues=0", "at least 1"},
		"ZeroBody":         {"--max-body=0", "at least 1MiB"},
		"ZeroMemory":       {"--max-memory=0", "at least 96MiB"},
		"UnknownFlag":      {"--frobnicate", "unknown flag"},
		"UnknownArguments": {"now", "unexpected argument"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			if code := Execute(context.Background(), append([]string{"serve"}, strings.Split(test.flag, " ")...), &stdout, &stderr); code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			flag, _, _ := strings.Cut(strings.Replace(test.flag, " ", "=", 1), "=")
			if strings.HasPrefix(name, "MemoryUnder") {
				flag = "--max-memory"
			}
			if got := stderr.String(); !strings.Contains(got, test.want) || !strings.Contains(got, flag) {
				t.Errorf("got %q, want %s and %q in it", got, flag, test.want)
			}
		})
	}
}

// Everything that is wrong is told at once.
func TestAllMistakes(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	Execute(context.Background(), []string{"dev", "--region=X", "--account=1", "--sync=2"}, &stdout, &stderr)
	if got := strings.Count(stderr.String(), "queues: "); got != 3 {
		t.Errorf("%d lines, want 3: %s", got, &stderr)
	}
}

// Addresses that others can reach are taken when it is said out loud, loopback
// ones always.
func TestAddresses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]Config{
		"Insecure":  {Listen: ":9324", Admin: "0.0.0.0:9325", Insecure: true},
		"Localhost": {Listen: "localhost:9324", Admin: "LOCALHOST:9325"},
		"IPv6":      {Listen: "[::1]:9324", Admin: "off"},
		"Loopback":  {Listen: "127.1.2.3:9324", Admin: "[::ffff:127.0.0.1]:9325"},
		"AnyPorts":  {Listen: "127.0.0.1:0", Admin: "127.0.0.1:0"},
	} {
		if err := c.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Help and version go to standard output and succeed.
func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"serve":                             {"--help"},
		"QUEUES_LISTEN":                     {"serve", "--help"},
		"queues " + Version() + " ":         {"version"},
		Version() + " " + runtime.Version(): {"--version"},
	} {
		var stdout, stderr bytes.Buffer
		if code := Execute(context.Background(), args, &stdout, &stderr); code != exitOK || !strings.Contains(stdout.String(), want) {
			t.Errorf("%v: code %d, %q %q; want 0 and %q", args, code, &stdout, &stderr, want)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := Execute(context.Background(), nil, &stdout, &stderr); code != exitUsage {
		t.Errorf("without a command: code %d, want %d", code, exitUsage)
	}
}

// Who writes no command, or flags before it, is told how it is done; who wrote
// one is not.
func TestNoCommand(t *testing.T) {
	t.Parallel()
	const hint = `: write "queues serve" or "queues dev" and then the flags`
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"Nothing":     {nil, `queues: expected one of "serve", "dev", "backup", "check", "restore", ...` + hint + "\n"},
		"Other":       {[]string{"run"}, "queues: unexpected argument run" + hint + "\n"},
		"FlagsBefore": {[]string{"--log-level=debug", "serve"}, "queues: unknown flag --log-level" + hint + "\n"},
		"FlagsAfter":  {[]string{"serve", "--frobnicate"}, "queues: unknown flag --frobnicate\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			if code := Execute(context.Background(), test.args, &stdout, &stderr); code != exitUsage || stderr.String() != test.want {
				t.Errorf("code %d, %q; want %d, %q", code, &stderr, exitUsage, test.want)
			}
		})
	}
}

func TestVersionOf(t *testing.T) {
	t.Parallel()
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "0123456789abcdef0123"}
	for name, test := range map[string]struct {
		info debug.BuildInfo
		want string
	}{
		"Module":   {debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, "v1.2.3"},
		"Nothing":  {debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "devel"},
		"Revision": {debug.BuildInfo{Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "false"}}}, "0123456789ab"},
		"Changed":  {debug.BuildInfo{Settings: []debug.BuildSetting{revision, {Key: "vcs.modified", Value: "true"}}}, "0123456789ab+changes"},
	} {
		if got := versionOf(&test.info); got != test.want {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Size{"0": 0, "1048577": 1<<20 + 1, "1KiB": 1 << 10, "16MiB": 16 << 20, "2 GiB": 2 << 30} {
		var got Size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: got %d, %v; want %d", text, got, err, want)
		}
	}
	for size, want := range map[Size]string{0: "0", 1: "1", 1 << 10: "1KiB", 3 << 20: "3MiB", 1<<30 + 1: "1073741825"} {
		if got := size.String(); got != want {
			t.Errorf("%d: got %q, want %q", size, got, want)
		}
	}
}

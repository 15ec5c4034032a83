package app

import (
	"io"
	"net"
	"time"

	"queues/engine"
)

// off is the admin address that disables the admin port, and the mode of what
// is not in force.
const off = "off"

// cooldown is how long AWS blocks the name of a deleted queue, and a second
// purge of the same queue.
const cooldown = 60 * time.Second

// Config is everything that can be set. The tags are the command line and the
// environment; the fields without a flag are for programs and tests that run
// the server inside themselves.
type Config struct {
	Listen         string   `env:"QUEUES_LISTEN" default:"127.0.0.1:9324" placeholder:"HOST:PORT" help:"Address of the SQS API (${default})."`
	Admin          string   `env:"QUEUES_ADMIN" default:"127.0.0.1:9325" placeholder:"HOST:PORT" help:"Address of health checks, counts and backups, or \"off\" for none (${default})."`
	Insecure       bool     `env:"QUEUES_INSECURE" help:"Allow addresses that other machines can reach. Requests are not authenticated: whoever reaches the port may do everything."`
	Data           string   `env:"QUEUES_DATA" placeholder:"DIR" help:"Data folder (serve: ./data; dev: a temporary one, removed at the end)."`
	Sync           string   `env:"QUEUES_SYNC" placeholder:"MODE" help:"What an answer promises: \"full\", on disk, a power cut loses nothing; \"normal\", a crash of the process loses nothing; \"off\", a crash of the machine may ruin the data (serve: full; dev: off)."`
	Cooldowns      string   `env:"QUEUES_COOLDOWNS" placeholder:"MODE" help:"AWS's 60-second rules, by which the name of a deleted queue is blocked and a queue is purged only once: \"on\" or \"off\" (serve: on; dev: off)."`
	Region         string   `env:"QUEUES_REGION" default:"us-east-1" placeholder:"NAME" help:"Region of requests that name none (${default})."`
	Account        string   `env:"QUEUES_ACCOUNT" default:"000000000000" placeholder:"DIGITS" help:"Account of requests whose access key is not 12 digits (${default})."`
	PublicURL      string   `name:"public-url" env:"QUEUES_PUBLIC_URL" placeholder:"URL" help:"What queue URLs begin with, whatever host a request used."`
	TrustedProxies []string `env:"QUEUES_TRUSTED_PROXIES" placeholder:"CIDR" help:"Proxies whose X-Forwarded-Proto, -Host and -For are believed."`
	AllowOrigin    []string `env:"QUEUES_ALLOW_ORIGIN" placeholder:"ORIGIN" help:"Origins whose web pages may use the API, such as https://app.example.com."`
	LogLevel       string   `env:"QUEUES_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"debug, info (a line for every request), warn or error (${default})."`
	LogFormat      string   `env:"QUEUES_LOG_FORMAT" default:"text" placeholder:"FORMAT" help:"text or json (${default})."`
	MaxBody        Size     `env:"QUEUES_MAX_BODY" default:"16MiB" placeholder:"SIZE" help:"Largest body of a request (${default})."`
	MaxMemory      Size     `env:"QUEUES_MAX_MEMORY" default:"512MiB" placeholder:"SIZE" help:"Most bytes of requests and answers in memory at once (${default})."`
	MaxConnections int      `env:"QUEUES_MAX_CONNECTIONS" default:"16384" placeholder:"N" help:"Most open connections (${default})."`
	MaxWaiting     int      `env:"QUEUES_MAX_WAITING" default:"16384" placeholder:"N" help:"Most receives that wait at once; past it a receive answers at once (${default})."`
	MaxQueues      int      `env:"QUEUES_MAX_QUEUES" default:"100000" placeholder:"N" help:"Most queues, of all accounts and regions together; each takes 2 to 4 KB of memory (${default})."`

	// Dev is true for "queues dev": other defaults for Data, Sync and Cooldowns.
	Dev bool `kong:"-"`
	// Clock is the time of messages; nil for the machine's.
	Clock engine.Clock `kong:"-"`
	// Listener and AdminListener are used in place of Listen and Admin unless
	// nil.
	Listener      net.Listener `kong:"-"`
	AdminListener net.Listener `kong:"-"`
	// Output takes the log and the line that tells where the server is; nil
	// for nowhere.
	Output io.Writer `kong:"-"`
	// Fault is for tests; see sqlite.Options.
	Fault func(point string) error `kong:"-"`
}

// withDefaults fills the fields that are empty, as the command line would.
func (c Config) withDefaults() Config {
	set(&c.Listen, "127.0.0.1:9324")
	set(&c.Admin, "127.0.0.1:9325")
	set(&c.Region, "us-east-1")
	set(&c.Account, "000000000000")
	set(&c.LogLevel, "info")
	set(&c.LogFormat, "text")
	set(&c.MaxBody, 16<<20)
	set(&c.MaxMemory, 512<<20)
	set(&c.MaxConnections, 16384)
	set(&c.MaxWaiting, 16384)
	set(&c.MaxQueues, 100_000)
	if c.Output == nil {
		c.Output = io.Discard
	}
	if c.Clock == nil {
		c.Clock = engine.NewSystemClock()
	}
	if c.Dev {
		set(&c.Sync, "off")
		set(&c.Cooldowns, off)
	} else {
		set(&c.Sync, "full")
		set(&c.Cooldowns, "on")
		set(&c.Data, "data")
	}
	return c
}

// set gives an empty field its default.
func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

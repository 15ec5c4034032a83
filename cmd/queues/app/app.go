package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"queues/compat"
	"queues/engine"
	"queues/engine/sqlite"
	"queues/gateway"
	"queues/gateway/admin"
)

// expiryGrace is how long nothing expires after a start that finds the stored
// clock far behind: the clock may be what is wrong.
const expiryGrace = 10 * time.Minute

// adminStop bounds how long the admin port may take to stop.
const adminStop = time.Second

// App is one server. Make one with [New], run it once, close it.
type App struct {
	config Config
	output *gathered
	log    *slog.Logger
	// temporary is the data folder to remove at the end; empty for none.
	temporary     string
	store         *sqlite.Store
	engine        *engine.Engine
	gateway       *gateway.Server
	admin         *admin.Server
	listener      net.Listener
	adminListener net.Listener
	// fatal gets the error of a store that has failed for good.
	fatal chan error
	close func() error
}

// New opens the data and the ports. Nothing is served before [App.Run]. Its
// errors say what to do; those of the store are [engine.Error].
func New(c Config) (*App, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	c = c.withDefaults()
	a := &App{config: c, output: &gathered{to: c.Output}, fatal: make(chan error, 1)}
	a.log = newLog(c, a.output)
	a.close = sync.OnceValue(a.release)
	if err := a.open(); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// open opens everything, in order; what it has opened when it fails is closed
// by Close.
func (a *App) open() error {
	c := &a.config
	if err := a.openPorts(); err != nil {
		return err
	}
	if c.Data == "" {
		removeLeftovers(os.TempDir(), time.Now())
		dir, err := os.MkdirTemp("", temporaryPrefix)
		if err != nil {
			return fmt.Errorf("no temporary folder can be made: give one with --data: %w", err)
		}
		a.temporary, c.Data = dir, dir
	}
	proxies, err := c.trustedProxies()
	if err != nil {
		return err
	}
	wakeups := engine.NewWakeups(c.Clock)
	a.store, err = sqlite.Open(context.Background(), sqlite.Options{
		Dir: c.Data, Clock: c.Clock, Report: wakeups.Report, Log: a.log,
		Sync: syncModes[c.Sync], ExpiryGrace: expiryGrace, Fault: c.Fault,
		OnFatal: func(err error) {
			select {
			case a.fatal <- err:
			default:
			}
		},
	})
	if err != nil {
		return err
	}
	a.engine = engine.New(a.store, engine.Options{Clock: c.Clock, Log: a.log, Wakeups: wakeups, MaxParked: c.MaxWaiting})
	rules := compat.Options{MaxQueues: c.MaxQueues}
	if c.Cooldowns != off {
		rules.NameCooldown, rules.PurgeCooldown = cooldown, cooldown
	}
	a.gateway = gateway.New(gateway.Options{
		Service: compat.New(a.engine, rules), Log: a.log, Account: c.Account, Region: c.Region,
		PublicURL: c.PublicURL, TrustedProxies: proxies, AllowOrigins: c.AllowOrigin, Drain: a.engine.Drain, Busy: a.store.Busy,
		Limits: gateway.Limits{MaxBody: int64(c.MaxBody), MaxMemory: int64(c.MaxMemory), MaxConnections: c.MaxConnections},
	})
	if c.Admin != off {
		a.admin = admin.New(admin.Options{
			Health: a.engine.Health, Draining: a.gateway.Draining, Counts: a.counts, Backup: a.backup, Hosts: c.adminHosts(), Log: a.log,
		})
	}
	return nil
}

// backup makes a copy of the store for the admin port.
func (a *App) backup(ctx context.Context) (admin.Copy, error) {
	c, err := a.store.Backup(ctx)
	if err != nil {
		return admin.Copy{}, err
	}
	return admin.Copy{ReadCloser: c, Size: c.Size}, nil
}

// openPorts takes the ports, before the data: a port that is taken leaves no
// folder behind, and clients that come early wait for the data to be open.
func (a *App) openPorts() (err error) {
	c := &a.config
	if a.listener, err = listen("--listen", c.Listen, c.Listener); err != nil || c.Admin == off {
		return err
	}
	a.adminListener, err = listen("--admin", c.Admin, c.AdminListener)
	return err
}

// counts are the counts of the API port.
func (a *App) counts() admin.Counts {
	return admin.Counts{Connections: a.gateway.Connections(), Requests: a.gateway.Running(), ReservedBytes: a.gateway.Reserved()}
}

// adminHosts are the names of the admin port beside localhost and addresses.
func (c *Config) adminHosts() []string {
	host, _, err := net.SplitHostPort(c.Admin)
	if err != nil {
		return nil
	}
	return []string{host}
}

// listen opens a port, unless the listener is given.
func listen(flag, address string, given net.Listener) (net.Listener, error) {
	if given != nil {
		return &onceListener{Listener: given}, nil
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: the address %s is in use, by another process or by connections that are just ending: "+
			"choose another port, such as %s 127.0.0.1:0 for any that is free: %w", flag, address, flag, err)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s: %s is not allowed to this user: choose a port from 1024 on: %w", flag, address, err)
	case err != nil:
		return nil, fmt.Errorf("%s: cannot listen on %s: choose an address of this machine: %w", flag, address, err)
	}
	return &onceListener{Listener: l}, nil
}

// onceListener closes a listener once, however many parts of the server close
// it on the way down.
type onceListener struct {
	net.Listener
	once sync.Once
	err  error
}

func (l *onceListener) Close() error {
	l.once.Do(func() { l.err = l.Listener.Close() })
	return l.err
}

// Addr is the address of the SQS API, with the port that was really taken.
func (a *App) Addr() string { return a.listener.Addr().String() }

// AdminAddr is the address of the admin port; empty when it is off.
func (a *App) AdminAddr() string {
	if a.adminListener == nil {
		return ""
	}
	return a.adminListener.Addr().String()
}

// Run serves until ctx ends, Close is called or the store fails for good, then
// lets the requests under way finish and closes everything. It must be called
// at most once. The error is nil when ctx ended it and everything finished in
// time.
func (a *App) Run(ctx context.Context) error {
	a.engine.Start()
	ended := make(chan error, 2)
	running := 1
	go func() { ended <- a.gateway.Serve(a.listener) }()
	if a.admin != nil {
		running++
		go func() { ended <- a.admin.Serve(a.adminListener) }()
	}
	a.announce()
	a.output.flush()

	var err error
	select {
	case <-ctx.Done():
		a.log.LogAttrs(ctx, slog.LevelInfo, "stopping")
	case err = <-ended:
		running--
	case fatal := <-a.fatal:
		err = fmt.Errorf("the store has failed and nothing more can be stored in %s: what was answered is kept; "+
			"mend what the error names and start again: %w", a.dataFolder(), fatal)
	}
	stopped := a.gateway.Shutdown(context.WithoutCancel(ctx))
	if stopped != nil {
		stopped = fmt.Errorf("requests were cut off because they did not end in time: %w", stopped)
	}
	err = errors.Join(err, stopped, a.Close())
	for range running {
		err = errors.Join(err, <-ended)
	}
	return err
}

// Close ends everything at once and gives up the data folder. It may be called
// more than once; later calls give the first one's error.
func (a *App) Close() error { return a.close() }

// release closes in the reverse order of open.
func (a *App) release() error {
	var errs []error
	if a.admin != nil {
		ctx, cancel := context.WithTimeout(context.Background(), adminStop)
		defer cancel()
		if a.admin.Shutdown(ctx) != nil {
			errs = append(errs, a.admin.Close())
		}
	}
	if a.gateway != nil {
		errs = append(errs, a.gateway.Close())
	}
	for _, l := range []net.Listener{a.adminListener, a.listener} {
		if l != nil {
			errs = append(errs, l.Close())
		}
	}
	if a.engine != nil {
		a.engine.Close()
	}
	if a.store != nil {
		errs = append(errs, a.store.Close())
	}
	if a.temporary != "" {
		errs = append(errs, os.RemoveAll(a.temporary))
	}
	a.output.close()
	return errors.Join(errs...)
}

// dataFolder is where the data is, for people.
func (a *App) dataFolder() string {
	if path, err := filepath.Abs(a.config.Data); err == nil {
		return path
	}
	return a.config.Data
}

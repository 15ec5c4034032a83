//go:build linux

package main

import (
	"fmt"
	"strings"
	"syscall"

	"queues/integration/torture/powercut"
)

// scenario is one way in which the disk fails, and what the server must do.
type scenario struct {
	name  string
	fault powercut.Fault
	// starting arms the fault before the start instead of under load.
	starting bool
	// stops: the server must end with a message and status 1. It must not
	// otherwise, unless it may.
	stops, may bool
}

// point is a kind of call on a kind of file.
type point struct {
	name  string
	kind  powercut.Kind
	class powercut.Class
}

var (
	walWrite  = point{"wal write", powercut.Write, powercut.WAL}
	dbWrite   = point{"db write", powercut.Write, powercut.Database}
	walSync   = point{"wal sync", powercut.SyncBegin, powercut.WAL}
	dbSync    = point{"db sync", powercut.SyncBegin, powercut.Database}
	dirSync   = point{"folder sync", powercut.SyncBegin, powercut.Folder}
	dbCut     = point{"db truncate", powercut.Truncate, powercut.Database}
	shmMake   = point{"shm creation", powercut.Create, powercut.SharedMemory}
	shmOpen   = point{"shm open", powercut.Open, powercut.SharedMemory}
	shmSize   = point{"shm truncate", powercut.Truncate, powercut.SharedMemory}
	walMake   = point{"wal creation", powercut.Create, powercut.WAL}
	walOpen   = point{"wal open", powercut.Open, powercut.WAL}
	dbOpen    = point{"db open", powercut.Open, powercut.Database}
	lockOpen  = point{"lock open", powercut.Open, powercut.Lock}
	reserveOp = point{"reserve open", powercut.Open, powercut.Reserve}
	allocate  = point{"reserve allocate", powercut.Allocate, powercut.Reserve}
	dbRead    = point{"db read", powercut.ReadAt, powercut.Database}
	walRead   = point{"wal read", powercut.ReadAt, powercut.WAL}
)

// scenarios are all of them.
func scenarios() []scenario {
	var all []scenario
	add := func(p point, err syscall.Errno, times uint32, s scenario) {
		s.fault = powercut.Fault{Kind: p.kind, Class: p.class, Error: err, Times: times}
		often := "always"
		if times < powercut.Always {
			often = fmt.Sprintf("%d times", times)
		}
		what := strings.ToUpper(errorName(err))
		if err == 0 {
			s.fault.Half, what = true, "SHORT"
		}
		s.name = fmt.Sprintf("%s %s %s", p.name, what, often)
		if s.starting {
			s.name += " at the start"
		}
		all = append(all, s)
	}
	for _, times := range []uint32{1, 20, powercut.Always} {
		for _, p := range []point{walWrite, dbWrite} {
			for _, err := range []syscall.Errno{syscall.ENOSPC, syscall.EIO, syscall.EROFS, 0} {
				add(p, err, times, scenario{})
			}
		}
	}
	for _, p := range []point{dbRead, walRead} {
		for _, times := range []uint32{1, 20, powercut.Always} {
			// A read that fails may be one without which nobody knows what is
			// there; one that is short is read on.
			add(p, syscall.EIO, times, scenario{may: true})
			add(p, 0, times, scenario{})
		}
		for _, times := range []uint32{1, powercut.Always} {
			add(p, syscall.EIO, times, scenario{starting: true, may: true})
			add(p, 0, times, scenario{starting: true})
		}
	}
	for _, p := range []point{walSync, dbSync} {
		for _, err := range []syscall.Errno{syscall.EIO, syscall.ENOSPC} {
			add(p, err, 1, scenario{stops: true})
		}
		add(p, syscall.EIO, powercut.Always, scenario{stops: true})
	}
	for _, p := range []point{walWrite, dbWrite, walSync, dbSync, dirSync, shmMake, shmOpen, shmSize, walMake, walOpen, dbOpen, lockOpen, reserveOp, allocate, dbCut} {
		for _, err := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EROFS} {
			add(p, err, powercut.Always, scenario{starting: true, may: true})
			add(p, err, 1, scenario{starting: true, may: true})
		}
	}
	return all
}

func errorName(err syscall.Errno) string {
	switch err {
	case syscall.ENOSPC:
		return "enospc"
	case syscall.EIO:
		return "eio"
	case syscall.EROFS:
		return "erofs"
	}
	return err.Error()
}

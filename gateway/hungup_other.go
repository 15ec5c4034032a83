//go:build !unix

package gateway

import "syscall"

// peekHungUp does not know here.
func peekHungUp(syscall.Conn) bool { return false }

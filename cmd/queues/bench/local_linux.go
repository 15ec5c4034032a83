package bench

import (
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// listener finds the process that listens on a loopback address; 0 for one that
// cannot be found, as another user's.
func listener(addr netip.AddrPort) int {
	var sockets []string
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(file)
		if err == nil {
			sockets = append(sockets, listening(string(text), addr)...)
		}
	}
	if len(sockets) == 0 {
		return 0
	}
	links, err := filepath.Glob("/proc/[0-9]*/fd/*")
	if err != nil {
		return 0
	}
	for _, link := range links {
		to, err := os.Readlink(link)
		if err != nil || !slices.Contains(sockets, to) {
			continue
		}
		if pid, err := strconv.Atoi(strings.Split(link, "/")[2]); err == nil {
			return pid
		}
	}
	return 0
}

// listening gives the sockets in a table of /proc/net that listen on an
// address, or on that port of all, as /proc names them.
func listening(table string, addr netip.AddrPort) []string {
	const stateListen = "0A"
	var found []string
	for line := range strings.Lines(table) {
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode
		f := strings.Fields(line)
		if len(f) < 10 || f[3] != stateListen {
			continue
		}
		host, port, _ := strings.Cut(f[1], ":")
		at, err := strconv.ParseUint(port, 16, 16)
		if ip, ok := kernelAddr(host); err == nil && ok && uint16(at) == addr.Port() && (ip == addr.Addr() || ip.IsUnspecified()) {
			found = append(found, "socket:["+f[9]+"]")
		}
	}
	return found
}

// kernelAddr reads an address whose words of four bytes are in the machine's
// order, taken to be the little-endian one.
func kernelAddr(text string) (netip.Addr, bool) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b)%4 != 0 {
		return netip.Addr{}, false
	}
	for word := range slices.Chunk(b, 4) {
		slices.Reverse(word)
	}
	addr, ok := netip.AddrFromSlice(b)
	return addr.Unmap(), ok
}

// processName is what the system calls a process.
func processName(pid int) string {
	name, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "comm"))
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(name))
}

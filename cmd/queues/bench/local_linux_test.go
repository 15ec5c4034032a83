package bench

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestListeningSockets(t *testing.T) {
	t.Parallel()
	const four = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:246C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: 00000000:246C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 100 0 0 10 0
   2: 0200007F:246C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 13 1 0 100 0 0 10 0
   3: 0100007F:246D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 14 1 0 100 0 0 10 0
   4: 0100007F:246C 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        0 15 1 0 100 0 0 10 0
   5: broken
`
	const six = `   0: 00000000000000000000000001000000:246C 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 21 1
   1: 0000000000000000FFFF00000100007F:246C 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 22 1
`
	for name, tc := range map[string]struct {
		table, addr string
		want        []string
	}{
		"Four":   {four, "127.0.0.1:9324", []string{"socket:[11]", "socket:[12]"}},
		"Six":    {six, "[::1]:9324", []string{"socket:[21]"}},
		"Mapped": {six, "127.0.0.1:9324", []string{"socket:[22]"}},
		"Other":  {four, "127.0.0.1:80", nil},
	} {
		if diff := cmp.Diff(tc.want, listening(tc.table, netip.MustParseAddrPort(tc.addr))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

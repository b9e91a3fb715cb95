package edge

import (
	"net/netip"
	"time"

	"logzlab/core/problem"
)

// quota is how often an address may do something in a time.
type quota struct {
	what   string
	most   int
	window time.Duration
}

var (
	openings   = quota{"room", 60, time.Hour}
	links      = quota{"link", 600, time.Hour}
	wrongCodes = quota{"code", 100, 10 * time.Minute}
	newDevices = quota{"device", 300, time.Minute} // as many as a large class behind one address
)

// count notes that the address of the request does something, and returns how long it has to wait if that was too often,
// else 0. Beyond the quota nothing is written, so that a flood of requests does not become one of writes.
func (c *call) count(q quota) (wait time.Duration, err error) {
	window := q.window.Milliseconds()
	ends := (c.now/window + 1) * window
	n, err := c.exec(`INSERT INTO usage VALUES(?, ?, ?, 1) ON CONFLICT(address, what) DO UPDATE SET n = iif(ends =
		excluded.ends, n + 1, 1), ends = excluded.ends WHERE n < ? OR ends <> excluded.ends`, c.address, q.what, ends, q.most)
	if err != nil || n > 0 {
		return 0, err
	}
	return time.Duration(ends-c.now) * time.Millisecond, nil
}

// tooManyCodes refuses an address that tried too many wrong codes.
func tooManyCodes(wait time.Duration) error {
	return later(wait, problem.New("too many wrong codes of rooms came from this address: try again in %d minutes",
		minutes(wait)))
}

// minutes is a time in whole minutes, at least 1.
func minutes(d time.Duration) int { return int((d + time.Minute - 1) / time.Minute) }

// network is where a request comes from. Of an address of IPv6 it is the first half, since whoever has one address there
// has all with the same half. What a proxy says in X-Forwarded-For is not used, as anybody can send it.
func network(remote string) string {
	ip, err := netip.ParseAddr(remote)
	if err != nil {
		a, err := netip.ParseAddrPort(remote)
		if err != nil {
			return remote
		}
		ip = a.Addr()
	}
	ip = ip.Unmap().WithZone("")
	if ip.Is6() {
		half, _ := ip.Prefix(64)
		return half.String()
	}
	return ip.String()
}

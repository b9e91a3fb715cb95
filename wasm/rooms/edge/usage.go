package edge

import (
	"net/netip"
	"time"

	"logzlab/core/problem"
)

// quota limits the number of actions of one kind by an address within a time window. action is the name of the kind in
// the database; refuse returns the error for an address that must wait some minutes.
type quota struct {
	action   string
	maxCount int
	window   time.Duration
	refuse   func(minutes int) error
}

var (
	openings = quota{"room", 60, time.Hour, func(m int) error {
		return problem.New("too many rooms were opened from this address: try again in %d minutes", m)
	}}
	links = quota{"link", 600, time.Hour, func(m int) error {
		return problem.New("too many short links were made from this address: try again in %d minutes", m)
	}}
	wrongCodes = quota{"code", 100, 10 * time.Minute, func(m int) error {
		return problem.New("too many wrong codes of rooms came from this address: try again in %d minutes", m)
	}}
	newDevices = quota{"device", 300, time.Minute, func(int) error { // enough for a large class behind one address
		return problem.New("too many devices join from this address at once: this one can join in a minute")
	}}
)

// countAction counts an action of the address of the request, and returns an error if the quota is exceeded. It then
// writes nothing, so that a flood of requests does not become a flood of writes.
func (c *call) countAction(q *quota) error {
	window := q.window.Milliseconds()
	ends := (c.now/window + 1) * window
	n, err := c.exec(`INSERT INTO usage VALUES(?, ?, ?, 1) ON CONFLICT(address, what) DO UPDATE SET n = iif(ends =
		excluded.ends, n + 1, 1), ends = excluded.ends WHERE n < ? OR ends <> excluded.ends`, c.address, q.action, ends, q.maxCount)
	if err != nil || n > 0 {
		return err
	}
	return q.exceeded(ends - c.now)
}

// exceeded returns the error for an address that must wait ms milliseconds.
func (q *quota) exceeded(ms int64) error {
	wait := time.Duration(ms) * time.Millisecond
	return retryLater(wait, q.refuse(int((wait+time.Minute-1)/time.Minute)))
}

// network returns the network of a client: its IPv4 address, or the first 64 bits of its IPv6 address, because a client
// usually has all addresses with the same first 64 bits. X-Forwarded-For is not used, because clients can forge it.
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

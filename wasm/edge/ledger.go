package edge

import (
	"net/netip"
	"sync"
	"time"
)

// Ledger counts what each address does in an hour. It is kept in memory: a server that is started again begins anew.
type Ledger struct {
	mu   sync.Mutex
	hour int64
	done map[act]int
}

// act is something that an address does.
type act struct {
	what    *quota
	address string
}

// quota is how often an address may do something in an hour.
type quota struct{ most int }

var newRooms, links, guesses = &quota{200}, &quota{600}, &quota{300}

// mostActs bounds the ledger; when it is full it begins anew.
const mostActs = 100_000

// tooMany notes that the address of a request does something. If that was too often, it is how long the address has to
// wait, in minutes; else 0.
func (c *call) tooMany(q *quota) (minutes int) {
	l := c.limits.Ledger
	if l == nil {
		return 0
	}
	address := network(c.RemoteAddr)
	l.mu.Lock()
	defer l.mu.Unlock()
	if hour := c.now / time.Hour.Milliseconds(); hour != l.hour || len(l.done) > mostActs {
		l.hour, l.done = hour, map[act]int{}
	}
	a := act{q, address}
	if l.done[a]++; l.done[a] <= q.most {
		return 0
	}
	rest := time.Duration((l.hour+1)*time.Hour.Milliseconds()-c.now) * time.Millisecond
	return int(rest.Minutes()) + 1
}

// minutes refuses what may succeed after some minutes.
func minutes(n int, err error) error { return later(time.Duration(n)*time.Minute, err) }

// network is where a request comes from: of IPv6 the first half of the address, since whoever has one address there has
// all with the same half. What a proxy says of it is not asked: anybody can say it.
func network(remote string) string {
	a, err := netip.ParseAddrPort(remote)
	if err != nil {
		return remote
	}
	ip := a.Addr().Unmap().WithZone("")
	if ip.Is6() {
		half, _ := ip.Prefix(64)
		return half.String()
	}
	return ip.String()
}

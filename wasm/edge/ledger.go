package edge

import (
	"net"
	"sync"
	"time"

	"logzlab/core/problem"
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

// quota is how often an address may do something in an hour, and what it is told then, with the minutes to wait.
type quota struct {
	most    int
	message string
}

var (
	openings = &quota{200, "too many rooms were opened from this address: try again in %d minutes"}
	links    = &quota{600, "too many short links were made from this address: try again in %d minutes"}
	guesses  = &quota{300, "too many wrong codes of rooms came from this address: try again in %d minutes"}
)

// mostActs bounds the ledger; when it is full it begins anew.
const mostActs = 100_000

// once notes that the address of a request does something, and refuses it when it has done so too often.
func (c *call) once(q *quota) error {
	l := c.limits.Ledger
	if l == nil {
		return nil
	}
	address, _, err := net.SplitHostPort(c.RemoteAddr)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if hour := c.now / time.Hour.Milliseconds(); hour != l.hour || len(l.done) > mostActs {
		l.hour, l.done = hour, map[act]int{}
	}
	a := act{q, address}
	if l.done[a]++; l.done[a] > q.most {
		rest := time.Duration((l.hour+1)*time.Hour.Milliseconds()-c.now) * time.Millisecond
		return later(rest, problem.New(q.message, int(rest.Minutes())+1))
	}
	return nil
}

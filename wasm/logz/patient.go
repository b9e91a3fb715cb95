//go:build !js

package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"logzlab/wasm/rooms/room"
)

// patient is a transport that says once that a server has not answered for some time, and once each what a server says
// that cannot serve now, such as that its disk is full. Its clients go on asking for 2 minutes, which looks like hanging.
type patient struct {
	room.Transport
	say    func()
	stderr io.Writer

	mu    sync.Mutex
	told  map[string]bool
	since time.Time // of the first request since the last answer, zero if there is none
}

// quiet is how long a server may be silent before that is said.
const quiet = 3 * time.Second

func newPatient(base string, stderr io.Writer) *patient {
	return &patient{Transport: room.HTTP{Base: base}, stderr: stderr, told: map[string]bool{}, say: sync.OnceFunc(func() {
		fmt.Fprintf(stderr, "the room's server at %s does not answer yet; trying for 2 minutes\n", base)
	})}
}

// Send calls the server.
func (p *patient) Send(ctx context.Context, r room.Request) (room.Answer, error) {
	late := time.AfterFunc(quiet-p.silent(false), p.say)
	defer late.Stop()
	a, err := p.Transport.Send(ctx, r)
	if err == nil {
		p.silent(true)
		p.tell(a)
	}
	return a, err
}

// tell says why the server cannot serve a request now.
func (p *patient) tell(a room.Answer) {
	why := a.Told()
	if why == nil || a.Status < 500 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if text := why.Error(); !p.told[text] {
		p.told[text] = true
		fmt.Fprintf(p.stderr, "the room's server: %s; trying for 2 minutes\n", text)
	}
}

// silent is how long the server has been; an answer ends that.
func (p *patient) silent(answered bool) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case answered:
		p.since = time.Time{}
	case p.since.IsZero():
		p.since = time.Now()
	default:
		return time.Since(p.since)
	}
	return 0
}

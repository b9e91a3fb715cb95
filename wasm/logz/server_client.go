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

// serverClient is a transport that tells the user once that the server does not answer, and each error of the server
// once. Requests are repeated for 2 minutes, during which the command would otherwise seem to hang.
type serverClient struct {
	room.Transport
	reportSilence func()
	stderr        io.Writer

	mu              sync.Mutex
	reported        map[string]bool // errors of the server
	unansweredSince time.Time       // time of the first request without an answer; zero if all are answered
}

// maxSilence is the time without an answer of the server after which the silence is reported.
const maxSilence = 3 * time.Second

// newServerClient returns a client of the server at the URL base.
func newServerClient(base string, stderr io.Writer) *serverClient {
	return &serverClient{Transport: room.HTTP{Base: base}, stderr: stderr, reported: map[string]bool{}, reportSilence: sync.OnceFunc(func() {
		fmt.Fprintf(stderr, "the room's server at %s does not answer yet; trying for 2 minutes\n", base)
	})}
}

// Send sends a request to the server.
func (p *serverClient) Send(ctx context.Context, r room.Request) (room.Response, error) {
	timer := time.AfterFunc(maxSilence-p.silence(false), p.reportSilence)
	defer timer.Stop()
	response, err := p.Transport.Send(ctx, r)
	if err == nil {
		p.silence(true)
		p.reportError(response)
	}
	return response, err
}

// reportError prints why the server cannot answer a request now, as when its disk is full.
func (p *serverClient) reportError(response room.Response) {
	serverErr := response.ServerError()
	if serverErr == nil || response.Status < 500 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if text := serverErr.Error(); !p.reported[text] {
		p.reported[text] = true
		fmt.Fprintf(p.stderr, "the room's server: %s; trying for 2 minutes\n", text)
	}
}

// silence returns for how long the server has not answered. answered records a response, which resets the time.
func (p *serverClient) silence(answered bool) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case answered:
		p.unansweredSince = time.Time{}
	case p.unansweredSince.IsZero():
		p.unansweredSince = time.Now()
	default:
		return time.Since(p.unansweredSince)
	}
	return 0
}

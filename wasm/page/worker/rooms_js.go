package main

import (
	"context"
	"strconv"
	"strings"
	"syscall/js"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/browser"
	"logzlab/wasm/rooms/room"
)

// fetched is a room.Transport that uses fetch, below the address of the site.
type fetched struct{ site string }

// Send sends a request to the server, and waits for the answer.
func (f fetched) Send(ctx context.Context, r room.Request) (a room.Response, err error) {
	stop := js.Global().Get("AbortController").New()
	options := map[string]any{"method": r.Method, "cache": "no-store", "signal": stop.Get("signal")}
	header := map[string]any{}
	for name, value := range r.Header() {
		header[name] = value
	}
	options["headers"] = header
	if r.Body != nil {
		options["body"] = browser.Array(r.Body)
	}

	// The answer: its headers, then its body.
	answer, err := awaited(ctx, js.Global().Call("fetch", f.site+"api/"+r.Path, options), stop)
	if err != nil {
		return a, err
	}
	told := func(name string) string { return browser.Text(answer.Get("headers").Call("get", name)) }
	a = room.Response{Status: answer.Get("status").Int(), JSON: strings.HasPrefix(told("content-type"), "application/json")}
	if s, err := strconv.Atoi(told("retry-after")); err == nil {
		a.Retry = time.Duration(s) * time.Second
	}
	body, err := awaited(ctx, answer.Call("arrayBuffer"), stop)
	if err == nil {
		a.Body = browser.Bytes(body)
	}
	return a, err
}

// answerTime is the longest time for an answer.
const answerTime = 30 * time.Second

// awaited waits for a promise until ctx ends or the time is over.
func awaited(ctx context.Context, promise, stop js.Value) (v js.Value, err error) {
	type outcome struct {
		v   js.Value
		err error
	}
	over := make(chan outcome, 1)
	good := js.FuncOf(func(_ js.Value, args []js.Value) any { over <- outcome{v: args[0]}; return nil })
	bad := js.FuncOf(func(js.Value, []js.Value) any {
		over <- outcome{err: problem.New("the server cannot be reached; check the connection to the network")}
		return nil
	})
	defer good.Release()
	defer bad.Release()
	promise.Call("then", good, bad)
	select {
	case o := <-over:
		return o.v, o.err
	case <-ctx.Done():
	case <-time.After(answerTime):
	}
	stop.Call("abort")
	o := <-over // wait before the functions are released
	return o.v, o.err
}

// Rooms returns the transport to the server of rooms, which is that of the site.
func (p *host) Rooms() room.Transport {
	return fetched{js.Global().Get("logz").Get("page").Get("site").String()}
}

// Do runs f after the current operation of the controller.
func (p *host) Do(f func()) { p.todo <- f }

// StoreText stores a text for the next start of the page.
func (p *host) StoreText(text string) { browser.Post(map[string]any{"t": "keep", "text": text}) }

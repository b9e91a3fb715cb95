//go:build !js

package room

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// HTTP is the native Transport. Base ends in /.
type HTTP struct {
	Base   string
	Client *http.Client // nil means a client with a timeout of 30 s
}

// defaultClient is shared, so that connections are reused.
var defaultClient = &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{Proxy: http.ProxyFromEnvironment,
	MaxIdleConnsPerHost: 100, IdleConnTimeout: time.Minute}}

// Send sends a request to the server.
func (h HTTP) Send(ctx context.Context, r Request) (a Response, err error) {
	q, err := http.NewRequestWithContext(ctx, r.Method, h.Base+"api/"+r.Path, bytes.NewReader(r.Body))
	if err != nil {
		return a, err
	}
	for name, value := range r.Header() {
		q.Header.Set(name, value)
	}
	c := h.Client
	if c == nil {
		c = defaultClient
	}
	res, err := c.Do(q)
	if err != nil {
		return a, err
	}
	defer res.Body.Close()
	a = Response{Status: res.StatusCode, JSON: strings.HasPrefix(res.Header.Get("Content-Type"), "application/json")}
	if s, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil {
		a.Retry = time.Duration(s) * time.Second
	}
	a.Body, err = io.ReadAll(io.LimitReader(res.Body, 2*MaxBody))
	return a, err
}

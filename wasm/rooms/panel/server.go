package panel

import (
	"context"
	"sync"
	"time"

	"logzlab/wasm/rooms/room"
)

// Intervals of requests, and of repetitions after errors.
const (
	hostEvery     = time.Second
	deviceEvery   = 2 * time.Second
	perDevice     = 50 * time.Millisecond // added for each device in the room
	maxInterval   = 10 * time.Second      // so that each device still counts as present
	retryInterval = 5 * time.Second
	keepAlive     = 5 * time.Minute // of a host without news: the room lasts as long as its host sends requests
)

// pollInterval returns the interval of requests in a room with a number of devices.
func pollInterval(least time.Duration, devices int) time.Duration {
	return min(least+time.Duration(devices)*perDevice, maxInterval)
}

// watchedTransport records whether the server responds, and its errors while requests are repeated.
type watchedTransport struct {
	room.Transport
	lost func(lost bool)
	told func(error)

	mutex sync.Mutex
	away  bool
	said  string // last error
}

// Send sends a request to the server.
func (t *watchedTransport) Send(ctx context.Context, r room.Request) (room.Response, error) {
	a, err := t.Transport.Send(ctx, r)
	if ctx.Err() != nil {
		return a, err
	}
	wrong, said := error(nil), ""
	if err == nil && a.Status >= 429 {
		if wrong = a.ServerError(); wrong != nil {
			said = wrong.Error()
		}
	}
	t.mutex.Lock()
	changed, news := t.away != (err != nil), said != "" && said != t.said
	t.away = err != nil
	if said != "" || err == nil && a.Status < 300 && r.Method == "POST" { // a full disk, for example, does not affect GET
		t.said = said
	}
	t.mutex.Unlock()
	if changed {
		t.lost(err != nil)
	}
	if news {
		t.told(wrong)
	}
	return a, err
}

// transport returns a watched transport to the server, until ctx is done.
func (r *Rooms) transport(ctx context.Context) room.Transport {
	return &watchedTransport{Transport: r.Host.Rooms(),
		lost: func(lost bool) {
			r.schedule(ctx, func() {
				r.Disconnected = lost
				r.Repaint.AtOnce()
			})
		},
		told: func(err error) { r.schedule(ctx, func() { r.showWarning(err) }) }}
}

// client returns a client for this page as a device of its room.
func (r *Rooms) client(ctx context.Context) *room.Client {
	return &room.Client{Transport: r.transport(ctx), Code: r.Code, Device: r.Device}
}

// owner returns a client for this page as the host of its room.
func (r *Rooms) owner(ctx context.Context) *room.Owner {
	return room.NewOwner(r.transport(ctx), r.Code, r.token)
}

// refusalStatus returns the status of an error that would be the same after another request, or 0.
func refusalStatus(err error) int {
	if s := room.Status(err); s < 429 {
		return s
	}
	return 0
}

// pause waits for a time, or until it is woken: then it returns true.
func pause(ctx context.Context, wake chan struct{}, d time.Duration) (called bool) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-wake:
		return true
	case <-t.C:
	}
	return false
}

// LookAtOnce wakes the goroutine that watches the room.
func (r *membership) LookAtOnce() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

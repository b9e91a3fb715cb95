package panel

import (
	"context"
	"sync"
	"time"

	"logzlab/wasm/rooms/room"
)

// Intervals of requests, and of repetitions after errors.
const (
	hostInterval      = time.Second
	deviceInterval    = 2 * time.Second
	intervalPerDevice = 50 * time.Millisecond // added for each device in the room
	maxInterval       = 10 * time.Second      // short enough that each device counts as present
	retryInterval     = 5 * time.Second
	keepAlive         = 5 * time.Minute // interval at which a host sends an unchanged board, since a room ends without requests of its host
)

// pollInterval returns the interval between requests of a client in a room with so many devices.
func pollInterval(minInterval time.Duration, devices int) time.Duration {
	return min(minInterval+time.Duration(devices)*intervalPerDevice, maxInterval)
}

// watchedTransport is a transport that reports when the server stops or begins to answer, and new errors of the server.
type watchedTransport struct {
	room.Transport
	onChange func(lost bool)
	onError  func(error)

	mutex     sync.Mutex
	isLost    bool
	lastError string // last error
}

// Send sends a request to the server.
func (t *watchedTransport) Send(ctx context.Context, r room.Request) (room.Response, error) {
	a, err := t.Transport.Send(ctx, r)
	if ctx.Err() != nil {
		return a, err
	}
	serverErr, text := error(nil), ""
	if err == nil && a.Status >= 429 {
		if serverErr = a.ServerError(); serverErr != nil {
			text = serverErr.Error()
		}
	}
	t.mutex.Lock()
	hasChanged, isNewError := t.isLost != (err != nil), text != "" && text != t.lastError
	t.isLost = err != nil
	if text != "" || err == nil && a.Status < 300 && r.Method == "POST" { // a full disk, for example, does not affect GET
		t.lastError = text
	}
	t.mutex.Unlock()
	if hasChanged {
		t.onChange(err != nil)
	}
	if isNewError {
		t.onError(serverErr)
	}
	return a, err
}

// transport returns a watched transport to the server, until ctx is done.
func (r *Rooms) transport(ctx context.Context) room.Transport {
	return &watchedTransport{Transport: r.Host.Rooms(),
		onChange: func(lost bool) {
			r.schedule(ctx, func() {
				r.Disconnected = lost
				r.Repaint.AtOnce()
			})
		},
		onError: func(err error) { r.schedule(ctx, func() { r.showWarning(err) }) }}
}

// client returns the client by which this page acts as a device of its room.
func (r *Rooms) client(ctx context.Context) *room.Client {
	return &room.Client{Transport: r.transport(ctx), Code: r.Code, Device: r.Device}
}

// owner returns the client by which this page acts as the host of its room.
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

// pause waits for the time d, until a value is received from wake, or until ctx is done. It returns true if it was
// woken.
func pause(ctx context.Context, wake chan struct{}, d time.Duration) (isWoken bool) {
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

// LookAtOnce makes the goroutine that watches the room send its next requests at once.
func (r *membership) LookAtOnce() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

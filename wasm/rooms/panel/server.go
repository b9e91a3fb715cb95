package panel

import (
	"context"
	"sync"
	"time"

	"logzlab/wasm/rooms/room"
)

// How often the page asks what goes on in its room, and tries again when something went wrong.
const (
	hostEvery   = time.Second
	deviceEvery = 2 * time.Second
	perDevice   = 50 * time.Millisecond // more for each device in the room
	mostEvery   = 10 * time.Second      // so that each device counts as there
	tryAgain    = 5 * time.Second
	speakEvery  = 5 * time.Minute // of a host with nothing new: the room goes on as long as it speaks
)

// askEvery is how often somebody asks in a room with so many devices.
func askEvery(least time.Duration, devices int) time.Duration {
	return min(least+time.Duration(devices)*perDevice, mostEvery)
}

// watchedTransport notes whether the server answers, and what goes wrong there while the client tries again.
type watchedTransport struct {
	room.Transport
	lost func(lost bool)
	told func(error)

	mutex sync.Mutex
	away  bool
	said  string // what went wrong at last
}

// Send calls the server.
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
	if said != "" || err == nil && a.Status < 300 && r.Method == "POST" { // such as a full disk, which hinders no GET
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

// transport is the watched way to the server, until ctx ends.
func (r *Rooms) transport(ctx context.Context) room.Transport {
	return &watchedTransport{Transport: r.Host.Rooms(),
		lost: func(lost bool) {
			r.soon(ctx, func() {
				r.Lost = lost
				r.Repaint.AtOnce()
			})
		},
		told: func(err error) { r.soon(ctx, func() { r.showWarning(err) }) }}
}

// client is this page as a device of its room.
func (r *Rooms) client(ctx context.Context) *room.Client {
	return &room.Client{Transport: r.transport(ctx), Code: r.Code, Device: r.Device}
}

// owner is this page as the host of its room.
func (r *Rooms) owner(ctx context.Context) *room.Owner {
	return room.NewOwner(r.transport(ctx), r.Code, r.token)
}

// refusal is the status of a refusal that trying again does not change, 0 of other errors.
func refusal(err error) int {
	if s := room.Status(err); s < 429 {
		return s
	}
	return 0
}

// pause waits for a while, or until the room is to be looked at: then called.
func pause(ctx context.Context, look chan struct{}, d time.Duration) (called bool) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-look:
		return true
	case <-t.C:
	}
	return false
}

// LookAtOnce has the goroutine that watches the room look at once.
func (r *inRoom) LookAtOnce() {
	select {
	case r.look <- struct{}{}:
	default:
	}
}

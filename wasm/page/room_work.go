package page

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"logzlab/estimators/engine"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// How often the page asks how its room stands, and tries again when something went wrong.
const (
	hostEvery   = time.Second
	deviceEvery = 3 * time.Second
	perDevice   = 50 * time.Millisecond // more for each device in the room
	tryAgain    = 5 * time.Second
)

// watchedTransport notes whether the server answers.
type watchedTransport struct {
	room.Transport
	lost *atomic.Bool
	tell func(lost bool)
}

// Send calls the server.
func (t watchedTransport) Send(ctx context.Context, r room.Request) (room.Answer, error) {
	a, err := t.Transport.Send(ctx, r)
	if lost := err != nil; ctx.Err() == nil && t.lost.Swap(lost) != lost {
		t.tell(lost)
	}
	return a, err
}

// watched is the transport of a room.
func (b *Brain) watched(ctx context.Context) room.Transport {
	return watchedTransport{b.host.Rooms(), new(atomic.Bool), func(lost bool) {
		b.soon(ctx, func() {
			b.room.lost = lost
			b.views.atOnce()
		})
	}}
}

// gather begins the work of a run in a room; its job is there.
func (b *Brain) gather() {
	r := &b.room
	ctx := b.begins()
	t := b.watched(ctx)
	r.phase, r.shares, r.course, r.lost = roomWorking, map[string]*share{}, nil, false
	b.views.atOnce()
	if r.hosts() {
		go b.hostRoom(ctx, room.NewOwner(t, r.code, r.token), b.job)
	}
	b.lend(ctx, t)
	go b.watchRoom(ctx, room.NewOwner(t, r.code, r.token))
}

// lend makes each lane worker a device of the room.
func (b *Brain) lend(ctx context.Context, t room.Transport) {
	r := &b.room
	ctx, r.rest = context.WithCancel(ctx)
	if r.idle {
		r.rest()
		return
	}
	for k := range b.crew.size {
		m := &room.Member{Client: room.Client{Transport: t, Code: r.code}, Device: r.machine[:30] + fmt.Sprintf("%02x", k)}
		go b.device(ctx, m)
	}
}

// device computes units until the room closes; what goes wrong meanwhile is tried again.
func (b *Brain) device(ctx context.Context, m *room.Member) {
	d := exchange.Device{Member: m, Compute: b.compute, Told: func(*room.Parcel) {
		b.soon(ctx, func() {
			b.room.given++
			b.views.news = true
		})
	}}
	for ctx.Err() == nil {
		err := d.Work(ctx)
		var no *room.Refused
		switch {
		case ctx.Err() != nil:
			return
		case err == nil: // closed; watchRoom brings the host's last word
			return
		case errors.As(err, &no) && (no.Status == 403 || no.Status == 404):
			b.soon(ctx, func() {
				if !b.room.hosts() { // whose page waits for the others
					b.shut(roomRefused, err)
				}
			})
			return
		}
		b.soon(ctx, func() {
			if !b.room.lost { // else the panel says so
				b.problem = &Message{Level: "warn", Text: b.words.Sentence(err)}
				b.views.atOnce()
			}
		})
		_ = room.Sleep(ctx, tryAgain)
	}
}

// watchRoom asks how the room stands, and as the host tells the devices.
func (b *Brain) watchRoom(ctx context.Context, o *room.Owner) {
	host, every := o.Token != "", deviceEvery
	for ctx.Err() == nil {
		info, err := o.Info(ctx)
		var devices []room.Device
		var told string
		if err == nil && host {
			every = hostEvery
			devices, err = o.Devices(ctx)
			b.with(func() {
				if ctx.Err() == nil {
					told = b.tells()
				}
			})
			if err == nil && ctx.Err() == nil {
				err = o.Say(ctx, told)
			}
		}
		b.soon(ctx, func() { b.stands(info, devices, err) })
		_ = room.Sleep(ctx, every+time.Duration(info.Devices)*perDevice)
	}
}

// stands takes how the room stands.
func (b *Brain) stands(info room.Info, devices []room.Device, err error) {
	r := &b.room
	var no *room.Refused
	switch {
	case errors.As(err, &no) && no.Status < 429:
		if r.phase == roomWorking {
			b.shut(roomClosed, nil)
		}
		return
	case err != nil:
		return
	}
	r.info, b.views.news = info, true
	if r.hosts() {
		r.devices = devices
		return
	}
	var said board
	if said.read(info.Board) == nil {
		r.board = said
	}
	if info.Closed {
		b.draw(b.pane().reports) // the host's last word
		b.shut(roomClosed, nil)
	}
}

// with has the brain do something and waits for that.
func (b *Brain) with(do func()) {
	done := make(chan struct{})
	b.host.Do(func() {
		defer close(done)
		do()
	})
	<-done
}

// hostRoom runs a job through the room.
func (b *Brain) hostRoom(ctx context.Context, o *room.Owner, first *engine.Job) {
	h := &exchange.Host{Owner: o, Compute: b.compute, With: b.with}
	h.Progress = func(*engine.Job) {
		if ctx.Err() == nil {
			b.progressed(h.Counts())
		}
	}
	h.Folded = func(k *engine.Task, device string) {
		if ctx.Err() == nil {
			b.folded(k, device)
		}
	}
	for ctx.Err() == nil {
		_, err := h.Run(ctx, func() (j *engine.Job, err error) {
			b.with(func() {
				if j, first = first, nil; j == nil && ctx.Err() == nil {
					j, err = b.remade()
				}
			})
			if err == nil {
				err = ctx.Err()
			}
			return j, err
		})
		var no *room.Refused
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			told := ""
			b.with(func() {
				if ctx.Err() == nil {
					told = b.hosted(h.Counts())
				}
			})
			if told == "" { // the page has left the room
				return
			}
			last := context.Background() // also if the page is left from now on
			_ = o.Say(last, told)
			_ = o.Close(last)
			return
		case errors.As(err, &no) && no.Status < 429:
			b.soon(ctx, func() { b.shut(roomClosed, err) })
			return
		}
		_ = room.Sleep(ctx, tryAgain)
	}
}

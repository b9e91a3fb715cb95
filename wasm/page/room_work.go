package page

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"logzlab/estimators/engine"
	"logzlab/wasm/page/crew"
	"logzlab/wasm/page/state"
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
func (r *rooms) watched(ctx context.Context) room.Transport {
	return watchedTransport{r.host.Rooms(), new(atomic.Bool), func(lost bool) {
		r.soon(ctx, func() {
			r.Lost = lost
			r.repaint.atOnce()
		})
	}}
}

// gather begins the work of a run in a room; its job is there.
func (r *rooms) gather() {
	ctx := r.begins()
	t := r.watched(ctx)
	r.Phase, r.shares, r.Course, r.Lost = state.RoomWorking, map[string]*machineShare{}, nil, false
	r.repaint.atOnce()
	if r.Hosting {
		go r.hostRoom(ctx, room.NewOwner(t, r.Code, r.token), r.run.job)
	}
	r.lend(ctx, t)
	go r.watchRoom(ctx, room.NewOwner(t, r.Code, r.token))
}

// lend makes each lane worker a device of the room.
func (r *rooms) lend(ctx context.Context, t room.Transport) {
	ctx, r.rest = context.WithCancel(ctx)
	if r.Idle {
		r.rest()
		return
	}
	for k := range r.crew.Size {
		m := &room.Member{Client: room.Client{Transport: t, Code: r.Code}, Device: r.Machine[:30] + fmt.Sprintf("%02x", k)}
		go r.device(ctx, m)
	}
}

// device computes units until the room closes; what goes wrong meanwhile is tried again.
func (r *rooms) device(ctx context.Context, m *room.Member) {
	d := exchange.Device{Member: m, Compute: r.compute, Told: func(*room.Parcel) {
		r.soon(ctx, func() {
			r.Given++
			r.repaint.news = true
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
			r.soon(ctx, func() {
				if !r.Hosting { // whose page waits for the others
					r.shut(state.RoomRefused, err)
				}
			})
			return
		}
		r.soon(ctx, func() {
			if !r.Lost { // else the panel says so
				r.problem = &state.Message{Level: "warn", Text: r.Words.Sentence(err)}
				r.repaint.atOnce()
			}
		})
		_ = room.Sleep(ctx, tryAgain)
	}
}

// watchRoom asks how the room stands, and as the host tells the devices.
func (r *rooms) watchRoom(ctx context.Context, o *room.Owner) {
	host, every := o.Token != "", deviceEvery
	for ctx.Err() == nil {
		info, err := o.Info(ctx)
		var devices []room.Device
		var told string
		if err == nil && host {
			every = hostEvery
			devices, err = o.Devices(ctx)
			r.with(func() {
				if ctx.Err() == nil {
					told = r.tells()
				}
			})
			if err == nil && ctx.Err() == nil {
				err = o.Say(ctx, told)
			}
		}
		r.soon(ctx, func() { r.stands(info, devices, err) })
		_ = room.Sleep(ctx, every+time.Duration(info.Devices)*perDevice)
	}
}

// stands takes how the room stands.
func (r *rooms) stands(info room.Info, devices []room.Device, err error) {
	var no *room.Refused
	switch {
	case errors.As(err, &no) && no.Status < 429:
		if r.Phase == state.RoomWorking || r.Phase == state.RoomLobby {
			r.shut(state.RoomClosed, nil)
		}
		return
	case err != nil:
		return
	}
	r.Info, r.repaint.news = info, true
	if r.Hosting {
		r.Devices = devices
		return
	}
	var said state.Board
	if said.Read(info.Board) == nil {
		r.Board = said
	}
	if info.Closed {
		r.draw() // the host's last word
		r.shut(state.RoomClosed, nil)
	}
}

// with has the brain do something and waits for that.
func (r *rooms) with(do func()) {
	done := make(chan struct{})
	r.host.Do(func() {
		defer close(done)
		do()
	})
	<-done
}

// hostRoom runs a job through the room.
func (r *rooms) hostRoom(ctx context.Context, o *room.Owner, first *engine.Job) {
	h := &exchange.Host{Owner: o, Compute: r.compute, With: r.with, Verify: exchange.Verify}

	// The brain hears of progress and of results.
	h.Progress = func(*engine.Job) {
		if ctx.Err() == nil {
			r.progressed(h.Counts())
		}
	}
	h.Folded = func(k *engine.Task, device string) {
		if ctx.Err() == nil && device != "" {
			r.folded(k, device)
		}
	}

	// The run, begun again when the server was lost.
	for ctx.Err() == nil {
		_, err := h.Run(ctx, func() (j *engine.Job, err error) {
			r.with(func() {
				if j, first = first, nil; j == nil && ctx.Err() == nil {
					j, err = r.remake()
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
			r.with(func() {
				if ctx.Err() == nil {
					told = r.ended(h.Counts())
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
			r.soon(ctx, func() { r.shut(state.RoomClosed, err) })
			return
		}
		_ = room.Sleep(ctx, tryAgain)
	}
}

// compute has a lane worker compute a unit of a room, and waits for it; it is called by other goroutines.
func (r *rooms) compute(ctx context.Context, common, own []byte) ([]byte, error) {
	type outcome struct {
		result []byte
		err    error
	}
	over := make(chan outcome, 1)
	r.host.Do(func() {
		e := &crew.BackgroundUnit{Ctx: ctx, Common: common, Own: own, Track: engine.ParcelTrack(common)}
		e.Done = func(result []byte, err error) { over <- outcome{result, err} }
		r.crew.Give(e)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case o := <-over:
		return o.result, o.err
	}
}

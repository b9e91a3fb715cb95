package rooms

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
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
	deviceEvery = 2 * time.Second
	perDevice   = 50 * time.Millisecond // more for each device in the room
	tryAgain    = 5 * time.Second

	readyFor     = 10 * time.Second // that a run waits for the class to be in its room
	presentEvery = 8 * time.Second  // of a device that waits for a run
	speakEvery   = 5 * time.Minute  // of a host with nothing new: the room goes on as long as it speaks
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
func (r *Rooms) watched(ctx context.Context) room.Transport {
	return watchedTransport{r.Host.Rooms(), new(atomic.Bool), func(lost bool) {
		r.soon(ctx, func() {
			r.Lost = lost
			r.Repaint.AtOnce()
		})
	}}
}

// Gather begins the work of a run in a room; its job is there.
func (r *Rooms) Gather() {
	ctx := r.anew()
	r.shares, r.Course, r.Counts, r.Lost = map[string]*machineShare{}, nil, exchange.Counts{}, false
	r.Crew.Pace(0, 0) // slow motion would hold up the class
	r.Repaint.AtOnce()
	switch {
	case !r.Hosting:
		r.Phase = state.RoomWorking
		r.lend(ctx)
	case r.Run != "":
		r.musters(ctx)
	default:
		r.openFor(ctx)
	}
}

// openFor opens a room for a run of the class.
func (r *Rooms) openFor(ctx context.Context) {
	t, link, files := r.watched(ctx), r.Link, r.gifts()
	go func() {
		o, err := room.Open(ctx, t, link, slices.Sorted(maps.Keys(files))...)
		for name, data := range files {
			if err == nil {
				err = o.GiveFile(ctx, name, data)
			}
		}
		r.soon(ctx, func() {
			if err != nil {
				r.fails(err)
				return
			}
			r.Run, r.runToken = o.Code, o.Token
			r.musters(ctx)
		})
	}()
}

// musters waits until the class is in the room of its run, or for readyFor: else those who are first would do it all.
func (r *Rooms) musters(ctx context.Context) {
	r.Board, r.Info, r.Devices, r.mustered = state.Board{}, room.Info{}, nil, time.Now()
	r.keep()
	r.Wakes()
	r.ready(ctx)
}

// ready begins the run if it has waited enough.
func (r *Rooms) ready(ctx context.Context) {
	if r.Phase != state.RoomStarting || r.Run == "" || r.Here() < r.Awaited && time.Since(r.mustered) < readyFor {
		return
	}
	r.Awaited = 0
	r.begun(ctx)
}

// begun has the class begin a run whose room is open.
func (r *Rooms) begun(ctx context.Context) {
	t := r.watched(ctx)
	r.Phase = state.RoomWorking
	r.Repaint.AtOnce()
	go r.hostRoom(ctx, room.NewOwner(t, r.Code, r.token), room.NewOwner(t, r.Run, r.runToken), r.run.Job)
	r.lend(ctx)
}

// fails has a host wait in the lobby again when its run cannot go on.
func (r *Rooms) fails(err error) {
	r.pause()
	r.abandon()
	r.Crew.Abort()
	r.run.End()
	r.Phase = state.RoomLobby
	r.Problem = &state.Message{Level: "error", Text: r.Words.T("nothing.ran", r.Words.Sentence(err))}
	r.Repaint.AtOnce()
}

// member is this page as a device of a room; each lane worker is one.
func (r *Rooms) member(t room.Transport, code string, lane int) *room.Member {
	return &room.Member{Client: room.Client{Transport: t, Code: code}, Device: r.Machine[:30] + fmt.Sprintf("%02x", lane)}
}

// lend makes each lane worker a device of the run's room.
func (r *Rooms) lend(ctx context.Context) {
	t := r.watched(ctx)
	ctx, r.rest = context.WithCancel(ctx)
	if r.Idle {
		r.rest()
		return
	}
	for k := range r.Crew.Size {
		go r.device(ctx, r.member(t, r.Run, k))
	}
}

// pauses waits for a while, or until the room is to be looked at: then woken.
func pauses(ctx context.Context, wake chan struct{}, d time.Duration) (woken bool) {
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

// Wakes has who watches the room look at once.
func (r *inRoom) Wakes() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// watchClass asks how the room stands, and tells the devices, for its host.
func (r *Rooms) watchClass(ctx context.Context, class *room.Owner) {
	said, at, open := "", time.Time{}, 0
	for wake := r.wake; ctx.Err() == nil; {
		told, of := "", class
		open, _ = r.tallies(ctx, class, open) // what went wrong is tried again
		r.with(func() {
			if ctx.Err() != nil {
				return
			}
			r.keep()
			if told = r.tells(); r.Run != "" {
				of = room.NewOwner(class.Transport, r.Run, r.runToken)
			}
		})

		// The board goes out when changed, and from time to time.
		var err error
		if ctx.Err() == nil && (told != said || time.Since(at) > speakEvery) {
			if err = class.Say(ctx, told); err == nil {
				said, at = told, time.Now()
			}
		}

		// How the room stands, unless the server has closed the room.
		var info room.Info
		var devices []room.Device
		var no *room.Refused
		if errors.As(err, &no) && no.Status < 429 {
			r.soon(ctx, func() { r.shut(state.RoomClosed, nil) })
			return
		}
		if info, err = of.Info(ctx); err == nil {
			devices, err = of.Devices(ctx)
		}

		// The page shows room and devices, if the room is still the same.
		r.soon(ctx, func() {
			if err == nil && (of == class) == (r.Run == "") {
				r.Info, r.Devices, r.Repaint.News = info, devices, true
				r.ready(r.work)
			}
		})
		r.listens(ctx, class, wake, hostEvery+time.Duration(info.Devices)*perDevice)
	}
}

// with has the brain do something and waits for that.
func (r *Rooms) with(do func()) {
	done := make(chan struct{})
	r.Host.Do(func() {
		defer close(done)
		do()
	})
	<-done
}

// hostRoom runs a job of a class through a room.
func (r *Rooms) hostRoom(ctx context.Context, class, o *room.Owner, first *engine.Job) {
	h := &exchange.Host{Owner: o, Compute: r.compute, With: r.with, Verify: exchange.Verify, Out: r.left}

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
					r.left = h.Left()
					told = r.ended(h.Counts())
				}
			})
			if told == "" { // the page has left the room
				return
			}
			last := context.Background() // also if the page is left from now on
			_ = class.Say(last, told)
			_ = o.Close(last)
			return
		case errors.As(err, &no) && no.Status < 429:
			r.soon(ctx, func() { r.fails(err) })
			return
		}
		_ = room.Sleep(ctx, tryAgain)
	}
}

// compute has a lane worker compute a unit of a room, and waits for it; it is called by other goroutines.
func (r *Rooms) compute(ctx context.Context, common, own []byte) ([]byte, error) {
	type outcome struct {
		result []byte
		err    error
	}
	over := make(chan outcome, 1)
	r.Host.Do(func() {
		e := &crew.BackgroundUnit{Ctx: ctx, Common: common, Own: own, Track: engine.ParcelTrack(common)}
		e.Done = func(result []byte, err error) { over <- outcome{result, err} }
		r.Crew.Give(e)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case o := <-over:
		return o.result, o.err
	}
}

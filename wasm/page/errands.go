package page

import (
	"context"
	"slices"

	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// errand is a unit of a room, or of a training: the lane workers compute it as they do those of a job, but its result
// is bytes.
type errand struct {
	ctx         context.Context // of whom wants it
	common, own []byte
	track       int
	files       []modelFile // that it needs, if they are not those of the model
	share       float64     // of the work of the whole run, as its worker last said
	lost        int         // how often its worker was lost
	done        func(result []byte, err error)
}

// busy reports whether a worker has a unit.
func (l *lane) busy() bool { return l.task != nil || l.errand != nil }

// runErrands gives errands to idle workers. The pictures of one track are shown.
func (c *crew) runErrands() {
	c.errands = slices.DeleteFunc(c.errands, func(e *errand) bool { return e.ctx.Err() != nil })
	for id, l := range c.lanes {
		if len(c.errands) == 0 {
			return
		}
		if !l.ready || l.busy() {
			continue
		}
		e := c.errands[0]
		c.errands = c.errands[1:]
		files := c.model
		if e.files != nil {
			files = e.files
		}
		c.supply(id, l, files)
		c.lastUnit++
		l.errand, l.unit, l.silent, l.share, l.lost = e, c.lastUnit, 0, 0, e.lost
		shown := true
		for _, o := range c.lanes {
			shown = shown && (o.errand == nil || o == l || o.errand.track == e.track)
		}
		if shown {
			l.watch = e.track
		}
		c.host.Post(id, engine.UnitMessage(l.unit, shown, e.common, e.own))
	}
}

// again puts an errand whose worker was lost back, unless that has happened too often.
func (c *crew) again(e *errand) {
	if e.lost++; e.lost < maxLost {
		c.errands = append([]*errand{e}, c.errands...)
		return
	}
	e.done(nil, problem.New("this device has too little memory, or is too slow, for a unit of this room"))
}

// has reports whether an errand waits for a worker or is computed.
func (c *crew) has(e *errand) bool {
	at := slices.Contains(c.errands, e)
	for _, l := range c.lanes {
		at = at || l.errand == e
	}
	return e != nil && at
}

// tellErrand sends a control message to the worker of an errand.
func (c *crew) tellErrand(e *errand, kind byte) {
	for id, l := range c.lanes {
		if e != nil && l.errand == e {
			l.silent = 0
			c.host.Post(id, []byte{kind})
		}
	}
}

// drop gives up an errand.
func (c *crew) drop(e *errand) {
	c.tellErrand(e, engine.MsgAbort)
	for _, l := range c.lanes {
		if l.errand == e {
			l.errand = nil
		}
	}
	c.errands = slices.DeleteFunc(c.errands, func(o *errand) bool { return o == e })
}

// bring takes a worker's message about its errand; told means that it is over.
func (l *lane) bring(kind byte, r *wire.Reader) (told bool, err error) {
	how := byte(room.KindDone)
	switch kind {
	case engine.MsgPeek:
		if share := r.Float(); r.Err == nil { // it gets further
			l.errand.lost, l.errand.share = 0, share
		}
		return false, nil
	case engine.MsgDone:
	case engine.MsgError:
		how = room.KindError
	default:
		return false, nil
	}
	result := append([]byte{how}, r.B...)
	if err := room.CheckResult(result); err != nil {
		return false, err
	}
	e := l.errand
	l.errand = nil
	e.done(result, nil)
	return true, nil
}

// compute has a lane worker compute a unit of a room, and waits for it; it is called by other goroutines.
func (b *Brain) compute(ctx context.Context, common, own []byte) ([]byte, error) {
	type outcome struct {
		result []byte
		err    error
	}
	over := make(chan outcome, 1)
	b.host.Do(func() {
		e := &errand{ctx: ctx, common: common, own: own, track: engine.ParcelTrack(common)}
		e.done = func(result []byte, err error) { over <- outcome{result, err} }
		b.crew.errands = append(b.crew.errands, e)
		b.crew.runErrands()
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case o := <-over:
		return o.result, o.err
	}
}

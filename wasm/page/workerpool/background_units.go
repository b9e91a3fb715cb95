package workerpool

import (
	"context"
	"slices"

	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/engine"
)

// First bytes of the result of a background unit. What follows is read by Task.ReadDone, or is a problem (core/wire).
const (
	ResultDone  = 0
	ResultError = 1
)

// BackgroundUnit is a unit of a training: the lane workers compute it as they do those of a job, but its result is
// bytes.
type BackgroundUnit struct {
	Ctx         context.Context // of whom wants it
	Common, Own []byte
	Track       int
	Files       []File  // files that the unit needs, if not the model's
	Share       float64 // share of the work of the whole run, as its worker last said
	lost        int     // how often its worker was lost
	Done        func(result []byte, err error)
}

// busy reports whether a worker has a unit.
func (l *lane) busy() bool { return l.Task != nil || l.background != nil }

// Give has a worker compute a unit as soon as one is idle.
func (c *Pool) Give(e *BackgroundUnit) {
	c.waiting = append(c.waiting, e)
	c.unspare()
	c.RunWaiting()
}

// RunWaiting gives waiting units to idle workers. The pictures of one track are shown.
func (c *Pool) RunWaiting() {
	c.waiting = slices.DeleteFunc(c.waiting, func(e *BackgroundUnit) bool { return e.Ctx.Err() != nil })
	for id, l := range c.Lanes {
		if len(c.waiting) == 0 {
			return
		}
		if !l.Ready || l.busy() {
			continue
		}
		e := c.waiting[0]
		c.waiting = c.waiting[1:]
		files := c.model
		if e.Files != nil {
			files = e.Files
		}
		c.supply(id, l, files)
		c.lastUnit++
		l.background, l.unit, l.Silent, l.share, l.lost = e, c.lastUnit, 0, 0, e.lost
		shown := true
		for _, o := range c.Lanes {
			shown = shown && (o.background == nil || o == l || o.background.Track == e.Track)
		}
		if shown {
			l.watch = e.Track
		}
		c.post(id, l, engine.UnitMessage(l.unit, shown, e.Common, e.Own))
	}
}

// again puts a unit whose worker was lost back, unless that has happened too often.
func (c *Pool) again(e *BackgroundUnit) {
	if e.lost++; e.lost < maxLost {
		c.waiting = append([]*BackgroundUnit{e}, c.waiting...)
		return
	}
	e.Done(nil, problem.New("a part of the training failed too often: its workers stopped"))
}

// Has reports whether a unit waits for a worker or is computed.
func (c *Pool) Has(e *BackgroundUnit) bool {
	at := slices.Contains(c.waiting, e)
	for _, l := range c.Lanes {
		at = at || l.background == e
	}
	return e != nil && at
}

// Computes reports whether workers have units of their own kind, or will have.
func (c *Pool) Computes() bool {
	busy := len(c.waiting) > 0
	for _, l := range c.Lanes {
		busy = busy || l.background != nil
	}
	return busy
}

// TellUnit sends a control message to the worker of a unit.
func (c *Pool) TellUnit(e *BackgroundUnit, kind byte) {
	for id, l := range c.Lanes {
		if e != nil && l.background == e {
			l.Silent = 0
			c.post(id, l, []byte{kind})
		}
	}
}

// Drop gives up a unit.
func (c *Pool) Drop(e *BackgroundUnit) {
	c.TellUnit(e, engine.MsgAbort)
	for _, l := range c.Lanes {
		if l.background == e {
			l.background = nil
		}
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(o *BackgroundUnit) bool { return o == e })
}

// bring takes a worker's message about its background unit; told means that the unit is over.
func (l *lane) bring(kind byte, r *wire.Reader) (told bool, err error) {
	how := byte(ResultDone)
	switch kind {
	case engine.MsgPeek:
		if share := r.Float(); r.Err == nil { // it gets further
			l.background.lost, l.background.Share = 0, share
		}
		return false, nil
	case engine.MsgDone:
	case engine.MsgError:
		how = ResultError
	default:
		return false, nil
	}
	result := append([]byte{how}, r.B...)
	if err := checkResult(how, *r); err != nil {
		return false, err
	}
	e := l.background
	l.background = nil
	e.Done(result, nil)
	return true, nil
}

// checkResult says whether the rest of a worker's message is damaged.
func checkResult(how byte, r wire.Reader) error {
	if how == ResultError {
		_ = r.Problem()
		return r.Err
	}
	return (&engine.Task{Unit: &estimators.Unit{}}).ReadDone(&r)
}

package workerpool

import (
	"context"
	"slices"

	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/engine"
)

// First bytes of the result of a background unit. The rest is read by Task.ReadDone, or is a problem (core/wire).
const (
	ResultDone  = 0
	ResultError = 1
)

// BackgroundUnit is a unit of a training. Lane workers compute it like a unit of a job, but its result is passed on as
// bytes.
type BackgroundUnit struct {
	Ctx         context.Context // cancelled if the result is not needed any more
	Common, Own []byte
	Track       int
	Files       []File  // files of the unit, nil for those of the model
	Share       float64 // share of the whole run that is done, as last reported by its worker
	losses      int     // how often its worker was lost
	Done        func(result []byte, err error)
}

// busy reports whether a worker has a unit.
func (l *lane) busy() bool { return l.Task != nil || l.background != nil }

// Submit queues a unit for the next idle worker.
func (c *Pool) Submit(e *BackgroundUnit) {
	c.waiting = append(c.waiting, e)
	c.restoreReleased()
	c.RunWaiting()
}

// RunWaiting gives queued units to idle workers. Frames of only one track are shown.
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
		c.sendFiles(id, l, files)
		c.lastUnit++
		l.background, l.unit, l.Silence, l.share, l.losses = e, c.lastUnit, 0, 0, e.losses
		shown := true
		for _, o := range c.Lanes {
			shown = shown && (o.background == nil || o == l || o.background.Track == e.Track)
		}
		if shown {
			l.watchedTrack = e.Track
		}
		c.post(id, l, engine.UnitMessage(l.unit, shown, e.Common, e.Own))
	}
}

// requeue queues a unit again whose worker was lost, unless that has happened too often.
func (c *Pool) requeue(e *BackgroundUnit) {
	if e.losses++; e.losses < maxLosses {
		c.waiting = append([]*BackgroundUnit{e}, c.waiting...)
		return
	}
	e.Done(nil, problem.New("a part of the training failed too often: its workers stopped"))
}

// Contains reports whether a unit is queued or being computed.
func (c *Pool) Contains(e *BackgroundUnit) bool {
	isContained := slices.Contains(c.waiting, e)
	for _, l := range c.Lanes {
		isContained = isContained || l.background == e
	}
	return e != nil && isContained
}

// HasBackgroundUnits reports whether background units are queued or being computed.
func (c *Pool) HasBackgroundUnits() bool {
	busy := len(c.waiting) > 0
	for _, l := range c.Lanes {
		busy = busy || l.background != nil
	}
	return busy
}

// SendUnit sends a control message to the worker of a unit.
func (c *Pool) SendUnit(e *BackgroundUnit, kind byte) {
	for id, l := range c.Lanes {
		if e != nil && l.background == e {
			l.Silence = 0
			c.post(id, l, []byte{kind})
		}
	}
}

// Discard discards a unit.
func (c *Pool) Discard(e *BackgroundUnit) {
	c.SendUnit(e, engine.MsgAbort)
	for _, l := range c.Lanes {
		if l.background == e {
			l.background = nil
		}
	}
	c.waiting = slices.DeleteFunc(c.waiting, func(o *BackgroundUnit) bool { return o == e })
}

// receiveBackground takes a worker's message about its background unit; finished reports whether the unit
// is finished.
func (l *lane) receiveBackground(kind byte, r *wire.Reader) (finished bool, err error) {
	outcomeKind := byte(ResultDone)
	switch kind {
	case engine.MsgPeek:
		if share := r.Float(); r.Err == nil { // progress
			l.background.losses, l.background.Share = 0, share
		}
		return false, nil
	case engine.MsgDone:
	case engine.MsgError:
		outcomeKind = ResultError
	default:
		return false, nil
	}
	result := append([]byte{outcomeKind}, r.B...)
	if err := checkResult(outcomeKind, *r); err != nil {
		return false, err
	}
	e := l.background
	l.background = nil
	e.Done(result, nil)
	return true, nil
}

// checkResult reports whether the rest of a worker's message is damaged.
func checkResult(outcomeKind byte, r wire.Reader) error {
	if outcomeKind == ResultError {
		_ = r.Problem()
		return r.Err
	}
	return (&engine.Task{Unit: &estimators.Unit{}}).ReadDone(&r)
}

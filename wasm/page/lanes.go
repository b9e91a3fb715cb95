package page

import (
	"fmt"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/models"
)

// laneState is one worker.
type laneState struct {
	ready bool
	heard float64
	msg   int // id of the unit it works on
	task  *engine.Task
	files map[string]bool
	model string // own file it has
	watch int
}

func (b *Brain) spawn() {
	b.nextID++
	b.lanes[b.nextID] = &laneState{heard: b.host.Now(), files: map[string]bool{}, watch: -1}
	b.host.Spawn(b.nextID)
}

// assign gives units to idle lanes.
func (b *Brain) assign() {
	if b.job == nil || b.state != "running" && b.state != "paused" {
		return
	}
	if b.state == "running" {
		for id, l := range b.lanes {
			if !l.ready || l.task != nil {
				continue
			}
			k := b.job.Take()
			if k == nil {
				break
			}
			b.send(id, l, k, false)
		}
	}
	watch := b.job.Watched()
	for id, l := range b.lanes {
		if l.task != nil && l.watch != watch {
			l.watch = watch
			w := frame.Writer{B: []byte{engine.MsgWatch}}
			w.Int(watch)
			b.host.Post(id, w.B)
		}
	}
	if b.job.Finished() {
		b.finish()
	}
}

// prepare has the lanes open the model while the brain does.
func (b *Brain) prepare() {
	for id, l := range b.lanes {
		b.supply(id, l)
		w := frame.Writer{B: []byte{engine.MsgOpen}}
		w.String(b.spec.Link())
		b.host.Post(id, w.B)
	}
}

// supply gives a lane the model's files that it lacks.
func (b *Brain) supply(id int, l *laneState) {
	give := func(name string, data []byte) {
		w := frame.Writer{B: []byte{engine.MsgFile}}
		w.String(name)
		w.Bytes(data)
		b.host.Post(id, w.B)
	}
	for _, f := range models.Files(b.spec.Model) {
		if !l.files[f] {
			l.files[f] = true
			give(f, b.files[f])
		}
	}
	if spec.IsFile(b.spec.Model) && l.model != b.ownID {
		l.model = b.ownID
		give(engine.OwnFile, b.own)
	}
}

// send gives a unit to a lane.
func (b *Brain) send(id int, l *laneState, k *engine.Task, paused bool) {
	b.supply(id, l)
	b.nextMsg++
	watch := k.Track >= 0 && k.Track == b.job.Watched()
	l.task, l.msg, l.heard = k, b.nextMsg, b.host.Now()
	if watch {
		l.watch = k.Track
	}
	b.host.Post(id, b.job.Message(k, b.nextMsg, paused, watch))
}

// Ready records that a lane worker accepts messages.
func (b *Brain) Ready(id int) {
	if l := b.lanes[id]; l != nil {
		l.ready, l.heard = true, b.host.Now()
		b.sendSpeed(id)
		b.assign()
	}
}

// Gone records that a lane worker ended by itself. One that failed to start is not tried again
// before the next Run; where memory is short the others do the work.
func (b *Brain) Gone(id int, why string) {
	l := b.lanes[id]
	switch {
	case l == nil:
	case l.ready:
		b.replace(id, l)
	default:
		delete(b.lanes, id)
		b.host.Kill(id)
		b.dirty = true
		if len(b.lanes) > 0 {
			b.problem = &Message{Level: "warn", Text: b.words.T("worker.unstarted", why, len(b.lanes))}
			return
		}
		b.stop()
		b.state, b.problem = "failed", &Message{Level: "error", Text: b.words.T("worker.none", why)}
		b.host.Parent("error", b.problem.Text)
	}
}

// replace ends a worker, puts its unit back, and starts another one.
func (b *Brain) replace(id int, l *laneState) {
	delete(b.lanes, id)
	b.host.Kill(id)
	if l.task != nil && b.job != nil {
		share, _ := b.job.Progress()
		b.job.Return(l.task)
		b.problem = &Message{Level: "warn", Text: b.words.T("worker.lost", fmt.Sprintf("%.0f %%", 100*share))}
	}
	b.dirty = true
	b.spawn()
	b.assign()
}

// From takes a message of a lane worker.
func (b *Brain) From(id int, msg []byte) {
	l := b.lanes[id]
	if l == nil || len(msg) == 0 {
		return
	}
	l.heard = b.host.Now()
	r := frame.Reader{B: msg[1:]}
	switch msg[0] {
	case engine.MsgDone, engine.MsgPeek, engine.MsgError:
		n := r.Int()
		if l.task == nil || n != l.msg || b.job == nil {
			return // about a unit that is no longer wanted
		}
		switch msg[0] {
		case engine.MsgPeek:
			share, partial := r.Float(), r.Bytes()
			if len(partial) == 0 {
				partial = nil
			}
			if r.Err == nil {
				b.job.Peek(l.task, partial, share)
			}
		case engine.MsgDone:
			u := l.task.Unit
			partial, has, state := r.Bytes(), r.Bool(), r.Bytes()
			if r.Err != nil {
				b.replace(id, l)
				return
			}
			u.Partial = partial
			if u.State = nil; has {
				u.State = state
			}
			b.job.Done(l.task)
			l.task = nil
		case engine.MsgError:
			why := engine.ReadError(&r)
			if r.Err != nil {
				b.replace(id, l)
				return
			}
			b.job.Fail(l.task, why)
			l.task = nil
		}
		switch {
		case b.state != "paused":
			b.news = true
		case b.stepped: // a step is shown at once
			b.dirty, b.lastView = true, 0
		} // else the page stands still since the click, whatever lanes were about to say
		b.assign()
	}
}

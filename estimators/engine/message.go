package engine

import (
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Messages between the controller and its lane workers: one byte of kind, then the
// fields in the binary codec of core/wire.
const (
	MsgFile   = 'F' // controller -> lane: a model file by name
	MsgUnit   = 'U' // controller -> lane: run this
	MsgPause  = 'P'
	MsgOpen   = 'O' // the model of this link will be needed
	MsgResume = 'R'
	MsgStep   = 'S' // one more frame while paused
	MsgAbort  = 'X' // drop the unit
	MsgWatch  = 'W' // show the pictures of this track
	MsgSpeed  = 'V' // the least time of a descent, of how many lanes, and the least time between pictures, in milliseconds
	MsgDone   = 'D' // lane -> controller: partial and state
	MsgPeek   = 'K' // running partial and progress
	MsgNote   = 'N' // partial at a step, for the history of the run
	MsgError  = 'E' // the unit failed: see wire.Reader.Problem
	MsgAlive  = 'A' // see Alive
)

// unitMessage is a Task with everything that a worker needs except the model's files.
type unitMessage struct {
	ID      int  // of this sending
	Paused  bool // stop at the first frame
	Watch   bool
	Link    string
	Base    []float64 // base rates found by enumeration, or nil
	Task    Task
	Workers int // as in Options
}

// Alive is a worker's sign of life: the longest time between two moments at which it could answer, in seconds, since
// the last one, the share of the model that is opened, 0 when none is, and if the worker stands still in a pause, the
// number of messages that it had got by then (Worker.Heard); 0 if it does not.
func Alive(gap, share float64, stands int) []byte {
	w := wire.Writer{B: []byte{MsgAlive}}
	w.Float(gap)
	w.Float(share)
	w.Int(stands)
	return w.B
}

// Message tells a worker to run a unit; id names this sending. It comes in parts, to be joined where it is sent: a
// state may be large.
func (j *Job) Message(k *Task, id int, paused, watch bool) [][]byte {
	return j.message(k, id, paused, watch).encode()
}

func (j *Job) message(k *Task, id int, paused, watch bool) *unitMessage {
	m := unitMessage{ID: id, Paused: paused, Watch: watch, Link: j.Spec.Link(), Task: *k, Workers: j.opt.Workers}
	if f := models.Can(j.Model).Base.Finder; f != nil {
		m.Base = f.FoundBase()
	}
	return &m
}

// TrainingTrack is the number under which the pictures of a training are watched.
const TrainingTrack = -2

// TrainingParcel is a unit of the training of a link: what all units of its round have in common, and its own part.
func TrainingParcel(link string, u *estimators.Unit) (common, own []byte) {
	m := unitMessage{Link: link, Task: Task{Track: TrainingTrack, Unit: u}}
	lane, state := m.lane()
	return m.common(), append(lane, state...)
}

// UnitMessage tells a worker to run a unit of a training, by the parts of TrainingParcel; id names this sending.
func UnitMessage(id int, watch bool, common, own []byte) []byte {
	m := unitMessage{ID: id, Watch: watch}
	return append(append(m.head(len(common)+len(own)), common...), own...)
}

func (m *unitMessage) encode() [][]byte {
	common := m.common()
	lane, state := m.lane()
	return [][]byte{append(append(m.head(len(common)+len(lane)), common...), lane...), state}
}

// head is what one sending says; more bytes will follow.
func (m *unitMessage) head(more int) []byte {
	w := wire.Writer{B: append(make([]byte, 0, more+16), MsgUnit)} // room for all at once: a plan may be large
	w.Int(m.ID)
	w.Bool(m.Paused)
	w.Bool(m.Watch)
	return w.B
}

// common is what all units of a round share.
func (m *unitMessage) common() []byte {
	u := m.Task.Unit
	w := wire.Writer{B: make([]byte, 0, len(u.Plan)+8*len(m.Base)+len(m.Link)+len(u.Round)+64)}
	w.String(m.Link)
	w.Floats(m.Base)
	w.Int(m.Task.Track)
	w.String(u.Round)
	w.Int(int(u.Work))
	w.Bytes(u.Plan)
	w.Int(m.Workers)
	return w.B
}

// lane is a unit's own part, without the bytes of its state, and these.
func (m *unitMessage) lane() (lane, state []byte) {
	u := m.Task.Unit
	var w wire.Writer
	w.Int(u.Lane)
	w.Bool(u.State != nil)
	w.Uint(uint64(len(u.State)))
	return w.B, u.State
}

func decodeUnit(b []byte) (*unitMessage, error) {
	r := wire.Reader{B: b}
	m := &unitMessage{ID: r.Int(), Paused: r.Bool(), Watch: r.Bool(), Link: r.String(), Base: r.Floats()}
	m.Task = Task{Track: r.Int()}
	u := &estimators.Unit{Round: r.String(), Work: estimators.Work(r.Int()), Plan: r.Bytes()}
	m.Workers = r.Int()
	u.Lane = r.Int()
	if has, state := r.Bool(), r.Bytes(); has {
		u.State = state
	}
	m.Task.Unit = u
	if r.Err != nil {
		return nil, r.Err
	}
	return m, nil
}

// ReadDone takes the rest of a MsgDone after its id: what the unit has computed. On an error, which says that the bytes
// are damaged, the unit stays as it is.
func (k *Task) ReadDone(r *wire.Reader) error {
	partial, has, state := r.Bytes(), r.Bool(), r.Bytes()
	if r.Err != nil {
		return r.Err
	}
	k.Unit.Partial = partial
	if k.Unit.State = nil; has {
		k.Unit.State = state
	}
	return nil
}

// Result is what the finished unit gives back.
func Result(u *estimators.Unit) []byte {
	w := wire.Writer{B: make([]byte, 0, len(u.Partial)+len(u.State)+32)}
	w.Bytes(u.Partial)
	w.Bool(u.State != nil)
	w.Bytes(u.State)
	return w.B
}

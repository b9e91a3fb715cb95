package engine

import (
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Messages between the controller of a page and its lane workers: one byte for the kind, then the fields in the binary
// codec of core/wire.
const (
	MsgFile   = 'F' // to the lane worker: a model file by name
	MsgUnit   = 'U' // run this unit
	MsgPause  = 'P'
	MsgOpen   = 'O' // open the model of this link, which will be needed
	MsgResume = 'R'
	MsgStep   = 'S' // one more frame while paused
	MsgAbort  = 'X' // drop the unit
	MsgWatch  = 'W' // show the pictures of this track
	MsgSpeed  = 'V' // slow motion: minimum time of a descent, number of lanes that it applies to, minimum time between pictures (ms)
	MsgDone   = 'D' // from the lane worker: partial and state
	MsgPeek   = 'K' // running partial and progress
	MsgNote   = 'N' // partial at a step, for the history of the run
	MsgError  = 'E' // the unit failed: see wire.Reader.Problem
	MsgAlive  = 'A' // see Alive
)

// unitMessage is a Task with everything that a worker needs except the files of the model.
type unitMessage struct {
	ID      int  // number of this message
	Paused  bool // stop at the first frame
	Watch   bool
	Link    string
	Base    []float64 // base rates by enumeration, or nil
	Task    Task
	Workers int // as in Options
}

// Alive encodes a worker's sign of life: the longest time (s) since the last one during which it could not answer; the
// fraction of the model that has been opened, 0 if none is being opened; and, if the worker is paused, the number of
// messages that it had received when it paused (Worker.Heard), else 0.
func Alive(gap, share float64, stands int) []byte {
	w := wire.Writer{B: []byte{MsgAlive}}
	w.Float(gap)
	w.Float(share)
	w.Int(stands)
	return w.B
}

// Message encodes a unit for a worker; id is the number of the message. It returns parts, to be joined where they are
// sent, as a state may be large.
func (j *Job) Message(k *Task, id int, paused, watch bool) [][]byte {
	return j.message(k, id, paused, watch).encode()
}

func (j *Job) message(k *Task, id int, paused, watch bool) *unitMessage {
	m := unitMessage{ID: id, Paused: paused, Watch: watch, Link: j.Spec.Link(), Task: *k, Workers: j.opt.Workers}
	if f := models.CapabilitiesOf(j.Model).Base.Finder; f != nil {
		m.Base = f.FoundBase()
	}
	return &m
}

// TrainingTrack is the track number of trainings.
const TrainingTrack = -2

// TrainingParcel encodes a unit of a training in two parts: the part that all units of its round share, and its own
// part.
func TrainingParcel(link string, u *estimators.Unit) (common, own []byte) {
	m := unitMessage{Link: link, Task: Task{Track: TrainingTrack, Unit: u}}
	lane, state := m.lane()
	return m.common(), append(lane, state...)
}

// UnitMessage encodes a unit of a training, given the parts of TrainingParcel; id is the number of the message.
func UnitMessage(id int, watch bool, common, own []byte) []byte {
	m := unitMessage{ID: id, Watch: watch}
	return append(append(m.header(len(common)+len(own)), common...), own...)
}

func (m *unitMessage) encode() [][]byte {
	common := m.common()
	lane, state := m.lane()
	return [][]byte{append(append(m.header(len(common)+len(lane)), common...), lane...), state}
}

// header encodes the fields of one message; more is the number of bytes that will follow.
func (m *unitMessage) header(more int) []byte {
	w := wire.Writer{B: append(make([]byte, 0, more+16), MsgUnit)} // allocated once, as a plan may be large
	w.Int(m.ID)
	w.Bool(m.Paused)
	w.Bool(m.Watch)
	return w.B
}

// common encodes the part that all units of a round share.
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

// lane encodes a unit's own part without its state, and returns the state.
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

// ReadDone decodes the rest of a MsgDone after its id, the outcome of the unit. On an error, which means that the bytes
// are damaged, the unit is unchanged.
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

// Result encodes the outcome of a finished unit.
func Result(u *estimators.Unit) []byte {
	w := wire.Writer{B: make([]byte, 0, len(u.Partial)+len(u.State)+32)}
	w.Bytes(u.Partial)
	w.Bool(u.State != nil)
	w.Bytes(u.State)
	return w.B
}

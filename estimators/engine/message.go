package engine

import (
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Kinds of messages between the controller of a page and its lane workers. A message is one byte for the kind, then the
// fields in the binary codec of core/wire.
const (
	MsgFile   = 'F' // to the lane worker: a model file by name
	MsgUnit   = 'U' // to the worker: run this lane
	MsgPause  = 'P'
	MsgOpen   = 'O' // open the model of this link, which will be needed
	MsgResume = 'R'
	MsgStep   = 'S' // make one more frame while paused
	MsgAbort  = 'X' // stop the running lane without a result
	MsgWatch  = 'W' // show the pictures of this track
	MsgSpeed  = 'V' // slow motion: minimum time of a descent, number of lanes that it applies to, minimum time between pictures (ms)
	MsgDone   = 'D' // from the lane worker: final partial and state
	MsgPeek   = 'K' // from the lane worker: peeked partial and progress
	MsgNote   = 'N' // from the lane worker: partial at a step, for the history of the run
	MsgError  = 'E' // from the lane worker: the lane failed, with the error in the form of wire.Reader.Problem
	MsgAlive  = 'A' // from the lane worker: sign of life, see Alive
)

// unitMessage is a message of kind MsgUnit: a Task with everything that a worker needs except the files of the model.
type unitMessage struct {
	ID      int  // identifies the lane in the answers
	Paused  bool // pause before the first frame
	Watch   bool
	Link    string
	Base    []float64 // base rates by enumeration, or nil
	Task    Task
	Workers int // as in Options
}

// Alive encodes a worker's sign of life: the longest time gap (s) since the last sign of life in which the worker could
// not answer; the fraction share of a model that has been opened, 0 if no model is being opened; and, if the worker is
// paused, the number of messages that it had received when it paused (Worker.Received), else 0.
func Alive(gap, share float64, pausedAt int) []byte {
	w := wire.Writer{B: []byte{MsgAlive}}
	w.Float(gap)
	w.Float(share)
	w.Int(pausedAt)
	return w.B
}

// Message encodes a lane as a message to a worker; the answers will contain id. It returns the message in parts, to avoid
// copying a large state.
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

// TrainingTrack is the track number of lanes of a training, which belong to no job.
const TrainingTrack = -2

// TrainingParcel encodes a lane of a training in two parts: the part common to all lanes of the round, and the lane's own
// part.
func TrainingParcel(link string, u *estimators.Unit) (common, own []byte) {
	m := unitMessage{Link: link, Task: Task{Track: TrainingTrack, Unit: u}}
	lane, state := m.lane()
	return m.common(), append(lane, state...)
}

// UnitMessage encodes a lane of a training as a message, given the parts of TrainingParcel. The answers will contain id.
func UnitMessage(id int, watch bool, common, own []byte) []byte {
	m := unitMessage{ID: id, Watch: watch}
	return append(append(m.header(len(common)+len(own)), common...), own...)
}

func (m *unitMessage) encode() [][]byte {
	common := m.common()
	lane, state := m.lane()
	return [][]byte{append(append(m.header(len(common)+len(lane)), common...), lane...), state}
}

// header encodes the fields that differ between messages with the same lane; more is the number of bytes that follow.
func (m *unitMessage) header(more int) []byte {
	w := wire.Writer{B: append(make([]byte, 0, more+16), MsgUnit)} // room for all bytes, as a plan may be large
	w.Int(m.ID)
	w.Bool(m.Paused)
	w.Bool(m.Watch)
	return w.B
}

// common encodes the part that all lanes of a round share.
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

// lane encodes the lane's own part up to its state, and returns the state.
func (m *unitMessage) lane() (lane, state []byte) {
	u := m.Task.Unit
	var w wire.Writer
	w.Int(u.Lane)
	w.Bool(u.State != nil)
	w.Uint(uint64(len(u.State)))
	return w.B, u.State
}

// decodeUnit decodes a MsgUnit after its first byte.
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

// ReadDone decodes a MsgDone from behind its id and stores partial and state in k.Unit. If the bytes are damaged it
// returns an error and leaves the unit unchanged.
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

// Result encodes partial and state of a finished lane, in the form that ReadDone decodes.
func Result(u *estimators.Unit) []byte {
	w := wire.Writer{B: make([]byte, 0, len(u.Partial)+len(u.State)+32)}
	w.Bytes(u.Partial)
	w.Bool(u.State != nil)
	w.Bytes(u.State)
	return w.B
}

package engine

import (
	"errors"
	"fmt"

	"logzlab/core/frame"
	"logzlab/core/problem"
	"logzlab/estimators"
	"logzlab/models"
)

// Messages between the brain and its lane workers: one byte of kind, then the
// fields in the binary codec of core/frame.
const (
	MsgFile   = 'F' // brain -> lane: a model file by name
	MsgUnit   = 'U' // brain -> lane: run this
	MsgPause  = 'P'
	MsgOpen   = 'O' // the model of this link will be needed
	MsgResume = 'R'
	MsgStep   = 'S' // one more frame while paused
	MsgAbort  = 'X' // drop the unit
	MsgWatch  = 'W' // show the pictures of this track
	MsgSpeed  = 'V' // the least time of a descent, of how many lanes, and the least time between pictures, in milliseconds
	MsgDone   = 'D' // lane -> brain: partial and state
	MsgPeek   = 'K' // running partial and progress
	MsgNote   = 'N' // partial at a step, for the history of the run
	MsgError  = 'E' // the unit failed: see ReadError
	MsgAlive  = 'A' // see Alive
)

// unitMessage is a Task with everything that a worker needs except the model's files.
type unitMessage struct {
	ID      int // of this sending
	Link    string
	Base    []float64 // base rates found by enumeration, or nil
	Task    Task
	Workers int  // see NewJob
	Paused  bool // stop at the first frame
	Watch   bool
}

// Alive is a worker's sign of life: the longest time between two moments at which it could answer, in seconds, since
// the last one, and the share of the model that is opened, 0 when none is.
func Alive(gap, share float64) []byte {
	w := frame.Writer{B: []byte{MsgAlive}}
	w.Float(gap)
	w.Float(share)
	return w.B
}

// Message tells a worker to run a unit; id names this sending. It comes in parts, to be joined where it is sent: a
// state may be large.
func (j *Job) Message(k *Task, id int, paused, watch bool) [][]byte {
	m := unitMessage{ID: id, Link: j.Spec.Link(), Task: *k, Workers: j.opt.Workers, Paused: paused, Watch: watch}
	if f, ok := j.Model.(models.BaseFinder); ok {
		m.Base = f.FoundBase()
	}
	return m.encode()
}

func (m *unitMessage) encode() [][]byte {
	u := m.Task.Unit
	w := frame.Writer{B: make([]byte, 0, len(u.Plan)+8*len(m.Base)+len(m.Link)+len(u.Round)+128)}
	w.B = append(w.B, MsgUnit) // room for all at once: a plan may be large
	w.Int(m.ID)
	w.String(m.Link)
	w.Floats(m.Base)
	w.Int(m.Task.Track)
	w.String(u.Round)
	w.Int(int(u.Work))
	w.Bytes(u.Plan)
	w.Int(u.Lane)
	w.Bool(u.State != nil)
	w.Uint(uint64(len(u.State)))
	var end frame.Writer
	end.Int(m.Workers)
	end.Bool(m.Paused)
	end.Bool(m.Watch)
	return [][]byte{w.B, u.State, end.B}
}

func decodeUnit(b []byte) (*unitMessage, error) {
	r := frame.Reader{B: b}
	m := &unitMessage{ID: r.Int(), Link: r.String(), Base: r.Floats()}
	m.Task = Task{Track: r.Int()}
	u := &estimators.Unit{Round: r.String(), Work: estimators.Work(r.Int()), Plan: r.Bytes(), Lane: r.Int()}
	if has, state := r.Bool(), r.Bytes(); has {
		u.State = state
	}
	m.Task.Unit = u
	m.Workers, m.Paused, m.Watch = r.Int(), r.Bool(), r.Bool()
	if r.Err != nil {
		return nil, r.Err
	}
	return m, nil
}

// maxNested is the deepest error within an error that is sent as such.
const maxNested = 16

// writeError appends an error that keeps its code and arguments, so that the page can
// translate it: the code and what stands in each place, a text or an error in turn. A
// text follows an empty code, as do errors of other packages and those too deep.
func writeError(w *frame.Writer, err error) { writePlace(w, err, maxNested) }

func writePlace(w *frame.Writer, x any, deep int) {
	err, _ := x.(error)
	var p *problem.Error
	if deep == 0 || !errors.As(err, &p) || p.Error() != err.Error() { // a wrapper that adds words is a text
		w.String("")
		w.String(fmt.Sprint(x))
		return
	}
	w.String(p.Code)
	for _, a := range p.Args {
		writePlace(w, a, deep-1)
	}
}

// ReadError reads the error of a MsgError after its id; the reader's Err is set if it is damaged.
func ReadError(r *frame.Reader) error {
	x := readPlace(r, maxNested)
	if err, ok := x.(error); ok {
		return err
	}
	return errors.New(x.(string))
}

// readPlace is a string or an error.
func readPlace(r *frame.Reader, deep int) any {
	code := r.String()
	if code == "" {
		return r.String()
	}
	p := &problem.Error{Code: code}
	for range problem.Places(code) {
		if deep == 0 || r.Err != nil {
			r.Err = frame.ErrShort
			break
		}
		p.Args = append(p.Args, readPlace(r, deep-1))
	}
	return p
}

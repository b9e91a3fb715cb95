package engine

import (
	"fmt"
	"iter"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/training"
	"logzlab/models"
	"logzlab/models/rbm"
)

// Worker is the lane side: it holds files, a model and a method, and opens units.
// Its control fields are changed by Control between frames.
type Worker struct {
	Load  func(file string) ([]byte, error) // fetches a bundled file that no message brought, if not nil
	Names catalog.Names                     // as in Options

	files  map[string][]byte
	model  models.Model
	opened string // identifies model: model part of the link and base rates
	link   string // that spec was parsed from
	spec   *spec.Spec
	method estimators.Method
	made   string // identifies method: its track and the number of workers
	name   string // under which its pictures go

	wanted  string       // link of the model that will be needed, "" when it is open
	opening string       // the one that Prepare opens now, else ""
	unit    *unitMessage // the newest unit
	begun   *unitMessage // the one at work
	paused  bool
	steps   int // frames allowed while paused
	aborted bool
	heard   int // messages so far
	watch   int // track whose pictures are shown, -1 none
	slow    int // the least time of a descent, in milliseconds
	first   int // lanes of a round that take it
	rest    int // the least time between pictures, in milliseconds
}

// Least times between the pictures of a lane, in milliseconds: of those that are
// painted, and of those that only the table behind a failed picture would show.
const (
	PictureTime = 16
	UnseenTime  = 1000
)

// NewWorker is an empty worker.
func NewWorker() *Worker { return &Worker{files: map[string][]byte{}, watch: -1, rest: PictureTime} }

// Control takes a message; run is true when it brought work: a unit to run, or a model to open.
func (w *Worker) Control(b []byte) (run bool, err error) {
	w.heard++
	if len(b) == 0 {
		return false, wire.ErrShort
	}
	r := wire.Reader{B: b[1:]}
	switch b[0] {
	case MsgFile:
		name, data := r.String(), r.Bytes()
		w.files[name] = data
		switch name {
		case OwnFile, OwnRows:
			w.opened, w.made = "", ""
		case TrainingRows:
			w.made = ""
		}
	case MsgOpen:
		w.wanted = r.String()
		return true, r.Err

	// Pauses, and the pace of pictures.
	case MsgPause:
		w.paused, w.steps = true, 0
	case MsgResume:
		w.paused = false
	case MsgStep:
		w.steps++
	case MsgAbort:
		w.aborted = true
	case MsgWatch:
		w.watch = r.Int()
	case MsgSpeed:
		w.slow, w.first, w.rest = r.Int(), r.Int(), r.Int()

	// A unit to run.
	case MsgUnit:
		if w.unit, err = decodeUnit(b[1:]); err != nil {
			return false, err
		}
		w.aborted, w.paused, w.steps = false, w.unit.Paused, 0
		if w.unit.Watch {
			w.watch = w.unit.Task.Track
		}
		return true, nil
	default:
		return false, fmt.Errorf("unknown message %q", b[0])
	}
	return false, r.Err
}

// Heard is the number of messages so far. A worker that says how many it had got when it stood still cannot be taken
// for one that stands still after a message that is on its way.
func (w *Worker) Heard() int { return w.heard }

// Running is a unit under way in a worker.
type Running struct {
	Unit   *estimators.Unit
	Frames iter.Seq[*frame.Frame]
	w      *Worker
	m      *unitMessage
	notes  [][]byte
}

// Prepare opens the model that a link said will be needed, if there is one. An error is told by the unit that follows.
// The meter, which may be nil, watches memory and time.
func (w *Worker) Prepare(m *meter.Meter) {
	if w.opening = w.wanted; w.opening == "" {
		return
	}
	defer func() { w.opening = "" }()
	if s, err := spec.ParseLink(w.opening, w.Names); err == nil {
		_ = w.open(s, nil, m)
	}
	if w.wanted == w.opening {
		w.wanted = ""
	}
}

// HasUnit reports whether a unit waits for Start.
func (w *Worker) HasUnit() bool { return w.unit != nil && w.unit != w.begun }

// Waiting reports whether the unit at work must stand still now.
func (w *Worker) Waiting() bool {
	return w.opening == "" && w.unit != nil && w.paused && w.steps == 0 && !w.Unwanted()
}

// Unwanted reports whether what Prepare opens, or else the unit at work, is not wanted any more.
func (w *Worker) Unwanted() bool {
	if w.opening != "" {
		return w.wanted != w.opening
	}
	return w.aborted || w.unit != w.begun
}

// Start opens the model and the method of the newest unit. On an error the
// Running can still report it. The meter, which may be nil, watches memory and time.
func (w *Worker) Start(m *meter.Meter) (*Running, error) {
	r := &Running{w: w, m: w.unit, Unit: w.unit.Task.Unit}
	w.begun = w.unit
	take := w.estimate
	if training.IsLink(r.m.Link) {
		take = w.train
	}
	if err := take(r.m, m); err != nil {
		return r, err
	}
	r.Unit.Note = r.note
	r.Frames = w.method.Lane(r.Unit)
	return r, nil
}

// estimate opens model and method of a unit of a job.
func (w *Worker) estimate(u *unitMessage, m *meter.Meter) error {
	if w.spec == nil || u.Link != w.link {
		s, err := spec.ParseLink(u.Link, w.Names)
		if err != nil {
			return err
		}
		w.spec, w.link, w.made = s, u.Link, ""
	}
	if err := w.open(w.spec, u.Base, m); err != nil {
		return err
	}
	key := strconv.Itoa(u.Task.Track) + " " + strconv.Itoa(u.Workers)
	if key != w.made {
		method, name, err := w.make(u)
		if err != nil {
			return err
		}
		w.method, w.name, w.made = method, name, key
	}
	return nil
}

// train opens the run of a unit of a training.
func (w *Worker) train(u *unitMessage, _ *meter.Meter) error {
	if u.Link == w.made {
		return nil
	}
	l, err := training.ParseLink(u.Link)
	if err != nil {
		return err
	}
	bits, m, err := ReadTrainingFile(w.files[TrainingRows])
	if err != nil {
		return err
	}
	run, err := l.Open(bits, m)
	if err == nil {
		w.method, w.name, w.made = run, "training", u.Link
	}
	return err
}

// make is the method of a unit's track, and the name of the first method that reads its run.
func (w *Worker) make(m *unitMessage) (estimators.Method, string, error) {
	switch track := m.Task.Track; {
	case track == baseTrack:
		if base := estimators.NewBaseRates(w.model, nil); base != nil {
			return base, "", nil
		}
		return nil, "", fmt.Errorf("model %s needs no base rates", w.spec.Model)
	case track == floorTrack:
		if floor := estimators.NewFloor(w.model, models.QuickEffort, nil); floor != nil {
			return floor, "", nil
		}
		return nil, "", fmt.Errorf("model %s has no floor", w.spec.Model)
	case track == sumTrack:
		if sum := estimators.NewExact(w.model, nil); sum != nil {
			return sum, "", nil
		}
		return nil, "", fmt.Errorf("model %s cannot be summed", w.spec.Model)
	case track < 0 || track-firstRun >= spec.MaxReplicates*len(w.spec.Methods):
		return nil, "", fmt.Errorf("the experiment has no track %d", track)
	default:
		r := runOf(groups(w.spec, w.Names), track-firstRun)
		method, err := r.open(w.spec, w.model, Options{Workers: m.Workers, Names: w.Names})
		return method, r.methods[0], err
	}
}

// open makes the model unless it is open already.
func (w *Worker) open(s *spec.Spec, base []float64, m *meter.Meter) (err error) {
	key := ModelKey(s, w.Names)
	if len(base) > 0 {
		key += fmt.Sprint(base)
	}
	if key == w.opened {
		return nil
	}

	// A file of the user's own, with rows of data where set.
	src := Source{Load: w.load, Names: w.Names}
	if spec.IsFile(s.Model) {
		if src.File, err = w.Names.All().Kinds.ReadFile(w.files[OwnFile], m); err != nil {
			return err
		}
		if s.Set["data"] != "" {
			if src.File, _, err = rbm.WithRows(src.File, w.files[OwnRows], m); err != nil {
				return err
			}
		}
	}

	// The model, on the base found for all workers.
	model, err := src.Open(s, m)
	if err != nil {
		return err
	}
	if f := models.Can(model).Base.Finder; f != nil && len(base) > 0 && f.BaseBlocks() > 0 {
		if model, err = f.WithBase(base, m); err != nil {
			return err
		}
	}
	w.model, w.opened, w.made = model, key, ""
	return nil
}

func (w *Worker) load(file string) ([]byte, error) {
	if b, ok := w.files[file]; ok {
		return b, nil
	}
	if w.Load != nil {
		return w.Load(file)
	}
	return nil, fmt.Errorf("file %s did not reach this worker", file)
}

// Waiting reports whether the unit must stand still now.
func (r *Running) Waiting() bool { return r.w.Waiting() && !r.Aborted() }

// Stepped counts a frame made while paused and reports whether it was one.
func (r *Running) Stepped() bool {
	if r.w.paused && r.w.steps > 0 {
		r.w.steps--
		return true
	}
	return false
}

// Aborted reports whether the unit is no longer wanted.
func (r *Running) Aborted() bool { return r.w.aborted || r.w.unit != r.m }

// Watched reports whether the unit's pictures are shown.
func (r *Running) Watched() bool { return r.m.Task.Track == r.w.watch }

// Filmed reports whether pictures are painted, so that a film of the lane is wanted.
func (r *Running) Filmed() bool { return r.Watched() && r.w.rest != UnseenTime }

// Method names the pictures of the unit: the first method that reads its run.
func (r *Running) Method() string { return r.w.name }

// Done is the message that reports the finished unit, in parts as Job.Message.
func (r *Running) Done() [][]byte {
	o := wire.Writer{B: []byte{MsgDone}}
	o.Int(r.m.ID)
	o.Uint(uint64(len(r.Unit.Partial)))
	var s wire.Writer
	s.Bool(r.Unit.State != nil)
	s.Uint(uint64(len(r.Unit.State)))
	return [][]byte{o.B, r.Unit.Partial, s.B, r.Unit.State}
}

// Peek is the message with a running partial, if there is one, and progress.
func (r *Running) Peek(f *frame.Frame) []byte {
	o := wire.Writer{B: []byte{MsgPeek}}
	o.Int(r.m.ID)
	o.Float(float64(f.Step) / float64(max(f.Steps, 1)))
	var p []byte
	if r.Unit.Peek != nil {
		p = r.Unit.Peek()
	}
	o.Bytes(p)
	return o.B
}

// note is the Note of the unit.
func (r *Running) note(step int, partial []byte) {
	o := wire.Writer{B: []byte{MsgNote}}
	o.Int(r.m.ID)
	o.Int(step)
	o.Bytes(partial)
	r.notes = append(r.notes, o.B)
}

// Notes are the messages for the run's history since the last call.
func (r *Running) Notes() [][]byte {
	out := r.notes
	r.notes = nil
	return out
}

// Failed is the message that reports an error.
func (r *Running) Failed(err error) []byte {
	o := wire.Writer{B: []byte{MsgError}}
	o.Int(r.m.ID)
	o.Problem(err)
	return o.B
}

// Paused reports whether the worker is told to stand still between steps.
func (r *Running) Paused() bool { return r.w.paused }

// Slow is the least time that the steps of the round should take, in milliseconds: of a descent. Only the first lanes
// of a round, one for each worker, are slow: after one descent everybody has seen it, and the rest goes at full speed.
func (r *Running) Slow() int {
	if r.Unit.Lane >= r.w.first {
		return 0
	}
	return r.w.slow
}

// Rest is the least time between pictures, in milliseconds.
func (r *Running) Rest() int { return r.w.Rest() }

// Rest is the least time between pictures, in milliseconds.
func (w *Worker) Rest() int { return w.rest }

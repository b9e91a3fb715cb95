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

// Worker is the state of a lane worker: it has files, a model and a method, and runs the lanes that messages bring.
// Control handles messages between two frames of a running lane.
type Worker struct {
	Load  func(file string) ([]byte, error) // fetches a bundled file that no message has brought; may be nil
	Names catalog.Names                     // as in Options

	files     map[string][]byte
	model     models.Model
	modelKey  string // identifies model: the model part of the link, and base rates
	link      string // link of spec
	spec      *spec.Spec
	method    estimators.Method
	methodKey string // identifies method: its track, and the number of workers
	name      string // method whose name the pictures of the run have

	wanted      string       // link of a model to open in advance (MsgOpen), "" if there is none
	opening     string       // link that Prepare is opening, else ""
	unit        *unitMessage // the lane of the newest MsgUnit
	current     *unitMessage // the lane that runs
	paused      bool
	steps       int // number of frames to make while paused
	aborted     bool
	received    int // number of messages so far
	watch       int // track whose pictures are shown, -1 none
	slowTime    int // minimum time of a descent, in milliseconds
	slowLanes   int // number of lanes of a round that slowTime applies to
	pictureTime int // minimum time between pictures, in milliseconds
}

// Minimum times between the pictures of a lane, in milliseconds: PictureTime for pictures that are painted, UnseenTime if
// the canvas failed and the page shows only their table.
const (
	PictureTime = 16
	UnseenTime  = 1000
)

// NewWorker returns a worker without files.
func NewWorker() *Worker {
	return &Worker{files: map[string][]byte{}, watch: -1, pictureTime: PictureTime}
}

// Control handles a message. run reports whether the message brought work: a lane to run, or a model to open.
func (w *Worker) Control(b []byte) (run bool, err error) {
	w.received++
	if len(b) == 0 {
		return false, wire.ErrDamaged
	}
	r := wire.Reader{B: b[1:]}
	switch b[0] {
	case MsgFile:
		name, data := r.String(), r.Bytes()
		w.files[name] = data
		switch name {
		case OwnFile, OwnRows:
			w.modelKey, w.methodKey = "", ""
		case TrainingRows:
			w.methodKey = ""
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
		w.slowTime, w.slowLanes, w.pictureTime = r.Int(), r.Int(), r.Int()

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

// Received returns the number of messages received so far. A paused worker reports the number (Alive), so that the page
// can tell which message it has paused for.
func (w *Worker) Received() int { return w.received }

// Running is a lane that runs in a worker.
type Running struct {
	Unit    *estimators.Unit
	Frames  iter.Seq[*frame.Frame]
	worker  *Worker
	message *unitMessage
	notes   [][]byte
}

// Prepare opens the model that MsgOpen has announced, if any. It ignores errors, as the lane that needs the model reports
// them. The meter, which may be nil, limits memory and time.
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

// HasUnit reports whether a lane is to be started by Start.
func (w *Worker) HasUnit() bool { return w.unit != nil && w.unit != w.current }

// Waiting reports whether the running lane must pause before its next frame.
func (w *Worker) Waiting() bool {
	return w.opening == "" && w.unit != nil && w.paused && w.steps == 0 && !w.Unwanted()
}

// Unwanted reports whether the current work of the worker can be stopped: the model that Prepare is opening, or else the
// running lane, is not needed after all.
func (w *Worker) Unwanted() bool {
	if w.opening != "" {
		return w.wanted != w.opening
	}
	return w.aborted || w.unit != w.current
}

// Start opens the model and the method of the newest lane. It returns a Running even after an error, to encode the error
// message. The meter, which may be nil, limits memory and time.
func (w *Worker) Start(m *meter.Meter) (*Running, error) {
	r := &Running{worker: w, message: w.unit, Unit: w.unit.Task.Unit}
	w.current = w.unit
	openMethod := w.estimate
	if training.IsLink(r.message.Link) {
		openMethod = w.train
	}
	if err := openMethod(r.message, m); err != nil {
		return r, err
	}
	r.Unit.Note = r.note
	r.Frames = w.method.Lane(r.Unit)
	return r, nil
}

// estimate opens the model and the method of a lane of a job.
func (w *Worker) estimate(u *unitMessage, m *meter.Meter) error {
	if w.spec == nil || u.Link != w.link {
		s, err := spec.ParseLink(u.Link, w.Names)
		if err != nil {
			return err
		}
		w.spec, w.link, w.methodKey = s, u.Link, ""
	}
	if err := w.open(w.spec, u.Base, m); err != nil {
		return err
	}
	key := strconv.Itoa(u.Task.Track) + " " + strconv.Itoa(u.Workers)
	if key != w.methodKey {
		method, name, err := w.make(u)
		if err != nil {
			return err
		}
		w.method, w.name, w.methodKey = method, name, key
	}
	return nil
}

// train opens the method of a lane of a training.
func (w *Worker) train(u *unitMessage, _ *meter.Meter) error {
	if u.Link == w.methodKey {
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
		w.method, w.name, w.methodKey = run, "training", u.Link
	}
	return err
}

// make returns the method of a lane's track, and the name that its pictures have.
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

// open opens the model of a spec, unless it is open already. base are its base rates if another run has computed them.
func (w *Worker) open(s *spec.Spec, base []float64, m *meter.Meter) (err error) {
	key := ModelKey(s, w.Names)
	if len(base) > 0 {
		key += fmt.Sprint(base)
	}
	if key == w.modelKey {
		return nil
	}

	// A file of the user's own, with data rows if the link has them.
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

	// The model, with the base rates that were computed once for all workers.
	model, err := src.Open(s, m)
	if err != nil {
		return err
	}
	if f := models.CapabilitiesOf(model).Base.Finder; f != nil && len(base) > 0 && f.BaseBlocks() > 0 {
		if model, err = f.WithBase(base, m); err != nil {
			return err
		}
	}
	w.model, w.modelKey, w.methodKey = model, key, ""
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

// Waiting reports whether the lane must pause before its next frame.
func (r *Running) Waiting() bool { return r.worker.Waiting() && !r.Aborted() }

// Stepped reports whether a frame was requested by MsgStep while paused, and counts it as done.
func (r *Running) Stepped() bool {
	if r.worker.paused && r.worker.steps > 0 {
		r.worker.steps--
		return true
	}
	return false
}

// Aborted reports whether the result of the lane is not needed.
func (r *Running) Aborted() bool { return r.worker.aborted || r.worker.unit != r.message }

// Watched reports whether the lane's pictures are shown.
func (r *Running) Watched() bool { return r.message.Task.Track == r.worker.watch }

// NeedsSnapshots reports whether the lane must make pictures for the record of the run (Unit.Snapshots).
func (r *Running) NeedsSnapshots() bool { return r.Watched() && r.worker.pictureTime != UnseenTime }

// Method returns the name that the pictures of the lane have.
func (r *Running) Method() string { return r.worker.name }

// DoneMessage encodes the finished lane, in parts as Job.Message does.
func (r *Running) DoneMessage() [][]byte {
	o := wire.Writer{B: []byte{MsgDone}}
	o.Int(r.message.ID)
	o.Uint(uint64(len(r.Unit.Partial)))
	var s wire.Writer
	s.Bool(r.Unit.State != nil)
	s.Uint(uint64(len(r.Unit.State)))
	return [][]byte{o.B, r.Unit.Partial, s.B, r.Unit.State}
}

// PeekMessage encodes the progress, and a peeked partial if the lane has one.
func (r *Running) PeekMessage(f *frame.Frame) []byte {
	o := wire.Writer{B: []byte{MsgPeek}}
	o.Int(r.message.ID)
	o.Float(float64(f.Step) / float64(max(f.Steps, 1)))
	var p []byte
	if r.Unit.Peek != nil {
		p = r.Unit.Peek()
	}
	o.Bytes(p)
	return o.B
}

// note encodes a partial at a step, for Notes.
func (r *Running) note(step int, partial []byte) {
	o := wire.Writer{B: []byte{MsgNote}}
	o.Int(r.message.ID)
	o.Int(step)
	o.Bytes(partial)
	r.notes = append(r.notes, o.B)
}

// Notes returns the MsgNote messages of the lane since the last call.
func (r *Running) Notes() [][]byte {
	out := r.notes
	r.notes = nil
	return out
}

// ErrorMessage encodes an error of the lane.
func (r *Running) ErrorMessage(err error) []byte {
	o := wire.Writer{B: []byte{MsgError}}
	o.Int(r.message.ID)
	o.Problem(err)
	return o.B
}

// Paused reports whether the worker is told to pause between steps.
func (r *Running) Paused() bool { return r.worker.paused }

// MinDescentTime returns the minimum time from the first to the last frame of the lane in milliseconds, for slow
// motion.
// Only the first lanes of a round, one for each worker, are slow; it is 0 for the others.
func (r *Running) MinDescentTime() int {
	if r.Unit.Lane >= r.worker.slowLanes {
		return 0
	}
	return r.worker.slowTime
}

// PictureInterval returns the minimum time between pictures, in milliseconds.
func (r *Running) PictureInterval() int { return r.worker.PictureInterval() }

// PictureInterval returns the minimum time between pictures, in milliseconds.
func (w *Worker) PictureInterval() int { return w.pictureTime }

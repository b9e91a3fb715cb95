package workerpool

import (
	"math"
	"slices"

	"logzlab/core/wire"
	"logzlab/estimators/engine"
)

// Longest times without a message of a worker, in seconds on a device of usual speed. A worker that is silent for
// longer is replaced.
const (
	Silence      = 5.0  // a worker that owes an answer
	firstSilence = 15.0 // a worker that has sent nothing since it started, so that its pace is unknown
	startSilence = 30.0 // a worker that has not started yet
)

// Constants that adapt these times to the device. Time is counted by the controller's own ticks: while ticks are late,
// the device sleeps, hides the page or is overloaded, and workers cannot answer either. The time in which a worker
// starts measures the speed of the device, since the start is the same work everywhere. A worker that was once silent
// for some time may be silent for gapFactor times as long later.
const (
	maxTick       = .1  // largest number of seconds that one tick counts; ticks come every 0.05 s
	UsualStart    = .15 // seconds in which a worker usually starts
	slowestDevice = 20  // no device counts as slower than this
	gapFactor     = 20  // ratio of the allowed silence of a worker to its longest silence so far
)

// How often workers may be replaced.
const (
	maxLosses          = 3    // losses of workers with the same unit, without progress of the unit
	MaxLossesPerPeriod = 12   // losses within lossPeriod
	lossPeriod         = 60.0 // seconds, by ticks
)

// Memory is the most memory in bytes that the controller and all workers may use together.
const Memory = 1.5e9

// Pool is the set of lane workers.
type Pool struct {
	host             Host
	Size             int
	Lanes            map[int]*lane
	model            []File // files of the job's model
	MinDescentTime   int    // shortest time from base to target, in milliseconds
	MinFrameInterval int    // shortest time between frames, in milliseconds

	waiting []*BackgroundUnit // units that wait for a worker

	idleReleased       bool      // idle workers were ended
	lastLane, lastUnit int       // the last numbers assigned
	age                float64   // of the pool, in seconds by ticks
	lossTimes          []float64 // ages at which workers with a unit were lost
}

// lane is one worker.
type lane struct {
	Ready        bool
	Silence      float64 // seconds, by ticks, since its last message or the last request to it
	startTime    float64 // start time in seconds
	longestGap   float64 // the longest recent time between two of its messages
	share        float64 // progress of opening the model
	posted       int     // number of messages sent to it
	pausedAt     int     // number of messages received by the worker when it last reported a pause
	losses       int     // number of workers that its unit has lost without progress
	unit         int     // number of the unit it works on
	Task         *engine.Task
	background   *BackgroundUnit   // a unit of a training, instead of Task
	sentFiles    map[string]string // ids of the files sent to it, by name
	watchedTrack int               // the track whose frames it sends
}

// File is a file with the name by which workers know it. ID distinguishes versions.
type File struct {
	Name, ID string
	Data     []byte
}

// Host starts, ends and messages the workers in the browser.
type Host interface {
	Spawn(id int)               // start worker id, unless the page has started it; Pool.Ready follows
	Kill(id int)                // end it
	Post(id int, msg ...[]byte) // send it a message, given in parts
}

// New returns a pool of size workers, which it starts.
func New(h Host, size int) Pool {
	c := Pool{host: h, Size: max(size, 1), Lanes: map[int]*lane{}, MinFrameInterval: engine.PictureTime}
	c.Fill()
	return c
}

// ModelCopies returns the number of copies of a model: one in the controller and one in each worker.
func (c *Pool) ModelCopies() float64 { return float64(1 + c.Size) }

// Spawn starts another worker.
func (c *Pool) Spawn() {
	c.lastLane++
	c.Lanes[c.lastLane] = &lane{sentFiles: map[string]string{}, watchedTrack: -1}
	c.host.Spawn(c.lastLane)
}

// Fill starts missing workers.
func (c *Pool) Fill() {
	c.idleReleased = false
	for len(c.Lanes) < c.Size {
		c.Spawn()
	}
}

// ReleaseIdle ends idle workers to free their memory. They are started again when there is work.
func (c *Pool) ReleaseIdle() {
	for id, l := range c.Lanes {
		if !l.busy() {
			delete(c.Lanes, id)
			c.host.Kill(id)
		}
	}
	c.idleReleased = true
}

// restoreReleased starts the workers that ReleaseIdle ended.
func (c *Pool) restoreReleased() {
	if c.idleReleased {
		c.Fill()
	}
}

// Ready records that a worker accepts messages; took is the time of its start in seconds. It returns false for an
// unknown worker.
func (c *Pool) Ready(id int, took float64) bool {
	l := c.Lanes[id]
	if l == nil {
		return false
	}
	l.Ready, l.Silence, l.startTime = true, 0, took
	c.sendPace(id, l)
	return true
}

// SetPace sends the workers the shortest time from base to target and the shortest time between frames, in
// milliseconds.
func (c *Pool) SetPace(descentTime, frameInterval int) {
	c.MinDescentTime, c.MinFrameInterval = descentTime, frameInterval
	for id, l := range c.Lanes {
		if l.Ready {
			c.sendPace(id, l)
		}
	}
}

func (c *Pool) sendPace(id int, l *lane) {
	w := wire.Writer{B: []byte{engine.MsgSpeed}}
	w.Int(c.MinDescentTime)
	w.Int(len(c.Lanes))
	w.Int(c.MinFrameInterval)
	c.post(id, l, w.B)
}

// Open makes the workers open the model of a link.
func (c *Pool) Open(link string, files []File) {
	c.model = files
	for id, l := range c.Lanes {
		c.sendFiles(id, l, files)
		w := wire.Writer{B: []byte{engine.MsgOpen}}
		w.String(link)
		c.post(id, l, w.B)
	}
}

// sendFiles sends a worker the files that it does not have.
func (c *Pool) sendFiles(id int, l *lane, files []File) {
	for _, f := range files {
		if l.sentFiles[f.Name] != f.ID {
			l.sentFiles[f.Name] = f.ID
			w := wire.Writer{B: []byte{engine.MsgFile}}
			w.String(f.Name)
			w.Bytes(f.Data)
			c.post(id, l, w.B)
		}
	}
}

// post sends a message to a worker.
func (c *Pool) post(id int, l *lane, parts ...[]byte) {
	l.posted++
	c.host.Post(id, parts...)
}

// Assign gives units of the job to idle workers. If steps is true, each of these workers pauses after its first frame.
func (c *Pool) Assign(job *engine.Job, steps bool) {
	c.restoreReleased()
	for id, l := range c.Lanes {
		if !l.Ready || l.busy() {
			continue
		}
		task := job.Take()
		if task == nil {
			break
		}
		c.send(id, l, job, task, steps)
		if steps {
			c.post(id, l, []byte{engine.MsgStep})
		}
	}
}

// send gives a unit to a worker.
func (c *Pool) send(id int, l *lane, job *engine.Job, task *engine.Task, isPaused bool) {
	c.sendFiles(id, l, c.model)
	c.lastUnit++
	watch := task.Track >= 0 && task.Track == job.Watched()
	l.Task, l.unit, l.Silence, l.share, l.losses = task, c.lastUnit, 0, 0, job.Lost(task)
	if watch {
		l.watchedTrack = task.Track
	}
	c.post(id, l, job.Message(task, l.unit, isPaused, watch)...)
}

// Watch tells busy workers the number of the track whose frames are shown.
func (c *Pool) Watch(track int) {
	for id, l := range c.Lanes {
		if l.busy() && l.watchedTrack != track {
			l.watchedTrack = track
			w := wire.Writer{B: []byte{engine.MsgWatch}}
			w.Int(track)
			c.post(id, l, w.B)
		}
	}
}

// SendBusy sends a control message to every busy worker. Paused workers answer too, so silence is measured from now.
func (c *Pool) SendBusy(kind byte) {
	for id, l := range c.Lanes {
		if l.busy() {
			l.Silence = 0
			c.post(id, l, []byte{kind})
		}
	}
}

// Busy reports whether any worker has a unit.
func (c *Pool) Busy() bool {
	for _, l := range c.Lanes {
		if l.busy() {
			return true
		}
	}
	return false
}

// AllPaused reports whether all busy workers have confirmed the pause since the last message to them.
func (c *Pool) AllPaused() bool {
	for _, l := range c.Lanes {
		if l.busy() && l.pausedAt != l.posted {
			return false
		}
	}
	return true
}

// Abort discards all units.
func (c *Pool) Abort() {
	c.SendBusy(engine.MsgAbort)
	for _, l := range c.Lanes {
		l.Task, l.background = nil, nil
	}
	c.waiting = nil
}

// Dismiss ends a worker and returns its unit to the job, if any; lost reports that work was lost.
func (c *Pool) Dismiss(id int, job *engine.Job) (lost bool) {
	l := c.Lanes[id]
	delete(c.Lanes, id)
	c.host.Kill(id)
	if l.background != nil {
		c.requeue(l.background)
	}
	if lost = l.Task != nil && job != nil; lost {
		job.Return(l.Task)
		c.lossTimes = append(c.lossTimes, c.age)
	}
	return lost
}

// LostTooOften reports whether workers were lost too often, for this unit without progress or recently in all, and how
// often.
func (c *Pool) LostTooOften(k *engine.Task, job *engine.Job) (n int, tooOften bool) {
	if n = job.Lost(k); n >= maxLosses {
		return n, true
	}
	c.lossTimes = slices.DeleteFunc(c.lossTimes, func(at float64) bool { return c.age-at > lossPeriod })
	return len(c.lossTimes), len(c.lossTimes) >= MaxLossesPerPeriod
}

// OpeningShare returns the progress of opening the model, 0 if no worker is opening it.
func (c *Pool) OpeningShare() (share float64) {
	for _, l := range c.Lanes {
		if l.busy() {
			share = max(share, l.share)
		}
	}
	return share
}

// Tick advances the time by the seconds since the last tick, and returns the workers that were silent for too long.
func (c *Pool) Tick(seconds float64) (ids []int) {
	seconds = min(seconds, maxTick)
	c.age += seconds
	slow := c.slowness()
	for id, l := range c.Lanes {
		if !l.busy() && l.Ready {
			continue
		}
		if l.Silence += seconds; l.Silence > l.patience()*slow && l.Silence > gapFactor*l.longestGap {
			ids = append(ids, id)
		}
	}
	return ids
}

// slowness returns the start time of the fastest worker, as a multiple of the usual time, at least 1.
func (c *Pool) slowness() float64 {
	fastest := math.Inf(1)
	for _, l := range c.Lanes {
		if l.Ready {
			fastest = min(fastest, l.startTime)
		}
	}
	if math.IsInf(fastest, 1) {
		return 1
	}
	return min(max(fastest/UsualStart, 1), slowestDevice)
}

// patience returns how long a worker may be silent. It doubles each time its unit was lost without progress, since the
// unit may take longer than any before.
func (l *lane) patience() float64 {
	if !l.Ready {
		return startSilence
	}
	minimum := 0.0
	if l.longestGap == 0 {
		minimum = firstSilence
	}
	return max(minimum, Silence*float64(int(1)<<min(l.losses, maxLosses)))
}

// Receive passes a worker's message to the job. hasNews reports whether the job has new results; an error means that
// the message is damaged.
func (c *Pool) Receive(id int, msg []byte, job *engine.Job) (hasNews bool, err error) {
	l := c.Lanes[id]
	if l == nil || len(msg) == 0 {
		return false, nil
	}
	l.longestGap = max(l.longestGap, l.Silence, maxTick/2)
	l.Silence = 0

	// The worker is alive.
	r := wire.Reader{B: msg[1:]}
	if msg[0] == engine.MsgAlive {
		gap, share, messagesSeen := r.Float(), r.Float(), r.Int()
		if r.Err == nil && gap >= 0 && share >= 0 && share <= 1 {
			l.longestGap, l.share, l.pausedAt = max(gap, l.longestGap/2), share, messagesSeen
		}
		return false, nil
	}

	// A message about a current unit.
	n := r.Int()
	if l.background != nil && n == l.unit {
		return l.receiveBackground(msg[0], &r)
	}
	if l.Task == nil || n != l.unit || job == nil {
		return false, nil // about an outdated unit
	}

	switch msg[0] {
	case engine.MsgPeek:
		share, partial := r.Float(), r.Bytes()
		if len(partial) == 0 {
			partial = nil
		}
		if r.Err == nil {
			job.Peek(l.Task, partial, share)
		}
	case engine.MsgNote:
		step, partial := r.Int(), r.Bytes()
		if r.Err == nil && len(partial) > 0 {
			job.Note(l.Task, step, partial)
		}
		return false, r.Err
	case engine.MsgDone:
		if err := l.Task.ReadDone(&r); err != nil {
			return false, err
		}
		job.Done(l.Task)
		l.Task = nil
	case engine.MsgError:
		why := r.Problem()
		if r.Err != nil {
			return false, r.Err
		}
		job.Fail(l.Task, why)
		l.Task = nil
	default:
		return false, nil
	}
	return true, nil
}

package exchange

import (
	"context"
	"time"

	"logzlab/estimators/engine"
	"logzlab/wasm/room"
)

// Host runs a job through a room. It keeps every result by the id of its unit, which is the hash of the unit itself:
// plan, lane and state. So a job that is made again, after a crash or because a device gave wrong results, takes what
// is right from there and needs the rest only.
type Host struct {
	Owner   *room.Owner
	Journal *Journal // nil: nothing is kept
	// Worker computes units here, to see who is right where two devices differ.
	Worker   *engine.Worker
	Progress func(*engine.Job) // may be nil

	kept    map[string]*kept
	out     map[string]*engine.Task // in the room, by id
	bad     map[string]bool         // devices that were left out
	after   int                     // the last result seen
	agreed  int
	wrong   bool // a device was left out: the job must be made again
	devices int
}

// kept is a unit that the host knows, and its result, if it is there.
type kept struct {
	common, own  []byte
	device, hash string
	body         []byte
	looked       bool
	doubts       [][2]string // devices and hashes of second looks that differ, until the unit is known here
}

// Counts say what became of a room's units.
type Counts struct {
	Units, Agreed, Left int // results; second looks that agree; devices left out
}

// Counts are those so far.
func (h *Host) Counts() Counts {
	c := Counts{Agreed: h.agreed, Left: len(h.bad)}
	for _, k := range h.kept {
		if k.body != nil {
			c.Units++
		}
	}
	return c
}

// Load takes the records of a journal.
func (h *Host) Load(all []*Record) {
	h.kept, h.bad = map[string]*kept{}, map[string]bool{}
	for _, r := range all {
		h.after = max(h.after, r.seq)
		switch r.kind {
		case recordResult:
			h.kept[r.texts[0]] = &kept{device: r.texts[1], hash: r.texts[2], body: r.body}
		case recordLook:
			if k := h.kept[r.texts[0]]; k != nil {
				k.looked = true
				h.agreed++
			}
		case recordOut:
			h.forget(r.texts[0])
		case recordHead:
			h.after = 0 // of another room
		}
	}
}

// forget leaves a device out, with the results that nobody has confirmed.
func (h *Host) forget(device string) {
	h.bad[device] = true
	for _, k := range h.kept {
		if k.device == device && !k.looked {
			k.device, k.hash, k.body = "", "", nil
		}
	}
}

// Run runs the job that open makes, always the same one, until it is finished or ctx ends. It returns the job in any
// case; its results are as complete as it is.
func (h *Host) Run(ctx context.Context, open func() (*engine.Job, error)) (*engine.Job, error) {
	if h.kept == nil {
		h.Load(nil)
	}
	for device := range h.bad { // the room may not know it yet
		if err := h.Owner.Drop(ctx, device); err != nil {
			return nil, err
		}
	}
	for {
		j, err := open()
		if err != nil {
			return nil, err
		}
		h.out, h.wrong = map[string]*engine.Task{}, false
		for !j.Finished() && !h.wrong && err == nil {
			err = h.step(ctx, j)
		}
		if err == nil && !h.wrong && j.Failed() {
			err = h.inspect(ctx, j)
		}
		if err == nil && !h.wrong {
			err = h.looks(ctx, j)
		}
		if err != nil || !h.wrong {
			return j, err
		}
	}
}

// atOnce is how many units are in the room for each device, and at least in all.
const atOnce, leastAtOnce = 4, 64

// step puts units that can run into the room, and takes results.
func (h *Host) step(ctx context.Context, j *engine.Job) error {
	var posts []room.Post
	for len(h.out) < max(leastAtOnce, atOnce*h.devices) {
		t := j.Take()
		if t == nil {
			break
		}
		common, own := j.Parcel(t)
		id := room.ID(common, own)
		k := h.kept[id]
		if k == nil {
			k = &kept{}
			h.kept[id] = k
		}
		if k.common, k.own = common, own; len(posts) > 0 && posts[len(posts)-1].Round == room.ID(common) {
			k.common = posts[len(posts)-1].Common // one copy for the round
		}
		if k.body != nil {
			if err := h.fold(ctx, j, t, k); err != nil || h.wrong {
				return err
			}
			continue
		}
		h.out[id] = t
		posts = append(posts, room.Post{ID: id, Round: room.ID(common), Common: k.common, Own: own})
	}
	if err := h.Owner.Put(ctx, posts); err != nil {
		return err
	}
	if j.Finished() {
		return nil
	}
	return h.receive(ctx, j)
}

// receive takes the results that are there, or waits a little.
func (h *Host) receive(ctx context.Context, j *engine.Job) error {
	all, err := h.Owner.Results(ctx, h.after)
	if err != nil {
		return err
	}
	h.devices = all.Devices
	for _, r := range all.All {
		if err := h.take(ctx, j, r); err != nil {
			return err
		}
		h.after = r.Seq
	}
	if h.Progress != nil {
		h.Progress(j)
	}
	return room.Sleep(ctx, all.Wait)
}

// take takes one result: the first of its unit, or a second look at it.
func (h *Host) take(ctx context.Context, j *engine.Job, r room.Result) error {
	k := h.kept[r.Unit]
	if k == nil { // put before this host was started again
		k = &kept{}
		h.kept[r.Unit] = k
	}
	switch {
	case h.bad[r.Device] || k.device == r.Device: // sent twice
		return nil
	case k.body != nil && k.hash == r.Hash:
		if !k.looked {
			k.looked = true
			h.agreed++
			return h.Journal.add(&Record{kind: recordLook, texts: [5]string{r.Unit}, seq: r.Seq})
		}
		return nil
	case k.body != nil:
		k.doubts = append(k.doubts, [2]string{r.Device, r.Hash})
		return h.settle(ctx, k)
	case room.CheckResult(r.Body) != nil:
		return h.leave(ctx, r.Device)
	}
	k.device, k.hash, k.body = r.Device, r.Hash, r.Body
	err := h.Journal.add(&Record{kind: recordResult, texts: [5]string{r.Unit, r.Device, r.Hash}, seq: r.Seq,
		body: r.Body})
	if t := h.out[r.Unit]; err == nil && t != nil {
		delete(h.out, r.Unit)
		err = h.fold(ctx, j, t, k)
	}
	return err
}

// fold gives a result to the job. An error ends the run, so it must be true.
func (h *Host) fold(ctx context.Context, j *engine.Job, t *engine.Task, k *kept) error {
	if k.body[0] == room.KindError && !k.looked {
		k.doubts = append(k.doubts, [2]string{k.device, k.hash})
	}
	if err := h.settle(ctx, k); err != nil || k.body == nil {
		return err
	}
	if Finish(j, t, k.body) != nil {
		return h.leave(ctx, k.device)
	}
	return nil
}

// settle computes a doubtful unit here, and leaves those out who had another result.
func (h *Host) settle(ctx context.Context, k *kept) error {
	if len(k.doubts) == 0 || k.common == nil {
		return nil
	}
	right, err := h.compute(ctx, k)
	if err != nil {
		return err
	}
	doubts := append(k.doubts, [2]string{k.device, k.hash})
	k.doubts = nil
	for _, d := range doubts {
		if d[1] == right || h.bad[d[0]] {
			continue
		}
		if err := h.leave(ctx, d[0]); err != nil {
			return err
		}
	}
	return nil
}

// compute is the hash of a unit's result as this program has it.
func (h *Host) compute(ctx context.Context, k *kept) (string, error) {
	b, err := Compute(ctx, h.Worker, k.common, k.own)
	if err != nil {
		return "", err
	}
	var sums []string
	for _, p := range room.Parts(b) {
		sums = append(sums, room.Sum(p))
	}
	return room.Digest(sums), nil
}

// leave leaves a device out of the room. The job is made again in any case: units that the device had are free now, and
// must be put again.
func (h *Host) leave(ctx context.Context, device string) error {
	h.forget(device)
	h.wrong = true
	if err := h.Journal.add(&Record{kind: recordOut, texts: [5]string{device}}); err != nil {
		return err
	}
	return h.Owner.Drop(ctx, device)
}

// inspect computes the results of a job that failed here, until it finds a wrong one. A job fails over damaged numbers
// too, and those look like any others before they are folded. If all are right, so is the failure.
func (h *Host) inspect(ctx context.Context, j *engine.Job) error {
	for _, k := range h.kept {
		if k.body == nil || k.looked || k.common == nil {
			continue
		}
		k.doubts = append(k.doubts, [2]string{k.device, k.hash})
		if err := h.settle(ctx, k); err != nil || h.wrong {
			return err
		}
	}
	return nil
}

// looksPatience is how long the end waits for second looks that make no progress.
const looksPatience = 30 * time.Second

// looks waits for the second looks that are still wanted, as long as there are devices for them.
func (h *Host) looks(ctx context.Context, j *engine.Job) error {
	last, since := -1, time.Now()
	for {
		info, err := h.Owner.Info(ctx)
		if err != nil || info.Looks == 0 || info.Devices-len(h.bad) < 2 || time.Since(since) > looksPatience {
			return err
		}
		if info.Looks != last {
			last, since = info.Looks, time.Now()
		}
		if err := h.receive(ctx, j); err != nil || h.wrong {
			return err
		}
	}
}

package room

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"logzlab/core/problem"
)

// Verify is the usual share of the replicates that a host draws at random to compute them itself.
const Verify = 0.05

// Host gathers the outcomes of a run and finds wrong ones. Devices are not trusted: a name costs nothing, and an outcome
// cannot be judged without computing it. So
//
//   - the server has each replicate computed by two devices, if there are two; where their outcomes differ, the host
//     computes the replicate itself;
//   - the host computes a random share of the replicates itself, and the first one of each device, as far as time allows;
//   - a device whose outcome differs from the host's is left out, and the host computes all that came from it;
//   - in the end the host computes one replicate of each device whose outcomes nobody has confirmed.
//
// An outcome is confirmed if the host computed it, if it came from a device of which the host computed another replicate
// with the same outcome, or if two devices agree on it. Once a device has been found wrong, two devices that agree are not
// enough: they may belong to the same person. Counts.Unconfirmed says how many outcomes are left without confirmation.
type Host struct {
	Owner *Owner
	Run   Run
	// Device is the id under which this machine takes replicates itself (Client.Work); its outcomes are right. "": none.
	Device string
	// Compute computes a replicate on this machine, to compare.
	Compute Compute
	// Verify is the share of the replicates to be computed here. Checks that are not needed to settle a difference end
	// when they have taken as long as the run, and ten seconds at least, but with Patient they take the time they need.
	Verify  float64
	Patient bool
	// Fold takes the outcome of a replicate into the result. An error says that it is damaged or of a run that failed:
	// then Refold follows, the host computes the replicate itself, and gives it again with right set. An error with
	// right set ends Gather.
	Fold func(index int, outcome []byte, right bool) error
	// Refold drops all that was folded, because some of it was wrong. The right outcomes are folded again.
	Refold func() error
	// Progress is called when something has changed; nil: nobody wants to know.
	Progress func(Counts)

	replicates []replicate     // by index - 1
	known      map[string]bool // devices that gave the first outcome of a replicate
	proved     map[string]bool // devices of which the host computed a replicate with the same outcome
	out        map[string]bool // devices that were left out
	after      int             // the last result seen
	wrong      bool            // an outcome that was folded is wrong
	doubtful   []int           // indices to be computed here
	drawn      []int           // the same, as time allows
	begun      time.Time
	checking   time.Duration // time that checks of the second kind took
	busy       bool
	verdicts   chan verdict
}

// replicate is what the host knows of a replicate.
type replicate struct {
	outcome []byte // that counts, nil: none yet
	hash    string // of the outcome
	device  string // that gave it, "" if the host computed it
	right   string // the hash of what the host computed, "" if it did not
	claims  map[string]string
	queued  bool // for the host to compute
	failed  bool // Fold has refused the outcome
}

// verdict is what the host computed.
type verdict struct {
	index  int
	body   []byte
	drawn  bool
	took   time.Duration
	failed error
}

// Counts say how far a run has come, and how far its outcomes can be trusted.
type Counts struct {
	Replicates  int // of the run
	Got         int // that have an outcome
	Own         int // that the host computed itself
	Agreed      int // on which at least two devices agree
	Unconfirmed int // outcomes that nothing confirms
	Devices     int // whose outcomes count, without the host
	Left        int // devices left out
}

// Marked reports whether the result must be marked as unconfirmed: a device was found wrong, and outcomes of devices
// that were never checked count.
func (c Counts) Marked() bool { return c.Left > 0 && c.Unconfirmed > 0 }

// Counts are those of now.
func (h *Host) Counts() Counts {
	c := Counts{Replicates: len(h.replicates), Left: len(h.out)}
	devices := map[string]bool{}
	for i := range h.replicates {
		k := &h.replicates[i]
		if k.outcome == nil {
			continue
		}
		c.Got++
		if k.right != "" {
			c.Own++
		}
		if len(h.agreeing(k)) > 1 {
			c.Agreed++
		}
		if !h.confirmed(k) {
			c.Unconfirmed++
		}
		if k.device != "" && k.device != h.Device {
			devices[k.device] = true
		}
	}
	c.Devices = len(devices)
	return c
}

// Outcomes are those that count, by index - 1; nil where there is none.
func (h *Host) Outcomes() [][]byte {
	all := make([][]byte, len(h.replicates))
	for i, k := range h.replicates {
		all[i] = k.outcome
	}
	return all
}

// agreeing lists the devices that gave the outcome that counts.
func (h *Host) agreeing(k *replicate) (all []string) {
	for device, hash := range k.claims {
		if hash == k.hash {
			all = append(all, device)
		}
	}
	return all
}

// confirmed reports whether an outcome can be trusted.
func (h *Host) confirmed(k *replicate) bool {
	all := h.agreeing(k)
	return k.right != "" || len(all) > 1 && len(h.out) == 0 ||
		slices.ContainsFunc(all, func(device string) bool { return h.proved[device] })
}

// Gather folds the outcomes of all replicates, and verifies them. It returns when the result is complete, with an error
// if it cannot be, or at the end of ctx. A host that was ended can gather the same run again.
func (h *Host) Gather(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.replicates = make([]replicate, h.Run.Replicates)
	for i := range h.replicates {
		h.replicates[i].claims = map[string]string{}
	}
	h.known, h.proved, h.out = map[string]bool{}, map[string]bool{}, map[string]bool{}
	h.after, h.doubtful, h.drawn, h.checking, h.busy, h.wrong = 0, nil, nil, 0, false, true // so all is folded anew
	h.begun, h.verdicts = time.Now(), make(chan verdict, 2)

	// Devices that were left out before stay out.
	devices, err := h.Owner.Devices(ctx)
	if err != nil {
		return err
	}
	for _, d := range devices {
		if d.Out {
			h.out[d.ID] = true
		}
	}

	// All outcomes, then confirmations as long as devices give them, then what only this machine can check.
	if err := h.receive(ctx, func() bool { return h.Counts().Got == len(h.replicates) }); err != nil {
		return err
	}
	if err := h.awaitConfirmations(ctx); err != nil {
		return err
	}
	if err := h.checkRest(ctx); err != nil {
		return err
	}
	return h.Owner.Finish(ctx, h.Run.ID)
}

// receive takes results and verdicts until done says so.
func (h *Host) receive(ctx context.Context, done func() bool) error {
	for {
		x, err := h.Owner.Results(ctx, h.Run.ID, h.after)
		if err != nil {
			return err
		}
		for _, r := range x.Results {
			h.after = r.Seq
			if err := h.take(ctx, r); err != nil {
				return err
			}
		}
		if err := h.fold(ctx); err != nil {
			return err
		}
		if h.Progress != nil {
			h.Progress(h.Counts())
		}
		if done() {
			return nil
		}
		if err := h.hear(ctx, time.Duration(x.Wait)*time.Millisecond); err != nil {
			return err
		}
	}
}

// take takes one result of a device.
func (h *Host) take(ctx context.Context, r Result) error {
	if r.Index < 1 || r.Index > len(h.replicates) || h.out[r.Device] {
		return nil
	}
	k := &h.replicates[r.Index-1]
	k.claims[r.Device] = r.Hash
	if r.Device == h.Device && k.right == "" { // of this machine, perhaps before it was started again
		k.right = r.Hash
		h.trust(k)
	}
	switch {
	case k.right != "" && k.right != r.Hash:
		return h.leaveOut(ctx, r.Device)
	case k.outcome == nil && len(r.Body) > 0:
		k.outcome, k.hash, k.device, k.failed = r.Body, Sum(r.Body), r.Device, false
		if k.right == "" && (rand.Float64() < h.Verify || h.Verify > 0 && !h.known[r.Device]) {
			h.drawn = append(h.drawn, r.Index)
		}
		h.known[r.Device] = true
		if h.wrong { // all is folded anew
			return nil
		}
		h.foldOne(r.Index, k)
	case k.outcome == nil || k.hash != r.Hash:
		h.doubt(r.Index)
	}
	return nil
}

// trust notes the devices that gave what the host computed.
func (h *Host) trust(k *replicate) {
	for device, hash := range k.claims {
		if hash == k.right {
			h.proved[device] = true
		}
	}
}

// foldOne folds an outcome. One that is refused is computed here, and the others are folded anew without it.
func (h *Host) foldOne(index int, k *replicate) {
	if err := h.Fold(index, k.outcome, false); err != nil {
		k.failed, h.wrong = true, true
		h.doubt(index)
	}
}

// fold folds all outcomes anew if one was wrong.
func (h *Host) fold(ctx context.Context) error {
	if !h.wrong || ctx.Err() != nil {
		return ctx.Err()
	}
	h.wrong = false
	if err := h.Refold(); err != nil {
		return err
	}
	for i := range h.replicates {
		switch k := &h.replicates[i]; {
		case k.outcome == nil || k.failed && k.right == "":
		case k.right != "":
			if err := h.Fold(i+1, k.outcome, true); err != nil {
				return err
			}
		default:
			h.foldOne(i+1, k)
		}
	}
	return nil
}

// doubt has the host compute a replicate as soon as it can.
func (h *Host) doubt(index int) {
	if k := &h.replicates[index-1]; k.right == "" && !k.queued {
		k.queued = true
		h.doubtful = append(h.doubtful, index)
	}
}

// leaveOut leaves a device out. What came from it is computed here, unless another device is faster.
func (h *Host) leaveOut(ctx context.Context, device string) error {
	if h.out[device] || device == h.Device {
		return nil
	}
	h.out[device] = true
	delete(h.proved, device)
	for i := range h.replicates {
		k := &h.replicates[i]
		delete(k.claims, device)
		if k.device == device && k.right != k.hash {
			k.outcome, k.hash, k.device, k.failed = nil, "", "", false
			h.wrong = true
			h.doubt(i + 1)
		}
	}
	return h.Owner.Drop(ctx, device)
}

// waiting reports whether replicates wait to be computed here: those in doubt, and those drawn as far as time allows.
func (h *Host) waiting() bool {
	h.drawn = slices.DeleteFunc(h.drawn, func(index int) bool {
		k := &h.replicates[index-1]
		return k.right != "" || k.queued
	})
	return len(h.doubtful) > 0 ||
		len(h.drawn) > 0 && (h.Patient || h.checking < max(10*time.Second, time.Since(h.begun)/2))
}

// start has this machine compute the next replicate that waits, unless it computes one.
func (h *Host) start(ctx context.Context) {
	if h.busy || !h.waiting() {
		return
	}
	from, at, drawn := &h.doubtful, 0, false
	if len(h.doubtful) == 0 { // nobody can tell which check comes next
		from, at, drawn = &h.drawn, rand.IntN(len(h.drawn)), true
	}
	index := (*from)[at]
	*from = slices.Delete(*from, at, at+1)
	h.busy, h.replicates[index-1].queued = true, true
	go func() {
		begun := time.Now()
		body, err := h.Compute(ctx, index)
		h.verdicts <- verdict{index, body, drawn, time.Since(begun), err}
	}()
}

// hear waits for a while, and has this machine compute meanwhile.
func (h *Host) hear(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		h.start(ctx)
		select {
		case v := <-h.verdicts:
			h.busy = false
			if v.failed != nil {
				return v.failed
			}
			if v.drawn {
				h.checking += v.took
			}
			if err := h.judge(ctx, v.index, v.body); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		}
	}
}

// judge compares what the host computed with what devices gave, and leaves out those who gave something else.
func (h *Host) judge(ctx context.Context, index int, body []byte) error {
	k := &h.replicates[index-1]
	k.queued = false
	if k.right == "" {
		k.right = Sum(body)
	} else if k.right != Sum(body) {
		return problem.New("this machine computed replicate %d twice with different outcomes: its memory or processor is "+
			"faulty", index)
	}
	h.trust(k)
	for device, hash := range maps.Clone(k.claims) {
		if hash != k.right {
			if err := h.leaveOut(ctx, device); err != nil {
				return err
			}
		}
	}
	if k.hash != k.right || k.failed {
		k.outcome, k.hash, k.device, k.failed = body, k.right, "", false
		if !h.wrong {
			return h.Fold(index, body, true)
		}
	}
	return nil
}

// others reports whether devices are there that may still confirm outcomes, as the last of them tells the time.
func (h *Host) others(ctx context.Context) (bool, error) {
	const lately = 15 // seconds
	devices, err := h.Owner.Devices(ctx)
	last := int64(0)
	for _, d := range devices {
		last = max(last, d.Seen)
	}
	there := 0
	for _, d := range devices {
		if !d.Out && last-d.Seen < lately {
			there++
		}
	}
	return there > 1, err
}

// single counts the outcomes that one device gave, and nobody else.
func (h *Host) single() (n int) {
	for i := range h.replicates {
		if k := &h.replicates[i]; k.right == "" && len(h.agreeing(k)) < 2 {
			n++
		}
	}
	return n
}

// awaitConfirmations waits until every outcome is there twice, or until no more come: for as long as three replicates
// take, and five seconds at least.
func (h *Host) awaitConfirmations(ctx context.Context) error {
	took, devices := time.Since(h.begun), max(h.Counts().Devices, 1)
	patience := max(5*time.Second, 3*took*time.Duration(devices)/time.Duration(len(h.replicates)))
	last, since := -1, time.Now()
	var failed error
	err := h.receive(ctx, func() bool {
		if h.Counts().Got < len(h.replicates) || len(h.doubtful) > 0 {
			return false // the host computes what is in doubt
		}
		n := h.single()
		if n != last {
			last, since = n, time.Now()
		}
		if n == 0 || time.Since(since) > patience {
			return true
		}
		var there bool
		there, failed = h.others(ctx)
		return !there || failed != nil
	})
	return cmp.Or(err, failed)
}

// checkRest computes here what was drawn, at least one replicate in all, and one unconfirmed outcome of each device that
// was never checked. When a device is found wrong, others may have lost their confirmation, and are checked, too.
func (h *Host) checkRest(ctx context.Context) error {
	if h.Verify > 0 && h.Counts().Own == 0 && len(h.drawn) == 0 {
		h.drawn = append(h.drawn, 1+rand.IntN(len(h.replicates)))
	}
	left := -1 // devices that were left out when outcomes were last drawn
	return h.receive(ctx, func() bool {
		c := h.Counts()
		if h.busy || c.Got < c.Replicates || h.waiting() {
			return false
		}
		if left == c.Left || h.Verify == 0 {
			return true
		}
		left = c.Left
		for _, of := range h.unchecked() {
			h.drawn = append(h.drawn, of[rand.IntN(len(of))])
		}
		return !h.waiting()
	})
}

// unchecked are the unconfirmed outcomes of each device that was never checked, in the order of the devices' ids.
func (h *Host) unchecked() (all [][]int) {
	of := map[string][]int{}
	for i := range h.replicates {
		if k := &h.replicates[i]; k.outcome != nil && k.device != "" && !h.confirmed(k) {
			of[k.device] = append(of[k.device], i+1)
		}
	}
	for _, device := range slices.Sorted(maps.Keys(of)) {
		all = append(all, of[device])
	}
	return all
}

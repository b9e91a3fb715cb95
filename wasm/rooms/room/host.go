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

// DefaultVerify is the usual share of the replicates that a host draws at random to compute them itself.
const DefaultVerify = 0.05

// Host gathers the outcomes of a run and finds wrong ones. Devices are not trusted: a name costs nothing, and an outcome
// cannot be judged without computing it. So
//
//   - the server has each replicate computed by two devices, if there are two; where their outcomes differ, the host
//     computes the replicate itself;
//   - the host computes a random share of the replicates itself, and, as far as time allows, the first one of each device;
//   - a device whose outcome differs from the host's is left out, and what came from it is computed again, by the host and
//     by two other devices, whoever is faster;
//   - in the end the host computes one replicate of each device whose outcomes nobody has confirmed, as time allows.
//
// An outcome is confirmed if the host computed it, if it came from a device of which the host found another outcome right,
// or if two devices agree on it. Once a device has been found wrong, two devices that agree are not enough: they may
// belong to the same person. Counts.Unconfirmed says how many outcomes are left without confirmation.
type Host struct {
	Owner *Owner
	Run   Run
	// Device is the id under which this machine takes replicates itself (Client.Work); its outcomes are right. "": none.
	Device string
	// Compute computes a replicate on this machine, to compare.
	Compute Compute
	// Verify is the share of the replicates to be computed here, 0: only those in dispute. Other checks may take as long
	// as the rest of the run, and ten seconds at least.
	Verify float64
	// Fold takes the outcome of a replicate into the result. An error says that it is damaged, or of a run that failed,
	// and that the result is as before; then the host computes the replicate itself, and gives its own outcome with right
	// set. An error with right set ends Gather.
	Fold func(index int, outcome []byte, right bool) error
	// Reset drops all that was folded, because some of it was wrong. The other outcomes are folded again.
	Reset func() error
	// Progress is called when something may have changed; nil: nobody wants to know.
	Progress func(Counts)

	replicates []replicate     // by index - 1
	givers     map[string]bool // devices that gave the first outcome of a replicate
	trusted    map[string]bool // devices of which the host found an outcome right
	out        map[string]bool // devices that were left out
	after      int             // the number of the last result seen
	mean       time.Duration   // that a replicate takes a device
	stale      bool            // what was folded must be dropped
	disputed   []int           // indices that this machine computes first
	drawn      []int           // the share that it computes next
	checks     []int           // those that it computes as time allows
	begun      time.Time
	checking   time.Duration // the time that checks took
	computing  int           // the index that this machine computes now, 0: none
	computed   chan computed
}

// replicate is what the host knows of a replicate.
type replicate struct {
	outcome []byte            // that counts, nil: none yet
	hash    string            // of the outcome
	device  string            // that gave it, "" if the host computed it
	claims  map[string]string // the hash of the outcome that each device gave
	own     string            // the hash of what the host computed, "" if it did not
	refused bool              // by Fold
	cleared bool              // an outcome of it was dropped, as its device was left out
}

// computed is what this machine computed.
type computed struct {
	outcome []byte
	check   bool
	took    time.Duration
	err     error
}

// Counts say how far a run has come, and how far its outcomes can be trusted.
type Counts struct {
	Replicates  int `json:"replicates"`  // of the run
	Got         int `json:"done"`        // that have an outcome
	Own         int `json:"own"`         // that the host computed itself
	Agreed      int `json:"agreed"`      // on which at least two devices agree
	Once        int `json:"once"`        // that one device computed, and nobody else
	Unconfirmed int `json:"unconfirmed"` // that nothing confirms
	Devices     int `json:"helped"`      // whose outcomes count, without the host
	Excluded        int `json:"left"`        // devices that were left out of the room
}

// Marked reports whether the result must be marked as unconfirmed: a device was found wrong, and outcomes count that
// nothing confirms.
func (c Counts) Marked() bool { return c.Excluded > 0 && c.Unconfirmed > 0 }

// Counts are those of now.
func (h *Host) Counts() Counts {
	c := Counts{Replicates: len(h.replicates), Excluded: len(h.out)}
	devices := map[string]bool{}
	for i := range h.replicates {
		k := &h.replicates[i]
		if k.outcome == nil {
			continue
		}
		agreed := k.agreed() > 1
		c.Got++
		if k.own != "" {
			c.Own++
		}
		if agreed {
			c.Agreed++
		}
		if k.own == "" && !agreed {
			c.Once++
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

// agreed is how many devices gave the outcome that counts.
func (k *replicate) agreed() (n int) {
	for _, hash := range k.claims {
		if hash == k.hash {
			n++
		}
	}
	return n
}

// confirmed reports whether an outcome can be trusted.
func (h *Host) confirmed(k *replicate) bool {
	if k.own != "" || k.agreed() > 1 && len(h.out) == 0 {
		return true
	}
	for device, hash := range k.claims {
		if hash == k.hash && h.trusted[device] {
			return true
		}
	}
	return false
}

// isDisputed reports whether the host must compute a replicate: devices differ, the outcome was refused, or it is missing
// because a device was left out, and no two others have computed it since.
func (k *replicate) isDisputed() bool {
	if k.own != "" {
		return false
	}
	for _, hash := range k.claims {
		if hash != k.hash {
			return true
		}
	}
	return k.refused || k.cleared && k.agreed() < 2
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
	h.givers, h.trusted, h.out = map[string]bool{}, map[string]bool{}, map[string]bool{}
	h.disputed, h.drawn, h.checks = nil, nil, nil
	h.after, h.mean, h.checking, h.computing = 0, 0, 0, 0
	h.begun, h.computed = time.Now(), make(chan computed, 1)
	h.stale = true // of an attempt before

	// Devices that were left out before stay out.
	devices, err := h.Owner.Devices(ctx)
	if err != nil {
		return err
	}
	for _, d := range devices {
		if d.Excluded {
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

// receive takes results, and what this machine computes, until done says so.
func (h *Host) receive(ctx context.Context, done func() bool) error {
	for {
		x, err := h.Owner.Results(ctx, h.Run.ID, h.after)
		if err != nil {
			return err
		}
		h.mean = time.Duration(x.Mean) * time.Millisecond
		again := map[string]bool{} // devices that the server has forgotten to be out
		for _, r := range x.Results {
			if h.after = r.Seq; h.out[r.Device] {
				again[r.Device] = true
			} else if err := h.note(ctx, r); err != nil {
				return err
			}
		}
		for device := range again {
			if err := h.Owner.Exclude(ctx, device); err != nil {
				return err
			}
		}
		if err := h.refold(); err != nil {
			return err
		}
		if h.Progress != nil {
			h.Progress(h.Counts())
		}
		if done() {
			return nil
		}
		if err := h.compute(ctx, time.Duration(x.Wait)*time.Millisecond); err != nil {
			return err
		}
	}
}

// note takes one result of a device.
func (h *Host) note(ctx context.Context, r Result) error {
	if r.Index < 1 || r.Index > len(h.replicates) {
		return nil
	}
	k := &h.replicates[r.Index-1]
	k.claims[r.Device] = r.Hash
	// Of this machine, perhaps before it was started again. Where another device gave something else, this machine computes
	// it once more: only the first result comes with its outcome.
	if r.Device == h.Device && k.own == "" && (len(r.Body) > 0 || k.hash == r.Hash) {
		k.own = r.Hash
		h.trust(k)
	}
	if k.own != "" && k.own != r.Hash {
		return h.leaveOut(ctx, r.Device)
	}
	if k.outcome == nil && len(r.Body) > 0 {
		k.outcome, k.hash, k.device, k.refused = r.Body, Sum(r.Body), r.Device, false
		switch {
		case k.own != "" || h.Verify == 0:
		case rand.Float64() < h.Verify:
			h.drawn = append(h.drawn, r.Index)
		case !h.givers[r.Device]:
			h.checks = append(h.checks, r.Index)
		}
		h.givers[r.Device] = true
		if !h.stale { // else all is folded anew
			if err := h.foldOne(r.Index, k); err != nil {
				return err
			}
		}
	}
	h.dispute(r.Index)
	return nil
}

// trust notes the devices that gave what the host computed.
func (h *Host) trust(k *replicate) {
	for device, hash := range k.claims {
		if hash == k.own {
			h.trusted[device] = true
		}
	}
}

// dispute has the host compute a replicate, if it must.
func (h *Host) dispute(index int) {
	if h.replicates[index-1].isDisputed() && !slices.Contains(h.disputed, index) {
		h.disputed = append(h.disputed, index)
	}
}

// foldOne folds an outcome. One that is refused is computed here.
func (h *Host) foldOne(index int, k *replicate) error {
	right := k.own != ""
	err := h.Fold(index, k.outcome, right)
	if err == nil || right {
		return err
	}
	k.refused = true
	h.dispute(index)
	return nil
}

// refold folds all outcomes anew if one that was folded is wrong.
func (h *Host) refold() error {
	if !h.stale {
		return nil
	}
	h.stale = false
	if err := h.Reset(); err != nil {
		return err
	}
	for i := range h.replicates {
		if k := &h.replicates[i]; k.outcome != nil && (!k.refused || k.own != "") {
			if err := h.foldOne(i+1, k); err != nil {
				return err
			}
		}
	}
	return nil
}

// leaveOut leaves a device out. What came from it is computed again.
func (h *Host) leaveOut(ctx context.Context, device string) error {
	if h.out[device] || device == h.Device {
		return nil
	}
	h.out[device] = true
	delete(h.trusted, device)
	for i := range h.replicates {
		k := &h.replicates[i]
		delete(k.claims, device)
		if k.device == device && k.own != k.hash {
			h.stale = h.stale || !k.refused
			*k = replicate{claims: map[string]string{}, own: k.own, cleared: true} // as on the server
			h.dispute(i + 1)
		}
	}
	return h.Owner.Exclude(ctx, device)
}

// waiting reports whether replicates wait to be computed here.
func (h *Host) waiting() bool {
	h.disputed = slices.DeleteFunc(h.disputed, func(index int) bool {
		return index == h.computing || !h.replicates[index-1].isDisputed()
	})
	done := func(index int) bool { return index == h.computing || h.replicates[index-1].own != "" }
	h.drawn, h.checks = slices.DeleteFunc(h.drawn, done), slices.DeleteFunc(h.checks, done)
	return len(h.disputed) > 0 || len(h.drawn) > 0 ||
		len(h.checks) > 0 && h.checking < max(10*time.Second, time.Since(h.begun)/2)
}

// start has this machine compute the next replicate that waits, unless it computes one.
func (h *Host) start(ctx context.Context) {
	if h.computing > 0 || !h.waiting() {
		return
	}
	from, at := &h.disputed, 0
	if len(h.disputed) == 0 {
		if from = &h.drawn; len(h.drawn) == 0 {
			from = &h.checks
		}
		at = rand.IntN(len(*from)) // nobody can tell which comes next
	}
	index, check, to := (*from)[at], from == &h.checks, h.computed
	*from = slices.Delete(*from, at, at+1)
	h.computing = index
	go func() {
		begun := time.Now()
		outcome, err := h.Compute(ctx, index)
		to <- computed{outcome, check, time.Since(begun), err}
	}()
}

// compute waits for a while, and has this machine compute meanwhile.
func (h *Host) compute(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		h.start(ctx)
		select {
		case x := <-h.computed:
			index := h.computing
			h.computing = 0
			if x.err != nil {
				return x.err
			}
			if x.check {
				h.checking += x.took
			}
			if err := h.judge(ctx, index, x.outcome); err != nil {
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
func (h *Host) judge(ctx context.Context, index int, outcome []byte) error {
	k := &h.replicates[index-1]
	own := Sum(outcome)
	if k.own != "" && k.own != own {
		return problem.New("this machine computed replicate %d twice with different outcomes: its memory or processor is "+
			"faulty", index)
	}
	k.own = own
	h.trust(k)
	for device, hash := range maps.Clone(k.claims) {
		if hash != own {
			if err := h.leaveOut(ctx, device); err != nil {
				return err
			}
		}
	}
	if k.hash == own && !k.refused {
		return nil
	}
	k.outcome, k.hash, k.device, k.refused = outcome, own, "", false
	if h.stale {
		return nil
	}
	return h.foldOne(index, k)
}

// mayConfirm reports whether two devices are in the room, which were seen within 15 s of the one seen last.
func (h *Host) mayConfirm(ctx context.Context) (bool, error) {
	const lately = 15
	devices, err := h.Owner.Devices(ctx)
	last := int64(0)
	for _, d := range devices {
		last = max(last, d.Seen)
	}
	there := 0
	for _, d := range devices {
		if !d.Excluded && last-d.Seen < lately {
			there++
		}
	}
	return there > 1, err
}

// awaitConfirmations waits until every outcome is there twice, or until no more come: for as long as three replicates
// take, and five seconds at least.
func (h *Host) awaitConfirmations(ctx context.Context) error {
	last, since := -1, time.Now()
	var failed error
	err := h.receive(ctx, func() bool {
		c := h.Counts()
		if c.Got < c.Replicates || h.waiting() && len(h.disputed) > 0 {
			return false // the host computes what is in dispute
		}
		if c.Once != last {
			last, since = c.Once, time.Now()
		}
		if c.Once == 0 || time.Since(since) > max(5*time.Second, 3*h.mean) {
			return true
		}
		var there bool
		there, failed = h.mayConfirm(ctx)
		return !there || failed != nil
	})
	return cmp.Or(err, failed)
}

// checkRest computes here what was drawn, at least one replicate in all, and one unconfirmed outcome of each device. When
// a device is found wrong, others may have lost their confirmation, and are checked, too.
func (h *Host) checkRest(ctx context.Context) error {
	if h.Verify > 0 && h.Counts().Own == 0 && h.computing == 0 && len(h.drawn) == 0 {
		h.drawn = append(h.drawn, 1+rand.IntN(len(h.replicates)))
	}
	left := -1 // devices that were left out when outcomes were last drawn
	return h.receive(ctx, func() bool {
		c := h.Counts()
		if h.computing > 0 || c.Got < c.Replicates || h.waiting() {
			return false
		}
		if left == c.Excluded || h.Verify == 0 {
			return true
		}
		left = c.Excluded
		h.checks = nil // those of before have had their time
		for _, of := range h.unconfirmed() {
			h.checks = append(h.checks, of[rand.IntN(len(of))])
		}
		return !h.waiting()
	})
}

// unconfirmed are the indices of unconfirmed outcomes by device, in the order of the devices' ids.
func (h *Host) unconfirmed() (all [][]int) {
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

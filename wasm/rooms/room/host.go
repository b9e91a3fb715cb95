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

// DefaultVerify is the default share of the replicates that the host also computes, chosen at random.
const DefaultVerify = 0.05

// Host collects the outcomes of a run and detects wrong ones. Devices are not trusted: anybody can create ids, and an
// outcome can be checked only by computing it. Therefore
//
//   - the server has each replicate computed by two devices, if there are two; if their outcomes differ, the host computes
//     the replicate;
//   - the host computes a random share of the replicates, and, as time allows, the first one of each device;
//   - a device whose outcome differs from the host's is excluded, and its replicates are computed again, by the host or by
//     two other devices, whoever is faster;
//   - at the end the host computes one replicate of each device without a confirmed outcome, as time allows.
//
// An outcome is confirmed if the host has computed it, if it is from a device with another outcome that agrees with the
// host's, or if two devices agree on it. After a device has been found wrong, the agreement of two devices is not
// enough: they may belong to the same person. Counts.Unconfirmed is the number of outcomes without confirmation.
type Host struct {
	Owner *Owner
	Run   Run
	// Device is the id with which this computer takes replicates (Client.Work), or "". Its outcomes are trusted.
	Device string
	// Compute computes a replicate here, for comparison.
	Compute Compute
	// Verify is the share of the replicates that are computed here. If it is 0, only disputed ones are. Other checks
	// may take as long as the rest of the run, but at least ten seconds.
	Verify float64
	// Fold adds the outcome of a replicate to the result. trusted is true for an outcome that the host has computed. An
	// error means that the outcome is damaged or of a failed run, and that the result is unchanged. If the outcome was
	// not trusted, the host then computes the replicate itself; otherwise the error ends Gather.
	Fold func(index int, outcome []byte, trusted bool) error
	// Reset removes all outcomes from the result. It is called when a folded outcome was wrong; the right ones are then
	// folded again.
	Reset func() error
	// Progress, if not nil, is called when the counts may have changed.
	Progress func(Counts)

	replicates   []replicate     // replicate r is at index r-1
	contributors map[string]bool // devices with the first outcome of a replicate
	trusted      map[string]bool // devices with an outcome that agrees with the host's
	excluded     map[string]bool // devices
	lastSeq      int             // sequence number of the last result that was received
	meanTime     time.Duration   // mean time of a replicate on a device
	needsRefold  bool            // a folded outcome was wrong: Reset, and fold all again
	disputed     []int           // indices of the replicates that are computed here first
	sampled      []int           // indices of the share Verify, which are computed next
	checks       []int           // indices that are computed as time allows
	startTime    time.Time
	checkTime    time.Duration // time used for checks
	currentIndex int           // index that is computed here now, or 0
	outcomes     chan computed
}

// replicate is the state of a replicate.
type replicate struct {
	outcome    []byte            // the outcome that is folded, or nil
	hash       string            // of outcome
	device     string            // device that sent the outcome; "" if the host computed it
	claims     map[string]string // hash of the outcome of each device
	own        string            // hash of the host's outcome, or ""
	refused    bool              // Fold has returned an error
	wasRemoved bool              // its outcome was removed, because its device was excluded
}

// computed is an outcome that was computed here.
type computed struct {
	outcome  []byte
	isCheck  bool
	duration time.Duration
	err      error
}

// Counts describes the progress of a run, and how many of its outcomes are confirmed.
type Counts struct {
	Replicates  int `json:"replicates"`  // of the run
	Got         int `json:"done"`        // replicates with an outcome
	Own         int `json:"own"`         // replicates that the host has computed
	Agreed      int `json:"agreed"`      // replicates on which two devices agree
	Once        int `json:"once"`        // replicates that only one device has computed
	Unconfirmed int `json:"unconfirmed"` // replicates without confirmation
	Devices     int `json:"helped"`      // devices whose outcomes are used, without the host
	Excluded    int `json:"left"`        // excluded devices
}

// Marked reports whether the result must be marked as unconfirmed: a device was found wrong, and some outcomes are not
// confirmed.
func (c Counts) Marked() bool { return c.Excluded > 0 && c.Unconfirmed > 0 }

// Counts returns the current counts.
func (h *Host) Counts() Counts {
	c := Counts{Replicates: len(h.replicates), Excluded: len(h.excluded)}
	devices := map[string]bool{}
	for i := range h.replicates {
		k := &h.replicates[i]
		if k.outcome == nil {
			continue
		}
		agreed := k.agreement() > 1
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
		if !h.isConfirmed(k) {
			c.Unconfirmed++
		}
		if k.device != "" && k.device != h.Device {
			devices[k.device] = true
		}
	}
	c.Devices = len(devices)
	return c
}

// agreement returns the number of devices that sent the outcome in use.
func (k *replicate) agreement() (n int) {
	for _, hash := range k.claims {
		if hash == k.hash {
			n++
		}
	}
	return n
}

// isConfirmed reports whether an outcome can be trusted.
func (h *Host) isConfirmed(k *replicate) bool {
	if k.own != "" || k.agreement() > 1 && len(h.excluded) == 0 {
		return true
	}
	for device, hash := range k.claims {
		if hash == k.hash && h.trusted[device] {
			return true
		}
	}
	return false
}

// isDisputed reports whether the host must compute a replicate: devices differ, Fold has refused the outcome, or the
// outcome was removed with its device, and no two others agree since.
func (k *replicate) isDisputed() bool {
	if k.own != "" {
		return false
	}
	for _, hash := range k.claims {
		if hash != k.hash {
			return true
		}
	}
	return k.refused || k.wasRemoved && k.agreement() < 2
}

// Gather collects, verifies and folds the outcomes of all replicates. It returns when the result is complete, or with
// an error if that is not possible or ctx is done. An interrupted host can gather the same run again.
func (h *Host) Gather(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	h.replicates = make([]replicate, h.Run.Replicates)
	for i := range h.replicates {
		h.replicates[i].claims = map[string]string{}
	}
	h.contributors, h.trusted, h.excluded = map[string]bool{}, map[string]bool{}, map[string]bool{}
	h.disputed, h.sampled, h.checks = nil, nil, nil
	h.lastSeq, h.meanTime, h.checkTime, h.currentIndex = 0, 0, 0, 0
	h.startTime, h.outcomes = time.Now(), make(chan computed, 1)
	h.needsRefold = true // an earlier attempt may have folded outcomes

	// Excluded devices stay excluded.
	devices, err := h.Owner.Devices(ctx)
	if err != nil {
		return err
	}
	for _, d := range devices {
		if d.Excluded {
			h.excluded[d.ID] = true
		}
	}

	// Collect all outcomes, then wait for confirmations by devices, then make the checks that only the host can make.
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

// receive receives results, and computes replicates here, until done returns true.
func (h *Host) receive(ctx context.Context, done func() bool) error {
	for {
		x, err := h.Owner.Results(ctx, h.Run.ID, h.lastSeq)
		if err != nil {
			return err
		}
		h.meanTime = time.Duration(x.Mean) * time.Millisecond
		readmitted := map[string]bool{} // excluded devices that the server has let in again
		for _, r := range x.Results {
			if h.lastSeq = r.Seq; h.excluded[r.Device] {
				readmitted[r.Device] = true
			} else if err := h.addResult(ctx, r); err != nil {
				return err
			}
		}
		for device := range readmitted {
			if err := h.Owner.Exclude(ctx, device); err != nil {
				return err
			}
		}
		if err := h.foldAgain(); err != nil {
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

// addResult adds one result of a device.
func (h *Host) addResult(ctx context.Context, r Result) error {
	if r.Index < 1 || r.Index > len(h.replicates) {
		return nil
	}
	k := &h.replicates[r.Index-1]
	k.claims[r.Device] = r.Hash
	// The result may be one that this computer sent before a restart. If another device has sent a different result,
	// the replicate is computed here again, because the server stores the outcome only of the first result.
	if r.Device == h.Device && k.own == "" && (len(r.Body) > 0 || k.hash == r.Hash) {
		k.own = r.Hash
		h.trust(k)
	}
	if k.own != "" && k.own != r.Hash {
		return h.exclude(ctx, r.Device)
	}
	if k.outcome == nil && len(r.Body) > 0 {
		k.outcome, k.hash, k.device, k.refused = r.Body, Sum(r.Body), r.Device, false
		switch {
		case k.own != "" || h.Verify == 0:
		case rand.Float64() < h.Verify:
			h.sampled = append(h.sampled, r.Index)
		case !h.contributors[r.Device]:
			h.checks = append(h.checks, r.Index)
		}
		h.contributors[r.Device] = true
		if !h.needsRefold { // otherwise foldAgain folds it
			if err := h.foldOne(r.Index, k); err != nil {
				return err
			}
		}
	}
	h.dispute(r.Index)
	return nil
}

// trust marks the devices whose outcome equals the host's.
func (h *Host) trust(k *replicate) {
	for device, hash := range k.claims {
		if hash == k.own {
			h.trusted[device] = true
		}
	}
}

// dispute adds a replicate to the list of disputed replicates if isDisputed reports true.
func (h *Host) dispute(index int) {
	if h.replicates[index-1].isDisputed() && !slices.Contains(h.disputed, index) {
		h.disputed = append(h.disputed, index)
	}
}

// foldOne folds an outcome. If Fold refuses it, the replicate is computed here.
func (h *Host) foldOne(index int, k *replicate) error {
	trusted := k.own != ""
	err := h.Fold(index, k.outcome, trusted)
	if err == nil || trusted {
		return err
	}
	k.refused = true
	h.dispute(index)
	return nil
}

// foldAgain folds all outcomes again if a folded one was wrong.
func (h *Host) foldAgain() error {
	if !h.needsRefold {
		return nil
	}
	h.needsRefold = false
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

// exclude excludes a device. Its replicates are computed again.
func (h *Host) exclude(ctx context.Context, device string) error {
	if h.excluded[device] || device == h.Device {
		return nil
	}
	h.excluded[device] = true
	delete(h.trusted, device)
	for i := range h.replicates {
		k := &h.replicates[i]
		delete(k.claims, device)
		if k.device == device && k.own != k.hash {
			h.needsRefold = h.needsRefold || !k.refused
			*k = replicate{claims: map[string]string{}, own: k.own, wasRemoved: true} // as on the server
			h.dispute(i + 1)
		}
	}
	return h.Owner.Exclude(ctx, device)
}

// hasWork reports whether there are replicates to compute here.
func (h *Host) hasWork() bool {
	h.disputed = slices.DeleteFunc(h.disputed, func(index int) bool {
		return index == h.currentIndex || !h.replicates[index-1].isDisputed()
	})
	isDone := func(index int) bool { return index == h.currentIndex || h.replicates[index-1].own != "" }
	h.sampled, h.checks = slices.DeleteFunc(h.sampled, isDone), slices.DeleteFunc(h.checks, isDone)
	return len(h.disputed) > 0 || len(h.sampled) > 0 ||
		len(h.checks) > 0 && h.checkTime < max(10*time.Second, time.Since(h.startTime)/2)
}

// start starts to compute the next replicate here, unless one is being computed.
func (h *Host) start(ctx context.Context) {
	if h.currentIndex > 0 || !h.hasWork() {
		return
	}
	list, position := &h.disputed, 0
	if len(h.disputed) == 0 {
		if list = &h.sampled; len(h.sampled) == 0 {
			list = &h.checks
		}
		position = rand.IntN(len(*list)) // devices must not be able to predict which replicates are checked
	}
	index, isCheck, results := (*list)[position], list == &h.checks, h.outcomes
	*list = slices.Delete(*list, position, position+1)
	h.currentIndex = index
	go func() {
		startTime := time.Now()
		outcome, err := h.Compute(ctx, index)
		results <- computed{outcome, isCheck, time.Since(startTime), err}
	}()
}

// compute computes replicates here for the time wait.
func (h *Host) compute(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		h.start(ctx)
		select {
		case x := <-h.outcomes:
			index := h.currentIndex
			h.currentIndex = 0
			if x.err != nil {
				return x.err
			}
			if x.isCheck {
				h.checkTime += x.duration
			}
			if err := h.checkOwn(ctx, index, x.outcome); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
			return nil
		}
	}
}

// checkOwn compares the outcome of the host with the outcomes of devices, and excludes devices that differ.
func (h *Host) checkOwn(ctx context.Context, index int, outcome []byte) error {
	k := &h.replicates[index-1]
	own := Sum(outcome)
	if k.own != "" && k.own != own {
		return problem.New("this computer computed replicate %d twice with different outcomes: its memory or processor is "+
			"faulty", index)
	}
	k.own = own
	h.trust(k)
	for device, hash := range maps.Clone(k.claims) {
		if hash != own {
			if err := h.exclude(ctx, device); err != nil {
				return err
			}
		}
	}
	if k.hash == own && !k.refused {
		return nil
	}
	k.outcome, k.hash, k.device, k.refused = outcome, own, "", false
	if h.needsRefold {
		return nil
	}
	return h.foldOne(index, k)
}

// canConfirm reports whether at least two devices were alive within 15 s of the most recent one.
func (h *Host) canConfirm(ctx context.Context) (bool, error) {
	const recent = 15
	devices, err := h.Owner.Devices(ctx)
	last := int64(0)
	for _, d := range devices {
		last = max(last, d.Seen)
	}
	alive := 0
	for _, d := range devices {
		if !d.Excluded && last-d.Seen < recent {
			alive++
		}
	}
	return alive > 1, err
}

// awaitConfirmations waits until two devices have computed every replicate, or until no confirmation has come for the
// time of three replicates, and at least five seconds.
func (h *Host) awaitConfirmations(ctx context.Context) error {
	lastOnce, since := -1, time.Now()
	var deviceErr error
	err := h.receive(ctx, func() bool {
		c := h.Counts()
		if c.Got < c.Replicates || h.hasWork() && len(h.disputed) > 0 {
			return false // the host must compute disputed replicates
		}
		if c.Once != lastOnce {
			lastOnce, since = c.Once, time.Now()
		}
		if c.Once == 0 || time.Since(since) > max(5*time.Second, 3*h.meanTime) {
			return true
		}
		var canConfirm bool
		canConfirm, deviceErr = h.canConfirm(ctx)
		return !canConfirm || deviceErr != nil
	})
	return cmp.Or(err, deviceErr)
}

// checkRest computes the sampled replicates, at least one, and one unconfirmed replicate of each device. If a device is
// found wrong, replicates of other devices may lose their confirmation; these devices are then checked as well.
func (h *Host) checkRest(ctx context.Context) error {
	if h.Verify > 0 && h.Counts().Own == 0 && h.currentIndex == 0 && len(h.sampled) == 0 {
		h.sampled = append(h.sampled, 1+rand.IntN(len(h.replicates)))
	}
	excluded := -1 // number of excluded devices at the last choice of checks
	return h.receive(ctx, func() bool {
		c := h.Counts()
		if h.currentIndex > 0 || c.Got < c.Replicates || h.hasWork() {
			return false
		}
		if excluded == c.Excluded || h.Verify == 0 {
			return true
		}
		excluded = c.Excluded
		h.checks = nil // the time for the previous checks is over
		for _, indices := range h.unconfirmed() {
			h.checks = append(h.checks, indices[rand.IntN(len(indices))])
		}
		return !h.hasWork()
	})
}

// unconfirmed returns the indices of unconfirmed outcomes for each device, in the order of the ids of the devices.
func (h *Host) unconfirmed() (lists [][]int) {
	byDevice := map[string][]int{}
	for i := range h.replicates {
		if k := &h.replicates[i]; k.outcome != nil && k.device != "" && !h.isConfirmed(k) {
			byDevice[k.device] = append(byDevice[k.device], i+1)
		}
	}
	for _, device := range slices.Sorted(maps.Keys(byDevice)) {
		lists = append(lists, byDevice[device])
	}
	return lists
}

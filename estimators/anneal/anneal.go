package anneal

import (
	"slices"

	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// Run is annealing ([Neal2001]): independent chains are annealed from the base to the target and, if exact samples or
// data are available, as many chains from there back to the base. Its record has the log weights of both directions.
var Run = estimators.Run{
	Name: "ais", New: Scheduled(newRun),
	Params: []spec.Param{
		estimators.MainParam("chains", "100", 1, 1e6, "Number of independent annealing runs, each giving one weight."),
		estimators.MainParam("temperatures", "2000", 2, 1e6,
			"Number of inverse temperatures from 0 to 1, both ends counted."),
		estimators.ScheduleParam,
		estimators.IntParam("sweeps", "1", 1, 1e4, "Kernel applications at each temperature between the ends."),
	},
}

// Reader makes an estimate from the record of an annealing run.
type Reader struct {
	Needs Part
	// Read makes the result from the record and the values of the method's parameters.
	Read func(a *Record, v spec.Values) *estimators.Result
}

// Run returns the annealing run.
func (*Reader) Run() *estimators.Run { return &Run }

// reads returns the Reader of a method that reads this run.
func reads(r estimators.Reader) *Reader { return r.Reads.(*Reader) }

// annealCut is the default number of sweeps after which a round ends.
const annealCut = 20000

// maxRecord is the largest number of log weights kept along the ladder, rungs x chains; longer ladders are recorded at
// evenly spaced rungs.
const maxRecord = 1 << 22

// maxRunningRungs is the largest number of rungs in estimates of unfinished runs.
const maxRunningRungs = 500

// run makes forward rounds and then, if samples of the target or data are available, the exact preparation and the
// reverse rounds that its readers need.
//
// Forward: x_1 ~ f_1; for k = 2..K: log w += log f_k(x) - log f_{k-1}(x), and for
// k < K the kernel at k moves x. log Z = log-mean-exp of log w, plus log Z of the
// base. After the move at k the pair (x, log w) is properly weighted for f_k, so
// every rung has its own estimate.
//
// Reverse, from a target sample: for k = K..2: log w += log f_{k-1}(x) - log
// f_k(x), and for k > 2 the reversed kernel at k-1 moves x; E[-log w] >= log Z.
//
// Reverse from data (DataWorks): the same after a move of each datum by the reversed kernel at K, which is the reverse
// of annealing that ends with its kernel at K.
type run struct {
	estimators.Config
	estimators.Lanes
	back     estimators.Lanes // lanes of the reverse chains
	ladder   []float64
	recorded []int // recorded rungs, increasing, the last is K-1
	sweeps   int
	curved   bool // chains also record curves, the second derivatives of log f by beta
	Options

	needs Part
	work  estimators.Work // kind of the current lanes
	from  int             // next rung of the forward round
	read  [][]float64     // recorded log weights of each finished lane
	known Record
}

// Kinds of lanes of annealing.
const (
	workForward estimators.Work = iota
	workExact
	workReverse
	workFromData
	workDone
)

// Options are features of annealing that links cannot select.
type Options struct {
	ChainsBack int // number of reverse chains; 0: as many as forward chains
	BurnIn     int // moves at the target before reverse chains from data leave it
	// ExtraChains, if set, returns how many chains to add, given the results so far and the number of finished chains.
	ExtraChains func(found []*estimators.Result, chains int) int
}

func newRun(c estimators.Config) (estimators.Method, error) { return WithOptions(c, Options{}) }

// WithOptions returns annealing along the schedule of the configuration.
func WithOptions(c estimators.Config, o Options) (estimators.Method, error) {
	ladder, err := c.Ladder()
	if err != nil {
		return nil, err
	}
	var p struct {
		Chains int `param:"chains"`
		Sweeps int `param:"sweeps"`
	}
	c.Values.Fill(&p)
	a := along(c, ladder, p.Chains, p.Sweeps)
	if a.Options = o; o.ChainsBack > 0 {
		a.back = c.Lanes(o.ChainsBack)
	}
	return a, nil
}

// Along returns annealing of some chains along a given ladder, with some sweeps at each rung between the ends.
func Along(c estimators.Config, ladder []float64, chains, sweeps int) estimators.Method {
	return along(c, ladder, chains, sweeps)
}

func along(c estimators.Config, ladder []float64, chains, sweeps int) *run {
	a := &run{Config: c, ladder: ladder, Lanes: c.Lanes(chains), sweeps: sweeps}
	for _, r := range c.Readers {
		a.needs |= reads(r).Needs
	}
	a.recorded = Recorded(len(a.ladder), a.N)
	a.fillRecord()
	return a
}

// Recorded returns the rungs at which the log weights of n chains are kept, including the last rung.
func Recorded(rungs, n int) (record []int) {
	k := rungs - 1
	stride := 1 + k*n/maxRecord
	for i := k % stride; i <= k; i += stride {
		record = append(record, i)
	}
	return record
}

// exactTarget reports whether reverse chains can start at exact samples, and the number of blocks to enumerate first.
func (a *run) exactTarget() (blocks int, exact bool) {
	return estimators.ExactTarget(a.Model)
}

// roundsToFollow reports which rounds follow the forward ones, given whether exact samples can be drawn. Reverse chains
// start at exact samples if possible; those of DataWorks start at data if the model has any.
func (a *run) roundsToFollow(exact bool) (enumerate, reverse, data bool) {
	somewhere := exact || a.known.Data > 0
	reverse = somewhere && a.needs&ReverseWorks != 0
	data = somewhere && a.needs&DataWorks != 0
	return exact && (reverse || data && a.known.Data == 0), reverse, data
}

func (a *run) Sweeps() float64 {
	_, exact := a.exactTarget()
	_, reverse, data := a.roundsToFollow(exact)
	between := len(a.ladder) - 2
	sweeps := between * (a.FirstSlot + a.N)
	if reverse {
		sweeps += (between + a.movesAtTarget(workReverse, !exact)) * a.back.N
	}
	if data {
		sweeps += (between + a.movesAtTarget(workFromData, true)) * a.back.N
	}
	return float64(sweeps * a.sweeps)
}

func (a *run) Next(partials, states [][]byte) (*estimators.Round, error) {
	switch {
	case partials == nil:
		a.from = 1
		return a.forward(nil), nil
	case a.work == workForward && a.from < len(a.ladder):
		return a.forward(states), nil
	case a.work == workForward:
		a.known.LogW = append(a.known.LogW, a.merge(partials)...)
		if a.ExtraChains != nil {
			if n := a.ExtraChains(a.Estimate(nil), a.FirstSlot+a.N); n > 0 {
				a.Lanes, a.from, a.read = a.after(n, a.FirstSlot+a.N), 1, nil
				return a.forward(nil), nil
			}
		}
		a.known.Forwarded = true
	case a.work == workExact:
		a.known.Blocks = estimators.ExactBlocks(partials)
	case a.work == workReverse:
		appendLists(partials, &a.known.Reverse)
	case a.work == workFromData:
		appendLists(partials, &a.known.DataWorks, &a.known.LogData)
	}

	// After the forward chains: an enumeration, then reverse chains from exact draws and from data.
	blocks, exact := a.exactTarget()
	enumerate, reverse, data := a.roundsToFollow(exact)
	if a.known.FromData = !exact && a.known.Data > 0; a.known.FromData {
		a.known.BurnIn = a.BurnIn
	}

	// The next round with work to do. Without one the record is final.
	for a.work++; a.work < workDone; a.work++ {
		switch {
		case a.work == workExact && enumerate && blocks > 0:
			return estimators.ExactRound(workExact, blocks, a.Costs()), nil
		case a.work == workReverse && reverse:
			return a.backward("reverse"), nil
		case a.work == workFromData && data:
			return a.backward("reverse 2"), nil
		}
	}
	a.known.Final = true
	return nil, nil
}

// appendLists appends the lists of numbers that each partial holds.
func appendLists(partials [][]byte, to ...*[]float64) {
	for _, p := range partials {
		r := wire.Reader{B: p}
		for _, list := range to {
			*list = append(*list, r.Floats()...)
		}
		estimators.MustDecode(&r)
	}
}

// after returns the lanes of n chains that follow others.
func (a *run) after(n, others int) estimators.Lanes {
	l := a.Config.Lanes(n)
	l.FirstSlot = others
	return l
}

// forward returns the next stretch of sweeps, up to a cut.
func (a *run) forward(states [][]byte) *estimators.Round {
	from := a.from
	a.from = min(from+max(a.RoundSweepsOr(annealCut)/a.sweeps, 1), len(a.ladder))
	var w wire.Writer
	w.Int(from)
	w.Int(a.from)
	w.Int(a.N)
	w.Int(a.FirstSlot)
	return &estimators.Round{Name: "forward", Work: workForward, Plan: w.B, Lanes: a.Count(), States: states,
		Sweeps: float64((a.from - from) * a.N * a.sweeps), Time: a.time(a.Costs(), a.N, a.from-from)}
}

// backward returns the round of reverse chains for the current work.
func (a *run) backward(name string) *estimators.Round {
	data := a.known.FromData || a.work == workFromData && a.known.Data > 0
	var w wire.Writer
	w.Bool(data)
	w.Floats(a.known.Blocks)
	return &estimators.Round{Name: name, Work: a.work, Plan: w.B, Lanes: a.back.Count(), Time: a.backTime(a.work, data),
		Sweeps: float64((len(a.ladder) - 2 + a.movesAtTarget(a.work, data)) * a.back.N * a.sweeps)}
}

// movesAtTarget returns the number of moves of a reverse chain at the target before it leaves it.
func (a *run) movesAtTarget(work estimators.Work, data bool) int {
	switch {
	case work == workFromData:
		return 1
	case data:
		return a.BurnIn
	}
	return 0
}

// merge returns the recorded log weights by lane; missing lanes are left out. A lane is decoded once, when it arrives,
// not at every estimate.
func (a *run) merge(partials [][]byte) [][]float64 {
	if a.read == nil {
		a.read = make([][]float64, len(partials))
	}
	var out [][]float64
	for lane, p := range partials {
		if p == nil {
			continue
		}
		if a.read[lane] == nil {
			r := wire.Reader{B: p}
			a.read[lane] = r.Floats()
			a.known.Climbed = append(a.known.Climbed, r.Floats()...)
			a.known.addCurves(lane, r.Floats(), len(a.read[lane])/len(a.recorded))
			estimators.MustDecode(&r)
		}
		out = append(out, a.read[lane])
	}
	return out
}

// fillRecord fills in the parts of the record that are known before the run.
func (a *run) fillRecord() {
	a.back = a.Lanes
	a.known.Model, a.known.Rungs, a.known.Sweeps = a.Model, len(a.ladder), a.sweeps
	if d := models.CapabilitiesOf(a.Model).Data; d != nil {
		a.known.Data = d.DataCount()
	}
	for _, i := range a.recorded {
		a.known.Betas = append(a.known.Betas, a.ladder[i])
	}
}

func (a *run) Estimate(peeked [][]byte) []*estimators.Result {
	known := &a.known
	if a.work == workForward && a.from == len(a.ladder) {
		way := a.known
		way.LogW = append(slices.Clip(way.LogW), a.merge(peeked)...)
		known = &way
	}
	if len(known.LogW) == 0 {
		return nil
	}
	out := make([]*estimators.Result, len(a.Readers))
	for i, r := range a.Readers {
		reader := reads(r)
		out[i] = reader.Read(known, r.Values)
		out[i].Climbed = known.Climbed
		out[i].Sweeps, out[i].Evaluations = known.cost(reader.Needs)
	}
	return out
}

package temper

import (
	"iter"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// TIContinuous is thermodynamic integration over random inverse temperatures ([RTS] section 3.4, [Gelman1998]): for
// beta ~ p(beta) and x ~ p_beta,
//
//	log Z = log Z_1 + E[(d log f_beta(x)/d beta) / p(beta)].
//
// No rule of integration is needed, so log Z itself is unbiased, provided that the chains sample their densities. The
// steps of a ladder are strata: each chain draws its own beta uniformly in its step, climbs there from the base over
// the rungs below, and stays. log Z/Z_1 is sum_j D_j (mean slope of the m_j chains in step j), with D_j the length of
// step j, so p(beta) is 1/((K-1) D_j): the schedule determines where beta is dense. At least two chains share a step.
// The standard error is sqrt(sum_j D_j^2 s_j^2/m_j), with s_j^2 the variance between these chains. It includes the
// random beta, the noise of the slopes and their autocorrelation, and its square is unbiased, too. log Z at a rung is
// the sum over the steps below it.
var TIContinuous = estimators.Info{
	Name: "ti-continuous", Label: "TI-C", Short: "slopes anywhere", Path: estimators.Tempered,
	Provenance: estimators.OnRungs,
	About: "Thermodynamic integration at random inverse temperatures: no rule of integration, and so no bias of log Z, " +
		"once the chains have settled.",
	Params: []spec.Param{
		estimators.MainParam("chains", "100", 4, 1e5, "Number of chains, at least two for each step of the ladder; each "+
			"draws its own inverse temperature in its step."),
		estimators.MainParam("temperatures", "50", 2, 1e4, "Number of rungs K of the ladder, both ends counted."),
		estimators.ScheduleParam,
		estimators.MainParam("sweeps", "2000", 1, 1e7, "Sweeps of each chain that are kept for the estimate."),
		estimators.IntParam("burn_in", "-1", -1, 1e7,
			"Sweeps of each chain discarded before those kept; -1 means 10 % of them, at least 20."),
	},
	Checks: []estimators.Check{checkHalves, estimators.CheckTarget},
	New:    anneal.Scheduled(newContinuous),
}

var checkHalves = estimators.Check{Name: "Halves agree",
	Meaning: "The slopes differ between the first and the second half of the sweeps: chains had not settled.",
	Advice:  "Use more sweeps.",
	Judge: func(f estimators.Facts) (estimators.Finding, bool) {
		drift, se := f.Number(estimators.DiagDrift), f.Number(estimators.DiagDriftSE)
		off := math.Abs(drift) / se
		return estimators.Finding{Value: off, Text: estimators.FormatAgainst(off, 3, 1) + " bars", Needs: "≤ 3",
			OK: off <= 3 || math.Abs(drift) < estimators.HarmlessGap, Bad: off > 8}, num.NotNaN(drift) && se > 0
	}}

// continuous is one long round of chains, cut into several, followed by the check against exact samples of the target.
type continuous struct {
	estimators.Config
	estimators.Lanes
	edges      []float64 // the rungs; chains draw beta between them
	ladder     []float64 // the rungs, with the inverse temperatures of all chains
	rungs, own []int32   // indices in ladder of the edges, and of the chains' own temperatures
	burn, kept int
	every      int // sweeps between two measurements of the slopes

	done, spent int
	total       float64
	soFar       [][]byte
	target      estimators.TargetCheck
	final       *estimators.Result
}

// purposeBeta marks the random numbers for inverse temperatures.
const purposeBeta = 1 << 31

func newContinuous(c estimators.Config) (estimators.Method, error) {
	edges, err := c.Ladder()
	if err != nil {
		return nil, err
	}
	var p struct {
		Chains int `param:"chains"`
		Sweeps int `param:"sweeps"`
		BurnIn int `param:"burn_in"`
	}
	c.Values.Fill(&p)
	chains, steps := p.Chains, len(edges)-1
	if chains < 2*steps {
		return nil, problem.New("ti-continuous needs two chains for each of the %d steps of its ladder, not %d chains; "+
			"use more chains, or fewer temperatures", steps, chains)
	}
	r := &continuous{Config: c, Lanes: c.Lanes(chains), edges: edges, kept: p.Sweeps, burn: p.BurnIn, every: 1,
		target: estimators.NewTargetCheck(c, edges)}
	if r.burn < 0 {
		r.burn = max(20, r.kept/10)
	}

	// Each chain draws an inverse temperature within its step.
	own := make([]float64, chains)
	for i := range own {
		j := r.step(i)
		u := c.Key.Uniform(estimators.PhaseStart|purposeBeta, uint32(i), 0)
		own[i] = edges[j] + num.Mul(u, edges[j+1]-edges[j])
	}

	// One ladder of edges and drawn temperatures, with the index of each.
	r.ladder = slices.Concat(edges, own)
	slices.Sort(r.ladder)
	r.ladder = slices.Compact(r.ladder)
	at := func(beta float64) int32 { k, _ := slices.BinarySearch(r.ladder, beta); return int32(k) }
	for _, beta := range edges {
		r.rungs = append(r.rungs, at(beta))
	}
	for _, beta := range own {
		r.own = append(r.own, at(beta))
	}
	if models.RowCapabilitiesOf(c.Model.New(1, edges)).Slopes != nil {
		r.every = slopeEvery
	}
	return r, nil
}

// step returns the step of the ladder in which a chain samples.
func (r *continuous) step(chain int) int { return chain * (len(r.edges) - 1) / r.N }

// place returns the index in ladder of a chain's n-th stop: it climbs over the edges below its own temperature and
// stays.
func (r *continuous) place(chain, n int) int32 {
	if n < r.step(chain) {
		return r.rungs[n+1]
	}
	return r.own[chain]
}

// climb returns the number of sweeps in which the last chain reaches its temperature.
func (r *continuous) climb() int { return initAISSweeps * (len(r.edges) - 1) }

func (r *continuous) length() int { return r.climb() + r.burn + r.kept }

func (r *continuous) Sweeps() float64 { return float64(r.length()) * float64(r.N) }

func (r *continuous) Next(partials, states [][]byte) (*estimators.Round, error) {
	if r.final != nil {
		return r.target.Next(partials, r.final), nil
	}
	r.total += float64(r.spent * r.N)
	if r.soFar = partials; r.done == r.length() {
		r.final = r.result(partials)
		return r.target.Next(nil, r.final), nil
	}
	n := min(r.length()-r.done, r.RoundSweepsOr(temperCut))
	var w wire.Writer
	w.Int(r.done)
	w.Int(n)
	r.done += n
	r.spent = n
	return &estimators.Round{Name: "final", Plan: w.B, Lanes: r.Count(), States: states, Sweeps: float64(n * r.N),
		Time: r.time(r.Costs(), n)}, nil
}

func (r *continuous) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	switch u.Work {
	case estimators.LaneExact:
		return estimators.ExactLane(r.Model, u)
	case estimators.LaneTarget:
		return r.target.Lane(u, u.Lane)
	}
	return r.lane(u)
}

// chainSlope is the record of a chain: sums of slopes in the first and second half of its kept sweeps, and the number
// of slopes in each half.
type chainSlope struct{ sum, n [2]float64 }

func (c *chainSlope) Append(w *wire.Writer) {
	for _, x := range [...]float64{c.sum[0], c.sum[1], c.n[0], c.n[1]} {
		w.Float(x)
	}
}

func (c *chainSlope) Load(in *wire.Reader) {
	for _, x := range [...]*float64{&c.sum[0], &c.sum[1], &c.n[0], &c.n[1]} {
		*x = in.Float()
	}
}

// continuousLane is a running lane.
type continuousLane struct {
	*continuous
	u              *estimators.Unit
	v              *estimators.View
	first, from, n int // chain of the first row; first sweep and number of sweeps
	rows           []chainSlope
	slope, room    []float64
}

// lane runs a stretch of the sweeps.
func (r *continuous) lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		l := r.newLane(u)
		v, at := l.v, r.At(estimators.PhaseTemper, l.first)
		for t := l.from; t < l.from+l.n; t++ {
			// Each chain climbs rung by rung to its own inverse temperature, and moves there.
			for i := range v.Rung {
				v.Rung[i] = r.place(l.first+i, t/initAISSweeps)
			}
			at.Step = uint32(t + 1)
			v.Pop.Move(at, v.Rung, false)

			// Record the slope of log f in beta, the integrand.
			if kept := t - r.climb() - r.burn; kept >= 0 {
				l.record(kept)
			}
			if !yield(v.Show(t + 1)) {
				return
			}
		}
		u.State, u.Partial = l.encode(true), l.encode(false)
	}
}

// newLane makes the chains of a unit, from its state or from the base.
func (r *continuous) newLane(u *estimators.Unit) *continuousLane {
	plan := wire.Reader{B: u.Plan}
	from := plan.IntWithin(0, r.length())
	n := plan.IntWithin(0, r.length()-from)
	estimators.MustDecode(&plan)
	first, size := r.Span(u.Lane)
	v := estimators.NewView(r.Config, r.ladder, u, r.Lanes)
	v.LogW, v.SnapshotRungs = nil, nil
	v.Frame.Steps, u.LastStep = r.length(), from+n
	l := &continuousLane{continuous: r, u: u, v: v, first: first, from: from, n: n, rows: make([]chainSlope, size),
		slope: make([]float64, size), room: make([]float64, size)}
	u.Peek = func() []byte { return l.encode(false) }
	if u.State == nil {
		v.Pop.Draw(r.At(estimators.PhaseStart, first))
		return l
	}
	in := wire.Reader{B: u.State}
	for i := range l.rows {
		v.Pop.Load(i, &in)
		l.rows[i].Load(&in)
	}
	estimators.MustDecode(&in)
	return l
}

// record adds the slopes of a kept sweep to their sums, and makes a point of the run's history.
func (l *continuousLane) record(kept int) {
	if kept%l.every == 0 {
		l.slopes(l.v, l.slope, l.room)
		for i, x := range l.slope {
			half := 2 * kept / l.kept
			l.rows[i].sum[half] += x
			l.rows[i].n[half]++
		}
	}
	if l.u.Note != nil && estimators.IsHistoryStep(kept+1, l.kept) {
		l.u.Note(kept+l.climb()+l.burn+1, l.encode(false))
	}
}

// encode returns the partial, a chainSlope for each row, or the state, which has each row in front of its chainSlope.
func (l *continuousLane) encode(state bool) []byte {
	var w wire.Writer
	for i := range l.rows {
		if state {
			l.v.Pop.Append(i, &w)
		}
		l.rows[i].Append(&w)
	}
	return w.B
}

// slopes sets d to the slope of every row at its inverse temperature.
func (r *continuous) slopes(v *estimators.View, d, room []float64) {
	if c := v.Can.Slopes; c != nil {
		c.SlopeAt(v.Rung, d, room)
		return
	}
	v.Pop.LogF(0, 1, room)
	v.Pop.LogF(len(r.ladder)-1, 1, d)
	for i, x := range d {
		d[i] = anneal.WeightStep(room[i], x)
	}
}

// collect decodes the chains of the partials; nil if a chain has recorded nothing.
func (r *continuous) collect(partials [][]byte) []chainSlope {
	out := make([]chainSlope, r.N)
	if len(partials) != r.Count() {
		return nil
	}
	for lane, p := range partials {
		in := wire.Reader{B: p}
		for first, n := r.Span(lane); n > 0; n-- {
			out[first].Load(&in)
			if first++; in.Err != nil || out[first-1].n[0] == 0 {
				return nil
			}
		}
	}
	return out
}

func (r *continuous) Estimate(peeked [][]byte) []*estimators.Result {
	if r.final != nil {
		return estimators.SingleResult(r.final)
	}
	return estimators.SingleResult(r.result(latest(peeked, r.soFar)))
}

// result returns the estimate; nil if a chain has recorded nothing.
func (r *continuous) result(partials [][]byte) *estimators.Result {
	rows := r.collect(partials)
	if rows == nil {
		return nil
	}
	res := &estimators.Result{SEMethod: estimators.SESteps, Bias: "none", Lower: math.NaN(), Upper: math.NaN()}
	looks := 0.0
	z, se := r.integrate(rows, func(c chainSlope) float64 { return (c.sum[0] + c.sum[1]) / (c.n[0] + c.n[1]) })
	z0, top := r.Model.LogZ0(), len(z)-1
	for k, beta := range r.edges {
		res.Ladder = append(res.Ladder, estimators.Rung{Beta: beta, LogZ: z[k] + z0, SE: se[k]})
		res.RiseSE = append(res.RiseSE, math.Sqrt(max(num.Mul(se[top], se[top])-num.Mul(se[k], se[k]), 0)))
	}
	res.LogZ, res.SE = z[top]+z0, se[top]
	drift, bar := r.integrate(rows, func(c chainSlope) float64 { return c.sum[1]/c.n[1] - c.sum[0]/c.n[0] })
	res.Diagnose(estimators.DiagDrift, drift[top])
	res.Diagnose(estimators.DiagDriftSE, bar[top])
	res.Diagnose(estimators.DiagChains, float64(r.N))
	res.Diagnose(estimators.DiagSlopeEvery, float64(r.every))
	for _, c := range rows {
		looks += c.n[0] + c.n[1]
	}
	res.Sweeps, res.Evaluations = r.total, 2*looks
	res.Flag(estimators.FlagNoSandwich)
	return res
}

// integrate returns, for each rung, the sum over the steps up to it of D_j times the mean of of(chain) over the chains
// of step j, where D_j is the length of the step, and the standard error of that sum.
func (r *continuous) integrate(rows []chainSlope, of func(chainSlope) float64) (z, se []float64) {
	z, se = make([]float64, len(r.edges)), make([]float64, len(r.edges))
	chain, sum, variance := 0, 0.0, 0.0
	for j := range len(r.edges) - 1 {
		var x []float64
		for ; chain < r.N && r.step(chain) == j; chain++ {
			x = append(x, of(rows[chain]))
		}
		length := r.edges[j+1] - r.edges[j]
		mean, v := stats.MeanVar(x)
		sum += num.Mul(length, mean)
		variance += num.Mul(length*length, v) / float64(len(x))
		z[j+1], se[j+1] = sum, math.Sqrt(variance)
	}
	return z, se
}

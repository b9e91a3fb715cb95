package auto

import (
	"iter"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// draws is importance sampling from the base of a model, in rounds. Z is the mean of w = f_1(x)/f_0(x) over independent
// draws x of f_0, and the weights also give moments of the target. Rounds continue until the error bar is as small as
// wanted and all cheap draws are made. They end at once if the weights are too uneven (weightsEvenEnough).
//
// If the base has one part, a normal density g is fitted to the weighted draws of the first round. As the mean of
// c = g(x)/f_0(x) is 1, c is a control variate for the draws of later rounds ([Owen2000]):
//
//	Z = mean w - b (mean c - 1),  b = Cov(w, c)/Var(c).
type draws struct {
	estimators.Config
	estimators.Lanes
	averages   int  // number of quantities whose posterior mean is reported
	maxDraws   int  // largest number of draws
	cheapDraws int  // draws that are made whatever the error bar, as they take little time
	fitsNormal bool // a normal density is fitted after the first round

	logW   []float64
	sums   []laneSums
	normal *normalDensity // nil if not yet fitted, or not possible
	logC   []float64      // log c of the draws of later rounds, which are the last ones of logW
	done   bool
}

// laneSums are weighted sums over the draws of a lane, with weights relative to the largest one of the lane.
type laneSums struct {
	logMax, total float64
	x, x2         []float64 // sums of each reported quantity and of its square
	moments       []float64 // moments of the coordinates (stats.AddMoments); nil if no normal density is fitted
}

// normalDensity is a normal density by its mean and the Cholesky factor of its covariance.
type normalDensity struct {
	mean, root []float64
	logPeak    float64 // log density at the mean
}

// newNormalDensity returns a normal density, or nil if the determinant of root is not a finite positive number.
func newNormalDensity(mean, root []float64) *normalDensity {
	dim := len(mean)
	g := &normalDensity{mean, root, -num.Mul(float64(dim)/2, num.Log2Pi)}
	for i := range dim {
		g.logPeak -= num.Log(root[i*dim+i])
	}
	if !num.Finite(g.logPeak) {
		return nil
	}
	return g
}

// logDensity returns the log density at x. room is scratch space with the length of x.
func (g *normalDensity) logDensity(x, room []float64) float64 {
	for i, v := range x {
		room[i] = v - g.mean[i]
	}
	num.SolveLower(g.root, len(x), room)
	return g.logPeak - num.Mul(.5, num.Dot(room, room))
}

// fitNormal returns the normal density with the mean and covariance of the weighted draws of all lanes, or nil if the
// covariance is not positive definite.
func fitNormal(lanes []laneSums, dim int) *normalDensity {
	logMax := math.Inf(-1)
	for _, l := range lanes {
		logMax = max(logMax, l.logMax)
	}
	total, sums := 0., make([]float64, stats.MomentCount(dim))
	for _, l := range lanes {
		factor := num.Exp(l.logMax - logMax)
		total += num.Mul(factor, l.total)
		num.Axpy(factor, l.moments, sums)
	}
	mean, root := stats.MeanCov(sums, total, 1, dim)
	if !num.Cholesky(root, dim, nil) || !num.AllFinite(root) {
		return nil
	}
	return newNormalDensity(mean, root)
}

// Sizes of importance sampling.
const (
	laneDraws     = 1000
	firstDraws    = 4000    // draws of the first round
	cheapDrawTime = 4e8     // planned nanoseconds of the cheap draws
	maxDraws      = 400_000 // largest number of draws in all
	cheapError    = .004    // nats: down to this error bar three times the cheap draws are made
	maxFittedDim  = 60      // coordinates: beyond, the sums for a covariance take too long
	minControlled = 2000    // draws with a control variate: with fewer its coefficient b is not used
)

// Conditions on importance weights (weightsEvenEnough). With a Pareto shape above 1/2 their variance is infinite.
const (
	maxParetoK = .5
	minESS     = 300
)

// newDraws returns importance sampling that may take the given budget in planned nanoseconds.
func newDraws(c estimators.Config, budget float64) *draws {
	p := c.Costs()
	each := models.RoundTime(p.Draw + p.Density)
	d := &draws{Config: c, averages: models.AverageCount(c.Model, c.Model.New(1, []float64{0, 1})),
		maxDraws:   ceilWithin(budget/each, laneDraws, maxDraws),
		cheapDraws: ceilWithin(cheapDrawTime/each, laneDraws, maxDraws/4)}
	m := models.CapabilitiesOf(c.Model).Base.Prefitted
	d.fitsNormal = m != nil && c.Model.Info().Dim <= maxFittedDim && m.Components() == 1
	d.Lanes = d.lanesOf(0, min(firstDraws, d.maxDraws))
	return d
}

// lanesOf returns the lanes of n draws that follow earlier ones.
func (d *draws) lanesOf(before, n int) estimators.Lanes {
	return estimators.Lanes{N: n, Size: laneDraws, FirstSlot: before}
}

func (d *draws) Next(partials, _ [][]byte) (*estimators.Round, error) {
	if partials != nil {
		first := len(d.logW) == 0
		d.logW, d.logC, d.sums = d.read(partials)
		if first && d.fitsNormal {
			d.normal = fitNormal(d.sums, d.Model.Info().Dim)
		}
		n := d.moreDraws()
		if n == 0 {
			d.done = true
			return nil, nil
		}
		d.Lanes = d.lanesOf(len(d.logW), n)
	}
	p := d.Costs()
	var w wire.Writer
	w.Int(d.FirstSlot)
	w.Int(d.N)
	if d.normal != nil {
		w.Floats(d.normal.mean)
		w.Floats(d.normal.root)
	}
	return &estimators.Round{Name: "draws", Plan: w.B, Lanes: d.Count(), Sweeps: float64(d.N),
		Time: float64(d.N) * (p.Draw + p.Density)}, nil
}

// moreDraws returns the number of draws of the next round: 0 if the error bar is small enough and the cheap draws are
// made, or if the weights are too uneven. As the control variate will shorten the error bar, the second round has no
// more draws than the first one or than are cheap.
func (d *draws) moreDraws() int {
	n := len(d.logW)
	r := d.result(d.logW, d.logC, d.sums)
	if !weightsEvenEnough(r) || n >= d.maxDraws {
		return 0
	}
	wanted := num.Mul(r.SE/d.Target, r.SE/d.Target) * 1.1 * float64(n)
	cheap := d.cheapDraws
	switch {
	case d.normal != nil && len(d.logC) == 0:
		wanted = min(wanted, float64(2*n))
	case n >= cheap && r.SE > cheapError:
		cheap *= 3
	}
	return max(min(max(ceilWithin(wanted, 0, maxDraws), cheap), d.maxDraws)-n, 0)
}

// weightsEvenEnough reports whether the Pareto shape of the largest weights and the effective sample size are good
// enough to trust the estimate and its error bar.
func weightsEvenEnough(r *estimators.Result) bool {
	k := r.Number(estimators.DiagParetoK)
	return r.SE >= 0 && !(k > maxParetoK) && r.Number(estimators.DiagESS) >= minESS
}

// Lane draws from the base, and computes weights, control variates and sums.
func (d *draws) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		before := plan.IntWithin(0, maxDraws)
		lanes := d.lanesOf(before, plan.IntWithin(1, maxDraws))
		dim := d.Model.Info().Dim
		var normal *normalDensity
		if before > 0 && d.fitsNormal && len(plan.B) > 0 {
			normal = newNormalDensity(plan.FloatsN(dim), plan.FloatsN(dim*dim))
			estimators.CorruptIf(normal == nil)
		}
		estimators.MustDecode(&plan)
		first, n := lanes.Span(u.Lane)
		v := estimators.NewView(d.Config, []float64{0, 1}, u, lanes)
		v.Frame.Steps, u.LastStep = 1, 1
		v.Pop.Draw(d.At(estimators.PhaseStart, first))

		// log w = log f_1 - log f_0.
		logF := make([]float64, 2*n)
		v.Pop.LogF(0, 2, logF)
		sums := laneSums{logMax: math.Inf(-1), x: make([]float64, d.averages), x2: make([]float64, d.averages)}
		points := v.Can.Points
		if d.fitsNormal && before == 0 && points != nil {
			sums.moments = make([]float64, stats.MomentCount(dim))
		}
		var logC, room []float64
		if normal != nil {
			logC, room = make([]float64, n), make([]float64, dim)
		}
		for r := range v.LogW {
			if v.LogW[r] = logF[2*r+1] - logF[2*r]; !num.NotNaN(v.LogW[r]) {
				v.LogW[r] = math.Inf(-1)
			}
			sums.logMax = max(sums.logMax, v.LogW[r])
		}
		for r, l := range v.LogW {
			if w := num.Exp(l - sums.logMax); w > 0 {
				sums.total += w
				v.Can.AddMoments(sums.x, sums.x2, r, w)
				if sums.moments != nil {
					stats.AddMoments(sums.moments, points.Point(r), w)
				}
			}
			if normal != nil {
				logC[r] = normal.logDensity(points.Point(r), room) - logF[2*r]
			}
		}
		if !yield(v.Show(1)) {
			return
		}
		var w wire.Writer
		w.Floats(v.LogW)
		w.Float(sums.logMax)
		w.Float(sums.total)
		w.Floats(sums.x)
		w.Floats(sums.x2)
		w.Floats(sums.moments)
		w.Floats(logC)
		u.Partial = w.B
	}
}

// read returns the log weights, control variates and sums so far, followed by those of new lanes. Unfinished lanes,
// with nil partials, are left out.
func (d *draws) read(partials [][]byte) (logW, logC []float64, lanes []laneSums) {
	logW, logC, lanes = estimators.Appended(d.logW), estimators.Appended(d.logC), estimators.Appended(d.sums)
	for _, p := range partials {
		if p == nil {
			continue
		}
		in := wire.Reader{B: p}
		logW = append(logW, in.Floats()...)
		l := laneSums{logMax: in.Float(), total: in.Float(), x: in.FloatsN(d.averages), x2: in.FloatsN(d.averages),
			moments: in.Floats()}
		lanes, logC = append(lanes, l), append(logC, in.Floats()...)
		estimators.MustDecode(&in)
	}
	return logW, logC, lanes
}

func (d *draws) Estimate(peeked [][]byte) []*estimators.Result {
	logW, logC, lanes := d.logW, d.logC, d.sums
	if !d.done {
		logW, logC, lanes = d.read(peeked)
	}
	if len(logW) == 0 {
		return nil
	}
	return estimators.SingleResult(d.result(logW, logC, lanes))
}

// controlledEstimate returns the log of Z/Z_0 with control variates, from log w and log c of the same draws, and its
// standard error in nats, to first order (delta method):
//
//	sqrt((Var(w) - b Cov(w, c))/n)/mean.
func controlledEstimate(logW, logC []float64) (logZ, se float64) {
	n, logMax := float64(len(logW)), slices.Max(logW)
	var w, c stats.Welford
	for i := range logW {
		w.Add(num.Exp(logW[i] - logMax))
		c.Add(num.Exp(logC[i]))
	}
	cov := 0.
	for i := range logW {
		cov += num.Mul(num.Exp(logW[i]-logMax)-w.Mean, num.Exp(logC[i])-c.Mean) / (n - 1)
	}
	b := cov / c.Var()
	mean := w.Mean - num.Mul(b, c.Mean-1)
	return logMax + num.Log(mean), math.Sqrt(max(w.Var()-num.Mul(b, cov), 0)/n) / mean
}

// result returns the estimate from the log weights, the log control variates of the last draws, and the sums of lanes.
func (d *draws) result(logW, logC []float64, lanes []laneSums) *estimators.Result {
	w, z0 := stats.LogWeights(logW), d.Model.LogZ0()
	r := &estimators.Result{LogZ: w.LogMean + z0, SE: w.SE, SEMethod: estimators.SEDelta, Bias: "down",
		Lower: math.NaN(), Upper: math.NaN(), Sweeps: float64(len(logW)), Evaluations: float64(len(logW)), Doing: "draws"}
	r.Flag(estimators.FlagNoSandwich)
	if !num.Finite(r.LogZ) {
		r.LogZ, r.SE = math.NaN(), math.NaN()
		r.Flag(estimators.FlagZeroWeights)
		return r
	}
	if len(logC) >= minControlled {
		if z, se := controlledEstimate(logW[len(logW)-len(logC):], logC); num.Finite(z) && se < r.SE {
			r.LogZ, r.SE, r.Bias = z+z0, se, "either"
		}
	}
	r.Diagnose(estimators.DiagESS, w.ESS)
	if k := stats.ParetoK(logW); num.NotNaN(k) {
		r.Diagnose(estimators.DiagParetoK, k)
	}
	first, second := stats.LogWeights(logW[:len(logW)/2]), stats.LogWeights(logW[len(logW)/2:])
	r.DiagnoseHalves(first.LogMean, first.SE, second.LogMean, second.SE)
	r.Ladder = []estimators.Rung{{}, {Beta: 1, LogZ: r.LogZ, SE: r.SE}}
	d.addPosterior(r, lanes)
	return r
}

// addPosterior adds posterior means and standard deviations. The standard error of a mean is for a ratio of sums over
// independent lanes: the root of the sum of squares of sum_lane w (x - mean), over the sum of all weights.
func (d *draws) addPosterior(r *estimators.Result, lanes []laneSums) {
	logMax := math.Inf(-1)
	for _, l := range lanes {
		logMax = max(logMax, l.logMax)
	}
	total := 0.
	for _, l := range lanes {
		total += num.Mul(num.Exp(l.logMax-logMax), l.total)
	}
	for i := range d.averages {
		mean, square, v := 0., 0., 0.
		for _, l := range lanes {
			share := num.Exp(l.logMax-logMax) / total
			mean += num.Mul(share, l.x[i])
			square += num.Mul(share, l.x2[i])
		}
		for _, l := range lanes {
			if l.total > 0 {
				off := num.Mul(num.Exp(l.logMax-logMax)/total, l.x[i]-num.Mul(mean, l.total))
				v += num.Mul(off, off)
			}
		}
		r.Posterior = append(r.Posterior, estimators.Moment{Mean: mean,
			SD: math.Sqrt(max(square-num.Mul(mean, mean), 0)), SE: math.Sqrt(v)})
	}
}

func (d *draws) Sweeps() float64 { return float64(len(d.logW) + d.N) }

// Need returns the memory of the log weights of all draws that may be made and of the sums of their lanes, and the
// time.
func (d *draws) Need() estimators.Need {
	p, lanes, dim := d.Costs(), float64(d.maxDraws/laneDraws+1), float64(d.Model.Info().Dim)
	sums := num.Mul(32, float64(d.averages)) + 100
	if d.fitsNormal {
		sums += num.Mul(4*dim, dim+3)
	}
	return estimators.Need{Lanes: lanes, Retained: num.Mul(40, float64(d.maxDraws)) + num.Mul(lanes, sums),
		Lane: p.Lane(laneDraws, 2, 40, 0) + 2*sums,
		Time: num.Mul(float64(max(d.N+len(d.logW), d.cheapDraws)), p.Draw+p.Density)}
}

package auto

import (
	"iter"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/stats"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// draws is importance sampling from the base of a model, in rounds: log Z is the log of the mean of w = f_1(x)/f_0(x)
// over independent draws x of f_0, and the weights also give the moments of the target. Rounds go on until the error bar
// is as small as wanted and no longer cheap to shorten; they end at once where the weights are too uneven to be of use.
//
// Where the base has one part, the draws of the first round give a normal density g with the mean and the covariance of
// the target. The mean of c = g(x)/f_0(x) is 1, so it is a control variate for the draws of later rounds ([Owen2000]):
//
//	Z = mean w - b (mean c - 1),  b = Cov(w, c)/Var(c).
type draws struct {
	estimators.Config
	estimators.Lanes
	told int  // numbers of a row whose moments are taken
	most int  // draws at most
	free int  // draws that cost so little that they are made in any case
	fits bool // a normal density is fitted to the draws of the first round

	logW  []float64
	lanes []weighted
	fit   *normal   // nil: not yet, or none
	logC  []float64 // logs of c of the last draws
	done  bool
}

// weighted are the weighted sums of a lane: the log of the largest weight, and relative to it the sum of the weights,
// of weight times each number told and of weight times its square, and of weight times the coordinates and their
// products, row by row of the lower triangle.
type weighted struct {
	top, sum float64
	x, x2    []float64
	moments  []float64
}

// normal is a normal density with a mean and the Cholesky factor of a covariance.
type normal struct {
	mean, root []float64
	top        float64 // log density at the mean
}

// newNormal makes a normal density; nil where root is no factor.
func newNormal(mean, root []float64) *normal {
	dim := len(mean)
	g := &normal{mean, root, -num.Mul(float64(dim)/2, num.Log2Pi)}
	for i := range dim {
		g.top -= num.Log(root[i*dim+i])
	}
	if !num.Finite(g.top) {
		return nil
	}
	return g
}

// log is the log density at x; room has the length of x.
func (g *normal) log(x, room []float64) float64 {
	for i, v := range x {
		room[i] = v - g.mean[i]
	}
	num.SolveLower(g.root, len(x), room)
	return g.top - num.Mul(.5, num.Dot(room, room))
}

// fitNormal is the normal density with the mean and the covariance of weighted draws, nil where these have none.
func fitNormal(lanes []weighted, dim int) *normal {
	top := math.Inf(-1)
	for _, l := range lanes {
		top = max(top, l.top)
	}
	total, sums := 0., make([]float64, stats.MomentCount(dim))
	for _, l := range lanes {
		share := num.Exp(l.top - top)
		total += num.Mul(share, l.sum)
		num.Axpy(share, l.moments, sums)
	}
	mean, root := stats.MeanCov(sums, total, 1, dim)
	if !num.Cholesky(root, dim, nil) || !num.AllFinite(root) {
		return nil
	}
	return newNormal(mean, root)
}

// Sizes of importance sampling: draws in a lane and in the first round; planned nanoseconds of draws that are made in
// any case, and at most; draws at most.
const (
	drawsLane       = 1000
	firstDraws      = 4000
	freeDraws       = 4e8
	mostDraws       = 400_000
	smallError      = .004 // nats: error bar down to which three times the draws are free
	mostFitted      = 60   // coordinates up to which a normal density is fitted
	leastControlled = 2000 // draws with a control variate from which it is used
)

// Weights are even enough for importance sampling if their Pareto shape is at most evenWeights and there are at least
// enoughWeights effective ones.
const (
	evenWeights   = .5
	enoughWeights = 300
)

func newDraws(c estimators.Config, budget float64) *draws {
	p := c.Costs()
	each := models.Rough(p.Draw + p.Density)
	d := &draws{Config: c, told: models.Averages(c.Model, c.Model.New(1, []float64{0, 1})),
		most: clamped(budget/each, drawsLane, mostDraws), free: clamped(freeDraws/each, drawsLane, mostDraws/4)}
	m, near := c.Model.(models.NearBase)
	d.fits = near && c.Model.Info().Dim <= mostFitted && m.Parts() == 1
	d.Lanes = d.lanesOf(0, min(firstDraws, d.most))
	return d
}

// lanesOf are the lanes of n draws that follow on others.
func (d *draws) lanesOf(before, n int) estimators.Lanes {
	return estimators.Lanes{N: n, Size: drawsLane, Before: before}
}

func (d *draws) Next(partials, _ [][]byte) (*estimators.Round, error) {
	if partials != nil {
		first := len(d.logW) == 0
		d.logW, d.logC, d.lanes = d.read(partials)
		if first && d.fits {
			d.fit = fitNormal(d.lanes, d.Model.Info().Dim)
		}
		n := d.missing()
		if n == 0 {
			d.done = true
			return nil, nil
		}
		d.Lanes = d.lanesOf(len(d.logW), n)
	}
	p := d.Costs()
	var w wire.Writer
	w.Int(d.Before)
	w.Int(d.N)
	if d.fit != nil {
		w.Floats(d.fit.mean)
		w.Floats(d.fit.root)
	}
	return &estimators.Round{Name: "draws", Plan: w.B, Lanes: d.Count(), Sweeps: float64(d.N),
		Time: float64(d.N) * (p.Draw + p.Density)}, nil
}

// missing is the number of draws to be added: 0 where the error bar is small enough and the free draws are made, or where
// the weights are too uneven. The control variate makes the error bar of the second round smaller than that of the first,
// so the first does not ask for more than the free draws, or as many again.
func (d *draws) missing() int {
	n := len(d.logW)
	r := d.result(d.logW, d.logC, d.lanes)
	if !evenEnough(r) || n >= d.most {
		return 0
	}
	need := num.Mul(r.SE/d.Target, r.SE/d.Target) * 1.1 * float64(n)
	free := d.free
	switch {
	case d.fit != nil && len(d.logC) == 0:
		need = min(need, float64(2*n))
	case n >= free && r.SE > smallError:
		free *= 3
	}
	return max(min(max(clamped(need, 0, mostDraws), free), d.most)-n, 0)
}

// evenEnough reports whether importance weights are even enough to be trusted: by the Pareto shape of the largest ones
// and their effective number.
func evenEnough(r *estimators.Result) bool {
	k := r.Number(estimators.DiagParetoK)
	return r.SE >= 0 && !(k > evenWeights) && r.Number(estimators.DiagESS) >= enoughWeights
}

// Lane draws from the base and weighs the draws.
func (d *draws) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		before := plan.Within(0, mostDraws)
		lanes := d.lanesOf(before, plan.Within(1, mostDraws))
		dim := d.Model.Info().Dim
		var g *normal
		if before > 0 && d.fits && len(plan.B) > 0 {
			g = newNormal(plan.Exactly(dim), plan.Exactly(dim*dim))
			estimators.Refuse(g == nil)
		}
		estimators.Must(&plan)
		first, n := lanes.Span(u.Lane)
		v := estimators.NewView(d.Config, []float64{0, 1}, u, lanes)
		v.Frame.Steps, u.Last = 1, 1
		v.Pop.Draw(d.At(estimators.PhaseStart, first))

		// log w = log f_1 - log f_0.
		logF := make([]float64, 2*n)
		v.Pop.LogF(0, 2, logF)
		sums := weighted{top: math.Inf(-1), x: make([]float64, d.told), x2: make([]float64, d.told)}
		points, steered := v.Pop.(models.Steered)
		if d.fits && before == 0 && steered {
			sums.moments = make([]float64, stats.MomentCount(dim))
		}
		var logC, room []float64
		if g != nil {
			logC, room = make([]float64, n), make([]float64, dim)
		}
		for r := range v.LogW {
			if v.LogW[r] = logF[2*r+1] - logF[2*r]; !num.Known(v.LogW[r]) {
				v.LogW[r] = math.Inf(-1)
			}
			sums.top = max(sums.top, v.LogW[r])
		}
		average := v.Pop.(models.Averaged)
		for r, l := range v.LogW {
			if w := num.Exp(l - sums.top); w > 0 {
				sums.sum += w
				average.AddTo(sums.x, sums.x2, r, w)
				if sums.moments != nil {
					stats.AddMoments(sums.moments, points.Point(r), w)
				}
			}
			if g != nil {
				logC[r] = g.log(points.Point(r), room) - logF[2*r]
			}
		}
		if !yield(v.Show(1)) {
			return
		}
		var w wire.Writer
		w.Floats(v.LogW)
		w.Float(sums.top)
		w.Float(sums.sum)
		w.Floats(sums.x)
		w.Floats(sums.x2)
		w.Floats(sums.moments)
		w.Floats(logC)
		u.Partial = w.B
	}
}

// read is what was known and what new lanes have found; those that are not done are left out.
func (d *draws) read(partials [][]byte) (logW, logC []float64, lanes []weighted) {
	logW, logC, lanes = estimators.With(d.logW), estimators.With(d.logC), estimators.With(d.lanes)
	for _, p := range partials {
		if p == nil {
			continue
		}
		in := wire.Reader{B: p}
		logW = append(logW, in.Floats()...)
		l := weighted{top: in.Float(), sum: in.Float(), x: in.Exactly(d.told), x2: in.Exactly(d.told), moments: in.Floats()}
		lanes, logC = append(lanes, l), append(logC, in.Floats()...)
		estimators.Must(&in)
	}
	return logW, logC, lanes
}

func (d *draws) Estimate(peeked [][]byte) []*estimators.Result {
	logW, logC, lanes := d.logW, d.logC, d.lanes
	if !d.done {
		logW, logC, lanes = d.read(peeked)
	}
	if len(logW) == 0 {
		return nil
	}
	return estimators.One(d.result(logW, logC, lanes))
}

// controlled is log Z, without that of the base, by log weights and the logs of their control variates, and its error in
// nats, to first order.
func controlled(logW, logC []float64) (logZ, se float64) {
	n, top := float64(len(logW)), slices.Max(logW)
	var w, c stats.Welford
	for i := range logW {
		w.Add(num.Exp(logW[i] - top))
		c.Add(num.Exp(logC[i]))
	}
	cov := 0.
	for i := range logW {
		cov += num.Mul(num.Exp(logW[i]-top)-w.Mean, num.Exp(logC[i])-c.Mean) / (n - 1)
	}
	b := cov / c.Var()
	mean := w.Mean - num.Mul(b, c.Mean-1)
	return top + num.Log(mean), math.Sqrt(max(w.Var()-num.Mul(b, cov), 0)/n) / mean
}

// result is the estimate by log weights, the control variates of the last of them and the weighted sums of lanes.
func (d *draws) result(logW, logC []float64, lanes []weighted) *estimators.Result {
	w, z0 := stats.LogWeights(logW), d.Model.LogZ0()
	r := &estimators.Result{LogZ: w.LogMean + z0, SE: w.SE, SEMethod: estimators.SEDelta, Bias: "down",
		Lower: math.NaN(), Upper: math.NaN(), Sweeps: float64(len(logW)), Evaluations: float64(len(logW)), Doing: "draws"}
	r.Flag(estimators.FlagNoSandwich)
	if !num.Finite(r.LogZ) {
		r.LogZ, r.SE = math.NaN(), math.NaN()
		r.Flag(estimators.FlagZeroWeights)
		return r
	}
	if len(logC) >= leastControlled {
		if z, se := controlled(logW[len(logW)-len(logC):], logC); num.Finite(z) && se < r.SE {
			r.LogZ, r.SE, r.Bias = z+z0, se, "either"
		}
	}
	r.Diagnose(estimators.DiagESS, w.ESS)
	if k := stats.ParetoK(logW); num.Known(k) {
		r.Diagnose(estimators.DiagParetoK, k)
	}
	first, second := stats.LogWeights(logW[:len(logW)/2]), stats.LogWeights(logW[len(logW)/2:])
	r.DiagnoseHalves(first.LogMean, first.SE, second.LogMean, second.SE)
	r.Ladder = []estimators.Rung{{}, {Beta: 1, LogZ: r.LogZ, SE: r.SE}}
	d.addPosterior(r, lanes)
	return r
}

// addPosterior adds the means of the target, with errors by how far those of lanes lie apart.
func (d *draws) addPosterior(r *estimators.Result, lanes []weighted) {
	top := math.Inf(-1)
	for _, l := range lanes {
		top = max(top, l.top)
	}
	total := 0.
	for _, l := range lanes {
		total += num.Mul(num.Exp(l.top-top), l.sum)
	}
	for i := range d.told {
		mean, square, v := 0., 0., 0.
		for _, l := range lanes {
			share := num.Exp(l.top-top) / total
			mean += num.Mul(share, l.x[i])
			square += num.Mul(share, l.x2[i])
		}
		for _, l := range lanes {
			if l.sum > 0 {
				off := num.Mul(num.Exp(l.top-top)/total, l.x[i]-num.Mul(mean, l.sum))
				v += num.Mul(off, off)
			}
		}
		r.Posterior = append(r.Posterior, estimators.Moment{Mean: mean,
			SD: math.Sqrt(max(square-num.Mul(mean, mean), 0)), SE: math.Sqrt(v)})
	}
}

func (d *draws) Sweeps() float64 { return float64(len(d.logW) + d.N) }

// Need counts the log weights of all draws that may be made, and the sums of their lanes.
func (d *draws) Need() estimators.Need {
	p, lanes, dim := d.Costs(), float64(d.most/drawsLane+1), float64(d.Model.Info().Dim)
	sums := num.Mul(32, float64(d.told)) + 100
	if d.fits {
		sums += num.Mul(4*dim, dim+3)
	}
	return estimators.Need{Lanes: lanes, Held: num.Mul(40, float64(d.most)) + num.Mul(lanes, sums),
		Lane: p.Lane(drawsLane, 2, 40, 0) + 2*sums,
		Time: num.Mul(float64(max(d.N+len(d.logW), d.free)), p.Draw+p.Density)}
}

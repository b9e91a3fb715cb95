package derived

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/smc"
	"logzlab/models/latent"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// noise measures the noise of an estimated likelihood at one point, for several numbers of draws, with computing times,
// for the model and ladder of the run.
type noise struct {
	key   string
	steps []int // numbers of equal steps from prior to posterior; 0 for the run's ladder
	tests []*noiseTest
}

// noiseTest is a set of estimates with a number of draws.
type noiseTest struct {
	draws    int
	estimate func() float64
	logs     stats.Welford
	spent    float64 // seconds
	seconds  float64 // seconds for one estimate, the least of several batches
	shift    float64 // the first estimate
	paths    []noisePath
}

// noisePath has, for a ladder a_0 < ... < a_T, sums of e^(c (z - shift)) over estimates z: for c = a_t in at, for c = 2
// a_t - a_(t-1) in ahead. They are kept in blocks for the jackknife.
type noisePath struct {
	ladder    []float64
	at, ahead [noiseBlocks][]float64
}

const (
	noiseBlocks  = 10
	maxPath      = 200 // longest ladder that is measured
	minEstimates = 60
	maxEstimates = 2000
	enoughTime   = .5   // seconds for each number of draws with enough estimates
	batchTime    = .004 // seconds of a batch of estimates that are timed together
)

func newNoiseTest(m *latent.Model, draws int, ladders [][]float64) *noiseTest {
	t := &noiseTest{draws: draws, estimate: m.Estimates(draws), seconds: math.NaN()}
	for _, a := range ladders {
		p := noisePath{ladder: a}
		for b := range noiseBlocks {
			p.at[b], p.ahead[b] = make([]float64, len(a)), make([]float64, len(a))
		}
		t.paths = append(t.paths, p)
	}
	return t
}

// add adds an estimate.
func (t *noiseTest) add(z float64) {
	if !num.Finite(z) {
		return
	}
	if t.logs.N == 0 {
		t.shift = z
	}
	b := t.logs.N % noiseBlocks
	t.logs.Add(z)
	z -= t.shift
	for _, p := range t.paths {
		for k, a := range p.ladder {
			p.at[b][k] += num.Exp(float64(a * z))
			if k > 0 {
				p.ahead[b][k] += num.Exp(float64((2*a - p.ladder[k-1]) * z))
			}
		}
	}
}

// keptShare returns the ratio of the effective sample sizes with this noise and without it, and its standard error. It
// assumes annealing with perfect moves: at inverse temperature a, the noise z has its density times e^(a z), independent
// of other steps. Then the ratio is
//
//	(E w)^2 / E w^2 = prod_t M(a_t)^2 / (M(a_(t-1)) M(2 a_t - a_(t-1))),  M(c) = E e^(c z),
//
// which is exp(-tau sigma^2) if z is normal ([AISEL] Theorem 1). The error is by jackknife over blocks.
func (p *noisePath) keptShare() (ratio, se float64) {
	ratio = p.keptWithout(-1)
	var some stats.Welford
	for b := range noiseBlocks {
		some.Add(p.keptWithout(b))
	}
	return ratio, some.JackknifeSE()
}

// keptWithout returns the ratio computed without the estimates of one block; block = -1 uses all blocks.
func (p *noisePath) keptWithout(block int) float64 {
	sum := func(of *[noiseBlocks][]float64, k int) (s float64) {
		for b := range of {
			if b != block {
				s += of[b][k]
			}
		}
		return s
	}
	ratio := 1.
	for k := 1; k < len(p.ladder); k++ {
		m := sum(&p.at, k)
		ratio *= m / sum(&p.at, k-1) * (m / sum(&p.ahead, k))
	}
	return ratio
}

// step makes estimates for a short time, and reports whether it made any.
func (n *noise) step(now func() float64) (hasNews bool) {
	for start := now(); now()-start < stepSeconds; hasNews = true {
		var t *noiseTest // the test with the least time so far
		for _, o := range n.tests {
			if o.logs.N < maxEstimates && (o.logs.N < minEstimates || o.spent < enoughTime) && (t == nil || o.spent < t.spent ||
				o.spent == t.spent && o.logs.N < t.logs.N) {
				t = o
			}
		}
		if t == nil {
			return hasNews
		}
		var batch [50]float64
		began, count := now(), 0
		for ; count < len(batch) && now()-began < batchTime; count++ {
			batch[count] = t.estimate()
		}
		took := now() - began
		t.spent += took
		if each := took / float64(count); !(each >= t.seconds) && took > 0 {
			t.seconds = each
		}
		for _, z := range batch[:count] { // not timed: sums over long ladders take longer than cheap estimates
			t.add(z)
		}
	}
	return hasNews
}

// drawsOfRun returns the number of draws behind the run's estimates.
func drawsOfRun(m *latent.Model, method string, tau float64) int {
	if info, ok := catalog.Method(method); ok && info.Refines {
		return m.ChooseDraws(tau).(*latent.Model).Draws()
	}
	return m.Draws()
}

// advance continues the measurement while its scene is on show, and reports whether there are new values.
func (n *noise) advance(s *state.Snapshot, now func() float64) bool {
	m := s.Latent()
	if m == nil || !scene.On(s).TestsNoise {
		return false
	}
	method, ladder := s.NoiseMethod()
	tau := smc.Tau(ladder) // changes when a pilot has found the ladder
	if key := s.Spec.Only(s.Names(), method).Link() + spec.Decimal(tau); n.key != key {
		*n = noise{key: key}
		ladders := [][]float64{}
		for _, t := range []int{1, 2, 5, 20} {
			if varianceSum := tau * float64(t); varianceSum < .5 || varianceSum > 2 { // otherwise it would coincide with the run's ladder
				n.steps, ladders = append(n.steps, t), append(ladders, evenLadder(t))
			}
		}
		if len(ladder) <= maxPath {
			n.steps, ladders = append(n.steps, 0), append(ladders, ladder)
		}
		draws := drawsOfRun(m, method, tau)
		for _, factor := range []float64{.25, .5, 1, 2, 4} {
			if d := max(int(math.Round(factor*float64(draws))), 1); !slices.ContainsFunc(n.tests, func(t *noiseTest) bool {
				return t.draws == d
			}) {
				n.tests = append(n.tests, newNoiseTest(m, d, ladders))
			}
		}
	}
	return n.step(now)
}

// evenLadder returns a ladder of equal steps.
func evenLadder(steps int) (a []float64) {
	for k := range steps + 1 {
		a = append(a, float64(k)/float64(steps))
	}
	return a
}

// frame returns the values for the picture, or nil if the scene is not on show.
func (n *noise) frame(s *state.Snapshot) *frame.Noise {
	m := s.Latent()
	if m == nil || !scene.On(s).TestsNoise || len(n.tests) == 0 {
		return nil
	}
	method, ladder := s.NoiseMethod()
	nan := math.NaN()

	// The run's number of draws, and the noise it measured.
	f := &frame.Noise{Method: method, Tau: smc.Tau(ladder), TargetVar: latent.MaxVariance, MeasuredVar: nan, VarPerDraw: nan,
		Timed: frame.Price{Fixed: nan, PerDraw: nan, BestVar: nan}, Steps: n.steps}
	f.Draws = drawsOfRun(m, method, f.Tau)
	for _, r := range s.Reports {
		if v, ok := r.Diagnostics[estimators.DiagNoise]; ok && r.Method == method && r.State == runstate.MethodDone {
			f.MeasuredVar = float64(v)
		}
	}

	// The estimates by number of draws.
	spread, weight := 0., 0.
	for _, t := range n.tests {
		q := frame.NoiseTest{Draws: t.draws, N: t.logs.N, Var: t.logs.Var(), Seconds: t.seconds}
		for i := range t.paths {
			kept, se := t.paths[i].keptShare()
			q.ESSRatio, q.ESSRatioSE = append(q.ESSRatio, kept), append(q.ESSRatioSE, se)
		}
		if f.Tests = append(f.Tests, q); t.logs.N >= noiseBlocks && t.draws >= f.Draws {
			w := float64(t.logs.N) // few draws are far from normal
			spread, weight = spread+float64(w*q.Var*float64(q.Draws)), weight+w
		}
	}
	if weight > 0 {
		f.VarPerDraw = spread / weight
	}

	// The number of draws that a run would choose.
	f.Counted.Fixed, f.Counted.PerDraw = m.EstimateTime()
	f.Timed.Fixed, f.Timed.PerDraw = fitTimes(f.Tests)
	for _, p := range []*frame.Price{&f.Counted, &f.Timed} {
		p.BestVar = latent.BestVariance(f.Tau, f.VarPerDraw*p.PerDraw, p.Fixed)
	}
	if f.Auto = f.Draws; m.DrawsGiven() && num.Finite(f.VarPerDraw) {
		f.Auto = m.DrawsForVariance(f.Tau, f.VarPerDraw)
	}
	return f
}

// fitTimes fits the line base + one n to the times of estimates with n draws, by least squares of relative errors.
func fitTimes(tests []frame.NoiseTest) (base, one float64) {
	var w, x, y, xx, xy float64
	for _, t := range tests {
		if t.Seconds > 0 {
			v, n := 1/(t.Seconds*t.Seconds), float64(t.Draws)
			w, x, y, xx, xy = w+v, x+v*n, y+v*t.Seconds, xx+v*n*n, xy+v*n*t.Seconds
		}
	}
	one = (w*xy - x*y) / (w*xx - x*x)
	if base = (y - one*x) / w; base < 0 {
		base, one = 0, xy/xx
	}
	return base, one
}

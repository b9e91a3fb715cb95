package temper

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
)

// conditional does the step of a lane with log f_k of one row and a uniform number; logq becomes log q. sums records
// the conditionals of the row and has begun a batch.
func conditional(logq, zhat []float64, sums *conditionals, u float64) (k int) {
	l := &rows{step: kernel.NewTempering(logq, zhat)}
	l.step.U[0], l.step.C = u, sums.rows
	l.step.Step()
	sums.observe(l, 0)
	norm := l.step.Top[0] + num.Log(l.step.Sum[0])
	for i := range logq {
		logq[i] -= norm
	}
	return int(l.step.Rung[0])
}

// oneRow returns an empty record of conditionals of one chain.
func oneRow(rungs int) *conditionals { return &conditionals{sums: sums{chains: 1, size: rungs}} }

// begun is oneRow with a batch.
func begun(rungs int) *conditionals {
	c := oneRow(rungs)
	c.begin()
	return c
}

// reloaded encodes a record of the given number of batches and decodes it into an empty one.
func reloaded[R recorder](from, empty R, batches int) R {
	var w wire.Writer
	from.append(&w, true)
	r := wire.Reader{B: w.B}
	empty.load(&r, batches)
	estimators.MustDecode(&r)
	return empty
}

// tempered passes given values of log f_k(x_i) through the estimator's own steps: one chain with one sweep for every
// x_i, partials of two lanes, the fold.
func tempered(lf [][]float64, zhat []float64) *Record {
	r := &run{Lanes: estimators.Lanes{N: len(lf), Size: 10}, ladder: make([]float64, len(zhat)), zhat: zhat,
		ladderMove: tempering{len(lf), len(zhat)}, rounds: 1, iteration: 0}
	partials := make([][]byte, r.Count())
	for lane := range partials {
		var w wire.Writer
		first, n := r.Span(lane)
		c := r.newRecord(0, lane)
		c.begin(0)
		l, x := &rows{}, slices.Concat(lf[first:first+n]...)
		l.step = kernel.NewTempering(x, zhat)
		l.step.C = c.recorders[0].(*conditionals).rows
		for i := range n {
			l.step.U[i] = .5
		}
		l.step.Step()
		c.recorders[0].observe(l, 0)
		c.append(&w, true)
		partials[lane] = w.B
	}
	return r.collect(partials)
}

// absorbed returns log Zhat - log r, zero at the base. Our r is uniform; but eqs 7 and 12 contain r and Zhat only as
// r_k/Zhat_k (up to one common factor, which cancels in both), so any r of the golden file can be moved into Zhat.
func absorbed(zhat, logr []float64) []float64 {
	out := make([]float64, len(zhat))
	for k := range out {
		out[k] = (zhat[k] - logr[k]) - (zhat[0] - logr[0])
	}
	return out
}

// 1e-9 detects a wrong or missing c_1 term of eq. 12 (a shift by log c_1, here 2.2 nats), a sample left out (1/14) and
// the mean of logs in place of the log of the mean.
func TestRTSGolden(t *testing.T) {
	var g struct {
		LF            [][]float64
		LogZhat, Logr []float64
		Logc, LogZ    []float64
		LogcOne       []float64 `json:"logc_zhat1"`
		LogZOne       []float64 `json:"logZ_zhat1"`
	}
	answers.Golden(t, "rts", &g)
	b := tempered(g.LF, absorbed(g.LogZhat, g.Logr))
	methodtest.NearAll(t, "log c", b.Conditionals.LogC, g.Logc, 1e-9)
	methodtest.NearAll(t, "log Z", b.logZ(b.Conditionals), g.LogZ, 1e-9)
	b = tempered(g.LF, make([]float64, len(g.Logr)))
	methodtest.NearAll(t, "log c from Zhat = 1", b.Conditionals.LogC, g.LogcOne, 1e-9)
	methodtest.NearAll(t, "log Z from Zhat = 1", b.logZ(b.Conditionals), g.LogZOne, 1e-9)

	// Invariances: Zhat times a constant changes only that constant; the same number added to all log f_k(x) of one x
	// changes nothing.
	shifted, moved := absorbed(g.LogZhat, g.Logr), [][]float64{}
	for k := range shifted {
		shifted[k] += 321.5
	}
	for i, row := range g.LF {
		out := append([]float64(nil), row...)
		for k := range out {
			out[k] += 10 * float64(i)
		}
		moved = append(moved, out)
	}
	shiftedRun := tempered(moved, shifted)
	z := shiftedRun.logZ(shiftedRun.Conditionals)
	for k := range z {
		methodtest.Near(t, "log Z after shifts", z[k]-z[0], g.LogZ[k], 1e-9)
	}
	// With Zhat exact the average of q is flat only up to noise, but it sums to 1.
	sum := 0.0
	for _, lc := range tempered(g.LF, g.LogZ).Conditionals.LogC {
		sum += num.Exp(lc)
	}
	methodtest.Near(t, "sum of c", sum, 1, 1e-12)
}

// Detects q computed on a linear scale: most of these q(1|x) are below e^-745, the smallest float64.
func TestRTSUnderflowGolden(t *testing.T) {
	var g struct {
		LF         [][]float64
		Logc, LogZ []float64
	}
	answers.Golden(t, "rts_underflow", &g)
	b := tempered(g.LF, make([]float64, len(g.Logc)))
	methodtest.NearAll(t, "log c", b.Conditionals.LogC, g.Logc, 1e-9)
	methodtest.NearAll(t, "log Z", b.logZ(b.Conditionals), g.LogZ, 1e-9)
}

// Terms too small for plain sums, in two batches, with a state saved and loaded between and within them. Detects terms
// of a batch that are counted in another, lost, or merged twice.
func TestFaintSums(t *testing.T) {
	zhat := make([]float64, 3)
	rows := [][]float64{{0, -900, -2000}, {-1, -850, -1500}, {-3, -2, -900}, {0, -1000, -750}}
	c, want := oneRow(3), make([][3]num.LSE, 2)
	for i, lf := range rows {
		batch := i / 2
		if i%2 == 0 {
			c.begin()
		}
		conditional(append([]float64(nil), lf...), zhat, c, .5)
		for k, x := range lf {
			want[batch][k].Add(x - num.LogSumExp(lf))
		}
		c = reloaded(c, oneRow(3), batch+1)
	}
	rec := &Record{}
	c.merge(rec, batchCounts{[]int{2, 2}, 2})
	for i := range want {
		for k, got := range rec.Conditionals.Rows[i] {
			value := want[i][k].Value() - math.Log(2)
			methodtest.Near(t, "log of a mean", got, value, 1e-12*(1+math.Abs(value)))
		}
	}
}

// The next rung is drawn from q(.|x): 4 s.e. of 20,000 draws (0.014) detect a neighbouring rung, a uniform on another
// scale, and u compared with the density in place of its sum.
func TestConditionalDraw(t *testing.T) {
	lf, zhat := []float64{-1000, -998, -1001.5, -1e4}, []float64{0, 1, -1, 2}
	const n = 20000
	count, logq := make([]float64, len(lf)), make([]float64, len(lf))
	for i := range uint32(n) {
		copy(logq, lf)
		s := rng.NewKey(1, "draw", 0).Stream(0, 0, i)
		count[conditional(logq, zhat, begun(len(lf)), s.Float64())]++
	}
	for k, c := range count {
		q := num.Exp(logq[k])
		if !(math.Abs(c/n-q) <= 4*math.Sqrt(q*(1-q)/n)) {
			t.Errorf("rung %d is drawn %.4f of the time, q = %.4f", k, c/n, q)
		}
	}
}

// 1e-9 detects the covariance term of eq. 16 left out or with a wrong sign, n in place of n-1, and a bias with the two
// variances exchanged.
func TestRTSVarianceGolden(t *testing.T) {
	var g struct {
		S    [][]float64
		C    []float64 `json:"c"`
		Bias float64   `json:"bias_K"`
		Var  float64   `json:"var_K"`
	}
	answers.Golden(t, "rts_var", &g)
	b := &Record{Model: methodtest.Mixture(t, 1, 0), SEMethod: estimators.SEChains, Ladder: make([]float64, len(g.C)),
		LogZhat: make([]float64, len(g.C)), N: float64(len(g.S)), Conditionals: Shares{LogC: logs(g.C)}}
	for _, s := range g.S {
		b.Conditionals.Rows = append(b.Conditionals.Rows, logs(s))
	}
	res := b.result(b.Conditionals)
	methodtest.Near(t, "variance", res.SE*res.SE, g.Var, 1e-9)
	methodtest.Near(t, "bias", res.Diagnostics["bias_eq16"], g.Bias, 1e-9)

	// One batch alone is eq. 12, and the sandwich covariance of A2 is then eq. 16.
	one := mergeBatches([]*Record{b})
	methodtest.NearAll(t, "one batch", one.z, b.logZ(b.Conditionals), 1e-10)
	methodtest.Near(t, "s.e. of one batch", one.se[len(g.C)-1], math.Sqrt(g.Var), 1e-6)
}

// 1e-8 detects batches weighted equally instead of by N_t (0.1 nat and more), and Newton steps stopped early.
func TestMergeGolden(t *testing.T) {
	var g struct {
		N             []float64
		Logc, LogZhat [][]float64
		Logr, LogZ    []float64
	}
	answers.Golden(t, "merge", &g)
	var batches []*Record
	for i := range g.N {
		batches = append(batches, &Record{N: g.N[i], Conditionals: Shares{LogC: g.Logc[i]},
			LogZhat: absorbed(g.LogZhat[i], g.Logr)})
	}
	methodtest.NearAll(t, "merged log Z", mergeBatches(batches).z, g.LogZ, 1e-8)
}

func logs(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Log(v)
	}
	return out
}

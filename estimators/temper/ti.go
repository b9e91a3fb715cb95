package temper

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/mbar"
)

// TI is thermodynamic integration ([RTS] eq. 20, [Gelman1998]),
//
//	log Z = integral of e(beta), e_k = E_k[d log f/d beta],
//
// where e_k is the mean slope of the samples at rung k. v_k = de/dbeta is the variance of the slope, plus the mean
// curvature if log f is not linear in beta. With D_k = beta_{k+1} - beta_k the rules are
//
//	right      sum D_k e_{k+1}               too high where e rises, as on a linear path
//	left       sum D_k e_k                   too low there
//	trapezoid  sum D_k (e_k + e_{k+1})/2
//	simpson    parabolas through e at three rungs, two steps each; an odd last step uses the last three
//	corrected  trapezoid - sum D_k^2 (v_{k+1} - v_k)/12   ([Friel2014], the default; diverges on coarse ladders)
//
// Rungs without samples get e and v by interpolation. The error bar combines the spread of rows and the error of the
// rule (ruleError).
var TI = estimators.Info{
	Name: "ti", Label: "TI", Short: "slopes", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	SEStretch: 1.2,
	About: "Thermodynamic integration: how fast log f grows with the inverse temperature, averaged at each rung and " +
		"integrated over the ladder, is log Z.",
	Params: estimators.Appended(Run.Params, paramRule, paramSamples), Checks: slopeChecks,
	Reads: &Reader{Needs: []*Statistic{Slopes, Visits}, Read: readTI},
}

// TIRB is TI with Rao-Blackwellized means ([RTS] eq. 21): every sample counts at every rung,
//
//	e_k = sum_i q(k|x_i) d_k(x_i) / sum_i q(k|x_i),
//
// followed by a rule of integration, with v_k by differences of e; the paper uses the trapezoid. With many rungs it
// approaches RTS.
var TIRB = estimators.Info{
	Name: "ti-rb", Label: "TI-RB", Short: "slopes, weighted", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	About:  "Thermodynamic integration in which every sample counts at every rung, by its probability there.",
	Params: estimators.Appended(Run.Params, paramRule), Checks: slopeChecks,
	Overlaps: true, Reads: &Reader{Needs: []*Statistic{Conditionals, Overlap, MeanSlopes}, Read: readTIRB},
}

var paramRule = spec.Param{Name: "rule", Type: "choice", Default: "corrected",
	Choices: []string{"corrected", "trapezoid", "right", "left", "simpson"},
	Help: "Rule of integration between the rungs: right gives too much, left too little, corrected adds the " +
		"next order to the trapezoid, simpson goes along parabolas."}

// Flags of thermodynamic integration.
var (
	FlagImputed = diag.NewFlag("imputed",
		"Some rungs have no samples, so their mean slope is interpolated from their neighbours.")
	FlagCorrectionLarge = diag.NewFlag("correction_large",
		"The corrected trapezoid changes more than half of what lies between the trapezoid and the right rule: the "+
			"rungs are too far apart for it.")
)

// slopeChecks are the checks of tempering, and of integration over the ladder.
var slopeChecks = estimators.Appended(Checks,
	estimators.Check{Name: "Integration error",
		Meaning: "The rungs are too far apart for the rule of integration.", Advice: "Use more temperatures, or rts.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			x := f.Number(estimators.DiagRuleError)
			limit := max(.1, 2*f.Number(estimators.DiagSESampling))
			return estimators.Finding{Value: x, Text: estimators.FormatAgainst(x, limit, 2) + " nats",
				Needs: "≤ " + estimators.FormatAgainst(limit, 0, 2),
				OK:    x <= limit, Bad: x > 3}, num.NotNaN(x) && num.NotNaN(limit)
		}},
	estimators.Check{Name: "Rungs without samples",
		Meaning: "Where no chain was, the slope is a guess.", Advice: "Use more sweeps, or fewer temperatures.",
		Judge: estimators.JudgeNumber(estimators.DiagEmptyRungs, func(n float64) estimators.Finding {
			return estimators.Finding{Text: estimators.FormatAgainst(n, 0, 0), Needs: "0", OK: n == 0}
		})}, checkSamples, checkApart)

// ruleOf returns the rule of integration that a reader selects.
func ruleOf(v spec.Values) string {
	var p struct {
		Rule string `param:"rule"`
	}
	v.Fill(&p)
	return p.Rule
}

func readTI(t *Record, v spec.Values) *estimators.Result {
	res := t.integrate(t.Slopes, t.ChainSlopes, ruleOf(v), nil)
	res.Diagnose(estimators.DiagSlopeEvery, float64(t.SlopeEvery[0]))
	t.occupancy(res, t.visitShares())
	return res
}

func readTIRB(t *Record, v spec.Values) *estimators.Result {
	res := t.integrate(t.MeanSlopes, nil, ruleOf(v), t.result(t.Conditionals).Ladder)
	res.Diagnose(estimators.DiagSlopeEvery, float64(t.SlopeEvery[1]))
	res.Overlap = t.Overlap
	t.occupancy(res, t.Conditionals)
	return res
}

// integrate returns log Z at every rung from the slopes of all rows. chains, for its error, are the slopes of fixed
// chains, or nil. other, which may be nil, is log Z from the same samples without a rule: the error of the rule is at
// least the difference from it.
func (t *Record) integrate(rows, chains []SlopeSums, rule string, other []estimators.Rung) *estimators.Result {
	s := t.meanSlopes(rows)
	value := func(rule string) []float64 { return Integral(rule, t.Ladder, s.e, s.v) }
	z := value(rule)
	res := t.fromRows(z, s.influence(t, rows, rule), t.meanSlopes(chains).influence(t, chains, rule))
	res.Bias = map[string]string{"right": "up", "left": "down"}[rule]
	if res.Bias == "" {
		res.Bias = "either"
	}

	// log Z by every rule.
	z0, top := t.Model.LogZ0(), len(z)-1
	right, left, trapezoid, corrected := value("right"), value("left"), value("trapezoid"), value("corrected")
	res.Diagnose(estimators.DiagTIRight, right[top]+z0)
	res.Diagnose(estimators.DiagTILeft, left[top]+z0)
	res.Diagnose(estimators.DiagTITrapezoid, trapezoid[top]+z0)
	res.Diagnose(estimators.DiagTICorrected, corrected[top]+z0)
	res.Diagnose(estimators.DiagSESampling, res.SE)

	// The error of the rule.
	coarse := math.Abs(corrected[top]-trapezoid[top]) > math.Abs(trapezoid[top]-right[top])/2
	if coarse {
		res.Flag(FlagCorrectionLarge)
	}
	off := s.ruleError(t.Ladder, z, trapezoid, corrected, rule, coarse)
	for k := range other {
		if d := z[k] + z0 - other[k].LogZ; math.Abs(d) > math.Abs(off[k]) {
			off[k] = d
		}
	}
	res.Diagnose(estimators.DiagRuleError, math.Abs(off[top]))

	// Combine both errors, rung by rung.
	for k := range res.Ladder {
		res.Ladder[k].SE = stats.JointSE(res.Ladder[k].SE, off[k])
		res.RiseSE[k] = stats.JointSE(res.RiseSE[k], off[top]-off[k])
	}
	res.SE = res.Ladder[top].SE

	// Rungs with few samples, or none.
	res.Diagnose(estimators.DiagEmptyRungs, float64(s.empty))
	if s.square != nil { // otherwise every sample counts at every rung
		res.Diagnose(estimators.DiagSamplesMin, slices.Min(s.w))
	}
	if s.empty > 0 {
		res.Flag(FlagImputed)
	}
	return res
}

// influence returns the influence of rows on the integral by a rule; s are the means of the rows.
func (s *slopeMeans) influence(t *Record, rows []SlopeSums, rule string) mbar.Influence {
	u := make(mbar.Influence, len(rows))
	for r, row := range rows {
		e, v := s.parts(t, row)
		u[r] = Integral(rule, t.Ladder, e, v)
	}
	return u
}

// ruleError estimates the error of a rule up to each rung: its difference from the corrected trapezoid, or from the
// trapezoid if that is larger and the correction too large to be trusted. For the corrected rule it is a fifteenth of
// the change with half the rungs, whose steps are twice as long, plus a twentieth of the correction, or the whole
// correction if it is too large.
func (s *slopeMeans) ruleError(beta, z, trapezoid, corrected []float64, rule string, coarse bool) []float64 {
	off, top := make([]float64, len(z)), len(z)-1
	if rule != "corrected" {
		for k := range off {
			off[k] = z[k] - corrected[k]
			if d := z[k] - trapezoid[k]; coarse && math.Abs(d) > math.Abs(off[k]) {
				off[k] = d
			}
		}
		return off
	}

	// The corrected rule, on half the rungs.
	var half [3][]float64 // beta, e and v of every second rung and the last
	for k := range beta {
		if k%2 == 0 || k == top {
			half[0], half[1], half[2] = append(half[0], beta[k]), append(half[1], s.e[k]), append(half[2], s.v[k])
		}
	}
	rough := Integral(rule, half[0], half[1], half[2])
	correction := corrected[top] - trapezoid[top]
	if correction == 0 {
		return off
	}

	// A fraction of the correction, or all of it if it is too large.
	part := 1.0
	if !coarse {
		part = .05 + math.Abs((corrected[top]-rough[len(rough)-1])/correction)/15
	}
	for k := range off {
		off[k] = num.Mul(part, corrected[k]-trapezoid[k])
	}
	return off
}

// Integral returns the integral of e from the first rung to each rung, by a rule of ti. v is de/dbeta, which only the
// corrected rule uses.
func Integral(rule string, beta, e, v []float64) []float64 {
	z := make([]float64, len(beta))
	for k := range len(beta) - 1 {
		d := beta[k+1] - beta[k]
		step := float64(num.Mul(d, e[k]+e[k+1]) / 2)
		switch rule {
		case "right":
			step = num.Mul(d, e[k+1])
		case "left":
			step = num.Mul(d, e[k])
		case "corrected":
			step -= float64(num.Mul(d*d, v[k+1]-v[k]) / 12)
		case "simpson":
			if n := len(beta); n > 2 {
				step -= float64(num.Mul(d*d*d, halfCurvature(beta, e, min(k-k%2, n-3))) / 6)
			}
		}
		z[k+1] = z[k] + step
	}
	return z
}

// slopeMeans are the mean slopes of all rungs, and their derivatives in beta.
type slopeMeans struct {
	w, e, v       []float64
	square, curve []float64 // means of d^2 and of the curvature; nil if not recorded
	empty         int       // number of rungs without samples
	rowsAt        []float64 // number of rows with samples at each rung
}

func (t *Record) meanSlopes(rows []SlopeSums) *slopeMeans {
	k := len(t.Ladder)
	s := &slopeMeans{w: make([]float64, k), e: make([]float64, k), v: make([]float64, k), rowsAt: make([]float64, k)}
	if len(rows) > 0 && len(rows[0].DD) > 0 {
		s.square, s.curve = make([]float64, k), make([]float64, k)
	}
	for _, row := range rows {
		for i, w := range row.W {
			k := row.At + i
			s.w[k] += w
			s.e[k] += row.D[i]
			s.rowsAt[k]++
			if s.square != nil {
				s.square[k] += row.DD[i]
				s.curve[k] += row.Curve[i]
			}
		}
	}

	// Means and variances of rungs with samples.
	for k, w := range s.w {
		if w == 0 {
			s.empty++
		}
		s.e[k] /= w
		if s.square != nil {
			s.square[k] /= w
			s.curve[k] /= w
			s.v[k] = s.square[k] - num.Mul(s.e[k], s.e[k]) + s.curve[k]
		}
	}

	s.impute(t.Ladder, s.e)
	if s.square != nil {
		s.impute(t.Ladder, s.v)
	} else {
		s.v = gradient(t.Ladder, s.e)
	}
	return s
}

// parts returns the influence of a row on e and v.
func (s *slopeMeans) parts(t *Record, row SlopeSums) (e, v []float64) {
	e, v = make([]float64, len(s.e)), make([]float64, len(s.e))
	for i, w := range row.W {
		k := row.At + i
		if s.w[k] == 0 {
			continue
		}
		scale := 1.0
		if len(row.W) == 1 { // chains stay: each rung has its own number of rows
			scale = math.Sqrt(s.rowsAt[k] / (s.rowsAt[k] - 1))
		}
		e[k] = num.Mul(scale, row.D[i]-num.Mul(w, s.e[k])) / s.w[k]
		if s.square != nil {
			v[k] = num.Mul(scale, row.DD[i]-num.Mul(w, s.square[k])+row.Curve[i]-num.Mul(w, s.curve[k]))/s.w[k] -
				num.Mul(2, num.Mul(s.e[k], e[k]))
		}
	}
	s.impute(t.Ladder, e)
	if s.square != nil {
		s.impute(t.Ladder, v)
		return e, v
	}
	return e, gradient(t.Ladder, e)
}

// impute sets x of rungs without samples by linear interpolation in beta, or to the nearest value at the ends.
func (s *slopeMeans) impute(beta, x []float64) {
	last := -1 // last rung with samples
	for k := range x {
		if s.w[k] == 0 {
			continue
		}
		for j := last + 1; j < k; j++ {
			x[j] = x[k]
			if last >= 0 {
				part := (beta[j] - beta[last]) / (beta[k] - beta[last])
				x[j] = x[last] + num.Mul(part, x[k]-x[last])
			}
		}
		last = k
	}
	for j := last + 1; last >= 0 && j < len(x); j++ {
		x[j] = x[last]
	}
}

// gradient returns the derivative of x in beta, from the parabola through three neighbours, also at the ends; with two
// rungs from the line.
func gradient(beta, x []float64) []float64 {
	n := len(x)
	out := make([]float64, n)
	slope := func(i int) float64 { return (x[i+1] - x[i]) / (beta[i+1] - beta[i]) }
	if n == 2 {
		out[0], out[1] = slope(0), slope(0)
		return out
	}
	for i := range out {
		a := min(max(i-1, 0), n-3) // first rung of the three
		// Newton's form: x_a + slope(a)(b - b_a) + halfCurvature (b - b_a)(b - b_{a+1})
		out[i] = slope(a) + num.Mul(halfCurvature(beta, x, a), (beta[i]-beta[a])+(beta[i]-beta[a+1]))
	}
	return out
}

// halfCurvature returns half the second derivative of the parabola through x at the three rungs from a.
func halfCurvature(beta, x []float64, a int) float64 {
	h, g := beta[a+1]-beta[a], beta[a+2]-beta[a+1]
	return ((x[a+2]-x[a+1])/g - (x[a+1]-x[a])/h) / (h + g)
}

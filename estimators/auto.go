package estimators

import (
	"fmt"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/core/spec"
)

// AUTO finds log Z to a wanted standard error by itself. A pilot measures how hard each part of the path is and how far
// chains lag behind it. From these, and from counted operations, follow the work of annealing and of tempering for the
// wanted error; the cheaper one is run with the optimal schedule, and then the other one with a quarter of its work, as
// a second opinion. If the error bar is still too large, the experiment repeats all this (engine: target).
var AUTO = Info{
	Name: "auto", Label: "Auto", Short: "by itself", Path: Tempered, Road: onRungs | FromData, Target: .1,
	About: "Chooses annealing or tempering after a short pilot, works until the error bar is as small as wanted, and " +
		"asks the other one for a second opinion.",
	Checks: append(append([]Check{checkESS, checkSpread, checkMeeting, checkReverse, checkSandwich}, sampleChecks...),
		checkOther),
	New: func(c Config) (Method, error) {
		guess := &schedule.Pilot{Betas: []float64{0, 1}, Mean: []float64{0, 0}, Var: []float64{200, 200}, Lag: 3}
		return afterPilot(c, guess, newAuto)
	},
}

// autoPlan are sizes of both ways to log Z.
type autoPlan struct {
	reverse                             bool // chains can also go back from the target
	annealChains, annealRungs           int
	temperChains, temperRungs, tempered int     // tempered: kept sweeps of a chain
	annealing, tempering                float64 // their work, in nanoseconds
}

// Sizes of auto. It aims below the wanted error, since error bars are random, and annealing has so many rungs that log
// weights have the variance autoSpread.
const (
	autoAim     = .6
	autoSpread  = .5
	autoOpinion = .25 // work of the second opinion
)

// planAuto sizes both ways for a wanted error.
//
// Annealing at K temperatures has Var(log w) = v = lag F/(K-1) ([VAROPT] Theorem 1), and C chains give log Z with
// variance (e^v - 1)/C; with chains on the way back, half of it. Tempering moves freely: n samples give log Z with
// variance (4 + 2 sqrt(lag)) F/n, a fit to the machines and mixtures of the lab within a factor of two.
func planAuto(c Config) (p autoPlan) {
	_, f := schedule.Functionals(c.Pilot.Betas, c.Pilot.Var)
	lag, want := min(max(c.Pilot.Lag, 1), 100), float64(autoAim*c.Target)
	want *= want
	within := func(x, lo, hi float64) int { return int(min(max(math.Ceil(x), lo), hi)) }

	p.annealRungs = within(1+float64(float64(lag*f)/autoSpread), 50, 20000)
	v := float64(lag*f) / float64(p.annealRungs-1)
	chains := (num.Exp(min(v, 10)) - 1) / want
	if p.reverse = c.goesBack(); p.reverse {
		chains /= 2
	}
	p.annealChains = within(chains, 80, 1e5) // fewer would have too few effective ones
	p.temperChains = 100
	p.temperRungs = within(1+float64(1.5*math.Sqrt(f)), 8, 200)
	slow := 4 + float64(2*math.Sqrt(lag))
	p.tempered = within(float64(slow*f)/float64(want*float64(p.temperChains)), 100, 1e6)

	cost := c.parts()
	each := cost.Sweep + float64(2*cost.Density) + 20
	p.annealing = float64(float64(p.annealChains*p.annealRungs) * each)
	if p.reverse {
		p.annealing += p.annealing
	}
	k := float64(p.temperRungs)
	each = cost.Sweep + cost.Density + float64(k*(cost.Beta+stepTime)) + float64(k*(50+float64(k/2))) // with mbar's
	p.tempering = float64(float64(p.temperChains*(p.tempered+p.tempered/10+500)) * each)
	return p
}

// goesBack reports whether annealing can also start at the target.
func (c Config) goesBack() bool {
	a := c.annealAlong([]float64{0, 1})
	_, exact := a.drawn()
	return exact || a.known.Data > 0
}

// newAuto is the run that follows the pilot.
func newAuto(c Config) (Method, error) {
	p := planAuto(c)
	temper := p.tempering < p.annealing
	main, err := p.open(c, temper, 1)
	if err != nil {
		return nil, err
	}
	c.Key[0]++
	other, err := p.open(c, !temper, autoOpinion)
	if err != nil {
		return nil, err
	}
	return &advised{Method: main, opinion: other, tell: func(r, o *Result) {
		r.Sweeps += o.Sweeps
		r.Evaluations += o.Evaluations
		r.diagnose(DiagLag, c.Pilot.Lag)
		r.diagnose(DiagCostAnnealing, p.annealing)
		r.diagnose(DiagCostTempering, p.tempering)
		r.diagnose(DiagLogZOther, o.LogZ)
		r.diagnose(DiagLogZOtherSE, o.SE)
	}}, nil
}

// open makes one of the two runs, with a share of its work.
func (p autoPlan) open(c Config, temper bool, share float64) (Method, error) {
	info, set := AIS, map[string]int{"chains": max(int(share*float64(p.annealChains)), 20), "temperatures": p.annealRungs}
	if p.reverse {
		info = AISBAR
	}
	if temper {
		info, set = MBAR, map[string]int{"chains": p.temperChains, "temperatures": p.temperRungs,
			"sweeps": max(int(share*float64(p.tempered)), 50)}
	}
	v := spec.Values{}
	for _, q := range info.Params {
		v[q.Name] = q.Default
	}
	for name, x := range set {
		v[name] = fmt.Sprint(x)
	}
	v["schedule"] = "varopt"
	c.Readers, c.Values = []Reader{{info, v}}, v
	if temper {
		return newTemper(c)
	}
	return newAnneal(c)
}

// otherBars is how many joint error bars a second opinion may lie off.
const otherBars = 4

// checkOther compares annealing with tempering.
var checkOther = Check{Name: "Another road",
	Means: "Annealing and tempering find different log Z, so at least one of them misses part of the target.",
	Do:    "Want a smaller error bar: both then work longer. Do not use the number until they agree.",
	Judge: func(f Facts) (Finding, bool) {
		z, se := f.Number(DiagLogZOther), f.Number(DiagLogZOtherSE)
		limit := max(otherBars*math.Sqrt(float64(se*se)+float64(f.SE*f.SE)), NearEnough)
		gap := f.LogZ - z
		return Finding{Value: gap, Text: Beside(gap, math.Copysign(limit, gap), 2) + " nats",
			Needs: "± " + format.Fixed(limit, 2), OK: math.Abs(gap) <= limit, Bad: math.Abs(gap) > 3*limit}, z == z && se >= 0
	}}

package external

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/mbar"
	"logzlab/estimators/verdict"
)

// Method is a way to read samples.
type Method struct{ Name, About string }

// Methods are those of samples on a ladder, in the order of reports. Sums of stones and dead points have one each.
var Methods = []Method{
	{"mbar", "Multistate Bennett acceptance ratio: every sample is weighed under every rung, and all log Z are found " +
		"together by maximum likelihood."},
	{"bar", "Bennett's acceptance ratio: the samples of two neighbouring rungs give the difference of their log Z, and " +
		"the steps along the ladder add up."},
	{"ti", "Thermodynamic integration, or path sampling: the mean slope at each rung is integrated over the ladder."},
	{"ss", "Stepping stones from below: the samples of each rung are weighed under the next one. Too low on average."},
	{"ss-down", "Stepping stones from above: the samples of each rung are weighed under the one below. Too high on " +
		"average."},
	{"sums", "The sums of stones that a program printed, without samples."},
	{"nested", "Nested sampling's own estimate, from the likelihood and the volume of each dead point."},
	{"bridge", "Bridge sampling: draws of a program's posterior and of a normal distribution that half of them fits are " +
		"weighed under each other."},
	{Mirrored, "The same, with the mean of the density at a point and at its mirror image, for a posterior that is " +
		"skewed."},
}

// Mirrored is bridge sampling with mirror images.
const Mirrored = "bridge-warp3"

// Case is files that were read, to be judged as often as wanted.
type Case struct {
	Set   *samples.Set
	files []File
	// found is the ladder by the options before: to find burn-in takes a good part of the work.
	found *ladder
	by    Options
}

// ladder is the samples on their ladder.
func (c *Case) ladder(o Options) *ladder {
	same := o.Independent == c.by.Independent && (o.BurnIn == c.by.BurnIn || !num.Known(o.BurnIn) &&
		!num.Known(c.by.BurnIn))
	if c.found == nil || !same {
		c.found, c.by = newLadder(c.Set, o.Independent, o.burn), o
	}
	return c.found
}

// Open reads files that belong together. Of the options only alpha and the program matter. begin, which may be nil,
// hears which file is read next. The meter, which may be nil, watches memory and time.
func Open(files []samples.File, o Options, begin func(file int), m *meter.Meter) (*Case, error) {
	c := &Case{}
	hashed := slices.Clone(files)
	for i, f := range files {
		hashed[i].Load = func() ([]byte, error) {
			data, err := f.Bytes()
			if err == nil {
				c.files = append(c.files, fileOf(f.Name, data))
			}
			return data, err
		}
	}
	var err error
	c.Set, err = samples.Read(hashed, samples.Options{Alpha: o.Alpha, Begin: begin, Draws: o.draws}, m)
	for i := 0; i < len(o.beside) && err == nil; i++ {
		var data []byte
		data, err = o.beside[i].Bytes()
		c.files = append(c.files, fileOf(o.beside[i].Name, data))
	}
	return c, err
}

// Judge judges by some methods, or by all that apply where none is named.
func (c *Case) Judge(methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	reports, err := c.judge(methods, o, m)
	if err != nil {
		return nil, err
	}
	for _, r := range reports {
		r.Files = c.files
		r.seal()
	}
	return reports, nil
}

// Read opens files and judges them.
func Read(files []samples.File, methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	c, err := Open(files, o, nil, m)
	if err != nil {
		return nil, err
	}
	return c.Judge(methods, o, m)
}

// Judge is Read for a set of samples. Its reports name no files.
func Judge(s *samples.Set, methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	return (&Case{Set: s}).judge(methods, o, m)
}

func (c *Case) judge(methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	s := c.Set
	for _, name := range methods {
		if !slices.ContainsFunc(Methods, func(m Method) bool { return m.Name == name }) {
			return nil, problem.New("unknown method %q; there are %s", name, strings.Join(methodNames(Methods), ", "))
		}
	}

	// Samples without a ladder have methods of their own.
	var able []string
	switch s.Kind {
	case samples.Stones:
		able = []string{"sums"}
	case samples.Points:
		able = []string{"nested"}
	case samples.Draws:
		able = []string{"bridge", Mirrored}
	}
	if able != nil {
		if i := slices.IndexFunc(methods, func(m string) bool { return !slices.Contains(able, m) }); i >= 0 {
			return nil, unable(methods[i], able)
		}
		if s.Kind == samples.Draws {
			able = slices.DeleteFunc(able, func(m string) bool {
				return len(methods) > 0 && !slices.Contains(methods, m)
			})
			return o.judge(s, able, o, m)
		}
		r := NewReport(s, able[0], o)
		if s.Kind == samples.Stones {
			sums(s, r)
		} else {
			nested(s, r)
		}
		r.finish(s, nil)
		return []*Report{r}, nil
	}
	return c.ladder(o).reports(methods, o, m)
}

func methodNames(list []Method) (names []string) {
	for _, m := range list {
		names = append(names, m.Name)
	}
	return names
}

func unable(method string, able []string) error {
	return problem.New("these files do not have what %s needs; they can be read by %s", method, strings.Join(able, ", "))
}

// others are estimates from the same samples, nil where there is none, and how well neighbouring rungs fit together.
type others struct {
	mbar, bar, up, down *estimate
	slope, misfit       float64 // see fit; NaN where nothing tells
	se                  float64 // of the best
}

// best is the one that a rule of integration is measured by.
func (o *others) best() *estimate {
	if o.mbar != nil && o.mbar.converged {
		return o.mbar
	}
	return o.bar
}

// solver makes an estimate of a ladder. bar is that of bar, if it is there.
type solver func(l *ladder, bar *estimate) (*estimate, error)

// solvers are the methods by which a ladder can be solved, and their names in order.
func (l *ladder) solvers(o Options, m *meter.Meter) (by map[string]solver, able []string) {
	by = map[string]solver{}
	offer := func(name string, ok bool, f solver) {
		if ok {
			by[name], able = f, append(able, name)
		}
	}
	enough, energies := len(l.sampled()) > 1, l.hasEnergies()
	offer("mbar", energies && l.set.Complete, func(l *ladder, bar *estimate) (*estimate, error) {
		var start []float64
		if bar != nil {
			start = bar.z
		}
		return l.weigh(func(s *mbar.Samples) (*mbar.Solved, error) { return mbar.SolveMBAR(s, start, m) })
	})
	offer("bar", energies && enough, func(l *ladder, _ *estimate) (*estimate, error) {
		return l.weigh(func(s *mbar.Samples) (*mbar.Solved, error) { return mbar.SolveBAR(s, m) })
	})
	offer("ti", enough && l.hasSlopes(), func(l *ladder, _ *estimate) (*estimate, error) { return l.integrate(o.Rule) })
	offer("ss", energies, func(l *ladder, _ *estimate) (*estimate, error) { return l.stones(true), nil })
	offer("ss-down", energies, func(l *ladder, _ *estimate) (*estimate, error) { return l.stones(false), nil })
	return by, able
}

// reports are those of some methods, or of all.
func (l *ladder) reports(methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	solvers, able := l.solvers(o, m)
	for _, name := range methods {
		if solvers[name] == nil {
			return nil, unable(name, able)
		}
	}

	// Every method estimates, asked for or not: each checks the others.
	found, bars := map[string]*estimate{}, map[string]*bar{}
	for _, name := range slices.Backward(able) { // so that mbar can begin from bar
		e, err := solvers[name](l, found["bar"])
		if err != nil {
			return nil, err
		}
		found[name], bars[name] = e, l.bar(e)
		e.parts = nil // as many numbers as there are samples
	}

	// For comparison: the best estimate, and the fit between neighbouring rungs.
	beside := &others{mbar: found["mbar"], bar: found["bar"], up: found["ss"], down: found["ss-down"],
		slope: math.NaN(), misfit: math.NaN()}
	if beside.bar != nil {
		beside.slope, beside.misfit = l.fit(beside.bar)
	}
	for name, e := range found {
		if e == beside.best() {
			beside.se = bars[name].se
		}
	}

	// The reports asked for.
	var reports []*Report
	for _, name := range able {
		if len(methods) > 0 && !slices.Contains(methods, name) {
			continue
		}
		r, err := l.report(name, found[name], bars[name], solvers[name], beside, o)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// report makes the report of an estimate.
func (l *ladder) report(name string, e *estimate, b *bar, solve solver, beside *others, o Options) (*Report, error) {
	r := NewReport(l.set, name, o)

	// Several runs also have an estimate each.
	z, se := []float64{e.logZ()}, []float64{b.se}
	if l.runs > 1 {
		zs, ses, err := l.byRun(solve)
		if err != nil {
			return nil, err
		}
		if len(zs) > 1 {
			z, se = zs, ses
		}
	}

	// Log Z and the error bar: of all samples, or of the spread between runs.
	r.combine(z, se)
	if len(z) > 1 { // all samples together tell more than the mean of runs
		r.LogZ, r.SE = verdict.Number(e.logZ()), verdict.Number(math.Max(b.se, float64(r.SE)))
		if l.independent || excess(z, se) <= 2 {
			r.SE = verdict.Number(b.se)
		}
	} else {
		r.LogZ, r.SE = verdict.Number(e.logZ()), verdict.Number(b.se)
	}
	r.Bias, r.SEMethod = e.bias, SECorrelated
	if l.independent {
		r.SEMethod = SEIndependent
	}

	// The ladder, the checks, and advice.
	l.fill(r, e, b, beside)
	l.judge(r, e, b, beside)
	if name == "ss" || name == "ss-down" {
		judgeStones(r, e, b.se, beside)
	}
	r.Next = l.advise(name, e, b)
	r.finish(l.set, l)
	return r, nil
}

// byRun is the estimate of each run by itself, of those that have samples at as many rungs as all together.
func (l *ladder) byRun(solve solver) (z, se []float64, err error) {
	for run := range l.runs {
		one := l.ofRun(run)
		if len(one.sampled()) != len(l.sampled()) {
			continue
		}
		e, err := solve(one, nil)
		if err != nil {
			return nil, nil, err
		}
		z, se = append(z, e.logZ()), append(se, one.bar(e).se)
	}
	return z, se, nil
}

// excess is how many times further apart runs lie than their error bars say: the root of the mean square distance from
// their weighed mean.
func excess(z, se []float64) float64 {
	mean, _ := weighed(z, se)
	sum := 0.0
	for i, x := range z {
		d := (x - mean) / se[i]
		sum += num.Mul(d, d)
	}
	return math.Sqrt(sum / float64(len(z)-1))
}

// weighed is the mean of numbers with error bars, weighed by these.
func weighed(z, se []float64) (mean, bar float64) {
	sum, weight := 0.0, 0.0
	for i, x := range z {
		w := 1 / num.Mul(se[i], se[i])
		sum, weight = sum+num.Mul(w, x), weight+w
	}
	return sum / weight, 1 / math.Sqrt(weight)
}

// combine takes runs with error bars, and compares them. The bar grows where they lie further apart than it says.
func (r *Report) combine(z, se []float64) {
	if len(z) == 1 {
		r.LogZ, r.SE = verdict.Number(z[0]), verdict.Number(se[0])
		return
	}
	mean, bar := weighed(z, se)
	worst, off := 0.0, 0.0
	for i := range z {
		r.Replicates = append(r.Replicates, verdict.Number(z[i]))
		r.ReplicateSE = append(r.ReplicateSE, verdict.Number(se[i]))
		for j := range i {
			d := math.Abs(z[i] - z[j])
			if t := d / stats.JointSE(se[i], se[j]); !(t <= worst) {
				worst, off = t, d
			}
		}
	}
	_, v := stats.MeanVar(z)
	if excess(z, se) > 2 {
		bar = max(bar, math.Sqrt(v/float64(len(z))))
	}
	r.LogZ, r.SE = verdict.Number(mean), verdict.Number(bar)
	r.Verdict.Add(runsCheck(worst, off, z))
}

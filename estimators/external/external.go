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

// Method is a method that estimates log Z from samples: its name in links, and a description for users.
type Method struct{ Name, About string }

// Methods lists the methods in the order of reports. The first five are for samples on a ladder, sums is for step sums
// without samples, nested for nested sampling, and the last two for posterior draws.
var Methods = []Method{
	{"mbar", "Multistate Bennett acceptance ratio: every sample is evaluated at every rung, and all log Z are " +
		"estimated jointly by maximum likelihood."},
	{"bar", "Bennett's acceptance ratio: the samples of two neighbouring rungs give the difference of their log Z; " +
		"the differences along the ladder are added."},
	{"ti", "Thermodynamic integration, or path sampling: the mean slope at each rung is integrated over the ladder."},
	{"ss", "Stepping stones from below: the samples of each rung are evaluated at the next one. Too low on average."},
	{"ss-down", "Stepping stones from above: the samples of each rung are evaluated at the one below. Too high on " +
		"average."},
	{"sums", "The sums of stones that a program printed, without samples."},
	{"nested", "Nested sampling's own estimate, from the likelihood and the volume of each dead point."},
	{"bridge", "Bridge sampling: draws of a program's posterior and of a normal distribution that half of them fits are " +
		"weighed under each other."},
	{Warp3, "The same, with the mean of the density at a point and at its mirror image, for a posterior that is " +
		"skewed."},
}

// Warp3 is the name of bridge sampling with the density averaged over mirror images (Warp-III, [Meng2002]).
const Warp3 = "bridge-warp3"

// Case holds the samples of files that belong together, such as all rungs and runs of one model.
type Case struct {
	Set   *samples.Set
	files []File
	// cached is the ladder for the options cachedBy. It is cached because estimating the burn-in is expensive.
	cached   *ladder
	cachedBy Options
}

// ladder returns the samples on their ladder, without the burn-in that the options set.
func (c *Case) ladder(o Options) *ladder {
	same := o.Independent == c.cachedBy.Independent && (o.BurnIn == c.cachedBy.BurnIn || !num.NotNaN(o.BurnIn) &&
		!num.NotNaN(c.cachedBy.BurnIn))
	if c.cached == nil || !same {
		c.cached, c.cachedBy = newLadder(c.Set, o.Independent, o.burn), o
	}
	return c.cached
}

// Open reads files that belong together. It uses only two of the options: Alpha, and the names and files of WithDraws.
// begin, if not nil, is called with the index of each file before the file is read. The meter, which may be nil, limits
// memory and counts operations.
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
	c.Set, err = samples.Read(hashed, samples.Options{Alpha: o.Alpha, Begin: begin, Draws: o.drawNames}, m)
	for i := 0; i < len(o.modelFiles) && err == nil; i++ {
		var data []byte
		data, err = o.modelFiles[i].Bytes()
		c.files = append(c.files, fileOf(o.modelFiles[i].Name, data))
	}
	return c, err
}

// Judge returns a report for each of the given methods, or for all applicable methods if methods is empty. It returns
// an error if a method is unknown or does not apply to the samples.
func (c *Case) Judge(methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	reports, err := c.reports(methods, o, m)
	if err != nil {
		return nil, err
	}
	for _, r := range reports {
		r.Files = c.files
		r.setHash()
	}
	return reports, nil
}

// Read opens files and returns the reports of Case.Judge.
func Read(files []samples.File, methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	c, err := Open(files, o, nil, m)
	if err != nil {
		return nil, err
	}
	return c.Judge(methods, o, m)
}

// reports makes the reports of Judge, without the names and the hashes of the files.
func (c *Case) reports(methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	s := c.Set
	for _, name := range methods {
		if !slices.ContainsFunc(Methods, func(m Method) bool { return m.Name == name }) {
			return nil, problem.New("unknown method %q; there are %s", name, strings.Join(methodNames(Methods), ", "))
		}
	}

	// Samples without a ladder: step sums, nested sampling, posterior draws.
	var applicable []string
	switch s.Kind {
	case samples.Stones:
		applicable = []string{"sums"}
	case samples.Points:
		applicable = []string{"nested"}
	case samples.Draws:
		applicable = []string{"bridge", Warp3}
	}
	if applicable != nil {
		if i := slices.IndexFunc(methods, func(m string) bool { return !slices.Contains(applicable, m) }); i >= 0 {
			return nil, errNotApplicable(methods[i], applicable)
		}
		if s.Kind == samples.Draws {
			applicable = slices.DeleteFunc(applicable, func(m string) bool {
				return len(methods) > 0 && !slices.Contains(methods, m)
			})
			return o.judgeDraws(s, applicable, o, m)
		}
		r := NewReport(s, applicable[0], o)
		if s.Kind == samples.Stones {
			reportSums(s, r)
		} else {
			reportNested(s, r)
		}
		r.finish(s, nil)
		return []*Report{r}, nil
	}
	return c.ladder(o).reports(methods, o, m)
}

// methodNames returns the names of the methods.
func methodNames(methods []Method) (names []string) {
	for _, m := range methods {
		names = append(names, m.Name)
	}
	return names
}

// errNotApplicable is the error of a method that does not apply to the samples; applicable are the methods that do.
func errNotApplicable(method string, applicable []string) error {
	return problem.New("these files do not have what %s needs; they can be read by %s", method, strings.Join(applicable, ", "))
}

// peerEstimates holds estimates from the same samples by several methods; an estimate is nil if its method does not
// apply. up and down are stepping stones from below and from above (ss and ss-down).
type peerEstimates struct {
	mbar, bar, up, down *estimate
	slope, misfit       float64 // results of fitSlope; NaN if not available
	se                  float64 // standard error of the estimate of best
}

// best returns the most efficient estimate, which the other estimates are compared with: mbar if it converged, else
// bar.
func (o *peerEstimates) best() *estimate {
	if o.mbar != nil && o.mbar.converged {
		return o.mbar
	}
	return o.bar
}

// solver estimates log Z along a ladder. bar is the solution of bar, from which mbar starts; it may be nil.
type solver func(l *ladder, bar *estimate) (*estimate, error)

// solvers returns the solvers of the methods that apply to the ladder, by name, and these names in the order of
// Methods.
func (l *ladder) solvers(o Options, m *meter.Meter) (byName map[string]solver, applicable []string) {
	byName = map[string]solver{}
	offer := func(name string, applies bool, solve solver) {
		if applies {
			byName[name], applicable = solve, append(applicable, name)
		}
	}
	hasTwoRungs, hasEnergies := len(l.sampled()) > 1, l.hasEnergies()
	offer("mbar", hasEnergies && l.set.Complete, func(l *ladder, bar *estimate) (*estimate, error) {
		var start []float64
		if bar != nil {
			start = bar.z
		}
		return l.reweight(func(s *mbar.Samples) (*mbar.Solved, error) { return mbar.SolveMBAR(s, start, m) })
	})
	offer("bar", hasEnergies && hasTwoRungs, func(l *ladder, _ *estimate) (*estimate, error) {
		return l.reweight(func(s *mbar.Samples) (*mbar.Solved, error) { return mbar.SolveBAR(s, m) })
	})
	offer("ti", hasTwoRungs && l.hasSlopes(), func(l *ladder, _ *estimate) (*estimate, error) { return l.integrate(o.Rule) })
	offer("ss", hasEnergies, func(l *ladder, _ *estimate) (*estimate, error) { return l.stones(true), nil })
	offer("ss-down", hasEnergies, func(l *ladder, _ *estimate) (*estimate, error) { return l.stones(false), nil })
	return byName, applicable
}

// reports makes the reports of the given methods, or of all applicable methods if methods is empty.
func (l *ladder) reports(methods []string, o Options, m *meter.Meter) ([]*Report, error) {
	solvers, applicable := l.solvers(o, m)
	for _, name := range methods {
		if solvers[name] == nil {
			return nil, errNotApplicable(name, applicable)
		}
	}

	// Run every method, because each is a check of the others.
	found, bars := map[string]*estimate{}, map[string]*errorBar{}
	for _, name := range slices.Backward(applicable) { // in this order mbar can start from bar
		e, err := solvers[name](l, found["bar"])
		if err != nil {
			return nil, err
		}
		found[name], bars[name] = e, l.errorBar(e)
		e.influence = nil // takes as much memory as the samples
	}

	// The best estimate, and the consistency of neighbouring rungs.
	peers := &peerEstimates{mbar: found["mbar"], bar: found["bar"], up: found["ss"], down: found["ss-down"],
		slope: math.NaN(), misfit: math.NaN()}
	if peers.bar != nil {
		peers.slope, peers.misfit = l.fitSlope(peers.bar)
	}
	for name, e := range found {
		if e == peers.best() {
			peers.se = bars[name].se
		}
	}

	// The reports.
	var reports []*Report
	for _, name := range applicable {
		if len(methods) > 0 && !slices.Contains(methods, name) {
			continue
		}
		r, err := l.report(name, found[name], bars[name], solvers[name], peers, o)
		if err != nil {
			return nil, err
		}
		reports = append(reports, r)
	}
	return reports, nil
}

// report makes the report of the estimate e of a method, with error bar b. solve estimates log Z of single runs.
func (l *ladder) report(name string, e *estimate, b *errorBar, solve solver, peers *peerEstimates, o Options) (*Report, error) {
	r := NewReport(l.set, name, o)

	// If there are several runs, estimate log Z of each.
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

	// Log Z and the error bar come from all samples, or from the spread between runs.
	r.combine(z, se)
	if len(z) > 1 { // all samples together give a better estimate than the mean of the runs
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
	l.fill(r, e, b, peers)
	l.check(r, e, b, peers)
	if name == "ss" || name == "ss-down" {
		checkStones(r, e, b.se, peers)
	}
	r.Next = l.advise(name, e, b)
	r.finish(l.set, l)
	return r, nil
}

// byRun returns the estimate of each run that has samples at as many rungs as all runs together.
func (l *ladder) byRun(solve solver) (z, se []float64, err error) {
	for run := range l.runs {
		runLadder := l.ofRun(run)
		if len(runLadder.sampled()) != len(l.sampled()) {
			continue
		}
		e, err := solve(runLadder, nil)
		if err != nil {
			return nil, nil, err
		}
		z, se = append(z, e.logZ()), append(se, runLadder.errorBar(e).se)
	}
	return z, se, nil
}

// excess returns sqrt(sum_i ((z_i - mean)/se_i)^2 / (n-1)) for the estimates z of n runs with their weighted mean:
// about 1 if the standard errors se are right.
func excess(z, se []float64) float64 {
	mean, _ := weightedMean(z, se)
	sum := 0.0
	for i, x := range z {
		d := (x - mean) / se[i]
		sum += num.Mul(d, d)
	}
	return math.Sqrt(sum / float64(len(z)-1))
}

// weightedMean returns the mean of values weighted by 1/se^2, and its standard error.
func weightedMean(z, se []float64) (mean, meanSE float64) {
	sum, weight := 0.0, 0.0
	for i, x := range z {
		w := 1 / num.Mul(se[i], se[i])
		sum, weight = sum+num.Mul(w, x), weight+w
	}
	return sum / weight, 1 / math.Sqrt(weight)
}

// combine sets log Z of the report to the mean of the runs, weighted by 1/se^2, and checks that the runs agree. If
// excess is above 2, the error bar is at least the standard error from the spread between the runs.
func (r *Report) combine(z, se []float64) {
	if len(z) == 1 {
		r.LogZ, r.SE = verdict.Number(z[0]), verdict.Number(se[0])
		return
	}
	mean, meanSE := weightedMean(z, se)
	maxRatio, gap := 0.0, 0.0
	for i := range z {
		r.Replicates = append(r.Replicates, verdict.Number(z[i]))
		r.ReplicateSE = append(r.ReplicateSE, verdict.Number(se[i]))
		for j := range i {
			distance := math.Abs(z[i] - z[j])
			if ratio := distance / stats.JointSE(se[i], se[j]); !(ratio <= maxRatio) {
				maxRatio, gap = ratio, distance
			}
		}
	}
	_, v := stats.MeanVar(z)
	if excess(z, se) > 2 {
		meanSE = max(meanSE, math.Sqrt(v/float64(len(z))))
	}
	r.LogZ, r.SE = verdict.Number(mean), verdict.Number(meanSE)
	r.Verdict.Add(runsCheck(maxRatio, gap, z))
}

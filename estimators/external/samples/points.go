package samples

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Run is a run of nested sampling, its points sorted by log likelihood.
type Run struct {
	LogL []float64
	// Live is the number of live points when each point died: the remaining volume shrank by about 1/Live.
	Live []float64
	// Birth is the log likelihood above which each point was drawn, -Inf for points drawn from the prior; nil if not
	// known.
	Birth []float64
	// Ended says that the points alive at the end are included.
	Ended bool

	onlyLive bool // only the points alive at the end, of a run in another file
	hasLive  bool // such points have been added
	// Log L of live points, if the column taken for births is log L and the one taken for log L is a parameter.
	logLIfNoBirths []float64
}

// minLogL is below every log likelihood; programs write minus infinity as a very negative number.
const minLogL = -1e29

// finish sorts the points by log likelihood, and computes Live from births if these are known.
func (r *Run) finish(file string) error {
	if len(r.LogL) == 0 {
		return errNoSamples(file)
	}

	// Sort the points by log likelihood.
	order := make([]int, len(r.LogL))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(r.LogL[a], r.LogL[b]) })
	for _, x := range []*[]float64{&r.LogL, &r.Live, &r.Birth} {
		if *x != nil {
			sorted := make([]float64, len(order))
			for i, j := range order {
				sorted[i] = (*x)[j]
			}
			*x = sorted
		}
	}

	// The numbers of live points.
	switch {
	case r.onlyLive: // counted later, together with the dead points
		return nil
	case r.Birth != nil:
		return r.countLive(file)
	}
	for i, n := range r.Live {
		if !(n >= 1) {
			return problem.New("%s: point %d died when %v points were alive; there must be one or more", file, i+1, n)
		}
	}
	return nil
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// countLive counts the live points at the death of each point: those born below it that have not died.
func (r *Run) countLive(file string) error {
	births := slices.Clone(r.Birth)
	slices.Sort(births)
	r.Live = make([]float64, len(r.LogL))
	born := 0
	for i, l := range r.LogL {
		for born < len(births) && births[born] < l {
			born++
		}
		if r.Live[i] = float64(born - i); born <= i {
			return problem.New("%s: the point of log likelihood %v died before any that is alive was born; births and "+
				"deaths do "+
				"not belong together", file, l)
		}
	}
	r.Ended = true // births and deaths do not show whether further points exist
	return nil
}

// dynesty reads the results of dynesty: numbers of live points, or a single number for the whole run, or log volumes.
func dynesty(f *source, logl, live, logvol, nlive *array) (*fileData, error) {
	p := newFileData(f, Points, "dynesty", "nats")
	n := len(logl.Data)

	// Arrays must have one length, and log likelihoods must be finite.
	for _, a := range []*array{live, logvol} {
		if a != nil && len(a.Data) != n {
			return nil, problem.New("%s: logl has %d points, another array %d", f.Name, n, len(a.Data))
		}
	}
	for i, l := range logl.Data {
		if !num.Finite(l) {
			return nil, problem.New("%s: the log likelihood of point %d is %v; it must be a finite number", f.Name, i, l)
		}
	}

	// Live points: as stored, a constant number, or from the volumes.
	r := &Run{LogL: logl.Data}
	switch {
	case live != nil:
		r.Live = live.Data
		r.Ended = n > 0 && r.Live[n-1] == 1
	case nlive != nil && len(nlive.Data) == 1 && nlive.Data[0] >= 1:
		r.Live = make([]float64, n)
		for i := range r.Live {
			r.Live[i] = min(nlive.Data[0], float64(n-i)) // at the end the remaining points die
		}
		r.Ended = true
	case logvol != nil:
		r.Live = make([]float64, n)
		last := 0.0
		for i, v := range logvol.Data {
			if !(v < last) {
				return nil, problem.New("%s: logvol does not fall at point %d", f.Name, i)
			}
			r.Live[i] = 1 / (num.Exp(last-v) - 1)
			last = v
		}
		for i, x := range r.Live {
			r.Live[i] = max(x, 1)
		}
	default:
		return nil,
			problem.New("%s: logl without samples_n, nlive or logvol does not tell the volume of each point; save all "+
				"of them, in Python: numpy.savez(%q, **results.asdict())", f.Name, "results.npz")
	}
	p.points = r
	return p, r.finish(f.Name)
}

// joinPoints adds the points that were alive at the end to the dead points of their run, which are in another file.
func joinPoints(parts []*fileData) ([]*Run, error) {
	if !slices.ContainsFunc(parts, func(p *fileData) bool { return !p.points.onlyLive && p.points.Birth != nil }) {
		for _, p := range parts {
			if p.points.logLIfNoBirths != nil {
				p.points = &Run{LogL: p.points.logLIfNoBirths, onlyLive: true}
				if err := p.points.finish(p.file); err != nil {
					return nil, err
				}
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b *fileData) int { // dead points come before live ones
		return compare(a.points.LogL[0], b.points.LogL[0])
	})

	// Each file begins a run, or completes one.
	var runs []*Run
	for _, p := range parts {
		at := slices.IndexFunc(runs, func(r *Run) bool { return !r.hasLive && r.acceptsLive(p.points) })
		switch {
		case at >= 0:
			if err := runs[at].addLive(p); err != nil {
				return nil, err
			}
		case p.points.onlyLive:
			return nil,
				problem.New("%s: points that were alive at the end, without the dead points of the same run; give its "+
					"dead-birth.txt or ev.dat too", p.file)
		default:
			runs = append(runs, p.points)
		}
	}
	return runs, nil
}

// acceptsLive reports whether o may be the points that were alive at the end of r.
func (r *Run) acceptsLive(o *Run) bool {
	return o.LogL[0] >= r.LogL[len(r.LogL)-1] && (r.Birth == nil) == (o.Birth == nil) && (o.onlyLive || o.Birth != nil)
}

// addLive adds the points that were alive at the end.
func (r *Run) addLive(p *fileData) error {
	r.hasLive = true
	r.LogL = append(r.LogL, p.points.LogL...)
	if r.Birth != nil {
		r.Birth, r.Live = append(r.Birth, p.points.Birth...), nil
		return r.finish(p.file)
	}
	r.Ended = true
	for n := len(p.points.LogL); n > 0; n-- {
		r.Live = append(r.Live, float64(n))
	}
	return nil
}

// birthOrPrior returns a birth, -Inf if the point was drawn from the prior.
func birthOrPrior(x float64) float64 {
	if x < minLogL {
		return math.Inf(-1)
	}
	return x
}

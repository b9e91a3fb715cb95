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
	// Live is the number of live points when each point died. The remaining prior volume shrinks by a fraction of about
	// 1/Live.
	Live []float64
	// Birth is the log likelihood above which each point was drawn, -Inf for points drawn from the prior; nil if not
	// known.
	Birth []float64
	// Ended reports whether the points alive at the end are included.
	Ended bool

	onlyLive bool // the run has only points alive at the end; its dead points are in another file
	hasLive  bool // the points alive at the end were added from another file
	// logLIfNoBirths is the log L of live points for the case that the file has no births: then the column that was read
	// as births is log L, and the column that was read as log L is a parameter.
	logLIfNoBirths []float64
}

// minLogL is less than every log likelihood of a sample; programs write minus infinity as a number below it.
const minLogL = -1e29

// finish sorts the points by log likelihood and, if births are known, computes Live from them. It returns an error if
// there are no points or if births or live points are inconsistent.
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

// compare is cmp.Compare for values that are not NaN.
func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// countLive sets Live and Ended from the births. The live points at the death of a point are those that were born at a
// smaller log likelihood and have not died.
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
	r.Ended = true // assumed: births and deaths do not show whether further points exist
	return nil
}

// dynesty makes the data of a dynesty run from its arrays: logl, the log likelihoods, and at least one of live
// (samples_n, the number of live points at each point), nlive (one number for the whole run) and logvol (log volumes).
// Arrays that the file lacks are nil.
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

	// The number of live points: as stored for each point, constant, or from the volumes.
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

// joinPoints makes runs of the points of several files: it adds the points of a file that were alive at the end to the
// dead points of the same run in another file.
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

// acceptsLive reports whether live may be the points that were alive at the end of r.
func (r *Run) acceptsLive(live *Run) bool {
	return live.LogL[0] >= r.LogL[len(r.LogL)-1] && (r.Birth == nil) == (live.Birth == nil) && (live.onlyLive || live.Birth != nil)
}

// addLive adds the points of file p, which were alive at the end of the run.
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

// birthOrPrior returns the birth x of a point, -Inf if x is below minLogL: the point was drawn from the prior.
func birthOrPrior(x float64) float64 {
	if x < minLogL {
		return math.Inf(-1)
	}
	return x
}

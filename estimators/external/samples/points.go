package samples

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Run is the points of one run of nested sampling, by rising log likelihood.
type Run struct {
	LogL []float64
	// Live is how many live points there were when each point died: the volume that was left shrank by about 1/Live.
	Live []float64
	// Birth is the log likelihood above which each point was drawn, -Inf: from the prior; nil where it is not known.
	Birth []float64
	// Ended says that the points that were alive at the end are there.
	Ended bool

	live   bool // points that were alive at the end, of a run in another file
	joined bool // with those
	// Log L of points alive that have no births, if what was taken for these is log L, and log L a parameter.
	unborn []float64
}

// prior is below every log likelihood, as programs write minus infinity.
const prior = -1e29

// finish sorts the points by log likelihood and finds Live where births tell it.
func (r *Run) finish(file string) error {
	if len(r.LogL) == 0 {
		return noSamples(file)
	}

	// Points in the order of log likelihood.
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
	case r.live: // counted with the dead points
		return nil
	case r.Birth != nil:
		return r.alive(file)
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

// alive counts the live points at the death of each point: born below it, and not yet dead.
func (r *Run) alive(file string) error {
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
	r.Ended = true // births and deaths alone do not tell of others
	return nil
}

// dynesty reads the results of dynesty: numbers of live points, or one for the whole run, or the log of volumes.
func dynesty(f *source, logl, live, logvol, nlive *array) (*part, error) {
	p := newPart(f, Points, "dynesty", "nats")
	n := len(logl.Data)

	// Arrays of one length, with finite log likelihoods.
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

	// Live points: counted, a constant number, or by volumes.
	r := &Run{LogL: logl.Data}
	switch {
	case live != nil:
		r.Live = live.Data
		r.Ended = n > 0 && r.Live[n-1] == 1
	case nlive != nil && len(nlive.Data) == 1 && nlive.Data[0] >= 1:
		r.Live = make([]float64, n)
		for i := range r.Live {
			r.Live[i] = min(nlive.Data[0], float64(n-i)) // at the end those die that are left
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

// joinPoints puts points that were alive at the end to the run of the file before.
func joinPoints(parts []*part) ([]*Run, error) {
	if !slices.ContainsFunc(parts, func(p *part) bool { return !p.points.live && p.points.Birth != nil }) {
		for _, p := range parts {
			if p.points.unborn != nil {
				p.points = &Run{LogL: p.points.unborn, live: true}
				if err := p.points.finish(p.file); err != nil {
					return nil, err
				}
			}
		}
	}
	slices.SortStableFunc(parts, func(a, b *part) int { // dead points before those alive
		return compare(a.points.LogL[0], b.points.LogL[0])
	})

	// Each file begins a run, or ends a run before.
	var runs []*Run
	for _, p := range parts {
		at := slices.IndexFunc(runs, func(r *Run) bool { return !r.joined && r.takes(p.points) })
		switch {
		case at >= 0:
			if err := runs[at].add(p); err != nil {
				return nil, err
			}
		case p.points.live:
			return nil,
				problem.New("%s: points that were alive at the end, without the dead points of the same run; give its "+
					"dead-birth.txt or ev.dat too", p.file)
		default:
			runs = append(runs, p.points)
		}
	}
	return runs, nil
}

// takes tells whether points are those that were alive at the end of r.
func (r *Run) takes(o *Run) bool {
	return o.LogL[0] >= r.LogL[len(r.LogL)-1] && (r.Birth == nil) == (o.Birth == nil) && (o.live || o.Birth != nil)
}

// add takes the points that were alive at the end.
func (r *Run) add(p *part) error {
	r.joined = true
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

// fromPrior is a birth, minus infinity where the point was drawn from the prior.
func fromPrior(x float64) float64 {
	if x < prior {
		return math.Inf(-1)
	}
	return x
}

package engine

import (
	"cmp"
	"maps"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// atOnce is the number of units at work at the same time.
func (o Options) atOnce() float64 {
	return float64(cmp.Or(o.Workers, runtime.NumCPU()))
}

// bytes is what a run takes in all, and what of it stays: records and results of its replicates.
func (o Options) bytes(n estimators.Need, replicates int) (all, stays float64) {
	held := min(float64(replicates), 1+o.atOnce()/max(n.Lanes, 1)) // replicates under way
	stays = n.Held*held + n.Result + trackBytes*float64(replicates)
	models := 1.0
	if o.Apart {
		models += o.atOnce()
	}
	return stays + models*n.Shared + o.atOnce()*n.Lane, stays
}

// trackBytes is what a replicate leaves behind.
const trackBytes = 3000

// budget refuses the experiment if a run would take more memory than the limit.
func (j *Job) budget() error {
	m := meter.Meter{Limit: j.opt.Limit}
	for _, t := range j.tracks {
		if t.m == nil {
			continue
		}
		all, stays := j.opt.bytes(t.need, j.Spec.Replicates)
		if m.Fits(all) {
			_ = m.Take(stays, nil, nil)
			continue
		}
		what, instead := j.lower(t.run, all)
		return m.Take(all, what, instead)
	}
	return nil
}

// lower names the parameters to reduce: those for which halving saves at least a fifth of the memory.
func (j *Job) lower(r run, bytes float64) (what, instead error) {
	var values, names []string
	c, err := r.config(j.Spec, j.Model, j.opt)
	if err == nil && len(c.Readers) > 0 {
		for _, p := range c.Readers[0].Run().Params {
			x := c.Readers[0].Values.Float(p.Name)
			if p.Type != "int" || x <= p.Min {
				continue
			}
			less := c
			less.Readers = append([]estimators.Reader(nil), c.Readers...)
			less.Readers[0].Values = maps.Clone(c.Readers[0].Values)
			less.Readers[0].Values[p.Name] = strconv.Itoa(int(max(x/2, p.Min)))
			if m, err := estimators.Open(less); err == nil {
				if all, _ := j.opt.bytes(m.Need(), j.Spec.Replicates); all < .8*bytes {
					names, values = append(names, p.Name), append(values, p.Name+" = "+spec.Decimal(x))
				}
			}
		}
	}

	// Half the replicates may save as much.
	if n := j.Spec.Replicates; n > 1 && len(c.Readers) > 0 {
		if m, err := estimators.Open(c); err == nil {
			if all, _ := j.opt.bytes(m.Need(), n/2); all < .8*bytes {
				names, values = append(names, "replicates"), append(values, "replicates = "+strconv.Itoa(n))
			}
		}
	}

	// The message, with the parameters found.
	switch len(names) {
	case 0:
		return problem.New("%s on this model", r.name()), problem.New("choose a smaller model, or fewer workers")
	case 1:
		instead = problem.New("lower %s", names[0])
	default:
		instead = problem.New("lower one of %s", strings.Join(names, ", "))
	}
	return problem.New("%s with %s", r.name(), strings.Join(values, ", ")), instead
}

// Seconds is about how long the experiment takes here: planned work, shared by the workers, at this device's pace.
func (j *Job) Seconds() float64 {
	work, lanes := 0.0, 0.0
	for _, t := range j.tracks {
		work += t.need.Time
		lanes += t.need.Lanes
	}
	return work / 1e9 * Pace() / max(1, min(j.opt.atOnce(), lanes))
}

// trusted is the share of the work after which what was seen of its pace counts as much as what was planned.
const trusted = .02

// Left is about how many seconds of work are left after so many seconds.
func (j *Job) Left(elapsed float64) float64 {
	share := j.share()
	return (1 - share) * (elapsed + trusted*j.Seconds()) / (share + trusted)
}

// Pace is how much longer this device takes for the same work than the one for which times are planned. It is measured
// once, in about a millisecond.
var Pace = sync.OnceValue(func() float64 {
	best := time.Hour
	for range 5 {
		start := time.Now()
		sum := 0.0
		for i := range 10000 {
			sum += num.Exp(-sum - float64(i&7))
		}
		if took := time.Since(start); sum > 0 {
			best = min(best, took)
		}
	}
	return float64(best) / paceTime
})

// paceTime is what the measured work takes on the device for which times are planned, in nanoseconds.
const paceTime = 300e3

// Bytes is the most memory that a run of the experiment is counted to take.
func (j *Job) Bytes() (most float64) {
	for _, t := range j.tracks {
		all, _ := j.opt.bytes(t.need, j.Spec.Replicates)
		most = max(most, all)
	}
	return most
}

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

// parallel returns the number of units that run at the same time.
func (o Options) parallel() float64 {
	return float64(cmp.Or(o.Workers, runtime.NumCPU()))
}

// memory returns the bytes that a run takes in all, and the part that stays: records and results of its replicates.
func (o Options) memory(n estimators.Need, replicates int) (all, stays float64) {
	held := min(float64(replicates), 1+o.parallel()/max(n.Lanes, 1)) // replicates that run at the same time
	stays = n.Held*held + n.Result + trackBytes*float64(replicates)
	models := 1.0
	if o.Apart {
		models += o.parallel()
	}
	return stays + models*n.Shared + o.parallel()*n.Lane, stays
}

// trackBytes is the memory that a finished replicate keeps.
const trackBytes = 3000

// budget returns an error if a run would take more memory than the limit.
func (j *Job) budget() error {
	m := meter.Meter{Limit: j.opt.Limit}
	for _, t := range j.tracks {
		if t.m == nil {
			continue
		}
		all, stays := j.opt.memory(t.need, j.Spec.Replicates)
		if m.Fits(all) {
			_ = m.Take(stays, nil, nil)
			continue
		}
		what, instead := j.parametersToReduce(t.run, all)
		return m.Take(all, what, instead)
	}
	return nil
}

// parametersToReduce names the parameters for which halving saves at least a fifth of the memory.
func (j *Job) parametersToReduce(r run, bytes float64) (what, instead error) {
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
				if all, _ := j.opt.memory(m.Need(), j.Spec.Replicates); all < .8*bytes {
					names, values = append(names, p.Name), append(values, p.Name+" = "+spec.Decimal(x))
				}
			}
		}
	}

	// Half the replicates may save as much.
	if n := j.Spec.Replicates; n > 1 && len(c.Readers) > 0 {
		if m, err := estimators.Open(c); err == nil {
			if all, _ := j.opt.memory(m.Need(), n/2); all < .8*bytes {
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

// Seconds returns the approximate duration of the experiment here: the planned work, shared by the workers, at this
// device's pace.
func (j *Job) Seconds() float64 {
	work, lanes := 0.0, 0.0
	for _, t := range j.tracks {
		work += t.need.Time
		lanes += t.need.Lanes
	}
	return work / 1e9 * Pace() / max(1, min(j.opt.parallel(), lanes))
}

// plannedWeight is the share of the work after which the measured pace counts as much as the planned one.
const plannedWeight = .02

// Left returns the approximate remaining seconds of work after elapsed seconds.
func (j *Job) Left(elapsed float64) float64 {
	share := j.share()
	return (1 - share) * (elapsed + plannedWeight*j.Seconds()) / (share + plannedWeight)
}

// Pace returns the time that this device takes for some work, relative to the device for which times are planned. It is
// measured once, in about a millisecond.
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

// paceTime is the time of the measured work, in nanoseconds, on the device for which times are planned.
const paceTime = 300e3

// Bytes returns the largest amount of memory that a run of the experiment is expected to take.
func (j *Job) Bytes() (most float64) {
	for _, t := range j.tracks {
		all, _ := j.opt.memory(t.need, j.Spec.Replicates)
		most = max(most, all)
	}
	return most
}

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

// parallel returns the number of lanes that run at the same time.
func (o Options) parallel() float64 {
	return float64(cmp.Or(o.Workers, runtime.NumCPU()))
}

// memory returns the total bytes that the replicates of a run take, and the bytes that they keep after their end.
func (o Options) memory(n estimators.Need, replicates int) (total, retained float64) {
	concurrent := min(float64(replicates), 1+o.parallel()/max(n.Lanes, 1)) // number of replicates that run at the same time
	retained = n.Retained*concurrent + n.Result + trackBytes*float64(replicates)
	models := 1.0
	if o.SeparateMemory {
		models += o.parallel()
	}
	return retained + models*n.Shared + o.parallel()*n.Lane, retained
}

// trackBytes is the memory in bytes that a finished replicate keeps in addition to its result.
const trackBytes = 3000

// budget returns an error if the runs would take more memory than the limit. The error names parameters to reduce.
func (j *Job) budget() error {
	m := meter.Meter{Limit: j.opt.MemoryLimit}
	for _, t := range j.tracks {
		if t.method == nil {
			continue
		}
		total, retained := j.opt.memory(t.need, j.Spec.Replicates)
		if m.Fits(total) {
			_ = m.Take(retained, nil, nil)
			continue
		}
		subject, advice := j.parametersToReduce(t.run, total)
		return m.Take(total, subject, advice)
	}
	return nil
}

// parametersToReduce returns the two parts of an error about a run that takes too many bytes: what the run is, and advice
// to lower the parameters for which halving saves at least a fifth of the memory.
func (j *Job) parametersToReduce(r run, bytes float64) (subject, advice error) {
	var values, names []string
	c, err := r.config(j.Spec, j.Model, j.opt)
	if err == nil && len(c.Readers) > 0 {
		for _, p := range c.Readers[0].Run().Params {
			x := c.Readers[0].Values.Float(p.Name)
			if p.Type != "int" || x <= p.Min {
				continue
			}
			smaller := c
			smaller.Readers = append([]estimators.Reader(nil), c.Readers...)
			smaller.Readers[0].Values = maps.Clone(c.Readers[0].Values)
			smaller.Readers[0].Values[p.Name] = strconv.Itoa(int(max(x/2, p.Min)))
			if m, err := estimators.Open(smaller); err == nil {
				if total, _ := j.opt.memory(m.Need(), j.Spec.Replicates); total < .8*bytes {
					names, values = append(names, p.Name), append(values, p.Name+" = "+spec.Decimal(x))
				}
			}
		}
	}

	// Half the replicates may save as much.
	if n := j.Spec.Replicates; n > 1 && len(c.Readers) > 0 {
		if m, err := estimators.Open(c); err == nil {
			if total, _ := j.opt.memory(m.Need(), n/2); total < .8*bytes {
				names, values = append(names, "replicates"), append(values, "replicates = "+strconv.Itoa(n))
			}
		}
	}

	// The two parts of the message.
	switch len(names) {
	case 0:
		return problem.New("%s on this model", r.name()), problem.New("choose a smaller model, or fewer workers")
	case 1:
		advice = problem.New("lower %s", names[0])
	default:
		advice = problem.New("lower one of %s", strings.Join(names, ", "))
	}
	return problem.New("%s with %s", r.name(), strings.Join(values, ", ")), advice
}

// Seconds returns the approximate duration of the experiment on this device: the planned time times Pace, divided by the
// number of lanes that run at the same time.
func (j *Job) Seconds() float64 {
	work, lanes := 0.0, 0.0
	for _, t := range j.tracks {
		work += t.need.Time
		lanes += t.need.Lanes
	}
	return work / 1e9 * Pace() / max(1, min(j.opt.parallel(), lanes))
}

// plannedWeight is the finished share of the work at which the remaining time follows equally from the planned duration
// and from the elapsed time.
const plannedWeight = .02

// SecondsLeft returns the approximate number of seconds until the end of the work, after elapsed seconds of work.
func (j *Job) SecondsLeft(elapsed float64) float64 {
	share := j.share()
	return (1 - share) * (elapsed + plannedWeight*j.Seconds()) / (share + plannedWeight)
}

// Pace returns the time that this device takes for a fixed computation, divided by the time on the device for which
// times are planned. It is measured at the first call, in about a millisecond.
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

// paceTime is the time in nanoseconds of the computation in Pace on the device for which times are planned.
const paceTime = 300e3

// MaxBytes returns the largest number of bytes that the replicates of a run of the experiment are expected to take.
func (j *Job) MaxBytes() (most float64) {
	for _, t := range j.tracks {
		all, _ := j.opt.memory(t.need, j.Spec.Replicates)
		most = max(most, all)
	}
	return most
}

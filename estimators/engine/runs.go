package engine

import (
	"maps"
	"slices"
	"strings"

	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/models"
)

// run is one run of an experiment: one replicate, from which one or more methods make their estimates.
type run struct {
	methods   []string
	replicate int
}

// name returns the names of the methods, for error messages.
func (r run) name() string { return strings.Join(r.methods, ", ") }

// groups returns the methods of an experiment grouped by run: the methods of a group share one run, with equal values of
// its parameters.
func groups(s *spec.Spec, names catalog.Names) (out [][]string) {
	at := map[string]int{} // index in out, by the run's name and parameters
	for _, name := range s.Methods {
		info, _ := names.Method(name)
		r := info.Run()
		key, values := r.Name, s.Values(append(slices.Clone(r.Params), r.OptionalParams...), name)
		for _, p := range slices.Sorted(maps.Keys(values)) {
			key += "&" + p + "=" + values[p]
		}
		if i, ok := at[key]; ok {
			out[i] = append(out[i], name)
			continue
		}
		at[key] = len(out)
		out = append(out, []string{name})
	}
	return out
}

// Track numbers. The runs of methods have numbers from firstRun on, replicate by replicate.
const (
	baseTrack = iota
	floorTrack
	sumTrack
	firstRun
)

// runOf returns run number i of an experiment with the given groups.
func runOf(groups [][]string, i int) run {
	return run{groups[i%len(groups)], i / len(groups)}
}

// SameRun returns the methods of an experiment that share a run with the given method, which is included.
func SameRun(s *spec.Spec, names catalog.Names, method string) []string {
	for _, methods := range groups(s, names) {
		if slices.Contains(methods, method) {
			return methods
		}
	}
	return nil
}

// config returns the configuration of a run.
func (r run) config(s *spec.Spec, m models.Model, opt Options) (estimators.Config, error) {
	c := estimators.Config{Model: m, LaneSize: opt.LaneSize, Workers: opt.Workers}
	for _, name := range r.methods {
		info, ok := opt.Names.Method(name)
		if !ok {
			return c, problem.New("method %q is not known", name)
		}
		if c.Target = target(s, name, opt.Names); c.Target == 0 { // each of several replicates is planned for the default standard error
			c.Target = info.Target
		}
		if info.Target > 0 {
			c.SweepLimit = s.SweepLimit()
		}
		c.Readers = append(c.Readers, estimators.Reader{Info: *info, Values: s.Values(info.Params, name)})
	}
	if len(c.Readers) > 0 { // the run for base rates has no readers
		c.Key = rng.NewKey(s.Seed, c.Readers[0].Run().Name, r.replicate)
	}
	return c, nil
}

// open makes the method of a run.
func (r run) open(s *spec.Spec, m models.Model, opt Options) (estimators.Method, error) {
	c, err := r.config(s, m, opt)
	if err != nil {
		return nil, err
	}
	return estimators.Open(c)
}

// Target returns the wanted standard error (nats) of a method, 0 if there is none.
func (j *Job) Target(method string) float64 { return target(j.Spec, method, j.opt.Names) }

func target(s *spec.Spec, method string, names catalog.Names) float64 {
	if info, ok := names.Method(method); ok && s.Target == 0 && s.Replicates == 1 {
		return info.Target
	}
	return s.Target
}

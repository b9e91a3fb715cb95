package trials

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/calibration"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/estimators/targets"
	"logzlab/models"
)

// perBatch is the number of replicates in a batch, the unit of work.
const perBatch = 20

// Batches of a target: 200 replicates where it is cheap, 40 elsewhere.
const (
	batchesOften = 10
	batchesElse  = 2
)

// budgets are from starved to ample: the factor of the parameters that set what a run costs (spec.Param.Main). Where a
// method has islands, ample is more of them instead, since their number says how well an error bar is known.
var budgets = []struct {
	name            string
	factor, islands float64
}{{"starved", .05, 1}, {"small", .2, 1}, {"default", 1, 1}, {"ample", 2, 4}}

// known are the models on which methods are tried.
var known = targets.All()

// Places of names in their lists.
func methodIndex(name string) int {
	return slices.IndexFunc(catalog.Methods, func(m estimators.Info) bool { return m.Name == name })
}

func targetIndex(name string) int {
	return slices.IndexFunc(known, func(t targets.Target) bool { return t.Name == name })
}

func budgetIndex(name string) int {
	for i, b := range budgets {
		if b.name == name {
			return i
		}
	}
	return -1
}

// find is a target by name.
func find(name string) targets.Target {
	if i := targetIndex(name); i >= 0 {
		return known[i]
	}
	return targets.Target{Name: name}
}

// wanted is the number of cells in all.
func wanted() (n int) {
	for _, t := range known {
		for _, m := range catalog.Methods {
			if forms(m, t) {
				n += len(budgets)
			}
		}
	}
	return n
}

// batch is a unit of work: replicates of all methods that read one run, on one target at one budget.
type batch struct {
	methods []string
	target  *opened
	budget  string
	number  int     // of the batch, from 0
	time    float64 // planned, in seconds of a core at the pace for which times are planned
}

// opened is a target whose model has been made.
type opened struct {
	targets.Target
	model models.Model
	exact float64
	cache map[string][][]byte // see engine.Options
}

// parameters are those that a budget gives a method, as key=value, where they are not at their default.
func parameters(info *estimators.Info, budget string) (set []string) {
	at := budgets[budgetIndex(budget)]
	islands := at.islands > 1 && slices.ContainsFunc(info.Params, isIslands)
	for _, p := range info.Params {
		factor := 1.0
		switch {
		case islands && isIslands(p):
			factor = at.islands
		case p.Main && !islands:
			factor = at.factor
		}
		if x := (spec.Values{p.Name: p.Default}); factor != 1 {
			set = append(set, fmt.Sprint(p.Name, "=", max(math.Round(x.Float(p.Name)*factor), p.Min)))
		}
	}
	return set
}

// defaults lists the defaults of a method's parameters.
func defaults(method string) (out []string) {
	info, _ := catalog.Method(method)
	for _, p := range info.Params {
		out = append(out, p.Name+"="+p.Default)
	}
	return out
}

// forget drops the cells of methods of which a default is not what it was. Parameters that are new change no digit.
func (s *state) forget() {
	for method, then := range s.defaults {
		now := defaults(method)
		if slices.ContainsFunc(then, func(kv string) bool { return !slices.Contains(now, kv) }) {
			maps.DeleteFunc(s.cells, func(_ string, c *cell) bool { return c.method == method })
		}
		delete(s.defaults, method)
	}
	for _, c := range s.cells {
		s.defaults[c.method] = defaults(c.method)
	}
}

// link is the experiment of the batch. Its seed is the number of the batch, so that batches are independent.
func (b *batch) link() string {
	link := fmt.Sprint("v=1&model=file:000000000000&method=", strings.Join(b.methods, ","), "&seed=", 1+b.number)
	for _, name := range b.methods {
		info, _ := catalog.Method(name)
		for _, kv := range parameters(info, b.budget) {
			link += "&" + name + "." + kv
		}
	}
	return fmt.Sprint(link, "&replicates=", perBatch)
}

func isIslands(p spec.Param) bool { return p.Name == "islands" }

func (b *batch) job(o engine.Options) (*engine.Job, error) {
	s, err := spec.ParseLink(b.link(), catalog.Names{})
	if err != nil {
		return nil, err
	}
	o.Cache = b.target.cache
	return engine.NewJob(s, b.target.model, o)
}

// run makes the batch and counts it in the cells.
func (b *batch) run(ctx context.Context, s *state, o Options) error {
	start := o.Clock()
	j, err := b.job(engine.Options{Workers: o.Workers})
	if err != nil {
		return err
	}
	if err := engine.Run(ctx, j, o.Workers, nil); err != nil {
		return err
	}
	reports := report.New(j)
	all := reports.All(0)
	seconds := o.Clock() - start
	for i, name := range b.methods {
		c := s.cell(name, b.target.Name, b.budget)
		c.batches++
		c.seconds += seconds / float64(len(b.methods))
		if all[i].Err != nil {
			c.failed += perBatch
			continue
		}
		for _, r := range reports.Each(name) {
			c.take(r, b.target.exact)
		}
		if report.IsNumber(all[i].LogZ) {
			c.count(all[i], float64(all[i].LogZ)-b.target.exact)
		}
	}
	s.seconds += seconds
	return nil
}

// cell finds a cell, or makes it.
func (s *state) cell(method, target, budget string) *cell {
	c := &cell{method: method, target: target, budget: budget, classes: map[string]calibration.Counts{}}
	if old := s.cells[c.name()]; old != nil {
		return old
	}
	s.cells[c.name()], s.defaults[method] = c, defaults(method)
	return c
}

// plan lists the batches that are missing, those first that tell most for their time: what is cheap, and of what is
// equally cheap the batch with the smaller number. Cells of other defaults are forgotten first. The filter
// keeps cells whose name has every word of it.
func (s *state) plan(o Options) (out []*batch, err error) {
	s.forget()
	for _, t := range known {
		at := &opened{Target: t, cache: map[string][][]byte{}}
		wanted := batchesElse
		if t.Often {
			wanted = batchesOften
		}
		for _, budget := range budgets {
			for number := range wanted {
				for _, methods := range s.missing(t.Name, budget.name, number, o.Filter) {
					if at.model == nil {
						if at.model, at.exact, err = t.Open(o.Load); err != nil {
							return nil, fmt.Errorf("%s: %w", t.Name, err)
						}
					}
					b := &batch{methods: methods, target: at, budget: budget.name, number: number}
					if b.plan(out) {
						out = append(out, b)
					}
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *batch) int {
		return cmp.Compare(a.time*float64(1+a.number), b.time*float64(1+b.number))
	})
	return out, nil
}

// missing lists the methods whose batch of a number is missing, those together that read the same run.
func (s *state) missing(target, budget string, number int, filter []string) (out [][]string) {
	at := map[string]int{}
	for _, m := range catalog.Methods {
		c := &cell{method: m.Name, target: target, budget: budget}
		if old := s.cells[c.name()]; old != nil && old.batches > number {
			continue
		}
		if slices.ContainsFunc(filter, func(word string) bool { return !slices.Contains(strings.Fields(c.name()), word) }) {
			continue
		}
		if !forms(m, find(target)) {
			continue
		}
		run := m.Run().Name
		if i, ok := at[run]; ok {
			out[i] = append(out[i], m.Name)
			continue
		}
		at[run] = len(out)
		out = append(out, []string{m.Name})
	}
	return out
}

// forms reports whether the model of a target can be formed, if the method needs that.
func forms(m estimators.Info, t targets.Target) bool {
	return m.Path != estimators.Sequential || models.KindOf(t.Kind).Stepwise
}

// plan finds out the time of the batch, which is that of the one before if they differ by their number alone. Methods
// that refuse such a budget are left out; it is false if none is left.
func (b *batch) plan(before []*batch) bool {
	for i := len(before) - 1; i >= 0 && before[i].target == b.target; i-- {
		if x := before[i]; x.budget == b.budget && slices.Equal(x.methods, b.methods) {
			b.time = x.time
			return true
		}
	}
	j, err := b.job(engine.Options{AtOnce: 1})
	if err == nil {
		b.time = j.Seconds() / engine.Pace()
		return true
	}
	all := b.methods
	if len(all) <= 1 {
		return false
	}
	b.methods = nil
	for _, m := range all {
		if one := (&batch{methods: []string{m}, target: b.target, budget: b.budget}); one.plan(nil) {
			b.methods = append(b.methods, m)
		}
	}
	return len(b.methods) < len(all) && b.plan(before)
}

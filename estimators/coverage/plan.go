package coverage

import (
	"cmp"
	"context"
	"crypto/sha256"
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

// Batches of a cell: 200 replicates where the target is cheap or the method is auto, 40 elsewhere.
const (
	batchesOften = 10
	batchesElse  = 2
)

// budgets are from starved to ample. A budget multiplies the parameters that set what a run costs (spec.Param.Main) by
// its factor, or by the largest of factors below it at which all replicates of a run take no longer than its seconds of
// a core above the time of the smallest run, at the pace for which times are planned. A budget that is then no larger
// than the one before is left out, and so is one of which even the smallest factor takes longer, except the first.
// Where a method has islands, ample is more of them at a factor of 1 or below, since their number says how well an
// error bar is known. All budgets together take about five hours of a core.
var budgets = []budget{{"starved", .05, 1, 5}, {"small", .2, 1, 10}, {"medium", 1, 1, 20}, {"ample", 2, 4, 40}}

// ownBudget is the one budget of methods that choose how much work they do.
const ownBudget = "medium"

type budget struct {
	name                     string
	factor, islands, seconds float64
}

var factors = []float64{2, 1.5, 1, .7, .5, .3, .2, .15, .1, .07, .05, .03, .02}

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
	return slices.IndexFunc(budgets, func(b budget) bool { return b.name == name })
}

// find is a target by name.
func find(name string) targets.Target {
	if i := targetIndex(name); i >= 0 {
		return known[i]
	}
	return targets.Target{Name: name}
}

// batch is a unit of work: replicates of all methods that read one run, on one target at one budget.
type batch struct {
	methods []string
	target  *opened
	budget  budget
	factor  float64 // of the parameters that set what the run costs
	number  int     // of the batch, from 0
	time    float64 // planned, in seconds of a core at the pace for which times are planned
	least   float64 // the same of the smallest run: mostly for enumerations and exact samples
}

// opened is a target whose model has been made.
type opened struct {
	targets.Target
	model models.Model
	exact float64
	cache map[string][][]byte // see engine.Options
}

// batches is how many a cell has. Methods that choose their work have few cells, and many batches in each.
func (b *batch) batches() int {
	if b.target.Often || b.chooses() {
		return batchesOften
	}
	return batchesElse
}

// chooses reports whether the method chooses how much work it does.
func (b *batch) chooses() bool {
	info, _ := catalog.Method(b.methods[0])
	return info.Target > 0
}

// more is the factor of the islands of a method.
func (b budget) more(info *estimators.Info) float64 {
	if slices.ContainsFunc(info.Params, isIslands) {
		return b.islands
	}
	return 1
}

// parameters are those that the batch gives a method, as key=value, where they are not at their default.
func (b *batch) parameters(info *estimators.Info) (set []string) {
	for _, p := range info.Params {
		factor := 1.0
		if isIslands(p) {
			factor = b.budget.more(info)
		} else if p.Main {
			factor = b.factor
		}
		if x := (spec.Values{p.Name: p.Default}); factor != 1 {
			set = append(set, fmt.Sprint(p.Name, "=", max(math.Round(x.Float(p.Name)*factor), p.Min)))
		}
	}
	return set
}

// states are what defaults found.
var states = map[string][]string{}

// defaults lists what the cells of a method depend on: the defaults of its parameters, and digits, a hash of the
// results of small runs.
func defaults(method string) []string {
	if states[method] == nil {
		info, _ := catalog.Method(method)
		for _, p := range info.Params {
			states[method] = append(states[method], p.Name+"="+p.Default)
		}
		states[method] = append(states[method], "digits="+digits(method))
	}
	return states[method]
}

func digits(method string) string {
	target := find("rbm-10x5")
	if info, _ := catalog.Method(method); !catalog.Suits(info, catalog.Kinds.Of(target.Kind).Traits) {
		target = find("mixture2")
	}
	b := &batch{methods: []string{method}, target: &opened{Target: target}, factor: .02}
	var j *engine.Job
	var err error
	if b.target.model, _, err = b.target.Open(nil); err == nil {
		j, err = b.job(engine.Options{})
	}
	if err == nil {
		err = engine.Run(context.Background(), j, 1, nil)
	}
	if err != nil {
		return "none"
	}
	all := ""
	for _, r := range report.New(j).Each(method) {
		all += fmt.Sprintf("%x %x ", float64(r.LogZ), float64(r.SE))
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(all)))[:16]
}

// forget drops the cells of methods of which a default or the digits are not what they were.
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
		for _, kv := range b.parameters(info) {
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
		c := s.cell(name, b)
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
func (s *state) cell(method string, b *batch) *cell {
	c := &cell{method: method, target: b.target.Name, budget: b.budget.name, factor: b.factor,
		classes: map[string]calibration.Counts{}}
	if old := s.cells[c.name()]; old != nil {
		return old
	}
	s.cells[c.name()], s.defaults[method] = c, defaults(method)
	return c
}

// plan lists the batches that are missing, those first that tell most for their time: what is cheap, and of what is
// equally cheap the batch with the smaller number. Cells of other defaults or factors are forgotten first. The filter
// keeps cells whose name has every word of it; without one, all cells are counted.
func (s *state) plan(o Options) (out []*batch, err error) {
	s.forget()
	all := 0
	for _, t := range known {
		at := &opened{Target: t, cache: map[string][][]byte{}}
		for _, methods := range runs(t, o.Filter) {
			if at.model == nil {
				if at.model, at.exact, err = t.Open(o.Load); err != nil {
					return nil, fmt.Errorf("%s: %w", t.Name, err)
				}
			}

			// Budgets, as far as each makes the run longer.
			last := 0.0
			for _, budget := range budgets {
				b := &batch{methods: methods, target: at, budget: budget}
				if b.chooses() && budget.name != ownBudget {
					continue
				}
				if !b.fit() || b.time <= last || last > 0 && b.all() > budget.seconds {
					continue
				}
				last = b.time
				all += len(b.methods)
				out = append(out, s.missing(b, o.Filter)...)
			}
		}
	}

	// Cheap batches first.
	if len(o.Filter) == 0 {
		s.wanted = all
	}
	slices.SortStableFunc(out, func(a, b *batch) int {
		return cmp.Compare(a.time*float64(1+a.number), b.time*float64(1+b.number))
	})
	return out, nil
}

// runs lists the methods that can be tried on a target, those together that read the same run, without runs of which
// the filter keeps no cell.
func runs(t targets.Target, filter []string) (out [][]string) {
	at := map[string]int{}
	for _, m := range catalog.Methods {
		if !catalog.Suits(&m, catalog.Kinds.Of(t.Kind).Traits) {
			continue
		}
		run := m.Run().Name
		if _, ok := at[run]; !ok {
			at[run] = len(out)
			out = append(out, nil)
		}
		out[at[run]] = append(out[at[run]], m.Name)
	}
	return slices.DeleteFunc(out, func(methods []string) bool {
		return !slices.ContainsFunc(methods, func(m string) bool {
			return slices.ContainsFunc(budgets, func(b budget) bool { return keeps(filter, m, t.Name, b.name) })
		})
	})
}

// keeps reports whether a cell has every word of the filter.
func keeps(filter []string, name ...string) bool {
	return !slices.ContainsFunc(filter, func(word string) bool { return !slices.Contains(name, word) })
}

// fit finds the factor and the time of the batch. Methods that refuse such a budget are left out; it is false if none
// is left.
func (b *batch) fit() bool {
	all, fits := b.methods, false
	info, _ := catalog.Method(all[0])
	if b.chooses() {
		b.factor = 1
		return b.takes()
	}
	most := b.budget.factor
	if b.budget.more(info) > 1 {
		most = 1
	}
	if b.least = 0; b.takes() {
		b.least = b.time
	}
	for _, f := range factors {
		if f > most {
			continue
		}
		b.factor, b.methods = f, all
		fits = b.takes()
		if fits && b.all() <= b.budget.seconds {
			break
		}
	}
	return fits
}

// all is the time of all batches of the kind of b, above that of the smallest ones.
func (b *batch) all() float64 { return (b.time - b.least) * float64(b.batches()) }

// takes plans the time of the batch, without the methods that refuse it; it is false if none is left.
func (b *batch) takes() bool {
	if j, err := b.job(engine.Options{Workers: 1}); err == nil {
		b.time = j.Seconds() / engine.Pace()
		return true
	}
	all := b.methods
	b.methods = nil
	for _, m := range all {
		one := *b
		if one.methods = []string{m}; len(all) > 1 && one.takes() {
			b.methods = append(b.methods, m)
		}
	}
	return len(b.methods) > 0 && b.takes()
}

// missing lists the batches of the kind of b that have not been made. Cells of other factors are forgotten.
func (s *state) missing(b *batch, filter []string) (out []*batch) {
	for number := range b.batches() {
		one := *b
		one.number, one.methods = number, nil
		for _, m := range b.methods {
			name := []string{m, b.target.Name, b.budget.name}
			old := s.cells[strings.Join(name, " ")]
			if old != nil && old.factor != b.factor {
				delete(s.cells, old.name())
				old = nil
			}
			if keeps(filter, name...) && (old == nil || old.batches <= number) {
				one.methods = append(one.methods, m)
			}
		}
		if one.methods != nil {
			out = append(out, &one)
		}
	}
	return out
}

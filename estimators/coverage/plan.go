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

// batchSize is the number of replicates in a batch, the unit of work.
const batchSize = 20

// Batches of a cell: 200 replicates if the target is cheap or the method is auto, else 40.
const (
	batchesIfCheap   = 10
	batchesOtherwise = 2
)

// budgets range from starved to ample. A budget multiplies the parameters that determine the cost of a run
// (spec.Param.Main) by its factor, or by the largest smaller one in factors at which all replicates of a run take at
// most its seconds of a core above the time of the smallest run, at the pace for which times are planned. A budget that
// is then no larger than the previous one is left out, and so is one whose smallest factor takes longer, except the
// first. For methods with islands, ample has more of them at a factor of at most 1, since their number determines how
// well the error bar is known. All budgets together take about five hours of a core.
var budgets = []budget{{"starved", .05, 1, 5}, {"small", .2, 1, 10}, {"medium", 1, 1, 20}, {"ample", 2, 4, 40}}

// ownBudget is the only budget of methods that choose their own work.
const ownBudget = "medium"

type budget struct {
	name                     string
	factor, islands, seconds float64
}

var factors = []float64{2, 1.5, 1, .7, .5, .3, .2, .15, .1, .07, .05, .03, .02}

// allTargets are the models on which methods are run.
var allTargets = targets.All()

// Indices of names in their lists.
func methodIndex(name string) int {
	return slices.IndexFunc(catalog.Methods, func(m estimators.Info) bool { return m.Name == name })
}

func targetIndex(name string) int {
	return slices.IndexFunc(allTargets, func(t targets.Target) bool { return t.Name == name })
}

func budgetIndex(name string) int {
	return slices.IndexFunc(budgets, func(b budget) bool { return b.name == name })
}

// find returns a target by name.
func find(name string) targets.Target {
	if i := targetIndex(name); i >= 0 {
		return allTargets[i]
	}
	return targets.Target{Name: name}
}

// batch is a unit of work: replicates of all methods that read one run, on one target at one budget.
type batch struct {
	methods []string
	target  *opened
	budget  budget
	factor  float64 // factor on the parameters that determine the cost of the run
	number  int     // number of the batch, from 0
	time    float64 // planned seconds of a core at the pace for which times are planned
	minTime float64 // the same for the smallest run: mostly enumerations and exact samples
}

// opened is a target whose model has been made.
type opened struct {
	targets.Target
	model models.Model
	exact float64
	cache map[string][][]byte // see engine.Options
}

// batches returns the number of batches of a cell. Methods that choose their work have few cells, with many batches
// each.
func (b *batch) batches() int {
	if b.target.Cheap || b.chooses() {
		return batchesIfCheap
	}
	return batchesOtherwise
}

// chooses reports whether the method chooses its own work.
func (b *batch) chooses() bool {
	info, _ := catalog.Method(b.methods[0])
	return info.Target > 0
}

// more returns the factor on the islands of a method.
func (b budget) more(info *estimators.Info) float64 {
	if slices.ContainsFunc(info.Params, isIslands) {
		return b.islands
	}
	return 1
}

// parameters returns the parameters of a method that are not at their defaults, as key=value.
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

// defaultsOf caches the results of defaults.
var defaultsOf = map[string][]string{}

// defaults returns what the cells of a method depend on: the defaults of its parameters, and a hash of the results of
// small runs, under the key digits.
func defaults(method string) []string {
	if defaultsOf[method] == nil {
		info, _ := catalog.Method(method)
		for _, p := range info.Params {
			defaultsOf[method] = append(defaultsOf[method], p.Name+"="+p.Default)
		}
		defaultsOf[method] = append(defaultsOf[method], "digits="+resultHash(method))
	}
	return defaultsOf[method]
}

func resultHash(method string) string {
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
	for _, r := range report.New(j).PerReplicate(method) {
		all += fmt.Sprintf("%x %x ", float64(r.LogZ), float64(r.SE))
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(all)))[:16]
}

// dropStale drops the cells of methods whose defaults or results have changed.
func (s *state) dropStale() {
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

// link returns the experiment of the batch. Its seed is the number of the batch, so that batches are independent.
func (b *batch) link() string {
	link := fmt.Sprint("v=1&model=file:000000000000&method=", strings.Join(b.methods, ","), "&seed=", 1+b.number)
	for _, name := range b.methods {
		info, _ := catalog.Method(name)
		for _, kv := range b.parameters(info) {
			link += "&" + name + "." + kv
		}
	}
	return fmt.Sprint(link, "&replicates=", batchSize)
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

// run runs the batch and counts it in the cells.
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
			c.failed += batchSize
			continue
		}
		for _, r := range reports.PerReplicate(name) {
			c.addReport(r, b.target.exact)
		}
		if report.IsNumber(all[i].LogZ) {
			c.addErrorBar(all[i], float64(all[i].LogZ)-b.target.exact)
		}
	}
	s.seconds += seconds
	return nil
}

// cell returns a cell, which it makes if necessary.
func (s *state) cell(method string, b *batch) *cell {
	c := &cell{method: method, target: b.target.Name, budget: b.budget.name, factor: b.factor,
		classes: map[string]calibration.Counts{}}
	if old := s.cells[c.name()]; old != nil {
		return old
	}
	s.cells[c.name()], s.defaults[method] = c, defaults(method)
	return c
}

// plan returns the missing batches in the order of usefulness: cheap ones first, and among equally cheap ones the batch
// with the smaller number. Cells with other defaults or factors are dropped first. The filter keeps cells whose name
// has every word of it; without a filter all cells are counted.
func (s *state) plan(o Options) (out []*batch, err error) {
	s.dropStale()
	all := 0
	for _, t := range allTargets {
		at := &opened{Target: t, cache: map[string][][]byte{}}
		for _, methods := range runs(t, o.Filter) {
			if at.model == nil {
				if at.model, at.exact, err = t.Open(o.Load); err != nil {
					return nil, fmt.Errorf("%s: %w", t.Name, err)
				}
			}

			// Budgets, as long as each makes the run longer.
			last := 0.0
			for _, budget := range budgets {
				b := &batch{methods: methods, target: at, budget: budget}
				if b.chooses() && budget.name != ownBudget {
					continue
				}
				if !b.chooseFactor() || b.time <= last || last > 0 && b.totalTime() > budget.seconds {
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

// runs returns the methods that can run on a target, grouped by the run that they read, without groups of which the
// filter keeps no cell.
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

// chooseFactor determines the factor and the time of the batch. Methods that refuse such a budget are left out. It
// returns false if none remains.
func (b *batch) chooseFactor() bool {
	all, fits := b.methods, false
	info, _ := catalog.Method(all[0])
	if b.chooses() {
		b.factor = 1
		return b.planTime()
	}
	most := b.budget.factor
	if b.budget.more(info) > 1 {
		most = 1
	}
	if b.minTime = 0; b.planTime() {
		b.minTime = b.time
	}
	for _, f := range factors {
		if f > most {
			continue
		}
		b.factor, b.methods = f, all
		fits = b.planTime()
		if fits && b.totalTime() <= b.budget.seconds {
			break
		}
	}
	return fits
}

// totalTime returns the time of all batches of the cell above that of the smallest runs.
func (b *batch) totalTime() float64 { return (b.time - b.minTime) * float64(b.batches()) }

// planTime plans the time of the batch without the methods that refuse it. It returns false if none remains.
func (b *batch) planTime() bool {
	if j, err := b.job(engine.Options{Workers: 1}); err == nil {
		b.time = j.Seconds() / engine.Pace()
		return true
	}
	all := b.methods
	b.methods = nil
	for _, m := range all {
		one := *b
		if one.methods = []string{m}; len(all) > 1 && one.planTime() {
			b.methods = append(b.methods, m)
		}
	}
	return len(b.methods) > 0 && b.planTime()
}

// missing returns the missing batches of the cell of b. Cells with other factors are dropped.
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

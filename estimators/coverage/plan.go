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

// batchSize is the number of replicates in a batch. The measurements are made in whole batches.
const batchSize = 20

// Numbers of batches of a cell: 200 replicates if the target is cheap or the method chooses its own work, else 40.
const (
	batchesIfCheap   = 10
	batchesOtherwise = 2
)

// budgets range from starved to ample. A budget multiplies the parameters that determine the cost of a run
// (spec.Param.Main) by its factor. If all replicates of a cell would then take more than its seconds of a core, not
// counting the time of the smallest run (batch.minTime), the factor is the largest entry of factors at which they do
// not. A budget is left out if its runs are no longer than those of the previous budget, or if they take too long even
// at the smallest factor, except the first budget. For methods with islands, ample has four times as many islands and a
// factor of at most 1, because the number of islands determines the precision of the error bar. All budgets together
// take about five hours of a core.
var budgets = []budget{{"starved", .05, 1, 5}, {"small", .2, 1, 10}, {"medium", 1, 1, 20}, {"ample", 2, 4, 40}}

// ownBudget is the only budget of methods that choose their own work, such as auto.
const ownBudget = "medium"

// budget is an amount of computation: the factor on the parameters that determine the cost of a run, the factor on the
// number of islands, and the planned seconds of a core for all replicates of a cell.
type budget struct {
	name                     string
	factor, islands, seconds float64
}

// factors are the possible factors of a budget, in falling order.
var factors = []float64{2, 1.5, 1, .7, .5, .3, .2, .15, .1, .07, .05, .03, .02}

// allTargets are the models on which methods are run.
var allTargets = targets.All()

// methodIndex returns the index of a method in catalog.Methods, -1 if there is none.
func methodIndex(name string) int {
	return slices.IndexFunc(catalog.Methods, func(m estimators.Info) bool { return m.Name == name })
}

// targetIndex returns the index of a target in allTargets, -1 if there is none.
func targetIndex(name string) int {
	return slices.IndexFunc(allTargets, func(t targets.Target) bool { return t.Name == name })
}

// budgetIndex returns the index of a budget in budgets, -1 if there is none.
func budgetIndex(name string) int {
	return slices.IndexFunc(budgets, func(b budget) bool { return b.name == name })
}

// findTarget returns a target by name; a target with the name only if there is none.
func findTarget(name string) targets.Target {
	if i := targetIndex(name); i >= 0 {
		return allTargets[i]
	}
	return targets.Target{Name: name}
}

// batch is a set of batchSize replicates of all methods that read the same run, on one target at one budget.
type batch struct {
	methods []string
	target  *openedTarget
	budget  budget
	factor  float64 // factor on the parameters that determine the cost of the run
	number  int     // number of the batch, from 0
	time    float64 // planned seconds of a reference core (see engine.Pace) for one batch
	minTime float64 // planned seconds of a batch at the smallest factor: mostly for enumerations and exact samples
}

// openedTarget is a target with its model.
type openedTarget struct {
	targets.Target
	model models.Model
	exact float64
	cache map[string][][]byte // see engine.Options
}

// batches returns the number of batches of the cell of b.
func (b *batch) batches() int {
	if b.target.Cheap || b.choosesWork() {
		return batchesIfCheap
	}
	return batchesOtherwise
}

// choosesWork reports whether the method chooses its own amount of work, to reach a target standard error.
func (b *batch) choosesWork() bool {
	info, _ := catalog.Method(b.methods[0])
	return info.Target > 0
}

// islandFactor returns the factor on the number of islands of a method, 1 if it has no islands.
func (b budget) islandFactor(info *estimators.Info) float64 {
	if slices.ContainsFunc(info.Params, isIslands) {
		return b.islands
	}
	return 1
}

// parameters returns the parameters of a method that the budget and the factor change, as key=value.
func (b *batch) parameters(info *estimators.Info) (set []string) {
	for _, p := range info.Params {
		factor := 1.0
		if isIslands(p) {
			factor = b.budget.islandFactor(info)
		} else if p.Main {
			factor = b.factor
		}
		if x := (spec.Values{p.Name: p.Default}); factor != 1 {
			set = append(set, fmt.Sprint(p.Name, "=", max(math.Round(x.Float(p.Name)*factor), p.Min)))
		}
	}
	return set
}

// defaultsOf caches the results of the function defaults by method.
var defaultsOf = map[string][]string{}

// defaults returns what the cells of a method depend on, as key=value: the defaults of its parameters and, under the
// key digits, a hash of the results of small runs, which changes if the method changes.
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

// resultHash returns a hash of the results of small runs of a method, "none" if they fail.
func resultHash(method string) string {
	target := findTarget("rbm-10x5")
	if info, _ := catalog.Method(method); !catalog.Suits(info, catalog.Kinds.Of(target.Kind).Traits) {
		target = findTarget("mixture2")
	}
	b := &batch{methods: []string{method}, target: &openedTarget{Target: target}, factor: .02}
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
	results := ""
	for _, r := range report.New(j).PerReplicate(method) {
		results += fmt.Sprintf("%x %x ", float64(r.LogZ), float64(r.SE))
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(results)))[:16]
}

// dropStale deletes the cells of methods whose defaults or results have changed since the measurement.
func (s *state) dropStale() {
	for method, measured := range s.defaults {
		current := defaults(method)
		if slices.ContainsFunc(measured, func(kv string) bool { return !slices.Contains(current, kv) }) {
			maps.DeleteFunc(s.cells, func(_ string, c *cell) bool { return c.method == method })
		}
		delete(s.defaults, method)
	}
	for _, c := range s.cells {
		s.defaults[c.method] = defaults(c.method)
	}
}

// link returns the link of the batch. Its seed is the number of the batch plus 1, so that batches are independent.
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

// run runs the batch and adds its results to the cells of s.
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
	combined := reports.All(0)
	seconds := o.Clock() - start
	for i, name := range b.methods {
		c := s.cell(name, b)
		c.batches++
		c.seconds += seconds / float64(len(b.methods))
		if combined[i].Err != nil {
			c.failedRuns += batchSize
			continue
		}
		for _, r := range reports.PerReplicate(name) {
			c.addReport(r, b.target.exact)
		}
		if report.IsNumber(combined[i].LogZ) {
			c.addErrorBar(combined[i], float64(combined[i].LogZ)-b.target.exact)
		}
	}
	s.seconds += seconds
	return nil
}

// cell returns the cell of a method for batch b, and adds it to s if there is none.
func (s *state) cell(method string, b *batch) *cell {
	c := &cell{method: method, target: b.target.Name, budget: b.budget.name, factor: b.factor,
		classes: map[string]calibration.Counts{}}
	if old := s.cells[c.name()]; old != nil {
		return old
	}
	s.cells[c.name()], s.defaults[method] = c, defaults(method)
	return c
}

// plan returns the missing batches, sorted by time (1 + number): cheap batches come first, and the first batches of
// expensive cells before later batches of cheap ones. Before, it deletes cells that were measured with other defaults
// or factors. It plans only cells whose name has every word of the filter; without a filter it also sets plannedCells.
func (s *state) plan(o Options) (out []*batch, err error) {
	s.dropStale()
	cells := 0
	for _, t := range allTargets {
		target := &openedTarget{Target: t, cache: map[string][][]byte{}}
		for _, methods := range methodGroups(t, o.Filter) {
			if target.model == nil {
				if target.model, target.exact, err = t.Open(o.Load); err != nil {
					return nil, fmt.Errorf("%s: %w", t.Name, err)
				}
			}

			// Plan each budget whose runs are longer than those of the previous one.
			lastTime := 0.0
			for _, budget := range budgets {
				b := &batch{methods: methods, target: target, budget: budget}
				if b.choosesWork() && budget.name != ownBudget {
					continue
				}
				if !b.chooseFactor() || b.time <= lastTime || lastTime > 0 && b.totalTime() > budget.seconds {
					continue
				}
				lastTime = b.time
				cells += len(b.methods)
				out = append(out, s.missing(b, o.Filter)...)
			}
		}
	}

	// Cheap batches first.
	if len(o.Filter) == 0 {
		s.plannedCells = cells
	}
	slices.SortStableFunc(out, func(a, b *batch) int {
		return cmp.Compare(a.time*float64(1+a.number), b.time*float64(1+b.number))
	})
	return out, nil
}

// methodGroups returns the methods that can run on a target, grouped by the run that they read. It leaves out groups of
// which no cell matches the filter.
func methodGroups(t targets.Target, filter []string) (out [][]string) {
	groupOf := map[string]int{}
	for _, m := range catalog.Methods {
		if !catalog.Suits(&m, catalog.Kinds.Of(t.Kind).Traits) {
			continue
		}
		run := m.Run().Name
		if _, ok := groupOf[run]; !ok {
			groupOf[run] = len(out)
			out = append(out, nil)
		}
		out[groupOf[run]] = append(out[groupOf[run]], m.Name)
	}
	return slices.DeleteFunc(out, func(methods []string) bool {
		return !slices.ContainsFunc(methods, func(m string) bool {
			return slices.ContainsFunc(budgets, func(b budget) bool { return matches(filter, m, t.Name, b.name) })
		})
	})
}

// matches reports whether the name of a cell, given as its parts, has every word of the filter.
func matches(filter []string, name ...string) bool {
	return !slices.ContainsFunc(filter, func(word string) bool { return !slices.Contains(name, word) })
}

// chooseFactor sets the factor and the planned time of the batch according to its budget (see budgets). It removes
// methods that return an error at that factor, and returns false if no method remains.
func (b *batch) chooseFactor() bool {
	methods, hasMethods := b.methods, false
	info, _ := catalog.Method(methods[0])
	if b.choosesWork() {
		b.factor = 1
		return b.planTime()
	}
	maxFactor := b.budget.factor
	if b.budget.islandFactor(info) > 1 {
		maxFactor = 1
	}
	if b.minTime = 0; b.planTime() {
		b.minTime = b.time
	}
	for _, f := range factors {
		if f > maxFactor {
			continue
		}
		b.factor, b.methods = f, methods
		hasMethods = b.planTime()
		if hasMethods && b.totalTime() <= b.budget.seconds {
			break
		}
	}
	return hasMethods
}

// totalTime returns the planned time of all batches of the cell, not counting that of the smallest runs.
func (b *batch) totalTime() float64 { return (b.time - b.minTime) * float64(b.batches()) }

// planTime sets the planned time of the batch. It removes methods that return an error with these parameters, and
// returns false if no method remains.
func (b *batch) planTime() bool {
	if j, err := b.job(engine.Options{Workers: 1}); err == nil {
		b.time = j.Seconds() / engine.Pace()
		return true
	}
	methods := b.methods
	b.methods = nil
	for _, m := range methods {
		single := *b
		if single.methods = []string{m}; len(methods) > 1 && single.planTime() {
			b.methods = append(b.methods, m)
		}
	}
	return len(b.methods) > 0 && b.planTime()
}

// missing returns the batches of the cells of b that are not finished and match the filter. It deletes cells that were
// measured with another factor.
func (s *state) missing(b *batch, filter []string) (out []*batch) {
	for number := range b.batches() {
		missing := *b
		missing.number, missing.methods = number, nil
		for _, m := range b.methods {
			name := []string{m, b.target.Name, b.budget.name}
			old := s.cells[strings.Join(name, " ")]
			if old != nil && old.factor != b.factor {
				delete(s.cells, old.name())
				old = nil
			}
			if matches(filter, name...) && (old == nil || old.batches <= number) {
				missing.methods = append(missing.methods, m)
			}
		}
		if missing.methods != nil {
			out = append(out, &missing)
		}
	}
	return out
}

package page

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/estimators/temper"
)

// The views of the ladder that methods with a tempering run fill.
var (
	_ = register(scene{
		name: "trips", of: "ladder", key: 21, label: "Round trips",
		applies:  method(tempering),
		captions: sayings{{text: "From the base to the target and back. Many trips: nothing holds the chains."}},
		legend:   (*pane).temperatures,
		about:    "The round trips of the first chains, and of each rung the share of visits by chains on their way up.",
		tables: []sceneTable{{[]string{"Chain", "Round trips", "Sweeps of the latest"}, (*pane).tripRows},
			{[]string{"rung", "beta", "On the way up"}, (*pane).upRows}},
	})
	_ = register(scene{
		name: "visits", of: "ladder", key: 22, label: "Visits",
		applies:  method(tempering),
		captions: sayings{{text: "How often each rung is visited, against the plan. Good: bars near 1."}},
		legend:   (*pane).temperatures,
		about:    "Visits of each rung against those planned, c / r, thinned to 200 rows.",
		tables:   []sceneTable{{[]string{"method", "rung", "beta", "c / r", "Counted"}, (*pane).visitRows}},
	})
	_ = register(scene{
		name: "overlaps", of: "ladder", key: 23, label: "Neighbours",
		applies: method(func(m *estimators.Info) bool { return m.Overlaps }),
		captions: sayings{{
			text: "Each bar: how often a move between neighbouring rungs is accepted. Below 0.2, add a rung.",
		}},
		legend: (*pane).temperatures,
		about:  "The overlap of each rung with the next one, thinned to 200 rows.",
		tables: []sceneTable{{[]string{"method", "rung", "beta", "β of the next", "Overlap"}, (*pane).overlapRows}},
	})
	_ = register(scene{
		name: "heat", of: "ladder", key: 24, label: "Overlap map",
		applies: method(tempering),
		captions: sayings{{text: "Strong cells: rungs whose samples would do for each other. " +
			"A gap in the band from corner to corner is a gap in the ladder."}},
		legend: (*pane).temperatures,
		about:  "Of the samples of each rung, the mean chance that they belong to it, to the next rung and to the one after.",
		tables: []sceneTable{{[]string{"rung", "Itself", "Next rung", "The one after"}, (*pane).heatRows}},
	})
	_ = register(scene{
		name: "rounds", of: "ladder", key: 25, label: "Initial rounds",
		applies: method(tempering),
		captions: sayings{{text: "Each round learns log Z from the round before. " +
			"Good: shares become even, and guesses come to the exact curve."}},
		legend: (*pane).temperatures,
		about:  "Each initial iteration: its cost, its guess of log Z at the target, and how uneven the rungs were.",
		tables: guessTables,
	})
	_ = register(scene{
		name: "weights", of: "ladder", key: 26, label: "Weights",
		applies: method(guesses),
		captions: sayings{{text: "The weights of rungs are guesses of log Z that adapt. " +
			"Each line is a guess; the newest is the strongest."}},
		legend: (*pane).temperatures,
		about:  "Each guess: its cost, and log Z at the target.",
		tables: guessTables,
	})
)

// guessTables list the guesses of log Z.
var guessTables = []sceneTable{{
	[]string{"method", "Guess", "field.sweeps", "field.logz", "Least share", "Largest share"}, (*pane).guessRows}}

// method asks whether a method of the experiment is such a one.
func method(is func(*estimators.Info) bool) func(*Brain) bool {
	return func(b *Brain) bool {
		return b.spec != nil && slices.ContainsFunc(b.spec.Methods, func(name string) bool {
			m, ok := catalog.Method(name)
			return ok && is(m)
		})
	}
}

// tempering tells whether a method reads a tempering run.
func tempering(m *estimators.Info) bool { return m.Run().Name == temper.Run.Name }

// guesses tells whether a method tells its guesses of log Z.
func guesses(m *estimators.Info) bool { return tempering(m) || m.Adapts }

// overlapRows are the pairs of neighbouring rungs of each method that measured them.
func (p *pane) overlapRows() (rows [][]string) {
	for _, r := range p.reports {
		for k, o := range r.Overlap {
			if k+1 < len(r.Ladder) && thinned(k, len(r.Overlap), len(p.reports)) {
				rows = append(rows, []string{label(r.Method), fmt.Sprint(k + 1), p.known(float64(r.Ladder[k].Beta), 4),
					p.known(float64(r.Ladder[k+1].Beta), 4), p.known(o, 3)})
			}
		}
	}
	return rows
}

// travelled is the first report that tells how its chains went, nil if none does.
func (p *pane) travelled() (*report.Report, *frame.Travel) {
	for _, r := range p.reports {
		if r.Travel != nil {
			return r, r.Travel
		}
	}
	return nil, nil
}

// tripRows are the first chains.
func (p *pane) tripRows() (rows [][]string) {
	_, t := p.travelled()
	if t == nil {
		return nil
	}
	for i, n := range t.Trips {
		took := "–"
		if i < len(t.Turns) {
			turns := t.Turns[i]
			if k := len(turns) - 1 + len(turns)%2; k >= 3 {
				took = p.count(float64(turns[k-1] - turns[k-3]))
			}
		}
		rows = append(rows, []string{fmt.Sprint(i + 1), p.count(float64(n)), took})
	}
	return append(rows, []string{p.w.Phrase("All chains"), p.count(float64(t.Total)), "–"})
}

// upRows are the rungs with the share of visits on the way up.
func (p *pane) upRows() (rows [][]string) {
	r, t := p.travelled()
	if t == nil {
		return nil
	}
	for k, up := range t.Up {
		if k < len(r.Ladder) && thinned(k, len(t.Up), 1) {
			rows = append(rows, []string{fmt.Sprint(k + 1), p.known(float64(r.Ladder[k].Beta), 4), p.known(up, 3)})
		}
	}
	return rows
}

// visitRows are the rungs of each method with how often they were visited.
func (p *pane) visitRows() (rows [][]string) {
	for _, r := range p.reports {
		for k, c := range r.Occupancy {
			if k >= len(r.Ladder) || !thinned(k, len(r.Occupancy), len(p.reports)) {
				continue
			}
			counted := math.NaN()
			if r.Travel != nil && len(r.Travel.Visits) == len(r.Occupancy) {
				counted = r.Travel.Visits[k]
			}
			rows = append(rows, []string{label(r.Method), fmt.Sprint(k + 1),
				p.known(float64(r.Ladder[k].Beta), 4), p.known(c, 3),
				p.known(counted, 3)})
		}
	}
	return rows
}

// heatRows are the rungs of the first run with how much they overlap with those above.
func (p *pane) heatRows() (rows [][]string) {
	r, t := p.travelled()
	if t == nil {
		return nil
	}
	n := t.Size()
	rungs := max(len(r.Ladder), n)
	for i := range n {
		name := fmt.Sprint(i + 1)
		if n < rungs {
			name = fmt.Sprintf("%d – %d", (i*rungs+n-1)/n+1, ((i+1)*rungs+n-1)/n)
		}
		row := []string{name}
		for j := i; j < i+3; j++ {
			o := math.NaN()
			if j < n {
				o = t.Matrix[i*n+j]
			}
			row = append(row, p.known(o, 3))
		}
		rows = append(rows, row)
	}
	return rows
}

// guessRows are the guesses of each run.
func (p *pane) guessRows() (rows [][]string) {
	for _, r := range p.reports {
		for i, g := range r.Guesses {
			if len(g.LogZ) == 0 || !thinned(i, len(r.Guesses), len(p.reports)) {
				continue
			}
			least, most := math.NaN(), math.NaN()
			if len(g.LogC) > 0 {
				least, most = math.Exp(slices.Min(g.LogC)), math.Exp(slices.Max(g.LogC))
			}
			rows = append(rows, []string{label(r.Method), fmt.Sprint(i + 1), p.count(float64(g.Sweeps)),
				p.known(g.LogZ[len(g.LogZ)-1], 3), p.known(least, 5), p.known(most, 5)})
		}
	}
	return rows
}

package scene

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/estimators/temper"
	"logzlab/wasm/page/state"
)

// The views of the ladder that methods with a tempering run fill.
var (
	_ = Register(Scene{
		Name: "trips", Of: "ladder", Key: 21, Label: "Round trips",
		Asks:     whetherTheyTravel,
		Applies:  method(tempering),
		Captions: Sayings{{Text: "From the base to the target and back. Many trips: nothing holds the chains."}},
		Legend:   temperatures,
		About:    "The round trips of the first chains, and of each rung the share of visits by chains on their way up.",
		Tables: []Table{{[]string{"Chain", "Round trips", "Sweeps of the latest"}, tripRows},
			{[]string{"rung", "beta", "On the way up"}, upRows}},
	})
	_ = Register(Scene{
		Name: "overlaps", Of: "ladder", Key: 23, Label: "Neighbours",
		Asks:    whetherTheyOverlap,
		Applies: method(func(m *estimators.Info) bool { return m.Overlaps }),
		Captions: Sayings{{
			Text: "Each bar: how often a move between neighbouring rungs is accepted. Below 0.2, add a rung.",
		}},
		Legend: temperatures,
		About:  "The overlap of each rung with the next one, thinned to 200 rows.",
		Tables: []Table{{[]string{"method", "rung", "beta", "β of the next", "Overlap"}, overlapRows}},
	})
	_ = Register(Scene{
		Name: "heat", Of: "ladder", Key: 24, Label: "Overlap map",
		Asks:    whetherTheyOverlap,
		Applies: method(tempering),
		Captions: Sayings{{Text: "Dark cell: samples of one temperature can stand in for the other's. " +
			"A gap in the band from corner to corner is a gap in the ladder."}},
		Legend: temperatures,
		About:  "Of the samples of each rung, the mean chance that they belong to it, to the next rung and to the one after.",
		Tables: []Table{{[]string{"rung", "Itself", "Next rung", "The one after"}, heatRows}},
	})
	_ = Register(Scene{
		Name: "rounds", Of: "ladder", Key: 25, Label: "Initial rounds",
		Asks:    whetherTheyTravel,
		Applies: method(tempering),
		Captions: Sayings{{Text: "Each round learns log Z from the round before. " +
			"Good: shares become even, and guesses converge to the exact curve."}},
		Legend: temperatures,
		About:  "Each initial iteration: its cost, its guess of log Z at the target, and how uneven the rungs were.",
		Tables: guessTables,
	})
	_ = Register(Scene{
		Name: "weights", Of: "ladder", Key: 26, Label: "Weights",
		Asks:    whetherTheyTravel,
		Applies: method(guesses),
		Captions: Sayings{{Text: "The weights of rungs are guesses of log Z that adapt. " +
			"Each line is a guess; the newest is the strongest."}},
		Legend: temperatures,
		About:  "Each guess: its cost, and log Z at the target.",
		Tables: guessTables,
	})
)

// guessTables list the guesses of log Z.
var guessTables = []Table{{
	[]string{"method", "Guess", "field.sweeps", "field.logz", "Least share", "Largest share"}, guessRows}}

// method asks whether a method of the experiment is such a one.
func method(is func(*estimators.Info) bool) func(*state.Snapshot) bool {
	return func(s *state.Snapshot) bool {
		return s.Spec != nil && slices.ContainsFunc(s.Spec.Methods, func(name string) bool {
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
func overlapRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		for k, o := range r.Overlap {
			if k+1 < len(r.Ladder) && thinned(k, len(r.Overlap), len(p.Reports)) {
				rows = append(rows, []string{state.Label(r.Method), fmt.Sprint(k + 1), p.Known(float64(r.Ladder[k].Beta), 4),
					p.Known(float64(r.Ladder[k+1].Beta), 4), p.Known(o, 3)})
			}
		}
	}
	return rows
}

// travelled is the first report that tells how its chains went, nil if none does.
func travelled(p *state.Snapshot) (*report.Report, *frame.Travel) {
	for _, r := range p.Reports {
		if r.Travel != nil {
			return r, r.Travel
		}
	}
	return nil, nil
}

// tripRows are the first chains.
func tripRows(p *state.Snapshot) (rows [][]string) {
	_, t := travelled(p)
	if t == nil {
		return nil
	}
	for i, n := range t.Trips {
		took := "–"
		if i < len(t.Turns) {
			turns := t.Turns[i]
			if k := len(turns) - 1 + len(turns)%2; k >= 3 {
				took = p.Count(float64(turns[k-1] - turns[k-3]))
			}
		}
		rows = append(rows, []string{fmt.Sprint(i + 1), p.Count(float64(n)), took})
	}
	return append(rows, []string{p.Words.Phrase("All chains"), p.Count(float64(t.Total)), "–"})
}

// upRows are the rungs with the share of visits on the way up.
func upRows(p *state.Snapshot) (rows [][]string) {
	r, t := travelled(p)
	if t == nil {
		return nil
	}
	for k, up := range t.Up {
		if k < len(r.Ladder) && thinned(k, len(t.Up), 1) {
			rows = append(rows, []string{fmt.Sprint(k + 1), p.Known(float64(r.Ladder[k].Beta), 4), p.Known(up, 3)})
		}
	}
	return rows
}

// heatRows are the rungs of the first run with how much they overlap with those above.
func heatRows(p *state.Snapshot) (rows [][]string) {
	r, t := travelled(p)
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
			row = append(row, p.Known(o, 3))
		}
		rows = append(rows, row)
	}
	return rows
}

// guessRows are the guesses of each run.
func guessRows(p *state.Snapshot) (rows [][]string) {
	for _, r := range p.Reports {
		for i, g := range r.Guesses {
			if len(g.LogZ) == 0 || !thinned(i, len(r.Guesses), len(p.Reports)) {
				continue
			}
			least, most := math.NaN(), math.NaN()
			if len(g.LogC) > 0 {
				least, most = math.Exp(slices.Min(g.LogC)), math.Exp(slices.Max(g.LogC))
			}
			rows = append(rows, []string{state.Label(r.Method), fmt.Sprint(i + 1), p.Count(float64(g.Sweeps)),
				p.Known(g.LogZ[len(g.LogZ)-1], 3), p.Known(least, 5), p.Known(most, 5)})
		}
	}
	return rows
}

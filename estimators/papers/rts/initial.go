package rts

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/stats"
	"logzlab/estimators/engine"
	"logzlab/estimators/papers"
	"logzlab/models"
)

// Fig1 looks at how tempering learns log Z of its rungs from nothing.
var Fig1 = &papers.Experiment{
	Name: "rts-fig1",
	About: "The initial iterations of rts on rbm-pcd-20 from equal guesses: log Z and the shares of the rungs, with " +
		"Rao-Blackwellization and by visits.",
	Figure: "Figure 1 of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	Points: fig1Points, Judge: fig1Judge, Chart: learning,
	Notes: []string{
		"The paper's machine has 10 hidden units and log Z near 120; this lab's own has 20 and log Z near 213, so it " +
			"takes more iterations, and the picture shows more.",
		"Sizes are the paper's: 100 chains, 100 temperatures, 50 sweeps an iteration, fresh uniform rungs for each. The " +
			"paper shows one learning; the findings here are from 20 of each kind, the picture is the first.",
		"The exact curve is that of a long run of RTS, whose end is the exact log Z.",
		"By visits, 0.1 is added to the visits of each rung, as in the paper. The lab itself always learns with " +
			"Rao-Blackwellization, so those rows have no link.",
	},
	Title: "Learning the ladder from nothing",
	Lead: "Tempering starts without knowing log Z of any rung. Each iteration looks where the chains spend their " +
		"time and corrects the guess.",
	Alt: "Above with Rao-Blackwellization, below by visits: on the left log Z of each rung after some iterations and " +
		"exact, on the right the log of the share of each rung in that iteration.",
	Live: [2]string{"v=1&model=rbm-pcd-20&method=rts&rts.init=ones&rts.init_rounds=30&view.scene=ladder",
		"Watch a ladder being learnt"},
}

// guess is what an initial iteration made, for each rung.
type guess struct {
	logC  []float64 // log of the share of the rung
	logZ  []float64 // the next guess of log Z, 0 at the base
	empty int       // rungs without a visit
}

// guesses are those of the runs of a row.
func guesses(r *papers.Row) []guess {
	all, _ := r.More.([]guess)
	return all
}

// Lines of Fig1.
const (
	seriesBlackwell = "RTS"
	seriesVisits    = "By visits"
)

// learners are the sizes of Fig1.
type learners struct{ chains, rungs, sweeps, iterations, replicates int }

func fig1Points(size papers.Size) []papers.Point {
	l := map[papers.Size]learners{papers.Small: {10, 8, 5, 3, 3}, papers.Normal: {100, 100, 50, 30, 20},
		papers.Full: {100, 100, 50, 30, 200}}[size]
	long := tempering{chains: 100, rungs: l.rungs, burn: 200, initialRounds: 4, initialSweeps: 50}
	long.kept = map[papers.Size]int{papers.Small: 20, papers.Normal: 5000, papers.Full: 20000}[size]
	const panel, model = "Initial iterations", "rbm-pcd-20"
	cost := float64(l.chains*l.sweeps*l.iterations*l.replicates) * 2.5e-5
	return []papers.Point{
		{Panel: panel, Series: "RTS, a long run", Reference: true, Make: curve,
			Link: long.link(model, "rts", 1), Cost: float64(long.chains*long.sweeps()) * 5e-6},
		{Panel: panel, Series: seriesBlackwell, Link: l.link(model, l.iterations), Make: l.learn(model, false), Cost: cost},
		{Panel: panel, Series: seriesVisits, Make: l.learn(model, true), Cost: cost},
	}
}

// link is a run that begins with these initial iterations.
func (l learners) link(model string, iterations int) string {
	return fmt.Sprintf("v=1&model=%s&method=rts&rts.chains=%d&rts.temperatures=%d&rts.schedule=linear&rts.init=ones"+
		"&rts.init_rounds=%d&rts.init_sweeps=%d", model, l.chains, l.rungs, iterations, l.sweeps)
}

// curve runs the link of a point and keeps its ladder.
func curve(ctx context.Context, p papers.Point, load papers.Load, progress func(float64)) ([]papers.Row, error) {
	p.Make = nil
	return papers.Measure(ctx, p, papers.Options{Workers: 2, Load: load}, progress)
}

// learn makes a row for each iteration, over replicates.
func (l learners) learn(model string, visits bool) func(context.Context, papers.Point, papers.Load,
	func(float64)) ([]papers.Row, error) {
	return func(ctx context.Context, p papers.Point, load papers.Load, progress func(float64)) ([]papers.Row, error) {
		before := papers.CPUSeconds()
		s, m, err := papers.OpenLink(l.link(model, l.iterations), engine.Source{Load: load})
		if err != nil {
			return nil, err
		}
		runs := make([][]guess, l.iterations)
		for i := range l.replicates {
			for t, g := range l.iterate(m, rng.NewKey(s.Seed, "rts", i), visits) {
				runs[t] = append(runs[t], g)
			}
			if progress(float64(i+1) / float64(l.replicates)); ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		var rows []papers.Row
		for t := 1; t <= l.iterations; t++ {
			if t&(t-1) != 0 && t != enough && t != l.iterations { // 1, 2, 4, 8, ...
				continue
			}
			line := p
			line.At, line.Step = float64(t), fmt.Sprintf("iteration %d", t)
			if !visits {
				line.Link = l.link(model, t)
			}
			rows = append(rows, l.row(line, model, runs[t-1]))
		}
		for i := range rows {
			rows[i].Seconds = (papers.CPUSeconds() - before) / float64(l.replicates*len(rows))
		}
		return rows, nil
	}
}

// iterate makes the initial iterations of [RTS] section 2.4 from equal guesses, as a run of rts with init = ones does,
// or from visits in place of probabilities.
func (l learners) iterate(m models.Model, key rng.Key, visits bool) []guess {
	ladder := make([]float64, l.rungs)
	for k := range ladder {
		ladder[k] = float64(k) / float64(l.rungs-1)
	}
	pop := m.New(l.chains, ladder)
	pop.Draw(rng.At{Key: key})
	z, rung := make([]float64, l.rungs), make([]int32, l.chains)
	x := make([]float64, l.chains*l.rungs)
	var out []guess
	for t := range l.iterations {
		at := rng.At{Key: key, Phase: uint32(firstTempering + t)}
		for i := range rung {
			s := at.Row(i)
			rung[i] = int32(s.Intn(l.rungs))
		}
		shares, count := make([]num.LSE, l.rungs), make([]float64, l.rungs)
		for at.Step = 1; at.Step <= uint32(l.sweeps); at.Step++ {
			pop.Move(at, rung, false)
			pop.LogF(0, l.rungs, x)
			for i := range rung {
				q := x[i*l.rungs : (i+1)*l.rungs]
				for k := range q {
					q[k] -= z[k]
				}
				norm, u := num.LogSumExp(q), at.Key.Uniform(at.Phase|1<<31, uint32(i), at.Step)
				rung[i] = -1
				for k := range q {
					share := num.Exp(q[k] - norm)
					shares[k].Add(q[k] - norm)
					if u -= share; rung[i] < 0 && (u < 0 || k == l.rungs-1) {
						rung[i] = int32(k)
					}
				}
				count[rung[i]]++
			}
		}
		g := guess{logC: make([]float64, l.rungs), logZ: make([]float64, l.rungs)}
		n := float64(l.chains * l.sweeps)
		for k := range z {
			g.logC[k] = shares[k].Value() - num.Log(n)
			if visits {
				g.logC[k] = num.Log((count[k] + .1) / (n + .1*float64(l.rungs)))
			}
			if count[k] == 0 {
				g.empty++
			}
			z[k] += g.logC[k] - g.logC[0]
		}
		copy(g.logZ, z)
		out = append(out, g)
	}
	return out
}

// firstTempering is the phase of the random numbers of the first initial iteration of a run of rts.
const firstTempering = 3

// row is one iteration, over replicates.
func (l learners) row(p papers.Point, model string, runs []guess) papers.Row {
	nan := math.NaN()
	ends := make([]float64, len(runs))
	for i, g := range runs {
		ends[i] = g.logZ[l.rungs-1]
	}
	mean, v := stats.MeanVar(ends)
	return papers.Row{Point: p, Model: model, Method: "rts", Params: papers.Named(p.Link, "rts"), N: len(runs),
		LogMeanExp: nan,
		Mean:       mean, SD: math.Sqrt(v), SE: math.Sqrt(v / float64(len(ends))), Lower: nan, Upper: nan, Known: nan,
		Sweeps: float64(l.chains * l.sweeps), More: runs}
}

// learning draws log Z and log c of each rung over iterations, as the paper does.
func learning(rows []papers.Row, e *papers.Experiment) ([]byte, string, error) {
	var grid [][]*plot.Plot
	var order []string
	for _, s := range []string{seriesBlackwell, seriesVisits} {
		lines := papers.Series(rows, rows[0].Panel, s)
		if len(lines) == 0 {
			continue
		}
		title := map[string]string{seriesBlackwell: "With Rao-Blackwellization", seriesVisits: "By visits"}[s] +
			" (dashed: exact)"
		left, right := papers.NewPlot(title, "rung k", "log Z of the rung"), papers.NewPlot(title, "rung k",
			"log of its share")
		for _, p := range []*plot.Plot{left, right} {
			p.X.Scale, p.X.Tick.Marker = plot.LinearScale{}, papers.Even{}
		}
		order = nil
		for at, r := range lines {
			style := draw.LineStyle{Color: papers.Palette[at%len(papers.Palette)], Width: vg.Points(1.3)}
			if err := addCurve(left, guesses(&r)[0].logZ, style); err != nil {
				return nil, ".svg", err
			}
			if err := addCurve(right, guesses(&r)[0].logC, style); err != nil {
				return nil, ".svg", err
			}
			order = append(order, r.Step)
		}
		dashed := draw.LineStyle{Color: papers.Ink, Width: vg.Points(.9), Dashes: []vg.Length{vg.Points(3), vg.Points(2)}}
		flat := make([]float64, len(guesses(&lines[0])[0].logC))
		for k := range flat {
			flat[k] = -math.Log(float64(len(flat)))
		}
		if err := addCurve(right, flat, dashed); err != nil {
			return nil, ".svg", err
		}
		if exact := exactCurve(rows); exact != nil {
			if err := addCurve(left, exact, dashed); err != nil {
				return nil, ".svg", err
			}
		}
		grid = append(grid, []*plot.Plot{left, right})
	}
	if len(grid) == 0 {
		return nil, ".svg", nil
	}
	return papers.Render(grid, order)
}

// exactCurve is log Z of each rung by the reference, nil without it.
func exactCurve(rows []papers.Row) (z []float64) {
	for _, r := range rows {
		if r.Reference {
			for _, k := range r.Ladders[0] {
				z = append(z, k.LogZ-r.Ladders[0][0].LogZ)
			}
		}
	}
	return z
}

// addCurve draws a value for each rung, from 1.
func addCurve(p *plot.Plot, y []float64, style draw.LineStyle) error {
	xy := make(plotter.XYs, len(y))
	for k := range y {
		xy[k] = plotter.XY{X: float64(k + 1), Y: y[k]}
	}
	l, err := plotter.NewLine(xy)
	if err != nil {
		return err
	}
	l.LineStyle = style
	p.Add(l)
	return nil
}

// enough is the number of initial iterations of the paper, after which log Z at the top must be near for a long run.
const (
	enough = 10
	nearby = 5.0 // nats
)

// veryClose is how far the log of a share may be from that of 1/K, in the mean over replicates of the farthest rung.
const veryClose = .5

func fig1Judge(rows []papers.Row) (out []papers.Finding) {
	if len(rows) == 0 {
		return nil
	}
	rb, visits := papers.Series(rows, rows[0].Panel, seriesBlackwell), papers.Series(rows, rows[0].Panel, seriesVisits)
	if len(rb) > 0 {
		last := &rb[len(rb)-1]
		far, se := over(last, func(g guess) float64 {
			most := 0.
			for _, c := range g.logC {
				most = max(most, math.Abs(c+math.Log(float64(len(g.logC)))))
			}
			return most
		})
		out = append(out, papers.Finding{Paper: "After the initial iterations all shares are very close to those planned.",
			Here: fmt.Sprintf("with Rao-Blackwellization the log of the farthest share is %.2f +- %.2f from that of 1/K after "+
				"%s, in the mean over %d runs; up to %g counts as close.", far, se, last.Step, last.N, veryClose),
			Answer: papers.Below(far-veryClose, se)})
	}
	if len(rb) == 0 || len(visits) == 0 || len(rb) != len(visits) {
		return out
	}
	last := len(rb) - 1
	a, b := &rb[last], &visits[last]
	ra, sa := over(a, rough)
	rv, sv := over(b, rough)
	// dramatically: by a factor of two or more
	ratio, se := math.Log(ra/rv)+math.Ln2, math.Hypot(sa/ra, sv/rv)
	out = append(out, papers.Finding{Paper: "Rao-Blackwellization dramatically reduces the noise of the shares.",
		Here: fmt.Sprintf("after %s neighbouring rungs differ by %.3f +- %.3f in the log of their share (rms), by visits by "+
			"%.2f +- %.2f; half as much counts as dramatic.", a.Step, ra, sa, rv, sv), Answer: papers.Below(ratio, se)})
	empty, n := 0, 0
	for _, r := range visits {
		for _, g := range guesses(&r) {
			n++
			if g.empty > 0 {
				empty++
			}
		}
	}
	f := papers.Finding{Paper: "Without it, updates are sometimes infinite: some rung has no visit.",
		Here: fmt.Sprintf("in %d of %d iterations that were looked at some rung had none.", empty, n), Answer: papers.Contradicts}
	if empty > 0 {
		f.Answer = papers.Agrees
	}
	out = append(out, f)
	if exact := exactCurve(rows); exact != nil {
		at := 0
		for at < last && rb[at].At < enough {
			at++
		}
		a, b, end := &rb[at], &visits[at], exact[len(exact)-1]
		offA, offB := a.Mean-end, b.Mean-end
		here := fmt.Sprintf("log Z at the top is off by %+.1f +- %.1f in the mean", offA, a.SE)
		out = append(out, papers.Finding{Paper: "Ten iterations from equal guesses are enough for a long run.",
			Here:   fmt.Sprintf("after %s %s; up to %g count as enough.", a.Step, here, nearby),
			Answer: papers.Below(math.Abs(offA)-nearby, a.SE)},
			papers.Finding{Paper: "With Rao-Blackwellization log Z comes near sooner.",
				Here: fmt.Sprintf("after %s %s, and by %+.1f +- %.1f by "+
					"visits.", a.Step, here, offB, b.SE), Answer: papers.Below(math.Abs(offA)-math.Abs(offB), math.Hypot(a.SE, b.SE))})
	}
	return out
}

// rough is the root mean square of the steps of log c from rung to rung.
func rough(g guess) float64 {
	sum := 0.
	for k := range len(g.logC) - 1 {
		d := g.logC[k+1] - g.logC[k]
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(g.logC)-1))
}

// over is the mean of f over replicates and its standard error.
func over(r *papers.Row, f func(guess) float64) (mean, se float64) {
	x := make([]float64, len(guesses(r)))
	for i, g := range guesses(r) {
		x[i] = f(g)
	}
	mean, v := stats.MeanVar(x)
	return mean, math.Sqrt(v / float64(len(x)))
}

package rts

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"logzlab/core/cpu"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/papers"
	"logzlab/estimators/training"
	"logzlab/models"
	"logzlab/models/rbm"
)

// Fig1 shows how tempering estimates log Z of its rungs iteratively, from initial guesses that are equal for all rungs.
var Fig1 = &papers.Experiment{
	Name: "rts-fig1",
	About: "The initial iterations of rts on an RBM of 10 hidden units from equal guesses: log Z and the shares of " +
		"the rungs, with Rao-Blackwellization and by visits.",
	Figure: "Figure 1 of the RTS paper (Carlson, Stinson, Pakman and Paninski)",
	Points: fig1Points, Judge: fig1Judge, Chart: learningChart,
	More: []guess(nil),
	Notes: []string{
		"The RBM is trained first, in some ten seconds, as the link of the exact row does: 10 hidden units like the " +
			"paper's, on the bundled digits, by plain PCD at a fixed rate. Its log Z is exact, 159; the paper's is near 120.",
		"The path starts from the rates of the pixels in these digits, as the paper's does.",
		"Sizes are the paper's: 100 chains, 100 temperatures, 50 sweeps an iteration, fresh uniform rungs for each. The " +
			"paper shows one learning; the findings here are from 20 of each kind, the picture is the first.",
		"By visits, 0.1 is added to the visits of each rung, as in the paper. The lab itself always learns with " +
			"Rao-Blackwellization, so those rows have no link.",
	},
	Title: "Learning the ladder from nothing",
	Lead: "Tempering starts without knowing log Z of any rung. Each iteration estimates the share of each rung in " +
		"the samples, and corrects the guesses of log Z by it.",
	Alt: "Above with Rao-Blackwellization, below by visits: on the left log Z of each rung after some iterations and " +
		"exact, on the right the log of the share of each rung in that iteration.",
	Live: [2]string{"v=1&model=rbm-pcd-20&start=rates&method=rts&rts.init=ones&rts.init_rounds=10&view.scene=ladder",
		"Watch a ladder being learnt"},
}

// guess is the result of an initial iteration.
type guess struct {
	LogC  []float64 // by rung: log of c_k, the estimated share of the samples at rung k
	LogZ  []float64 // by rung: the next guess of log Z relative to the base
	Empty int       // number of rungs without visits
}

// guesses returns the guesses of a row, one for each replicate.
func guesses(r *papers.Row) []guess {
	all, _ := r.More.([]guess)
	return all
}

// Series of Fig1.
const (
	seriesBlackwell = "RTS"
	seriesVisits    = "By visits"
)

// fig1Sizes are the sizes of Fig1.
type fig1Sizes struct{ chains, rungs, sweeps, iterations, replicates int }

// trainingLink trains the RBM of Fig1: plain PCD at a fixed rate, with all bundled digits.
const trainingLink = "v=1&train=digits&hidden=10&batch=20&rate=0.01&last=1&gradient=pcd&centred=no&decay=0&validation=0" +
	"&start=rates&updates="

// fig1Points returns one point, whose rows are the exact values and the iterations.
func fig1Points(size papers.Size) []papers.Point {
	l := map[papers.Size]fig1Sizes{papers.Small: {10, 8, 5, 3, 3}, papers.Normal: {100, 100, 50, 10, 20},
		papers.Full: {100, 100, 50, 10, 200}}[size]
	updates := map[papers.Size]int{papers.Small: 50, papers.Normal: 20000, papers.Full: 20000}[size]
	return []papers.Point{{Panel: "Initial iterations", Series: seriesExact, Reference: true, Make: l.learn,
		Link: fmt.Sprintf("%s%d", trainingLink, updates),
		Cost: float64(updates)*5e-4 + float64(2*l.chains*l.sweeps*l.iterations*l.replicates)*2.5e-5}}
}

// seriesExact is the series of the exact log Z of each rung.
const seriesExact = "Exact"

// learn is the function Make of the point. It trains the RBM, and returns a row with its exact log Z and, for each of
// the two estimators, a row for each iteration with the results of all replicates.
func (l fig1Sizes) learn(ctx context.Context, p papers.Point, load papers.Load, progress func(float64)) ([]papers.Row,
	error) {
	before := cpu.Seconds()
	m, err := trainRBM(ctx, p.Link, load, func(share float64) { progress(share / 2) })
	if err != nil {
		return nil, err
	}
	exact, err := exactRow(p, m, l.rungs)
	if err != nil {
		return nil, err
	}
	exact.Seconds = cpu.Seconds() - before
	rows := []papers.Row{exact}

	// Run the iterations with both estimators, for all replicates.
	for kind, series := range []string{seriesBlackwell, seriesVisits} {
		before := cpu.Seconds()
		runs := make([][]guess, l.iterations)
		for i := range l.replicates {
			for t, g := range l.iterate(m, rng.NewKey(1, "rts", i), series == seriesVisits) {
				runs[t] = append(runs[t], g)
			}
			progress(.5 + .25*(float64(kind)+float64(i+1)/float64(l.replicates)))
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}

		// A row for each iteration, with equal shares of the time.
		var line []papers.Row
		for t := 1; t <= l.iterations; t++ {
			if t == 1 || t%2 == 0 || t == l.iterations { // the iterations in the paper's figure, and the last
				at := papers.Point{Panel: p.Panel, Series: series, At: float64(t), Step: fmt.Sprintf("iteration %d", t)}
				line = append(line, l.row(at, runs[t-1]))
			}
		}
		for i := range line {
			line[i].Seconds = (cpu.Seconds() - before) / float64(l.replicates*len(line))
		}
		rows = append(rows, line...)
	}
	return rows, nil
}

// trainRBM trains the RBM of a training link on all rows of its data.
func trainRBM(ctx context.Context, link string, load papers.Load, progress func(float64)) (*rbm.Model, error) {
	l, err := training.ParseLink(link)
	if err != nil {
		return nil, err
	}
	bits, m, err := trainingRows(l.Data, load)
	if err != nil {
		return nil, err
	}
	recipe := training.Recipe(l.Values, l.Seed)
	w, err := rbm.Train(bits, m, recipe, func(u int, _ *rbm.Weights) bool {
		progress(float64(u) / float64(recipe.Updates))
		return ctx.Err() == nil
	})
	if err = cmp.Or(ctx.Err(), err); err != nil {
		return nil, err
	}
	means := make([]float64, m)
	for i, b := range bits {
		means[i%m] += float64(b)
	}
	for i := range means {
		means[i] /= float64(len(bits) / m)
	}
	return rbm.New(rbm.Params{M: w.M, J: w.J, W: w.W, C: w.C, B: w.B, P1: means, Means: means, Rows: len(bits) / m,
		Start: l.Values["start"]}, nil)
}

// exactRow returns a row with the exact log Z of each rung, by summing over the states of the hidden units.
func exactRow(p papers.Point, m *rbm.Model, rungs int) (papers.Row, error) {
	ladder := uniformLadder(rungs)
	z, err := m.LadderLogZ(ladder)
	if err != nil {
		return papers.Row{}, err
	}
	row := unmeasured(p)
	row.N, row.Mean, row.LogMeanExp, row.SD = 1, z[rungs-1], z[rungs-1], math.NaN()
	rung := make([]estimators.Rung, rungs)
	for k := range rung {
		rung[k] = estimators.Rung{Beta: ladder[k], LogZ: z[k]}
	}
	row.Ladders = [][]estimators.Rung{rung}
	return row, nil
}

// uniformLadder returns evenly spaced inverse temperatures from 0 to 1.
func uniformLadder(rungs int) []float64 {
	ladder := make([]float64, rungs)
	for k := range ladder {
		ladder[k] = float64(k) / float64(rungs-1)
	}
	return ladder
}

// iterate runs the initial iterations of [RTS] section 2.4 from equal guesses, as a run of rts with init = ones does.
// If visits is set, c_k is estimated from the number of visits of rung k instead of the mean of its conditional
// probabilities.
func (l fig1Sizes) iterate(m models.Model, key rng.Key, visits bool) []guess {
	pop := m.New(l.chains, uniformLadder(l.rungs))
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

		// Sweep, draw rungs, and accumulate probabilities and visits.
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

		// The next guess, from probabilities or from visits.
		g := guess{LogC: make([]float64, l.rungs), LogZ: make([]float64, l.rungs)}
		n := float64(l.chains * l.sweeps)
		for k := range z {
			g.LogC[k] = shares[k].Value() - num.Log(n)
			if visits {
				g.LogC[k] = num.Log((count[k] + .1) / (n + .1*float64(l.rungs)))
			}
			if count[k] == 0 {
				g.Empty++
			}
			z[k] += g.LogC[k] - g.LogC[0]
		}
		copy(g.LogZ, z)
		out = append(out, g)
	}
	return out
}

// firstTempering is the random number phase of the first initial iteration of a run of rts.
const firstTempering = 3

// row returns the row of an iteration with the guesses of all replicates.
func (l fig1Sizes) row(p papers.Point, runs []guess) papers.Row {
	row := unmeasured(p)
	for _, g := range runs {
		row.Estimates = append(row.Estimates, g.LogZ[l.rungs-1])
	}
	mean, v := stats.MeanVar(row.Estimates)
	row.N, row.Mean, row.SD, row.SE = len(runs), mean, math.Sqrt(v), math.Sqrt(v/float64(len(runs)))
	row.Skewness, row.Kurtosis = papers.Shape(row.Estimates)
	row.Sweeps, row.More = float64(l.chains*l.sweeps), runs
	return row
}

// unmeasured returns a row of the trained RBM without results.
func unmeasured(p papers.Point) papers.Row {
	nan := math.NaN()
	return papers.Row{Point: p, Model: "rbm", Method: "rts", Params: cmp.Or(papers.LinkParams(p.Link, "rts"), p.Step),
		LogMeanExp: nan, Mean: nan, SD: nan, Skewness: nan, Kurtosis: nan, Paired: nan, SE: nan, Lower: nan, Upper: nan,
		Known: nan}
}

// This lab's quantitative interpretation of the paper's claims.
const (
	paperIterations = 10  // the paper's number of initial iterations
	maxOffset       = 5.0 // nats: ten iterations are enough if log Z of the target is within this of the exact value
	maxShareOffset  = .5  // shares are very close to uniform if max |log c_k + log K| is at most this on average
)

// fig1Judge judges the shares and log Z after the initial iterations, with both estimators.
func fig1Judge(rows []papers.Row) (out []papers.Finding) {
	if len(rows) == 0 {
		return nil
	}
	rb, visits := papers.Series(rows, rows[0].Panel, seriesBlackwell), papers.Series(rows, rows[0].Panel, seriesVisits)
	if len(rb) == 0 || len(rb) != len(visits) {
		return nil
	}
	last := len(rb) - 1
	a, b := &rb[last], &visits[last]

	// The largest deviation of a share from 1/K in the last iteration.
	deviation, se := meanOver(a, func(g guess) float64 {
		largest := 0.
		for _, c := range g.LogC {
			largest = max(largest, math.Abs(c+math.Log(float64(len(g.LogC)))))
		}
		return largest
	})
	out = append(out, papers.Finding{Paper: "In the final iteration all shares are very close to those planned.",
		Here: fmt.Sprintf("with Rao-Blackwellization the log of the farthest share is %.2f +- %.2f from that of 1/K after "+
			"%s, in the mean over %d runs; up to %g is what we read as very close.", deviation, se, a.Step, a.N, maxShareOffset),
	}.Within(deviation, maxShareOffset, se, "log of a share"))

	// The noise of the shares.
	roughnessRB, seRB := meanOver(a, roughness)
	roughnessVisits, seVisits := meanOver(b, roughness)
	out = append(out, papers.Finding{Paper: "Rao-Blackwellization dramatically reduces the noise of the shares.",
		Here: fmt.Sprintf("after %s neighbouring rungs differ by %.3f +- %.3f in the log of their share (rms), by visits by "+
			"%.2f +- %.2f.", a.Step, roughnessRB, seRB, roughnessVisits, seVisits),
	}.Below(math.Log(roughnessRB/roughnessVisits), math.Hypot(seRB/roughnessRB, seVisits/roughnessVisits), papers.UnitErrors))
	out = append(out, sometimesInfinite(visits))

	// Log Z of the target after paperIterations iterations, against the exact value.
	if exact := exactCurve(rows); exact != nil {
		index := 0
		for index < last && rb[index].At < paperIterations {
			index++
		}
		a, b, end := &rb[index], &visits[index], exact[len(exact)-1]
		errorRB, errorVisits := a.Mean-end, b.Mean-end
		text := fmt.Sprintf("log Z at the top is off by %+.1f +- %.1f in the mean", errorRB, a.SE)
		out = append(out, papers.Finding{Paper: "Ten iterations from equal guesses are enough for a long run.",
			Here: fmt.Sprintf("after %s %s; up to %g is what we read as enough.", a.Step, text, maxOffset),
		}.Within(math.Abs(errorRB), maxOffset, a.SE, "nats"),
			papers.Finding{Paper: "With Rao-Blackwellization log Z comes near sooner.",
				Here: fmt.Sprintf("after %s %s, and by %+.1f +- %.1f by visits.", a.Step, text, errorVisits, b.SE),
			}.Below(math.Abs(errorRB)-math.Abs(errorVisits), math.Hypot(a.SE, b.SE), "nats"))
	}
	return out
}

// sometimesInfinite returns the finding that some rung has no visit in an iteration; an update by visits would then be
// infinite.
func sometimesInfinite(visits []papers.Row) papers.Finding {
	empty, n := 0, 0
	for _, r := range visits {
		for _, g := range guesses(&r) {
			n++
			if g.Empty > 0 {
				empty++
			}
		}
	}
	f := papers.Finding{Paper: "Without it, updates are sometimes infinite: some rung has no visit.",
		Here:   fmt.Sprintf("in %d of %d iterations that were looked at some rung had none.", empty, n),
		Answer: papers.Contradicts}
	if empty > 0 {
		f.Answer = papers.Agrees
	}
	return f
}

// roughness returns the root mean square difference of log c between neighbouring rungs.
func roughness(g guess) float64 {
	sum := 0.
	for k := range len(g.LogC) - 1 {
		d := g.LogC[k+1] - g.LogC[k]
		sum += d * d
	}
	return math.Sqrt(sum / float64(len(g.LogC)-1))
}

// meanOver returns the mean of f over the replicates of a row, and its standard error.
func meanOver(r *papers.Row, f func(guess) float64) (mean, se float64) {
	x := make([]float64, len(guesses(r)))
	for i, g := range guesses(r) {
		x[i] = f(g)
	}
	mean, v := stats.MeanVar(x)
	return mean, math.Sqrt(v / float64(len(x)))
}

package costs

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/factor"
	"logzlab/core/files/modelfile"
	"logzlab/core/num/rng"
	"logzlab/estimators/papers"
	"logzlab/models"
	"logzlab/models/graph"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// Glass measures the time to an error of 0.1 nats on spin glasses of growing size, whose exact log Z is known by
// variable elimination.
var Glass = &papers.Experiment{
	Name: "graph-glass",
	About: "Processor seconds until the error of log Z is 0.1 nat on spin glasses of 6 x 6 to 20 x 20 spins: annealing, " +
		"tempering and particles, by single draws, by blocks of trees, and from a tree.",
	Figure: "How a glass breaks a sampler",
	By:     "this lab",
	Points: glassPoints, Judge: glassJudge, Chart: glassChart, Files: glassFiles,
	Axes: papers.Axes{RMSE: true, Needs: true},
	Notes: []string{
		"No paper has this figure. Glasses are open lattices at inverse temperature 1, one of each size and kind; log Z " +
			"is by elimination.",
		"Effort grows with the side L: annealing and SMC take 30 L temperatures, tempering 2 L rungs and 30 L sweeps, each " +
			"with 100 chains or particles; rm and arm have 400 particles, moved once. From the root mean squared error e of " +
			"an estimate in t seconds follow the seconds until it is 0.1, t (e/0.1)^2, as if errors fell with the root of " +
			"the time: too kind where a part of the glass is missed.",
		"Seconds are processor time of one core, with all that a run does. The time of annealing's chains on the way " +
			"back, which start from exact samples and give an upper bound, is taken for half of it. With 400 spins there " +
			"are none, as exact samples would take too long.",
		"A row has 16 estimates, but 6 of arm and of Gaussian couplings on 20 x 20 spins.",
		"Annealing by single draws is 2.3 times as fast for couplings of -1 and 1 as for others: their sums are small " +
			"whole numbers.",
		"A tree has the strongest couplings. Where all are 1 in size, any would do.",
		"rm with order = ahead is not shown: up to 16 x 16 its tables hold the exact sum.",
	},
	Title: "What a glass costs as it grows",
	Lead: "Log Z of a spin glass is exact by elimination here, so methods can be held against it. How many processor " +
		"seconds does a tenth of a nat take, and how fast does that grow?",
	Alt: "For glasses with couplings -1 and 1 and with Gaussian ones, the processor seconds to an error of 0.1 nat " +
		"against the number of spins: a panel for each family of methods, in it a line for each method.",
	Live: [2]string{"v=1&model=glass16&method=ais&view.scene=graph", "Cool a glass of 256 spins"},
}

// glassKinds are the panels: two kinds of couplings.
var glassKinds = []string{"couplings -1 and 1", "Gaussian couplings"}

// glassSides are the side lengths of the lattices.
var glassSides = []int{6, 10, 14, 20}

// gaussianGlass returns an open lattice with normally distributed couplings.
func gaussianGlass(side int) *factor.Graph {
	g := graph.Glass(side, side, 1, 1)
	s := rng.NewKey(1, "gaussian", side).Stream(0, 0, 0)
	for i, f := range g.Factors {
		g.Factors[i] = graph.Coupling(f.Vars[0], f.Vars[1], s.Normal())
	}
	return g
}

// glassOf returns a spin glass of a kind (index in glassKinds) as a graph and as a model file, with the id of the file.
func glassOf(kind, side int) (g *factor.Graph, file models.File, id string) {
	if g = gaussianGlass(side); kind == 0 {
		g = graph.Glass(side, side, 1, 1)
	}
	p, err := graph.FileOf(g, nil)
	if err != nil {
		panic(err)
	}
	return g, p, modelfile.ID(p.Canonical())
}

// glassFiles returns all spin glasses as CSV files with a line for each coupling, by file name.
func glassFiles() map[string][]byte {
	out := map[string][]byte{}
	for kind, name := range []string{"signs", "gaussian"} {
		for _, side := range glassSides {
			g, _, _ := glassOf(kind, side)
			var b bytes.Buffer
			b.WriteString("i,j,J\n")
			for _, f := range g.Factors {
				fmt.Fprintf(&b, "%d,%d,%s\n", f.Vars[0], f.Vars[1], strconv.FormatFloat(f.Table[0], 'g', -1, 64))
			}
			out[fmt.Sprintf("glass-%s-%d.csv", name, side)] = b.Bytes()
		}
	}
	return out
}

// glassSeries are the series: a method, its parameters with RUNGS and STEPS in place of sizes, and the parameters of
// the model.
var glassSeries = []struct{ series, method, params, model string }{
	{"AIS, single", "ais", "chains=100 temperatures=STEPS schedule=linear", ""},
	{"AIS, trees", "ais", "chains=100 temperatures=STEPS schedule=linear", "&sweep=trees"},
	{"AIS, from a tree", "ais", "chains=100 temperatures=STEPS schedule=linear", "&sweep=trees&start=tree"},
	{"RTS, single", "rts", "chains=100 temperatures=RUNGS sweeps=STEPS schedule=linear", ""},
	{"RTS, trees", "rts", "chains=100 temperatures=RUNGS sweeps=STEPS schedule=linear", "&sweep=trees"},
	{"RTS, from a tree", "rts", "chains=100 temperatures=RUNGS sweeps=STEPS schedule=linear", "&sweep=trees&start=tree"},
	{"SMC, single", "smc", "particles=100 islands=1 temperatures=STEPS schedule=linear", ""},
	{"RM, connected", "rm", "particles=400 islands=1 moves=1", ""},
	{"ARM, connected", "arm", "particles=400 islands=1 moves=1", ""},
}

// expensiveRuns is the number of estimates, at the default size, of points whose estimates take seconds.
const expensiveRuns = 6

// sweepSeconds is the approximate number of CPU seconds of a sweep, per spin.
const sweepSeconds = 15e-9

// glassPoints returns a point for each series on each spin glass.
func glassPoints(size papers.Size) (out []papers.Point) {
	sides, n := glassSides, map[papers.Size]int{papers.Small: 3, papers.Normal: 16, papers.Full: 100}[size]
	if size == papers.Small {
		sides = []int{6}
	}
	for kind, panel := range glassKinds {
		for _, side := range sides {
			_, file, id := glassOf(kind, side)
			for _, s := range glassSeries {
				link := "v=1&model=" + id + "&method=" + s.method + s.model
				for _, set := range strings.Fields(s.params) {
					set = strings.NewReplacer("RUNGS", strconv.Itoa(2*side), "STEPS", strconv.Itoa(30*side)).Replace(set)
					link += "&" + s.method + "." + set
				}
				n := n
				if size == papers.Normal && side == 20 && (kind == 1 || s.method == "arm") {
					n = expensiveRuns
				}
				p := papers.Point{Panel: panel, Series: s.series, File: file, At: float64(side * side),
					Link: fmt.Sprintf("%s&replicates=%d", link, n), Step: fmt.Sprintf("%d x %d", side, side),
					Cost: sweepSeconds * float64(n*3000*side*side*side)}
				if s.method == "ais" && side < 20 {
					p.Counted = .5
				}
				out = append(out, p)
			}
		}
	}
	return out
}

// glassJudge compares methods on the largest spin glass, and measures how the time grows with the number of spins.
func glassJudge(rows []papers.Row) (out []papers.Finding) {
	for _, panel := range papers.Panels(rows) {
		largestGlass := func(series string) []papers.Row {
			line := papers.Series(rows, panel, series)
			return line[max(0, len(line)-1):]
		}
		compareTimes := func(claim, a, b string) {
			x, y := largestGlass(a), largestGlass(b)
			if len(x) == 0 || len(y) == 0 || x[0].At != y[0].At {
				return
			}
			ratio, varX := logSeconds(&x[0])
			logY, varY := logSeconds(&y[0])
			ratio -= logY
			out = append(out, papers.Finding{Paper: fmt.Sprintf("%s, %s: %s", panel, x[0].Step, claim),
				Here: fmt.Sprintf("%.2g s against %.2g s, %s times as long.", x[0].SecondsTo(.1), y[0].SecondsTo(.1),
					papers.FormatErrorRatio(ratio, math.Sqrt(varX+varY)))}.Below(ratio, math.Sqrt(varX+varY), papers.UnitTimes))
		}

		// Pairs of methods on the largest glass.
		compareTimes("annealing with blocks of trees gets to 0.1 nat sooner than with single draws.", "AIS, trees", "AIS, single")
		compareTimes("tempering with blocks of trees gets there sooner than with single draws.", "RTS, trees", "RTS, single")
		compareTimes("annealing from a tree gets there sooner than from uniform states.", "AIS, from a tree", "AIS, trees")
		compareTimes("tempering from a tree gets there sooner than from uniform states.", "RTS, from a tree", "RTS, trees")
		compareTimes("annealing gets there sooner than forming spin by spin (rm).", "AIS, single", "RM, connected")

		// The growth of the time with the number of spins.
		for _, series := range []string{"AIS, single", "RTS, single", "RM, connected"} {
			line := papers.Series(rows, panel, series)
			if len(line) < 2 {
				continue
			}
			a, b := &line[0], &line[len(line)-1]
			logFirst, v := logSeconds(a)
			logLast, w := logSeconds(b)
			spins := math.Log(b.At / a.At)
			power, se := (logLast-logFirst)/spins, math.Sqrt(v+w)/spins
			out = append(out, papers.Finding{Panel: panel, Paper: "the time of " + series + " grows faster than the spins.",
				Here: fmt.Sprintf("from %s to %s it grows as the number of spins to the power %.2g +- %.2g.", a.Step, b.Step,
					power, se)}.Below(1-power, se, "power"))
		}
	}
	return out
}

// logSeconds returns the log of the seconds to an error of 0.1 nats, and its variance.
func logSeconds(r *papers.Row) (log, variance float64) {
	_, v := papers.ByRMS(r)
	return math.Log(r.SecondsTo(.1)), 4 * v
}

// glassFamilies are the families of methods. Each is a panel for each kind of couplings, with three series, because
// nine series in one panel would be unreadable.
var glassFamilies = []struct{ name, methods string }{{"annealing", "AIS"}, {"tempering", "RTS"},
	{"particles", "SMC RM ARM"}}

// glassChart plots the seconds to an error of 0.1 nats against the number of spins. Families of methods are the rows of
// the figure, kinds of couplings the columns; all panels have the same scale.
func glassChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	var shown []papers.Row
	low, high := math.Inf(1), 0.
	for _, f := range glassFamilies {
		for _, kind := range papers.Panels(rows) {
			for _, r := range rows {
				method, _, _ := strings.Cut(r.Series, ",")
				t := r.SecondsTo(.1)
				if r.Panel != kind || !slices.Contains(strings.Fields(f.methods), method) || !(t > 0) || math.IsInf(t, 1) {
					continue
				}
				r.Panel = f.name + ", " + kind
				shown = append(shown, r)
				low, high = min(low, t), max(high, t)
			}
		}
	}

	// Lines with one standard error, and a common scale with margins.
	x := chart.Axis{Log: true, Lo: 30, Hi: 480, Title: "spins"}
	y := chart.Axis{Log: true, Lo: low / 2, Hi: 2 * high, Title: "processor seconds to 0.1 nat"}
	return papers.Pairs(shown, x, y, func(c *chart.Chart, t *paint.Theme, rows []papers.Row, i int) {
		var x, y, se []float64
		for _, r := range rows {
			seconds := r.SecondsTo(.1)
			_, v := logSeconds(&r)
			x, y, se = append(x, r.At), append(y, seconds), append(se, seconds*min(math.Sqrt(v), .9))
		}
		papers.Curve(c, t, i, rows[0].Series, x, y, se)
	})
}

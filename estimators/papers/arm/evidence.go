package arm

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// Evidence maps log Z as a function of the parameters of the covariance function.
var Evidence = &papers.Experiment{
	Name: "arm-evidence",
	About: "The evidence of length scale and amplitude of a Gaussian-process classification: a map of log Z by rm, " +
		"beside those by expectation propagation and by its second order.",
	Figure: "The covariance function of section 4 of the ARM paper (Fraccaro, Paquet and Winther), and others around it",
	By:     "this lab",
	Points: evidencePoints, Judge: evidenceJudge, Chart: evidenceChart,
	Notes: []string{
		"The data are 200 digits of MNIST, threes and fives, 16 x 16 pixels from -1 to 1. The ARM paper tried " +
			"many lengths and amplitudes and shows one, exp(4.85) and exp(5.1).",
		"Every place is a link with its own log Z and its own seed: islands of rm, whose spread gives the standard error " +
			"below the number.",
		"The second order of expectation propagation has the third and fourth cumulants (Opper, Paquet and Winther).",
		"No map has its largest value inside: with the amplitude the noise of the labels fades, and log Z rises towards " +
			"that of labels without noise. By the second order, at log length 2.4, where it is largest, it is -54.197 at log " +
			"amplitude 3, -53.992 at 5 and -53.988 at 9; the lab takes amplitudes up to exp(9.2).",
	},
	Title: "Which functions do the labels ask for?",
	Lead: "Log Z is the evidence of a covariance function: the probability of the labels for given length scale and " +
		"amplitude. It is mapped by particles and by two approximations.",
	Alt: "Three maps of log Z over log length and log amplitude: by resample-move, by expectation propagation, and with " +
		"its second-order correction. A circle marks the largest value of each, a square the values of the ARM paper.",
	Live: [2]string{"v=1&model=gpc-mnist35&length=13.46&amplitude=54.6&method=rm&rm.particles=100&rm.islands=4" +
		"&rm.moves=1&view.scene=function", "Watch the digits take in their labels under the likeliest functions"},
}

// evidenceMap is the grid of a map, and the size of the run at each of its points.
type evidenceMap struct {
	panel, model        string
	lengths, amplitudes []float64 // logarithms of the parameters
	particles, islands  int
	cost                float64 // CPU seconds per particle
}

// evidencePoints returns a point for each length and amplitude.
func evidencePoints(size papers.Size) (out []papers.Point) {
	grid := evidenceMap{panel: "200 digits", model: "gpc-mnist35", lengths: arithmetic(1.4, .6, 7), amplitudes: arithmetic(0, 1, 7),
		particles: 1000, islands: 8, cost: .003}
	switch size {
	case papers.Small:
		grid = evidenceMap{panel: "30 points", model: "gpc-1d", lengths: arithmetic(-1, 1, 2), amplitudes: arithmetic(0, 1, 2),
			particles: 10, islands: 2, cost: 1e-4}
	case papers.Full:
		grid.lengths, grid.amplitudes, grid.particles, grid.islands = arithmetic(1.4, .3, 13), arithmetic(0, .5, 13), 1000, 20
	}
	for _, a := range grid.amplitudes {
		for _, l := range grid.lengths {
			out = append(out, papers.Point{Panel: grid.panel, Series: seriesRM, Cost: grid.cost * float64(grid.particles*grid.islands),
				Step: fmt.Sprintf("log length %.4g, log amplitude %.4g", l, a),
				Link: fmt.Sprintf("v=1&model=%s&length=%.2f&amplitude=%.2f&method=rm&rm.particles=%d&rm.islands=%d&rm.moves=1"+
					"&rm.ess=0.9&seed=%d", grid.model, math.Exp(l), math.Exp(a), grid.particles, grid.islands, len(out)+1)})
		}
	}
	return out
}

// arithmetic returns n numbers from lo in steps of by.
func arithmetic(lo, by float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = lo + by*float64(i)
	}
	return out
}

// mapPosition returns the log length and log amplitude of a row, rounded to 1/20, the precision of links.
func mapPosition(r *papers.Row) (l, a float64) {
	logOf := func(key string) float64 {
		v, err := strconv.ParseFloat(papers.LinkValue(r.Link, key), 64)
		if err != nil {
			return math.NaN()
		}
		return math.Round(20*math.Log(v)) / 20
	}
	return logOf("length"), logOf("amplitude")
}

// maps are the three maps of the figure: the name, and the function that returns log Z of a row.
var maps = []struct {
	name string
	logZ func(*papers.Row) float64
}{
	{"by resample-move", (*papers.Row).LogZ},
	{"by expectation propagation", func(r *papers.Row) float64 { return r.EP }},
	{"by its second order", func(r *papers.Row) float64 { return r.Corrected }},
}

// maxRow returns the row with the largest log Z of a map.
func maxRow(rows []papers.Row, logZ func(*papers.Row) float64) *papers.Row {
	best := &rows[0]
	for i := range rows {
		if logZ(&rows[i]) > logZ(best) {
			best = &rows[i]
		}
	}
	return best
}

// evidenceJudge compares the position of the maximum and the accuracy of both approximations with resample-move.
func evidenceJudge(rows []papers.Row) (out []papers.Finding) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r papers.Row) bool { return r.EP == 0 || r.Corrected == 0 })
	if len(rows) == 0 {
		return nil
	}
	best := maxRow(rows, (*papers.Row).LogZ)
	l, a := mapPosition(best)
	for _, m := range maps[1:] {
		maximum := maxRow(rows, m.logZ)
		atL, atA := mapPosition(maximum)
		loss, se := best.LogZ()-maximum.LogZ(), math.Hypot(best.SE, maximum.SE)
		f := papers.Finding{Paper: fmt.Sprintf("The place of the largest log Z %s is as likely as that by resample-move, to "+
			"%g nats.", m.name, accurateNats),
			Here: fmt.Sprintf("it lies at log length %.4g and log amplitude %.4g, by resample-move at %.4g and %.4g: log Z is "+
				"%.2f +- %.2f nats less.", atL, atA, l, a, loss, se), Ours: true}.Within(loss, accurateNats, se, "nats")
		if maximum == best {
			f.Here = fmt.Sprintf("it is the same place: log length %.4g, log amplitude %.4g.", l, a)
			f.Answer, f.Unit = papers.Agrees, ""
		}
		out = append(out, f)
	}

	out = append(out, insideMap(rows)...)

	// The reduction of the squared error by the second order; its standard error comes from log Z by resample-move.
	gain, variance, maxErrorEP, maxErrorCorrected := 0.0, 0.0, 0.0, 0.0
	for i := range rows {
		r := &rows[i]
		d := r.EP - r.Corrected
		gain += d * (r.EP + r.Corrected - 2*r.LogZ())
		variance += 4 * d * d * r.SE * r.SE
		maxErrorEP, maxErrorCorrected = max(maxErrorEP, math.Abs(r.EP-r.LogZ())), max(maxErrorCorrected, math.Abs(r.Corrected-r.LogZ()))
	}
	n := float64(len(rows))
	return append(out, papers.Finding{Paper: "The second order brings expectation propagation nearer to log Z.",
		Here: fmt.Sprintf("over %d places it lessens the mean squared distance from resample-move by %.4f +- %.4f; the "+
			"largest distance is %.2f nats, and %.2f with the second order.", len(rows), gain/n, math.Sqrt(variance)/n, maxErrorEP,
			maxErrorCorrected), Ours: true}.Below(-gain, math.Sqrt(variance), "sum of squared nats"))
}

// insideMap returns the findings on whether the largest log Z by resample-move is inside the map. In length, log Z at
// both ends of the map must be smaller; in amplitude, the increase over the last step must be small.
func insideMap(rows []papers.Row) (out []papers.Finding) {
	g := gridOf(rows)
	lengths, amplitudes := len(g.lengths), len(g.amplitudes)
	if lengths < 3 || amplitudes < 3 {
		return nil
	}

	// Rows at the smallest and the largest length, and the two rows at the best length with the largest amplitudes.
	l, _ := mapPosition(maxRow(rows, (*papers.Row).LogZ))
	var ends, inside []papers.Row
	var topRow, belowRow *papers.Row // at the best length: with the largest and the second largest amplitude
	for i := range rows {
		length, amplitude := mapPosition(&rows[i])
		if length == g.lengths[0] || length == g.lengths[lengths-1] {
			ends = append(ends, rows[i])
		} else {
			inside = append(inside, rows[i])
		}
		if length == l && amplitude == g.amplitudes[amplitudes-1] {
			topRow = &rows[i]
		} else if length == l && amplitude == g.amplitudes[amplitudes-2] {
			belowRow = &rows[i]
		}
	}

	// Length: the difference between the maximum inside and the maximum at the ends.
	best, end := maxRow(inside, (*papers.Row).LogZ), maxRow(ends, (*papers.Row).LogZ)
	loss, se := best.LogZ()-end.LogZ(), math.Hypot(best.SE, end.SE)
	at, _ := mapPosition(best)
	out = append(out, papers.Finding{Paper: "In length the largest log Z lies inside of the map.",
		Here: fmt.Sprintf("at the ends of the map, log lengths %.4g and %.4g, log Z is at least %.2f +- %.2f nats less than "+
			"at log length %.4g.", g.lengths[0], g.lengths[lengths-1], loss, se, at), Ours: true}.Below(-loss, se, "nats"))

	// Amplitude: the increase over the last step.
	if topRow != nil && belowRow != nil {
		increase, se := topRow.LogZ()-belowRow.LogZ(), math.Hypot(topRow.SE, belowRow.SE)
		out = append(out, papers.Finding{Paper: fmt.Sprintf("In amplitude log Z rises to a limit, labels without noise, and "+
			"so is largest at the edge of any map; at this edge a step adds less than %g nats.", accurateNats),
			Here: fmt.Sprintf("at log length %.4g the last step, from log amplitude %.4g to %.4g, adds %.2f +- %.2f nats by "+
				"resample-move, and %.4f by the second order.", l, g.amplitudes[amplitudes-2], g.amplitudes[amplitudes-1], increase,
				se, topRow.Corrected-belowRow.Corrected), Ours: true}.Within(math.Abs(increase), accurateNats, se, "nats"))
	}
	return out
}

// gridOf returns the sorted distinct log lengths and log amplitudes of the rows.
func gridOf(rows []papers.Row) (g evidenceGrid) {
	for i := range rows {
		l, a := mapPosition(&rows[i])
		g.lengths, g.amplitudes = append(g.lengths, l), append(g.amplitudes, a)
	}
	for _, x := range []*[]float64{&g.lengths, &g.amplitudes} {
		slices.Sort(*x)
		*x = slices.Compact(*x)
	}
	return g
}

// evidenceGrid has the log lengths and log amplitudes of a map.
type evidenceGrid struct{ lengths, amplitudes []float64 }

// heatColor returns the colour of a value, from 0 (lowest) to 1 (highest).
func heatColor(share float64) color.RGBA {
	stops := [...]color.RGBA{{0x2b, 0x1b, 0x5a, 255}, {0x3b, 0x52, 0x8b, 255}, {0x21, 0x91, 0x8c, 255},
		{0x5e, 0xc9, 0x62, 255}, {0xfd, 0xe7, 0x25, 255}}
	x := share * float64(len(stops)-1)
	i := min(int(x), len(stops)-2)
	return paint.Mix(stops[i], stops[i+1], x-float64(i))
}

// colorRange is the range of log Z below the largest value, in nats, that the colours cover; lower values have the
// darkest colour.
const colorRange = 40

// Names of the marks in the legend.
const (
	nameLargest = "the largest log Z of the map"
	namePaper   = "length and amplitude of the ARM paper"
)

// evidenceChart draws the three maps, with a number in each cell if there is space.
func evidenceChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	if len(rows) == 0 {
		return nil, ".svg", nil
	}
	g := gridOf(rows)
	if len(g.lengths) < 2 || len(g.amplitudes) < 2 { // incomplete
		return nil, ".svg", nil
	}
	var panels []papers.Panel
	for k, m := range maps {
		panels = append(panels, papers.Panel{Title: "log Z " + m.name, Height: 330, X: chart.Axis{Title: "log length"},
			Y:    chart.Axis{Title: "log amplitude"},
			Draw: func(c *chart.Chart, t *paint.Theme) { drawMap(c, t, g, rows, m.logZ, k == 0) }})
	}
	return papers.Figure(panels, 1, []string{nameLargest, namePaper})
}

// drawMap draws the map of a function logZ of the rows, with marks at its maximum and at the parameters of the paper.
func drawMap(c *chart.Chart, t *paint.Theme, g evidenceGrid, rows []papers.Row, logZ func(*papers.Row) float64,
	isFirst bool) {
	z := map[[2]float64]float64{}
	for i := range rows {
		l, a := mapPosition(&rows[i])
		z[[2]float64{l, a}] = logZ(&rows[i])
	}
	highest := logZ(maxRow(rows, logZ))
	c.HeatMap(g.lengths, g.amplitudes, func(i, j int) float64 {
		if z, ok := z[[2]float64{g.lengths[i], g.amplitudes[j]}]; ok {
			return z
		}
		return math.NaN()
	}, chart.Scale{Lo: highest - colorRange, Hi: highest, Color: heatColor})

	// The mark of the maximum is placed beside the number in the cell.
	l, a := mapPosition(maxRow(rows, logZ))
	hasNumbers := len(g.lengths) <= 8 // otherwise there is no space
	if hasNumbers {
		l -= .36 * (g.lengths[1] - g.lengths[0])
	}
	c.Dots([]float64{l}, []float64{a}, chart.Style{Name: nameLargest, Mark: 1, Color: t.Methods[1], R: 4.5})
	const length, amplitude = 4.85, 5.1
	if length <= g.lengths[len(g.lengths)-1] && amplitude <= g.amplitudes[len(g.amplitudes)-1] { // otherwise it is a map of other data
		c.Dots([]float64{length}, []float64{amplitude}, chart.Style{Name: namePaper, Mark: 2, Color: t.Methods[0], R: 4.5})
	}
	if hasNumbers {
		c.DrawOver(func(layer *paint.Layer) { writeNumbers(c, layer, rows, logZ, isFirst) })
	}
}

// writeNumbers writes log Z into the cells of a map. Below it is the standard error in the first map, and the
// difference from the first map in the others.
func writeNumbers(c *chart.Chart, layer *paint.Layer, rows []papers.Row, logZ func(*papers.Row) float64, isFirst bool) {
	highest := logZ(maxRow(rows, logZ))
	for i := range rows {
		r := &rows[i]
		z, secondLine := logZ(r), "± "+format.Glance(r.SE)
		if !isFirst {
			secondLine = format.Signed(z-r.LogZ(), 2)
		}
		ink := color.RGBA{0, 0, 0, 255} // the colours of the map are the same in all themes
		if z < highest-colorRange/2 {
			ink = color.RGBA{255, 255, 255, 255}
		}
		at := c.At(mapPosition(r))
		for k, s := range []string{format.Fixed(z, 2), secondLine} {
			layer.Add(paint.Mark{Kind: paint.Text, Text: s, At: paint.Pt(at.X, at.Y-2+14*float64(k)), Style: paint.Tick,
				Color: ink, Align: paint.Centre})
		}
	}
}

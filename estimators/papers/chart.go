package papers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// Axes describes the charts and the tables of an experiment.
type Axes struct {
	// Reach is the largest distance from the known log Z, in nats, at which points are plotted; errors are plotted up to
	// 10 Reach. A note on the plot counts the points that are omitted.
	Reach float64
	First string // series that is listed first and has the first colour; "": the order of the rows
	X     string // label of the horizontal axis; "": processor seconds of one estimate
	ESS   bool   // tables have a column of effective sample sizes
	Needs bool   // tables have columns of seconds to a given error
	RMSE  bool   // errors are root mean squares around the known value instead of standard deviations
}

// error returns the error that the right plot shows.
func (a *Axes) error(r *Row) float64 {
	if a.RMSE {
		return r.RMS()
	}
	return r.SD
}

// mean returns the estimate that the left plot shows, with its standard error: the mean of log Z if RMSE is set, else
// Row.LogZ.
func (a *Axes) mean(r *Row) (z, se float64) {
	if a.RMSE {
		return r.Mean, r.SD / math.Sqrt(float64(r.N))
	}
	return r.LogZ(), r.SE
}

// labels returns the labels of the horizontal axis and of the right vertical axis.
func (a *Axes) labels() (x, y string) {
	x, y = cmp.Or(a.X, "processor seconds of one estimate"), "sd of log Z"
	if a.RMSE {
		y = "RMSE of log Z"
	}
	return x, y
}

// Lines draws each panel as two plots: on the left the estimate of log Z with its error bar, on the right the error of
// one estimate, both against time or the quantity of Axes.X.
func Lines(rows []Row, e *Experiment) ([]byte, string, error) {
	plotted := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Reference })
	order := Distinct(plotted, func(r *Row) string { return r.Series })
	if i := slices.Index(order, e.Axes.First); i > 0 {
		order = slices.Insert(slices.Delete(order, i, i+1), 0, e.Axes.First)
	}
	var panels []Panel
	x, y := e.Axes.labels()
	for _, panel := range Panels(plotted) {
		var lines []line
		omittedMeans, omittedErrors := 0, 0
		for i, s := range order {
			if seriesRows := Series(plotted, panel, s); len(seriesRows) > 0 {
				l := newLine(seriesRows, &e.Axes, i)
				lines = append(lines, l)
				omittedMeans, omittedErrors = omittedMeans+l.omittedMeans, omittedErrors+l.omittedErrors
			}
		}
		left := Panel{Title: panel, More: omittedNote(omittedMeans, e.Axes.Reach), X: chart.Axis{Log: true, Title: x},
			Y: chart.Axis{Title: "log Z"}}
		right := Panel{Title: panel, More: omittedNote(omittedErrors, 10*e.Axes.Reach), X: left.X, Y: chart.Axis{Log: true, Title: y}}

		// Both plots have the same range of costs.
		includeCosts := func(c *chart.Chart) {
			for _, l := range lines {
				for _, x := range slices.Concat(l.x, l.spreadX) {
					c.Include(x, math.NaN())
				}
			}
		}
		ref := KnownRow(plotted, panel)
		left.Draw = func(c *chart.Chart, t *paint.Theme) {
			includeCosts(c)
			if ref != nil {
				drawLevels(c, ref)
			}
			for _, l := range lines {
				s := Style(t, l.i, l.name)
				c.Errors(l.x, l.lo, l.hi, s)
				c.Line(l.x, l.mean, s)
			}
		}
		right.Draw = func(c *chart.Chart, t *paint.Theme) {
			includeCosts(c)
			for _, l := range lines {
				s := Style(t, l.i, l.name)
				c.Line(l.spreadX, l.spread, s)
			}
		}
		panels = append(panels, left, right)
	}
	return Figure(panels, 2, order)
}

// drawLevels draws horizontal lines at the known log Z and, if there is one, at log Z by expectation propagation and
// its second-order correction.
func drawLevels(c *chart.Chart, ref *Row) {
	exact := chart.Style{}
	if ref.EP != 0 {
		c.Level(ref.EP, "", chart.Style{Dash: [2]float64{2, 3}})
	}
	if ref.Corrected != 0 { // solid, as in the ARM paper
		c.Level(ref.Corrected, "", chart.Style{})
		exact.Dash = [2]float64{8, 5}
	}
	c.Level(ref.Known, "", exact)
}

// Pairs draws a figure of two panels per row. drawLine draws the rows of the i-th series into a chart.
func Pairs(rows []Row, x, y chart.Axis, drawLine func(c *chart.Chart, t *paint.Theme, rows []Row, i int)) ([]byte, string,
	error) {
	order := Distinct(rows, func(r *Row) string { return r.Series })
	var panels []Panel
	for _, panel := range Panels(rows) {
		panels = append(panels, Panel{Title: panel, X: x, Y: y, Draw: func(c *chart.Chart, t *paint.Theme) {
			for i, s := range order {
				if line := Series(rows, panel, s); len(line) > 0 {
					drawLine(c, t, line, i)
				}
			}
		}})
	}
	return Figure(panels, 2, order)
}

// KnownRow returns a row of the panel with a known log Z, nil if there is none.
func KnownRow(rows []Row, panel string) *Row {
	for i := range rows {
		if r := &rows[i]; r.Panel == panel && num.Finite(r.Known) {
			return r
		}
	}
	return nil
}

// omittedNote returns the note that n points are beyond the limit of a plot, in nats; "" if n is 0.
func omittedNote(n int, limit float64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d beyond %g nats left out", n, limit)
}

// line is the i-th series of the figure in both plots of a panel.
type line struct {
	name                        string
	i                           int
	x, mean                     []float64 // log Z by cost
	lo, hi                      []float64 // ends of the error bar of log Z; NaN if the standard error exceeds Axes.Reach
	spreadX, spread             []float64 // error of one estimate by cost
	omittedMeans, omittedErrors int       // numbers of rows without a mark in the left and in the right plot, because they are out of range
}

// newLine computes the points of the i-th series from its rows.
func newLine(rows []Row, a *Axes, i int) line {
	l := line{name: rows[0].Series, i: i}
	for k := range rows {
		r := &rows[k]
		z, se := a.mean(r)
		if !(r.cost() > 0) || !num.Finite(z) {
			continue
		}
		if e := a.error(r); e > 10*a.Reach {
			l.omittedErrors++
		} else if e > 0 {
			l.spreadX, l.spread = append(l.spreadX, r.cost()), append(l.spread, e)
		}
		if math.Abs(z-r.Known) > a.Reach {
			l.omittedMeans++
			continue
		}
		if !(se < a.Reach) {
			se = math.NaN()
		}
		l.x, l.mean = append(l.x, r.cost()), append(l.mean, z)
		l.lo, l.hi = append(l.lo, z-se), append(l.hi, z+se)
	}
	return l
}

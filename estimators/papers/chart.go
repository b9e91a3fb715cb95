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

// Axes describes the charts of an experiment. Reach is the range of log Z around the reference, in nats, and a tenth of
// the range of the errors; points beyond are omitted and counted.
type Axes struct {
	Reach float64
	First string // series with the first colour
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

// mean returns the estimate that the left plot shows, with its standard error: the mean of log Z if errors are root
// mean squares.
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
	all := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Reference })
	order := Distinct(all, func(r *Row) string { return r.Series })
	if i := slices.Index(order, e.Axes.First); i > 0 {
		order = slices.Insert(slices.Delete(order, i, i+1), 0, e.Axes.First)
	}
	var panels []Panel
	x, y := e.Axes.labels()
	for _, panel := range Panels(all) {
		var lines []line
		off, wide := 0, 0
		for i, s := range order {
			if own := Series(all, panel, s); len(own) > 0 {
				l := newLine(own, &e.Axes, i)
				lines = append(lines, l)
				off, wide = off+l.off, wide+l.wide
			}
		}
		left := Panel{Title: panel, More: omittedNote(off, e.Axes.Reach), X: chart.Axis{Log: true, Title: x},
			Y: chart.Axis{Title: "log Z"}}
		right := Panel{Title: panel, More: omittedNote(wide, 10*e.Axes.Reach), X: left.X, Y: chart.Axis{Log: true, Title: y}}

		// Both plots cover the costs of all points.
		cover := func(c *chart.Chart) {
			for _, l := range lines {
				for _, x := range slices.Concat(l.x, l.spreadX) {
					c.Include(x, math.NaN())
				}
			}
		}
		ref := KnownRow(all, panel)
		left.Draw = func(c *chart.Chart, t *paint.Theme) {
			cover(c)
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
			cover(c)
			for _, l := range lines {
				s := Style(t, l.i, l.name)
				c.Line(l.spreadX, l.spread, s)
			}
		}
		panels = append(panels, left, right)
	}
	return Figure(panels, 2, order)
}

// drawLevels draws the known log Z, and log Z by expectation propagation.
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

// Pairs draws panels two in a row, with a line for each series; add draws the rows of one series.
func Pairs(rows []Row, x, y chart.Axis, add func(c *chart.Chart, t *paint.Theme, rows []Row, i int)) ([]byte, string,
	error) {
	order := Distinct(rows, func(r *Row) string { return r.Series })
	var panels []Panel
	for _, panel := range Panels(rows) {
		panels = append(panels, Panel{Title: panel, X: x, Y: y, Draw: func(c *chart.Chart, t *paint.Theme) {
			for i, s := range order {
				if line := Series(rows, panel, s); len(line) > 0 {
					add(c, t, line, i)
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

// omittedNote says how many points are not on a plot, "" if none.
func omittedNote(n int, limit float64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d beyond %g nats left out", n, limit)
}

// line is the i-th series of the figure in both plots of a panel.
type line struct {
	name            string
	i               int
	x, mean         []float64 // log Z by cost
	lo, hi          []float64 // its error bar; NaN if longer than the axis
	spreadX, spread []float64 // error of one estimate by cost
	off, wide       int       // numbers of rows omitted because of their log Z, and because of their error
}

// newLine computes the points of a series.
func newLine(rows []Row, a *Axes, i int) line {
	l := line{name: rows[0].Series, i: i}
	for k := range rows {
		r := &rows[k]
		z, se := a.mean(r)
		if !(r.cost() > 0) || !num.Finite(z) {
			continue
		}
		if e := a.error(r); e > 10*a.Reach {
			l.wide++
		} else if e > 0 {
			l.spreadX, l.spread = append(l.spreadX, r.cost()), append(l.spread, e)
		}
		if math.Abs(z-r.Known) > a.Reach {
			l.off++
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

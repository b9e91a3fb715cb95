package schedules

import (
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/curve"
	"logzlab/render/paint"
)

// schedulePen edits inverse temperatures at equal steps of the run.
var schedulePen = curve.Pen{Param: "schedule", Text: schedule.BetasText, Place: schedule.MoveKnot, Step: stepBeta}

// stepBeta changes an inverse temperature by steps units of its last decimal.
func stepBeta(b float64, steps int) float64 {
	for ; steps >= 1; steps-- {
		b += schedule.KnotStep(b)
	}
	for ; steps <= -1; steps++ {
		b -= schedule.KnotStep(b)
	}
	return b
}

// optimum returns the knots of the optimum.
func (s *schedules) optimum() []float64 {
	i := s.path.Index("varopt")
	if i < 0 || len(s.path.Lines[i].Beta) != schedule.CurvePoints {
		return nil
	}
	return schedule.CurveKnots(s.path.Lines[i].Beta)
}

// Describe describes the selected knot, and the cost of the curve.
func (s *schedules) Describe(a *paint.Area) string {
	o := &s.editor
	if s.path == nil || len(o.Knots) == 0 {
		return ""
	}
	v := view{a: a, p: s.Run, editor: &s.editor, path: s.path, edited: true, best: s.path.OptimalVar()}
	text := o.Name(a) + ", " + format.Trimmed(100*float64(o.Selected+1)/float64(len(o.Knots)+1), 0) + " %: \u03b2 = " +
		strconv.FormatFloat(o.Knots[o.Selected], 'g', -1, 64)
	if x := v.cost(-1); num.Finite(x) {
		text += ", " + a.Say("predicted variance") + " " + format.Ratio(x) + ", " + v.verdict()
	}
	return text
}

// knots draws the knots, which can be dragged vertically.
func (v *view) knots(l *paint.Layer) {
	if len(v.own) < 3 {
		return
	}
	v.taken = append(v.taken, v.editor.Grips(v.a, l, v.ink, v.own[1:len(v.own)-1], v.beta)...)
}

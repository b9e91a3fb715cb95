package schedules

import (
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/hand"
	"logzlab/render/paint"
)

// schedulePen draws inverse temperatures at even shares of the run.
var schedulePen = hand.Pen{Param: "schedule", Text: schedule.Drawn, Place: schedule.Place, Step: stepBeta}

// stepBeta is so many last digits from an inverse temperature.
func stepBeta(b float64, steps int) float64 {
	for ; steps >= 1; steps-- {
		b += schedule.Digit(b)
	}
	for ; steps <= -1; steps++ {
		b -= schedule.Digit(b)
	}
	return b
}

// optimum are the knots of the optimum.
func (s *schedules) optimum() []float64 {
	i := s.path.Index("varopt")
	if i < 0 || len(s.path.Lines[i].Beta) != schedule.Points {
		return nil
	}
	return schedule.Hand(s.path.Lines[i].Beta)
}

// Describe says where the knot of the keys is, and what the curve costs.
func (s *schedules) Describe(a *paint.Area) string {
	o := &s.hand
	if s.path == nil || len(o.Knots) == 0 {
		return ""
	}
	v := view{a: a, p: s.Run, hand: &s.hand, path: s.path, bent: true, best: s.path.Best()}
	text := o.Name(a) + ", " + format.Trimmed(100*float64(o.At+1)/float64(len(o.Knots)+1), 0) + " %: \u03b2 = " +
		strconv.FormatFloat(o.Knots[o.At], 'g', -1, 64)
	if x := v.cost(-1); num.Finite(x) {
		text += ", " + a.Say("predicted variance") + " " + format.Ratio(x) + ", " + v.verdict()
	}
	return text
}

// knots draws the knots, and lets them be dragged up and down.
func (v *view) knots(l *paint.Layer) {
	if len(v.own) < 3 {
		return
	}
	v.taken = append(v.taken, v.hand.Grips(v.a, l, v.ink, v.own[1:len(v.own)-1], v.beta)...)
}

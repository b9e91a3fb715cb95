// Package training is the scene of a restricted Boltzmann machine that is trained: its weights, its fantasies, and how
// likely the data are.
package training

import (
	"math"
	"sort"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("training", func(r *record.Run) scene.Scene { return &trainingScene{Base: scene.Base{Run: r}} })

// trained is what the newest frame of a training run shows, as far as it can be drawn.
type trained struct {
	update, updates, best int
	points                []frame.TrainingPoint
	checks                []frame.TrainingCheck
	blind                 bool // updates were made, and log Z is not followed
	units                 int  // visible
	w, h                  int  // cells of a picture, 0 where rows are no pictures
	row                   int  // cells of a fantasy
	fantasies, data       []byte
	filters               []float32
	scale                 float64 // weights from -scale to scale have shades of their own
	tones                 []byte  // filters on this scale, see mark.signed
}

// latest is the last update that an axis shows.
const latest = 1e9

// newTrained looks through a frame.
func newTrained(f *frame.Frame) *trained {
	g := f.Training
	t := &trained{update: g.Update, updates: g.Updates, best: g.Best, units: g.M, w: f.W, h: f.H, row: f.W * f.H,
		filters: g.Filters}
	if side := int(math.Sqrt(float64(g.M))); t.row == 0 && side*side == g.M { // weights alone
		t.w, t.h = side, side
	}
	if t.w*t.h != g.M || g.M == 0 { // cells that no unit has: a row is no picture
		t.w, t.h = 0, 0
	}

	if t.row > 0 {
		t.fantasies, t.data = f.Pixels, g.Data[:len(g.Data)/t.row*t.row]
	}

	// The curve and the checks, in the order of updates, without what cannot be drawn.
	last := 0
	for _, q := range g.Points {
		if q.Update <= last || q.Update > latest {
			continue
		}
		t.blind = !(math.Abs(q.LogZ) <= record.MaxLogZ)
		if last = q.Update; !t.blind {
			q.SE, q.Train, q.Validation = sensible(math.Abs(q.SE)), sensible(q.Train), sensible(q.Validation)
			t.points = append(t.points, q)
		}
	}
	last = 0
	for _, c := range g.Checks {
		if c.Update > last && c.Update <= latest && math.Abs(c.LogZ) <= record.MaxLogZ {
			last, c.SE, c.Lower, c.Upper = c.Update, sensible(math.Abs(c.SE)), sensible(c.Lower), sensible(c.Upper)
			c.TrainMean, c.ValidateMean = sensible(c.TrainMean), sensible(c.ValidateMean)
			t.checks = append(t.checks, c)
		}
	}

	t.shade()
	return t
}

// keep takes over the pictures of the frame before if the new frame of the same run has none: frames of a paused run
// come without pictures.
func (t *trained) keep(old *trained) *trained {
	if t.row == 0 && old != nil && t.units == old.units && len(t.points) > 0 && len(old.points) > 0 &&
		t.points[0].LogZ == old.points[0].LogZ {
		t.w, t.h, t.row, t.fantasies, t.data = old.w, old.h, old.row, old.fantasies, old.data
	}
	return t
}

// sensible is a number that can be drawn, else NaN.
func sensible(x float64) float64 {
	if math.Abs(x) <= record.MaxLogZ {
		return x
	}
	return math.NaN()
}

// leastScale is the scale of the first weights, which are noise: they are pale, and pictures come out of them.
const leastScale = 0.5

// shade puts all weights on one scale, from two to five times as long as their root mean square: few lie beyond.
func (t *trained) shade() {
	sum := 0.0
	for _, w := range t.filters {
		sum += float64(w) * float64(w)
	}
	t.scale = leastScale
	if rms := math.Sqrt(sum / float64(max(len(t.filters), 1))); 2*rms > leastScale && num.Finite(rms) {
		t.scale = format.Step(2*rms, 2)
	}
	t.tones = make([]byte, len(t.filters))
	for i, w := range t.filters {
		x := min(max(float64(w)/t.scale, -1), 1)
		if !num.Known(x) {
			x = 0
		}
		t.tones[i] = byte(128 + math.Round(127*x))
	}
}

// hidden is the number of hidden units whose weights are there.
func (t *trained) hidden() int {
	if t.units < 1 {
		return 0
	}
	return len(t.filters) / t.units
}

// newest is the last point of the curves.
func (t *trained) newest() *frame.TrainingPoint { return &t.points[len(t.points)-1] }

// point is that of an update, nil if there is none.
func (t *trained) point(update int) *frame.TrainingPoint {
	i := sort.Search(len(t.points), func(i int) bool { return t.points[i].Update >= update })
	if i < len(t.points) && t.points[i].Update == update {
		return &t.points[i]
	}
	return nil
}

// worse tells whether a point after the best update has a lower likelihood of validation rows.
func (t *trained) worse(q *frame.TrainingPoint) bool {
	best := t.point(t.best)
	return best != nil && q.Update > t.best && q.Validation < best.Validation
}

// gap is how much likelier training rows are than those for validation. The error of log Z is in both.
func gap(q *frame.TrainingPoint) float64 { return q.Train - q.Validation }

// trainingView is a layout of a training run.
type trainingView struct {
	a *paint.Area
	t *trained
}

// trainingScene shows a machine that learns: its weights as filters that sharpen, samples of it beside data, and how
// likely the data are, with log Z as it is followed and as annealed importance sampling finds it.
type trainingScene struct {
	scene.Base
	trained *trained
}

// Draw lays the scene out.
func (s *trainingScene) Draw(a *paint.Area) []paint.Layer {
	u, t := a.Unit, s.trained
	if t == nil || a.W < 160*u || a.H < 160*u {
		return []paint.Layer{paint.Note(a, "No training yet")}
	}
	pad, between := 24*u, 28*u
	if a.Compact() {
		pad, between = 16*u, 20*u
	}

	// Beside each other on a wide canvas: weights and pictures at the left, curves at the right.
	v := &trainingView{a: a, t: t}
	charts := paint.XYWH(pad, 6*u, a.W-2*pad, a.H-12*u)
	weights, gallery := charts, charts
	if a.W >= 600*u {
		weights.W = math.Round(0.42 * charts.W)
		charts.X, charts.W = charts.X+weights.W+between, charts.W-weights.W-between
		gallery.W = weights.W
		if len(t.data) > 0 {
			weights.H = math.Round(0.56 * charts.H)
		}
		gallery.Y, gallery.H = weights.Y+weights.H+14*u, charts.H-weights.H-14*u
	} else {
		charts.H = math.Round(0.55 * charts.H)
		weights.Y, weights.H = charts.Y+charts.H+14*u, weights.H-charts.H-14*u
		if len(t.data) > 0 {
			weights.W = math.Round((charts.W - between) / 2)
		}
		gallery = paint.XYWH(weights.X+weights.W+between, weights.Y, charts.W-weights.W-between, weights.H)
	}

	out := append(v.charts(charts), v.weights(weights))
	if len(t.data) > 0 {
		out = append(out, v.beside(gallery)...)
	}
	return out
}

// Take keeps what a frame of a training run shows.
func (s *trainingScene) Take(f *frame.Frame) {
	if f.Training != nil {
		s.trained = newTrained(f).keep(s.trained)
	}
}

// Clear forgets it.
func (s *trainingScene) Clear() { s.trained = nil }

// read says what is known after an update.
func (v *trainingView) read(q *frame.TrainingPoint) string {
	a := v.a
	text := a.Say("update") + " " + format.Grouped(float64(q.Update), 0)
	if q.Update == v.t.best {
		text += ", " + a.Say("best")
	}
	for i, x := range [...]float64{q.Train, q.Validation} {
		if num.Finite(x) {
			text += "\n" + a.Say(sides[i]) + " " + record.WithError(x, q.SE)
		}
	}
	if d := gap(q); num.Finite(d) {
		text += "\n" + a.Say("gap") + " " + format.Fixed(d, 2)
	}
	text += "\nlog Z " + record.WithError(q.LogZ, q.SE)
	for _, c := range v.t.checks {
		if c.Update == q.Update {
			text += "\nAIS " + record.WithError(c.LogZ, c.SE)
			if num.Finite(c.Upper - c.Lower) {
				text += " (" + format.Value(c.Lower, c.SE) + " \u2013 " + format.Value(c.Upper, c.SE) + ")"
			}
		}
	}
	return text
}

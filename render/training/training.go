// Package training is the scene of the training of a restricted Boltzmann machine: its weights, its fantasies, and the
// likelihood of the data.
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

// trained contains the data of the newest frame of a training run, without values that cannot be drawn.
type trained struct {
	update, updates, best int
	points                []frame.TrainingPoint
	checks                []frame.TrainingCheck
	noLogZ                bool // log Z is not estimated
	units                 int  // visible units
	w, h                  int  // cells of a picture, 0 if rows are not pictures
	row                   int  // cells of a fantasy
	fantasies, data       []byte
	filters               []float32
	scale                 float64 // weights from -scale to scale have distinct shades
	tones                 []byte  // filters on this scale, see paint.Mark.Signed
}

// latest is the last update of an axis.
const latest = 1e9

// newTrained reads a frame.
func newTrained(f *frame.Frame) *trained {
	g := f.Training
	t := &trained{update: g.Update, updates: g.Updates, best: g.Best, units: g.M, w: f.W, h: f.H, row: f.W * f.H,
		filters: g.Filters}
	if side := int(math.Sqrt(float64(g.M))); t.row == 0 && side*side == g.M { // weights without rows
		t.w, t.h = side, side
	}
	if t.w*t.h != g.M || g.M == 0 { // cells without units: a row is not a picture
		t.w, t.h = 0, 0
	}

	if t.row > 0 {
		t.fantasies, t.data = f.Pixels, g.Data[:len(g.Data)/t.row*t.row]
	}

	// The curve and the checks, sorted by update, without values that cannot be drawn.
	last := 0
	for _, q := range g.Points {
		if q.Update <= last || q.Update > latest {
			continue
		}
		t.noLogZ = !(math.Abs(q.LogZ) <= record.MaxLogZ)
		if last = q.Update; !t.noLogZ {
			q.SE, q.Train, q.Validation = drawable(math.Abs(q.SE)), drawable(q.Train), drawable(q.Validation)
			t.points = append(t.points, q)
		}
	}
	last = 0
	for _, c := range g.Checks {
		if c.Update > last && c.Update <= latest && math.Abs(c.LogZ) <= record.MaxLogZ {
			last, c.SE, c.Lower, c.Upper = c.Update, drawable(math.Abs(c.SE)), drawable(c.Lower), drawable(c.Upper)
			c.TrainMean, c.ValidateMean = drawable(c.TrainMean), drawable(c.ValidateMean)
			t.checks = append(t.checks, c)
		}
	}

	t.shade()
	return t
}

// keep copies the pictures of the previous frame if the new frame of the same run has none, as frames of a paused run.
func (t *trained) keep(old *trained) *trained {
	if t.row == 0 && old != nil && t.units == old.units && len(t.points) > 0 && len(old.points) > 0 &&
		t.points[0].LogZ == old.points[0].LogZ {
		t.w, t.h, t.row, t.fantasies, t.data = old.w, old.h, old.row, old.fantasies, old.data
	}
	return t
}

// drawable returns x if it can be drawn, else NaN.
func drawable(x float64) float64 {
	if math.Abs(x) <= record.MaxLogZ {
		return x
	}
	return math.NaN()
}

// minScale is the minimum scale. The first weights, which are noise, are pale on it.
const minScale = 0.5

// shade converts all weights to tones on one scale, which is two to five times their root mean square.
func (t *trained) shade() {
	sum := 0.0
	for _, w := range t.filters {
		sum += float64(w) * float64(w)
	}
	t.scale = minScale
	if rms := math.Sqrt(sum / float64(max(len(t.filters), 1))); 2*rms > minScale && num.Finite(rms) {
		t.scale = format.Step(2*rms, 2)
	}
	t.tones = make([]byte, len(t.filters))
	for i, w := range t.filters {
		x := min(max(float64(w)/t.scale, -1), 1)
		if !num.NotNaN(x) {
			x = 0
		}
		t.tones[i] = byte(128 + math.Round(127*x))
	}
}

// hidden returns the number of hidden units with weights.
func (t *trained) hidden() int {
	if t.units < 1 {
		return 0
	}
	return len(t.filters) / t.units
}

// newest returns the last point of the curves.
func (t *trained) newest() *frame.TrainingPoint { return &t.points[len(t.points)-1] }

// point returns the point of an update, nil if there is none.
func (t *trained) point(update int) *frame.TrainingPoint {
	i := sort.Search(len(t.points), func(i int) bool { return t.points[i].Update >= update })
	if i < len(t.points) && t.points[i].Update == update {
		return &t.points[i]
	}
	return nil
}

// worse reports whether a point after the best update has a lower validation likelihood.
func (t *trained) worse(q *frame.TrainingPoint) bool {
	best := t.point(t.best)
	return best != nil && q.Update > t.best && q.Validation < best.Validation
}

// gap returns the training minus the validation log-likelihood. The error of log Z cancels.
func gap(q *frame.TrainingPoint) float64 { return q.Train - q.Validation }

// trainingView is a layout of a training run.
type trainingView struct {
	a *paint.Area
	t *trained
}

// trainingScene shows the training of a model: its weights as filters, samples of it next to data, and the likelihood
// of the data, with log Z as estimated during training and by annealed importance sampling (the checks).
type trainingScene struct {
	scene.Base
	trained *trained
}

// Draw implements Scene.
func (s *trainingScene) Draw(a *paint.Area) []paint.Layer {
	u, t := a.Unit, s.trained
	if t == nil || a.W < 160*u || a.H < 160*u {
		return []paint.Layer{paint.Note(a, "No training yet")}
	}
	pad, between := 24*u, 28*u
	if a.Compact() {
		pad, between = 16*u, 20*u
	}

	// On a wide canvas, weights and pictures are at the left, curves at the right.
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
		out = append(out, v.samples(gallery)...)
	}
	return out
}

// Take implements Scene.
func (s *trainingScene) Take(f *frame.Frame) {
	if f.Training != nil {
		s.trained = newTrained(f).keep(s.trained)
	}
}

// Clear implements Scene.
func (s *trainingScene) Clear() { s.trained = nil }

// describe returns the tooltip of an update.
func (v *trainingView) describe(q *frame.TrainingPoint) string {
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

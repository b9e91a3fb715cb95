package training

import (
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// drawn returns the texts and layers of the scene after some frames.
func drawn(w, h float64, fs ...*frame.Frame) (string, []paint.Layer) {
	ls := rendertest.Draw("training", rendertest.Area(w, h, 1), rendertest.StageWith(fs...))
	return rendertest.Texts(ls), ls
}

// TestTrainingTexts checks that the scene writes the update, the best one by validation and the gap, and marks the
// updates that are worse than the best.
func TestTrainingTexts(t *testing.T) {
	late := func(ls []paint.Layer) (n int) {
		for _, m := range rendertest.MarksOfKind(ls, paint.Band) {
			if m.Color == paint.Fade(paint.Light.Caution, 0.30) {
				n++
			}
		}
		return n
	}
	marked := 0
	for _, f := range append(slices.Clone(rendertest.TrainingRun()), rendertest.OvertrainedFrame(600, 28, 28, 784, 20),
		rendertest.OvertrainedFrame(2500, 28, 28, 784, 20)) {
		g := f.Training
		text, ls := drawn(1000, 620, f)
		if len(g.Points) == 0 {
			if !strings.Contains(text, "No likelihood yet") || !strings.Contains(text, "Weights") {
				t.Errorf("after %d updates: %s", g.Update, text)
			}
			continue
		}
		q := g.Points[len(g.Points)-1]
		wants := []string{"gap " + format.Fixed(q.Train-q.Validation, 2) + " nats|",
			"update " + format.Grouped(float64(g.Update), 0) + " of ", "training|" + format.Value(q.Train, q.SE) + "|",
			"validation|" + format.Value(q.Validation, q.SE) + "|"}
		best := "best by validation " + format.Grouped(float64(g.Best), 0)
		if g.Best > 0 {
			wants = append(wants, best)
		}
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("after %d updates %q is missing in %s", g.Update, want, text)
			}
		}
		falls := 0 // points after the best one that are worse
		for _, o := range g.Points {
			if i := slices.IndexFunc(g.Points, func(b frame.TrainingPoint) bool { return b.Update == g.Best }); i >= 0 &&
				o.Update > g.Best && o.Validation < g.Points[i].Validation {
				falls++
			}
		}
		if (late(ls) > 0) != (falls > 0) || g.Best == 0 && strings.Contains(text, "best by") {
			t.Errorf("after %d updates, the best %d, the newest point %d: %d marked segments; %s", g.Update, g.Best,
				q.Update, late(ls), text)
		}
		if g.Best > 0 {
			marked++
		}
	}
	if marked < 3 {
		t.Errorf("%d frames have a best update, want at least 3", marked)
	}
	if _, ls := drawn(704, 456, rendertest.OvertrainedFrame(2500, 28, 28, 784, 1)); late(ls) != 1 {
		t.Errorf("%d marked segments, want 1", late(ls))
	}
}

// TestTrainingChecks checks that the estimate of log Z is compared with each check: their difference with both error
// bars.
func TestTrainingChecks(t *testing.T) {
	fs := rendertest.TrainingRun()
	f := fs[len(fs)-1]
	q, c := f.Training.Points[len(f.Training.Points)-1], f.Training.Checks[len(f.Training.Checks)-1]
	if q.Update != c.Update {
		t.Fatalf("the last point is that of update %d, the last check of %d", q.Update, c.Update)
	}
	se := math.Hypot(q.SE, c.SE)
	text, ls := drawn(704, 456, f)
	want := "log Z minus that of AIS|" + format.Signed(q.LogZ-c.LogZ, format.Decimals(se)) + " \u00b1 " +
		format.Value(se, se) + "|"
	if !strings.Contains(text, want) {
		t.Errorf("%q is missing in %s", want, text)
	}
	ticks := 0
	for _, m := range rendertest.MarksOfKind(ls, paint.Wires) {
		if m.Halo && m.Color == paint.Light.Ink {
			ticks++
		}
	}
	if ticks != 3*len(f.Training.Checks) { // on both likelihoods and on log Z
		t.Errorf("%d ticks, want 3 for each of %d checks", ticks, len(f.Training.Checks))
	}
	if text, _ := drawn(704, 456, rendertest.OvertrainedFrame(300, 28, 28, 784, 20)); !strings.Contains(text, "no check yet") {
		t.Errorf("before the first check: %s", text)
	}
}

// TestTrainingPictures checks that all weights have one scale, that fantasies are next to data, and that rows that are
// not pictures are lines.
func TestTrainingPictures(t *testing.T) {
	count := func(f *frame.Frame) (signed, grey, bits int, ls []paint.Layer) {
		_, ls = drawn(704, 456, f)
		for _, m := range rendertest.MarksOfKind(ls, paint.Cells) {
			switch {
			case m.Signed:
				signed++
			case m.Grey:
				grey++
			default:
				bits++
			}
		}
		return signed, grey, bits, ls
	}
	f := rendertest.OvertrainedFrame(1000, 28, 28, 784, 20)
	signed, grey, bits, ls := count(f)
	if signed != 20 || grey != 0 || bits < 24 {
		t.Errorf("%d filters, %d lines, %d rows", signed, grey, bits)
	}
	q := newTrained(f)
	for i, m := range rendertest.MarksOfKind(ls, paint.Cells)[:20] {
		if !slices.Equal(m.Cells, q.tones[i*784:(i+1)*784]) {
			t.Fatalf("cells of filter %d differ", i)
		}
	}
	for i, w := range f.Training.Filters {
		want := min(max(float64(w), -q.scale), q.scale)
		if got := (float64(q.tones[i]) - 128) / 127 * q.scale; math.Abs(got-want) > q.scale/200 {
			t.Fatalf("weight %g is drawn as %g", w, got)
		}
	}
	if first := newTrained(rendertest.OvertrainedFrame(1, 28, 28, 784, 20)); first.scale != minScale || slices.Max(first.tones) > 140 {
		t.Errorf("the first weights have scale %g and tones up to %d", first.scale, slices.Max(first.tones))
	}
	if signed, grey, bits, _ = count(rendertest.OvertrainedFrame(1000, 14, 13, 180, 30)); signed != 1 || grey != 2 || bits != 0 {
		t.Errorf("rows of 180: %d pictures of weights, %d of rows, %d tiles", signed, grey, bits)
	}
	alone := rendertest.OvertrainedFrame(1000, 28, 28, 784, 5) // log Z is not estimated: no chains, no data
	alone.N, alone.W, alone.H, alone.Pixels, alone.Training.Data = 0, 0, 0, nil, nil
	for i := range alone.Training.Points {
		alone.Training.Points[i] = frame.TrainingPoint{Update: 25 + 25*i, LogZ: math.NaN()}
	}
	signed, _, bits, ls = count(alone)
	if signed != 5 || bits != 0 || !strings.Contains(rendertest.Texts(ls), "log Z is not followed") {
		t.Errorf("%d filters, %d rows: %s", signed, bits, rendertest.Texts(ls))
	}
}

// TestPausedTraining checks that a paused run keeps the pictures of its last frame, and that another run does not get
// them.
func TestPausedTraining(t *testing.T) {
	tiles := func(f *frame.Frame) (n int) {
		f.N, f.W, f.H, f.Pixels, f.Training.Data = 0, 0, 0, nil, nil
		_, ls := drawn(1000, 620, rendertest.OvertrainedFrame(1100, 28, 28, 784, 20), f)
		for _, m := range rendertest.MarksOfKind(ls, paint.Cells) {
			if !m.Signed {
				n++
			}
		}
		return n
	}
	if n := tiles(rendertest.OvertrainedFrame(1000, 28, 28, 784, 20)); n < 24 {
		t.Errorf("%d pictures of a paused run, want at least 24", n)
	}
	other := rendertest.OvertrainedFrame(1000, 28, 28, 784, 20)
	each(other.Training, func(q *frame.TrainingPoint) { q.LogZ++ })
	if n := tiles(other); n > 0 {
		t.Errorf("another run has %d pictures of this one", n)
	}
}

// TestTrainingTooltips checks the tooltips of units and updates.
func TestTrainingTooltips(t *testing.T) {
	found := map[string]bool{}
	p := rendertest.StageWith(rendertest.OvertrainedFrame(2500, 4, 4, 16, 20))
	var places []paint.Point
	for x := 330.0; x < 704; x++ {
		places = append(places, paint.Pt(x, 100))
	}
	for y := 10.0; y < 456; y += 20 {
		for x := 30.0; x < 320; x += 20 {
			places = append(places, paint.Pt(x, y))
		}
	}
	for _, at := range places {
		a := rendertest.Area(704, 456, 1)
		a.Pointer = paint.NewPointer(at)
		rendertest.Draw("training", a, p)
		_, text := a.Tooltip()
		for _, want := range []string{"Hidden unit 20, weights \u2212", "update 900, best", "AIS", "gap"} {
			found[want] = found[want] || strings.Contains(text, want)
		}
		if strings.Contains(text, "NaN") {
			t.Fatalf("tooltip at %v = %q", at, text)
		}
	}
	for want, ok := range found {
		if !ok {
			t.Errorf("no tooltip contains %q", want)
		}
	}
}

// TestOddTraining checks that values that are unknown or cannot be drawn are omitted.
func TestOddTraining(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	change := func(do func(g *frame.Training)) *frame.Frame {
		f := rendertest.OvertrainedFrame(1500, 4, 4, 16, 6)
		do(f.Training)
		return f
	}
	for name, f := range map[string]*frame.Frame{
		"nothing": {Training: &frame.Training{}},
		"no validation": change(func(g *frame.Training) {
			g.Best = 0
			each(g, func(q *frame.TrainingPoint) { q.Validation = nan })
		}),
		"infinite": change(func(g *frame.Training) {
			each(g, func(q *frame.TrainingPoint) { q.SE, q.Train = inf, -inf })
			g.Checks[0].Lower, g.Checks[0].SE = -inf, nan
		}),
		"huge":      change(func(g *frame.Training) { each(g, func(q *frame.TrainingPoint) { q.Train *= 1e200 }) }),
		"one point": change(func(g *frame.Training) { g.Points, g.Checks = g.Points[:1], nil }),
		"backwards": change(func(g *frame.Training) { slices.Reverse(g.Points); slices.Reverse(g.Checks) }),
		"far": change(func(g *frame.Training) {
			g.Points[0].Update, g.Updates, g.Best = math.MaxInt, -5, math.MaxInt
		}),
		"nan weights": change(func(g *frame.Training) { g.Filters[3], g.Filters[4] = float32(nan), float32(inf) }),
		"half a row":  change(func(g *frame.Training) { g.Data = g.Data[:7] }),
		"no weights":  change(func(g *frame.Training) { g.Filters, g.M = nil, 0 }),
		"flat": change(func(g *frame.Training) {
			each(g, func(q *frame.TrainingPoint) { q.Train, q.Validation = -5, -5 })
		}),
	} {
		for _, w := range []float64{704, 390} {
			a := rendertest.Area(w, 456, 1)
			rendertest.CheckMarks(t, name, a, rendertest.Draw("training", a, rendertest.StageWith(f)))
		}
	}
}

// each calls do for all points.
func each(g *frame.Training, do func(*frame.TrainingPoint)) {
	for i := range g.Points {
		do(&g.Points[i])
	}
}

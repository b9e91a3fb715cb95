package render

import (
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

// acts are what is done to a canvas before its picture is taken.
var acts = map[string]func(*Stage){
	"scheduledrag": func(s *Stage) {
		press(s, "d", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "PageDown", "PageDown")
	},
	"plandrag": func(s *Stage) {
		press(s, "d", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp")
	},
	"serieslgssm": func(s *Stage) { s.SetStill(true) },
	"serieslong":  func(s *Stage) { s.SetStill(true) },
	"seriessv":    func(s *Stage) { s.SetStill(true) },
	"formall":     func(s *Stage) { tapWord(s, "More pictures") },
	"formfollow":  func(s *Stage) { follow(s, 37) },
	"formback": func(s *Stage) {
		is := s.run.walls[0].island()
		is.scrub(120)
		for is.moments[is.shown()].phase != moving {
			is.key("ArrowLeft")
		}
	},
	"funcpick": func(s *Stage) { follow(s, 17) },
	"formslow": func(s *Stage) { slow(s, 0.45) },
	"formpop":  func(s *Stage) { slow(s, 0.3) },
	"formmove": func(s *Stage) { slow(s, 0.3) },
}

// press presses keys one after the other.
func press(s *Stage, keys ...string) {
	for _, key := range keys {
		s.Key(key)
	}
}

// tapWord taps where a word stands on a desktop.
func tapWord(s *Stage, word string) {
	s.fit(704, 620, 1)
	s.w, s.h = 704, 620
	layers, _ := s.layers()
	for _, m := range all(layers, paint.Text) {
		if m.Text == word {
			s.Tap(m.At.X+4, m.At.Y-4)
			return
		}
	}
}

// follow taps row of the newest moment.
func follow(s *Stage, row int) {
	is := s.run.walls[0].island()
	is.marked = [2]int{is.newest().id, row}
}

// slow makes the newest frame one of slow motion, some way through its change.
func slow(s *Stage, done float64) {
	is := s.run.walls[0].island()
	s.hold = 100
	is.slow, is.began, is.glide = true, 100-done*longest, longest
}

// turned stops the record at the last moment of a phase before the last sixth of it, some way through its change.
func turned(s *Stage, scene string, phase int, done float64) {
	is := s.run.walls[0].record()
	if scene == "filter" {
		is = s.run.walls[0].filtered(&s.run)
	}
	i := len(is.moments) * 5 / 6
	for i > 1 && is.moments[i].phase != phase {
		i--
	}
	s.hold = 100
	is.review = review{on: is.moments[i].id, began: 100 - done*lengths[phase], stopped: true}
}

func init() {
	for name, of := range map[string]string{"plane": "plane", "arm": "arm", "digits": "digits", "lattice": "lattice",
		"forming": "forming", "growing": "growing", "linreg": "linreg", "functions": "functions"} {
		for i, phase := range []int{reweighting, resampling, moving} {
			for j, done := range []float64{0.3, 0.7, 1} {
				n := "cull" + name + string(rune('a'+i)) + string(rune('0'+j))
				shows[n] = func() (string, []*frame.Frame) { return "resampling", culled()[of] }
				acts[n] = func(s *Stage) { turned(s, "resampling", phase, done) }
			}
		}
	}
	for name, of := range filters {
		for i, phase := range []int{reweighting, resampling, moving} {
			for j, done := range []float64{0.3, 0.7, 1} {
				n := "cull" + name + string(rune('a'+i)) + string(rune('0'+j))
				shows[n] = func() (string, []*frame.Frame) { return "filter", real()[of] }
				acts[n] = func(s *Stage) { turned(s, "filter", phase, done) }
			}
		}
	}
}

// shownOn is a canvas with a run that forms digits, and its island.
func shownOn(name string, w, h float64) (*Stage, *island) {
	s := NewStage()
	scene, fs := shows[name]()
	s.SetScene(scene)
	for _, f := range fs {
		s.Take(f)
	}
	s.fit(w, h, 1)
	s.w, s.h = int(w), int(h)
	return s, s.run.walls[0].island()
}

// cooled is a canvas with a run of ten particles that went from hot to cold; at beta they stand at x = 10 beta.
func cooled(t *testing.T, scene string) *Stage { return cooledIn(t, scene, 0) }

// cooledIn is one whose particles took so many seconds.
func cooledIn(t *testing.T, scene string, seconds float64) *Stage {
	t.Helper()
	s := NewStage()
	if !s.SetScene(scene) {
		t.Fatal(scene)
	}
	for k := range 51 {
		s.hold = 50 - seconds*float64(50-k)/50
		beta := float32(k) / 50
		f := &frame.Frame{Model: "line", Method: "ais", Phase: "forward", Step: k, Steps: 50, N: 10, Total: 10, Rungs: 51}
		for i := range 10 {
			f.Points = append(f.Points, 10*beta, float32(i))
			f.Beta, f.LogW, f.Rung = append(f.Beta, beta), append(f.LogW, beta), append(f.Rung, int32(k))
		}
		s.Take(f)
	}
	s.Take(&frame.Frame{Curves: []frame.Curve{{Method: "ais", Points: []frame.Point{{Sweeps: 500, LogZ: 3, SE: .1}}}},
		Ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 3}, SE: []float64{0, .2}}}})
	s.fit(900, 700, 1)
	s.w, s.h = 900, 700
	return s
}

// weighedCanvas shows frames in the scene, in a canvas of a desktop.
func weighedCanvas(t *testing.T, frames []*frame.Frame) *Stage {
	t.Helper()
	s := NewStage()
	if s.hold = 50; !s.SetScene("resampling") {
		t.Fatal("no scene")
	}
	for _, f := range frames {
		s.Take(f)
	}
	s.fit(1100, 700, 1)
	s.w, s.h = 1100, 700
	return s
}

// raced is a picture of two methods: the first is within 0.1 nat from its third point on, the second never is.
func raced() *Stage {
	course := func(off ...float64) (out []frame.Course) {
		for i, d := range off {
			out = append(out, frame.Course{Sweeps: math.Pow(10, float64(2+i)), LogZ: 5 + d, Lower: 5 - d, Upper: 5 + 2*d,
				Off: d})
		}
		return out
	}
	p := NewStage()
	p.run.state, p.run.now = "done", 20
	p.add(&frame.Frame{Truth: 5, HasTruth: true, Curves: []frame.Curve{
		{Method: "ais", Course: course(1, 0.05, 0.3, 0.08, 0.01)}, {Method: "rts", Run: 1, Course: course(2, 1, 0.5, 0.4)}}})
	return p
}

// onShow lays the scene out at a moment, some way through the change to it.
func onShow(s *Stage, i int, done float64) []paint.Mark {
	is := s.run.walls[0].record()
	if s.scene == "filter" {
		is = s.run.walls[0].filtered(&s.run)
	}
	m := &is.moments[i]
	is.review = review{on: m.id, began: s.hold - done*lengths[m.phase], stopped: true}
	s.run.now = s.seconds()
	var out []paint.Mark
	layers, _ := s.layers()
	for _, l := range layers {
		out = append(out, l.Marks...)
	}
	return out
}

// grown is the island of the frames of one method.
func grown(fs ...*frame.Frame) (*Stage, *island) {
	p := picturing(fs...)
	return p, p.run.walls[0].island()
}

// step is a frame of n rows of w x h pictures at a stage; row r has the digits of a
// number that only it and its line have.
func step(stage, n, w, h int, parents []int32, r *rand.Rand) *frame.Frame {
	f := &frame.Frame{Model: "m", Method: "arm", Phase: "augment", N: n, Total: n, W: w, H: h,
		Growth: &frame.Growth{Stage: stage, Stages: 4000, R: n, Threshold: 0.7, Parents: parents}}
	for range n {
		for c := range w * h {
			v := byte(2)
			if c < stage {
				v = byte(r.IntN(2))
			}
			f.Pixels = append(f.Pixels, v)
		}
	}
	return f
}

package rendertest

import (
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/stage"
)

// Acts has, by the name of a Show, the actions on the stage before its picture is drawn.
var Acts = map[string]func(*stage.Stage){
	"chainall": func(s *stage.Stage) { press(s, "a") },
	"scheduledrag": func(s *stage.Stage) {
		press(s, "d", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "PageDown", "PageDown")
	},
	"plan": func(s *stage.Stage) { press(s, "d") },
	"plandrag": func(s *stage.Stage) {
		press(s, "d", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp")
	},
	"serieslgssm": func(s *stage.Stage) { s.SetStill(true) },
	"serieslong":  func(s *stage.Stage) { s.SetStill(true) },
	"seriessv":    func(s *stage.Stage) { s.SetStill(true) },
	"formall":     func(s *stage.Stage) { tapWord(s, "More pictures") },
	"formfollow":  func(s *stage.Stage) { FollowRow(s, 37) },
	"formback": func(s *stage.Stage) {
		is := s.Run.Particles[0].Island()
		is.ShowStage(120)
		for is.Moments[is.ShownIndex()].Phase != record.Moving {
			is.Key("ArrowLeft")
		}
	},
	"last":  func(s *stage.Stage) { s.SetHidden("details") },
	"lasts": func(s *stage.Stage) { s.SetHidden("details") },
	"race": func(s *stage.Stage) {
		s.SetRun("done")
		s.SetStill(true)
	},
	"racehalf": func(s *stage.Stage) { // in the middle of the race
		s.SetRun("done")
		s.FixedSeconds = 20
		s.Run.Now = s.Seconds()
		s.W, s.H = 704, 456
		s.Fit(704, 456, 1)
		s.Layers()
		s.FixedSeconds += 2
	},
	"funcpick": func(s *stage.Stage) { FollowRow(s, 17) },
	"formslow": func(s *stage.Stage) { SlowDown(s, 0.45) },
	"formpop":  func(s *stage.Stage) { SlowDown(s, 0.3) },
	"formmove": func(s *stage.Stage) { SlowDown(s, 0.3) },
}

// press presses keys one after the other.
func press(s *stage.Stage, keys ...string) {
	for _, key := range keys {
		s.Key(key)
	}
}

// tapWord taps a word of the scene, on a canvas of desktop size.
func tapWord(s *stage.Stage, word string) {
	s.Fit(704, 620, 1)
	s.W, s.H = 704, 620
	layers, _ := s.Layers()
	for _, m := range MarksOfKind(layers, paint.Text) {
		if m.Text == word {
			s.Tap(m.At.X+4, m.At.Y-4)
			return
		}
	}
}

// FollowRow highlights a row of the newest moment of the record, and the rows that it descends from.
func FollowRow(s *stage.Stage, row int) {
	is := s.Run.Particles[0].Island()
	is.Marked = [2]int{is.Newest().ID, row}
}

// SlowDown shows the newest frame in slow motion, at fraction done of its animation.
func SlowDown(s *stage.Stage, done float64) {
	is := s.Run.Particles[0].Island()
	s.FixedSeconds = 100
	is.Slow, is.ChangeStart, is.ChangeTime = true, 100-done*record.MaxChange, record.MaxChange
}

// pauseAt pauses the record at the last moment of a phase in its first five sixths, at fraction done of its animation.
func pauseAt(s *stage.Stage, scene string, phase int, done float64) {
	is := s.Run.Particles[0].Record()
	if scene == "filter" {
		is = s.Run.Particles[0].FilterRecord(&s.Run)
	}
	i := len(is.Moments) * 5 / 6
	for i > 1 && is.Moments[i].Phase != phase {
		i--
	}
	s.FixedSeconds = 100
	is.Playback = record.Playback{MomentID: is.Moments[i].ID, Start: 100 - done*record.PhaseDurations[phase], Paused: true}
}

func init() {
	for name, of := range map[string]string{"plane": "plane", "arm": "arm", "digits": "digits", "lattice": "lattice",
		"forming": "forming", "growing": "growing", "linreg": "linreg", "functions": "functions"} {
		for i, phase := range []int{record.Reweighting, record.Resampling, record.Moving} {
			for j, done := range []float64{0.3, 0.7, 1} {
				n := "cull" + name + string(rune('a'+i)) + string(rune('0'+j))
				Shows[n] = Show{"resampling", func() []*frame.Frame { return WeightedRuns()[of] }}
				Acts[n] = func(s *stage.Stage) { pauseAt(s, "resampling", phase, done) }
			}
		}
	}
	for name, of := range Filters {
		for i, phase := range []int{record.Reweighting, record.Resampling, record.Moving} {
			for j, done := range []float64{0.3, 0.7, 1} {
				n := "cull" + name + string(rune('a'+i)) + string(rune('0'+j))
				Shows[n] = Show{"filter", func() []*frame.Frame { return RealRuns()[of] }}
				Acts[n] = func(s *stage.Stage) { pauseAt(s, "filter", phase, done) }
			}
		}
	}
}

// ShowStage returns a stage of w x h CSS pixels with the frames of a Show, and the first island of its record.
func ShowStage(name string, w, h float64) (*stage.Stage, *record.Island) {
	s := stage.NewStage()
	scene, fs := Shows[name].Scene, Shows[name].Frames()
	s.SetScene(scene)
	for _, f := range fs {
		s.Take(f)
	}
	s.Fit(w, h, 1)
	s.W, s.H = int(w), int(h)
	return s, s.Run.Particles[0].Island()
}

// AnnealedStage returns a stage with an annealing run of ten particles, which are at x = 10 beta at inverse temperature
// beta.
func AnnealedStage(t *testing.T, scene string) *stage.Stage { return AnnealedStageIn(t, scene, 0) }

// AnnealedStageIn is AnnealedStage with a run that took the given time in seconds.
func AnnealedStageIn(t *testing.T, scene string, seconds float64) *stage.Stage {
	t.Helper()
	s := stage.NewStage()
	if !s.SetScene(scene) {
		t.Fatal(scene)
	}
	for k := range 51 {
		s.FixedSeconds = 50 - seconds*float64(50-k)/50
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
	s.Fit(900, 700, 1)
	s.W, s.H = 900, 700
	return s
}

// WeightedStage returns a stage of desktop size with frames in the scene "resampling".
func WeightedStage(t *testing.T, frames []*frame.Frame) *stage.Stage {
	t.Helper()
	s := stage.NewStage()
	if s.FixedSeconds = 50; !s.SetScene("resampling") {
		t.Fatal("no scene")
	}
	for _, f := range frames {
		s.Take(f)
	}
	s.Fit(1100, 700, 1)
	s.W, s.H = 1100, 700
	return s
}

// RaceStage returns a stage with the histories of two methods. The error of the first is below 0.1 nat from its third
// point on, that of the second never is.
func RaceStage() *stage.Stage {
	course := func(off ...float64) (out []frame.Course) {
		for i, d := range off {
			out = append(out, frame.Course{Sweeps: math.Pow(10, float64(2+i)), LogZ: 5 + d, Lower: 5 - d, Upper: 5 + 2*d,
				Error: d})
		}
		return out
	}
	p := stage.NewStage()
	p.Run.State, p.Run.Now = "done", 20
	p.Add(&frame.Frame{Truth: 5, HasTruth: true, Curves: []frame.Curve{
		{Method: "ais", Course: course(1, 0.05, 0.3, 0.08, 0.01)}, {Method: "rts", Run: 1, Course: course(2, 1, 0.5, 0.4)}}})
	return p
}

// RaceFrames returns frames of a race of three methods, whose errors fall with the square root of the work; the third
// has a bias of 0.25 nats.
func RaceFrames() []*frame.Frame {
	f := &frame.Frame{Truth: 221.07, HasTruth: true}
	for i, method := range []string{"ais", "rts", "sams"} {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		bias, scale := [...]float64{0, 0, 0.25}[i], [...]float64{60, 12, 30}[i]
		c := frame.Curve{Method: method, Run: i}
		for k := range 19 {
			work := math.Pow(10, 3+float64(k)/6)
			se := scale / math.Sqrt(work)
			z := f.Truth + bias + se*r.NormFloat64()
			c.Course = append(c.Course, frame.Course{Sweeps: work, LogZ: z, Lower: z - 1.3*se, Upper: z + 1.3*se,
				Error: math.Hypot(bias, se)})
		}
		f.Curves = append(f.Curves, c)
	}
	return []*frame.Frame{f}
}

// LayoutAt returns the marks of the scene at moment i of the record, at fraction done of its animation.
func LayoutAt(s *stage.Stage, i int, done float64) []paint.Mark {
	is := s.Run.Particles[0].Record()
	if s.Scene == "filter" {
		is = s.Run.Particles[0].FilterRecord(&s.Run)
	}
	m := &is.Moments[i]
	is.Playback = record.Playback{MomentID: m.ID, Start: s.FixedSeconds - done*record.PhaseDurations[m.Phase], Paused: true}
	s.Run.Now = s.Seconds()
	var out []paint.Mark
	layers, _ := s.Layers()
	for _, l := range layers {
		out = append(out, l.Marks...)
	}
	return out
}

// IslandStage returns a stage with frames of one method, and its island.
func IslandStage(fs ...*frame.Frame) (*stage.Stage, *record.Island) {
	p := StageWith(fs...)
	return p, p.Run.Particles[0].Island()
}

// Step returns a frame of a growing run at a stage: n rows, each a picture of w x h random cells.
func Step(stage, n, w, h int, parents []int32, r *rand.Rand) *frame.Frame {
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

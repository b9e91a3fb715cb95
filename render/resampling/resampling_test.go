package resampling

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// TestCopiesAreOffspring checks that the numbers of copies in the picture are the offspring in the run, and that all
// copies are drawn as separate dots.
func TestCopiesAreOffspring(t *testing.T) {
	frames := rendertest.RunFrames("smc", "mixture2", "particles", "24", "islands", "2", "temperatures", "8", "ess", "0.9")
	field := &frame.Frame{Model: frames[0].Model, Field: rendertest.ThreeGaussians()}
	s := rendertest.WeightedStage(t, append([]*frame.Frame{field}, frames...))
	s.Fit(4400, 2800, 1) // large enough for all numbers
	s.W, s.H = 4400, 2800
	// All particles are in the plane.
	s.Scenes["resampling"].(*resampling).background.Density().Roi = paint.XYWH(-20, -20, 40, 40)
	is := s.Run.Particles[0].Record()
	resampled := 0
	for _, f := range frames {
		if f.First > 0 || f.Weighing == nil || f.Weighing.Phase != frame.PhaseResample {
			continue
		}
		want := map[int32]int{}
		for _, p := range f.Parents {
			want[p]++
		}
		i := slices.IndexFunc(is.Moments, func(m record.Moment) bool { return m.Weighing.FrameNumber == f.Weighing.FrameNumber })
		if i < 0 {
			t.Fatalf("frame %d is not in the record", f.Weighing.FrameNumber)
		}
		resampled++
		var all, counts []string
		for _, k := range want {
			if k > 1 {
				all = append(all, "\u00d7"+strconv.Itoa(k))
			}
		}
		dots := paint.Mark{}
		for _, m := range rendertest.LayoutAt(s, i, 1) {
			if m.Kind == paint.Text && strings.HasPrefix(m.Text, "\u00d7") {
				counts = append(counts, m.Text)
			}
			if m.Kind == paint.Dots {
				dots = m
			}
		}
		slices.Sort(all)
		slices.Sort(counts)
		if len(all) == 0 || !slices.Equal(counts, all) {
			t.Errorf("copies %v, want %v", counts, all)
		}
		if len(dots.Pts) != 24 {
			t.Errorf("%d dots, want 24", len(dots.Pts))
		}

		// Halfway through the animation the rows without offspring are still drawn.
		leaving := 0
		for _, m := range rendertest.LayoutAt(s, i, 0.6) {
			if m.Kind == paint.Dots {
				leaving = len(m.Pts) - 24
			}
		}
		if leaving != 24-len(want) {
			t.Errorf("%d dots disappear, want %d", leaving, 24-len(want))
		}
	}
	if resampled < 2 {
		t.Errorf("resampled %d times, want at least 2", resampled)
	}
}

// TestCopiesOfEveryKind checks for every kind of run that the record has the offspring of the run.
func TestCopiesOfEveryKind(t *testing.T) {
	for name, frames := range rendertest.WeightedRuns() {
		// The last run of the first island, at most as long as a record that is not thinned.
		run := slices.DeleteFunc(slices.Clone(frames), func(f *frame.Frame) bool { return f.Weighing == nil || f.First > 0 })
		first := len(run) - 1
		for run[first].Weighing.Phase != frame.PhaseInit {
			first--
		}
		run = run[first:]
		run = run[:min(len(run), 900)]
		is := rendertest.WeightedStage(t, run).Run.Particles[0].Record()

		checked := 0
		for _, f := range run {
			parents := f.Parents
			if f.Growth != nil {
				parents = f.Growth.Parents
			}
			if f.Weighing.Phase != frame.PhaseResample || len(parents) == 0 {
				continue
			}
			i := slices.IndexFunc(is.Moments, func(m record.Moment) bool { return m.Weighing == f.Weighing })
			if i < 1 || is.Moments[i-1].Weighing.FrameNumber != f.Weighing.ParentFrame {
				t.Fatalf("%s: frame %d or the previous one is not in the record", name, f.Weighing.FrameNumber)
			}
			want := make([]int32, is.Moments[i-1].AllRows)
			for _, p := range parents {
				want[p]++
			}
			if got := is.Moments[i].Offspring(&is.Moments[i-1]); !slices.Equal(got, want) || slices.Max(want) < 2 {
				t.Fatalf("%s: offspring of moment %d = %v, want %v", name, i, got, want)
			}
			checked++
		}
		if checked == 0 {
			t.Errorf("%s: never resampled", name)
		}
	}
}

// TestCopyCountsDoNotOverlap checks that numbers of copies do not overlap, and that the largest is always drawn.
func TestCopyCountsDoNotOverlap(t *testing.T) {
	for name, frames := range rendertest.WeightedRuns() {
		s := rendertest.WeightedStage(t, frames)
		s.Fit(390, 456, 1)
		s.W, s.H = 390, 456
		is := s.Run.Particles[0].Record()
		for i, m := range is.Moments {
			if m.Phase != record.Resampling || i == 0 {
				continue
			}
			kids := m.Offspring(&is.Moments[i-1])
			top := "\u00d7" + strconv.Itoa(int(slices.Max(kids)))
			var at []paint.Point
			found := slices.Max(kids) < 2
			for _, x := range rendertest.LayoutAt(s, i, 1) {
				if x.Kind != paint.Text || !strings.HasPrefix(x.Text, "\u00d7") {
					continue
				}
				found = found || x.Text == top
				for _, p := range at {
					if math.Abs(p.X-x.At.X) < 18 && math.Abs(p.Y-x.At.Y) < 12 {
						t.Fatalf("%s: two numbers at (%.0f, %.0f)", name, x.At.X, x.At.Y)
					}
				}
				at = append(at, x.At)
			}
			if !found {
				t.Errorf("%s: %s is missing", name, top)
			}
		}
	}
}

// TestLostFrame checks that rows after a missing frame have no parents, rather than wrong ones.
func TestLostFrame(t *testing.T) {
	frames := rendertest.RunFrames("smc", "mixture2", "particles", "24", "islands", "1", "temperatures", "8", "ess", "0.9")
	i := slices.IndexFunc(frames, func(f *frame.Frame) bool {
		return f.Weighing != nil && f.Weighing.Phase == frame.PhaseReweight && f.Step > 12
	})
	frames = slices.Delete(frames, i, i+1)
	s := rendertest.WeightedStage(t, frames)
	is := s.Run.Particles[0].Record()
	k := slices.IndexFunc(is.Moments, func(m record.Moment) bool { return m.Weighing.FrameNumber == frames[i].Weighing.FrameNumber })
	for row := range is.Moments[k].Rows {
		if p := is.Moments[k].Parent(row); p != record.NoRow {
			t.Fatalf("row %d has parent %d although the previous frame is missing", row, p)
		}
	}
	rendertest.LayoutAt(s, k, 0.5)
}

// TestPhasesOneByOne checks that the record plays by itself, slowly enough to watch resampling, and that keys go to
// the next or previous phase and describe it.
func TestPhasesOneByOne(t *testing.T) {
	s := rendertest.WeightedStage(t, rendertest.WeightedRuns()["lattice"])
	is := s.Run.Particles[0].Record()
	p := &s.Run
	p.State, p.Now = "done", 50
	spent := map[int]float64{}
	last := -1
	for now := 50.0; now < 400; now += 0.02 {
		i, _ := is.PlaybackAt(now, false)
		if i < last {
			t.Fatalf("the record went from moment %d back to %d", last, i)
		}
		last = i
		spent[i] += 0.02
	}
	if last != len(is.Moments)-1 {
		t.Errorf("the record stopped at moment %d of %d", last, len(is.Moments))
	}
	for i, m := range is.Moments[:last] {
		if m.Phase == record.Resampling && spent[i] < 1.2 {
			t.Errorf("resampling took %.2f s, want at least 1.2", spent[i])
		}
	}
	for _, key := range []string{"ArrowLeft", "ArrowLeft", "ArrowRight", "Home", "ArrowRight", "ArrowRight"} {
		if !s.Key(key) {
			t.Errorf("key %s is not used", key)
		}
	}
	i, done := is.PlaybackAt(p.Now, false)
	if i != 2 || done > 0.1 || !is.Playback.Paused {
		t.Errorf("PlaybackAt = %d, %g, want 2, 0", i, done)
	}
	for i, m := range is.Moments {
		if m.Phase == record.Resampling {
			rendertest.LayoutAt(s, i, 1)
			text := s.CurrentScene().Describe(&paint.Area{})
			if !strings.Contains(text, "systematic rule") || !strings.Contains(text, "ESS") {
				t.Errorf("Describe = %q", text)
			}
			break
		}
	}
}

// TestMoveIsOneMoment checks that a move is one moment of the record, however many sweeps it has.
func TestMoveIsOneMoment(t *testing.T) {
	for name, frames := range map[string][]*frame.Frame{
		"smc": rendertest.RunFrames("smc", "mixture2", "particles", "24", "islands", "2", "temperatures", "8", "ess", "0.9",
			"moves", "4"),
		"rm": rendertest.RunFrames("rm", "gpc-1d", "particles", "24", "islands", "2", "moves", "3"),
	} {
		s := rendertest.WeightedStage(t, frames)
		is := s.Run.Particles[0].Record()
		moves := 0
		for i := 1; i < len(is.Moments)-1; i++ {
			m := &is.Moments[i]
			if m.Phase == record.Moving {
				moves++
			}
			if m.ContinuesMove(&is.Moments[i-1]) {
				t.Fatalf("%s: moments %d and %d belong to one move", name, i-1, i)
			}
			for row := range m.Rows {
				if p := m.Parent(row); m.Phase == record.Moving && p != row {
					t.Fatalf("%s: the parent of row %d of moment %d is %d", name, row, i, p)
				}
			}
		}
		if moves < 4 {
			t.Errorf("%s: %d moves, want at least 4", name, moves)
		}
	}
}

// TestLongRecord checks that a long record with few resamplings plays fast, but at normal speed after a key.
func TestLongRecord(t *testing.T) {
	is := &record.Island{}
	for id := 1; id <= 100; id++ {
		phase := record.Reweighting
		if id%10 == 0 {
			phase = record.Resampling
		}
		is.Moments = append(is.Moments, record.Moment{ID: id, Phase: phase})
	}
	at := func(now float64) int {
		i, _ := is.PlaybackAt(now, false)
		return i
	}
	now := 0.0
	for ; at(now) < 99 && now < 200; now += 0.02 {
	}
	// 63 fast changes of weights, 27 slow ones, 10 resamplings
	if want := 63*0.3 + 27 + 10*1.7; math.Abs(now-want) > 4 {
		t.Errorf("100 moments took %.1f s, want about %.0f", now, want)
	}
	is.SeekTo(0, now, true)
	is.SeekTo(1, now, true)
	if _, done := is.PlaybackAt(now+0.5, false); done != 0.5 {
		t.Errorf("half a second after a key: fraction %g, want 0.5", done)
	}
}

// TestEveryPhaseIsDrawn checks that all kinds of runs are drawn at every phase and time of its animation.
func TestEveryPhaseIsDrawn(t *testing.T) {
	for name, frames := range rendertest.WeightedRuns() {
		s := rendertest.WeightedStage(t, frames)
		is := s.Run.Particles[0].Record()
		if is == nil || len(is.Moments) < 8 || is.PhasesSeen>>record.Resampling&1 == 0 || is.PhasesSeen>>record.Reweighting&1 == 0 {
			t.Errorf("%s: no record of resampling", name)
			continue
		}
		for i := range is.Moments {
			for _, done := range []float64{0, 0.2, 0.5, 0.9, 1} {
				if len(rendertest.LayoutAt(s, i, done)) < 8 {
					t.Fatalf("%s: moment %d at %g has no marks", name, i, done)
				}
			}
			if m := &is.Moments[i]; m.Phase == record.Resampling && m.Weighing.ESS != 1 {
				t.Errorf("%s: ESS ratio after resampling = %g, want 1", name, m.Weighing.ESS)
			}
		}
	}
}

// TestResamplingFits checks that no word leaves the canvas or overlaps another, and that a 16:9 slide has the family
// tree.
func TestResamplingFits(t *testing.T) {
	for name, frames := range rendertest.WeightedRuns() {
		for _, size := range [][3]float64{{341, 300, 2.4}, {360, 300, 2}, {704, 456, 1}} {
			s := rendertest.WeightedStage(t, frames)
			is := s.Run.Particles[0].Record()
			for i := range is.Moments {
				rendertest.LayoutAt(s, i, 0.6) // numbers of copies are drawn
				a := rendertest.Area(size[0], size[1], size[2])
				layers := rendertest.Draw("resampling", a, s)
				rendertest.CheckMarks(t, fmt.Sprint(name, " ", size, " ", i), a, layers)
				if !strings.Contains(rendertest.Texts(layers), "Family tree|") {
					t.Fatalf("%s, %v: the family tree is missing", name, size)
				}
			}
		}
	}
}

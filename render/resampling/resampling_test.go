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

// The copies in the picture are the offspring of the run: their numbers are written, and around each place stand as
// many dots.
func TestCopiesAreOffspring(t *testing.T) {
	frames := rendertest.Really("smc", "mixture2", "particles", "24", "islands", "2", "temperatures", "8", "ess", "0.9")
	s := rendertest.WeightedStage(t, append([]*frame.Frame{{Model: frames[0].Model, Field: rendertest.ThreeHills()}}, frames...))
	s.Fit(4400, 2800, 1) // where all numbers have room
	s.W, s.H = 4400, 2800
	s.Scenes["resampling"].(*resampling).background.Density().Roi = paint.XYWH(-20, -20, 40, 40) // and all particles are in sight
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
		i := slices.IndexFunc(is.Moments, func(m record.Moment) bool { return m.Weighing.At == f.Weighing.At })
		if i < 0 {
			t.Fatalf("frame %d is not on record", f.Weighing.At)
		}
		resampled++
		var all, counts []string
		for _, k := range want {
			if k > 1 {
				all = append(all, "\u00d7"+strconv.Itoa(k))
			}
		}
		dots := paint.Mark{}
		for _, m := range rendertest.OnShow(s, i, 1) {
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
			t.Errorf("copies %v, offspring %v", counts, all)
		}
		if len(dots.Pts) != 24 {
			t.Errorf("%d dots of 24 particles", len(dots.Pts))
		}

		// In the middle of the change those are on their way out that have no offspring.
		leaving := 0
		for _, m := range rendertest.OnShow(s, i, 0.6) {
			if m.Kind == paint.Dots {
				leaving = len(m.Pts) - 24
			}
		}
		if leaving != 24-len(want) {
			t.Errorf("%d leave, %d have no offspring", leaving, 24-len(want))
		}
	}
	if resampled < 2 {
		t.Errorf("resampled %d times", resampled)
	}
}

// In every kind of run the record has the offspring that the run gave each particle.
func TestCopiesOfEveryKind(t *testing.T) {
	for name, frames := range rendertest.Culled() {
		// The last run of the first island, no longer than a record keeps whole.
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
			if i < 1 || is.Moments[i-1].Weighing.At != f.Weighing.Before {
				t.Fatalf("%s: frame %d or the one before is not on record", name, f.Weighing.At)
			}
			want := make([]int32, is.Moments[i-1].AllRows)
			for _, p := range parents {
				want[p]++
			}
			if got := is.Moments[i].Offspring(&is.Moments[i-1]); !slices.Equal(got, want) || slices.Max(want) < 2 {
				t.Fatalf("%s: moment %d has offspring %v, the run %v", name, i, got, want)
			}
			checked++
		}
		if checked == 0 {
			t.Errorf("%s: never resampled", name)
		}
	}
}

// Numbers of copies never lie over each other; the largest is always there.
func TestCopiesHaveRoom(t *testing.T) {
	for name, frames := range rendertest.Culled() {
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
			for _, x := range rendertest.OnShow(s, i, 1) {
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
				t.Errorf("%s: no %s", name, top)
			}
		}
	}
}

// A frame that did not come leaves the lineage open: nobody is called a copy of the wrong one.
func TestLostFrame(t *testing.T) {
	frames := rendertest.Really("smc", "mixture2", "particles", "24", "islands", "1", "temperatures", "8", "ess", "0.9")
	i := slices.IndexFunc(frames, func(f *frame.Frame) bool {
		return f.Weighing != nil && f.Weighing.Phase == frame.PhaseReweight && f.Step > 12
	})
	frames = slices.Delete(frames, i, i+1)
	s := rendertest.WeightedStage(t, frames)
	is := s.Run.Particles[0].Record()
	k := slices.IndexFunc(is.Moments, func(m record.Moment) bool { return m.Weighing.At == frames[i].Weighing.At })
	for row := range is.Moments[k].Rows {
		if p := is.Moments[k].Parent(row); p != record.NoRow {
			t.Fatalf("row %d descends from %d, in a frame that was not seen", row, p)
		}
	}
	rendertest.OnShow(s, k, 0.5)
}

// The record goes on by itself, at a pace at which resampling can be watched; keys go a phase on and back, and say it.
func TestPhasesOneByOne(t *testing.T) {
	s := rendertest.WeightedStage(t, rendertest.Culled()["lattice"])
	is := s.Run.Particles[0].Record()
	p := &s.Run
	p.State, p.Now = "done", 50
	spent := map[int]float64{}
	last := -1
	for now := 50.0; now < 400; now += 0.02 {
		i, _ := is.PlaybackAt(now, false)
		if i < last {
			t.Fatalf("from moment %d back to %d", last, i)
		}
		last = i
		spent[i] += 0.02
	}
	if last != len(is.Moments)-1 {
		t.Errorf("it stopped at moment %d of %d", last, len(is.Moments))
	}
	for i, m := range is.Moments[:last] {
		if m.Phase == record.Resampling && spent[i] < 1.2 {
			t.Errorf("resampling took %.2f s", spent[i])
		}
	}
	for _, key := range []string{"ArrowLeft", "ArrowLeft", "ArrowRight", "Home", "ArrowRight", "ArrowRight"} {
		if !s.Key(key) {
			t.Errorf("%s is not taken", key)
		}
	}
	i, done := is.PlaybackAt(p.Now, false)
	if i != 2 || done > 0.1 || !is.Playback.Paused {
		t.Errorf("moment %d, %g of its change", i, done)
	}
	for i, m := range is.Moments {
		if m.Phase == record.Resampling {
			rendertest.OnShow(s, i, 1)
			text := s.CurrentScene().Describe(&paint.Area{})
			if !strings.Contains(text, "systematic rule") || !strings.Contains(text, "ESS") {
				t.Errorf("said %q", text)
			}
			break
		}
	}
}

// However many sweeps a move has, it is one moment of the record, and so one step of a viewer.
func TestMoveIsOneStep(t *testing.T) {
	for name, frames := range map[string][]*frame.Frame{
		"smc": rendertest.Really("smc", "mixture2", "particles", "24", "islands", "2", "temperatures", "8", "ess", "0.9", "moves", "4"),
		"rm":  rendertest.Really("rm", "gpc-1d", "particles", "24", "islands", "2", "moves", "3"),
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
				t.Fatalf("%s: moments %d and %d are one move", name, i-1, i)
			}
			for row := range m.Rows {
				if p := m.Parent(row); m.Phase == record.Moving && p != row {
					t.Fatalf("%s: row %d of moment %d comes from %d", name, row, i, p)
				}
			}
		}
		if moves < 4 {
			t.Errorf("%s: %d moves", name, moves)
		}
	}
}

// A long record with few resamplings is soon over, and turned by hand each change takes its time.
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
	// 63 quick weighings, 27 slow ones, 10 resamplings
	if want := 63*0.3 + 27 + 10*1.7; math.Abs(now-want) > 4 {
		t.Errorf("100 moments took %.1f s, not about %.0f", now, want)
	}
	is.SeekTo(0, now, true)
	is.SeekTo(1, now, true)
	if _, done := is.PlaybackAt(now+0.5, false); done != 0.5 {
		t.Errorf("half a second after a key %g of the change is done", done)
	}
}

// Runs that form their particles and runs along temperatures are shown alike, at every phase and moment of its change.
func TestEveryPhaseIsDrawn(t *testing.T) {
	for name, frames := range rendertest.Culled() {
		s := rendertest.WeightedStage(t, frames)
		is := s.Run.Particles[0].Record()
		if is == nil || len(is.Moments) < 8 || is.PhasesSeen>>record.Resampling&1 == 0 || is.PhasesSeen>>record.Reweighting&1 == 0 {
			t.Errorf("%s: no record of resampling", name)
			continue
		}
		for i := range is.Moments {
			for _, done := range []float64{0, 0.2, 0.5, 0.9, 1} {
				if len(rendertest.OnShow(s, i, done)) < 8 {
					t.Fatalf("%s: moment %d at %g is empty", name, i, done)
				}
			}
			if m := &is.Moments[i]; m.Phase == record.Resampling && m.Weighing.ESS != 1 {
				t.Errorf("%s: ESS ratio %g after resampling", name, m.Weighing.ESS)
			}
		}
	}
}

// TestResamplingFits: no word of the scene leaves its canvas or lies over another, and on a slide of 16:9 the family
// tree stands below the particles.
func TestResamplingFits(t *testing.T) {
	for name, frames := range rendertest.Culled() {
		for _, size := range [][3]float64{{341, 300, 2.4}, {360, 300, 2}, {704, 456, 1}} {
			s := rendertest.WeightedStage(t, frames)
			is := s.Run.Particles[0].Record()
			for i := range is.Moments {
				rendertest.OnShow(s, i, 0.6) // numbers of copies are on show
				a := rendertest.Area(size[0], size[1], size[2])
				layers := rendertest.Draw("resampling", a, s)
				rendertest.Check(t, fmt.Sprint(name, " ", size, " ", i), a, layers)
				if !strings.Contains(rendertest.Reads(layers), "Family tree|") {
					t.Fatalf("%s, %v: no family tree", name, size)
				}
			}
		}
	}
}

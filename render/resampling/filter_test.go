package resampling

import (
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

// TestFilterCopiesAreOffspring checks that a filter is shown datum by datum: weighted, resampled, moved. The numbers
// of copies in the picture are the offspring in the filter's run, which systematic resampling determines: n w, rounded
// up or down.
func TestFilterCopiesAreOffspring(t *testing.T) {
	for _, of := range rendertest.Filters {
		s := rendertest.WeightedStage(t, nil)
		s.SetScene("filter")
		for _, f := range rendertest.RealRuns()[of] {
			s.Take(f)
		}
		s.Run.State = "done"
		is := s.Run.Particles[0].FilterRecord(&s.Run)
		q := is.Filter
		if q.Beta != 1 {
			t.Errorf("%s: the filter is at beta = %g, want 1", of, q.Beta)
		}
		split := 0
		for i := range is.Moments {
			m := &is.Moments[i]
			want := [...]int{record.Moving, record.Reweighting, record.Resampling}[i%3]
			if i == 0 {
				want = record.Starting
			}
			if at := is.Moments[0].Stage + i/3; m.Phase != want || m.Stage != at {
				t.Fatalf("%s: moment %d has phase %d of datum %d", of, i, m.Phase, m.Stage)
			}
			if m.Phase != record.Resampling {
				continue
			}
			copies := make([]int, q.N)
			for _, p := range q.Parents[m.Stage*q.N : (m.Stage+1)*q.N] {
				copies[p]++
			}
			var counts, heavy []string
			leave := 0
			for row, k := range copies {
				if w := float64(q.N) * float64(q.W[m.Stage*q.N+row]); math.Abs(float64(k)-w) > 1+1e-4 {
					t.Errorf("%s: datum %d: %d copies of a particle with n w = %g", of, m.Stage, k, w)
				}
				if k > 1 {
					heavy = append(heavy, "\u00d7"+strconv.Itoa(k))
				} else if k == 0 {
					leave++
				}
			}
			split += len(heavy)
			sides := map[paint.Point]int{}
			for _, x := range rendertest.LayoutAt(s, i, 1) {
				switch {
				case x.Kind == paint.Text && strings.HasPrefix(x.Text, "\u00d7"):
					counts = append(counts, x.Text)
				case x.Kind == paint.Text && strings.HasPrefix(x.Text, "Resample"):
					if want := "Resample (systematic rule): " + strconv.Itoa(leave) + " light particles are dropped, " +
						strconv.Itoa(len(heavy)) + " heavy ones copied."; x.Text != want {
						t.Errorf("%s: sentence %q, want %q", of, x.Text, want)
					}
				case x.Kind == paint.Dots:
					for _, at := range x.Pts {
						sides[at]++
					}
				}
			}
			// All dots are separate, and the numbers that fit are correct.
			if len(sides) != q.N {
				t.Errorf("%s: %d positions of %d particles", of, len(sides), q.N)
			}
			for _, c := range counts {
				k := slices.Index(heavy, c)
				if k < 0 {
					t.Fatalf("%s: datum %d: copies %v, offspring %v", of, m.Stage, counts, heavy)
				}
				heavy = slices.Delete(heavy, k, k+1)
			}
		}
		if split < 20 {
			t.Errorf("%s: %d particles split, want at least 20", of, split)
		}
	}
}

// TestShownFilterStays checks that during a run the shown filter stays until its record has been played, and is then
// replaced by the one nearest to the target, unless the viewer has paused.
func TestShownFilterStays(t *testing.T) {
	var frames []*frame.Frame
	for _, f := range rendertest.RealRuns()["sv"] {
		if f.Flow != nil {
			frames = append(frames, f)
		}
	}
	s := rendertest.WeightedStage(t, frames[:1])
	w, p := s.Run.Particles[0], &s.Run
	first := w.FilterRecord(p)
	for _, f := range frames[1:] {
		s.Take(f)
	}
	if w.FilterRecord(p) != first {
		t.Error("the filter was replaced while it was played")
	}
	first.Playback.Paused = true
	if p.State = "done"; w.FilterRecord(p) != first {
		t.Error("the filter was replaced while it was paused")
	}
	first.Playback.Paused = false
	last := w.FilterRecord(p)
	if last == first || last.Filter.Beta != 1 || w.FilterRecord(p) != last {
		t.Errorf("at the end the filter is at beta = %g, want 1", last.Filter.Beta)
	}
}

// TestFilterLikelihood checks that the likelihood is drawn for returns, and the datum itself for data among states.
func TestFilterLikelihood(t *testing.T) {
	for of, kinds := range map[string][]paint.Kind{"sv": {paint.Band}, "lgssm": {paint.Disc, paint.Disc}} {
		s := rendertest.WeightedStage(t, nil)
		s.SetScene("filter")
		for _, f := range rendertest.RealRuns()[of] {
			s.Take(f)
		}
		var got []paint.Kind
		for _, m := range rendertest.LayoutAt(s, 4, 1) {
			if m.Kind == paint.Band || m.Kind == paint.Disc && m.Hollow > 0 {
				got = append(got, m.Kind)
			}
		}
		got = slices.DeleteFunc(got, func(k paint.Kind) bool { return of == "sv" && k == paint.Disc }) // the handle
		if !slices.Equal(got, kinds) {
			t.Errorf("%s: marks %v, want %v", of, got, kinds)
		}
	}
}

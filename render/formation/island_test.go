package formation

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/stage"
)

func TestRecordKeepsPictures(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var fs []*frame.Frame
	for stage := 1; stage <= 20; stage++ {
		fs = append(fs, rendertest.Step(stage, 7, 5, 3, nil, r))
	}
	_, is := rendertest.IslandStage(fs...)
	for i, f := range fs {
		for row := range 7 {
			if got := is.Moments[i].Cells(row, make([]byte, 15)); !slices.Equal(got, f.Pixels[15*row:15*row+15]) {
				t.Fatalf("stage %d, row %d: cells %v, want %v", i+1, row, got, f.Pixels[15*row:15*row+15])
			}
		}
	}
}

// TestRecordIsBounded checks that memory is bounded for any frames, that the newest and oldest moments are kept, and
// that ancestry is the same as without thinning. Planted bug: parents that are not passed on when a moment is removed.
func TestRecordIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	const n, frames = 30, 3500
	is := &record.Island{Next: 1}
	first := record.Identity(n) // ancestor in the first frame of each row
	for stage := 1; stage <= frames; stage++ {
		parents, next := make([]int32, n), make([]int32, n)
		for i := range parents {
			parents[i], next[i] = int32(i), first[i]
			if stage > 1 && r.IntN(200) == 0 {
				p := r.IntN(n)
				parents[i], next[i] = int32(p), first[p]
			}
		}
		first = next
		is.Take(rendertest.Step(stage, n, 28, 28, parents, r), float64(stage))
		if len(is.Moments) > record.MaxMoments || is.Bytes > record.MaxRecorded {
			t.Fatalf("after %d frames: %d moments of %d bytes", stage, len(is.Moments), is.Bytes)
		}
	}
	if is.Moments[0].Stage != 1 || is.Newest().Stage != frames || len(is.Moments) < record.MaxMoments/3 {
		t.Fatalf("%d moments, from stage %d to %d", len(is.Moments), is.Moments[0].Stage, is.Newest().Stage)
	}
	size := 0
	for i := range is.Moments {
		size += is.Moments[i].Size()
	}
	if size != is.Bytes {
		t.Errorf("Bytes = %d, want %d", is.Bytes, size)
	}
	for row := range n {
		if got := is.Line(len(is.Moments)-1, row)[0]; got != int(first[row]) {
			t.Errorf("ancestor of row %d = %d, want %d", row, got, first[row])
		}
	}
	// Only the first of several islands keeps pictures.
	var w record.Particles
	for first := 60; first >= 0; first -= 20 {
		for stage := 1; stage < 5; stage++ {
			f := rendertest.Step(stage, 20, 28, 28, nil, r)
			f.First = first
			w.TakeGrowth(f, float64(stage))
		}
	}
	for first, is := range w.Islands {
		if is.Growth.Stage != 4 || (len(is.Moments) > 0) != (first == 0) {
			t.Errorf("island %d has %d moments", first, len(is.Moments))
		}
	}
	// For large pictures the limit of bytes is reached before that of moments.
	big := &record.Island{Next: 1}
	for stage := 1; stage <= 200; stage++ {
		big.Take(rendertest.Step(stage, 100, 128, 128, nil, r), float64(stage))
		if big.Bytes > record.MaxRecorded {
			t.Fatalf("Bytes = %d, want at most %d", big.Bytes, record.MaxRecorded)
		}
	}
}

// TestSiblingsAreNeighbours checks that ranks are a permutation, and that children have the order of their parents, so
// that no lines cross. Planted bug: ranks by row.
func TestSiblingsAreNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	is := &record.Island{Next: 1}
	for stage := 1; stage < 40; stage++ {
		n := 8 + r.IntN(12)
		parents := make([]int32, n)
		for i := range parents {
			parents[i] = int32(r.IntN(8))
		}
		is.Take(rendertest.Step(stage, n, 4, 4, parents, r), float64(stage))
		m := is.Newest()
		if rows := sorted(m.Order()); rows[0] != 0 || rows[n-1] != n-1 || len(slices.Compact(rows)) != n {
			t.Fatalf("ranks %v are not a permutation", m.Rank)
		}
		if stage == 1 {
			continue
		}
		q := &is.Moments[len(is.Moments)-2]
		for i := range n {
			for j := range n {
				if m.Rank[i] < m.Rank[j] && q.Rank[m.Parents[i]] > q.Rank[m.Parents[j]] {
					t.Fatalf("stage %d: the lines of rows %d and %d cross", stage, i, j)
				}
			}
		}
	}
}

func sorted(v []int) []int {
	out := slices.Clone(v)
	slices.Sort(out)
	return out
}

// TestLineageCounts checks that at every node the descendants of all rows sum to the rows of the newest moment.
func TestLineageCounts(t *testing.T) {
	fs := rendertest.ResampleMoveRun(rendertest.Run{R: 40, Islands: 1, Stages: 256, To: 120, W: 16, H: 16, Method: "arm"})
	p, _ := rendertest.IslandStage(fs...)
	a := rendertest.Area(704, 620, 1)
	v := NewStageView(a, &p.Run, p.Run.Particles[0])
	v.Gutters()
	ns := v.Island.Genealogy(len(v.Island.Moments)-1, record.TreeLayout{X: v.X, Gap: 9, Limits: [2]int{24, 40}})
	if len(ns) < 4 {
		t.Fatalf("%d nodes, want at least 4", len(ns))
	}
	for e, n := range ns {
		sum, seen := 0, 0
		for i, k := range n.Descendants {
			sum += int(k)
			if n.LineStates[i] == record.Alive {
				seen++
			}
			if n.LineStates[i] != record.Hidden && (n.LineStates[i] == record.Extinct) != (k == 0) {
				t.Fatalf("node %d: a row with %d descendants has state %d", e, k, n.LineStates[i])
			}
		}
		if sum != 40 || seen == 0 {
			t.Errorf("node %d: %d descendants, want 40; %d living lines", e, sum, seen)
		}
	}
}

// TestLineageIsDenseAtAnySize checks that the density of lines does not depend on the number of particles, that lines
// are not interrupted, and that each line that died out ends at a row without descendants. Planted bugs: parents of
// only the rows with a picture, lines that end before they die out, the first row of each group whether or not it has
// descendants.
func TestLineageIsDenseAtAnySize(t *testing.T) {
	for _, R := range []int{100, 500, 1000} {
		p, is := rendertest.IslandStage(rendertest.ResampleMoveRun(rendertest.Run{R: R, Islands: 1, Stages: 256, To: 120, W: 16, H: 16,
			Method: "arm"})...)
		a := rendertest.Area(704, 620, 1)
		v := NewStageView(a, &p.Run, p.Run.Particles[0])
		v.Gutters()
		ns := v.Island.Genealogy(len(v.Island.Moments)-1, record.TreeLayout{X: v.X, Gap: 9, Limits: [2]int{20, 30}})
		for e, n := range ns {
			live, dead := 0, 0
			for i, d := range n.LineStates {
				var kids, own []int // all, and those that are drawn
				if e+1 < len(ns) {
					for k, p := range ns[e+1].From {
						if int(p) == i {
							if kids = append(kids, k); ns[e+1].LineStates[k] != record.Hidden {
								own = append(own, k)
							}
						}
					}
				}
				switch {
				case d == record.Alive:
					live++
					if len(own) == 0 && e+1 < len(ns) {
						t.Fatalf("R = %d, node %d: a living line ends", R, e)
					}
				case d == record.Extinct:
					dead++
					if len(own) == 0 && len(kids) > 0 {
						t.Fatalf("R = %d, node %d: a line ends although it has children", R, e)
					}
				}
			}
			if most := min(R, 20); e == len(ns)-1 && live != most || live+dead > 80 || e < len(ns)/2 && live+dead < 24 {
				t.Errorf("R = %d, node %d of %d: %d living lines, %d extinct ones", R, e, len(ns), live, dead)
			}
		}
		// All rows have ancestors back to the first moment.
		for row := range is.Newest().AllRows {
			if line := is.Line(len(is.Moments)-1, row); line[0] < 0 {
				t.Fatalf("R = %d: the line of row %d is interrupted", R, row)
			}
		}
	}
}

// TestFollowMissing checks that a selected line can include rows without a picture, which are drawn as empty frames.
func TestFollowMissing(t *testing.T) {
	s := stage.NewStage()
	s.SetScene("formation")
	for _, f := range rendertest.ResampleMoveRun(rendertest.Run{R: 500, Islands: 1, Stages: 784, To: 200, W: 28, H: 28, Every: 4,
		Method: "arm"}) {
		s.Take(f)
	}
	s.Fit(704, 620, 1)
	s.W, s.H = 704, 620
	is := s.Run.Particles[0].Island()
	var line []int
	unseen := 0
	for row := range 100 {
		if unseen > 0 {
			break
		}
		rendertest.FollowRow(s, row)
		line = is.Line(len(is.Moments)-1, row)
		for j, row := range line {
			if row < 0 {
				t.Fatalf("moment %d: the line is interrupted", j)
			}
			if row >= is.Moments[j].Rows {
				unseen = j
			}
		}
	}
	if unseen == 0 {
		t.Fatal("no line includes rows without a picture")
	}
	ls, _ := s.Layers()
	blanks := 0
	for _, m := range rendertest.MarksOfKind(ls, paint.Stroke) {
		if len(m.Pts) == 5 && m.Dash[0] > 0 {
			blanks++
		}
	}
	if n := len(rendertest.MarksOfKind(ls, paint.Cells)); blanks == 0 || n < 5 ||
		!strings.Contains(rendertest.Texts(ls), "(empty: not among the first 100)") {
		t.Errorf("%d pictures, %d empty frames: %s", n, blanks, rendertest.Texts(ls))
	}
	is.Show(unseen)
	ls, _ = s.Layers()
	if !strings.Contains(rendertest.Texts(ls), "no picture at n = ") {
		t.Errorf("the large picture does not say that it is missing: %s", rendertest.Texts(ls))
	}
	for _, m := range rendertest.MarksOfKind(ls, paint.Cells) {
		if m.Slot >= 100 {
			t.Errorf("a picture of row %d, which has none", m.Slot)
		}
	}
	p := NewStageView(rendertest.Area(704, 620, 1), &s.Run, s.Run.Particles[0])
	if text := p.describeRow(unseen, line[unseen]); !strings.Contains(text, "not among the first 100") {
		t.Errorf("describeRow = %q", text)
	}
}

// TestFormationFits checks with all and with large pictures, with and without a selected line, that words do not
// overlap or leave the canvas, and that pictures do not touch and are on whole pixels.
func TestFormationFits(t *testing.T) {
	in := func(state int) (crowd, follow bool) { return state >= 2, state%2 == 1 }
	rendertest.CheckLayouts(t, "formation", 4, func(s *stage.Stage, state int) (longer bool) {
		crowd, follow := in(state)
		rendertest.SceneOf[*formation](s).showAll = crowd
		for _, w := range s.Run.Particles {
			if is := w.Island(); is != nil {
				is.Slow, is.Marked = crowd, [2]int{}
				if follow {
					is.Marked = [2]int{is.Newest().ID, 1}
				}
			}
		}
		return crowd == follow
	}, func(name string, s *stage.Stage, state int, a *paint.Area, ls []paint.Layer) {
		crowd, follow := in(state)
		pictures := rendertest.MarksOfKind(ls, paint.Cells)
		if crowd && !follow && a.W > 700*a.Unit && len(pictures) < s.Run.Particles[0].Island().Newest().Rows*9/10 {
			t.Errorf("%s at %v x %v: %d pictures if all are shown", name, a.W, a.H, len(pictures))
		}
		var boxes []paint.Rect
		for _, m := range pictures {
			b := m.Box
			if b.X < 0 || b.Y < 0 || b.X+b.W > a.W || b.Y+b.H > a.H || b.X != math.Round(b.X) || b.Y != math.Round(b.Y) {
				t.Fatalf("%s at %v x %v: a picture at %v", name, a.W, a.H, b)
			}
			for _, o := range boxes {
				if b.X < o.X+o.W && o.X < b.X+b.W && b.Y < o.Y+o.H && o.Y < b.Y+b.H {
					t.Fatalf("%s at %v x %v: pictures at %v and %v overlap", name, a.W, a.H, b, o)
				}
			}
			boxes = append(boxes, b)
		}
	})
}

// TestGalleryIsStable checks that pictures do not move while particles are generated temporarily.
func TestGalleryIsStable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var fs []*frame.Frame
	for k, rows := range []int{20, 40, 60, 80, 20} {
		f := rendertest.Step(5, rows, 8, 8, nil, r)
		f.Growth.R, f.Phase = 20, "generate"
		if k == 0 {
			f.Phase = "move"
		}
		fs = append(fs, f)
	}
	var first []paint.Mark
	for n := range fs {
		p, _ := rendertest.IslandStage(fs[:n+1]...)
		tiles := rendertest.MarksOfKind(rendertest.Draw("formation", rendertest.Area(704, 456, 1), p), paint.Cells)
		if n == 0 {
			first = tiles
		}
		if len(tiles) != len(first) {
			t.Fatalf("%d rows: %d tiles, want %d", fs[n].N, len(tiles), len(first))
		}
		for i := range tiles {
			if tiles[i].Box != first[i].Box {
				t.Fatalf("%d rows: tile %d moved from %v to %v", fs[n].N, i, first[i].Box, tiles[i].Box)
			}
		}
	}
}

// TestGalleryFillsTheWidth checks that on a wide screen the tiles extend to the large picture.
func TestGalleryFillsTheWidth(t *testing.T) {
	p, _ := rendertest.IslandStage(rendertest.Step(700, 100, 28, 28, nil, rand.New(rand.NewPCG(5, 2))))
	for _, size := range [][2]float64{{1340, 950}, {1980, 950}} {
		pictures := rendertest.MarksOfKind(rendertest.Draw("formation", rendertest.Area(size[0], size[1], 1), p), paint.Cells)
		large, end, wide := math.Inf(1), 0., 0.
		for _, m := range pictures {
			wide = max(wide, m.Box.W)
		}
		tile := wide
		for _, m := range pictures {
			if m.Box.W == wide {
				large = min(large, m.Box.X)
			} else {
				end, tile = max(end, m.Box.X+m.Box.W), m.Box.W
			}
		}
		if large-end > 2*tile {
			t.Errorf("%v: %d pictures end at %v, the large one begins at %v", size, len(pictures), end, large)
		}
	}
}

// BenchmarkTree computes the genealogy of a thousand rows, as after every frame.
func BenchmarkTree(b *testing.B) {
	p := rendertest.StageWith(rendertest.ResampleMoveRun(rendertest.Run{R: 1000, Islands: 4, Stages: 784, To: 452, W: 28, H: 28, Every: 3,
		Exact: true, Method: "arm"})...)
	v := NewStageView(rendertest.Area(704, 620, 2), &p.Run, p.Run.Particles[0])
	v.Gutters()
	b.ReportAllocs()
	for b.Loop() {
		v.Island.Tree = record.Tree{}
		v.Island.Genealogy(len(v.Island.Moments)-1, record.TreeLayout{X: v.X, Gap: 18, Limits: [2]int{20, 40}})
	}
}

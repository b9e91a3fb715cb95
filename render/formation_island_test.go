package render

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/vocabulary"
)

func TestRecordKeepsPictures(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var fs []*frame.Frame
	for stage := 1; stage <= 20; stage++ {
		fs = append(fs, step(stage, 7, 5, 3, nil, r))
	}
	_, is := grown(fs...)
	for i, f := range fs {
		for row := range 7 {
			if got := is.moments[i].cells(row, make([]byte, 15)); !slices.Equal(got, f.Pixels[15*row:15*row+15]) {
				t.Fatalf("stage %d, row %d: %v became %v", i+1, row, f.Pixels[15*row:15*row+15], got)
			}
		}
	}
}

// TestRecordIsBounded: whatever comes, memory stays, the newest and oldest moments
// stay, and ancestry is what it would be without thinning. Planted: parents that
// were not passed on to the heirs of a dropped moment.
func TestRecordIsBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	const n, frames = 30, 3500
	is := &island{next: 1}
	first := identity(n) // row of the first frame that each row descends from
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
		is.take(step(stage, n, 28, 28, parents, r), float64(stage))
		if len(is.moments) > maxMoments || is.bytes > maxRecorded {
			t.Fatalf("after %d frames: %d moments of %d bytes", stage, len(is.moments), is.bytes)
		}
	}
	if is.moments[0].stage != 1 || is.newest().stage != frames || len(is.moments) < maxMoments/3 {
		t.Fatalf("kept %d moments from stage %d to %d", len(is.moments), is.moments[0].stage, is.newest().stage)
	}
	size := 0
	for i := range is.moments {
		size += is.moments[i].size()
	}
	if size != is.bytes {
		t.Errorf("%d bytes counted as %d", size, is.bytes)
	}
	for row := range n {
		if got := is.line(len(is.moments)-1, row)[0]; got != int(first[row]) {
			t.Errorf("row %d descends from %d, want %d", row, got, first[row])
		}
	}
	// Only one island of many keeps pictures.
	var w wall
	for first := 60; first >= 0; first -= 20 {
		for stage := 1; stage < 5; stage++ {
			f := step(stage, 20, 28, 28, nil, r)
			f.First = first
			w.grow(f, float64(stage))
		}
	}
	for first, is := range w.islands {
		if is.growth.Stage != 4 || (len(is.moments) > 0) != (first == 0) {
			t.Errorf("island %d has %d moments", first, len(is.moments))
		}
	}
	// Pictures are large: the bytes bind before the number.
	big := &island{next: 1}
	for stage := 1; stage <= 200; stage++ {
		big.take(step(stage, 100, 128, 128, nil, r), float64(stage))
		if big.bytes > maxRecorded {
			t.Fatalf("%d bytes", big.bytes)
		}
	}
}

// TestKinStandTogether: ranks are a permutation, and the order of children follows
// that of their parents, so no lines cross. Planted: ranks by row.
func TestKinStandTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	is := &island{next: 1}
	for stage := 1; stage < 40; stage++ {
		n := 8 + r.IntN(12)
		parents := make([]int32, n)
		for i := range parents {
			parents[i] = int32(r.IntN(8))
		}
		is.take(step(stage, n, 4, 4, parents, r), float64(stage))
		m := is.newest()
		if rows := sorted(m.order()); rows[0] != 0 || rows[n-1] != n-1 || len(slices.Compact(rows)) != n {
			t.Fatalf("ranks %v", m.rank)
		}
		if stage == 1 {
			continue
		}
		q := &is.moments[len(is.moments)-2]
		for i := range n {
			for j := range n {
				if m.rank[i] < m.rank[j] && q.rank[m.parents[i]] > q.rank[m.parents[j]] {
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

// TestLineageCounts: at every node the descendants of all rows with a line to the
// newest moment add up to its rows.
func TestLineageCounts(t *testing.T) {
	fs := formed(run{R: 40, islands: 1, stages: 256, to: 120, w: 16, h: 16, method: "arm"})
	p, _ := grown(fs...)
	a := testArea(704, 620, 1)
	v := newForming(a, &p.run, p.run.walls[0])
	v.gutters()
	ns := v.is.descent(len(v.is.moments)-1, treeLayout{x: v.x, gap: 9, room: [2]int{24, 40}})
	if len(ns) < 4 {
		t.Fatalf("%d nodes", len(ns))
	}
	for e, n := range ns {
		sum, seen := 0, 0
		for i, k := range n.kids {
			sum += int(k)
			if n.drawn[i] == alive {
				seen++
			}
			if n.drawn[i] != hidden && (n.drawn[i] == extinct) != (k == 0) {
				t.Fatalf("node %d draws a row with %d descendants as %d", e, k, n.drawn[i])
			}
		}
		if sum != 40 || seen == 0 {
			t.Errorf("node %d has %d descendants in all, %d lines", e, sum, seen)
		}
	}
}

// TestLineageIsDenseAtAnySize: what is drawn does not thin out with the number of
// particles, lines do not break, and of those that died out each ends where nobody
// descends from it. Planted and caught: parents of the rows with a picture only, lines
// that end before they die out, the first row of each bundle whoever descends from it.
func TestLineageIsDenseAtAnySize(t *testing.T) {
	for _, R := range []int{100, 500, 1000} {
		p, is := grown(formed(run{R: R, islands: 1, stages: 256, to: 120, w: 16, h: 16, method: "arm"})...)
		a := testArea(704, 620, 1)
		v := newForming(a, &p.run, p.run.walls[0])
		v.gutters()
		ns := v.is.descent(len(v.is.moments)-1, treeLayout{x: v.x, gap: 9, room: [2]int{20, 30}})
		for e, n := range ns {
			live, dead := 0, 0
			for i, d := range n.drawn {
				var kids, own []int // all, and those that are drawn
				if e+1 < len(ns) {
					for k, p := range ns[e+1].from {
						if int(p) == i {
							if kids = append(kids, k); ns[e+1].drawn[k] != hidden {
								own = append(own, k)
							}
						}
					}
				}
				switch {
				case d == alive:
					live++
					if len(own) == 0 && e+1 < len(ns) {
						t.Fatalf("R = %d, node %d: a living line ends", R, e)
					}
				case d == extinct:
					dead++
					if len(own) == 0 && len(kids) > 0 {
						t.Fatalf("R = %d, node %d: a line ends that goes on", R, e)
					}
				}
			}
			if most := min(R, 20); e == len(ns)-1 && live != most || live+dead > 80 || e < len(ns)/2 && live+dead < 24 {
				t.Errorf("R = %d, node %d of %d: %d lines live, %d died out", R, e, len(ns), live, dead)
			}
		}
		// Everybody has ancestors to the beginning.
		for row := range is.newest().lines {
			if line := is.line(len(is.moments)-1, row); line[0] < 0 {
				t.Fatalf("R = %d: the line of row %d breaks", R, row)
			}
		}
	}
}

// TestFollowUnseen: a line goes on through rows that have no picture, whose places on
// the film are empty, and the picture says so.
func TestFollowUnseen(t *testing.T) {
	s := NewStage()
	s.SetScene("formation")
	for _, f := range formed(run{R: 500, islands: 1, stages: 784, to: 200, w: 28, h: 28, every: 4, method: "arm"}) {
		s.Take(f)
	}
	s.fit(704, 620, 1)
	s.w, s.h = 704, 620
	is := s.run.walls[0].island()
	var line []int
	unseen := 0
	for row := range 100 {
		if unseen > 0 {
			break
		}
		follow(s, row)
		line = is.line(len(is.moments)-1, row)
		for j, row := range line {
			if row < 0 {
				t.Fatalf("moment %d: the line breaks", j)
			}
			if row >= is.moments[j].rows {
				unseen = j
			}
		}
	}
	if unseen == 0 {
		t.Fatal("a line among the pictures only: the test is blind")
	}
	ls, _ := s.layers()
	blanks := 0
	for _, m := range all(ls, paint.Stroke) {
		if len(m.Pts) == 5 && m.Dash[0] > 0 {
			blanks++
		}
	}
	if n := len(all(ls, paint.Cells)); blanks == 0 || n < 5 ||
		!strings.Contains(reads(ls), "(empty: not among the first 100)") {
		t.Errorf("%d pictures, %d empty places: %s", n, blanks, reads(ls))
	}
	is.show(unseen)
	ls, _ = s.layers()
	if !strings.Contains(reads(ls), "no picture at n = ") {
		t.Errorf("the large picture does not say that there is none: %s", reads(ls))
	}
	for _, m := range all(ls, paint.Cells) {
		if m.Slot >= 100 {
			t.Errorf("a picture of row %d", m.Slot)
		}
	}
	p := newForming(testArea(704, 620, 1), &s.run, s.run.walls[0])
	if text := p.readRow(unseen, line[unseen]); !strings.Contains(text, "not among the first 100") {
		t.Errorf("it reads as %q", text)
	}
}

func TestFormationFits(t *testing.T) {
	longer := map[string]string{}
	for _, w := range vocabulary.Words {
		longer[w] = w + strings.Repeat("n", len(w)/4+1)
	}
	for name, show := range shows {
		scene, fs := show()
		if scene != "formation" && scene != "function" {
			continue
		}
		p := picturing(fs...)
		for _, crowd := range []bool{false, true} {
			for _, follow := range []bool{false, true} {
				the[*formation](p).crowd = crowd
				for _, w := range p.run.walls {
					if is := w.island(); is != nil {
						is.slow, is.marked = crowd, [2]int{}
						if follow {
							is.marked = [2]int{is.newest().id, 1}
						}
					}
				}
				for _, size := range [][3]float64{{390, 300, 2}, {768, 480, 1}, {1280, 720, 1}, {704, 456, 1.5}, {390, 456, 3}} {
					a := testArea(size[0], size[1], size[2])
					if crowd == follow {
						a.Words = longer
					}
					ls := draw(scene, a, p)
					check(t, name, a, ls)
					if n := len(all(ls, paint.Cells)); crowd && !follow && scene == "formation" && size[0] > 700 &&
						n < p.run.walls[0].island().newest().rows*9/10 {
						t.Errorf("%s at %v: all are %d pictures", name, size, n)
					}
					var boxes []paint.Rect
					for _, m := range all(ls, paint.Cells) {
						b := m.Box
						if b.X < 0 || b.Y < 0 || b.X+b.W > a.W || b.Y+b.H > a.H || b.X != math.Round(b.X) || b.Y != math.Round(b.Y) {
							t.Fatalf("%s at %v: a picture at %v", name, size, b)
						}
						for _, o := range boxes {
							if b.X < o.X+o.W && o.X < b.X+b.W && b.Y < o.Y+o.H && o.Y < b.Y+b.H {
								t.Fatalf("%s at %v: pictures at %v and %v", name, size, b, o)
							}
						}
						boxes = append(boxes, b)
					}
				}
			}
		}
	}
}

// TestWallStandsStill: while particles are generated there are more of them, but the
// tiles stay where they are.
func TestWallStandsStill(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	var fs []*frame.Frame
	for k, rows := range []int{20, 40, 60, 80, 20} {
		f := step(5, rows, 8, 8, nil, r)
		f.Growth.R, f.Phase = 20, "generate"
		if k == 0 {
			f.Phase = "move"
		}
		fs = append(fs, f)
	}
	var first []paint.Mark
	for n := range fs {
		p, _ := grown(fs[:n+1]...)
		tiles := all(draw("formation", testArea(704, 456, 1), p), paint.Cells)
		if n == 0 {
			first = tiles
		}
		if len(tiles) != len(first) {
			t.Fatalf("%d rows on %d tiles", fs[n].N, len(tiles))
		}
		for i := range tiles {
			if tiles[i].Box != first[i].Box {
				t.Fatalf("%d rows: tile %d moved from %v to %v", fs[n].N, i, first[i].Box, tiles[i].Box)
			}
		}
	}
}

// On a wide screen the wall goes on to the large picture.
func TestWallFillsTheWidth(t *testing.T) {
	p, _ := grown(step(700, 100, 28, 28, nil, rand.New(rand.NewPCG(5, 2))))
	for _, size := range [][2]float64{{1340, 950}, {1980, 950}} {
		pictures := all(draw("formation", testArea(size[0], size[1], 1), p), paint.Cells)
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

// BenchmarkTree lays a record of a thousand lines out anew, as after every frame.
func BenchmarkTree(b *testing.B) {
	p := picturing(formed(run{R: 1000, islands: 4, stages: 784, to: 452, w: 28, h: 28, every: 3, exact: true,
		method: "arm"})...)
	v := newForming(testArea(704, 620, 2), &p.run, p.run.walls[0])
	v.gutters()
	b.ReportAllocs()
	for b.Loop() {
		v.is.tree = tree{}
		v.is.descent(len(v.is.moments)-1, treeLayout{x: v.x, gap: 18, room: [2]int{20, 40}})
	}
}

package render

import (
	"strconv"
	"strings"
	"testing"

	"logzlab/render/paint"
)

// TestScrub: a drag on the strips goes back in the record and on, arrows step, End
// and the words at the top are the way back; what comes meanwhile is kept.
func TestScrub(t *testing.T) {
	s, is := shownOn("formback", 704, 620)
	ls, _ := s.layers()
	v := newForming(columnBeside(testArea(704, 620, 1), &paint.Layer{}, level{}, 0), &s.run, s.run.walls[0])
	v.gutters()
	if strings.Contains(reads(ls), "Back to live") {
		t.Error("a live picture offers to be live")
	}
	s.Press(v.x.At(40), 600, false)
	if got := is.moments[is.shown()].stage; got != 40 {
		t.Errorf("a press at stage 40 shows %d", got)
	}
	s.Point(v.x.At(80), 300) // off the strips, yet it goes on
	if got := is.moments[is.shown()].stage; got != 80 {
		t.Errorf("a drag to stage 80 shows %d", got)
	}
	s.Release()
	s.Point(v.x.At(20), 600)
	if got := is.moments[is.shown()].stage; got != 80 {
		t.Errorf("after the release a move shows %d", got)
	}
	at := is.shown()
	if !s.Key("ArrowLeft") || is.shown() != at-1 || !s.Key("ArrowRight") || is.shown() != at {
		t.Errorf("arrows went from %d to %d", at, is.shown())
	}
	fs := formed(run{R: 60, islands: 4, stages: 784, to: 160, w: 28, h: 28, exact: true, method: "arm"})
	s.Take(fs[len(fs)-4]) // the newest of the first island once more
	if is.shown() != at {
		t.Error("a new frame moved the past")
	}
	ls, _ = s.layers()
	for _, m := range all(ls, paint.Text) {
		if m.Text == "Back to live" {
			s.Tap(m.At.X+4, m.At.Y-3)
		}
	}
	if is.back != 0 || s.Key("ArrowRight") || s.Key("End") || s.Key("Escape") || s.Key("x") {
		t.Error("live is not live, or takes keys that belong to the page")
	}
	// A finger scrolls the page unless it goes sideways.
	s.Leave()
	s.Press(v.x.At(100), 500, true)
	s.Point(v.x.At(100)+2, 480)
	s.Point(v.x.At(100)+20, 440)
	if s.Release(); is.back != 0 || s.pointer != nil {
		t.Error("a finger that scrolls goes back in time, or reads")
	}
	s.Press(v.x.At(100), 500, true)
	s.Point(v.x.At(100)+7, 503)
	s.Point(v.x.At(60), 470)
	if got := is.moments[is.shown()].stage; got != 60 || s.pointer == nil {
		t.Errorf("a finger's drag to stage 60 shows %d", got)
	}
	if s.Release(); s.pointer != nil {
		t.Error("a finger reads after it has left")
	}
	s.Press(100, 100, true) // on the wall nothing can be dragged
	s.Point(180, 100)
	if s.Release(); is.moments[is.shown()].stage != 60 || s.pointer != nil {
		t.Error("a finger drags the wall")
	}
	s.Press(v.x.At(90), 500, true)
	s.Release()
	s.Tap(v.x.At(90), 500)
	if got := is.moments[is.shown()].stage; got != 90 || s.pointer == nil {
		t.Errorf("a tap at stage 90 shows %d", got)
	}
	s.Key("End")
	if s.SetScene("trace"); s.Key("ArrowLeft") {
		t.Error("another scene takes the arrows")
	}
	s.Press(-100, -100, false)
	s.Press(1e9, 1e9, true)
	is.scrub(-5)
	is.scrub(1e12)
}

// TestMood: what the picture says of itself is true, while the run goes on, stands
// still, and after it.
func TestMood(t *testing.T) {
	for _, c := range []struct {
		show, run, says, back string
	}{
		{"form", "", "live", "Back to live"},
		{"form", "running", "live", "Back to live"},
		{"form", "paused", "paused", "Back to the newest"},
		{"form", "failed", "stopped", "Back to the end"},
		{"formlate", "running", "live", "Back to live"}, // other islands are under way
		{"formlate", "done", "done", "Back to the end"},
	} {
		s, is := shownOn(c.show, 704, 620)
		s.SetRun(c.run)
		ls, _ := s.layers()
		if text := "|" + reads(ls); !strings.Contains(text, "|"+c.says+"|") || c.says != "live" &&
			strings.Contains(text, "|live|") {
			t.Errorf("%s, %q: not %s: %s", c.show, c.run, c.says, text)
		}
		is.show(3)
		ls, _ = s.layers()
		if text := "|" + reads(ls); !strings.Contains(text, "|"+c.back+"|") {
			t.Errorf("%s, %q: not %s: %s", c.show, c.run, c.back, text)
		}
	}
	// Another method has begun, so this one has ended.
	s, _ := shownOn("formlate", 704, 620)
	s.SetRun("running")
	for _, f := range formed(run{R: 20, islands: 4, stages: 256, to: 61, w: 16, h: 16, exact: true, method: "arm"}) {
		s.Take(f)
	}
	s.SetMethod("rm")
	ls, _ := s.layers()
	if text := "|" + reads(ls); !strings.Contains(text, "|done|") {
		t.Errorf("the first method is not done: %s", text)
	}
}

// TestFollow: a tap on a picture makes its film; on the large one, elsewhere and
// Escape leave it; whoever is followed lives on in a child while the run goes on.
func TestFollow(t *testing.T) {
	s, is := shownOn("form", 704, 620)
	ls, _ := s.layers()
	pictures := all(ls, paint.Cells)
	tile := pictures[3]
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	if is.marked != [2]int{is.newest().id, tile.Slot} {
		t.Fatalf("a tap on row %d marked %v", tile.Slot, is.marked)
	}
	ls, _ = s.layers()
	line := is.line(len(is.moments)-1, tile.Slot)
	film := all(ls, paint.Cells)
	if len(film) < 20 {
		t.Fatalf("a film of %d pictures", len(film))
	}
	for _, m := range film[:len(film)-1] {
		found := false
		for j, row := range line {
			got := is.moments[j].cells(row, make([]byte, 784))
			found = found || row == m.Slot && string(got) == string(m.Cells)
		}
		if !found {
			t.Fatal("a picture of the film is none of an ancestor")
		}
	}
	s.Tap(film[5].Box.X+4, film[5].Box.Y+4)
	if is.back == 0 || is.marked[0] == 0 {
		t.Error("a tap on the film does not go back to its stage")
	}
	if !s.Key("Escape") || is.back != 0 || is.marked[0] == 0 || !s.Key("Escape") || is.marked[0] != 0 {
		t.Error("Escape leaves first the past, then the line")
	}
	s.layers() // as the page paints between taps
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	s.layers()
	s.Tap(350, 2)
	if is.marked[0] != 0 {
		t.Error("a tap on nothing goes on following")
	}
	// A child of the followed row comes.
	s.layers()
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	f := *formed(run{R: 100, islands: 4, stages: 784, to: 452, w: 28, h: 28, every: 3, exact: true, method: "arm"})[0]
	g := *f.Growth
	f.Growth = &g
	g.Stage, g.Parents = is.growth.Stage, make([]int32, f.N)
	for i := range g.Parents {
		g.Parents[i] = -1
	}
	g.Parents[61] = int32(tile.Slot)
	s.Take(&f)
	if is.marked != [2]int{is.newest().id, 61} {
		t.Errorf("the line goes on as %v", is.marked)
	}
	s.Take(&f) // the same frame once more, as after a reload, changes nothing
	if is.marked != [2]int{is.newest().id, 61} {
		t.Errorf("a repeated frame broke the line: %v", is.marked)
	}
	g.Parents[61] = -1 // and dies out
	f.Phase = "resample"
	s.Take(&f)
	if is.marked[0] == is.newest().id {
		t.Error("an extinct line lives on")
	}
	ls, _ = s.layers()
	if !strings.Contains(reads(ls), "died out at n = ") {
		t.Errorf("nobody tells that it died out: %s", reads(ls))
	}
}

// TestSlowMotion: slow frames are animated for a while and then stand still; fast
// ones never move; with less motion wanted, tints stay and nothing moves.
func TestSlowMotion(t *testing.T) {
	s, is := shownOn("formmove", 704, 620)
	s.hold = 50
	s.run.now = 50
	if is.slow || s.run.changing(false) {
		t.Error("frames at full speed are animated")
	}
	tinted := func() (n int) {
		s.run.now = s.seconds()
		ls, _ := s.layers()
		for _, m := range all(ls, paint.Cells) {
			for _, c := range m.Cells {
				if c > paint.CellAbsent {
					n++
				}
			}
		}
		return n
	}
	if tinted() > 0 {
		t.Error("at full speed cells are tinted")
	}
	slow(s, 0.5)
	if !s.run.changing(false) || s.run.changing(true) || tinted() == 0 {
		t.Error("a slow move is not shown")
	}
	slow(s, 2)
	if s.run.changing(false) || tinted() > 0 {
		t.Error("a move goes on for ever")
	}
	s.SetStill(true)
	if tinted() == 0 {
		t.Error("without motion a move is not shown at all")
	}
	ls, _ := s.layers()
	if !strings.Contains(reads(ls), "move|") {
		t.Error("the phase has no word")
	}
}

// While the handle is dragged the pointer reads the stage on show, though the record has none of the one below it.
func TestScrubReadsWhatIsShown(t *testing.T) {
	s, is := shownOn("formback", 704, 620)
	s.layers()
	v := newForming(columnBeside(testArea(704, 620, 1), &paint.Layer{}, level{}, 0), &s.run, s.run.walls[0])
	v.gutters()
	for len(is.moments) > 12 {
		is.thin()
	}
	s.Press(v.x.At(77), 600, false)
	s.Point(v.x.At(77), 500)
	shown := is.moments[is.shown()].stage
	_, text := s.layers()
	if want := "n = " + strconv.Itoa(shown) + " "; shown == 77 || !strings.HasPrefix(text, want) {
		t.Errorf("at stage 77 the picture is of stage %d, and the words are %q", shown, text)
	}
	s.Release()
	if _, text = s.layers(); !strings.HasPrefix(text, "n = 77 ") {
		t.Errorf("the pointer reads %q at stage 77", text)
	}
}

// The number beside the curve of log Z is that of the first island, whose particles are on show, and says so where
// there are more.
func TestEvidenceNamesItsIsland(t *testing.T) {
	for islands, named := range map[int]bool{1: false, 4: true} {
		fs := formed(run{R: 60, islands: islands, stages: 784, to: 160, w: 28, h: 28, exact: true, method: "arm"})
		p := picturing(fs...)
		for _, width := range []float64{390, 1280} {
			if says := reads(draw("formation", testArea(width, 700, 1), p)); strings.Contains(says, "|island 1: ") != named {
				t.Errorf("%d islands, %v wide: %s", islands, width, says)
			}
		}
	}
}

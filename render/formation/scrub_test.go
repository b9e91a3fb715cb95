package formation

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/runstate"
	_ "logzlab/render/trace"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// TestScrub: a drag on the strips goes back in the record and on, arrows step, End
// and the words at the top are the way back; what comes meanwhile is kept.
func TestScrub(t *testing.T) {
	s, is := rendertest.ShownOn("formback", 704, 620)
	ls, _ := s.Layers()
	v := NewStageView(record.DrawColumn(rendertest.Area(704, 620, 1), &paint.Layer{}, record.Level{}, 0), &s.Run, s.Run.Particles[0])
	v.Gutters()
	if strings.Contains(rendertest.Reads(ls), "Back to live") {
		t.Error("a live picture offers to be live")
	}
	s.Press(v.X.At(40), 600, false)
	if got := is.Moments[is.ShownIndex()].Stage; got != 40 {
		t.Errorf("a press at stage 40 shows %d", got)
	}
	s.Point(v.X.At(80), 300) // off the strips, yet it goes on
	if got := is.Moments[is.ShownIndex()].Stage; got != 80 {
		t.Errorf("a drag to stage 80 shows %d", got)
	}
	s.Release()
	s.Point(v.X.At(20), 600)
	if got := is.Moments[is.ShownIndex()].Stage; got != 80 {
		t.Errorf("after the release a move shows %d", got)
	}
	at := is.ShownIndex()
	if !s.Key("ArrowLeft") || is.ShownIndex() != at-1 || !s.Key("ArrowRight") || is.ShownIndex() != at {
		t.Errorf("arrows went from %d to %d", at, is.ShownIndex())
	}
	fs := rendertest.Formed(rendertest.Run{R: 60, Islands: 4, Stages: 784, To: 160, W: 28, H: 28, Exact: true, Method: "arm"})
	s.Take(fs[len(fs)-4]) // the newest of the first island once more
	if is.ShownIndex() != at {
		t.Error("a new frame moved the past")
	}
	ls, _ = s.Layers()
	for _, m := range rendertest.All(ls, paint.Text) {
		if m.Text == "Back to live" {
			s.Tap(m.At.X+4, m.At.Y-3)
		}
	}
	if is.ShownID != 0 || s.Key("ArrowRight") || s.Key("End") || s.Key("Escape") || s.Key("x") {
		t.Error("live is not live, or takes keys that belong to the page")
	}
	// A finger scrolls the page unless it goes sideways.
	s.Leave()
	s.Press(v.X.At(100), 500, true)
	s.Point(v.X.At(100)+2, 480)
	s.Point(v.X.At(100)+20, 440)
	if s.Release(); is.ShownID != 0 || s.Pointer != nil {
		t.Error("a finger that scrolls goes back in time, or reads")
	}
	s.Press(v.X.At(100), 500, true)
	s.Point(v.X.At(100)+7, 503)
	s.Point(v.X.At(60), 470)
	if got := is.Moments[is.ShownIndex()].Stage; got != 60 || s.Pointer == nil {
		t.Errorf("a finger's drag to stage 60 shows %d", got)
	}
	if s.Release(); s.Pointer != nil {
		t.Error("a finger reads after it has left")
	}
	s.Press(100, 100, true) // on the wall nothing can be dragged
	s.Point(180, 100)
	if s.Release(); is.Moments[is.ShownIndex()].Stage != 60 || s.Pointer != nil {
		t.Error("a finger drags the wall")
	}
	s.Press(v.X.At(90), 500, true)
	s.Release()
	s.Tap(v.X.At(90), 500)
	if got := is.Moments[is.ShownIndex()].Stage; got != 90 || s.Pointer == nil {
		t.Errorf("a tap at stage 90 shows %d", got)
	}
	s.Key("End")
	if s.SetScene("trace"); s.Key("ArrowLeft") {
		t.Error("another scene takes the arrows")
	}
	s.Press(-100, -100, false)
	s.Press(1e9, 1e9, true)
	is.ShowStage(-5)
	is.ShowStage(1e12)
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
		s, is := rendertest.ShownOn(c.show, 704, 620)
		s.SetRun(runstate.Run(c.run))
		ls, _ := s.Layers()
		if text := "|" + rendertest.Reads(ls); !strings.Contains(text, "|"+c.says+"|") || c.says != "live" &&
			strings.Contains(text, "|live|") {
			t.Errorf("%s, %q: not %s: %s", c.show, c.run, c.says, text)
		}
		is.Show(3)
		ls, _ = s.Layers()
		if text := "|" + rendertest.Reads(ls); !strings.Contains(text, "|"+c.back+"|") {
			t.Errorf("%s, %q: not %s: %s", c.show, c.run, c.back, text)
		}
	}
	// Another method has begun, so this one has ended.
	s, _ := rendertest.ShownOn("formlate", 704, 620)
	s.SetRun("running")
	for _, f := range rendertest.Formed(rendertest.Run{R: 20, Islands: 4, Stages: 256, To: 61, W: 16, H: 16, Exact: true, Method: "arm"}) {
		s.Take(f)
	}
	s.SetMethod("rm")
	ls, _ := s.Layers()
	if text := "|" + rendertest.Reads(ls); !strings.Contains(text, "|done|") {
		t.Errorf("the first method is not done: %s", text)
	}
}

// TestFollow: a tap on a picture makes its film; on the large one, elsewhere and
// Escape leave it; whoever is followed lives on in a child while the run goes on.
func TestFollow(t *testing.T) {
	s, is := rendertest.ShownOn("form", 704, 620)
	ls, _ := s.Layers()
	pictures := rendertest.All(ls, paint.Cells)
	tile := pictures[3]
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	if is.Marked != [2]int{is.Newest().ID, tile.Slot} {
		t.Fatalf("a tap on row %d marked %v", tile.Slot, is.Marked)
	}
	ls, _ = s.Layers()
	line := is.Line(len(is.Moments)-1, tile.Slot)
	film := rendertest.All(ls, paint.Cells)
	if len(film) < 20 {
		t.Fatalf("a film of %d pictures", len(film))
	}
	for _, m := range film[:len(film)-1] {
		found := false
		for j, row := range line {
			got := is.Moments[j].Cells(row, make([]byte, 784))
			found = found || row == m.Slot && string(got) == string(m.Cells)
		}
		if !found {
			t.Fatal("a picture of the film is none of an ancestor")
		}
	}
	s.Tap(film[5].Box.X+4, film[5].Box.Y+4)
	if is.ShownID == 0 || is.Marked[0] == 0 {
		t.Error("a tap on the film does not go back to its stage")
	}
	if !s.Key("Escape") || is.ShownID != 0 || is.Marked[0] == 0 || !s.Key("Escape") || is.Marked[0] != 0 {
		t.Error("Escape leaves first the past, then the line")
	}
	s.Layers() // as the page paints between taps
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	s.Layers()
	s.Tap(350, 2)
	if is.Marked[0] != 0 {
		t.Error("a tap on nothing goes on following")
	}
	// A child of the followed row comes.
	s.Layers()
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	f := *rendertest.Formed(rendertest.Run{R: 100, Islands: 4, Stages: 784, To: 452, W: 28, H: 28, Every: 3, Exact: true, Method: "arm"})[0]
	g := *f.Growth
	f.Growth = &g
	g.Stage, g.Parents = is.Growth.Stage, make([]int32, f.N)
	for i := range g.Parents {
		g.Parents[i] = -1
	}
	g.Parents[61] = int32(tile.Slot)
	s.Take(&f)
	if is.Marked != [2]int{is.Newest().ID, 61} {
		t.Errorf("the line goes on as %v", is.Marked)
	}
	s.Take(&f) // the same frame once more, as after a reload, changes nothing
	if is.Marked != [2]int{is.Newest().ID, 61} {
		t.Errorf("a repeated frame broke the line: %v", is.Marked)
	}
	g.Parents[61] = -1 // and dies out
	f.Phase = "resample"
	s.Take(&f)
	if is.Marked[0] == is.Newest().ID {
		t.Error("an extinct line lives on")
	}
	ls, _ = s.Layers()
	if !strings.Contains(rendertest.Reads(ls), "died out at n = ") {
		t.Errorf("nobody tells that it died out: %s", rendertest.Reads(ls))
	}
}

// TestSlowMotion: slow frames are animated for a while and then stand still; fast
// ones never move; with less motion wanted, tints stay and nothing moves.
func TestSlowMotion(t *testing.T) {
	s, is := rendertest.ShownOn("formmove", 704, 620)
	s.FixedSeconds = 50
	s.Run.Now = 50
	if is.Slow || s.Run.StageIsAnimating(false) {
		t.Error("frames at full speed are animated")
	}
	tinted := func() (n int) {
		s.Run.Now = s.Seconds()
		ls, _ := s.Layers()
		for _, m := range rendertest.All(ls, paint.Cells) {
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
	rendertest.Slow(s, 0.5)
	if !s.Run.StageIsAnimating(false) || s.Run.StageIsAnimating(true) || tinted() == 0 {
		t.Error("a slow move is not shown")
	}
	rendertest.Slow(s, 2)
	if s.Run.StageIsAnimating(false) || tinted() > 0 {
		t.Error("a move goes on for ever")
	}
	s.SetStill(true)
	if tinted() == 0 {
		t.Error("without motion a move is not shown at all")
	}
	ls, _ := s.Layers()
	if !strings.Contains(rendertest.Reads(ls), "move|") {
		t.Error("the phase has no word")
	}
}

// While the handle is dragged the pointer reads the stage on show, though the record has none of the one below it.
func TestScrubReadsWhatIsShown(t *testing.T) {
	s, is := rendertest.ShownOn("formback", 704, 620)
	s.Layers()
	v := NewStageView(record.DrawColumn(rendertest.Area(704, 620, 1), &paint.Layer{}, record.Level{}, 0), &s.Run, s.Run.Particles[0])
	v.Gutters()
	for len(is.Moments) > 12 {
		is.Thin()
	}
	s.Press(v.X.At(77), 600, false)
	s.Point(v.X.At(77), 500)
	shown := is.Moments[is.ShownIndex()].Stage
	_, text := s.Layers()
	if want := "n = " + strconv.Itoa(shown) + " "; shown == 77 || !strings.HasPrefix(text, want) {
		t.Errorf("at stage 77 the picture is of stage %d, and the words are %q", shown, text)
	}
	s.Release()
	if _, text = s.Layers(); !strings.HasPrefix(text, "n = 77 ") {
		t.Errorf("the pointer reads %q at stage 77", text)
	}
}

// Log Z is written once, that of all islands that have come to the stage: in the column where there is one, else beside the
// curve. Where only the first of several has, it is named.
func TestOneNumber(t *testing.T) {
	fs := rendertest.Formed(rendertest.Run{R: 60, Islands: 4, Stages: 784, To: 160, W: 28, H: 28, Exact: true, Method: "arm"})
	only := slices.Clone(fs)
	only = slices.DeleteFunc(only, func(f *frame.Frame) bool { return f.First > 0 })
	for _, f := range fs { // one island far off
		if f.First > 0 && f.First == fs[len(fs)-1].First {
			for i := range f.Growth.Record {
				f.Growth.Record[i].LogZ += 8
			}
		}
	}
	mean := 0.0
	for _, is := range rendertest.Stage(fs...).Run.Particles[0].All() {
		rec := is.Growth.Record
		mean += rec[len(rec)-1].LogZ / 4
	}
	first := only[len(only)-1].Growth.Record
	own := first[len(first)-1].LogZ
	if math.Abs(mean-own) < 0.06 {
		t.Fatalf("islands at %v and %v cannot be told apart", mean, own)
	}
	for _, c := range []struct {
		frames []*frame.Frame
		width  float64
		want   string
		not    string
	}{
		{fs, 390, "|" + format.Fixed(mean, 1) + "|", "island 1: "},
		{only, 390, "|island 1: " + format.Fixed(own, 1) + "|", "log Z|"},
		{fs, 1280, "|log Z||" + format.Fixed(mean, 1) + "|± 2.0", "exact "}, // as beside a number at the curve
		{only, 1280, "|log Z|island 1|" + format.Fixed(own, 2), "exact "},   // as beside a number at the curve
	} {
		says := rendertest.Reads(rendertest.Draw("formation", rendertest.Area(c.width, 700, 1), rendertest.Stage(c.frames...)))
		if !strings.Contains(says, c.want) || strings.Contains(says, c.not) {
			t.Errorf("%v wide, with %q wanted: %s", c.width, c.want, says)
		}
	}
}

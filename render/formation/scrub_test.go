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

// TestScrub checks that a drag on the strips goes through the record, that arrows go from moment to moment, that End
// and the link at the top lead back, and that new frames are recorded in the meantime.
func TestScrub(t *testing.T) {
	s, is := rendertest.ShowStage("formback", 704, 620)
	ls, _ := s.Layers()
	a := record.DrawColumn(rendertest.Area(704, 620, 1), &paint.Layer{}, record.Level{}, 0)
	v := NewStageView(a, &s.Run, s.Run.Particles[0])
	v.Gutters()
	if strings.Contains(rendertest.Texts(ls), "Back to live") {
		t.Error("the newest moment has a link back to live")
	}
	s.Press(v.X.At(40), 600, false)
	if got := is.Moments[is.ShownIndex()].Stage; got != 40 {
		t.Errorf("a press at stage 40 shows stage %d", got)
	}
	s.Point(v.X.At(80), 300) // a drag continues outside the strips
	if got := is.Moments[is.ShownIndex()].Stage; got != 80 {
		t.Errorf("a drag to stage 80 shows stage %d", got)
	}
	s.Release()
	s.Point(v.X.At(20), 600)
	if got := is.Moments[is.ShownIndex()].Stage; got != 80 {
		t.Errorf("a move after the release shows stage %d, want 80", got)
	}
	at := is.ShownIndex()
	if !s.Key("ArrowLeft") || is.ShownIndex() != at-1 || !s.Key("ArrowRight") || is.ShownIndex() != at {
		t.Errorf("arrows from moment %d led to %d", at, is.ShownIndex())
	}
	fs := rendertest.ResampleMoveRun(rendertest.Run{R: 60, Islands: 4, Stages: 784, To: 160, W: 28, H: 28, Exact: true,
		Method: "arm"})
	s.Take(fs[len(fs)-4]) // the newest frame of the first island again
	if is.ShownIndex() != at {
		t.Error("a new frame changed the shown moment")
	}
	ls, _ = s.Layers()
	for _, m := range rendertest.MarksOfKind(ls, paint.Text) {
		if m.Text == "Back to live" {
			s.Tap(m.At.X+4, m.At.Y-3)
		}
	}
	if is.ShownID != 0 || s.Key("ArrowRight") || s.Key("End") || s.Key("Escape") || s.Key("x") {
		t.Error("the link did not lead back, or the scene used keys of the page")
	}
	// A finger scrolls the page unless it moves sideways.
	s.Leave()
	s.Press(v.X.At(100), 500, true)
	s.Point(v.X.At(100)+2, 480)
	s.Point(v.X.At(100)+20, 440)
	if s.Release(); is.ShownID != 0 || s.Pointer != nil {
		t.Error("a finger that scrolls changed the moment, or has a tooltip")
	}
	s.Press(v.X.At(100), 500, true)
	s.Point(v.X.At(100)+7, 503)
	s.Point(v.X.At(60), 470)
	if got := is.Moments[is.ShownIndex()].Stage; got != 60 || s.Pointer == nil {
		t.Errorf("a drag with a finger to stage 60 shows stage %d", got)
	}
	if s.Release(); s.Pointer != nil {
		t.Error("a finger has a tooltip after its release")
	}
	s.Press(100, 100, true) // nothing in the gallery can be dragged
	s.Point(180, 100)
	if s.Release(); is.Moments[is.ShownIndex()].Stage != 60 || s.Pointer != nil {
		t.Error("a finger drags the gallery")
	}
	s.Press(v.X.At(90), 500, true)
	s.Release()
	s.Tap(v.X.At(90), 500)
	if got := is.Moments[is.ShownIndex()].Stage; got != 90 || s.Pointer == nil {
		t.Errorf("a tap at stage 90 shows stage %d", got)
	}
	s.Key("End")
	if s.SetScene("trace"); s.Key("ArrowLeft") {
		t.Error("another scene uses the arrows")
	}
	s.Press(-100, -100, false)
	s.Press(1e9, 1e9, true)
	is.ShowStage(-5)
	is.ShowStage(1e12)
}

// TestStatus checks the status and the link back for each state of the run.
func TestStatus(t *testing.T) {
	for _, c := range []struct {
		show, run, says, back string
	}{
		{"form", "", "live", "Back to live"},
		{"form", "running", "live", "Back to live"},
		{"form", "paused", "paused", "Back to the newest"},
		{"form", "failed", "stopped", "Back to the end"},
		{"formlate", "running", "live", "Back to live"}, // other islands are running
		{"formlate", "done", "done", "Back to the end"},
	} {
		s, is := rendertest.ShowStage(c.show, 704, 620)
		s.SetRun(runstate.Run(c.run))
		ls, _ := s.Layers()
		if text := "|" + rendertest.Texts(ls); !strings.Contains(text, "|"+c.says+"|") || c.says != "live" &&
			strings.Contains(text, "|live|") {
			t.Errorf("%s, %q: status %q is missing in %s", c.show, c.run, c.says, text)
		}
		is.Show(3)
		ls, _ = s.Layers()
		if text := "|" + rendertest.Texts(ls); !strings.Contains(text, "|"+c.back+"|") {
			t.Errorf("%s, %q: link %q is missing in %s", c.show, c.run, c.back, text)
		}
	}
	// Another method has started, so this one is done.
	s, _ := rendertest.ShowStage("formlate", 704, 620)
	s.SetRun("running")
	for _, f := range rendertest.ResampleMoveRun(rendertest.Run{R: 20, Islands: 4, Stages: 256, To: 61, W: 16, H: 16, Exact: true,
		Method: "arm"}) {
		s.Take(f)
	}
	s.SetMethod("rm")
	ls, _ := s.Layers()
	if text := "|" + rendertest.Texts(ls); !strings.Contains(text, "|done|") {
		t.Errorf("the first method is not done: %s", text)
	}
}

// TestFollow checks that a tap on a picture selects its line of ancestors, that a tap on the large one, a tap
// elsewhere and Escape remove the selection, and that the line continues in a child while the run goes on.
func TestFollow(t *testing.T) {
	s, is := rendertest.ShowStage("form", 704, 620)
	ls, _ := s.Layers()
	pictures := rendertest.MarksOfKind(ls, paint.Cells)
	tile := pictures[3]
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	if is.Marked != [2]int{is.Newest().ID, tile.Slot} {
		t.Fatalf("a tap on row %d: Marked = %v", tile.Slot, is.Marked)
	}
	ls, _ = s.Layers()
	line := is.Line(len(is.Moments)-1, tile.Slot)
	film := rendertest.MarksOfKind(ls, paint.Cells)
	if len(film) < 20 {
		t.Fatalf("%d ancestors, want at least 20", len(film))
	}
	for _, m := range film[:len(film)-1] {
		found := false
		for j, row := range line {
			got := is.Moments[j].Cells(row, make([]byte, 784))
			found = found || row == m.Slot && string(got) == string(m.Cells)
		}
		if !found {
			t.Fatal("a picture is not that of an ancestor")
		}
	}
	s.Tap(film[5].Box.X+4, film[5].Box.Y+4)
	if is.ShownID == 0 || is.Marked[0] == 0 {
		t.Error("a tap on an ancestor does not show its stage")
	}
	if !s.Key("Escape") || is.ShownID != 0 || is.Marked[0] == 0 || !s.Key("Escape") || is.Marked[0] != 0 {
		t.Error("Escape does not return to the newest moment first, and then remove the selection")
	}
	s.Layers() // the page paints between taps
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	s.Layers()
	s.Tap(350, 2)
	if is.Marked[0] != 0 {
		t.Error("a tap on the background does not remove the selection")
	}
	// A child of the selected row arrives.
	s.Layers()
	s.Tap(tile.Box.X+4, tile.Box.Y+4)
	f := *rendertest.ResampleMoveRun(rendertest.Run{R: 100, Islands: 4, Stages: 784, To: 452, W: 28, H: 28, Every: 3, Exact: true,
		Method: "arm"})[0]
	g := *f.Growth
	f.Growth = &g
	g.Stage, g.Parents = is.Growth.Stage, make([]int32, f.N)
	for i := range g.Parents {
		g.Parents[i] = -1
	}
	g.Parents[61] = int32(tile.Slot)
	s.Take(&f)
	if is.Marked != [2]int{is.Newest().ID, 61} {
		t.Errorf("after a child Marked = %v", is.Marked)
	}
	s.Take(&f) // a repeated frame, as after a reload, changes nothing
	if is.Marked != [2]int{is.Newest().ID, 61} {
		t.Errorf("after a repeated frame Marked = %v", is.Marked)
	}
	g.Parents[61] = -1 // the line dies out
	f.Phase = "resample"
	s.Take(&f)
	if is.Marked[0] == is.Newest().ID {
		t.Error("an extinct line continues")
	}
	ls, _ = s.Layers()
	if !strings.Contains(rendertest.Texts(ls), "died out at n = ") {
		t.Errorf("the end of the line is missing in %s", rendertest.Texts(ls))
	}
}

// TestSlowMotion checks that changes of slow frames are animated for a while, those of fast frames never; without
// animations, changed cells stay marked.
func TestSlowMotion(t *testing.T) {
	s, is := rendertest.ShowStage("formmove", 704, 620)
	s.FixedSeconds = 50
	s.Run.Now = 50
	if is.Slow || s.Run.StageIsAnimating(false) {
		t.Error("frames at full speed are animated")
	}
	tinted := func() (n int) {
		s.Run.Now = s.Seconds()
		ls, _ := s.Layers()
		for _, m := range rendertest.MarksOfKind(ls, paint.Cells) {
			for _, c := range m.Cells {
				if c > paint.CellAbsent {
					n++
				}
			}
		}
		return n
	}
	if tinted() > 0 {
		t.Error("cells are marked at full speed")
	}
	rendertest.SlowDown(s, 0.5)
	if !s.Run.StageIsAnimating(false) || s.Run.StageIsAnimating(true) || tinted() == 0 {
		t.Error("a move in slow motion is not animated")
	}
	rendertest.SlowDown(s, 2)
	if s.Run.StageIsAnimating(false) || tinted() > 0 {
		t.Error("the animation of a move does not end")
	}
	s.SetStill(true)
	if tinted() == 0 {
		t.Error("without animations, changed cells are not marked")
	}
	ls, _ := s.Layers()
	if !strings.Contains(rendertest.Texts(ls), "move|") {
		t.Error("the name of the phase is missing")
	}
}

// TestScrubTooltip checks that during a drag the tooltip is that of the shown stage, although the pointer may be at a
// stage that is not recorded.
func TestScrubTooltip(t *testing.T) {
	s, is := rendertest.ShowStage("formback", 704, 620)
	s.Layers()
	a := record.DrawColumn(rendertest.Area(704, 620, 1), &paint.Layer{}, record.Level{}, 0)
	v := NewStageView(a, &s.Run, s.Run.Particles[0])
	v.Gutters()
	for len(is.Moments) > 12 {
		is.Thin()
	}
	s.Press(v.X.At(77), 600, false)
	s.Point(v.X.At(77), 500)
	shown := is.Moments[is.ShownIndex()].Stage
	_, text := s.Layers()
	if want := "n = " + strconv.Itoa(shown) + " "; shown == 77 || !strings.HasPrefix(text, want) {
		t.Errorf("at stage 77, stage %d is shown with tooltip %q", shown, text)
	}
	s.Release()
	if _, text = s.Layers(); !strings.HasPrefix(text, "n = 77 ") {
		t.Errorf("tooltip at stage 77 = %q", text)
	}
}

// TestOneEstimate checks that log Z is written once, pooled over the islands that have reached the stage: in the
// column if there is one, else at the curve. If only the first of several islands has, the estimate is labelled.
func TestOneEstimate(t *testing.T) {
	fs := rendertest.ResampleMoveRun(rendertest.Run{R: 60, Islands: 4, Stages: 784, To: 160, W: 28, H: 28, Exact: true,
		Method: "arm"})
	only := slices.Clone(fs)
	only = slices.DeleteFunc(only, func(f *frame.Frame) bool { return f.First > 0 })
	for _, f := range fs { // one island has another estimate
		if f.First > 0 && f.First == fs[len(fs)-1].First {
			for i := range f.Growth.Record {
				f.Growth.Record[i].LogZ += 8
			}
		}
	}
	mean := 0.0
	for _, is := range rendertest.StageWith(fs...).Run.Particles[0].AllIslands() {
		rec := is.Growth.Record
		mean += rec[len(rec)-1].LogZ / 4
	}
	first := only[len(only)-1].Growth.Record
	own := first[len(first)-1].LogZ
	if math.Abs(mean-own) < 0.06 {
		t.Fatalf("the estimates %v and %v are too close for the test", mean, own)
	}
	for _, c := range []struct {
		frames []*frame.Frame
		width  float64
		want   string
		not    string
	}{
		{fs, 390, "|" + format.Fixed(mean, 1) + "|", "group 1: "},
		{only, 390, "|group 1: " + format.Fixed(own, 1) + "|", "log Z|"},
		{fs, 1280, "|log Z||" + format.Fixed(mean, 1) + "|± 2.0", "exact "}, // "exact" would be at a number at the curve
		{only, 1280, "|log Z|group 1|" + format.Fixed(own, 2), "exact "},
	} {
		says := rendertest.Texts(rendertest.Draw("formation", rendertest.Area(c.width, 700, 1), rendertest.StageWith(c.frames...)))
		if !strings.Contains(says, c.want) || strings.Contains(says, c.not) {
			t.Errorf("width %v: %q is missing in %s", c.width, c.want, says)
		}
	}
}

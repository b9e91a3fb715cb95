package render

import (
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"logzlab/core/frame"
)

// shows are pictures to look at, by name: the scene and its frames.
var shows = map[string]func() (string, []*frame.Frame){
	"plane":         func() (string, []*frame.Frame) { return "plane", annealed(400, 0.62) },
	"planethousand": func() (string, []*frame.Frame) { return "plane", annealed(1000, 1) },
	"planerts":      func() (string, []*frame.Frame) { return "plane", wandering(100) },
	"planetwo":      func() (string, []*frame.Frame) { return "plane", append(annealed(400, 1), wandering(100)[1:]...) },
	"planeempty":    func() (string, []*frame.Frame) { return "plane", annealed(1, 0)[:1] },
	"planeturn":     func() (string, []*frame.Frame) { return "plane", inTurn(400, 16) },
	"ladderturn":    func() (string, []*frame.Frame) { return "ladder", inTurn(400, 16) },
	"planebare":     func() (string, []*frame.Frame) { return "plane", []*frame.Frame{hills(100)} },
	"ladder":        func() (string, []*frame.Frame) { return "ladder", climbing(24, 14) },
	"laddermany":    func() (string, []*frame.Frame) { return "ladder", climbing(300, 180) },
	"ladderais":     func() (string, []*frame.Frame) { return "ladder", annealed(400, 0.62) },
	"ladderopen": func() (string, []*frame.Frame) {
		fs := climbing(24, 14)
		for i := range fs[len(fs)-1].Ladders {
			fs[len(fs)-1].Ladders[i].Exact = nil
		}
		return "ladder", append(annealed(400, 1)[1:], fs...)
	},
	"film":      func() (string, []*frame.Frame) { return "units", condensing(100, 28, 28, 0.94) },
	"filmearly": func() (string, []*frame.Frame) { return "units", condensing(20, 16, 16, 0.5) },
	"filmrts": func() (string, []*frame.Frame) {
		var fs []*frame.Frame
		for i := range 30 {
			f := rings("rts", 0, 40, 28, 28, true)
			f.Rungs, f.Rung = 24, make([]int32, 40)
			for k := range f.Beta {
				f.Beta[k] = float32(i*7%24+k) / 23
				for f.Beta[k] > 1 {
					f.Beta[k]--
				}
			}
			fs = append(fs, f)
		}
		return "units", fs
	},
	"lattice": func() (string, []*frame.Frame) { return "units", []*frame.Frame{rings("rts", 0, 100, 16, 16, true)} },
	"wall": func() (string, []*frame.Frame) {
		return "units", []*frame.Frame{rings("ais", 0, 100, 28, 28, false), rings("rts", 0, 100, 28, 28, true)}
	},
	"trace": func() (string, []*frame.Frame) { return "trace", []*frame.Frame{histories(true, "ais", "rts")} },
	"live":  func() (string, []*frame.Frame) { return "trace", []*frame.Frame{histories(false, "ais", "rts", "is")} },
	"empty": func() (string, []*frame.Frame) { return "units", nil },
}

// sizes are the canvases of the page: desktop, tablet, phone, projector.
var sizes = [...]struct {
	name        string
	w, h, scale float64
	themes      []string
}{
	{"desktop", 704, 456, 2, []string{"light", "dark"}},
	{"tall", 704, 620, 2, []string{"light", "dark"}},
	{"tablet", 536, 536, 2, []string{"light", "dark"}},
	{"phone", 390, 456, 2, []string{"light", "dark"}},
	{"projector", 1000, 620, 1, []string{"projector"}},
}

// TestShots writes pictures of all scenes to the folder LOGZLAB_SHOTS, to look
// at; LOGZLAB_ONLY is a pattern for their names.
func TestShots(t *testing.T) {
	dir := os.Getenv("LOGZLAB_SHOTS")
	if dir == "" {
		t.Skip("set LOGZLAB_SHOTS to a folder to get pictures of the scenes")
	}
	needDisplay(t)
	only := regexp.MustCompile(os.Getenv("LOGZLAB_ONLY"))
	for name, show := range shows {
		scene, frames := show()
		for _, size := range sizes {
			for _, theme := range size.themes {
				file := fmt.Sprintf("%s-%s-%s.png", name, size.name, theme)
				if !only.MatchString(file) {
					continue
				}
				s := NewStage()
				s.SetScene(scene)
				s.SetTheme(theme, 0)
				for _, f := range frames {
					s.Take(f)
				}
				f, err := os.Create(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				if err := png.Encode(f, shoot(s, size.w, size.h, size.scale)); err != nil {
					t.Fatal(err)
				}
				f.Close()
			}
		}
	}
}

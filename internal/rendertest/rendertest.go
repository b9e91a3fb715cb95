// Package rendertest provides frames of real and synthetic runs, and helpers for tests of scenes.
package rendertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/scene"
	"logzlab/render/stage"
	"logzlab/render/vocabulary"
)

// Area returns an area of w x h CSS pixels in the light theme.
func Area(w, h, scale float64) *paint.Area {
	return &paint.Area{W: w * scale, H: h * scale, Unit: scale, Theme: &paint.Light, Fonts: paint.NewFonts(scale, false)}
}

// StageWith returns a stage that has received the frames fs, all at time 0.
func StageWith(fs ...*frame.Frame) *stage.Stage {
	s := stage.NewStage()
	for _, f := range fs {
		s.Add(f)
	}
	return s
}

// Draw returns the layers of a scene of a stage on area a.
func Draw(name string, a *paint.Area, s *stage.Stage) []paint.Layer { return s.Scenes[name].Draw(a) }

// SceneOf returns the scene of a stage with the dynamic type T.
func SceneOf[T scene.Scene](s *stage.Stage) T {
	for _, scene := range s.Scenes {
		if t, ok := scene.(T); ok {
			return t
		}
	}
	panic("no such scene")
}

// MarksOfKind returns the marks of kind k in all layers.
func MarksOfKind(ls []paint.Layer, k paint.Kind) (out []paint.Mark) {
	for _, l := range ls {
		for _, m := range l.Marks {
			if m.Kind == k {
				out = append(out, m)
			}
		}
	}
	return out
}

// Texts returns the texts of all layers.
func Texts(ls []paint.Layer) string {
	var b strings.Builder
	for _, m := range MarksOfKind(ls, paint.Text) {
		b.WriteString(m.Text + "|")
	}
	return b.String()
}

// textBox returns the bounding box of a text, for tests of overlaps.
func textBox(a *paint.Area, m paint.Mark) paint.Rect {
	w := a.Fonts.Width(m.Text, m.Style)
	x := m.At.X
	switch m.Align {
	case paint.Centre:
		x -= w / 2
	case paint.Right:
		x -= w
	}
	return paint.XYWH(x, m.At.Y-9*a.Unit, w, 11*a.Unit)
}

// CheckMarks fails the test for marks with coordinates that are not finite, texts outside the canvas, and texts that
// overlap.
func CheckMarks(t *testing.T, name string, a *paint.Area, ls []paint.Layer) {
	t.Helper()
	var texts []paint.Mark
	for _, l := range ls {
		for _, m := range l.Marks {
			v := m.At.X + m.At.Y + m.R + m.Box.X + m.Box.Y + m.Box.W + m.Box.H + m.Width
			for _, q := range m.Pts {
				v += q.X + q.Y
			}
			for _, q := range m.Lower {
				v += q.X + q.Y
			}
			for _, r := range m.Radii {
				v += r
			}
			if !num.Finite(v) {
				t.Errorf("%s has a mark that cannot be drawn: %+v", name, m)
				return
			}
			if m.Kind == paint.Dots && (len(m.Pts) != len(m.Radii) || len(m.Pts) != len(m.Colors)) ||
				m.Kind == paint.Wires && m.Colors != nil && 2*len(m.Colors) != len(m.Pts) ||
				m.Kind == paint.Band && len(m.Pts) != len(m.Lower) {
				t.Errorf("%s has a mark with %d points, %d radii, %d colours, %d more", name, len(m.Pts), len(m.Radii),
					len(m.Colors), len(m.Lower))
			}
			if m.Kind == paint.Text {
				texts = append(texts, m)
			}
		}
	}
	for i, m := range texts {
		b := textBox(a, m)
		if b.X < -1 || b.X+b.W > a.W+1 || b.Y < -1 || b.Y+b.H > a.H+1 {
			t.Errorf("%s: %q leaves the canvas of %v x %v: %v", name, m.Text, a.W, a.H, b)
		}
		for _, o := range texts[:i] {
			c := textBox(a, o)
			if b.X < c.X+c.W && c.X < b.X+b.W && b.Y+a.Unit < c.Y+c.H && c.Y+a.Unit < b.Y+b.H {
				t.Errorf("%s: %q overlaps %q", name, m.Text, o.Text)
			}
		}
	}
}

// modelFile returns the path of a bundled model file. It works in the directory of any test of the module.
func modelFile(name string) string {
	dir := "."
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "site/models", name)
		}
		if abs, err := filepath.Abs(dir); err != nil || abs == filepath.Dir(abs) {
			panic("no go.mod above the directory of the test")
		}
		dir = filepath.Join(dir, "..")
	}
}

// In every test that uses this package, drawing a word panics if it is not in vocabulary.Words and so has no
// translation.
func init() {
	paint.SayHook = func(english string) {
		stem, _ := vocabulary.Stem(english)
		if english != "" && !slices.Contains(vocabulary.Words, english) && !slices.Contains(vocabulary.Words, stem) {
			panic(fmt.Sprintf("%q is not in vocabulary.Words", english))
		}
	}
}

// CheckLayouts checks that words do not overlap or leave the canvas in each Show of a scene, at five canvas sizes, and
// in each of the states 0, 1, ..., states-1. set puts the stage into a state; if it returns true, words are made a
// quarter longer, as in translations. If drawn is not nil, it is called with each layout.
func CheckLayouts(t *testing.T, sceneName string, states int, set func(s *stage.Stage, state int) (longer bool),
	drawn func(name string, s *stage.Stage, state int, a *paint.Area, ls []paint.Layer)) {
	t.Helper()
	long := map[string]string{}
	for _, w := range vocabulary.Words {
		long[w] = w + strings.Repeat("n", len(w)/4+1)
	}
	for name, show := range Shows {
		if show.Scene != sceneName {
			continue
		}
		s := StageWith(show.Frames()...)
		for state := range states {
			longer := set(s, state)
			for _, size := range [][3]float64{{390, 300, 2}, {768, 480, 1}, {1280, 720, 1}, {704, 456, 1.5}, {390, 456, 3}} {
				a := Area(size[0], size[1], size[2])
				if longer {
					a.Words = long
				}
				ls := Draw(sceneName, a, s)
				CheckMarks(t, name, a, ls)
				if drawn != nil {
					drawn(name, s, state, a, ls)
				}
			}
		}
	}
}

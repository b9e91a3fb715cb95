// Package stage has the part of the canvas that does not paint: frames, the choices of the page, pointer and keys of the
// scene on show.
package stage

import (
	"strings"
	"sync"
	"time"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

// Stage shows one scene of a run: it takes frames, the choices of the page, pointer and keys, and lays the scene on
// show out as marks. It paints nothing. Its methods may be called from any goroutine.
type Stage struct {
	// Said, if set, is called with what a key led to.
	Said func(text string)
	// Drew, if set, is called with what a stroke or a key has drawn: a parameter of the experiment and its value,
	// clamp=205i3 or ais.schedule=betas:0.1_0.5.
	Drew func(text string)

	Mu      sync.Mutex
	Run     record.Run
	Scenes  map[string]scene.Scene
	Scene   string         // name of the scene on show
	Waits   bool           // the picture of the last run stays until the next one has particles
	Pending []*frame.Frame // of the next run, while waits
	Cleared func()         // if set, is called when the frames of a run are forgotten
	Theme   *paint.Theme
	Dirty   bool // what was laid out last is out of date
	W, H    int
	Scale   float64 // device pixels per pixel of the page
	Zoom    float64 // pixels of the page per pixel of the design
	Fonts   *paint.Fonts

	began   time.Time
	Hold    float64      // seconds that stand still, in tests; 0: time goes on
	Pointer *paint.Point // device pixels; nil: not on the canvas
	Still   bool
	Words   map[string]string
	Hidden  []string // parts of the picture
	Taps    []paint.Tap
	drag    *paint.Action // what a press goes on doing while it moves
	finger  *paint.Point  // where a finger went down that has not gone sideways yet, CSS pixels
	held    bool          // the finger has gone sideways, and drags
	pressed bool          // the last press did something by itself
	slab    paint.Memory
}

// NewStage is an empty stage with all registered scenes, in the light theme.
func NewStage() *Stage {
	s := &Stage{Scene: "units", Scenes: map[string]scene.Scene{}, Theme: &paint.Light, Zoom: 1, Dirty: true, began: time.Now()}
	for name, newScene := range scene.Makers {
		s.Scenes[name] = newScene(&s.Run)
	}
	return s
}

// Seconds is the time since the canvas was made, never 0.
func (s *Stage) Seconds() float64 {
	if s.Hold > 0 {
		return s.Hold
	}
	return 10 + time.Since(s.began).Seconds()
}

// SetScene shows another scene; it reports false for a name it does not know.
func (s *Stage) SetScene(name string) bool {
	if s.Scenes[name] == nil {
		return false
	}
	s.Change(func() { s.Scene = name })
	return true
}

// SetTheme switches to light, dark or projector; any other name is light. zoom is
// the factor on all sizes, 0 for that of the theme.
func (s *Stage) SetTheme(name string, zoom float64) {
	s.Change(func() {
		s.Theme = &paint.Light
		if t := paint.Themes[name]; t != nil {
			s.Theme = t
		}
		if !(zoom >= 0.5 && zoom <= 8) {
			zoom = s.Theme.Zoom
		}
		if zoom != s.Zoom {
			s.Zoom, s.Fonts = zoom, nil
		}
	})
}

// SetStill asks for a picture without motion.
func (s *Stage) SetStill(still bool) { s.Change(func() { s.Still = still }) }

// SetRun tells what the run does; a run that failed is over without an end.
func (s *Stage) SetRun(state runstate.Run) { s.Change(func() { s.Run.State = state }) }

// SetWords gives the words of the canvas in another language by the English ones.
func (s *Stage) SetWords(words map[string]string) { s.Change(func() { s.Words = words }) }

// SetHidden leaves parts of the picture out, by their names apart by blanks: details, points, errors.
func (s *Stage) SetHidden(parts string) { s.Change(func() { s.Hidden = strings.Fields(parts) }) }

// SetMethod shows a method wherever a scene shows one of several; "" is the one
// under way.
func (s *Stage) SetMethod(name string) { s.Change(func() { s.Run.Chosen = name }) }

// SetFocus tells which method's number the page shows: it stands out among many.
func (s *Stage) SetFocus(name string) { s.Change(func() { s.Run.Focus = name }) }

// SetBeta says at which inverse temperature the record opens when the run is over; "": it plays.
func (s *Stage) SetBeta(text string) {
	s.Change(func() {
		if h := &s.Run.Scrubber; h.Opens != text {
			h.Opens, h.Played = text, false
		}
	})
}

// Change calls f under the lock of the stage, after which what was laid out is out of date.
func (s *Stage) Change(f func()) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	f()
	s.Dirty = true
}

// Fit takes the size of the canvas in CSS pixels and the device pixels of each, and returns the size in device pixels.
func (s *Stage) Fit(w, h, scale float64) (float64, float64) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	comma := strings.Contains(s.Words["1,234.5"], "4,5")
	if scale != s.Scale || s.Fonts == nil || s.Fonts.Comma != comma {
		s.Scale, s.Fonts, s.Dirty = scale, paint.NewFonts(scale*s.Zoom, comma), true
	}
	return max(w*scale, 1), max(h*scale, 1)
}

// Layers lays the current scene out and reads it at the pointer.
func (s *Stage) Layers() ([]paint.Layer, string) {
	return s.LayersOf(s.Shown().Draw)
}

// LayersOf is layers with another way to lay the scene out, for films.
func (s *Stage) LayersOf(draw func(*paint.Area) []paint.Layer) ([]paint.Layer, string) {
	s.slab.Reset()
	s.Taps = s.Taps[:0]
	a := &paint.Area{W: float64(s.W), H: float64(s.H), Unit: s.Scale * s.Zoom, Theme: s.Theme, Fonts: s.Fonts,
		Still: s.Still, Dragging: s.drag != nil, Words: s.Words, Hidden: s.Hidden, Taps: &s.Taps, Memory: &s.slab}
	if s.Pointer != nil {
		a.Pointer = paint.NewPointer(*s.Pointer)
	}
	layers := draw(a)
	tip, text := a.Tooltip()
	if a.Pointer != nil && len(tip.Marks) > 0 {
		layers = append(layers, tip)
	}
	return layers, s.Fonts.Written(text)
}

// Shown is the scene on show.
func (s *Stage) Shown() scene.Scene { return s.Scenes[s.Scene] }

// Refresh paints once more.
func (s *Stage) Refresh() { s.Change(func() {}) }

// Rests reports whether the canvas shows the state, and nothing on it moves.
func (s *Stage) Rests() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return !s.Dirty
}

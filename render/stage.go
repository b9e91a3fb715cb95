package render

import (
	"strings"
	"sync"
	"time"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

// Stage shows one scene of a run: it takes frames, the choices of the page, pointer and keys, and lays the scene on
// show out as marks. It paints nothing. Its methods may be called from any goroutine.
type Stage struct {
	// Said, if set, is called with what a key led to.
	Said func(text string)
	// Drew, if set, is called with what a stroke or a key has drawn: a parameter of the experiment and its value,
	// clamp=205i3 or ais.schedule=betas:0.1_0.5.
	Drew func(text string)

	mu      sync.Mutex
	run     Run
	scenes  map[string]Scene
	scene   string         // name of the scene on show
	waits   bool           // the picture of the last run stays until the next one has particles
	pending []*frame.Frame // of the next run, while waits
	cleared func()         // if set, is called when the frames of a run are forgotten
	theme   *paint.Theme
	dirty   bool // what was laid out last is out of date
	w, h    int
	scale   float64 // device pixels per pixel of the page
	zoom    float64 // pixels of the page per pixel of the design
	fonts   *paint.Fonts

	began   time.Time
	hold    float64      // seconds that stand still, in tests; 0: time goes on
	pointer *paint.Point // device pixels; nil: not on the canvas
	still   bool
	words   map[string]string
	hidden  []string // parts of the picture
	taps    []paint.Tap
	drag    *paint.Action // what a press goes on doing while it moves
	finger  *paint.Point  // where a finger went down that has not gone sideways yet, CSS pixels
	held    bool          // it has
	pressed bool          // the last press did something by itself
	slab    paint.Memory
}

// NewStage is an empty stage with all registered scenes, in the light theme.
func NewStage() *Stage {
	s := &Stage{scene: "units", scenes: map[string]Scene{}, theme: &paint.Light, zoom: 1, dirty: true, began: time.Now()}
	for name, newScene := range makers {
		s.scenes[name] = newScene(&s.run)
	}
	return s
}

// seconds is the time since the canvas was made, never 0.
func (s *Stage) seconds() float64 {
	if s.hold > 0 {
		return s.hold
	}
	return 10 + time.Since(s.began).Seconds()
}

// SetScene shows another scene; it reports false for a name it does not know.
func (s *Stage) SetScene(name string) bool {
	if s.scenes[name] == nil {
		return false
	}
	s.change(func() { s.scene = name })
	return true
}

// SetTheme switches to light, dark or projector; any other name is light. zoom is
// the factor on all sizes, 0 for that of the theme.
func (s *Stage) SetTheme(name string, zoom float64) {
	s.change(func() {
		s.theme = &paint.Light
		if t := paint.Themes[name]; t != nil {
			s.theme = t
		}
		if !(zoom >= 0.5 && zoom <= 8) {
			zoom = s.theme.Zoom
		}
		if zoom != s.zoom {
			s.zoom, s.fonts = zoom, nil
		}
	})
}

// SetStill asks for a picture without motion.
func (s *Stage) SetStill(still bool) { s.change(func() { s.still = still }) }

// SetRun tells what the run does: "running", "paused", "done" or "failed", which is done
// without an end.
func (s *Stage) SetRun(state string) { s.change(func() { s.run.state = state }) }

// SetWords gives the words of the canvas in another language by the English ones.
func (s *Stage) SetWords(words map[string]string) { s.change(func() { s.words = words }) }

// SetHidden leaves parts of the picture out, by their names apart by blanks: details, points, errors.
func (s *Stage) SetHidden(parts string) { s.change(func() { s.hidden = strings.Fields(parts) }) }

// SetMethod shows a method wherever a scene shows one of several; "" is the one
// under way.
func (s *Stage) SetMethod(name string) { s.change(func() { s.run.chosen = name }) }

// SetFocus tells which method's number the page shows: it stands out among many.
func (s *Stage) SetFocus(name string) { s.change(func() { s.run.focus = name }) }

// SetBeta takes the hand to an inverse temperature as soon as the run is over; from there "" lets the record play.
func (s *Stage) SetBeta(text string) {
	s.change(func() {
		if h := &s.run.scrubber; h.opens != text {
			h.opens, h.played = text, false
		}
	})
}

func (s *Stage) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	s.dirty = true
}

func (s *Stage) fit(w, h, scale float64) (float64, float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	comma := strings.Contains(s.words["1,234.5"], "4,5")
	if scale != s.scale || s.fonts == nil || s.fonts.Comma != comma {
		s.scale, s.fonts, s.dirty = scale, paint.NewFonts(scale*s.zoom, comma), true
	}
	return max(w*scale, 1), max(h*scale, 1)
}

// layers lays the current scene out and reads it at the pointer.
func (s *Stage) layers() ([]paint.Layer, string) {
	return s.layersOf(s.shown().Draw)
}

// layersOf is layers with another way to lay the scene out, for films.
func (s *Stage) layersOf(draw func(*paint.Area) []paint.Layer) ([]paint.Layer, string) {
	s.slab.Reset()
	s.taps = s.taps[:0]
	a := &paint.Area{W: float64(s.w), H: float64(s.h), Unit: s.scale * s.zoom, Theme: s.theme, Fonts: s.fonts,
		Still: s.still, Dragging: s.drag != nil, Words: s.words, Hidden: s.hidden, Taps: &s.taps, Memory: &s.slab}
	if s.pointer != nil {
		a.Pointer = paint.NewPointer(*s.pointer)
	}
	layers := draw(a)
	tip, text := a.Tooltip()
	if a.Pointer != nil && len(tip.Marks) > 0 {
		layers = append(layers, tip)
	}
	return layers, s.fonts.Written(text)
}

// shown is the scene on show.
func (s *Stage) shown() Scene { return s.scenes[s.scene] }

// Refresh paints once more.
func (s *Stage) Refresh() { s.change(func() {}) }

// Rests reports whether the canvas shows the state, and nothing on it moves.
func (s *Stage) Rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.dirty
}

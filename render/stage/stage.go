// Package stage lays out a scene and handles its input: frames, settings of the page, pointer and keys. It does not
// paint.
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

// Stage lays out one scene of a run. It takes frames, settings of the page, pointer events and keys, and returns
// marks; it paints nothing. Its methods may be called from any goroutine.
type Stage struct {
	// OnDescribe, if set, is called with a description of the scene after a key has changed it.
	OnDescribe func(text string)
	// OnEdit, if set, is called after the viewer has changed a parameter by hand, with the parameter and its value:
	// clamp=205i3 or ais.schedule=betas:0.1_0.5.
	OnEdit func(text string)

	Mu         sync.Mutex
	Run        record.Run
	Scenes     map[string]scene.Scene
	Scene      string         // name of the current scene
	AwaitsRows bool           // the frames of the last run are discarded when the next one sends particles
	Pending    []*frame.Frame // frames taken while AwaitsRows is true
	OnClear    func()         // if set, is called when frames are discarded
	Theme      *paint.Theme
	Dirty      bool // the last layout is out of date
	W, H       int
	Scale      float64 // device pixels per CSS pixel
	Zoom       float64 // factor on all sizes, in addition to Scale
	Fonts      *paint.Fonts

	created      time.Time
	FixedSeconds float64      // a fixed time for tests, in seconds; 0: the clock
	Pointer      *paint.Point // in device pixels; nil: not on the canvas
	Still        bool
	Words        map[string]string
	Hidden       []string // hidden parts of the picture
	Taps         []paint.Tap
	drag         *paint.Action // the action that a drag continues
	finger       *paint.Point  // start of a finger that does not drag yet, in CSS pixels
	fingerDrags  bool          // a finger drags
	pressActed   bool          // the last press has executed an action
	memory       paint.Memory
}

// NewStage returns an empty stage with all registered scenes, in the light theme.
func NewStage() *Stage {
	s := &Stage{Scene: "units", Scenes: map[string]scene.Scene{}, Theme: &paint.Light, Zoom: 1, Dirty: true,
		created: time.Now()}
	for name, newScene := range scene.Makers {
		s.Scenes[name] = newScene(&s.Run)
	}
	return s
}

// Seconds returns the time since NewStage plus 10 s, so that it is never 0.
func (s *Stage) Seconds() float64 {
	if s.FixedSeconds > 0 {
		return s.FixedSeconds
	}
	return 10 + time.Since(s.created).Seconds()
}

// SetScene shows another scene. It returns false if the name is unknown.
func (s *Stage) SetScene(name string) bool {
	if s.Scenes[name] == nil {
		return false
	}
	s.Change(func() { s.Scene = name })
	return true
}

// SetTheme sets the theme: light, dark or projector; any other name means light. zoom is a factor on all sizes, from
// 0.5 to 8; any other value selects the factor of the theme.
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

// SetStill turns animations off.
func (s *Stage) SetStill(still bool) { s.Change(func() { s.Still = still }) }

// SetRun sets the state of the run.
func (s *Stage) SetRun(state runstate.Run) { s.Change(func() { s.Run.State = state }) }

// SetWords sets the translations of the words on the canvas; keys are the English words.
func (s *Stage) SetWords(words map[string]string) { s.Change(func() { s.Words = words }) }

// SetHidden hides parts of the picture. parts is a list of names, separated by blanks: details, points, errors.
func (s *Stage) SetHidden(parts string) { s.Change(func() { s.Hidden = strings.Fields(parts) }) }

// SetMethod selects the method of scenes that show one method at a time; "" selects the one that is running.
func (s *Stage) SetMethod(name string) { s.Change(func() { s.Run.Chosen = name }) }

// SetFocus sets the method whose number the page shows. Scenes with many methods emphasize it.
func (s *Stage) SetFocus(name string) { s.Change(func() { s.Run.Focus = name }) }

// SetBeta sets the inverse temperature at which the history opens when the run is over; "" plays it instead.
func (s *Stage) SetBeta(text string) {
	s.Change(func() {
		if h := &s.Run.Scrubber; h.InitialBeta != text {
			h.InitialBeta, h.Opened = text, false
		}
	})
}

// Change calls f under the lock of the stage and marks the layout as out of date.
func (s *Stage) Change(f func()) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	f()
	s.Dirty = true
}

// Fit sets the size of the canvas, w x h CSS pixels with scale device pixels each, and returns it in device pixels.
func (s *Stage) Fit(w, h, scale float64) (float64, float64) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	comma := strings.Contains(s.Words["1,234.5"], "4,5")
	if scale != s.Scale || s.Fonts == nil || s.Fonts.Comma != comma {
		s.Scale, s.Fonts, s.Dirty = scale, paint.NewFonts(scale*s.Zoom, comma), true
	}
	return max(w*scale, 1), max(h*scale, 1)
}

// Layers lays out the current scene. It returns the layers to paint and the text of the tooltip at the pointer, "" if
// there is none.
func (s *Stage) Layers() ([]paint.Layer, string) {
	return s.LayersOf(s.CurrentScene().Draw)
}

// LayersOf is Layers with another layout function.
func (s *Stage) LayersOf(draw func(*paint.Area) []paint.Layer) ([]paint.Layer, string) {
	s.memory.Reset()
	s.Taps = s.Taps[:0]
	a := &paint.Area{W: float64(s.W), H: float64(s.H), Unit: s.Scale * s.Zoom, Theme: s.Theme, Fonts: s.Fonts,
		Still: s.Still, Dragging: s.drag != nil, Words: s.Words, Hidden: s.Hidden, Taps: &s.Taps, Memory: &s.memory}
	if s.Pointer != nil {
		a.Pointer = paint.NewPointer(*s.Pointer)
	}
	layers := draw(a)
	tip, text := a.Tooltip()
	if a.Pointer != nil && len(tip.Marks) > 0 {
		layers = append(layers, tip)
	}
	return layers, s.Fonts.Localized(text)
}

// CurrentScene returns the scene that is shown.
func (s *Stage) CurrentScene() scene.Scene { return s.Scenes[s.Scene] }

// Refresh marks the layout as out of date.
func (s *Stage) Refresh() { s.Change(func() {}) }

// UpToDate reports whether the last layout is current.
func (s *Stage) UpToDate() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return !s.Dirty
}

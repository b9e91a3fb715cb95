package render

import (
	"math"
	"strings"
	"sync"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/core/frame"
	"logzlab/render/gpu"
	"logzlab/render/paint"
)

// Canvas is the Ebitengine game: it shows one scene of the newest frames and
// paints only when something changed. Its methods may be called from any
// goroutine. It never simulates.
type Canvas struct {
	// Drawn, if set, is called after each painting; all frames taken by then are
	// on the canvas.
	Drawn func()
	// Read, if set, is called when the words at the pointer change; "" is nothing.
	Read func(text string)
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
	theme   *paint.Theme
	dirty   bool // the canvas does not show the state
	w, h    int
	scale   float64 // device pixels per pixel of the page
	zoom    float64 // pixels of the page per pixel of the design
	fonts   *paint.Fonts
	painter *gpu.Painter

	began   time.Time
	hold    float64      // seconds that stand still, in tests; 0: time goes on
	pointer *paint.Point // device pixels; nil: not on the canvas
	said    string       // what Read was told last
	still   bool
	words   map[string]string
	hidden  []string // parts of the picture
	taps    []paint.Tap
	drag    *paint.Action // what a press goes on doing while it moves
	finger  *paint.Point  // where a finger went down that has not gone sideways yet, CSS pixels
	held    bool          // it has
	pressed bool          // the last press did something by itself
	slab    paint.Memory
	shots   []func(w, h int, pixels []byte)
	reel    *reel // a film in the making
}

// NewCanvas is an empty canvas with the scene units and the light theme.
func NewCanvas() *Canvas {
	s := &Canvas{scene: "units", scenes: map[string]Scene{}, theme: &paint.Light, zoom: 1, dirty: true, began: time.Now()}
	for name, newScene := range makers {
		s.scenes[name] = newScene(&s.run)
	}
	return s
}

// Run opens the window or canvas and returns when it closes, or with the reason
// why there can be no picture.
func (s *Canvas) Run() error {
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetWindowTitle("LogZ Lab")
	return ebiten.RunGame(s)
}

// seconds is the time since the canvas was made, never 0.
func (s *Canvas) seconds() float64 {
	if s.hold > 0 {
		return s.hold
	}
	return 10 + time.Since(s.began).Seconds()
}

// SetScene shows another scene; it reports false for a name it does not know.
func (s *Canvas) SetScene(name string) bool {
	if s.scenes[name] == nil {
		return false
	}
	s.change(func() { s.scene = name })
	return true
}

// SetTheme switches to light, dark or projector; any other name is light. zoom is
// the factor on all sizes, 0 for that of the theme.
func (s *Canvas) SetTheme(name string, zoom float64) {
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
func (s *Canvas) SetStill(still bool) { s.change(func() { s.still = still }) }

// SetRun tells what the run does: "running", "paused", "done" or "failed", which is done
// without an end.
func (s *Canvas) SetRun(state string) { s.change(func() { s.run.state = state }) }

// SetWords gives the words of the canvas in another language by the English ones.
func (s *Canvas) SetWords(words map[string]string) { s.change(func() { s.words = words }) }

// SetHidden leaves parts of the picture out, by their names apart by blanks: details, points, errors.
func (s *Canvas) SetHidden(parts string) { s.change(func() { s.hidden = strings.Fields(parts) }) }

// Point tells where the pointer is, in pixels of the page. A finger that has gone down
// does nothing until it is clear that it does not scroll the page.
func (s *Canvas) Point(x, y float64) {
	if s.scrolls(x, y) {
		return
	}
	s.change(func() {
		s.pointer = &paint.Point{X: x * s.scale, Y: y * s.scale}
		if s.drag != nil {
			s.drag.Do(*s.pointer)
		}
	})
}

// sideways is how far a finger goes sideways, and rather so than up or down, before it
// drags.
const sideways = 6

// scrolls tells whether a finger at a place may yet scroll the page.
func (s *Canvas) scrolls(x, y float64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finger == nil {
		return false
	}
	dx, dy := math.Abs(x-s.finger.X), math.Abs(y-s.finger.Y)
	if s.drag == nil || dx < sideways || dx < dy {
		return true
	}
	s.finger, s.held = nil, true
	return false
}

// Press tells that the pointer went down: what can be dragged follows it until
// Release; a finger drags once it has gone sideways, unless it has grabbed something, which Press reports.
func (s *Canvas) Press(x, y float64, finger bool) (grabbed bool) {
	s.change(func() {
		at := paint.Pt(x*s.scale, y*s.scale)
		finger = finger && !s.draws() // which it does at once
		if s.finger, s.held = nil, false; finger {
			s.finger = &paint.Point{X: x, Y: y}
		}
		s.pressed = false
		for i := range s.taps {
			if t := &s.taps[i]; t.Action.Drag && !grabbed && t.Box.Contains(at) {
				do := t.Action
				s.drag = &do
				if grabbed = do.Grab; grabbed {
					s.finger, s.held = nil, finger
				}
				if grabbed || !finger {
					do.Do(at)
					s.pressed = true
				}
			}
		}
	})
	return grabbed
}

// Release ends a drag, or tells that the finger scrolls the page. A finger that has
// dragged points at nothing any more.
func (s *Canvas) Release() {
	news := ""
	s.change(func() {
		if s.drag != nil && s.drag.End != nil {
			s.drag.End()
		}
		news = s.shown().News()
		if s.held {
			s.pointer = nil
		}
		s.drag, s.finger, s.held = nil, nil, false
	})
	s.tellNews(news)
}

// tellNews tells the page of a change that the viewer made by hand, if there is one.
func (s *Canvas) tellNews(news string) {
	if news != "" && s.Drew != nil {
		s.Drew(news)
	}
}

// shown is the scene on show.
func (s *Canvas) shown() Scene { return s.scenes[s.scene] }

// Key offers a key to the scene; it reports whether the scene took it.
func (s *Canvas) Key(name string) (taken bool) {
	text, news := "", ""
	s.change(func() {
		if taken = s.shown().Key(name); taken {
			text = s.shown().Describe(&paint.Area{Words: s.words})
		}
		news = s.shown().News()
	})
	if text != "" && s.Said != nil {
		s.Said(text)
	}
	s.tellNews(news)
	return taken
}

// Leave tells that the pointer is off the canvas.
func (s *Canvas) Leave() {
	if s.pointed() {
		s.change(func() { s.pointer = nil })
	}
}

func (s *Canvas) pointed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pointer != nil
}

// Tap does what is at the place, and reads there as a pointer would.
func (s *Canvas) Tap(x, y float64) {
	s.Point(x, y)
	news := ""
	s.change(func() {
		at := paint.Pt(x*s.scale, y*s.scale)
		for _, do := range paint.TapAt(s.taps, at) {
			if do.Drag && s.pressed {
				continue // done when the pointer went down
			}
			if do.Method != "" {
				s.run.chosen = do.Method
			}
			if do.Do != nil {
				do.Do(at)
			}
			if do.End != nil {
				do.End()
			}
		}
		news = s.shown().News()
	})
	s.tellNews(news)
}

// SetMethod shows a method wherever a scene shows one of several; "" is the one
// under way.
func (s *Canvas) SetMethod(name string) { s.change(func() { s.run.chosen = name }) }

// SetFocus tells which method's number the page shows: it stands out among many.
func (s *Canvas) SetFocus(name string) { s.change(func() { s.run.focus = name }) }

// Shoot calls f with the picture for keeping: rows of red, green, blue and opacity from the top.
func (s *Canvas) Shoot(f func(w, h int, pixels []byte)) {
	s.change(func() { s.shots = append(s.shots, f) })
}

func (s *Canvas) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	s.dirty = true
}

// Update does nothing: frames arrive by Take, whatever the frame rate.
func (s *Canvas) Update() error { return nil }

// Layout is required by ebiten.Game and never called, because LayoutF exists.
func (s *Canvas) Layout(w, h int) (int, int) { return w, h }

// LayoutF asks for a canvas of device pixels.
func (s *Canvas) LayoutF(w, h float64) (float64, float64) {
	return s.fit(w, h, ebiten.Monitor().DeviceScaleFactor())
}

func (s *Canvas) fit(w, h, scale float64) (float64, float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	comma := strings.Contains(s.words["1,234.5"], "4,5")
	if scale != s.scale || s.fonts == nil || s.fonts.Comma != comma {
		s.scale, s.fonts, s.painter, s.dirty = scale, paint.NewFonts(scale*s.zoom, comma), nil, true
	}
	return max(w*scale, 1), max(h*scale, 1)
}

// Draw paints if anything changed and otherwise leaves the canvas as it is.
func (s *Canvas) Draw(screen *ebiten.Image) {
	drawn, hand, text, shots := s.draw(screen)
	if !drawn {
		return
	}
	if len(shots) > 0 {
		w, h, pixels := s.kept()
		for _, f := range shots {
			f(w, h, pixels)
		}
	}
	s.shootFilm()
	shape := ebiten.CursorShapeDefault
	if hand {
		shape = ebiten.CursorShapePointer
	}
	if ebiten.CursorShape() != shape {
		ebiten.SetCursorShape(shape)
	}
	if text != s.said {
		s.said = text
		if s.Read != nil {
			s.Read(text)
		}
	}
	if s.Drawn != nil {
		s.Drawn()
	}
}

// draw reports whether it painted, whether the pointer is on something to tap, what
// it reads, and who waits for the pixels.
func (s *Canvas) draw(screen *ebiten.Image) (drawn, hand bool, text string, shots []func(int, int, []byte)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := screen.Bounds()
	if !s.dirty && b.Dx() == s.w && b.Dy() == s.h || s.fonts == nil {
		return false, false, "", nil
	}
	s.w, s.h, s.dirty = b.Dx(), b.Dy(), false
	if s.painter == nil {
		s.painter = gpu.NewPainter(s.fonts)
	}
	s.run.now = s.seconds()
	layers, text := s.layers()
	s.painter.Paint(screen, s.theme, layers)
	shots, s.shots = s.shots, nil
	s.dirty = s.dirty || s.shown().Moves(s.still)
	hand = s.pointer != nil && paint.Clickable(s.taps, *s.pointer)
	return true, hand, text, shots
}

// layers lays the current scene out and reads it at the pointer.
func (s *Canvas) layers() ([]paint.Layer, string) {
	s.slab.Reset()
	s.taps = s.taps[:0]
	a := &paint.Area{W: float64(s.w), H: float64(s.h), Unit: s.scale * s.zoom, Theme: s.theme, Fonts: s.fonts,
		Still: s.still, Dragging: s.drag != nil, Words: s.words, Hidden: s.hidden, Taps: &s.taps, Memory: &s.slab}
	if s.pointer != nil {
		a.Pointer = paint.NewPointer(*s.pointer)
	}
	layers, plays := s.played(a)
	if !plays {
		layers = s.shown().Draw(a)
	}
	tip, text := a.Tooltip()
	if a.Pointer != nil && len(tip.Marks) > 0 {
		layers = append(layers, tip)
	}
	return layers, s.fonts.Written(text)
}

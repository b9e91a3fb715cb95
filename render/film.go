package render

import (
	"image"
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/render/gpu"
	"logzlab/render/paint"
	"logzlab/render/picture"
	"logzlab/render/record"
)

// A film has filmFrames frames over filmSeconds, the last of which is a pause of one second on the last frame. It is
// filmWidth pixels wide, and its file has at most filmBytes, small enough for a web page.
const (
	filmSeconds = 6
	filmFrames  = 41
	filmWidth   = 640
	filmBytes   = 500_000
)

// A card is a still picture for link previews: 1200 x 630 pixels, the usual size of a preview, with text 1.5 times as
// large.
const (
	cardWide, cardHigh, cardUnit = 1200, 630, 1.5
	cardBytes                    = 60_000 // room.MaxPicture
)

// reel is a film that is being made or played.
type reel struct {
	onCanvas   bool // it plays on the canvas and makes no file
	scene      string
	area       *paint.Area
	image      *ebiten.Image
	painter    *gpu.Painter
	start      float64
	position   record.Position
	frames     []*image.RGBA
	frameCount int // number of frames to make
	maxBytes   int // limit of the file, in bytes
	done       func(file []byte, err error)
}

// Film makes an animated GIF of the current scene and calls done with the file. The film goes through the history of
// the run from start to end, if the scene shows one; otherwise all frames show the current state. Frames are painted
// offscreen, one at each painting of the canvas.
func (s *Canvas) Film(done func(file []byte, err error)) {
	s.Change(func() {
		high := filmWidth * min(max(float64(s.H)/max(float64(s.W), 1), 0.5), 0.8)
		s.startOffscreen(&reel{done: done, frameCount: filmFrames, maxBytes: filmBytes}, filmWidth, math.Round(high), 1)
	})
}

// Card makes a PNG file of the end of the run, for link previews, and calls done with it.
func (s *Canvas) Card(done func(file []byte, err error)) {
	s.Change(func() {
		s.startOffscreen(&reel{done: done, frameCount: 1, maxBytes: cardBytes}, cardWide, cardHigh, cardUnit)
	})
}

// startOffscreen starts a reel that is painted on a separate image, w x h pixels.
func (s *Canvas) startOffscreen(r *reel, w, h, unit float64) {
	fonts := paint.NewFonts(unit, s.Fonts != nil && s.Fonts.Comma)
	r.painter, r.area = gpu.NewPainter(fonts), &paint.Area{W: w, H: h, Unit: unit, Theme: s.Theme, Fonts: fonts,
		Print: true, Words: s.Words, Hidden: s.Hidden}
	s.start(r)
}

// Play plays the film once on the canvas, at its normal speed, so that the canvas can be recorded.
func (s *Canvas) Play() {
	s.Change(func() { s.start(&reel{onCanvas: true}) })
}

// start makes r the current reel, at the start of the history.
func (s *Canvas) start(r *reel) {
	r.scene, r.start = s.Scene, s.Seconds()
	r.position = s.Run.StartOfRecords(r.start)
	s.reel = r
}

// A player is a scene that plays an animation when a film starts.
type player interface {
	// SetStart sets the time at which the animation starts, in seconds, and returns the previous one.
	SetStart(start float64) (previous float64)
	// Duration returns the length of the animation in seconds.
	Duration() float64
}

// filmFrame lays out the scene at fraction u of the film. It leaves the state of the canvas unchanged.
func (s *Canvas) filmFrame(r *reel, a *paint.Area, u float64) []paint.Layer {
	scene, u := s.Scenes[r.scene], min(u, 1)
	s.Run.Swap(&r.position)
	defer s.Run.Swap(&r.position)
	now := r.start + u*filmSeconds
	if x, ok := scene.(player); ok {
		previous := x.SetStart(r.start)
		defer x.SetStart(previous)
		now = r.start + u*x.Duration()
	}
	s.Run.Seek(&r.position, now, u)
	return scene.Draw(a)
}

// playedFrame lays out the current frame of a film that plays on the canvas; playing is false if no film plays. After the
// last frame the canvas pauses for a second.
func (s *Canvas) playedFrame(a *paint.Area) (layers []paint.Layer, playing bool) {
	r := s.reel
	if r == nil || !r.onCanvas {
		return nil, false
	}
	elapsed := s.Seconds() - r.start
	if s.Dirty = true; elapsed > filmSeconds || s.Scene != r.scene {
		s.reel = nil
		return nil, false
	}
	a.Print = true
	return s.filmFrame(r, a, elapsed/(filmSeconds-1)), true
}

// paintNextFrame paints the next frame of a film that becomes a file, and encodes the file after the last one.
func (s *Canvas) paintNextFrame() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r := s.reel
	if r == nil || r.onCanvas {
		return
	}
	if r.image == nil {
		r.image = ebiten.NewImage(int(r.area.W), int(r.area.H))
	}

	u := 1.0
	if r.frameCount > 1 {
		u = float64(len(r.frames)) / float64(r.frameCount-1)
	}
	r.painter.Paint(r.image, r.area.Theme, s.filmFrame(r, r.area, u))
	frame := image.NewRGBA(r.image.Bounds())
	r.image.ReadPixels(frame.Pix)
	r.frames = append(r.frames, frame)
	s.Dirty = true
	if len(r.frames) < r.frameCount {
		return
	}

	r.image.Deallocate()
	s.reel = nil
	go func() { // encoding takes seconds and must not block the page
		if r.frameCount == 1 {
			r.done(picture.Still(r.frames[0], r.maxBytes))
			return
		}
		const delay = 100 * (filmSeconds - 1) / (filmFrames - 1) // in hundredths of a second, the unit of GIF files
		r.done(picture.Loop(r.frames, delay, 100, r.maxBytes, func() { time.Sleep(time.Millisecond) }))
	}()
}

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

// A film is a loop of filmSeconds, filmWidth pixels wide, whose last picture is shown for a second, in a file of at most
// filmBytes: a size that suits a page of text.
const (
	filmSeconds = 6
	filmFrames  = 41
	filmWidth   = 640
	filmBytes   = 500_000
)

// A card is a still picture for previews of links, 1200 x 630 pixels as those ask for, with larger letters.
const (
	cardWide, cardHigh, cardUnit = 1200, 630, 1.5
	cardBytes                    = 60_000 // room.MaxPicture
)

// reel is a film in the making.
type reel struct {
	live    bool // it plays on the canvas
	scene   string
	area    *paint.Area
	image   *ebiten.Image
	painter *gpu.Painter
	began   float64
	at      record.Position
	frames  []*image.RGBA
	count   int // of frames
	most    int // bytes
	done    func(file []byte, err error)
}

// Film calls done with the scene as a loop, an animated GIF file: the run from its start to its end where the scene
// shows a record of it, else the picture as it is. It is painted beside the canvas, a picture for each painting.
func (s *Canvas) Film(done func(file []byte, err error)) {
	s.Change(func() {
		high := filmWidth * min(max(float64(s.H)/max(float64(s.W), 1), 0.5), 0.8)
		s.shoots(&reel{done: done, count: filmFrames, most: filmBytes}, filmWidth, math.Round(high), 1)
	})
}

// Card calls done with the end of the run as a PNG file for previews of links.
func (s *Canvas) Card(done func(file []byte, err error)) {
	s.Change(func() { s.shoots(&reel{done: done, count: 1, most: cardBytes}, cardWide, cardHigh, cardUnit) })
}

// shoots takes a reel up that is painted beside the canvas.
func (s *Canvas) shoots(r *reel, w, h, unit float64) {
	fonts := paint.NewFonts(unit, s.Fonts != nil && s.Fonts.Comma)
	r.painter, r.area = gpu.NewPainter(fonts), &paint.Area{W: w, H: h, Unit: unit, Theme: s.Theme, Fonts: fonts,
		Print: true, Words: s.Words, Hidden: s.Hidden}
	s.wound(r)
}

// Play shows the film on the canvas once, at its pace, so that the canvas can be recorded.
func (s *Canvas) Play() {
	s.Change(func() { s.wound(&reel{live: true}) })
}

// wound takes a reel up, at the start of the records.
func (s *Canvas) wound(r *reel) {
	r.scene, r.began = s.Scene, s.Seconds()
	r.at = s.Run.StartOfRecords(r.began)
	s.reel = r
}

// player is a scene that plays by itself, for some seconds from when it began.
type player interface {
	// Play has the scene begin at a time, and returns when it had begun.
	Play(began float64) (before float64)
	// Lasts returns for how many seconds the scene plays.
	Lasts() float64
}

// filmed is the picture at a part of the film; what is on the canvas stays where it is.
func (s *Canvas) filmed(r *reel, a *paint.Area, u float64) []paint.Layer {
	scene, u := s.Scenes[r.scene], min(u, 1)
	s.Run.Swap(&r.at)
	defer s.Run.Swap(&r.at)
	now := r.began + u*filmSeconds
	if x, ok := scene.(player); ok {
		before := x.Play(r.began)
		defer x.Play(before)
		now = r.began + u*x.Lasts()
	}
	s.Run.Wind(&r.at, now, u)
	return scene.Draw(a)
}

// played is the film at the time of a painting where it plays on the canvas; it ends with a second of the last picture.
func (s *Canvas) played(a *paint.Area) (layers []paint.Layer, plays bool) {
	r := s.reel
	if r == nil || !r.live {
		return nil, false
	}
	gone := s.Seconds() - r.began
	if s.Dirty = true; gone > filmSeconds || s.Scene != r.scene {
		s.reel = nil
		return nil, false
	}
	a.Print = true
	return s.filmed(r, a, gone/(filmSeconds-1)), true
}

// shootFilm paints the next picture of a film, if one is made, and hands over the file after the last one.
func (s *Canvas) shootFilm() {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r := s.reel
	if r == nil || r.live {
		return
	}
	if r.image == nil {
		r.image = ebiten.NewImage(int(r.area.W), int(r.area.H))
	}

	// The picture at a moment of the film.
	u := 1.0
	if r.count > 1 {
		u = float64(len(r.frames)) / float64(r.count-1)
	}
	r.painter.Paint(r.image, r.area.Theme, s.filmed(r, r.area, u))
	frame := image.NewRGBA(r.image.Bounds())
	r.image.ReadPixels(frame.Pix)
	r.frames = append(r.frames, frame)
	s.Dirty = true
	if len(r.frames) < r.count {
		return
	}

	// After the last picture the film becomes a file.
	r.image.Deallocate()
	s.reel = nil
	go func() { // the page must not stand still meanwhile
		if r.count == 1 {
			r.done(picture.Still(r.frames[0], r.most))
			return
		}
		const delay = 100 * (filmSeconds - 1) / (filmFrames - 1) // in hundredths of a second, as in GIF files
		r.done(picture.Loop(r.frames, delay, 100, r.most, func() { time.Sleep(time.Millisecond) }))
	}()
}

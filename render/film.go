package render

import (
	"image"
	"math"
	"time"

	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/render/apng"
	"logzlab/render/gpu"
	"logzlab/render/paint"
)

// A film is a loop of filmSeconds, filmWidth pixels wide, whose last picture stays for a second, in a file of at most
// filmBytes: so much a page of text can bear.
const (
	filmSeconds = 6
	filmFrames  = 41 // and a second of the last one
	filmWidth   = 640
	filmBytes   = 300_000
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
	at      position
	frames  []*image.RGBA
	count   int // of frames
	most    int // bytes
	done    func(file []byte, err error)
}

// position is where in the records of a run a picture is: what the viewer of the canvas chose, or where the film is.
type position struct {
	now      float64
	state    string
	scrubber scrubber
	played   float64 // when the scene began to play, of a scene that plays by itself
	islands  map[*island]bookmark
}

// bookmark is where in the record of an island a picture is.
type bookmark struct {
	review review
	back   int
}

// Film calls done with the scene as a loop, an animated PNG file: the run from its start to its end where the scene
// shows a record of it, else the picture as it is. It is painted beside the canvas, a picture for each painting.
func (s *Canvas) Film(done func(file []byte, err error)) {
	s.change(func() {
		high := filmWidth * min(max(float64(s.h)/max(float64(s.w), 1), 0.5), 0.8)
		s.shoots(&reel{done: done, count: filmFrames, most: filmBytes}, filmWidth, math.Round(high), 1)
	})
}

// Card calls done with the end of the run as a PNG file for previews of links.
func (s *Canvas) Card(done func(file []byte, err error)) {
	s.change(func() { s.shoots(&reel{done: done, count: 1, most: cardBytes}, cardWide, cardHigh, cardUnit) })
}

// shoots takes a reel up that is painted beside the canvas.
func (s *Canvas) shoots(r *reel, w, h, unit float64) {
	fonts := paint.NewFonts(unit, s.fonts != nil && s.fonts.Comma)
	r.painter, r.area = gpu.NewPainter(fonts), &paint.Area{W: w, H: h, Unit: unit, Theme: s.theme, Fonts: fonts,
		Print: true, Words: s.words, Hidden: s.hidden}
	s.wound(r)
}

// Play shows the film on the canvas once, at its pace, so that the canvas can be recorded.
func (s *Canvas) Play() {
	s.change(func() { s.wound(&reel{live: true}) })
}

// wound takes a reel up, at the start of the records.
func (s *Canvas) wound(r *reel) {
	r.scene, r.began = s.scene, s.seconds()
	r.at = position{state: "done", scrubber: scrubber{on: true, played: true}, played: r.began,
		islands: map[*island]bookmark{}}
	for _, w := range s.run.walls {
		for _, is := range []*island{w.island(), w.weighed} {
			if is != nil && len(is.moments) > 0 {
				r.at.islands[is] = bookmark{review: review{on: is.moments[is.eventful()].id, began: r.began}}
			}
		}
	}
	s.reel = r
}

// eventful is the moment from which a film shows resampling: the one before the first time that particles are chosen.
func (is *island) eventful() int {
	for i := range is.moments {
		if is.moments[i].phase == resampling {
			return max(i-1, 0)
		}
	}
	return 0
}

// player is a scene that plays by itself, for some seconds from when it began.
type player interface {
	// Play has the scene begin at a time, and returns when it had begun.
	Play(began float64) (before float64)
	// Lasts returns for how many seconds the scene plays.
	Lasts() float64
}

// swap exchanges where a scene and its run are in their records.
func (p *Run) swap(at *position, of Scene) {
	p.now, at.now = at.now, p.now
	p.state, at.state = at.state, p.state
	p.scrubber, at.scrubber = at.scrubber, p.scrubber
	if x, ok := of.(player); ok {
		at.played = x.Play(at.played)
	}
	for is, other := range at.islands {
		at.islands[is] = bookmark{is.review, is.back}
		is.review, is.back = other.review, other.back
	}
}

// wind goes to a part of the records, from 0 to 1: of temperatures, of stages, or of the race. Phases of resampling
// follow the clock.
func (p *Run) wind(r *reel, of Scene, u float64) {
	p.now = r.began + u*filmSeconds
	if x, ok := of.(player); ok {
		p.now = r.began + u*x.Lasts()
	}
	w, _ := p.pick((*wall).recorded)
	if w != nil {
		k, part := math.Modf(u * float64(len(w.moments)-1))
		if p.scrubber.beta = 1; u < 1 {
			p.scrubber.beta = w.moments[int(k)] + (w.moments[int(k)+1]-w.moments[int(k)])*part
		}
	}
	for is := range r.at.islands {
		is.scrub(u * float64(is.stages))
	}
}

// filmed is the picture at a part of the film; what is on the canvas stays where it is.
func (s *Canvas) filmed(r *reel, a *paint.Area, u float64) []paint.Layer {
	scene := s.scenes[r.scene]
	s.run.swap(&r.at, scene)
	defer s.run.swap(&r.at, scene)
	s.run.wind(r, scene, min(u, 1))
	return scene.Draw(a)
}

// played is the film at the time of a painting where it plays on the canvas; it ends with a second of the last picture.
func (s *Canvas) played(a *paint.Area) (layers []paint.Layer, plays bool) {
	r := s.reel
	if r == nil || !r.live {
		return nil, false
	}
	gone := s.seconds() - r.began
	if s.dirty = true; gone > filmSeconds || s.scene != r.scene {
		s.reel = nil
		return nil, false
	}
	a.Print = true
	return s.filmed(r, a, gone/(filmSeconds-1)), true
}

// shootFilm paints the next picture of a film, if one is made, and hands over the file after the last one.
func (s *Canvas) shootFilm() {
	s.mu.Lock()
	defer s.mu.Unlock()
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
	s.dirty = true
	if len(r.frames) < r.count {
		return
	}

	// After the last picture the film becomes a file.
	r.image.Deallocate()
	s.reel = nil
	go func() { // the page must not stand still meanwhile
		const delay = 1000 * (filmSeconds - 1) / (filmFrames - 1)
		file, err := apng.Encode(r.frames, delay, 1000, r.most, func() { time.Sleep(time.Millisecond) })
		if r.count == 1 && len(file) > r.most {
			coarse(r.frames[0])
			file, err = apng.Encode(r.frames, delay, 1000, r.most, nil)
		}
		r.done(file, err)
	}()
}

// coarse leaves a picture nine levels of each colour, so that soft grounds become flat and their file small.
func coarse(f *image.RGBA) {
	for i, x := range f.Pix {
		f.Pix[i] = uint8(min((int(x)+16)/32*32, 255))
	}
}

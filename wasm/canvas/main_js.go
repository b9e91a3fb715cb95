package main

import (
	"maps"
	"runtime/debug"
	"slices"
	"syscall/js"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/render"
	"logzlab/wasm/browser"
)

// The protocol with site/stage.js:
//
//	onLab(message) is the one way in. A message is the page's object, with its
//	field t: frame (data: Uint8Array, part: of the picture, whose newest frame is kept), scene (name), theme (name, zoom: factor on all
//	sizes, if any), motion (reduced), state (name: what the run does, words (words:
//	translations by the English words), method (name: the one to show of several, ''
//	for the one under way), focus (name: the method whose number is large),
//	beta (name: where the record of a run that is over opens, '' where it plays), hide (name: parts
//	of the picture, apart by blanks), drawing (on: pixels can be fixed, name: which are), picture,
//	film, card, svg, play, reset (on: the picture stays until the next run has rows), rest (ask for the
//	answer of this name), look, which returns the newest frame of each part, oldest first, as [{part, data}]; and from
//	the listeners of stage.js pointer (x, y), press (x, y, finger: it is no mouse), which
//	returns whether a finger must not scroll the page, release, tap (x, y), leave, and key
//	(key), which returns whether the scene took it.
//	labPost(object) is the one way out: {t:'ready'} after the first painting,
//	{t:'ack'} for each frame once it is on the canvas, {t:'hover', text} when the
//	pointer reads something else ('' nothing), {t:'said', text} after a key that the
//	scene took, {t:'drawn', text} with what the viewer has drawn, as render.Canvas.Drew has it,
//	{t:'pixels', w, h, data} for picture, {t:'film', data} for film, {t:'card', data} for card, {t:'svg', data} for svg (no data:
//	none could be made), {t:'rest'} after a painting that shows all that came before and leads to no other,
//	{t:'error', text}.
//	labRefresh() asks for a painting at once.
//
// Nothing here computes. Frames are decoded and handed on to be drawn. Those that the canvas would need to begin again,
// and from which the page makes texts, are kept as they came: much of what the canvas keeps are parts of these bytes.
func main() {
	// A WebAssembly memory never shrinks, and what is large here are pictures, which cost a collection nothing.
	debug.SetGCPercent(50)
	l := &lab{canvas: render.NewCanvas(), post: js.Global().Get("labPost"), newest: map[string]kept{}}
	l.canvas.OnPaint = l.drawn
	l.canvas.OnEdit = func(text string) { l.post.Invoke(map[string]any{"t": "drawn", "text": text}) }
	l.canvas.OnDescribe = func(text string) { l.post.Invoke(map[string]any{"t": "said", "text": text}) }
	l.canvas.OnTooltip = func(text string) { l.post.Invoke(map[string]any{"t": "hover", "text": text}) }
	browser.Serve("onLab", l.message)
	if err := l.canvas.Loop(); err != nil {
		l.post.Invoke(map[string]any{"t": "error", "text": err.Error()})
		select {} // the page takes the frames back
	}
}

type lab struct {
	canvas *render.Canvas
	post   js.Value
	ready  bool
	owed   int // frames taken and not yet acknowledged
	draws  bool
	newest map[string]kept // frame of each part of the picture
	frames int             // that came
}

// kept is a frame as it came, and its number.
type kept struct {
	data []byte
	n    int
}

func (l *lab) message(m js.Value) any {
	t := m.Get("t").String()
	switch t {
	case "frame":
		l.frame(m.Get("part").String(), m.Get("data"))
		return nil
	case "look":
		return l.look()
	}
	defer js.Global().Call("labRefresh") // what the viewer does is not to wait
	switch t {
	case "scene":
		l.canvas.SetScene(m.Get("name").String())
	case "theme":
		l.canvas.SetTheme(m.Get("name").String(), browser.Number(m.Get("zoom")))
	case "motion":
		l.canvas.SetStill(m.Get("reduced").Truthy())
	case "state":
		l.canvas.SetRun(runstate.Run(m.Get("name").String()))
	case "words":
		l.canvas.SetWords(dictionary(m.Get("words")))
	case "method":
		l.canvas.SetMethod(m.Get("name").String())
	case "drawing":
		l.canvas.SetDrawing(m.Get("on").Truthy(), m.Get("name").String())
	case "focus":
		l.canvas.SetFocus(m.Get("name").String())
	case "beta":
		l.canvas.SetBeta(m.Get("name").String())
	case "hide":
		l.canvas.SetHidden(m.Get("name").String())

	// What the viewer does.
	case "pointer":
		l.canvas.Point(browser.Number(m.Get("x")), browser.Number(m.Get("y")))
	case "tap":
		l.canvas.Tap(browser.Number(m.Get("x")), browser.Number(m.Get("y")))
	case "press":
		return l.canvas.Press(browser.Number(m.Get("x")), browser.Number(m.Get("y")), m.Get("finger").Truthy())
	case "release":
		l.canvas.Release()
	case "key":
		return l.canvas.Key(m.Get("key").String())
	case "leave":
		l.canvas.Leave()

	// Pictures to take away.
	case "picture":
		l.shoot()
	case "film":
		l.canvas.Film(l.made("film"))
	case "card":
		l.canvas.Card(l.made("card"))
	case "svg":
		l.made("svg")(l.canvas.SVG(), nil)

	// The time of the canvas.
	case "play":
		l.canvas.Play()
	case "reset":
		clear(l.newest)
		if m.Get("on").Truthy() {
			l.canvas.ClearOnNextRows()
		} else {
			l.canvas.Reset()
		}
	case "rest":
		l.canvas.Refresh()
	}
	return nil
}

// dictionary reads an object of strings.
func dictionary(v js.Value) map[string]string {
	if v.Type() != js.TypeObject {
		return nil
	}
	out := map[string]string{}
	keys := js.Global().Get("Object").Call("keys", v)
	for i := range keys.Length() {
		out[keys.Index(i).String()] = browser.Text(v.Get(keys.Index(i).String()))
	}
	return out
}

// shoot sends the pixels of the next painting.
func (l *lab) shoot() {
	l.canvas.Capture(func(w, h int, pixels []byte) {
		data := js.Global().Get("Uint8ClampedArray").New(len(pixels))
		js.CopyBytesToJS(data, pixels)
		l.post.Invoke(map[string]any{"t": "pixels", "w": w, "h": h, "data": data})
	})
}

// made sends a file of the scene once it is made, or without data that there will be none.
func (l *lab) made(t string) func(file []byte, err error) {
	return func(file []byte, err error) {
		m := map[string]any{"t": t}
		if err == nil {
			m["data"] = browser.Array(file)
		}
		l.post.Invoke(m)
	}
}

// frame decodes one frame of a part of the picture. A damaged one is dropped, and acknowledged all the
// same so that its lane does not wait for ever.
func (l *lab) frame(part string, data js.Value) {
	b := browser.Bytes(data)
	f, err := frame.Decode(b)
	l.owed++
	if err != nil {
		l.acknowledge()
		l.canvas.Refresh()
		return
	}
	l.frames++
	l.newest[part] = kept{b, l.frames}
	l.canvas.Take(f)
}

// look lists the newest frames, oldest first.
func (l *lab) look() any {
	parts := slices.SortedFunc(maps.Keys(l.newest), func(a, b string) int { return l.newest[a].n - l.newest[b].n })
	all := make([]any, len(parts))
	for i, part := range parts {
		all[i] = map[string]any{"part": part, "data": browser.Array(l.newest[part].data)}
	}
	return all
}

// drawn runs after each painting.
func (l *lab) drawn() {
	if !l.ready {
		l.ready = true
		l.touch()
		l.post.Invoke(map[string]any{"t": "ready"})
	}
	if draws := l.canvas.CanDraw(); draws != l.draws {
		l.draws = draws
		l.touch()
	}
	l.acknowledge()
	if l.canvas.UpToDate() {
		l.post.Invoke(map[string]any{"t": "rest"})
	}
}

// touch lets a finger scroll the page up and down, and zoom, unless it draws. Ebiten forbids both on its canvas.
func (l *lab) touch() {
	action := "pan-y pinch-zoom"
	if l.draws {
		action = "none"
	}
	if element := js.Global().Get("document").Call("querySelector", "canvas"); element.Truthy() {
		element.Get("style").Call("setProperty", "touch-action", action, "important")
	}
}

func (l *lab) acknowledge() {
	for ; l.owed > 0; l.owed-- {
		l.post.Invoke(map[string]any{"t": "ack"})
	}
}

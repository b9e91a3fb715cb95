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

// The protocol with site/stage.js. JavaScript calls onLab(message); a message is an object whose field t is one of:
//
//	frame    data: Uint8Array, part: part of the picture, whose newest frame is kept
//	scene    name
//	theme    name, zoom: factor on all sizes (optional)
//	motion   reduced
//	state    name: state of the run
//	words    words: translations by English word
//	method   name: the method to show, '' for the current one
//	focus    name: the selected method
//	beta     name: inverse temperature at which the record of a finished run opens, '' to play it
//	hide     name: hidden parts of the picture, separated by blanks
//	drawing  on: whether the viewer can fix pixels, name: the fixed pixels
//	reset    on: whether the picture stays until the next run has rows
//	rest     requests the answer {t:'rest'}
//	look     returns the newest frame of each part, oldest first, as [{part, data}]
//	picture, film, card, svg, play
//
// and, from the listeners of stage.js: pointer (x, y), press (x, y, finger: not a mouse; returns whether a finger must
// not scroll the page), release, tap (x, y), leave, and key (key; returns whether the scene handled it).
//
// Go calls labPost(object): {t:'ready'} after the first painting, {t:'ack'} for each frame when it is on the canvas,
// {t:'hover', text} when the text under the pointer changes (empty for none), {t:'said', text} after a key that the
// scene handled, {t:'drawn', text} with the viewer's drawing (render.Canvas.OnEdit), {t:'pixels', w, h, data} for
// picture, {t:'film', data}, {t:'card', data} and {t:'svg', data} (without data if it failed), {t:'rest'} after a
// painting that shows everything received before and needs no further painting, and {t:'error', text}. labRefresh()
// requests a painting.
//
// This program computes nothing; it decodes frames and passes them on for drawing. The newest frame of each part is
// also stored in its encoded form, for a canvas that has to start again and for texts of the page. This costs little
// memory: most of the decoded data are slices of the encoded frames.
func main() {
	// WebAssembly memory never shrinks, and most of the heap is pictures, which collections need not scan.
	debug.SetGCPercent(50)
	l := &lab{canvas: render.NewCanvas(), post: js.Global().Get("labPost"), newest: map[string]storedFrame{}}
	l.canvas.OnPaint = l.afterPaint
	l.canvas.OnEdit = func(text string) { l.post.Invoke(map[string]any{"t": "drawn", "text": text}) }
	l.canvas.OnDescribe = func(text string) { l.post.Invoke(map[string]any{"t": "said", "text": text}) }
	l.canvas.OnTooltip = func(text string) { l.post.Invoke(map[string]any{"t": "hover", "text": text}) }
	browser.Serve("onLab", l.message)
	if err := l.canvas.Loop(); err != nil {
		l.post.Invoke(map[string]any{"t": "error", "text": err.Error()})
		select {} // the program must not end, because the page requests the frames from it
	}
}

// lab connects the canvas with the page.
type lab struct {
	canvas         *render.Canvas
	post           js.Value
	ready          bool
	unacknowledged int // number of frames not yet acknowledged
	canDraw        bool
	newest         map[string]storedFrame // frame of each part of the picture
	frames         int                    // number of frames received
}

// storedFrame is an encoded frame and its number.
type storedFrame struct {
	data []byte
	n    int
}

// message handles a message of JavaScript and returns its answer, or nil.
func (l *lab) message(m js.Value) any {
	t := m.Get("t").String()
	switch t {
	case "frame":
		l.frame(m.Get("part").String(), m.Get("data"))
		return nil
	case "look":
		return l.look()
	}
	defer js.Global().Call("labRefresh") // user input is shown at once
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

	// User input.
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

	// Pictures to save.
	case "picture":
		l.sendPixels()
	case "film":
		l.canvas.Film(l.sendFile("film"))
	case "card":
		l.canvas.Card(l.sendFile("card"))
	case "svg":
		l.sendFile("svg")(l.canvas.SVG(), nil)

	// Replay and clear the picture.
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

// dictionary converts an object of strings.
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

// sendPixels sends the pixels of the next painting to the page.
func (l *lab) sendPixels() {
	l.canvas.Capture(func(w, h int, pixels []byte) {
		data := js.Global().Get("Uint8ClampedArray").New(len(pixels))
		js.CopyBytesToJS(data, pixels)
		l.post.Invoke(map[string]any{"t": "pixels", "w": w, "h": h, "data": data})
	})
}

// sendFile returns a function that sends a file of the scene, or a message without data if it failed.
func (l *lab) sendFile(t string) func(file []byte, err error) {
	return func(file []byte, err error) {
		m := map[string]any{"t": t}
		if err == nil {
			m["data"] = browser.Array(file)
		}
		l.post.Invoke(m)
	}
}

// frame decodes one frame of a part of the picture. A damaged frame is dropped, but acknowledged, so that its lane does
// not wait forever.
func (l *lab) frame(part string, data js.Value) {
	b := browser.Bytes(data)
	f, err := frame.Decode(b)
	l.unacknowledged++
	if err != nil {
		l.acknowledge()
		l.canvas.Refresh()
		return
	}
	l.frames++
	l.newest[part] = storedFrame{b, l.frames}
	l.canvas.Take(f)
}

// look returns the newest frame of each part, the oldest first.
func (l *lab) look() any {
	parts := slices.SortedFunc(maps.Keys(l.newest), func(a, b string) int { return l.newest[a].n - l.newest[b].n })
	out := make([]any, len(parts))
	for i, part := range parts {
		out[i] = map[string]any{"part": part, "data": browser.Array(l.newest[part].data)}
	}
	return out
}

// afterPaint runs after each painting.
func (l *lab) afterPaint() {
	if !l.ready {
		l.ready = true
		l.setTouchAction()
		l.post.Invoke(map[string]any{"t": "ready"})
	}
	if draws := l.canvas.CanDraw(); draws != l.canDraw {
		l.canDraw = draws
		l.setTouchAction()
	}
	l.acknowledge()
	if l.canvas.UpToDate() {
		l.post.Invoke(map[string]any{"t": "rest"})
	}
}

// setTouchAction lets a finger on the canvas scroll and zoom the page, unless the finger draws in the scene. Ebiten
// disables both on its canvas.
func (l *lab) setTouchAction() {
	action := "pan-y pinch-zoom"
	if l.canDraw {
		action = "none"
	}
	if element := js.Global().Get("document").Call("querySelector", "canvas"); element.Truthy() {
		element.Get("style").Call("setProperty", "touch-action", action, "important")
	}
}

// acknowledge sends an ack for each frame that has no ack yet.
func (l *lab) acknowledge() {
	for ; l.unacknowledged > 0; l.unacknowledged-- {
		l.post.Invoke(map[string]any{"t": "ack"})
	}
}

package main

import (
	"syscall/js"

	"logzlab/core/frame"
	"logzlab/render"
)

// The protocol with site/stage.js:
//
//	onLab(message) is the one way in. A message is the page's object, with its
//	field t: frame (data: Uint8Array, kept: true if it was on show before a reload), scene
//	(name), theme (name), reset, keep.
//	labPost(object) is the one way out: {t:'ready'} after the first painting,
//	{t:'ack'} for each frame once it is on the canvas, {t:'error', text}.
//
// keep returns the frames that are needed to draw the same picture again, newest
// of each lane and the curves; stage.js hands them to its successor when it has to
// reload. Nothing here computes: frames are decoded, kept and drawn.
func main() {
	l := &lab{stage: render.NewStage(), post: js.Global().Get("labPost")}
	l.stage.Drawn = l.drawn
	js.Global().Set("onLab", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) == 1 && args[0].Type() == js.TypeObject {
			return l.message(args[0])
		}
		return nil
	}))
	if err := l.stage.Run(); err != nil {
		l.post.Invoke(map[string]any{"t": "error",
			"text": "No picture on this machine: the browser gives no WebGL 2 (" + err.Error() + "). The numbers are complete."})
	}
}

type lab struct {
	stage *render.Stage
	post  js.Value
	ready bool
	owed  int // frames taken and not yet acknowledged
	kept  []kept
}

// kept is the newest encoded frame of one lane of one method.
type kept struct {
	method string
	first  int
	curves bool
	data   js.Value
}

func (l *lab) message(m js.Value) any {
	switch m.Get("t").String() {
	case "frame":
		l.frame(m.Get("data"), m.Get("kept").Truthy())
	case "scene":
		l.stage.SetScene(m.Get("name").String())
	case "theme":
		l.stage.SetTheme(m.Get("name").String(), 0)
	case "reset":
		l.kept = nil
		l.stage.Reset()
	case "keep":
		out := make([]any, len(l.kept))
		for i, k := range l.kept {
			out[i] = k.data
		}
		return out
	}
	return nil
}

// frame decodes one frame. A damaged one is dropped, and acknowledged all the
// same so that its lane does not wait for ever. One that was kept over a reload
// has been acknowledged before.
func (l *lab) frame(data js.Value, again bool) {
	n := data.Get("length")
	if n.Type() != js.TypeNumber {
		return
	}
	b := make([]byte, n.Int())
	js.CopyBytesToGo(b, data)
	f, err := frame.Decode(b)
	if !again {
		l.owed++
	}
	if err != nil {
		l.acknowledge()
		return
	}
	l.stage.Take(f)
	k := kept{f.Method, f.First, len(f.Curves) > 0, data}
	for i := range l.kept {
		o := &l.kept[i]
		if o.curves == k.curves && (k.curves || o.method == k.method && o.first == k.first) {
			*o = k
			return
		}
	}
	l.kept = append(l.kept, k)
}

// drawn runs after each painting.
func (l *lab) drawn() {
	if !l.ready {
		l.ready = true
		l.post.Invoke(map[string]any{"t": "ready"})
	}
	l.acknowledge()
}

func (l *lab) acknowledge() {
	for ; l.owed > 0; l.owed-- {
		l.post.Invoke(map[string]any{"t": "ack"})
	}
}

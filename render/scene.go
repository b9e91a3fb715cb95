package render

import "logzlab/render/paint"

// scene is one way to draw a run. The descriptor has everything that distinguishes scenes and is registered in the file
// of the layout.
type scene struct {
	name string // in links, and by which the page asks for it

	// draw lays a picture out from what its frames brought (walls of rows, curves, ladders,
	// density, islands), and draws a note where that is missing.
	draw func(*paint.Area, *Picture) []paint.Layer

	// moves, if set, tells whether the picture is on its way to another one, so that the
	// next painting follows at once.
	moves func(p *Picture, still bool) bool

	// key, if set, is offered the keys, and tells whether it took one.
	key func(p *Picture, name string) bool

	// tell, if set, says in words what a key led to.
	tell func(a *paint.Area, p *Picture) string

	// miss, if set, is called for a tap on nothing.
	miss func(p *Picture)
}

// scenes lists all scenes in no particular order; the page has its own.
var scenes []*scene

func register(s scene) *scene {
	scenes = append(scenes, &s)
	return &s
}

// sceneNamed is nil for a name that is not known.
func sceneNamed(name string) *scene {
	for _, s := range scenes {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Package scene has the interface of a scene and the list of scenes.
package scene

import (
	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// Scene is one way to draw a run. A scene has its own state: what it keeps of frames, and what the viewer chose in it.
// What all scenes know of a run, such as the newest particles of each method, is in Run. Embed Base for the methods
// that a scene has no use for; Draw alone is required.
type Scene interface {
	// Take is called for every frame, after Run has taken it. f must not be changed, and may be kept.
	Take(f *frame.Frame)
	// Clear forgets all frames, because another run begins. The choices of the viewer stay.
	Clear()
	// Draw lays the scene out in an area: it returns marks, and tells the area what can be tapped and what the pointer
	// reads. Where the frames so far have nothing that it could show, it says so with paint.Note.
	Draw(a *paint.Area) []paint.Layer
	// Key offers a key to the scene, by its name in KeyboardEvent.key, and reports whether the scene used it.
	Key(name string) bool
	// Describe says in words what is on show, for viewers who cannot see it; it is asked after each key that was used.
	Describe(a *paint.Area) string
	// Moves reports whether the picture is on its way to another one, so that it has to be drawn again at once. still:
	// the viewer asked for no motion.
	Moves(still bool) bool
	// TakeEdit returns a change that the viewer made by hand since the last call, as a parameter of the experiment and its
	// value, such as clamp=205i3 or ais.schedule=betas:0.1_0.5; "" if there is none.
	TakeEdit() string
}

// Base has the methods of a scene without keys, motion or state.
type Base struct{ Run *record.Run }

func (Base) Take(*frame.Frame)           {}
func (Base) Clear()                      {}
func (Base) Key(string) bool             { return false }
func (Base) Describe(*paint.Area) string { return "" }
func (Base) Moves(bool) bool             { return false }
func (Base) TakeEdit() string            { return "" }

// Makers make the scenes, by the names that links and the page use.
var Makers = map[string]func(*record.Run) Scene{}

// Register adds a scene. It is called from init functions, once for each name.
func Register(name string, newScene func(*record.Run) Scene) struct{} {
	Makers[name] = newScene
	return struct{}{}
}

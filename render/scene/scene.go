// Package scene contains the interface of a scene and the registry of scenes.
package scene

import (
	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// Scene draws a run in one way. A scene stores data from frames and choices of the viewer. The state that all scenes
// share, such as the newest particles of each method, is in record.Run. Embed Base to inherit empty methods; only Draw
// is required.
type Scene interface {
	// Take is called for every frame, after Run.Take. The scene may keep f but must not change it.
	Take(f *frame.Frame)
	// Clear discards all frames because another run begins. The choices of the viewer are kept.
	Clear()
	// Draw lays the scene out in an area: it returns marks, registers actions with a.OnTap, and offers texts to
	// a.Pointer. If the frames so far contain no data for the scene, it returns a paint.Note.
	Draw(a *paint.Area) []paint.Layer
	// Key handles a key, given by its KeyboardEvent.key, and reports whether the scene used it.
	Key(name string) bool
	// Describe returns a description for viewers who cannot see the scene. It is called after each key that was used.
	Describe(a *paint.Area) string
	// IsAnimating reports whether the scene must be drawn again at once because an animation is under way. still is
	// true if the viewer has turned animations off.
	IsAnimating(still bool) bool
	// TakeEdit returns the change that the viewer has made by hand since the last call, as a parameter and its value,
	// such as clamp=205i3 or ais.schedule=betas:0.1_0.5, or "".
	TakeEdit() string
}

// Base implements all methods of Scene except Draw, for a scene without keys, animation or state.
type Base struct{ Run *record.Run }

func (Base) Take(*frame.Frame)           {}
func (Base) Clear()                      {}
func (Base) Key(string) bool             { return false }
func (Base) Describe(*paint.Area) string { return "" }
func (Base) IsAnimating(bool) bool       { return false }
func (Base) TakeEdit() string            { return "" }

// Makers contains the constructor of each scene by name, as used in links and on the page.
var Makers = map[string]func(*record.Run) Scene{}

// Register adds a scene. Each scene package calls it once, when it initializes its variables.
func Register(name string, newScene func(*record.Run) Scene) struct{} {
	Makers[name] = newScene
	return struct{}{}
}

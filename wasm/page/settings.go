package page

import (
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// Known returns the names and ranges of view settings.
func Known() state.Known {
	return state.Known{Scenes: scene.Names(), Former: scene.Former, Lessons: len(view.Lessons), Steps: len(view.TourSteps),
		Broken: len(repair.Broken)}
}

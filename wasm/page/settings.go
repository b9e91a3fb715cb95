package page

import (
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// known is what view settings may name.
func known() state.Known {
	return state.Known{Scenes: scene.Names(), Former: scene.Former, Lessons: len(view.Lessons), Steps: len(view.TourSteps),
		Broken: len(repair.Broken)}
}

// ParseSettings reads the view settings of a link, each "view.key=value". Those that are not valid are left out, of two
// with one key the second; the error names each of them.
func ParseSettings(settings []string) (state.Settings, error) { return known().Parse(settings) }

package page

import (
	"testing"

	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// TestSeriesOpens: experiments on series open with it, others on parameters have the posterior beside the plane, and
// models without parameters have neither.
func TestSeriesOpens(t *testing.T) {
	for link, want := range map[string]string{
		"v=1&model=sv-60&method=aisel":                          "series",
		"v=1&model=lgssm-40&method=smc":                         "series",
		"v=1&model=sv-60&method=aisel&view.scene=plane":         "plane",
		"v=1&model=glmm-wards&method=is2&view.scene=posterior":  "posterior",
		"v=1&model=linreg-line&method=ais":                      "plane",
		"v=1&model=linreg-line&method=ais&view.scene=series":    "plane",
		"v=1&model=mixture2&method=ais&view.scene=posterior":    "plane",
		"v=1&model=betabinom-coin&method=rts&view.scene=series": "plane",
	} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Link: link, Base: "https://lab.example/"})
		if got := scene.On(p.controller.Outline()).Name; got != want {
			t.Errorf("%s opens %s, want %s", link, got, want)
		}
	}
}

package route

import (
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/wasm/page/state"
)

// What is right of a bad link, and that nothing of it is lost on the way.
func TestMend(t *testing.T) {
	for _, c := range [][2]string{
		{"v=1&model=mixture2&method=rtx", "v=1&model=mixture2&method=ais"},
		{"v=1&model=mixture2&method=rtx,rts,rts&seed=7", "v=1&model=mixture2&method=rts&seed=7"},
		{"v=1&model=mixture2&method=ais&ais.chains=many&ais.temperatures=64&view.theme=dark",
			"v=1&model=mixture2&method=ais&ais.temperatures=64&view.theme=dark"},
		{"v=1&model=mixture2&method=ais&view.scene=attic&view.lang=de",
			"v=1&model=mixture2&method=ais&view.lang=de"},
		{"model=mixture2&method=ais&seed=1&seed=2&bogus", "v=1&model=mixture2&method=ais&seed=1"},
		{"v=1&model=mixture2&method=rts&rts.adapt_sweeps=9&rts.init=wl&rts.merge=maybe",
			"v=1&model=mixture2&method=rts&rts.init=wl&rts.adapt_sweeps=9"},
		{"v=1&model=gpc-1d&method=rm&rm.absent=rates&sampler=ess&seed=7", "v=1&model=gpc-1d&method=rm&seed=7"},
		{"v=2&model=mixture2&method=ais", state.DefaultLink},
		{"v=1&model=attic&method=ais&seed=3&view.lang=de&view.theme=pink", state.DefaultLink + "&view.lang=de"},
		{"v=1&model=attic&method=ais", state.DefaultLink},
		{"v=1&model=mixture2&method=ais" + strings.Repeat("&a=b", 1000), state.DefaultLink},
		{"%&&=&v=1&model=%6dixture2&method=%zz", "v=1&model=mixture2&method=ais"},
		{"v=1&model=file:0123456789ab&method=ais&start=nowhere&ais.sweeps=2&view.expect=xyz#", state.DefaultLink},
	} {
		if got, _ := mend(c[0], catalog.Names{}, known); got != c[1] {
			t.Errorf("%s\nbecomes %s\nwant    %s", c[0], got, c[1])
		}
	}
}

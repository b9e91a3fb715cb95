package spec

import "testing"

func TestFill(t *testing.T) {
	type Shared struct {
		Particles int `param:"particles"`
	}
	var p struct {
		Shared
		ESS      float64 `param:"ess"`
		Adaptive bool    `param:"adaptive"`
		Last     bool    `param:"last"`
		Schedule string  `param:"schedule"`
		Missing  int     `param:"missing"`
		other    int
	}
	p.Missing, p.other = 7, 8
	Values{"particles": "400", "ess": "0.5", "adaptive": "yes", "last": "no", "schedule": "cubic",
		"missing": ""}.Fill(&p)
	if p.Particles != 400 || p.ESS != .5 || !p.Adaptive || p.Last || p.Schedule != "cubic" || p.Missing != 7 || p.other != 8 {
		t.Errorf("Fill gives %+v", p)
	}

	defer func() {
		if recover() == nil {
			t.Error("Fill accepts a field of an unsupported type")
		}
	}()
	var bad struct {
		X []int `param:"ess"`
	}
	Values{"ess": "1"}.Fill(&bad)
}

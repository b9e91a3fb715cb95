package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// Two models of the same data, or two links, have a log Bayes factor and its exact value; other pairs are refused.
func TestCompare(t *testing.T) {
	few := []string{"-method", "is2", "-set", "particles=200"}
	status, out, errs := run(append([]string{"compare", "linreg-line", "linreg-bend", "-json"}, few...)...)
	var got struct {
		LogBF   float64 `json:"log_bayes_factor"`
		SE      float64
		Exact   float64
		Verdict string
		A, B    struct{ Model, Hash string }
	}
	if err := json.Unmarshal([]byte(out), &got); status != exitOK || err != nil {
		t.Fatalf("status %d, %v, %s", status, err, errs)
	}
	if math.Abs(got.LogBF-got.Exact) > 4*got.SE || math.Abs(got.Exact-2.782299) > 1e-6 || got.B.Model != "linreg-bend" ||
		got.A.Hash == "" || got.Verdict == "" {
		t.Errorf("%+v", got)
	}
	status, out, _ = run("compare", "v=1&model=nig-12&method=is", "v=1&model=nig-12&method=is2")
	if status != exitOK || !strings.Contains(out, "log Bayes factor") || !strings.Contains(out, "hardly worth a mention") {
		t.Errorf("status %d: %s", status, out)
	}
	other := write(t, "other.json", []byte(`{"kind": "nig", "y": [1, 2], "m0": 0, "k0": 1, "a0": 1, "b0": 1}`))
	mustRefuse(t, "not models of the same data", "compare", "nig-12", other)
	mustRefuse(t, "log Z of mixture2 is no evidence of data", "compare", "nig-12", "mixture2")
	mustRefuse(t, "give two models or two links", "compare", "nig-12", "-method", "is")
	mustRefuse(t, "one method at a time", "compare", "nig-12", "nig-12", "-method", "is,ais")
}

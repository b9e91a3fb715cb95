package external

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// Logs with little or no information get a report whose verdict is not trust.
func TestUninformativeLogsAreNotTrusted(t *testing.T) {
	farApart := "power,likelihood\n"
	for _, p := range []float64{0, .3, 1} {
		for i := range 30 {
			farApart += fmt.Sprintf("%v,%v\n", p, -1e6*(1-p)-float64(i))
		}
	}
	for name, text := range map[string]string{
		"one sample per rung": "power,likelihood\n0,-5\n0.5,-4\n1,-3\n",
		"all equal":           "power,likelihood\n0,-5\n0,-5\n1,-5\n1,-5\n",
		"huge":                "power,likelihood\n0,-1e300\n0,-1e308\n1,-1\n1,-2\n",
		"far apart":           farApart,
		"two rungs above":     "power,likelihood\n.5,-5\n.5,-6\n.7,-5\n.7,-4\n",
		"only slopes":         "time,fep-lambda,fep\n0,0.0,1\n1,0.0,2\n0,1.0,3\n1,1.0,4\n",
		"one window":          "time,fep-lambda,0.0,0.5,1.0\n0,0.5,-1,0,1\n1,0.5,-1.5,0,1.5\n2,0.5,-1,0,1\n",
		"neighbours": "time,fep-lambda,0.0,0.5,1.0\n0,0.0,0,1,\n1,0.0,0,2,\n" +
			"0,0.5,-1,0,1\n1,0.5,-2,0,2\n0,1.0,,-1,0\n1,1.0,,-2,0\n",
		"impossible": "time,fep-lambda,0.0,0.5,1.0\n0,0.0,0,inf,inf\n1,0.0,0,inf,inf\n0,0.5,inf,0,inf\n" +
			"1,0.5,inf,0,inf\n0,1.0,inf,inf,0\n1,1.0,inf,inf,0\n",
		"half impossible": "time,fep-lambda,0.0,0.5,1.0\n0,0.0,0,inf,inf\n1,0.0,0,1,inf\n0,0.5,inf,0,inf\n" +
			"1,0.5,1,0,1\n0,1.0,inf,inf,0\n1,1.0,1,1,0\n",
		"one point": "logL,logL_birth\n-5,-inf\n",
		"one run":   "Step\tPower\trun1\n1\t0.5\t-3\n2\t0\t-4\n",
	} {
		reports, err := Read([]samples.File{{Name: "a", Data: []byte(text)}}, nil, must(ParseOptions(nil)), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		JSON(reports) // panics if a number cannot be encoded
		for _, r := range reports {
			if r.Verdict.Level == verdict.Trust || len(r.Verdict.Checks) == 0 {
				t.Errorf("%s: %s is %v +- %v: %s", name, r.Method, r.LogZ, r.SE, r.Verdict.Level)
			}
		}
	}
}

// Tables of a few random rows make no method panic, and no report with a NaN has the verdict trust.
func TestRandomTablesNeitherPanicNorTrustNaN(t *testing.T) {
	for seed := range uint32(300) {
		stream := rng.NewKey(seed, "random tables", 0).Stream(0, 0, 0)
		var b strings.Builder
		b.WriteString("run,power,likelihood\n")
		scale := []float64{0, 1, 100, 1e5}[stream.Intn(4)]
		for range 2 + stream.Intn(40) {
			fmt.Fprintf(&b, "%d,%v,%v\n", stream.Intn(3), []float64{0, 1e-300, .001, .2, .5, 1}[stream.Intn(6)],
				scale*stream.Norm())
		}
		reports, err := Read([]samples.File{{Name: "a", Data: []byte(b.String())}}, nil, must(ParseOptions(nil)), nil)
		if err != nil {
			continue
		}
		JSON(reports)
		for _, r := range reports {
			if r.Verdict.Level == verdict.Trust && !(num.Finite(float64(r.LogZ)) && num.Finite(float64(r.SE))) {
				t.Errorf("seed %d: %s trusts %v +- %v", seed, r.Method, r.LogZ, r.SE)
			}
		}
	}
}

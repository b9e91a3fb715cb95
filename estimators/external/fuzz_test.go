package external

import (
	"testing"

	"logzlab/estimators/external/samples"
)

// FuzzJudge checks that for all samples that can be read, every method gives a report that can be encoded, and the data
// of the plots can be computed.
func FuzzJudge(f *testing.F) {
	for _, seed := range []string{"power,likelihood\n0,-4\n0,-2\n0.5,-3\n0.5,-1\n1,-1\n1,-1\n",
		"run,power,likelihood\n0,.1,-4\n0,.1,-2\n1,.1,-3\n1,.1,-1\n0,.9,-1\n1,.9,-1e300\n",
		"time,fep-lambda,0.0,1.0\n0,0.0,0,inf\n1,0.0,0,1\n0,1.0,-1,0\n1,1.0,-1,0\n",
		"time,fep-lambda,fep\n0,0.0,1\n1,0.0,2\n0,1.0,3\n1,1.0,4\n", "logL,logL_birth\n-9,-inf\n-8,-9\n",
		"logL,nlive\n-9,3\n-8,2\n-7,1\n", "Step\tPower\trun1\trun2\n1\t0.5\t-3\t-3.1\n2\t0\t-4\t-4.1\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o := must(ParseOptions(nil))
		c, err := Open([]samples.File{{Name: "a", Data: []byte(text)}}, o, nil, nil)
		if err != nil {
			return
		}
		reports, err := c.Judge(nil, o, nil)
		if err != nil {
			return
		}
		JSON(reports) // panics if a number cannot be encoded
		p := c.PlotData(o)
		if err := c.AddConvergence(p, Best(reports).Method, o, nil); err != nil {
			t.Fatal(err)
		}
	})
}

package draws

import (
	"strings"
	"testing"

	"logzlab/estimators/external"
)

// FuzzJudge checks that a table of draws with arbitrary numbers gives reports that can be encoded, or an error.
func FuzzJudge(f *testing.F) {
	f.Add("lp__,x.1,x.2\n" + strings.Repeat("1,.5,.25\n2,-.5,.5\n0,1,-1\n1,2,1e9\n", 4))
	f.Add("chain,x.1,x.2\n" + strings.Repeat("1,.5,.25\n2,-.5,.5\n1,1,-1\n2,2,0\n", 8))
	f.Fuzz(func(t *testing.T, text string) {
		if reports, err := readDraws(transformedNormal{dim: 2, shape: "skew"}, text); err == nil {
			external.JSON(reports)
		}
	})
}

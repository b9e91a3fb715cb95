package samples

import (
	"strings"
	"testing"
)

// Sniff recognises files of samples by their beginning, compressed or not, and rejects other files.
func TestSniffRecognisesSamples(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat("0,0.5,-12.25\n", 20000)
	for _, c := range []struct {
		head string
		want bool
	}{
		{"state,power,likelihood\n" + rows, true}, {gzipped(t, "\"beta\";\"log_lik\"\n"), true},
		{gzipped(t, "state,power,likelihood\n"+rows)[:400], true},
		{"# BEAST\nstate\tpathLikelihood.theta\tpathLikelihood.delta\n", true}, {"[ID: 1]\nStep\tPower\trun1\n", true},
		{"time,fep-lambda,0.0,1.0\n", true}, {",logL,logL_birth\n", true}, {newXVG(1, "300", 0, 10), true},
		{"Sample\tlikelihood\n", true}, {"<beast><run spec='beast.inference.PathSamplingStep' beta='1'>", true},
		{"1,2,3\n" + rows, false}, {"y,x,power\n", false}, {"# id = 1\nlp__,accept_stat__,mu\n", true}, {"", false},
		{"{\"power\": 1, \"likelihood\": 2}", false}, {"data { int n; }", false}, {"\x00\x01power,likelihood\n", false},
		{"logz-parts\n12 W.npy\n", false}, {"PK\x03\x04 hidden_bias.npy", false}, {"PK\x03\x04 logl.npy", true},
	} {
		if got := Sniff([]byte(c.head)); got != c.want {
			t.Errorf("%.40q: %v", c.head, got)
		}
	}
}

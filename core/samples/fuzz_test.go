package samples

import (
	"testing"

	"logzlab/core/problem"
)

// FuzzRead: no file makes the readers crash or hang, and what cannot be read is a problem that can be translated.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{revBayes, window(0, "300", 0, 1), "time,fep-lambda,0.0,1.0\n0,0.0,0,1\n0,1.0,-1,0\n",
		"logL,logL_birth\n-9,-inf\n-8,-9\n", ".5 -9 -1e30\n.5 -8 -9\n", ".5 .1 -9 -1e90 -1.2 1\n.5 .1 -8.5 -9 -1.4 1\n",
		"Step\tPower\trun1\n1\t.5\t-3\n", "Sample\tlikelihood\n0\t-5\n", "<x PathSamplingStep beta='0.4'>", "PK", "BZh9",
		"\x93NUMPY\x01\x00"} {
		f.Add(seed, seed)
		f.Add(seed, "beta,loglik\n0,-1\n1,-2\n")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		s, err := Read([]File{{Name: "step0/a", Data: []byte(a)}, {Name: "step1/b", Data: []byte(b)}}, Options{}, nil)
		if err != nil {
			if _, ok := err.(*problem.Error); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		for _, c := range s.Chains {
			if n := c.Len(s); c.LogF != nil && len(c.LogF) != n*len(s.Rungs) || c.LogL != nil && len(c.LogL) != n {
				t.Fatalf("%d samples with %d energies, %d log likelihoods", n, len(c.LogF), len(c.LogL))
			}
		}
	})
}

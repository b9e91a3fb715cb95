package draws

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
	"logzlab/internal/tier"
)

// transformedNormal is a program with log Z = 7 whose coordinates are independent: standard normal numbers, transformed
// according to shape to a skewed or a long-tailed distribution.
type transformedNormal struct {
	dim   int
	shape string // "", skew or long
}

func (p transformedNormal) Names() (names []string) {
	for i := range p.dim {
		names = append(names, fmt.Sprintf("x.%d", i+1))
	}
	return names
}

func (p transformedNormal) Dim() int              { return p.dim }
func (p transformedNormal) Underdetermined() bool { return false }
func (p transformedNormal) Improper() string      { return "" }

func (p transformedNormal) Free(x []float64, _ *rng.Stream, u []float64) error {
	if x[0] == 1e6 {
		return problem.New("x.1 is %v, which is beyond", x[0])
	}
	copy(u, x)
	return nil
}

// curvature is the strength of the transformations.
const curvature = .3

// transform returns the coordinate for the standard normal number z.
func (p transformedNormal) transform(z float64) float64 {
	switch p.shape {
	case "skew":
		return math.Expm1(curvature*z) / curvature
	case "long":
		return math.Sinh(curvature*z) / curvature
	}
	return z
}

func (p transformedNormal) LogF(u []float64) float64 {
	f := 7.
	for _, x := range u {
		z := x
		switch p.shape {
		case "skew":
			if !(1+curvature*x > 0) {
				return math.Inf(-1)
			}
			z = math.Log1p(curvature*x) / curvature
			f -= math.Log1p(curvature * x)
		case "long":
			z = math.Asinh(curvature*x) / curvature
			f -= math.Log1p(curvature*x*curvature*x) / 2
		}
		f -= (z*z + num.Log2Pi) / 2
	}
	return f
}

// drawSet describes draws from the posterior of a transformedNormal: chains of n draws each with autocorrelation time
// tau or, if isResampled, draws resampled with replacement.
type drawSet struct {
	transformedNormal
	chains, n   int
	tau         float64
	isResampled bool
	seed        uint32
}

// text returns the draws as a table with columns chain, lp__ and the coordinates.
func (d *drawSet) text() string {
	s := rng.NewKey(d.seed, "draws of a program", 0).Stream(0, 0, 0)
	phi := (d.tau - 1) / (d.tau + 1)
	var rows []string
	for c := range d.chains {
		z := make([]float64, d.dim)
		for i := range z {
			z[i] = s.Norm()
		}
		for range d.n {
			u := make([]float64, d.dim)
			for i := range z {
				z[i] = phi*z[i] + math.Sqrt(1-phi*phi)*s.Norm()
				u[i] = d.transform(z[i])
			}
			row := fmt.Sprintf("%d,%v", c+1, d.LogF(u)-3)
			for _, x := range u {
				row += fmt.Sprintf(",%v", x)
			}
			rows = append(rows, row)
		}
	}
	if d.isResampled {
		resampled := make([]string, len(rows))
		for i := range resampled {
			resampled[i] = rows[s.Intn(len(rows))]
		}
		rows = resampled
	}
	return "chain,lp__," + strings.Join(d.Names(), ",") + "\n" + strings.Join(rows, "\n") + "\n"
}

// randomDrawSet returns the i-th of a sequence of random draw sets; every fifth is resampled.
func randomDrawSet(i int) *drawSet {
	s := rng.NewKey(uint32(i), "kinds of draws", 0).Stream(0, 0, 0)
	d := &drawSet{seed: uint32(i), isResampled: i%5 == 4}
	d.dim, d.shape = 1+s.Intn(8), []string{"", "skew", "long"}[s.Intn(3)]
	d.chains, d.tau = 1+s.Intn(6), math.Exp(s.Float64()*math.Log(20))
	d.n = int(math.Exp(math.Log(150) + s.Float64()*math.Log(10)))
	if d.isResampled {
		d.tau, d.chains = 1, 1
	}
	return d
}

// readDraws returns the reports on a table of draws of a program.
func readDraws(p Program, text string) ([]*external.Report, error) {
	o, err := external.ParseOptions(nil)
	if err != nil {
		return nil, err
	}
	return external.Read([]samples.File{{Name: "draws.csv", Data: []byte(text)}}, nil, WithProgram(p, o, nil), nil)
}

// tally summarises the standardised errors z = (estimate - log Z)/SE of the estimates of one verdict level.
type tally struct {
	n, beyond3SE int
	sum, squares float64
}

// For draws of programs with known log Z, error bars of trusted estimates have the right size, and estimates with large
// errors get the verdict stop.
func TestErrorBarsOfDraws(t *testing.T) {
	levels := map[string]*tally{}
	for i := range tier.Size(12, 40, 400) {
		d := randomDrawSet(i)
		reports, err := readDraws(d.transformedNormal, d.text())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			z := (float64(r.LogZ) - 7) / float64(r.SE)
			for _, key := range []string{r.Verdict.Level, r.Verdict.Level + " " + r.Method, r.Verdict.Level + " " + d.shape,
				fmt.Sprint(r.Verdict.Level, " again ", d.isResampled)} {
				if levels[key] == nil {
					levels[key] = &tally{}
				}
				l := levels[key]
				l.n++
				l.sum += z
				if l.squares += z * z; math.Abs(z) > 3 {
					l.beyond3SE++
				}
			}
			if math.Abs(z) > 20 && r.Verdict.Level != verdict.Stop || math.Abs(z) > 4.5 && r.Verdict.Level == verdict.Trust {
				t.Errorf("draws %d %+v: %s is %v +- %v, z %.1f: %s", i, *d, r.Method, r.LogZ, r.SE, z, r.Verdict.Level)
			}
		}
	}
	trust := levels["trust"]
	if rms := math.Sqrt(trust.squares / float64(trust.n)); !(rms > tier.Size(.3, .5, .85) && rms < tier.Size(1.6, 1.4,
		1.2)) || trust.beyond3SE*100 > trust.n+tier.Size(100, 100, 0) {
		t.Errorf("%d trusted estimates have the rms z %.3f, %d are off by more than three bars", trust.n, rms, trust.beyond3SE)
	}
	for _, k := range slices.Sorted(maps.Keys(levels)) {
		l := levels[k]
		t.Logf("%-24s %4d, mean z %6.3f, rms z %6.3f, beyond three bars %d", k, l.n, l.sum/float64(l.n),
			math.Sqrt(l.squares/float64(l.n)), l.beyond3SE)
	}
}

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

// shaped is a program with log Z = 7: independent normal coordinates, each transformed to a skewed or a long-tailed
// distribution.
type shaped struct {
	dim  int
	bend string // "", skew or long
}

func (p shaped) Names() (names []string) {
	for i := range p.dim {
		names = append(names, fmt.Sprintf("x.%d", i+1))
	}
	return names
}

func (p shaped) Dim() int              { return p.dim }
func (p shaped) Underdetermined() bool { return false }
func (p shaped) Improper() string      { return "" }

func (p shaped) Free(x []float64, _ *rng.Stream, u []float64) error {
	if x[0] == 1e6 {
		return problem.New("x.1 is %v, which is beyond", x[0])
	}
	copy(u, x)
	return nil
}

const bend = .3

// from bends normal coordinates.
func (p shaped) from(z float64) float64 {
	switch p.bend {
	case "skew":
		return math.Expm1(bend*z) / bend
	case "long":
		return math.Sinh(bend*z) / bend
	}
	return z
}

func (p shaped) LogF(u []float64) float64 {
	f := 7.
	for _, x := range u {
		z := x
		switch p.bend {
		case "skew":
			if !(1+bend*x > 0) {
				return math.Inf(-1)
			}
			z = math.Log1p(bend*x) / bend
			f -= math.Log1p(bend * x)
		case "long":
			z = math.Asinh(bend*x) / bend
			f -= math.Log1p(bend*x*bend*x) / 2
		}
		f -= (z*z + num.Log2Pi) / 2
	}
	return f
}

// drawing describes draws of such a program: chains with autocorrelation time tau, or draws resampled by weights.
type drawing struct {
	shaped
	chains, n int
	tau       float64
	again     bool
	seed      uint32
}

func (d *drawing) text() string {
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
				u[i] = d.from(z[i])
			}
			row := fmt.Sprintf("%d,%v", c+1, d.LogF(u)-3)
			for _, x := range u {
				row += fmt.Sprintf(",%v", x)
			}
			rows = append(rows, row)
		}
	}
	if d.again {
		again := make([]string, len(rows))
		for i := range again {
			again[i] = rows[s.Intn(len(rows))]
		}
		rows = again
	}
	return "chain,lp__," + strings.Join(d.Names(), ",") + "\n" + strings.Join(rows, "\n") + "\n"
}

func drawingOf(i int) *drawing {
	s := rng.NewKey(uint32(i), "kinds of draws", 0).Stream(0, 0, 0)
	d := &drawing{seed: uint32(i), again: i%5 == 4}
	d.dim, d.bend = 1+s.Intn(8), []string{"", "skew", "long"}[s.Intn(3)]
	d.chains, d.tau = 1+s.Intn(6), math.Exp(s.Float64()*math.Log(20))
	d.n = int(math.Exp(math.Log(150) + s.Float64()*math.Log(10)))
	if d.again {
		d.tau, d.chains = 1, 1
	}
	return d
}

// readDraws reads a table of draws.
func readDraws(p Program, text string) ([]*external.Report, error) {
	o, err := external.ParseOptions(nil)
	if err != nil {
		return nil, err
	}
	return external.Read([]samples.File{{Name: "draws.csv", Data: []byte(text)}}, nil, WithProgram(p, o, nil), nil)
}

// tally summarises the errors of the estimates of one verdict level.
type tally struct {
	n, far       int
	sum, squares float64
}

// Error bars of trusted estimates hold for draws of programs with known log Z, and large errors get the verdict stop.
func TestDrawings(t *testing.T) {
	levels := map[string]*tally{}
	for i := range tier.Size(12, 40, 400) {
		d := drawingOf(i)
		reports, err := readDraws(d.shaped, d.text())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			z := (float64(r.LogZ) - 7) / float64(r.SE)
			for _, key := range []string{r.Verdict.Level, r.Verdict.Level + " " + r.Method, r.Verdict.Level + " " + d.bend,
				fmt.Sprint(r.Verdict.Level, " again ", d.again)} {
				if levels[key] == nil {
					levels[key] = &tally{}
				}
				l := levels[key]
				l.n++
				l.sum += z
				if l.squares += z * z; math.Abs(z) > 3 {
					l.far++
				}
			}
			if math.Abs(z) > 20 && r.Verdict.Level != verdict.Stop || math.Abs(z) > 4.5 && r.Verdict.Level == verdict.Trust {
				t.Errorf("draws %d %+v: %s is %v +- %v, z %.1f: %s", i, *d, r.Method, r.LogZ, r.SE, z, r.Verdict.Level)
			}
		}
	}
	trust := levels["trust"]
	if rms := math.Sqrt(trust.squares / float64(trust.n)); !(rms > tier.Size(.3, .5, .85) && rms < tier.Size(1.6, 1.4,
		1.2)) || trust.far*100 > trust.n+tier.Size(100, 100, 0) {
		t.Errorf("%d trusted estimates have the rms z %.3f, %d are off by more than three bars", trust.n, rms, trust.far)
	}
	for _, k := range slices.Sorted(maps.Keys(levels)) {
		l := levels[k]
		t.Logf("%-24s %4d, mean z %6.3f, rms z %6.3f, beyond three bars %d", k, l.n, l.sum/float64(l.n),
			math.Sqrt(l.squares/float64(l.n)), l.far)
	}
}

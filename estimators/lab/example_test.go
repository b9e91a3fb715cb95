package lab_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/lab"
	"logzlab/models"
	"logzlab/models/density"
)

// A built-in model, and a method with its error bar and verdict.
func Example() {
	var l lab.Lab
	lattice, err := l.Open("ising16")
	if err != nil {
		log.Fatal(err)
	}
	r, err := l.Estimate(context.Background(), lattice, "rts", "seed=7")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z = %.2f +- %.2f, exact %.2f: %s\n", r.LogZ, r.SE, r.Truth.LogZ, r.Verdict.Level)
	// Output:
	// log Z = 238.44 +- 0.09, exact 238.39: trust
}

// The method auto makes runs until the error bar is small enough.
func ExampleLab_Estimate() {
	var l lab.Lab
	lattice, err := l.Open("ising16")
	if err != nil {
		log.Fatal(err)
	}
	r, err := l.Estimate(context.Background(), lattice, "auto", "seed=7")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z = %.3f +- %.3f, exact %.3f\n", r.LogZ, r.SE, r.Truth.LogZ)
	// Output:
	// log Z = 238.572 +- 0.087, exact 238.387
}

// An experiment of several methods is a link, as the page shows it.
func ExampleLab_Run() {
	var l lab.Lab
	reports, err := l.Run(context.Background(), "v=1&model=mixture2&method=ais,rts&seed=7")
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range reports {
		fmt.Printf("%s: log Z = %.3f +- %.3f, hash %s\n", r.Method, r.LogZ, r.SE, r.Hash)
	}
	// Output:
	// ais: log Z = 3.012 +- 0.011, hash 1c6e11b89c959e05
	// rts: log Z = 2.991 +- 0.014, hash a8ec1e5f0ad3ff3e
}

// A density of your own: Student's t in the plane without its constant, so that Z = 2 pi. The functions of core/num
// give the same bits on every platform; with package math results may differ in the last bits between platforms.
func ExampleDensity() {
	const nu, sd = 3, 2
	square := func(x []float64) float64 { return num.Mul(x[0], x[0]) + num.Mul(x[1], x[1]) }
	student, err := lab.Density("student", density.Density{
		Dim:      2,
		LogBase:  func(x []float64) float64 { return -square(x)/(2*sd*sd) - num.Log(2*math.Pi*sd*sd) },
		DrawBase: func(s *rng.Stream, x []float64) { x[0], x[1] = sd*s.Norm(), sd*s.Norm() },
		LogF:     func(x []float64) float64 { return -(nu + 2.) / 2 * num.Log(1+square(x)/nu) },
	}, density.Kernel{})
	if err != nil {
		log.Fatal(err)
	}
	var l lab.Lab
	r, err := l.Estimate(context.Background(), student, "ais", "temperatures=200")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z = %.3f +- %.3f, exact %.3f\n", r.LogZ, r.SE, num.Log(2*math.Pi))
	// Output:
	// log Z = 1.828 +- 0.015, exact 1.838
}

// A method of your own. It reads the run of ais: if the log weights w are normal, log E[exp(w)] is their mean and half
// their variance.
func ExampleLab_method() {
	cumulant := lab.Method{Name: "cumulant", Label: "Cumulant", Short: "two cumulants",
		About: "The mean of the log weights of an annealing run and half their variance.",
		Path:  estimators.Tempered, Provenance: estimators.FromBase | estimators.ThroughRungs, Params: anneal.Run.Params,
		Reads: &anneal.Reader{Read: func(a *anneal.Record, _ spec.Values) *estimators.Result {
			works := a.Works(len(a.Betas) - 1)
			mean, variance := stats.MeanVar(works)
			n := float64(len(works))
			return &estimators.Result{LogZ: a.Model.LogZ0() + mean + variance/2, Bias: "either",
				SE: math.Sqrt(variance/n + variance*variance/(2*(n-1))), SEMethod: estimators.SEDelta}
		}},
	}

	l := lab.Lab{Methods: []lab.Method{cumulant}}
	model, err := l.Open("mixture2")
	if err != nil {
		log.Fatal(err)
	}
	for _, method := range []string{"ais", "cumulant"} {
		r, err := l.Estimate(context.Background(), model, method, "seed=7", "temperatures=200")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: log Z = %.3f +- %.3f, exact %.3f\n", method, r.LogZ, r.SE, r.Truth.LogZ)
	}
	// Output:
	// ais: log Z = 2.996 +- 0.034, exact 3.000
	// cumulant: log Z = 3.000 +- 0.037, exact 3.000
}

// peaks is a kind of model files of your own: {"kind": "peaks", "widths": [0.5, 1]} is the product of
// exp(-|x_i|/width_i) on R^n, whose log Z is the sum of log(2 width_i).
var peaks = lab.Kind{Name: "peaks", Label: "Peaks", Title: "Peaks",
	Reader: modelfile.Reader[models.File]{Fields: func(f *modelfile.Fields) (models.File, error) {
		p := peaksFile{modelfile.Get(f, "widths", json.Value.Numbers)}
		if f.Err == nil {
			f.Err = modelfile.Within("peaks", "widths", .1, 10, p.widths...)
		}
		return p, f.Err
	}}}

type peaksFile struct{ widths []float64 }

func (peaksFile) Kind() *lab.Kind { return &peaks }

func (p peaksFile) Open(name, about string, _ spec.Values, _ *meter.Meter) (lab.Model, error) {
	return density.New(models.Info{Name: name, Kind: "peaks", About: about}, density.Density{
		Dim: len(p.widths),
		LogBase: func(x []float64) (sum float64) { // N(0, 9)
			for _, v := range x {
				sum -= num.Mul(v, v)/18 + num.Log(18*math.Pi)/2
			}
			return sum
		},
		DrawBase: func(s *rng.Stream, x []float64) {
			for i := range x {
				x[i] = 3 * s.Norm()
			}
		},
		LogF: func(x []float64) (sum float64) {
			for i, v := range x {
				sum -= math.Abs(v) / p.widths[i]
			}
			return sum
		},
	}, density.Kernel{Name: "slice"})
}

// A kind of model files of your own.
func ExampleLab_kind() {
	l := lab.Lab{Kinds: []*lab.Kind{&peaks}}
	model, err := l.Read("mine.json", []byte(`{"kind": "peaks", "widths": [0.5, 1, 2]}`))
	if err != nil {
		log.Fatal(err)
	}
	r, err := l.Estimate(context.Background(), model, "ais", "seed=7", "temperatures=200")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("log Z = %.3f +- %.3f, exact %.3f\n", r.LogZ, r.SE, 3*math.Log(2))
	// Output:
	// log Z = 2.087 +- 0.023, exact 2.079
}

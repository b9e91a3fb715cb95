package main

import (
	"flag"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// cmdSamples writes the example files of samples on the site, in formats of other programs and with known log Z:
// `samples [-out DIR]`.
func cmdSamples(args []string) error {
	flags := flag.NewFlagSet("samples", flag.ContinueOnError)
	out := flags.String("out", "site/samples", "directory of the examples")
	if err := flags.Parse(args); err != nil {
		return err
	}
	for name, text := range exampleSamples() {
		if err := replaceFile(filepath.Join(*out, name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// exampleSamples returns the examples by the names of their files.
func exampleSamples() map[string]string {
	powers := func(rungs int, alpha float64) (p []float64) {
		for i := range rungs {
			p = append(p, num.Exp(num.Log(float64(i)/float64(rungs-1))/alpha))
		}
		return p
	}
	out := map[string]string{
		"power-good.csv":    powerTable(1, []float64{1, -.5, 2}, powers(15, .3), 250, 2),
		"power-rival.csv":   powerTable(2, []float64{1, -.5, 2.6}, powers(15, .3), 250, 2),
		"power-starved.csv": powerTable(3, []float64{1, -.5, 2}, []float64{.2, 1}, 60, 12),
		"nested.csv":        deadPoints(),
	}
	lambdas := []float64{0, .05, .15, .4, 1}
	for i := range lambdas {
		out[fmt.Sprintf("windows-%d.xvg", i)] = window(lambdas, i)
	}
	return out
}

// The model of the power posteriors: parameters theta_j with standard normal priors and
//
//	log L = sum_j -precision (theta_j - observed_j)^2/2 - constant,
//	log Z = sum_j -log(1 + precision)/2 - precision observed_j^2/(2 (1 + precision)) - constant.
const (
	precision = 20
	constant  = 30
)

// evidence returns log Z of this model.
func evidence(observed []float64) float64 {
	z := -float64(constant)
	for _, c := range observed {
		z -= float64(num.Log(1+precision)/2) + float64(precision*c*c/(2*(1+precision)))
	}
	return z
}

// powerTable returns a table of the power posterior of this model: at each power a chain of n samples with an
// autocorrelation time of about tau samples.
func powerTable(seed uint32, observed, powers []float64, n int, tau float64) string {
	var b strings.Builder
	b.WriteString("iteration,power,loglik\n")
	phi := (tau - 1) / (tau + 1)
	for k, p := range powers {
		stream := rng.NewKey(seed, "example of powers", 0).Stream(uint32(k), 0, 0)
		x := make([]float64, len(observed))
		for j := range x {
			x[j] = stream.Norm()
		}
		for i := range n {
			logL := -float64(constant)
			for j, c := range observed {
				x[j] = float64(phi*x[j]) + float64(math.Sqrt(1-phi*phi)*stream.Norm())
				posteriorPrecision := 1 + p*precision
				theta := float64(p*precision*c/posteriorPrecision) + float64(x[j]/math.Sqrt(posteriorPrecision))
				logL -= float64(precision * (theta - c) * (theta - c) / 2)
			}
			fmt.Fprintf(&b, "%d,%.6g,%.3f\n", 10*i, p, logL)
		}
	}
	return b.String()
}

// stiffnessRatio is the ratio of the stiffness of a spring at the end and at the start of the path. The free energy
// difference is log(stiffnessRatio)/2 in kT.
const stiffnessRatio = 16

// window returns a dhdl.xvg file of the spring in one of the states with the given lambda values, at 300 K.
func window(lambdas []float64, state int) string {
	const kT = 0.00831446261815324 * 300
	var b strings.Builder
	fmt.Fprintf(&b, "# an example of LogZ Lab: a spring that becomes %d times as stiff, which takes log(%d)/2 kT\n", stiffnessRatio,
		stiffnessRatio)
	fmt.Fprintf(&b, "@ xaxis  label \"Time (ps)\"\n@ subtitle \"T = 300 (K) \\xl\\f{} state %d: fep-lambda = %.4f\"\n",
		state, lambdas[state])
	fmt.Fprintf(&b, "@ s0 legend \"dH/d\\xl\\f{} fep-lambda = %.4f\"\n", lambdas[state])
	for i, l := range lambdas {
		fmt.Fprintf(&b, "@ s%d legend \"\\xD\\f{}H \\xl\\f{} to %.4f\"\n", i+1, l)
	}
	stream := rng.NewKey(4, "example of windows", 0).Stream(uint32(state), 0, 0)
	const phi = .6
	x := stream.Norm()
	for i := range 500 {
		x = float64(phi*x) + float64(math.Sqrt(1-phi*phi)*stream.Norm())
		position := x / math.Sqrt(1+lambdas[state]*(stiffnessRatio-1))
		slope := kT * (stiffnessRatio - 1) * position * position / 2
		fmt.Fprintf(&b, "%.1f %.5f", float64(10*i), slope)
		for _, l := range lambdas {
			fmt.Fprintf(&b, " %.5f", slope*(l-lambdas[state]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// deadPoints returns the dead points of nested sampling with 100 live points in four dimensions, log L = -50 r^2 within
// a unit ball: log Z = log(2/50^2), to 20 decimals.
func deadPoints() string {
	type point struct{ volume, birth float64 }
	logL := func(volume float64) float64 { return -50 * math.Sqrt(volume) }
	stream := rng.NewKey(5, "example of points", 0).Stream(0, 0, 0)
	var b strings.Builder
	b.WriteString("logL,logL_birth\n")

	// Points from the prior.
	var live []point
	for range 100 {
		live = append(live, point{stream.Float64(), math.Inf(-1)})
	}

	// The point with the smallest likelihood dies and is replaced by one with a larger likelihood.
	for range 1100 {
		worstIndex := 0
		for i, p := range live {
			if p.volume > live[worstIndex].volume {
				worstIndex = i
			}
		}
		worst := live[worstIndex]
		fmt.Fprintf(&b, "%.6f,%.6f\n", logL(worst.volume), worst.birth)
		live[worstIndex] = point{worst.volume * stream.Float64(), logL(worst.volume)}
	}

	// At the end the live points die in order.
	slices.SortFunc(live, func(p, q point) int {
		if p.volume > q.volume {
			return -1
		}
		return 1
	})
	for _, p := range live {
		fmt.Fprintf(&b, "%.6f,%.6f\n", logL(p.volume), p.birth)
	}
	return b.String()
}

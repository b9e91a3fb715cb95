package estimators_test

import (
	"fmt"
	"log"

	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/bridge"
	"logzlab/estimators/resamplemove"
	"logzlab/estimators/smc"
	"logzlab/estimators/temper"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/ising"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// A method is driven by a loop: run every lane of a round, then call Next for the next round. Lanes of a round can run
// anywhere and in any order; here they run one after another.
func Example() {
	lattice, err := ising.New(ising.Params{L1: 4, L2: 4, Periodic: true, J: 1}, 0.4)
	if err != nil {
		log.Fatal(err)
	}
	info := anneal.AIS
	values := spec.Defaults(info.Params)
	values["temperatures"] = "100"

	readers := []estimators.Reader{{Info: info, Values: values}}
	method, err := estimators.Open(estimators.Config{Readers: readers, Model: lattice,
		Key: rng.NewKey(1, info.Run().Name, 0)})
	if err != nil {
		log.Fatal(err)
	}
	round, err := method.Next(nil, nil)
	for round != nil && err == nil {
		partials, states := make([][]byte, round.Lanes), make([][]byte, round.Lanes)
		for lane := range round.Lanes {
			unit := round.Unit(lane)
			for range method.Lane(unit) { // a frame after each sweep; stop early to cancel
			}
			partials[lane], states[lane] = unit.Partial, unit.State
		}
		round, err = method.Next(partials, states)
	}
	if err != nil {
		log.Fatal(err)
	}
	result := method.Estimate(nil)[0]
	fmt.Printf("log Z = %.3f +- %.3f, between %.3f and %.3f\n", result.LogZ, result.SE, result.Lower, result.Upper)
	fmt.Printf("exact   %.3f\n", lattice.Truth().LogZ)
	// Output:
	// log Z = 14.525 +- 0.043, between 14.360 and 14.655
	// exact   14.561
}

// estimate runs a method to its end as in the example of the package. settings are names and values of parameters; the
// others have their defaults.
func estimate(info estimators.Info, m models.Model, settings ...string) *estimators.Result {
	values := spec.Defaults(info.Params)
	for i := 0; i < len(settings); i += 2 {
		values[settings[i]] = settings[i+1]
	}
	method, err := estimators.Open(estimators.Config{Readers: []estimators.Reader{{Info: info, Values: values}}, Model: m,
		Key: rng.NewKey(1, info.Run().Name, 0)})
	if err != nil {
		log.Fatal(err)
	}
	round, err := method.Next(nil, nil)
	for round != nil && err == nil {
		round, err = method.Next(round.Run(method))
	}
	if err != nil {
		log.Fatal(err)
	}
	return method.Estimate(nil)[0]
}

// torus returns a 4 x 4 Ising lattice, whose log Z is known in closed form.
func torus() *ising.Lattice {
	m, err := ising.New(ising.Params{L1: 4, L2: 4, Periodic: true, J: 1}, 0.4)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// machine returns an RBM of 8 visible and 5 hidden units, small enough to be enumerated.
func machine() *rbm.Model {
	p := rbm.Params{Name: "small", M: 8, J: 5, B: make([]float64, 5), C: make([]float64, 8)}
	for i := range p.M {
		for j := range p.J {
			p.W = append(p.W, float64((3*i+5*j)%7-3)/2)
		}
	}
	m, err := rbm.New(p, nil)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// show prints an estimate and the exact value.
func show(r *estimators.Result, m models.Model) {
	fmt.Printf("log Z = %.3f +- %.3f, exact %.3f, bias: %s\n", r.LogZ, r.SE, models.TruthOf(m).LogZ, r.Bias)
}

func ExampleIS() {
	r := estimate(anneal.IS, torus(), "particles", "20000")
	show(r, torus())
	fmt.Println("flags:", r.Flags) // 2^16 states are too many for plain draws
	// Output:
	// log Z = 14.249 +- 0.110, exact 14.561, bias: down
	// flags: [se_optimistic]
}

func ExampleAIS() {
	r := estimate(anneal.AIS, torus(), "chains", "200", "temperatures", "50", "schedule", "sigmoid:4")
	show(r, torus())
	fmt.Printf("between %.3f and %.3f, ESS %.0f of 200\n", r.Lower, r.Upper, r.Diagnostics["ess"])
	// Output:
	// log Z = 14.500 +- 0.049, exact 14.561, bias: down
	// between 14.207 and 14.917, ESS 135 of 200
}

func ExampleAISBAR() {
	r := estimate(anneal.AISBAR, torus(), "chains", "200", "temperatures", "50", "schedule", "sigmoid:4")
	show(r, torus())
	fmt.Printf("forward chains alone: %.3f +- %.3f\n", r.Diagnostics["logz_forward"], r.Diagnostics["logz_forward_se"])
	// Output:
	// log Z = 14.553 +- 0.032, exact 14.561, bias: either
	// forward chains alone: 14.500 +- 0.049
}

func ExampleRAISE() {
	// An RBM with two data; half of the chains start at each.
	p := rbm.Params{Name: "small", M: 3, J: 2, W: []float64{1, -1, 2, 0, 0, 1}, C: []float64{0, 1, -1},
		B: []float64{.5, -.5}, P1: []float64{.5, .5, .5}, Data: [][]uint8{{1, 1, 0}, {0, 1, 0}}}
	m, err := rbm.New(p, nil)
	if err != nil {
		log.Fatal(err)
	}
	r := estimate(anneal.RAISE, m, "chains", "400", "temperatures", "30")
	for d, logp := range r.Data {
		fmt.Printf("log-likelihood of datum %d: %.2f\n", d, logp)
	}
	// Output:
	// log-likelihood of datum 0: -0.90
	// log-likelihood of datum 1: -1.59
}

func ExampleRTS() {
	r := estimate(temper.RTS, torus(), "chains", "20", "temperatures", "10", "sweeps", "500")
	show(r, torus())
	middle := r.Ladder[5] // log Z on the way, at every rung
	fmt.Printf("at inverse temperature %.3f it is %.3f +- %.3f\n", middle.Beta, middle.LogZ, middle.SE)
	// Output:
	// log Z = 14.512 +- 0.046, exact 14.561, bias: either
	// at inverse temperature 0.556 it is 11.905 +- 0.014
}

func ExampleTS() {
	show(estimate(temper.TS, torus(), "chains", "20", "temperatures", "10", "sweeps", "500"), torus())
	// Output:
	// log Z = 14.410 +- 0.066, exact 14.561, bias: either
}

func ExampleTI() {
	r := estimate(temper.TI, torus(), "chains", "20", "temperatures", "10", "sweeps", "500")
	show(r, torus())
	fmt.Printf("left %.3f, right %.3f\n", r.Diagnostics["ti_left"], r.Diagnostics["ti_right"])
	// Output:
	// log Z = 14.573 +- 0.039, exact 14.561, bias: either
	// left 14.085, right 15.076
}

func ExampleTIRB() {
	show(estimate(temper.TIRB, torus(), "chains", "20", "temperatures", "10", "sweeps", "500"), torus())
	// Output:
	// log Z = 14.512 +- 0.046, exact 14.561, bias: either
}

func ExampleRTSStationary() {
	show(estimate(temper.RTSStationary, torus(), "chains", "20", "temperatures", "10", "sweeps", "500"), torus())
	// Output:
	// log Z = 14.576 +- 0.040, exact 14.561, bias: either
}

func ExampleTIContinuous() {
	show(estimate(temper.TIContinuous, machine(), "chains", "60", "temperatures", "31", "sweeps", "400"), machine())
	// Output:
	// log Z = 10.920 +- 0.015, exact 10.916, bias: none
}

func ExampleWL() {
	show(estimate(temper.WL, torus(), "temperatures", "10", "sweeps", "500"), torus())
	// Output:
	// log Z = 14.530 +- 0.021, exact 14.561, bias: either
}

func ExampleSAMS() {
	r := estimate(temper.SAMS, torus(), "temperatures", "10", "sweeps", "500")
	show(r, torus())
	for _, g := range r.Guesses[8:11] { // how the guess of log Z came near
		fmt.Printf("%.2f after %d sweeps, ", g.LogZ[9], g.Sweeps)
	}
	// Output:
	// log Z = 14.593 +- 0.018, exact 14.561, bias: either
	// 14.62 after 61 sweeps, 14.59 after 92 sweeps, 14.63 after 139 sweeps,
}

func ExampleSMC() {
	show(estimate(smc.SMC, torus(), "particles", "200", "temperatures", "50"), torus())
	// Output:
	// log Z = 14.569 +- 0.021, exact 14.561, bias: down
}

func ExampleARMTempered() {
	r := estimate(smc.ARMTempered, torus(), "particles", "200", "temperatures", "10", "gamma", "0.8")
	show(r, torus())
	fmt.Printf("%.0f particles at a step\n", r.Diagnostics["particles_mean"])
	// Output:
	// log Z = 14.543 +- 0.049, exact 14.561, bias: either
	// 427 particles at a step
}

func ExampleAISEL() {
	show(estimate(smc.AISEL, torus(), "particles", "200", "temperatures", "50"), torus())
	// Output:
	// log Z = 14.547 +- 0.009, exact 14.561, bias: down
}

func ExampleIS2() {
	show(estimate(smc.IS2, torus(), "particles", "1000"), torus()) // 2^16 states are too many for plain draws
	// Output:
	// log Z = 13.903 +- 0.118, exact 14.561, bias: down
}

func ExampleRM() {
	r := estimate(resamplemove.RM, machine(), "particles", "200", "islands", "20", "moves", "2")
	show(r, machine())
	half := r.Stages[3] // log Z of the first four units
	fmt.Printf("after %d of %d units it is %.3f\n", half.N, len(r.Stages), half.LogZ)
	// Output:
	// log Z = 10.915 +- 0.001, exact 10.916, bias: down
	// after 4 of 8 units it is 7.714
}

func ExampleARM() {
	show(estimate(resamplemove.ARM, machine(), "particles", "200", "islands", "20", "moves", "2", "gamma", "0.9"), machine())
	// Output:
	// log Z = 10.917 +- 0.001, exact 10.916, bias: either
}

func ExampleARMAnticipate() {
	show(estimate(resamplemove.ARMAnticipate, machine(), "particles", "200", "islands", "20", "moves", "2", "gamma",
		"0.9"), machine())
	// Output:
	// log Z = 10.917 +- 0.001, exact 10.916, bias: either
}

func ExampleBAR() {
	r := estimate(temper.BAR, torus(), "chains", "20", "temperatures", "10", "sweeps", "500")
	show(r, torus())
	fmt.Printf("smallest overlap of neighbours %.2f\n", r.Diagnostics["overlap_min"])
	// Output:
	// log Z = 14.573 +- 0.039, exact 14.561, bias: either
	// smallest overlap of neighbours 0.82
}

func ExampleMBAR() {
	r := estimate(temper.MBAR, torus(), "chains", "20", "temperatures", "10", "sweeps", "500")
	show(r, torus())
	fmt.Printf("spectral gap %.3f; the bar is %.2f of that of independent samples\n", r.Diagnostics["spectral_gap"],
		r.SE/r.Diagnostics["se_iid"])
	fmt.Printf("rung 0 has %.2f of its estimate from its own samples, %.2f from the next rung's\n", r.OverlapMatrix[0][0],
		r.OverlapMatrix[0][1])
	// Output:
	// log Z = 14.576 +- 0.039, exact 14.561, bias: either
	// spectral gap 0.509; the bar is 1.29 of that of independent samples
	// rung 0 has 0.23 of its estimate from its own samples, 0.18 from the next rung's
}

func ExampleSteppingStone() {
	r := estimate(temper.SteppingStone, torus(), "chains", "20", "temperatures", "10", "sweeps", "500")
	show(r, torus())
	fmt.Printf("%.3f by the steps up the ladder, %.3f by those down\n", r.Diagnostics["logz_forward"],
		r.Diagnostics["logz_reverse"])
	// Output:
	// log Z = 14.574 +- 0.040, exact 14.561, bias: either
	// 14.581 by the steps up the ladder, 14.566 by those down
}

func ExampleBridge() {
	hills, err := mixture.NewGaussian(mixture.GaussianParams{D: 2, BaseSD: 2, LogC: 3, Weights: []float64{.6, .4},
		SDs: []float64{1, 1.5}, Means: [][]float64{{1, 0}, {-1, .5}}}, density.Kernel{Moves: 2})
	if err != nil {
		log.Fatal(err)
	}
	r := estimate(bridge.Bridge, hills)
	show(r, hills)
	fmt.Printf("the normal distribution overlaps by %.2f; R-hat %.2f\n", r.Diagnostics["overlap"], r.Diagnostics["rhat"])
	// Output:
	// log Z = 3.003 +- 0.002, exact 3.000, bias: either
	// the normal distribution overlaps by 0.98; R-hat 1.01
}

func ExampleARMReseed() {
	show(estimate(resamplemove.ARMReseed, machine(), "particles", "200", "islands", "20", "moves", "2", "gamma", "0.9",
		"reseed_sweeps", "20"), machine())
	// Output:
	// log Z = 10.917 +- 0.001, exact 10.916, bias: either
}

func ExampleRMOptimal() {
	show(estimate(resamplemove.RMOptimal, machine(), "particles", "200", "islands", "20", "moves", "2"), machine())
	// Output:
	// log Z = 10.915 +- 0.001, exact 10.916, bias: down
}

// Command bench measures the chain-sweeps (h given v, then v given h, or every spin once) per second of one core on an
// RBM or a spin glass: natively, under Node or in a worker of a browser. `tool bench` starts it repeatedly and takes
// medians.
//
//	bench MODEL.npz|glass20 WORK [plain]
//
// prints the rate of one measurement of about a second. With plain, the program does not use the SIMD module of
// WebAssembly.
package main

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"

	"logzlab/core/frame"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/catalog"
	"logzlab/estimators/resamplemove"
	"logzlab/estimators/temper"
	"logzlab/models"
	"logzlab/models/graph"
	"logzlab/models/rbm"
)

// chains is the number of chains or particles, all in one lane, as in a page with one worker.
const chains = 100

func main() {
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: bench MODEL.npz WORK"))
	}
	kernel.PureGo = len(os.Args) > 3 && os.Args[3] == "plain"
	m, err := open(os.Args[1])
	if err != nil {
		fail(err)
	}
	work, ok := workByName[os.Args[2]]
	if !ok {
		fail(fmt.Errorf("work %q is not known", os.Args[2]))
	}
	rate, err := work(m)
	if err != nil {
		fail(err)
	}
	fmt.Printf("%.0f\n", rate)
}

// open returns the model of an RBM file, or the spin glass if name is glass20.
func open(name string) (models.Model, error) {
	if name == "glass20" {
		p, err := graph.FileOf(graph.Glass(20, 20, 1, 1), nil)
		if err != nil {
			return nil, err
		}
		return graph.New(p, 1, graph.Orders[0])
	}
	data, err := readModel(name)
	if err != nil {
		return nil, err
	}
	f, err := catalog.Kinds.ReadFile(data, nil)
	if err != nil {
		return nil, err
	}
	return rbm.New(f.(rbm.Params), nil)
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "bench:", err)
	os.Exit(1)
}

// workByName has the function that measures each kind of work.
var workByName = map[string]func(models.Model) (float64, error){
	"gibbs": func(m models.Model) (float64, error) { return measureSweeps(m, func(t, r, top int) int { return top }) },
	"ladder": func(m models.Model) (float64, error) {
		return measureSweeps(m, func(t, r, top int) int { return t % (top + 1) })
	},
	"spread": func(m models.Model) (float64, error) {
		rungs, err := visitedRungs(m)
		if err != nil {
			return 0, err
		}
		return measureSweeps(m, func(t, r, top int) int { return int(rungs[t%len(rungs)][r]) })
	},
	"ais": func(m models.Model) (float64, error) {
		return measureMethod(m, anneal.AIS, "forward", map[string]string{"chains": "100", "temperatures": "1000"})
	},
	"rts": func(m models.Model) (float64, error) {
		return measureMethod(m, temper.RTS, "final", tempering)
	},
	"rm": func(m models.Model) (float64, error) {
		particles := chains
		if kernel.PureGo { // the rate is the same with a tenth of them
			particles /= 10
		}
		return measureMethod(m, resamplemove.RM, "", map[string]string{"particles": strconv.Itoa(particles), "islands": "1",
			"moves": "4", "absent": "off"}) // with samples, particles are not moved at most stages
	},
}

// measureTime is the length of a measurement, which begins after the time warmUp.
const measureTime = 400 * time.Millisecond

// warmUp returns the time before a measurement, in which V8 optimizes the code.
func warmUp() time.Duration {
	if runtime.GOOS == "js" {
		return 700 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// clock adds up the work, in chain-sweeps, and its time after the warm-up.
type clock struct {
	start         time.Time
	work, seconds float64
}

// add adds work that began at time from, and reports whether the measurement continues.
func (c *clock) add(work float64, from time.Time) bool {
	if from.Sub(c.start) >= warmUp() {
		c.work += work
		c.seconds += time.Since(from).Seconds()
	}
	return c.seconds < measureTime.Seconds()
}

// measureSweeps returns the rate of bare sweeps on a ladder of 100 rungs, after some sweeps at the top rung. In sweep
// t, chain r is at rung(t, r, top).
func measureSweeps(m models.Model, rung func(t, r, top int) int) (float64, error) {
	ladder, err := schedule.Make("linear", 100, nil)
	if err != nil {
		return 0, err
	}
	top := len(ladder) - 1
	p := m.New(chains, ladder)
	at := rng.At{Key: rng.NewKey(1, "bench", 0)}
	p.Draw(at)
	rungs := make([]int32, chains)
	sweep := func(rung func(r int) int) {
		for r := range rungs {
			rungs[r] = int32(rung(r))
		}
		at.Step++
		p.Move(at, rungs, false)
	}

	for range 300 {
		sweep(func(int) int { return top })
	}

	// Sweep in multiples of 100, until the measurement ends.
	c := clock{start: time.Now()}
	for t, continues := 0, true; continues; {
		from := time.Now()
		for range ladder {
			sweep(func(r int) int { return rung(t, r, top) })
			t++
		}
		continues = c.add(float64(chains*len(ladder)), from)
	}
	return c.work / c.seconds, nil
}

// forEachRound runs an estimator. It calls yield with each round and a function that runs the round, until yield
// returns false. The function passes all frames to onFrame, if that is not nil.
func forEachRound(m models.Model, info estimators.Info, replicate int, parameters map[string]string,
	yield func(r *estimators.Round, work func(onFrame func(*frame.Frame))) bool) error {
	values := spec.Defaults(info.Params)
	for k, v := range parameters {
		values[k] = v
	}
	run, err := estimators.Open(estimators.Config{Readers: []estimators.Reader{{Info: info, Values: values}}, Model: m,
		Key: rng.NewKey(1, "bench", replicate), RoundSweeps: 1 << 20, Workers: 1})
	if err != nil {
		return err
	}

	// A round continues from the states of the lanes at the end of the last round.
	var partials, states [][]byte
	for {
		r, err := run.Next(partials, states)
		if err != nil || r == nil {
			return err
		}
		if states = r.States; states == nil {
			states = make([][]byte, r.Lanes)
		}
		partials = make([][]byte, r.Lanes)
		if !yield(r, func(see func(*frame.Frame)) {
			for i := range partials {
				u := r.Unit(i)
				u.Watched = see != nil
				for f := range run.Lane(u) {
					if see != nil {
						see(f)
					}
				}
				partials[i], states[i] = u.Partial, u.State
			}
		}) {
			return nil
		}
	}
}

// measureMethod returns the rate of the rounds of an estimator with the name round ("": of all rounds), which is run
// repeatedly. The time includes all work of these rounds: weights, conditionals, sums, frames.
func measureMethod(m models.Model, info estimators.Info, round string, parameters map[string]string) (float64, error) {
	c := clock{start: time.Now()}
	for replicate, continues := 0, true; continues; replicate++ {
		err := forEachRound(m, info, replicate, parameters, func(r *estimators.Round, work func(func(*frame.Frame))) bool {
			from := time.Now()
			work(nil)
			if round != "" && r.Name != round {
				return true
			}
			continues = c.add(r.Sweeps, from)
			return continues && round == ""
		})
		if err != nil {
			return 0, err
		}
	}
	return c.work / c.seconds, nil
}

// tempering are the parameters of RTS.
var tempering = map[string]string{"chains": strconv.Itoa(chains), "temperatures": "100", "sweeps": "2000",
	"burn_in": "0", "init_rounds": "0"}

// visitedRungs returns the rungs of all chains (sweeps x chains) in some sweeps of RTS.
func visitedRungs(m models.Model) (rungs [][]int32, err error) {
	err = forEachRound(m, temper.RTS, 0, tempering, func(r *estimators.Round, work func(func(*frame.Frame))) bool {
		if r.Name != "final" {
			work(nil)
			return true
		}
		work(func(f *frame.Frame) {
			if len(rungs) < f.Step {
				rungs = append(rungs, make([]int32, chains))
			}
			copy(rungs[f.Step-1][f.First:], f.Rung)
		})
		return false
	})
	return rungs, err
}

// Command bench measures the chain-sweeps (h given v, then v given h, or every spin once) per second of one core on an
// RBM or a spin glass: natively, under Node or in a worker of a browser. `tool bench` starts it repeatedly and takes
// medians.
//
//	bench MODEL.npz|glass20 WORK [plain]
//
// prints the rate of one measurement of about a second; plain does without
// the SIMD module of wasm.
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
	work, ok := works[os.Args[2]]
	if !ok {
		fail(fmt.Errorf("work %q is not known", os.Args[2]))
	}
	rate, err := work(m)
	if err != nil {
		fail(err)
	}
	fmt.Printf("%.0f\n", rate)
}

// open reads an RBM, or makes the glass.
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

// works are the kinds of work by name.
var works = map[string]func(models.Model) (float64, error){
	"gibbs": func(m models.Model) (float64, error) { return gibbs(m, func(t, r, top int) int { return top }) },
	"ladder": func(m models.Model) (float64, error) {
		return gibbs(m, func(t, r, top int) int { return t % (top + 1) })
	},
	"spread": func(m models.Model) (float64, error) {
		rungs, err := visited(m)
		if err != nil {
			return 0, err
		}
		return gibbs(m, func(t, r, top int) int { return int(rungs[t%len(rungs)][r]) })
	},
	"ais": func(m models.Model) (float64, error) {
		return method(m, anneal.AIS, "forward", map[string]string{"chains": "100", "temperatures": "1000"})
	},
	"rts": func(m models.Model) (float64, error) {
		return method(m, temper.RTS, "final", tempering)
	},
	"rm": func(m models.Model) (float64, error) {
		particles := chains
		if kernel.PureGo { // the rate is the same with a tenth of them
			particles /= 10
		}
		return method(m, resamplemove.RM, "", map[string]string{"particles": strconv.Itoa(particles), "islands": "1",
			"moves": "4", "absent": "off"}) // with samples, particles are not moved at most stages
	},
}

// A measurement begins after warm, in which V8 optimizes the code, and lasts for measured.
const measured = 400 * time.Millisecond

func warm() time.Duration {
	if runtime.GOOS == "js" {
		return 700 * time.Millisecond
	}
	return 100 * time.Millisecond
}

// clock adds up the work after the warm-up.
type clock struct {
	start       time.Time
	work, spent float64
}

// add adds work that began at from, and reports whether to continue.
func (c *clock) add(work float64, from time.Time) bool {
	if from.Sub(c.start) >= warm() {
		c.work += work
		c.spent += time.Since(from).Seconds()
	}
	return c.spent < measured.Seconds()
}

// gibbs measures sweeps alone on a ladder of 100 rungs, after some sweeps at the top:
// in sweep t row r is at rung(t, r).
func gibbs(m models.Model, rung func(t, r, top int) int) (float64, error) {
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

	// Complete ladders, for the time of a measurement.
	c := clock{start: time.Now()}
	for t, more := 0, true; more; {
		from := time.Now()
		for range ladder {
			sweep(func(r int) int { return rung(t, r, top) })
			t++
		}
		more = c.add(float64(chains*len(ladder)), from)
	}
	return c.work / c.spent, nil
}

// rounds runs an estimator: yield gets each round and a function that does its work, and reports
// whether to continue. see, if not nil, gets all frames.
func rounds(m models.Model, info estimators.Info, replicate int, set map[string]string,
	yield func(r *estimators.Round, work func(see func(*frame.Frame))) bool) error {
	values := spec.Defaults(info.Params)
	for k, v := range set {
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

// method measures the rounds of an estimator with a name ("": all rounds), run
// repeatedly, with all its other work: weights, conditionals, sums, frames.
func method(m models.Model, info estimators.Info, round string, set map[string]string) (float64, error) {
	c := clock{start: time.Now()}
	for replicate, more := 0, true; more; replicate++ {
		err := rounds(m, info, replicate, set, func(r *estimators.Round, work func(func(*frame.Frame))) bool {
			from := time.Now()
			work(nil)
			if round != "" && r.Name != round {
				return true
			}
			more = c.add(r.Sweeps, from)
			return more && round == ""
		})
		if err != nil {
			return 0, err
		}
	}
	return c.work / c.spent, nil
}

// tempering are the parameters of RTS.
var tempering = map[string]string{"chains": strconv.Itoa(chains), "temperatures": "100", "sweeps": "2000",
	"burn_in": "0", "init_rounds": "0"}

// visited returns the rungs of all chains in some sweeps of RTS.
func visited(m models.Model) (rungs [][]int32, err error) {
	err = rounds(m, temper.RTS, 0, tempering, func(r *estimators.Round, work func(func(*frame.Frame))) bool {
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

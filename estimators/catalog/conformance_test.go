package catalog

import (
	"iter"
	"maps"
	"math"
	"runtime"
	"slices"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/bridge"
	"logzlab/estimators/resamplemove"
	"logzlab/estimators/smc"
	"logzlab/estimators/temper"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// setting is a method with settings key=value.
type setting struct {
	info     estimators.Info
	set      []string
	unlisted bool // not one of options
}

// conforming are the methods and settings of every test of lanes: those below, and every other method of the catalogue
// with the settings of a short run. Only auto, which plans its run by a pilot and not by settings, is missing:
// estimators/auto tests it.
var conforming = func() []setting {
	all := slices.Clone(options)
	for _, m := range Methods {
		listed := func(c setting) bool { return c.info.Name == m.Name }
		if !slices.ContainsFunc(all, listed) && m.Target == 0 {
			all = append(all, setting{m, methodtest.ShortSettings(m), true})
		}
	}
	return all
}()

// options are methods with and without their options.
var options = []setting{
	{info: anneal.IS, set: []string{"particles=25"}},
	{info: anneal.AIS, set: []string{"chains=13", "temperatures=9", "sweeps=2"}},
	{info: anneal.AIS, set: []string{"chains=11", "temperatures=2"}},
	{info: anneal.AIS, set: []string{"chains=13", "temperatures=9", "schedule=varopt:2"}},
	{info: anneal.AIS, set: []string{"chains=5", "temperatures=9", "schedule=betas:0.1_0.4"}},
	{info: anneal.AISBAR, set: []string{"chains=13", "temperatures=9"}},
	{info: anneal.AISBAR, set: []string{"chains=11", "temperatures=2"}},
	{info: anneal.RAISE, set: []string{"chains=13", "temperatures=7", "sweeps=2"}},
	{info: anneal.RAISE, set: []string{"chains=11", "temperatures=2"}},
	{info: temper.RTS, set: []string{"chains=12", "temperatures=5", "sweeps=20", "burn_in=3", "init_rounds=2", "init_sweeps=7",
		"merge=yes"}},
	{info: temper.RTS, set: []string{"chains=4", "temperatures=4", "sweeps=30", "burn_in=0", "init=ones", "init_rounds=1",
		"init_sweeps=5"}},
	{info: temper.RTS, set: []string{"chains=3", "temperatures=2", "sweeps=9", "burn_in=0", "init_rounds=0"}},
	{info: temper.RTS, set: []string{"chains=4", "temperatures=4", "sweeps=30", "burn_in=0", "init_rounds=1", "init_sweeps=5",
		"schedule=adaptive:0.7"}},
	{info: temper.TS, set: []string{"chains=12", "temperatures=5", "sweeps=20", "burn_in=3", "init_rounds=2", "init_sweeps=7"}},
	{info: temper.TS, set: []string{"chains=3", "temperatures=3", "sweeps=30", "burn_in=0", "init=ones", "init_rounds=1"}},
	{info: temper.TI, set: []string{"chains=12", "temperatures=5", "sweeps=21", "burn_in=3", "init_rounds=2", "init_sweeps=7"}},
	{info: temper.TI, set: []string{"chains=7", "temperatures=5", "sweeps=22", "samples=fixed", "rule=trapezoid"}},
	{info: temper.TIRB, set: []string{"chains=3", "temperatures=9", "sweeps=30", "burn_in=0", "init=ones", "init_rounds=1"}},
	{info: temper.TIContinuous, set: []string{"chains=13", "temperatures=5", "sweeps=21", "burn_in=3"}},
	{info: temper.TIContinuous, set: []string{"chains=4", "temperatures=2", "sweeps=9", "burn_in=0"}},
	{info: temper.RTS, set: []string{"chains=12", "temperatures=5", "sweeps=20", "burn_in=3", "init_rounds=2", "init_sweeps=7",
		"merge=yes", "prior=exp:2"}},
	{info: temper.RTSStationary, set: []string{"chains=12", "temperatures=5", "sweeps=21", "burn_in=3", "init_rounds=1"}},
	{info: temper.RTS, set: []string{"chains=13", "temperatures=5", "sweeps=20", "burn_in=3", "init=sams", "adapt_sweeps=35",
		"init_rounds=1", "init_sweeps=7"}},
	{info: temper.TS, set: []string{"chains=3", "temperatures=3", "sweeps=30", "init=wl", "adapt_sweeps=12", "init_rounds=0"}},
	{info: temper.WL, set: []string{"chains=4", "islands=3", "temperatures=5", "sweeps=90"}},
	{info: temper.WL, set: []string{"chains=1", "islands=2", "temperatures=2", "sweeps=40"}},
	{info: temper.WL, set: []string{"chains=4", "islands=3", "temperatures=5", "sweeps=90", "increments=visits"}},
	{info: temper.SAMS, set: []string{"chains=4", "islands=3", "temperatures=5", "sweeps=90"}},
	{info: temper.SAMS, set: []string{"chains=4", "islands=3", "temperatures=5", "sweeps=90", "prior=weights:1_2_5"}},
	{info: temper.BAR, set: []string{"chains=12", "temperatures=5", "sweeps=60", "burn_in=3", "init_rounds=2", "init_sweeps=7"}},
	{info: temper.BAR, set: []string{"chains=9", "temperatures=4", "sweeps=30", "burn_in=0", "samples=fixed"}},
	{info: temper.SteppingStone, set: []string{"chains=12", "temperatures=5", "sweeps=60", "burn_in=3", "init_rounds=2",
		"init_sweeps=7"}},
	{info: temper.SteppingStone, set: []string{"chains=9", "temperatures=4", "sweeps=30", "burn_in=0", "samples=fixed",
		"direction=forward"}},
	{info: temper.MBAR, set: []string{"chains=12", "temperatures=5", "sweeps=60", "burn_in=3", "init_rounds=2", "init_sweeps=7"}},
	{info: temper.MBAR, set: []string{"chains=3", "temperatures=2", "sweeps=29", "burn_in=0", "init_rounds=0"}},
	{info: temper.MBAR, set: []string{"chains=9", "temperatures=4", "sweeps=30", "burn_in=0", "samples=fixed", "init=ones"}},
	{info: smc.SMC, set: []string{"particles=6", "islands=3", "temperatures=9", "moves=2", "ess=0.9"}},
	{info: smc.SMC, set: []string{"particles=6", "islands=3", "temperatures=12", "schedule=gms13"}},
	{info: smc.SMC, set: []string{"particles=7", "islands=2", "temperatures=60", "adaptive=yes", "resample=stratified"}},
	{info: smc.SMC, set: []string{"particles=7", "islands=2", "temperatures=9", "moves=0", "ess=0.9"}},
	{info: smc.ARMTempered, set: []string{"particles=8", "islands=3", "temperatures=6", "moves=2", "gamma=0.95", "ess=0.5"}},
	{info: smc.ARMTempered, set: []string{"particles=7", "islands=2", "temperatures=5", "gamma=0.97", "resample=systematic"}},
	{info: smc.AISEL, set: []string{"particles=6", "islands=3", "temperatures=9", "moves=2", "ess=0.9"}},
	{info: smc.AISEL, set: []string{"particles=7", "islands=2", "temperatures=40", "adaptive=yes"}},
	{info: smc.IS2, set: []string{"particles=20", "islands=3"}},
	{info: bridge.Bridge, set: []string{"chains=13", "sweeps=21"}},
	{info: bridge.Bridge, set: []string{"chains=4", "sweeps=30"}},
	{info: resamplemove.RM, set: []string{"particles=9", "islands=3", "moves=2", "ess=0.9"}},
	{info: resamplemove.RM, set: []string{"particles=100", "islands=2", "moves=450", "absent=off"}}, // with a second opinion
	{info: resamplemove.RM, set: []string{"particles=9", "islands=3", "moves=0", "ess=0.9"}},
	{info: resamplemove.RMOptimal, set: []string{"particles=12", "islands=2", "moves=2"}},
	{info: resamplemove.ARM, set: []string{"particles=8", "islands=3", "moves=2", "gamma=0.95", "ess=0.5"}},
	{info: resamplemove.ARM, set: []string{"particles=8", "islands=2", "moves=3", "gamma=0.97", "absent=off", "discard_initial=yes",
		"resample=systematic"}},
	{info: resamplemove.ARMAnticipate, set: []string{"particles=10", "islands=2", "moves=2", "gamma=0.95", "absent=rates"}},
	{info: resamplemove.ARMReseed, set: []string{"particles=10", "islands=2", "moves=1", "gamma=0.95", "absent=off", "reseed_sweeps=5"}},
	{info: resamplemove.ARMReseed, set: []string{"particles=10", "islands=2", "moves=0", "gamma=0.95", "reseed_sweeps=5",
		"discard_initial=yes"}},
}

// fits reports whether a method can run on a model.
func fits(info estimators.Info, m models.Model) bool {
	sequential, points := models.CapabilitiesOf(m).GrowingSpaces.Sequence != nil, models.CapabilitiesOf(m).Base.StudentT != nil
	return (sequential || info.Path != estimators.Sequential) && (points || info.Path != estimators.Fitted)
}

// Rows of a lane and sweeps after which a round is cut (0: never), each value with several of the other.
var groupings = []struct{ rows, sweeps int }{{1, 4}, {3, 17}, {10, 1}, {3, 0}, {1, 1}, {1000, 4}}

// The same bits for every grouping: lanes and cuts do not change results. Each method is run with one grouping on every
// sixth model; a release runs all groupings on every model.
func TestGrouping(t *testing.T) {
	tier.Test(t)
	all := methodtest.Models(t)
	all["noise"], _ = methodtest.FixedNoise(t, 1)
	every := tier.Size(6, 6, 1)
	for k, name := range slices.Sorted(maps.Keys(all)) {
		m := all[name]
		for l, c := range conforming {
			if !fits(c.info, m) || every > 1 && (k+l)%6 != 0 {
				continue
			}
			cfg := methodtest.Config(t, c.info, m, 1, c.set...)
			_, res := methodtest.Drive(t, c.info, cfg)
			want := methodtest.Bits(res)
			for i, g := range groupings {
				if every > 1 && i != (k+(k+l)/every)%len(groupings) {
					continue
				}
				cfg.LaneSize, cfg.RoundSweeps = g.rows, g.sweeps
				if _, res = methodtest.Drive(t, c.info, cfg); methodtest.Bits(res) != want {
					t.Errorf("%s %v on %s: lanes of %d rows cut after %d sweeps give\n%s, want\n%s", c.info.Name, c.set, name,
						g.rows, g.sweeps, methodtest.Bits(res), want)
				}
			}
		}
	}
}

// lanesOf calls visit for the first lane of every round of a run. visit gets a new unit each time it calls start.
func lanesOf(t *testing.T, info estimators.Info, c estimators.Config, visit func(round string,
	start func() (*estimators.Unit, iter.Seq[*frame.Frame]))) {
	t.Helper()
	m, err := estimators.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	round, err := m.Next(nil, nil)
	for round != nil && err == nil {
		visit(round.Name, func() (*estimators.Unit, iter.Seq[*frame.Frame]) {
			u := round.Unit(0)
			return u, m.Lane(u)
		})
		round, err = m.Next(round.Run(m))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// stops returns yields after which a loop over a lane ends: the first ones, one in the middle and the last but one.
func stops(yields int) (out []int) {
	for k := range min(yields, 4) {
		out = append(out, k+1)
	}
	if yields > 6 {
		out = append(out, yields/2, yields-1)
	}
	return out
}

// A loop over a lane may end after any yield: there is then no partial, nothing continues to run, and the lane can be
// run again from the same unit.
func TestBreak(t *testing.T) {
	tier.Test(t)
	before := runtime.NumGoroutine()
	for name, m := range methodtest.Models(t) {
		for _, c := range conforming {
			if !fits(c.info, m) {
				continue
			}
			lanesOf(t, c.info, methodtest.Config(t, c.info, m, 1, c.set...),
				func(round string, start func() (*estimators.Unit, iter.Seq[*frame.Frame])) {
					whole, lane := start()
					yields := 0
					for range lane {
						yields++
					}
					if whole.Partial == nil {
						t.Fatalf("%s on %s: %s left no partial", c.info.Name, name, round)
					}
					for _, k := range stops(yields) {
						u, lane := start()
						u.Watched = true
						state := string(u.State)
						n := 0
						for f := range lane {
							if _, err := frame.Decode(f.Append(nil)); err != nil {
								t.Fatalf("%s on %s: %s yields a frame that does not decode: %v", c.info.Name, name, round, err)
							}
							if n++; n == k {
								break
							}
						}
						if n < k {
							continue // watched lanes yield less often, and this one came to its end
						}
						if u.Partial != nil && k < yields {
							t.Errorf("%s on %s: %s left a partial after %d of %d yields", c.info.Name, name, round, k, yields)
						}
						if string(u.State) != state {
							t.Errorf("%s on %s: %s changed its state after %d yields", c.info.Name, name, round, k)
						}
					}
					// Watching every frame does not change the result.
					u, lane := start()
					u.Watched = true
					for f := range lane {
						f.Append(nil)
						if u.Peek != nil {
							u.Peek()
						}
					}
					if string(u.Partial) != string(whole.Partial) || string(u.State) != string(whole.State) {
						t.Errorf("%s on %s: %s gives other digits when watched", c.info.Name, name, round)
					}
				})
		}
	}
	runtime.Gosched()
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// An unwatched lane allocates nothing between yields.
func TestYieldAllocatesNothing(t *testing.T) {
	tier.Test(t)
	long := map[string][]string{
		"ais": {"chains=10", "temperatures=200"},
		"rts": {"chains=10", "temperatures=30", "sweeps=200", "burn_in=0", "init_rounds=1", "init_sweeps=100"},
		"wl":  {"chains=10", "islands=1", "temperatures=30", "sweeps=200"},
		"smc": {"particles=10", "islands=1", "temperatures=200", "ess=0.9"},
		"rm":  {"particles=40", "islands=1", "moves=2000"},
		"arm": {"particles=40", "islands=1", "moves=2000", "gamma=0.9"},
	}
	for name, m := range methodtest.Models(t) {
		for _, info := range []estimators.Info{anneal.AIS, temper.RTS, temper.WL, smc.SMC, resamplemove.RM, resamplemove.ARM} {
			if info.Name == "rm" && name == "graph" {
				continue // a short run: some yields go through all stages, and each stage allocates
			}
			if !fits(info, m) {
				continue
			}
			lanesOf(t, info, methodtest.Config(t, info, m, 1, long[info.Name]...),
				func(round string, start func() (*estimators.Unit, iter.Seq[*frame.Frame])) {
					_, lane := start()
					next, stop := iter.Pull(lane)
					defer stop()
					if _, ok := next(); !ok {
						return
					}
					next()
					if round == "target" {
						return // ten exact samples, then the end
					}
					if round == "exact" {
						return // blocks of enumeration, each a second's work on its own
					}
					yields := 40
					if round == estimators.OpinionRound { // shows four steps, and makes the lane's result at its end
						yields = 1
					} else {
						for f, ok := next(); ok && f.Step == 0; f, ok = next() {
							// exact samples of the target, drawn row by row, come first
						}
					}
					if n := testing.AllocsPerRun(yields, func() { next() }); n > 0 {
						t.Errorf("%s on %s: %s allocates %.0f times a yield", info.Name, name, round, n)
					}
				})
		}
	}
}

// Results have no NaN or infinity at any rung, including 0 and 1, except those explained by a flag: s.e. of one chain,
// unavailable ends of a sandwich.
func TestNoNaN(t *testing.T) {
	tier.Test(t)
	all := methodtest.Models(t)
	all["log Z near 1e4"] = methodtest.BigRBM(t)
	all["huge logC"] = methodtest.Mixture(t, 2, -9876.5)
	all["1x1"] = methodtest.RBM(t, 1, 1, 1, false)
	all["cold ising"] = methodtest.Ising(t, 4, 4, true, 30)
	all["graph"] = methodtest.Graph(t, 9, 3, 0, 1) // with constraints some weights are 0, and their mean log is infinite
	for name, m := range all {
		for _, c := range conforming {
			if !fits(c.info, m) {
				continue
			}
			_, res := methodtest.Drive(t, c.info, methodtest.Config(t, c.info, m, 1, c.set...))
			if slices.Contains(res.Flags, temper.FlagNoOverlap) { // log Z is null
				if !(!num.NotNaN(res.LogZ) && !num.NotNaN(res.SE)) || name != "cold ising" && name != "log Z near 1e4" {
					t.Errorf("%s %v on %s: log Z %v +- %v without overlap", c.info.Name, c.set, name, res.LogZ, res.SE)
				}
				continue
			}
			numbers := []float64{res.LogZ, res.Sweeps, res.Evaluations}
			unvisited := slices.Contains(res.Flags, temper.FlagUnvisited) // no error bar, and it says so
			if !unvisited {
				numbers = append(numbers, res.SE)
			}
			if len(res.Stages) > 0 {
				for _, k := range res.Stages {
					numbers = append(numbers, k.LogZ, k.SE, k.R, k.ESS, k.Gamma)
				}
			} else if c.info.Unbiased && !slices.Contains(res.Flags, estimators.FlagNoSandwich) {
				numbers = append(numbers, res.Lower, res.Upper)
			}
			for _, k := range res.Ladder {
				numbers = append(numbers, k.Beta, k.LogZ)
				if !unvisited {
					numbers = append(numbers, k.SE)
				}
			}
			for _, d := range res.Diagnostics {
				numbers = append(numbers, d)
			}
			for _, x := range numbers {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%s %v on %s: a number is %v in %+v", c.info.Name, c.set, name, x, res)
					break
				}
			}
			if k := res.Ladder; len(k) == 0 && len(res.Stages) == 0 {
				t.Errorf("%s %v on %s: neither a ladder nor stages", c.info.Name, c.set, name)
			} else if len(res.Stages) == 0 && (k[0].Beta != 0 || k[0].LogZ != m.LogZ0() || k[len(k)-1].Beta != 1 ||
				k[len(k)-1].LogZ != res.LogZ) {
				t.Errorf("%s %v on %s: the ladder runs from %v to %v, log Z is %v", c.info.Name, c.set, name, k[0], k[len(k)-1],
					res.LogZ)
			}
		}
	}
}

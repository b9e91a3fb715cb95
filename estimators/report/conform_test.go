package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/targets"
	"logzlab/internal/methodtest"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
	"logzlab/models/conjugate"
	"logzlab/models/gpc"
	"logzlab/models/latent"
)

// conforming are the experiments of every test below: those listed, and a short run of each other method of the
// catalogue except auto, which runs until a wanted error is reached (estimators/engine tests it).
var conforming = func() []string {
	all, listed := experiments, map[string]bool{}
	for _, link := range experiments {
		names, _, _ := strings.Cut(link, "&")
		for _, name := range strings.Split(names, ",") {
			listed[name] = true
		}
	}
	for _, m := range catalog.Methods {
		if listed[m.Name] || m.Target > 0 {
			continue
		}
		link := m.Name
		for _, set := range methodtest.ShortSettings(m) {
			link += "&" + m.Name + "." + set
		}
		all = append(all, link)
	}
	return all
}()

// experiments are methods with and without their options; each is the link from its methods on.
var experiments = []string{
	"is&is.particles=1100",
	"ais&ais.chains=23&ais.temperatures=12&replicates=2",
	"ais&ais.chains=10&ais.sweeps=3&ais.temperatures=7",
	"ais,ais-bar,raise&ais-bar.chains=12&ais-bar.temperatures=9&ais.chains=12&ais.temperatures=9&raise.chains=12" +
		"&raise.temperatures=9&replicates=2",
	"ais-bar,raise&ais-bar.chains=210&ais-bar.temperatures=2&raise.chains=210&raise.temperatures=2",
	"rts&rts.chains=13&rts.init_rounds=2&rts.init_sweeps=20&rts.merge=yes&rts.sweeps=260&rts.temperatures=6",
	"rts&rts.chains=5&rts.init=ones&rts.init_rounds=2&rts.sweeps=40&rts.temperatures=5",
	"rts,ts&replicates=2&rts.chains=13&rts.sweeps=60&rts.temperatures=6&ts.chains=13&ts.sweeps=60&ts.temperatures=6",
	"ts&ts.chains=5&ts.init=ones&ts.init_rounds=2&ts.sweeps=40&ts.temperatures=5",
	"rts-stationary,ti,ti-rb&rts-stationary.chains=13&rts-stationary.sweeps=60&rts-stationary.temperatures=6" +
		"&ti.chains=13&ti.rule=trapezoid&ti.sweeps=60&ti.temperatures=6&ti-rb.chains=13&ti-rb.sweeps=60" +
		"&ti-rb.temperatures=6",
	"ti&replicates=2&ti.chains=7&ti.rule=right&ti.samples=fixed&ti.sweeps=40&ti.temperatures=5",
	"rts,ts&rts.adapt_sweeps=60&rts.chains=13&rts.init=wl&rts.sweeps=40&rts.temperatures=5&ts.adapt_sweeps=30" +
		"&ts.chains=7&ts.init=sams&ts.sweeps=40&ts.temperatures=5",
	"wl,sams&replicates=2&sams.chains=5&sams.islands=3&sams.sweeps=70&sams.temperatures=5&wl.chains=4&wl.islands=3" +
		"&wl.sweeps=80&wl.temperatures=6",
	"ti-continuous&replicates=2&ti-continuous.chains=13&ti-continuous.sweeps=60&ti-continuous.temperatures=6",
	"rts,ts&replicates=2&rts.chains=13&rts.prior=exp:2&rts.sweeps=60&rts.temperatures=6&ts.chains=13&ts.prior=exp:2" +
		"&ts.sweeps=60&ts.temperatures=6",
	"bar,mbar&bar.chains=13&bar.sweeps=60&bar.temperatures=6&mbar.chains=13&mbar.sweeps=60&mbar.temperatures=6" +
		"&replicates=2",
	"bar,mbar&bar.chains=12&bar.samples=fixed&bar.sweeps=60&bar.temperatures=6&mbar.chains=12&mbar.samples=fixed" +
		"&mbar.sweeps=60&mbar.temperatures=6",
	"stepping-stone&replicates=2&stepping-stone.chains=13&stepping-stone.sweeps=60&stepping-stone.temperatures=6",
	"stepping-stone&stepping-stone.chains=12&stepping-stone.direction=backward&stepping-stone.samples=fixed" +
		"&stepping-stone.sweeps=60&stepping-stone.temperatures=6",
	"bridge&bridge.chains=13&bridge.sweeps=30&replicates=2",
	"smc&smc.adaptive=yes&smc.islands=2&smc.particles=7&smc.temperatures=40",
	"smc&replicates=2&smc.ess=0.9&smc.islands=3&smc.moves=2&smc.particles=6&smc.temperatures=9",
	"arm-tempered&arm-tempered.gamma=0.95&arm-tempered.islands=3&arm-tempered.particles=8&arm-tempered.temperatures=5" +
		"&replicates=2",
	"aisel,is2&aisel.islands=2&aisel.particles=6&aisel.temperatures=9&is2.islands=3&is2.particles=30&replicates=2",
	"rm&replicates=2&rm.ess=0.9&rm.islands=3&rm.moves=2&rm.particles=9",
	"arm,rm-optimal&arm.absent=sampled&arm.islands=3&arm.moves=2&arm.particles=9&replicates=2&rm-optimal.absent=sampled" +
		"&rm-optimal.islands=2&rm-optimal.moves=2&rm-optimal.particles=12",
	"arm&arm.gamma=0.95&arm.islands=4&arm.moves=2&arm.particles=8&arm.resample=multinomial",
	"arm-anticipate,arm-reseed,rm-optimal&arm-anticipate.gamma=0.95&arm-anticipate.islands=2&arm-anticipate.moves=2" +
		"&arm-anticipate.particles=9&arm-reseed.gamma=0.95&arm-reseed.islands=2&arm-reseed.moves=1" +
		"&arm-reseed.particles=10&arm-reseed.reseed_sweeps=5&rm-optimal.islands=2&rm-optimal.moves=2&rm-optimal.particles=12",
	"ais,rts,smc&ais.chains=12&ais.schedule=varopt:2&ais.temperatures=9&replicates=2&rts.chains=11&rts.init_rounds=1" +
		"&rts.schedule=adaptive:0.8&rts.sweeps=30&rts.temperatures=5&smc.islands=2&smc.particles=6&smc.schedule=gms13" +
		"&smc.temperatures=12",
	"ais,rts,is&ais.chains=12&ais.temperatures=9&is.particles=1010&replicates=2&rts.chains=11&rts.init_rounds=1" +
		"&rts.sweeps=30&rts.temperatures=5",
}

func conformingModels(t *testing.T) map[string]models.Model {
	f := targets.RandomRBM(20, 9, .5, 1)
	f.P1 = nil
	return map[string]models.Model{
		"rbm":     testmodels.RBMModel(t, 12, 5, .4, 1),
		"joint":   testmodels.FileModel(t, f, "form=joint"),
		"mixture": testmodels.HillsModel(t, 2, 3, 3, 1, 1),
		"gpc": testmodels.FileModel(t, gpc.Params{N: 5, D: 1, X: []float64{0, 2, 1, 3, 5},
			Y: []float64{1, -1, 1, 1, -1}}, "base=ep"),
		"ising": testmodels.IsingModel(t, 6, 6, true, .3), // 64 blocks: an exact round of four lanes
		"linreg": testmodels.FileModel(t, conjugate.LinregParams{D: 2, X: []float64{1, -1, 1, 0, 1, 2}, Y: []float64{0, 1, 2},
			S2: 1, T2: 4}, "moves=1", "leaps=1"),
		"betabinom": testmodels.FileModel(t, conjugate.BetabinomParams{A: 2, B: 3, K: 7, N: 9}, "moves=1", "proposal=mh"),
		"filter": testmodels.FileModel(t, latent.LGSSMParams{Y: []float64{1, -1, 2}, Phi: .5}, "likelihood=filter",
			"inner=4"),
		"nig": testmodels.FileModel(t, conjugate.NIGParams{Y: []float64{1, 3, 2}, K0: 1, A0: 2, B0: 2}, "moves=1",
			"proposal=mh"),
	}
}

// runLane runs a unit for at most k yields and reports whether it ended.
func runLane(j *engine.Job, k *engine.Task, yields int) bool {
	for f := range j.Lane(k) {
		if yields--; yields < 0 {
			if k.Unit.Peek != nil {
				j.Peek(k, k.Unit.Peek(), float64(f.Step)/float64(max(f.Steps, 1)))
			}
			return false
		}
	}
	return true
}

// scramble runs a job as unreliable workers would: units finish in any order; some are killed after a few frames and
// sent again; some of those finish all the same, before or after the copy, perhaps long after the end of their round.
func scramble(j *engine.Job, workers int, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	var held, late []*engine.Task
	for !j.Finished() {
		for len(held) < workers {
			k := j.Take()
			if k == nil {
				break
			}
			held = append(held, k)
		}
		if len(held) == 0 {
			continue
		}
		i := r.IntN(len(held))
		k := held[i]
		held = append(held[:i], held[i+1:]...)
		switch r.IntN(4) {
		case 0: // killed half-way
			runLane(j, k, r.IntN(20))
			k.Unit.Partial = nil
			j.Return(k)
		case 1: // given up for lost, and finishing all the same
			runLane(j, k, math.MaxInt)
			j.Return(k)
			late = append(late, k)
		default:
			runLane(j, k, math.MaxInt)
			j.Done(k)
			if r.IntN(3) == 0 {
				late = append(late, k) // told twice
			}
		}
		if len(late) > 0 && r.IntN(3) == 0 {
			i := r.IntN(len(late))
			j.Done(late[i])
			late = append(late[:i], late[i+1:]...)
		}
		if r.IntN(5) == 0 {
			New(j).All(0) // looking changes nothing
			j.Progress()
		}
	}
}

// The conformance table: the same hash for lanes of 1, 3, 10 rows and all rows, for 1, 2, 3 and 7 workers, for units
// lost and sent again or reported twice. (Cut points are tested in package estimators.) Of the twenty ways to run an
// experiment, a release runs four of each; otherwise one experiment in six runs one, and all twenty are run, by
// different experiments.
func TestSameHashHoweverRun(t *testing.T) {
	tier.Test(t)
	before, every := runtime.NumGoroutine(), tier.Size(20, 20, 5)
	all := conformingModels(t)
	for n, name := range slices.Sorted(maps.Keys(all)) {
		m := all[name]
		for l, link := range conforming {
			if !suits(link, m) || !tier.Releases() && (n+l)%6 != 0 {
				continue
			}
			want := hashes(finished(t, newJob(t, m, link), 1))
			for i, workers := range []int{1, 2, 3, 7} {
				for k, size := range []int{0, 1, 3, 10, 10000} {
					if (5*i+k+l)%every != 0 {
						continue
					}
					j := newJob(t, m, link, engine.Options{LaneSize: size, Workers: workers})
					how := "reliable workers"
					if (i+k)%2 == 0 {
						how = "losses"
						scramble(j, workers, uint64(10*i+k))
					} else {
						finished(t, j, workers)
					}
					if got := hashes(New(j).All(0)); got != want {
						t.Errorf("%s %s: lanes of %d on %d workers with %s give %s, want %s", name, link, size, workers, how, got, want)
					}
				}
			}
		}
	}
	runtime.Gosched()
	if after := runtime.NumGoroutine(); after > before {
		t.Errorf("%d goroutines before, %d after", before, after)
	}
}

// The base rates of a file without them are also found by units of work, and do not change the result: 16 units for 300
// x 16.
func TestSameHashBaseRates(t *testing.T) {
	t.Parallel()
	f := targets.RandomRBM(300, 16, .1, 4)
	f.P1 = nil
	m := testmodels.FileModel(t, f)
	if models.CapabilitiesOf(m).Base.Finder.BaseBlocks() == 0 {
		t.Fatal("the model should wait for its base rates")
	}
	link := "ais,rts&ais.chains=12&ais.temperatures=9&rts.chains=10&rts.init_rounds=1&rts.sweeps=20&rts.temperatures=5"
	want := hashes(finished(t, newJob(t, m, link), 1))
	for i, workers := range []int{1, 3, 7} {
		j := newJob(t, m, link)
		scramble(j, workers, uint64(i))
		if got := hashes(New(j).All(0)); got != want {
			t.Errorf("%d workers with losses give %s, want %s", workers, got, want)
		}
	}
	j := newJob(t, m, link)
	if got := hashes(finished(t, j, 3)); got != want {
		t.Errorf("3 workers give %s, want %s", got, want)
	}
	if r := New(j).All(0)[0]; !slices.Contains(r.Flags, "base_guessed") {
		t.Errorf("flags %v lack base_guessed", r.Flags)
	}
}

// A base that is fitted to samples of a pilot does not change the hash either, nor does a move at the last temperature.
func TestSameHashFittedBase(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	all, link := conformingModels(t), "aisel,is2&aisel.base=t&aisel.df=4&aisel.islands=2&aisel.last=yes&"+
		"aisel.particles=6&aisel.temperatures=9&is2.base=normal&is2.islands=3&is2.particles=30&replicates=2"
	for _, m := range []models.Model{all["linreg"], all["filter"]} {
		want := hashes(finished(t, newJob(t, m, link), 1))
		for i, workers := range []int{1, 3} {
			j := newJob(t, m, link, engine.Options{LaneSize: []int{0, 7}[i], Workers: workers})
			scramble(j, workers, uint64(i))
			if got := hashes(New(j).All(0)); got != want {
				t.Errorf("%s: %d workers with losses give %s, want %s", m.Info().Name, workers, got, want)
			}
		}
	}
}

// Replicate r does not depend on R, replicate 0 is the plain run, and seconds are not hashed.
func TestReplicates(t *testing.T) {
	t.Parallel()
	m := testmodels.HillsModel(t, 2, 3, 3, 1, 1)
	for _, method := range []string{"is&is.particles=500", "ais&ais.chains=10&ais.temperatures=8",
		"ais-bar&ais-bar.chains=10&ais-bar.temperatures=8", "raise&raise.chains=10&raise.temperatures=8",
		"rts&rts.chains=10&rts.init_rounds=1&rts.sweeps=30&rts.temperatures=5"} {
		plain := finished(t, newJob(t, m, method), 2)[0]
		three := finished(t, newJob(t, m, method+"&replicates=3"), 2)[0]
		j := newJob(t, m, method+"&replicates=5")
		five := finished(t, j, 3)[0]
		if three.Replicates[0] != plain.LogZ || three.ReplicateSE[0] != plain.SE {
			t.Errorf("%s: replicate 0 is %v, the plain run %v", method, three.Replicates[0], plain.LogZ)
		}
		for i, x := range three.Replicates {
			if five.Replicates[i] != x {
				t.Errorf("%s: replicate %d is %v of 3 and %v of 5", method, i, x, five.Replicates[i])
			}
			if slices.Contains(three.Replicates[:i], x) {
				t.Errorf("%s: replicate %d is a copy: %v", method, i, three.Replicates)
			}
		}
		checkSummary(t, method, five)
		if later := New(j).All(123)[0]; later.Hash != five.Hash || later.Cost.Seconds != 123 {
			t.Errorf("%s: seconds change the hash", method)
		}
	}
}

// checkSummary computes the contract's summary again, plainly.
func checkSummary(t *testing.T, method string, r *Report) {
	t.Helper()
	n := float64(len(r.Replicates))
	mean, ms, lme := 0.0, 0.0, 0.0
	for i, x := range r.Replicates {
		mean += float64(x) / n
		lme += math.Exp(float64(x-r.Replicates[0])) / n
		z := float64((x - r.Truth.LogZ) / r.ReplicateSE[i])
		ms += z * z / n
	}
	lme = math.Log(lme) + float64(r.Replicates[0])
	sd, sdz := 0.0, 0.0
	for _, x := range r.Replicates {
		sd += (float64(x) - mean) * (float64(x) - mean) / (n - 1)
		w := math.Exp(float64(x)-lme) - 1
		sdz += w * w / (n - 1)
	}
	logz, se := mean, math.Sqrt(sd/n)
	if info, _ := catalog.Method(r.Method); info.Unbiased {
		logz, se = lme, math.Sqrt(sdz/n)
	}
	for i, p := range [][2]float64{{float64(r.Summary.Mean), mean}, {float64(r.Summary.SD), math.Sqrt(sd)},
		{float64(r.Summary.LogMeanExp), lme},
		{float64(r.Summary.RMSZ), math.Sqrt(ms)}, {float64(r.LogZ), logz}, {float64(r.SE), se}} {
		if !(math.Abs(p[0]-p[1]) < 1e-10) {
			t.Errorf("%s: number %d of the summary is %v, want %v", method, i, p[0], p[1])
		}
	}
}

// Reports are JSON without NaN or infinity at any time, with every field of the contract: for every model the cheapest
// links, and for every experiment of the table one model that runs it. A release has all of both.
func TestReportJSON(t *testing.T) {
	t.Parallel()
	cheap := []string{
		"ais&ais.chains=1&ais.temperatures=2", // no error bar at all
		"ais-bar,raise&ais-bar.chains=1&ais-bar.temperatures=2&raise.chains=1&raise.temperatures=2",
		"rts&rts.chains=1&rts.burn_in=0&rts.init_rounds=0&rts.sweeps=1&rts.temperatures=2",
		"is&is.particles=1&replicates=3",
		"arm&arm.i_max=0&arm.islands=1&arm.particles=1",
	}
	models := conformingModels(t)
	models["cold"] = testmodels.IsingModel(t, 4, 4, true, 90)
	names := slices.Sorted(maps.Keys(models))
	for i, link := range append(cheap, conforming...) {
		able := slices.DeleteFunc(slices.Clone(names), func(name string) bool {
			return !suits(link, models[name])
		})
		if i >= len(cheap) && !tier.Releases() {
			able = able[i%len(able):][:1]
		}
		for _, name := range able {
			m := models[name]
			j := newJob(t, m, link)
			for step := 0; !j.Finished(); step++ {
				k := j.Take()
				runLane(j, k, 3)
				if step < 8 {
					checkJSON(t, name+" "+link+" under way", JSON(New(j).All(1)))
				}
				k.Unit.Partial = nil
				j.Return(k)
				k = j.Take()
				runLane(j, k, math.MaxInt)
				j.Done(k)
			}
			checkJSON(t, name+" "+link, JSON(New(j).All(1)))
		}
	}
}

func checkJSON(t *testing.T, what string, b []byte) {
	t.Helper()
	for _, bad := range []string{"NaN", "Inf", "nan", "e+308"} {
		if bytes.Contains(b, []byte(bad)) {
			t.Errorf("%s: the JSON contains %s: %s", what, bad, b)
		}
	}
	var all []map[string]any
	if b[0] != '[' {
		b = []byte(fmt.Sprintf("[%s]", b))
	}
	if err := json.Unmarshal(b, &all); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for _, r := range all {
		for _, field := range contractFields {
			if _, ok := r[field]; !ok {
				t.Errorf("%s: field %s is missing", what, field)
			}
		}
	}
}

// contractFields are the fields of `run -json` (contract.md, The JSON of a run) in this version.
var contractFields = []string{"v", "spec", "link", "model", "method", "seed", "logz", "se", "se_method", "bias",
	"lower", "upper", "calibration", "truth", "ladder", "cost", "diagnostics", "flags", "hash"}

// The hash covers the second opinion that a run has made, and no other diagnostic.
func TestHashCoversOpinion(t *testing.T) {
	t.Parallel()
	hash := func(name diag.Number, x Number) string {
		return (&Report{Diagnostics: map[diag.Number]Number{name: x}}).hash()
	}
	for _, name := range []diag.Number{estimators.DiagLogZOther, estimators.DiagLogZOtherSE} {
		if hash(name, 1) == hash(name, 2) {
			t.Errorf("%s does not enter", name)
		}
	}
	if hash(estimators.DiagESS, 1) != hash(estimators.DiagESS, 2) {
		t.Error("the effective sample size enters")
	}
}

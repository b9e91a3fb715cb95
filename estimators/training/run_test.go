package training

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/models/rbm"
)

// smallRun returns a run on bars and stripes that takes at most a second, with settings key=value.
func smallRun(t *testing.T, settings ...string) *Run {
	t.Helper()
	values := map[string]string{"hidden": "6", "updates": "250", "batch": "30", "rate": "0.2", "chains": "40", "sweeps": "2",
		"temperatures": "12", "check": "150"}
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		values[key] = value
	}
	v, err := Values(values)
	if err != nil {
		t.Fatal(err)
	}
	return newRun(t, v)
}

// newRun returns a run on bars and stripes with the given parameters.
func newRun(t *testing.T, v spec.Values) *Run {
	t.Helper()
	bits, m := Bars(300)
	p := ParamsOf(v)
	d, err := Split(bits, m, 0, p.Validation, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(p, d, 1)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// finish runs the remaining rounds.
func finish(t *testing.T, r *Run) {
	t.Helper()
	for finished := false; !finished; {
		var err error
		if finished, err = r.Round(func(*frame.Frame) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
}

// encodeState returns the encoded state of a run.
func encodeState(r *Run) []byte {
	var w wire.Writer
	r.Append(&w)
	return w.B
}

// A run that is abandoned in the middle of a round, also of the first, and continued from its encoded state has the
// same result as an uninterrupted run, bit for bit.
func TestResumedRunIsIdentical(t *testing.T) {
	for _, gradient := range []string{CD, PCD, RTS} {
		whole := smallRun(t, "gradient="+gradient)
		finish(t, whole)
		if len(whole.Points) != 10 || len(whole.Checks) != 1 {
			t.Errorf("%s: %d points, %d checks", gradient, len(whole.Points), len(whole.Checks))
		}
		first, updatesLeft := smallRun(t, "gradient="+gradient), 30 // updates
		for range 3 {
			second := smallRun(t, "gradient="+gradient)
			if err := second.Load(&wire.Reader{B: encodeState(first)}); err != nil {
				t.Fatal(err)
			}
			for over := false; !over && updatesLeft > 0; {
				var err error
				if over, err = second.Round(func(*frame.Frame) bool { updatesLeft--; return updatesLeft > 0 }); err != nil {
					t.Fatal(err)
				}
			}
			first, updatesLeft = second, 150
		}
		finish(t, first)
		if !bytes.Equal(encodeState(whole), encodeState(first)) {
			t.Errorf("%s: a run that was taken up has other digits", gradient)
		}
	}
}

// Checks by AIS agree with the tracked log Z, and all gradients make the data more likely.
func TestTrainingRaisesLikelihood(t *testing.T) {
	for _, gradient := range []string{CD, PCD, RTS} {
		r := smallRun(t, "gradient="+gradient, "updates=800", "chains=100", "check=400")
		finish(t, r)
		first, last := r.Points[0], r.Points[len(r.Points)-1]
		if !(last.Train > first.Train+1) {
			t.Errorf("%s: log-likelihood from %.2f to %.2f", gradient, first.Train, last.Train)
		}
		for _, c := range r.Checks {
			for _, p := range r.Points {
				if p.Update == c.Update && math.Abs(p.LogZ-c.LogZ) > .05+3*math.Hypot(p.SE, c.SE) {
					t.Errorf("%s, update %d: log Z %.3f +- %.3f followed, %.3f +- %.3f by AIS", gradient, p.Update, p.LogZ, p.SE,
						c.LogZ, c.SE)
				}
			}
		}
	}
}

// A run with patience ends when validation stops improving, and its result is its best model.
func TestPatienceReturnsBestModel(t *testing.T) {
	r := smallRun(t, "rate=0.5", "hidden=20", "updates=5000", "patience=200", "check=0", "validation=0.5")
	finish(t, r)
	_, update := r.Result()
	if r.done != update+200 || update == 0 {
		t.Errorf("the run ended after %d updates with the machine after %d", r.done, update)
	}
	var encoded wire.Writer
	r.Append(&encoded)
	reloaded, err := New(r.Params, r.Data, r.seed)
	if err == nil {
		err = reloaded.Load(&wire.Reader{B: encoded.B})
	}
	if err != nil {
		t.Fatal(err)
	}
	if round, err := reloaded.Resume(); round != nil || err != nil {
		t.Errorf("a run that has ended goes on when it is taken up, error %v", err)
	}
}

// Runs that diverge report it and keep their earlier weights.
func TestDivergingRunKeepsWeights(t *testing.T) {
	for _, rate := range []string{"8", "100"} {
		r := smallRun(t, "rate="+rate, "decay=0", "check=0", "updates=2000", "last=1", "init=0.1")
		var err error
		for over := false; !over && err == nil; {
			over, err = r.Round(func(*frame.Frame) bool { return true })
		}
		if err == nil || !strings.Contains(err.Error(), "lower the learning rate") {
			t.Errorf("rate %s: error %v", rate, err)
		}
		w, update := r.Result()
		if r.done > 0 && (w == nil || !num.Finite(w.W[0])) {
			t.Errorf("rate %s: the machine before is lost", rate)
		}
		if update != r.done {
			t.Errorf("rate %s: the machine after %d updates is said to be that after %d", rate, r.done, update)
		}
	}
}

// Settings that are invalid or do not fit the data are errors that name the setting.
func TestInvalidSettingsAreErrors(t *testing.T) {
	for text, set := range map[string]map[string]string{
		"batch":              {"batch": "400"},
		"not a parameter":    {"momentum": "1"},
		"chains = 0":         {"chains": "0", "gradient": RTS},
		"patience nor check": {"chains": "0", "check": "100"},
		"patience needs":     {"validation": "0", "patience": "100"},
		"there are none":     {"patience": "100"},
		"rate = \"-1\" must": {"rate": "-1"},
	} {
		v, err := Values(set)
		if err == nil {
			bits, m := Bars(300)
			_, err = New(ParamsOf(v), &Data{M: m, Train: bits}, 1)
		}
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%v: error %v, want %q", set, err, text)
		}
	}
	if _, err := Split(make([]uint8, 40), 4, 0, .1, 1); err == nil || !strings.Contains(err.Error(), "constant") {
		t.Errorf("constant columns: error %v", err)
	}
}

// Checks with a hundred times as many temperatures do not change the weights, and have a smaller error bar.
func TestCheckWithMoreTemperaturesIsMorePrecise(t *testing.T) {
	var checks []frame.TrainingCheck
	for _, temperatures := range []string{"10", "1000"} {
		r := smallRun(t, "updates=200", "check=200", "annealing="+temperatures)
		finish(t, r)
		checks = append(checks, r.Checks...)
	}
	few, many := checks[0], checks[1]
	if len(checks) != 2 || few.TrainMean != many.TrainMean || !(many.SE < few.SE/3) ||
		math.Abs(few.LogZ-many.LogZ) > 4*few.SE {
		t.Errorf("%+v, %+v", few, many)
	}
}

// The frames of a watched run have all that the page draws, and the result is that of an unwatched run.
func TestWatchedRunIsIdentical(t *testing.T) {
	r := smallRun(t, "updates=50", "check=50")
	round, err := r.Next(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	u := round.Unit(0)
	u.Watched = true
	var last *frame.Frame
	for f := range r.Lane(u) {
		if f.Training != nil {
			if last, err = frame.Decode(f.Append(nil)); err != nil {
				t.Fatal(err)
			}
		}
	}
	g := last.Training
	if g.Update != 50 || len(g.Points) != 2 || len(g.Checks) != 1 || len(g.Filters) != 6*16 || last.N == 0 ||
		len(g.Data) != maxPictures*16 {
		t.Errorf("the last frame has update %d, %d points, %d checks, %d weights, %d fantasies, data of %d cells", g.Update,
			len(g.Points), len(g.Checks), len(g.Filters), last.N, len(g.Data))
	}
	finish(t, r)
	if w, _ := r.Result(); !bytes.Equal(u.Partial[len(u.Partial)-8:], encodedLastBias(w)) {
		t.Error("a run that is watched has other digits")
	}
}

// A worker that has not run the earlier rounds shows their log from the plan of its round, and Frame shows a paused
// run.
func TestLaterRoundShowsEarlierLog(t *testing.T) {
	r := smallRun(t)
	if r.Frame() != nil {
		t.Error("a run shows a machine before it has one")
	}
	if _, err := r.Round(func(*frame.Frame) bool { return true }); err != nil {
		t.Fatal(err)
	}
	round, err := r.Resume()
	if err != nil {
		t.Fatal(err)
	}
	u := round.Unit(0)
	u.Watched = true
	for f := range smallRun(t).Lane(u) {
		if g := f.Training; g != nil && (len(g.Points) != 4+(g.Update-100)/25 || g.Best != 100) {
			t.Fatalf("update %d shows %d points, best %d", g.Update, len(g.Points), g.Best)
		}
	}
	f, err := frame.Decode(r.Frame().Append(nil))
	if g := f.Training; err != nil || g.Update != 100 || len(g.Points) != 4 || len(g.Filters) != 6*16 {
		t.Errorf("update %d shows %d points: %v", g.Update, len(g.Points), err)
	}
}

// encodedLastBias returns the encoded last hidden bias, with which the encoding of the weights ends.
func encodedLastBias(w *rbm.Weights) []byte {
	var out wire.Writer
	out.Float(w.B[w.J-1])
	return out.B
}

// Split draws rows with the seed, without repeats and in their order, and a share of them for validation.
func TestSplitDrawsRows(t *testing.T) {
	const n, m = 40, 6
	var bits []uint8
	for i := range n { // the bits of row i are the binary digits of i
		for c := range m {
			bits = append(bits, uint8(i>>c&1))
		}
	}
	numbers := func(bits []uint8) (out []int) {
		for row := range slices.Chunk(bits, m) {
			x := 0
			for c, b := range row {
				x += int(b) << c
			}
			out = append(out, x)
		}
		return out
	}
	split := func(rows int, seed uint32) (train, test []int) {
		d, err := Split(bits, m, rows, .25, seed)
		if err != nil {
			t.Fatal(err)
		}
		return numbers(d.Train), numbers(d.Test)
	}
	train, test := split(12, 1)
	all := append(slices.Clone(train), test...)
	slices.Sort(all)
	if len(train) != 9 || len(test) != 3 || !slices.IsSorted(train) || !slices.IsSorted(test) ||
		len(slices.Compact(all)) != 12 {
		t.Errorf("train %v, test %v", train, test)
	}
	if again, _ := split(12, 1); !slices.Equal(again, train) {
		t.Errorf("the same seed drew %v, then %v", train, again)
	}
	if other, _ := split(12, 2); slices.Equal(other, train) {
		t.Errorf("seed 2 draws what seed 1 draws: %v", train)
	}
	if train, test := split(0, 1); len(train)+len(test) != n {
		t.Errorf("all rows are %d and %d", len(train), len(test))
	}
	if train, test := split(1000, 1); len(train)+len(test) != n {
		t.Errorf("more rows than there are: %d and %d", len(train), len(test))
	}
}

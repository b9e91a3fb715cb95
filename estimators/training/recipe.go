package training

import (
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models/rbm"
)

// Params describes the parameters of a run, for the command and for the page. With the defaults, log Z of an RBM with
// 20 hidden units and 784 visible units is tracked with an error of less than 0.1 nats.
var Params = []spec.Param{
	intParam("rows", "0", 0, 1e9, "Number of data rows that are used, drawn by the seed; 0: all.", true),
	intParam("hidden", "20", 1, 2000, "Number of hidden units.", true),
	intParam("updates", "5000", 1, 1e6, "Number of updates of the weights.", true),
	intParam("batch", "100", 1, rbm.MaxBatch, "Number of data rows in an update.", false),
	floatParam("rate", "0.02", 0, 100, "Learning rate of the first update.", true),
	floatParam("last", "0", 0, 1, "Learning rate of the last update as a share of the first; it falls linearly."),
	{Name: "gradient", Type: "choice", Default: PCD, Choices: []string{CD, PCD, RTS}, Main: true,
		Help: "Source of the model term of the gradient: chains that start at the data (cd), persistent chains " +
			"(pcd), or the tempering chains, weighted by q(K|x) (rts)."},
	{Name: "centred", Type: "choice", Default: "yes", Choices: []string{"yes", "no"},
		Help: "Whether the gradient is of units minus their means, which has the better scale (yes), or the plain " +
			"one (no)."},
	intParam("k", "1", 1, 1000, "Gibbs steps of an update, for cd and pcd.", false),
	floatParam("ramp", "0", 0, 1, "Share of the updates in which k grows from 1."),
	floatParam("decay", "0.0001", 0, 1, "Weight decay, per unit of learning rate."),
	floatParam("init", "0.01", 0, 0.1, "Standard deviation of the first weights."),
	intParam("chains", "400", 0, 1e5, "Number of tempering chains that follow log Z; 0: it is not followed.", false),
	intParam("sweeps", "5", 1, 1000, "Sweeps of these chains in an update.", false),
	intParam("temperatures", "30", 2, 1000, "Number of inverse temperatures from 0 to 1, both ends counted.", false),
	{Name: "start", Type: "choice", Default: rbm.Starts[0], Choices: []string{rbm.StartClipped, rbm.StartRates,
		rbm.StartSmoothed, rbm.StartUniform}, Help: "The base of these chains: units that are on as often as in the " +
		"training rows (rates), the same drawn a little towards 1 (smoothed) or kept within 0.05 and 0.95 (clipped), or " +
		"half of the time (uniform)."},
	floatParam("alpha", "0.05", 0.001, 1, "Fraction of the distance to the estimate of the chains by which log Z moves in an update."),
	floatParam("tilt", "1", 0, 20, "How unevenly these chains spread: the share of a rung is in proportion to exp(tilt times "+
		"its inverse temperature)."),
	floatParam("validation", "0.1", 0, 0.9, "Share of the rows that are kept for validation."),
	intParam("patience", "0", 0, 1e6, "Number of updates without a better validation after which a run ends; its best "+
		"model is the result. 0: it goes to the end.", false),
	intParam("check", "1000", 0, 1e6, "Updates from one check of log Z by annealed importance sampling to the next; 0: none.",
		false),
	intParam("annealing", "1000", 2, 1e5, "Number of temperatures of a check, which has 100 chains.", false),
}

// RunParams has the values of Params.
type RunParams struct {
	Settings           // settings of the tracker
	Rows       int     `param:"rows"`
	Hidden     int     `param:"hidden"`
	Updates    int     `param:"updates"`
	Batch      int     `param:"batch"`
	Rate       float64 `param:"rate"`
	Last       float64 `param:"last"`
	Gradient   string  `param:"gradient"`
	Centred    bool    `param:"centred"`
	K          int     `param:"k"`
	Ramp       float64 `param:"ramp"`
	Decay      float64 `param:"decay"`
	Init       float64 `param:"init"`
	Validation float64 `param:"validation"`
	Patience   int     `param:"patience"`
	Check      int     `param:"check"`
	Annealing  int     `param:"annealing"`
}

// ParamsOf converts values, as returned by Values, to a struct.
func ParamsOf(v spec.Values) (p RunParams) {
	v.Fill(&p)
	return p
}

// Sources of the model term of the gradient.
const (
	CD  = "cd"
	PCD = "pcd"
	RTS = "rts"
)

// intParam returns an integer parameter with its default value and range; main marks the parameters shown first.
func intParam(name, defaultValue string, lo, hi float64, help string, main bool) spec.Param {
	return spec.Param{Name: name, Type: "int", Default: defaultValue, Min: lo, Max: hi, Help: help, Main: main}
}

// floatParam returns a real parameter, like intParam; main is set if the variadic argument is present.
func floatParam(name, defaultValue string, lo, hi float64, help string, main ...bool) spec.Param {
	return spec.Param{Name: name, Type: "float", Default: defaultValue, Min: lo, Max: hi, Help: help, Main: len(main) > 0}
}

// Values returns the parameters in set, with defaults for the others. It returns an error for an unknown name, for a
// value out of range, and for values that exclude each other.
func Values(set map[string]string) (spec.Values, error) {
	v := spec.Values{}
	for _, p := range Params {
		v[p.Name] = p.Default
		if x, ok := set[p.Name]; ok {
			var err error
			if v[p.Name], err = p.Canonical(p.Name, x); err != nil {
				return nil, err
			}
		}
	}
	for name := range set {
		if !slices.ContainsFunc(Params, func(p spec.Param) bool { return p.Name == name }) {
			return nil, problem.New("%s is not a parameter of training", name)
		}
	}
	_, checks := set["check"]
	p := ParamsOf(v)
	if p.Chains == 0 && (p.Gradient == RTS || p.Patience > 0 || checks && p.Check > 0) {
		return nil, problem.New("chains = 0 goes with neither gradient = rts, patience nor check: all need tempering chains")
	}
	if p.Validation == 0 && p.Patience > 0 {
		return nil, errPatience
	}
	return v, nil
}

var errPatience = problem.New("patience needs rows for validation, and there are none: raise validation")

// Recipe returns the settings of rbm.Trainer for the values of a training.
func Recipe(v spec.Values, seed uint32) rbm.Training { return ParamsOf(v).recipe(seed) }

func (p RunParams) recipe(seed uint32) rbm.Training {
	return rbm.Training{Hidden: p.Hidden, Persistent: p.Gradient == PCD, Steps: p.K, Ramp: p.Ramp, Updates: p.Updates,
		Batch: p.Batch, Rate: p.Rate, Decay: p.Decay, InitSD: p.Init, Seed: seed, Last: p.Last,
		Tracked: p.Gradient == RTS, Plain: !p.Centred}
}

// Data has rows of M zeros and ones, for training and for validation.
type Data struct {
	M           int
	Train, Test []uint8 // rows x M: training rows and validation rows
}

// Bars returns n rows of m = 16 cells with bars and stripes: the 30 pictures of 4 x 4 cells with constant rows or
// constant columns, repeated cyclically.
func Bars(n int) (bits []uint8, m int) {
	const side, cells = 4, 16
	for i := range n {
		pattern, isBars := i%30, true
		if pattern >= 1<<side {
			pattern, isBars = pattern-(1<<side)+1, false
		}
		for cell := range cells {
			bit := cell % side
			if isBars {
				bit = cell / side
			}
			bits = append(bits, uint8(pattern>>bit&1))
		}
	}
	return bits, cells
}

// Constant returns the number of columns that have the same value in every training row.
func (d *Data) Constant() (n int) {
	for i := range d.M {
		isConstant := true
		for index := i; index < len(d.Train); index += d.M {
			isConstant = isConstant && d.Train[index] == d.Train[i]
		}
		if isConstant {
			n++
		}
	}
	return n
}

// Split draws a number of the rows of bits at random (rows = 0: all), and a share of these for validation; the rest are
// for training. Rows keep their order. It returns an error if there are no rows or if all columns are constant.
func Split(bits []uint8, m, rows int, share float64, seed uint32) (*Data, error) {
	n := len(bits) / max(m, 1)
	if rows == 0 || rows > n {
		rows = n
	}
	d := &Data{M: m}
	isUsed := chooseRandomly(n, rows, rng.NewKey(seed, "rows", 0))
	isTest := chooseRandomly(rows, int(num.Mul(share, float64(rows))), rng.NewKey(seed, "validation", 0))
	for i := range n {
		if !isUsed[i] {
			continue
		}
		row := bits[i*m : (i+1)*m]
		if isTest[0] {
			d.Test = append(d.Test, row...)
		} else {
			d.Train = append(d.Train, row...)
		}
		isTest = isTest[1:]
	}
	if n == 0 {
		return nil, problem.New("train: there are no data")
	}
	if d.Constant() == m {
		return nil, problem.New("train: every column of the data is constant, so there is nothing to learn")
	}
	return d, nil
}

// chooseRandomly returns a slice of length n in which count random entries are true.
func chooseRandomly(n, count int, key rng.Key) []bool {
	out, order, s := make([]bool, n), make([]int, n), key.Stream(0, 0, 0)
	for i := range order {
		order[i] = i
	}
	for i := range count {
		j := i + s.Intn(n-i)
		order[i], order[j] = order[j], order[i]
		out[order[i]] = true
	}
	return out
}

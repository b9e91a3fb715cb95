package targets

import (
	"errors"
	"strings"

	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/models/ising"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// Target is a model with an exact log Z, in nats.
type Target struct {
	Name, Kind, About string
	// Cheap reports whether it is cheap enough for many replicates.
	Cheap bool
	// Open makes the model; load reads a bundled file by name.
	Open func(load loader) (models.Model, float64, error)
}

type loader = func(file string) ([]byte, error)

// All returns the targets: every kind of model, from easy ones to some with parts that methods miss.
func All() []Target {
	barsCD := rbm.Training{Hidden: 8, Steps: 1, Updates: 600, Batch: 16, Rate: .3, InitSD: .1, Seed: 1}
	barsPCD := barsCD
	barsPCD.Persistent, barsPCD.Steps = true, 5
	lattice := func(l1, l2 int, periodic bool) models.File {
		return ising.Params{L1: l1, L2: l2, Periodic: periodic, J: 1}
	}
	return []Target{
		cheap(builtin("mixture2", "")),
		builtin("mixture10", ""),
		builtin("mixture10", "hmc", "moves=1", "proposal=hmc"),
		cheap(file("hills-5", "Three hills in five dimensions.", Hills(5, 3, 4, -3, 1))),
		file("hills-20", "Three hills in twenty dimensions.", Hills(20, 3, 4, 100, 1)),
		file("hill-missed", "Two hills of equal mass, the base on one of them.", mixture.GaussianParams{D: 2, BaseSD: 1,
			Weights: []float64{.5, .5}, SDs: []float64{.5, .5}, Means: [][]float64{{0, 0}, {9, 0}}}),

		// Mixtures of Bernoulli distributions.
		builtin("bmm-digits", ""),
		cheap(summed("bmm", "bmm-30", "Three blurred pictures of 30 cells.", func() (models.File, float64) {
			return Pictures(30, 3, .85, 1)
		})),
		summed("bmm", "bmm-80", "Three sharp pictures of 80 cells.", func() (models.File, float64) {
			return Pictures(80, 3, .98, 2)
		}),

		// Ising models.
		cheap(file("ising-4x4", "A torus of 4 x 4 spins, beta 0.4.", lattice(4, 4, true), "beta=0.4")),
		file("ising-5x7", "5 x 7 spins with open boundaries, beta 0.3.", lattice(5, 7, false), "beta=0.3"),
		file("ising-8x8", "A torus of 8 x 8 spins, beta 0.5.", lattice(8, 8, true), "beta=0.5"),
		builtin("ising16", ""),

		// Restricted Boltzmann machines.
		cheap(file("rbm-10x5", "Random weights of sd 0.5.", RandomRBM(10, 5, .5, 1))),
		cheap(file("rbm-24x12", "Random weights of sd 0.3.", RandomRBM(24, 12, .3, 1))),
		file("rbm-40x16", "Random weights of sd 0.6.", RandomRBM(40, 16, .6, 7)),
		file("rbm-100x10", "Random weights of sd 0.4.", RandomRBM(100, 10, .4, 2)),
		trained("rbm-bars-cd", "Trained on bars and stripes of 4 x 4 cells by CD-1.", barsCD),
		cheap(trained("rbm-bars-pcd", "Trained on bars and stripes of 4 x 4 cells by PCD-5.", barsPCD)),
		summed("rbm", "rbm-two-hills", "Two modes 22 units apart, 26 x 26.", func() (models.File, float64) {
			return TwoHills()
		}),
		builtin("rbm-cd1-20", ""),
		builtin("rbm-cd25-20", ""),
		builtin("rbm-pcd-20", ""),
		builtin("rbm-pcd-20", "coins", "start=uniform"),

		// Gaussian process classification.
		builtin("gpc-ou", ""),
		cheap(factor("gpc-12", "12 data, one strong factor.", 12, 1)),
		factor("gpc-30", "30 data, one very strong factor.", 30, 6),

		// Conjugate models, with evidence in closed form.
		builtin("linreg-line", ""),
		builtin("betabinom-coin", ""),
		builtin("nig-12", ""),
	}
}

func cheap(t Target) Target { t.Cheap = true; return t }

// builtin returns a built-in model with key=value of its parameters; word is appended to its name.
func builtin(name, word string, set ...string) Target {
	e, _ := catalog.Kinds.Find(name)
	t := Target{Name: name, Kind: e.Kind.Name, About: "Built in."}
	if word != "" {
		t.Name, t.About = name+"-"+word, "Built in, with "+strings.Join(set, ", ")+"."
	}
	t.Open = func(load loader) (models.Model, float64, error) {
		m, err := catalog.Kinds.Open(name, values(e.Kind, set), load, nil)
		if err != nil {
			return nil, 0, err
		}
		return known(m)
	}
	return t
}

// known returns a model with its own exact value.
func known(m models.Model) (models.Model, float64, error) {
	if t := models.TruthOf(m); t != nil {
		return m, t.LogZ, nil
	}
	return nil, 0, errors.New("the model knows no exact log Z")
}

// file returns a model from the contents of a file, with key=value of the kind's parameters.
func file(name, about string, f models.File, set ...string) Target {
	return Target{Name: name, Kind: f.Kind().Name, About: about, Open: func(loader) (models.Model, float64, error) {
		m, err := open(name, f, set...)
		if err != nil {
			return nil, 0, err
		}
		return known(m)
	}}
}

// summed returns a model whose exact value is computed separately.
func summed(kind, name, about string, make func() (models.File, float64)) Target {
	return Target{Name: name, Kind: kind, About: about, Open: func(loader) (models.Model, float64, error) {
		f, exact := make()
		m, err := open(name, f)
		return m, exact, err
	}}
}

// trained returns an RBM trained on bars and stripes.
func trained(name, about string, t rbm.Training) Target {
	return Target{Name: name, Kind: "rbm", About: about, Open: func(loader) (models.Model, float64, error) {
		f, err := Bars(4, t)
		if err != nil {
			return nil, 0, err
		}
		m, err := open(name, f)
		if err != nil {
			return nil, 0, err
		}
		return known(m)
	}}
}

// factor returns a classifier of n data with one factor.
func factor(name, about string, n int, amplitude float64) Target {
	return summed("gpc", name, about, func() (models.File, float64) {
		s := rng.NewKey(1, "factor", n).Stream(0, 0, 0)
		return OneFactor(&s, n, amplitude)
	})
}

// open makes a model from the contents of a file.
func open(name string, f models.File, set ...string) (models.Model, error) {
	return models.FromFile(name, f, values(f.Kind(), set), nil)
}

// values returns the defaults of a kind's parameters, overridden by key=value.
func values(k *models.Kind, set []string) spec.Values {
	v := spec.Defaults(k.Params)
	for _, kv := range set {
		key, value, _ := strings.Cut(kv, "=")
		v[key] = value
	}
	return v
}

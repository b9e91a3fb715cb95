package models

import (
	"fmt"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/json"
	"logzlab/core/num"
	"logzlab/core/spec"
)

// Entry is a built-in model.
type Entry struct {
	Name, Kind string
	Truth      string // where its exact log Z comes from; "" where there is none
	About      string
	bundled    bool // parameters are in a file, Name + ".npz"; data in Name + ".bin"
}

// Builtin lists the built-in models in the order in which people meet them.
var Builtin = []Entry{
	{"mixture2", "gmm", "closed form", "Three hills of unequal mass in the plane, found from one wide hill.", false},
	{"mixture10", "gmm", "closed form", "Two narrow Gaussians, seven standard deviations apart, in ten dimensions.", false},
	{"ising16", "ising", "Kaufman", "A 16 x 16 Ising lattice close to its critical temperature.", false},
	{"rbm-cd1-20", "rbm", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by CD-1. CD-1 only shapes the density near the data, so its free samples do not look like digits.", true},
	{"rbm-cd25-20", "rbm", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by CD-25.", true},
	{"rbm-pcd-20", "rbm", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits by persistent CD.", true},
	{"rbm-pcd-100", "rbm", "", "A restricted Boltzmann machine with 100 hidden units, trained on MNIST digits by persistent CD.", true},
	{"rbm-cd1-500", "rbm", "", "A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by CD-1. CD-1 only shapes the density near the data, so its free samples do not look like digits.", true},
	{"rbm-cd25-500", "rbm", "", "A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by CD-25.", true},
	{"rbm-pcd-500", "rbm", "", "A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by persistent CD.", true},
	{"gpc-1d", "gpc", "", "A Gaussian process that classifies 30 points on a line: smooth random functions, held down by one label after the other.", false},
	{"gpc-ou", "gpc", "quadrature", "The same 30 points under rough random functions (Ornstein-Uhlenbeck), whose exact log Z is known after every label.", false},
	{"gpc-2d", "gpc", "", "A Gaussian process that classifies 60 points in two interlocking half rings.", false},
	{"gpc-mnist35", "gpc", "", "A Gaussian process that tells 100 handwritten threes from 100 fives (MNIST, averaged to 16 x 16).", true},
}

// Params are the parameters of a kind of model; "" means an own file, which may
// be of any kind.
func Params(kind string) []spec.Param {
	var out []spec.Param
	if kind == "ising" || kind == "" {
		out = append(out, spec.Param{Name: "beta", Type: "float", Default: "", Min: -100, Max: 100,
			Help: "Inverse temperature of the lattice; empty means the model's own, 0.44 where it names none."})
	}
	if kind == "rbm" || kind == "" {
		out = append(out, spec.Param{Name: "start", Type: "choice", Default: "rates", Choices: []string{"rates", "biases", "uniform"},
			Help: "The base that annealing starts from: the base rates of the data, the logistic of the visible biases, or coins (uniform)."})
		out = append(out, spec.Param{Name: "form", Type: "choice", Default: "marginal", Choices: []string{"marginal", "joint"},
			Help: "Whether the hidden units are summed out of every density (marginal) or kept (joint)."})
		out = append(out, spec.Param{Name: "order", Type: "choice", Default: "variance", Choices: Orders,
			Help: "The order in which rm and arm form the visible units: most varying first (variance), as they are numbered (natural), or shuffled once (random)."})
	}
	if kind == "gmm" || kind == "" {
		out = append(out, spec.Param{Name: "moves", Type: "int", Default: "4", Min: 1, Max: 10000,
			Help: "Metropolis-Hastings steps in one sweep."})
	}
	if kind == "gpc" || kind == "" {
		out = append(out, gpcParams...)
	}
	if kind == "gpc" { // own files take natural and random of the units' order
		out = append(out, spec.Param{Name: "order", Type: "choice", Default: "natural", Choices: []string{"natural", "random"},
			Help: "The order in which the data come, their own or a fixed random one."})
	}
	return out
}

// gpcParams are the parameters of a classifier; see NewGPC and gpcPath.
var gpcParams = []spec.Param{
	{Name: "kernel", Type: "choice", Default: "file", Choices: []string{"file", "rbf", "ou"},
		Help: "Covariance function: the model's own (rbf where it names none), squared exponential (rbf) or Ornstein-Uhlenbeck (ou)."},
	{Name: "amplitude", Type: "float", Default: "0", Min: 0, Max: spec.MaxAmplitude,
		Help: "Prior standard deviation of the latent function; 0 means the model's own, 1 where it names none."},
	{Name: "length", Type: "float", Default: "0", Min: 0, Max: 1e9,
		Help: "Length scale of the latent function; 0 means the model's own, the root mean square distance of the data where it names none."},
	{Name: "sampler", Type: "choice", Default: "hmc", Choices: []string{"hmc", "ess", "hmc_plain", "rmhmc"},
		Help: "Kernel of tempered runs: whitened Hamiltonian (hmc), elliptical slice (ess), Hamiltonian in the latent values (hmc_plain) or Riemannian (rmhmc, at most 100 data)."},
	{Name: "base", Type: "choice", Default: "prior", Choices: []string{"prior", "ep"},
		Help: "Where tempered runs start: from the prior, or from the Gaussian that expectation propagation finds (ep)."},
	{Name: "eps", Type: "float", Default: "0", Min: 0, Max: 100,
		Help: "Step of the Hamiltonian samplers; 0 means the sampler's own."},
	{Name: "leaps", Type: "int", Default: "0", Min: 0, Max: 10000,
		Help: "Leapfrog steps in one transition of the Hamiltonian samplers; 0 means the sampler's own."},
}

// DigitsFile holds the binarised test digits: 98 bytes each, row-major, most
// significant bit first.
const DigitsFile = "digits.bin"

// stagesSuffix ends the name of a file of exact log Z_n, n = 1..N, as little-endian
// float64, of a bundled model formed in the order of its file.
const stagesSuffix = "-stages.bin"

// Files lists the bundled files that a built-in model is made from.
func Files(name string) []string {
	for _, e := range Builtin {
		if e.Name == name && e.bundled && e.Kind == "gpc" {
			return []string{name + ".bin"}
		}
		if e.Name == name && e.bundled {
			files := []string{name + ".npz", DigitsFile}
			if e.Truth == "exact" {
				files = append(files, name+stagesSuffix)
			}
			return files
		}
	}
	return nil
}

// Open makes a built-in model. load fetches a bundled file by name.
func Open(name string, v spec.Values, load func(file string) ([]byte, error)) (Model, error) {
	i := slices.IndexFunc(Builtin, func(e Entry) bool { return e.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("model %q is not known", name)
	}
	e := Builtin[i]
	if e.Kind == "gpc" {
		return openData(e, v, load)
	}
	f := &spec.ModelFile{Kind: e.Kind}
	switch {
	case e.bundled:
		b, err := load(name + ".npz")
		if err != nil {
			return nil, err
		}
		if f, err = spec.ReadModelFile(b); err != nil {
			return nil, fmt.Errorf("bundled model %s: %w", name, err)
		}
	case name == "mixture2":
		f.GMM = &spec.GMMFile{D: 2, BaseSD: 4, LogC: 3, Weights: []float64{.5, .3, .2},
			Means: [][]float64{{-3.5, -1.5}, {3, 2.5}, {2.5, -3}}, SDs: []float64{.9, .6, .4}}
	case name == "mixture10":
		m := make([]float64, 10)
		n := make([]float64, 10)
		for i := range m {
			m[i], n[i] = 1.1067971810589328, -1.1067971810589328 // 3.5/sqrt(10)
		}
		f.GMM = &spec.GMMFile{D: 10, BaseSD: 3, LogC: 2.5, Weights: []float64{.5, .5}, Means: [][]float64{m, n}, SDs: []float64{1, 1}}
	case name == "ising16":
		f.Ising = &spec.IsingFile{L1: 16, L2: 16, Periodic: true, J: 1}
	}
	about := e.About
	var truth *Truth
	var data [][]uint8
	if e.bundled {
		var err error
		if truth, err = provenance(f.RBM.Provenance); err != nil {
			return nil, fmt.Errorf("bundled model %s: %w", name, err)
		}
		digits, err := load(DigitsFile)
		if err != nil {
			return nil, err
		}
		data = unpackDigits(digits, f.RBM.M)
	}
	p := RBMParams{Name: name, About: about, Truth: truth, Data: data, Picture: [2]int{28, 28}}
	if e.bundled {
		p.Ranked = f.RBM.Order
	}
	if e.bundled && e.Truth == "exact" {
		b, err := load(name + stagesSuffix)
		if err != nil {
			return nil, err
		}
		if len(b) != 8*f.RBM.M {
			return nil, fmt.Errorf("bundled model %s: its exact log Z_n are %d bytes, not 8 for each of %d units", name, len(b), f.RBM.M)
		}
		r := frame.Reader{B: b}
		for range f.RBM.M {
			p.Stages = append(p.Stages, r.Float())
		}
	}
	return build(f, v, p)
}

// FromFile makes a model from an own file. name is how results call it.
func FromFile(name string, f *spec.ModelFile, v spec.Values) (Model, error) {
	p := RBMParams{Name: name, About: "Your own model."}
	return build(f, v, p)
}

// build turns a parsed file into a model; extra carries what a file does not.
func build(f *spec.ModelFile, v spec.Values, extra RBMParams) (Model, error) {
	switch f.Kind {
	case "rbm":
		extra.M, extra.J, extra.W, extra.C, extra.B, extra.P1 = f.RBM.M, f.RBM.J, f.RBM.W, f.RBM.C, f.RBM.B, f.RBM.P1
		extra.Joint = v["form"] == "joint"
		extra.Order, extra.Rates = v["order"], f.RBM.P1
		extra.P1 = startRates(v["start"], extra.P1, extra.C)
		m, err := NewRBM(extra)
		if err != nil {
			return nil, err
		}
		if n := m.BaseBlocks(); n > 0 && max(m.M, m.J)<<min(m.M, m.J) <= smallWork {
			logw, mean := make([]float64, n), make([][]float64, n)
			for i := range logw {
				logw[i], mean[i] = m.BlockMean(i)
			}
			return m.WithBase(BaseRates(logw, mean))
		}
		return m, nil
	case "gmm":
		m, err := NewMixture(*f.GMM, v.Int("moves"))
		if err != nil {
			return nil, err
		}
		m.info.Name, m.info.About = extra.Name, extra.About
		return m, nil
	case "ising":
		beta := 0.44
		if f.Ising.Beta != nil {
			beta = *f.Ising.Beta
		}
		if v["beta"] != "" {
			beta = v.Float("beta")
		}
		m, err := NewIsing(*f.Ising, beta)
		if err != nil {
			return nil, err
		}
		m.info.Name, m.info.About = extra.Name, extra.About
		return m, nil
	case "gpc":
		m, err := NewGPC(*f.GPC, v)
		if err != nil {
			return nil, err
		}
		m.info.Name, m.info.About = extra.Name, extra.About
		return m, nil
	}
	return nil, fmt.Errorf("model file: kind %q is not known", f.Kind)
}

// startRates are the base rates that a choice of start asks for.
func startRates(start string, p1, c []float64) []float64 {
	if start != "biases" && start != "uniform" {
		return p1
	}
	out := make([]float64, len(c))
	for i := range out {
		out[i] = .5
		if start == "biases" {
			out[i] = num.Sigmoid(c[i])
		}
	}
	return out
}

// provenance reads the exact log Z of a bundled file, nil where it has none.
func provenance(b []byte) (*Truth, error) {
	bad := func(err error) (*Truth, error) { return nil, fmt.Errorf("provenance.json: %w", err) }
	p, err := json.ReadObject(b)
	if err != nil {
		return bad(err)
	}
	if p["logZ"].Null() {
		return nil, nil
	}
	z, err := p["logZ"].Object()
	if err != nil {
		return bad(err)
	}
	if z["source"].Null() || z["value"].Null() {
		return nil, nil
	}
	source, err := z["source"].Text()
	if err != nil {
		return bad(err)
	}
	value, err := z["value"].Number()
	if err != nil {
		return bad(err)
	}
	if source != "exact" {
		return nil, nil
	}
	return &Truth{value, "provenance of the bundled file (exact enumeration)"}, nil
}

// unpackDigits reads pictures of m binary pixels.
func unpackDigits(b []byte, m int) [][]uint8 {
	size := (m + 7) / 8
	var out [][]uint8
	for ; len(b) >= size; b = b[size:] {
		v := make([]uint8, m)
		unpackBits(v, b)
		out = append(out, v)
	}
	return out
}

// unpackBits is no part of Open, which a browser would compile again for it.
//
//go:noinline
func unpackBits(v []uint8, b []byte) {
	for i := range v {
		v[i] = b[i/8] >> (7 - i%8) & 1
	}
}

package spec

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"

	"logzlab/core/json"
	"logzlab/core/sha256"
)

// MaxInflated is the largest model file read, after decompression.
const MaxInflated = 256 << 20

// ModelFile is a parsed model file: one of its fields is set, by Kind. Shapes
// and finiteness have been checked; meaning is the model's business.
type ModelFile struct {
	Kind  string
	RBM   *RBMFile
	GMM   *GMMFile
	Ising *IsingFile
	GPC   *GPCFile
}

// RBMFile holds W (M x J, row-major), biases, and base rates where given.
type RBMFile struct {
	M, J       int
	W, C, B    []float64
	P1         []float64 // nil: not in the file
	Order      []int32   // visible units by variance of the data, of a bundled .npz, or nil
	Provenance []byte    // provenance.json of a bundled .npz, or nil
}

// GMMFile is a Gaussian mixture: base N(0, BaseSD^2 I), target
// exp(LogC) sum_j Weights_j N(Means_j, SDs_j^2 I).
type GMMFile struct {
	D            int
	BaseSD, LogC float64
	Weights, SDs []float64
	Means        [][]float64
}

// IsingFile is an L1 x L2 lattice with coupling J; Beta is nil when not given.
type IsingFile struct {
	L1, L2   int
	Periodic bool
	J        float64
	Beta     *float64
}

// FileID is the name by which links refer to a file: file:<12 hex digits>.
func FileID(b []byte) string {
	h := sha256.Sum(b)
	return "file:" + hex.EncodeToString(h[:6])
}

// ReadModelFile parses a JSON, .npz or CSV model file. Errors say what is wrong and
// where.
func ReadModelFile(b []byte) (*ModelFile, error) {
	if len(b) > MaxInflated {
		return nil, fmt.Errorf("model file: %d MB is more than the limit of 256 MB", len(b)>>20)
	}
	if bytes.HasPrefix(b, []byte("PK")) {
		r, err := readNPZ(b)
		if err != nil {
			return nil, err
		}
		return &ModelFile{Kind: "rbm", RBM: r}, nil
	}
	t := bytes.TrimLeft(b, " \t\r\n\ufeff")
	if len(t) == 0 {
		return nil, fmt.Errorf("model file: it is empty")
	}
	if t[0] != '{' {
		if isTable(t) {
			return readCSV(t)
		}
		return nil, fmt.Errorf("model file: neither .npz nor a JSON object nor a table of numbers (it starts with %q)", string(t[:min(len(t), 8)]))
	}
	return readJSON(t)
}

// fields reads what an object has. The first error stays, the readers give nothing
// then.
type fields struct {
	json.Object
	in  string // what errors put before names
	err error
}

// get reads one field; one that is null or not there is the zero T.
func get[T any](f *fields, name string, read func(json.Value) (T, error)) T {
	var x T
	if v := f.Object[name]; f.err == nil && !v.Null() {
		if x, f.err = read(v); f.err != nil {
			f.err = fmt.Errorf("model file: %s: %w", f.in+name, f.err)
		}
	}
	return x
}

// maybe is get for fields whose absence means something: nil.
func maybe[T any](f *fields, name string, read func(json.Value) (T, error)) *T {
	if f.Object[name].Null() {
		return nil
	}
	x := get(f, name, read)
	return &x
}

// readJSON parses the fields of one kind only, so that other fields are free.
func readJSON(b []byte) (*ModelFile, error) {
	o, err := json.ReadObject(b)
	if err != nil {
		return nil, fmt.Errorf("model file: not valid JSON: %v (numbers must be finite: no NaN, no Infinity)", err)
	}
	f := &fields{Object: o}
	kind := get(f, "kind", json.Value.Text)
	if f.err != nil {
		return nil, f.err
	}
	switch kind {
	case "rbm":
		return readRBM(f)
	case "gmm":
		return readGMM(f)
	case "ising":
		return readIsing(f)
	case "gpc":
		return readGPC(f)
	case "":
		return nil, fmt.Errorf("model file: field \"kind\" is missing; it must be \"rbm\", \"gmm\", \"ising\" or \"gpc\"")
	}
	return nil, fmt.Errorf("model file: unknown kind %q; it must be \"rbm\", \"gmm\", \"ising\" or \"gpc\"", kind)
}

func readRBM(f *fields) (*ModelFile, error) {
	w := get(f, "W", json.Value.Table)
	r := &RBMFile{M: len(w), C: get(f, "c_visible", json.Value.Numbers), B: get(f, "b_hidden", json.Value.Numbers), P1: get(f, "p1", json.Value.Numbers)}
	if f.err != nil {
		return nil, f.err
	}
	if r.M == 0 {
		return nil, fmt.Errorf("rbm file: W is missing or has no rows; it must be M x J, a row for each visible unit")
	}
	r.J = len(w[0])
	r.W = make([]float64, 0, r.M*r.J)
	for i, row := range w {
		if len(row) != r.J {
			return nil, fmt.Errorf("rbm file: W is ragged: row %d has %d columns, row 0 has %d", i, len(row), r.J)
		}
		r.W = append(r.W, row...)
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return &ModelFile{Kind: "rbm", RBM: r}, nil
}

// check verifies sizes and values, whatever the file format was.
func (r *RBMFile) check() error {
	if r.M < 1 || r.J < 1 {
		return fmt.Errorf("rbm file: W is %d x %d; there must be at least one visible and one hidden unit", r.M, r.J)
	}
	if len(r.C) != r.M {
		return fmt.Errorf("rbm file: c_visible (in .npz also a, c) has %d values, W has %d rows", len(r.C), r.M)
	}
	if len(r.B) != r.J {
		return fmt.Errorf("rbm file: b_hidden (in .npz also b) has %d values, W has %d columns", len(r.B), r.J)
	}
	if r.P1 != nil && len(r.P1) != r.M {
		return fmt.Errorf("rbm file: p1 has %d values, W has %d rows", len(r.P1), r.M)
	}
	for i, p := range r.P1 {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("rbm file: p1[%d] = %v is not a probability", i, p)
		}
	}
	for _, a := range []struct {
		name string
		x    []float64
	}{{"W", r.W}, {"c_visible", r.C}, {"b_hidden", r.B}} {
		for i, x := range a.x {
			if !finite(x) {
				at := fmt.Sprint(i)
				if a.name == "W" {
					at = fmt.Sprintf("%d][%d", i/r.J, i%r.J)
				}
				return fmt.Errorf("rbm file: %s[%s] is not finite", a.name, at)
			}
		}
	}
	return nil
}

func readGMM(f *fields) (*ModelFile, error) {
	g := &GMMFile{D: get(f, "d", json.Value.Int)}
	base, logC := maybe(f, "base_sd", json.Value.Number), maybe(f, "logC", json.Value.Number)
	g.Weights, g.Means, g.SDs = get(f, "weights", json.Value.Numbers), get(f, "means", json.Value.Table), get(f, "sds", json.Value.Numbers)
	if f.err != nil {
		return nil, f.err
	}
	if base == nil {
		return nil, fmt.Errorf("gmm file: base_sd is missing; it is the standard deviation of the base N(0, base_sd^2 I)")
	}
	if logC == nil {
		return nil, fmt.Errorf("gmm file: logC is missing; it is the log of the factor before the mixture, so log Z")
	}
	g.BaseSD, g.LogC = *base, *logC
	n := len(g.Weights)
	switch {
	case g.D < 1 || g.D > 1000:
		return nil, fmt.Errorf("gmm file: d = %d must be between 1 and 1000", g.D)
	case n < 1 || n > 10000:
		return nil, fmt.Errorf("gmm file: %d weights; there must be between 1 and 10000", n)
	case len(g.Means) != n || len(g.SDs) != n:
		return nil, fmt.Errorf("gmm file: %d weights, %d means, %d sds; they must be as many", n, len(g.Means), len(g.SDs))
	case !(g.BaseSD > 1e-6 && g.BaseSD < 1e6):
		return nil, fmt.Errorf("gmm file: base_sd = %v must be between 1e-6 and 1e6", g.BaseSD)
	case !(math.Abs(g.LogC) < 1e6):
		return nil, fmt.Errorf("gmm file: logC = %v is absurd", g.LogC)
	}
	sum := 0.0
	for j := range g.Weights {
		if !(g.Weights[j] > 0 && g.Weights[j] <= 1) {
			return nil, fmt.Errorf("gmm file: weights[%d] = %v must be in (0, 1]", j, g.Weights[j])
		}
		sum += g.Weights[j]
		if !(g.SDs[j] > 1e-6 && g.SDs[j] < 1e6) {
			return nil, fmt.Errorf("gmm file: sds[%d] = %v must be between 1e-6 and 1e6", j, g.SDs[j])
		}
		if len(g.Means[j]) != g.D {
			return nil, fmt.Errorf("gmm file: means[%d] has %d coordinates, d = %d", j, len(g.Means[j]), g.D)
		}
		for i, x := range g.Means[j] {
			if !(math.Abs(x) < 1e6) {
				return nil, fmt.Errorf("gmm file: means[%d][%d] = %v is absurd", j, i, x)
			}
			if math.Abs(x) > 1e6*min(g.SDs[j], g.BaseSD) {
				return nil, fmt.Errorf("gmm file: means[%d][%d] = %v is more than a million standard deviations away; no arithmetic resolves that", j, i, x)
			}
		}
	}
	if math.Abs(sum-1) > 1e-6 {
		return nil, fmt.Errorf("gmm file: weights sum to %v, not 1", sum)
	}
	return &ModelFile{Kind: "gmm", GMM: g}, nil
}

func readIsing(f *fields) (*ModelFile, error) {
	m := &IsingFile{L1: get(f, "L1", json.Value.Int), L2: get(f, "L2", json.Value.Int), J: 1, Beta: maybe(f, "beta", json.Value.Number)}
	periodic, j := maybe(f, "periodic", json.Value.Bool), maybe(f, "J", json.Value.Number)
	if f.err != nil {
		return nil, f.err
	}
	if periodic == nil {
		return nil, fmt.Errorf("ising file: periodic is missing; it must be true (torus) or false (open boundaries)")
	}
	m.Periodic = *periodic
	if j != nil {
		m.J = *j
	}
	if m.L1 < 1 || m.L2 < 1 || m.L1 > 1024 || m.L2 > 1024 || m.L1*m.L2 > 1<<16 {
		return nil, fmt.Errorf("ising file: %d x %d spins; each side must be between 1 and 1024, and the lattice at most 65536 spins", m.L1, m.L2)
	}
	if !(math.Abs(m.J) <= 100) {
		return nil, fmt.Errorf("ising file: J = %v is absurd", m.J)
	}
	if m.Beta != nil && !(math.Abs(*m.Beta) <= 100) {
		return nil, fmt.Errorf("ising file: beta = %v is absurd", *m.Beta)
	}
	return &ModelFile{Kind: "ising", Ising: m}, nil
}

func finite(x float64) bool { return x-x == 0 }

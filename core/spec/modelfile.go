package spec

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"

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

// list and table refuse null, which encoding/json would read as 0: other
// languages write NaN that way.
type (
	list  []float64
	table [][]float64
)

func (x *list) UnmarshalJSON(b []byte) error  { return unmarshalNumbers(b, (*[]float64)(x)) }
func (x *table) UnmarshalJSON(b []byte) error { return unmarshalNumbers(b, (*[][]float64)(x)) }

func unmarshalNumbers(b []byte, to any) error {
	if len(b) > 4 && bytes.Contains(b, []byte("null")) {
		return errors.New("there is a null among the numbers")
	}
	return json.Unmarshal(b, to)
}

// readJSON parses the fields of one kind only, so that other fields are free.
func readJSON(b []byte) (*ModelFile, error) {
	var f struct {
		Kind string `json:"kind"`
	}
	if err := unmarshal(b, &f); err != nil {
		return nil, err
	}
	switch f.Kind {
	case "rbm":
		return readRBM(b)
	case "gmm":
		return readGMM(b)
	case "ising":
		return readIsing(b)
	case "gpc":
		return readGPC(b)
	case "":
		return nil, fmt.Errorf("model file: field \"kind\" is missing; it must be \"rbm\", \"gmm\", \"ising\" or \"gpc\"")
	}
	return nil, fmt.Errorf("model file: unknown kind %q; it must be \"rbm\", \"gmm\", \"ising\" or \"gpc\"", f.Kind)
}

// unmarshal fills the struct that to points to. Names are matched exactly:
// encoding/json would let "w" overwrite "W".
func unmarshal(b []byte, to any) error {
	bad := func(err error) error {
		return fmt.Errorf("model file: not valid JSON: %v (numbers must be finite: no NaN, no Infinity)", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(b, &fields); err != nil {
		return bad(err)
	}
	v := reflect.ValueOf(to).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		if raw, ok := fields[name]; ok {
			if err := json.Unmarshal(raw, v.Field(i).Addr().Interface()); err != nil {
				return bad(fmt.Errorf("%s: %w", name, err))
			}
		}
	}
	return nil
}

func readRBM(b []byte) (*ModelFile, error) {
	var f struct {
		W  table `json:"W"`
		C  list  `json:"c_visible"`
		B  list  `json:"b_hidden"`
		P1 list  `json:"p1"`
	}
	if err := unmarshal(b, &f); err != nil {
		return nil, err
	}
	r := &RBMFile{M: len(f.W), C: f.C, B: f.B, P1: f.P1}
	if r.M == 0 {
		return nil, fmt.Errorf("rbm file: W is missing or has no rows; it must be M x J, a row for each visible unit")
	}
	r.J = len(f.W[0])
	r.W = make([]float64, 0, r.M*r.J)
	for i, row := range f.W {
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
		return fmt.Errorf("rbm file: c_visible (or a, c) has %d values, W has %d rows", len(r.C), r.M)
	}
	if len(r.B) != r.J {
		return fmt.Errorf("rbm file: b_hidden (or b) has %d values, W has %d columns", len(r.B), r.J)
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

func readGMM(b []byte) (*ModelFile, error) {
	var f struct {
		D       int      `json:"d"`
		BaseSD  *float64 `json:"base_sd"`
		LogC    *float64 `json:"logC"`
		Weights list     `json:"weights"`
		Means   table    `json:"means"`
		SDs     list     `json:"sds"`
	}
	if err := unmarshal(b, &f); err != nil {
		return nil, err
	}
	if f.BaseSD == nil {
		return nil, fmt.Errorf("gmm file: base_sd is missing; it is the standard deviation of the base N(0, base_sd^2 I)")
	}
	if f.LogC == nil {
		return nil, fmt.Errorf("gmm file: logC is missing; it is the log of the factor before the mixture, so log Z")
	}
	g := &GMMFile{D: f.D, BaseSD: *f.BaseSD, LogC: *f.LogC, Weights: f.Weights, SDs: f.SDs, Means: f.Means}
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

func readIsing(b []byte) (*ModelFile, error) {
	var f struct {
		L1       int      `json:"L1"`
		L2       int      `json:"L2"`
		Periodic *bool    `json:"periodic"`
		J        *float64 `json:"J"`
		Beta     *float64 `json:"beta"`
	}
	if err := unmarshal(b, &f); err != nil {
		return nil, err
	}
	m := &IsingFile{L1: f.L1, L2: f.L2, J: 1, Beta: f.Beta}
	if f.Periodic == nil {
		return nil, fmt.Errorf("ising file: periodic is missing; it must be true (torus) or false (open boundaries)")
	}
	m.Periodic = *f.Periodic
	if f.J != nil {
		m.J = *f.J
	}
	if m.L1 < 1 || m.L2 < 1 || m.L1 > 1024 || m.L2 > 1024 || m.L1*m.L2 > 1<<16 {
		return nil, fmt.Errorf("ising file: %d x %d spins; each side must be at least 1 and the lattice at most 65536 spins", m.L1, m.L2)
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

package labtest

import (
	"encoding/json"
	"maps"
	"math"
	"testing"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/internal/answers"
)

// Truth is a model file with its exact log Z, computed by independent code (package answers).
type Truth struct {
	Kind    string    `json:"kind"`
	LogZ    any       `json:"logZ"`
	Betas   []float64 `json:"betas"`
	LogZs   []float64 `json:"logZ_ladder"`
	Tol     float64   `json:"tol_abs"`
	Content []byte    // the whole file
}

// ReadTruth reads the file name.json of package answers.
func ReadTruth(t testing.TB, name string) *Truth {
	t.Helper()
	b := answers.Read(t, name+".json")
	f := &Truth{Content: b}
	if err := json.Unmarshal(b, f); err != nil {
		t.Fatal(err)
	}
	return f
}

// Open makes the model of a Truth as the command does, with parameters set. read must be Kinds.ReadFile, and open
// models.FromFile.
func Open[File, Model any](t testing.TB, f *Truth, set spec.Values, read func([]byte, *meter.Meter) (File, error),
	open func(string, File, spec.Values, *meter.Meter) (Model, error)) Model {
	t.Helper()
	file, err := read(f.Content, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := spec.Values{"moves": "4"}
	maps.Copy(v, set)
	m, err := open("own", file, v, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Enumerated is a model that is summed in blocks (models.Sum).
type Enumerated interface {
	Blocks(maxUnits int) (int, bool)
	LogBlocks(first int, out []float64)
}

// SumBlocks returns log Z by an enumeration, and the log sums of its blocks. It returns NaN if the model has more than
// maxUnits units.
func SumBlocks(m Enumerated, maxUnits int) (total float64, blocks []float64) {
	n, ok := m.Blocks(maxUnits)
	if !ok {
		return math.NaN(), nil
	}
	blocks = make([]float64, n)
	m.LogBlocks(0, blocks)
	return num.LogSumExp(blocks), blocks
}

// CheckFloor checks the lower bound of log Z that floor returns (models.Bounds.Floor): it must be at most log Z and at
// least log Z - within. It returns the bound.
func CheckFloor(t *testing.T, what string, floor func(going func() bool) (float64, string), logZ, within float64) float64 {
	t.Helper()
	z, kind := floor(func() bool { return true })
	if kind == "" || !(z <= logZ+1e-9 && z >= logZ-within) {
		t.Errorf("%s: floor %v of kind %q, exact %v", what, z, kind, logZ)
	}
	return z
}

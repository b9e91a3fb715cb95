package rbm

import (
	"encoding/binary"
	"fmt"
	"slices"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/models"
)

// Kind describes restricted Boltzmann machines to the catalogue of models: parameters, file formats, bundled models.
var Kind = models.Kind{Name: "rbm", Label: "RBM", Title: "RBMs trained on MNIST",
	Traits: models.Traits{Look: models.Pictures, HasSequence: true, Use: spec.Fills},
	Reader: modelfile.Reader[models.File]{Fields: readRBM, Arrays: readRBMArrays},
	Params: []spec.Param{
		{Name: "start", Type: "choice", Default: Starts[0], Choices: Starts,
			Help: "The base that annealing starts from: independent units with the rates of the data (rates), with " +
				"rates shifted slightly towards 1 (smoothed) or clipped to 0.05 and 0.95 (clipped); the logistic of " +
				"the visible biases (biases); the uniform distribution (uniform); or rates fitted to a short " +
				"preliminary run (fitted)."},
		{Name: "form", Type: "choice", Default: "marginal", Choices: []string{"marginal", "joint"}, For: spec.Bridges,
			Help: "Whether the hidden units are summed out of every density (marginal) or kept (joint)."},
		spec.Param{Name: "order", Type: "choice", Default: "variance", Choices: Orders, For: spec.Forms,
			Help: "The order in which rm and arm add the visible units, unless their parameter absent determines it: " +
				"by decreasing variance (variance), by number (natural), or random (random)."}.
			Unless("absent", models.Sampled),
		clamp,
	},
	Own: []spec.Param{paramData, paramTranspose, paramPath},
	Entries: []models.Entry{
		bundled("rbm-cd1-20", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits "+
			"by CD-1. CD-1 only shapes the density near the data, so its free samples do not look like digits."),
		bundled("rbm-cd25-20", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits "+
			"by CD-25."),
		bundled("rbm-pcd-20", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST digits "+
			"by persistent CD."),
		bundled("rbm-plain-cd1-20", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST "+
			"digits by CD-1 with the plain gradient at a fixed rate, as in the VAROPT paper."),
		bundled("rbm-plain-cd25-20", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST "+
			"digits by CD-25 with the plain gradient at a fixed rate, as in the VAROPT paper."),
		bundled("rbm-plain-pcd-20", "exact", "A restricted Boltzmann machine with 20 hidden units, trained on MNIST "+
			"digits by persistent CD with the plain gradient at a fixed rate, as in the VAROPT paper."),
		bundled("rbm-pcd-100", "", "A restricted Boltzmann machine with 100 hidden units, trained on MNIST digits by "+
			"persistent CD."),
		bundled("rbm-cd1-500", "", "A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by "+
			"CD-1. CD-1 only shapes the density near the data, so its free samples do not look like digits."),
		bundled("rbm-cd25-500", "", "A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by "+
			"CD-25."),
		bundled("rbm-pcd-500", "", "A restricted Boltzmann machine with 500 hidden units, trained on MNIST digits by "+
			"persistent CD."),
	},
}

// Kind returns the variable Kind.
func (p Params) Kind() *models.Kind { return &Kind }

// Open returns the model with the parameters of v, clamped if v clamps pixels. If base rates are missing and the RBM is
// small (smallWork), Open computes them by enumeration.
func (p Params) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	var set struct {
		Data      string `param:"data"`
		Transpose string `param:"transpose"`
		Form      string `param:"form"`
		Order     string `param:"order"`
		Start     string `param:"start"`
		Clamp     string `param:"clamp"`
	}
	v.Fill(&set)
	p, err := p.withData(set.Data)
	if err != nil {
		return nil, err
	}
	if p, err = p.transposed(set.Transpose, w); err != nil {
		return nil, err
	}
	p.Name, p.About, p.summary = name, about, p.Summary()
	p.Joint, p.Order, p.Rates, p.Start = set.Form == "joint", set.Order, p.P1, set.Start
	fixed, err := frame.ReadDrawing(set.Clamp)
	if err != nil {
		return nil, err
	}
	if len(fixed) > 0 {
		m, err := p.clamped(fixed, w)
		if err != nil {
			return nil, err
		}
		return withSmallBase(m, m.Model, w)
	}
	m, err := New(p, w)
	if err != nil {
		return nil, err
	}
	return withSmallBase(m, m, w)
}

// withSmallBase returns model with base rates of its RBM m, if they are missing and the enumeration is fast.
func withSmallBase(model models.Model, m *Model, w *meter.Meter) (models.Model, error) {
	n := m.BaseBlocks()
	if n == 0 || max(m.M, m.J)<<min(m.M, m.J) > smallWork {
		return model, nil
	}
	logw, mean := make([]float64, n), make([][]float64, n)
	for i := range logw {
		logw[i], mean[i] = m.BlockMean(i)
	}
	return models.CapabilitiesOf(model).Base.Finder.WithBase(models.BaseRates(logw, mean), w)
}

// readRBM reads a JSON file with the fields W (M rows of J numbers), c_visible, b_hidden and optionally p1.
func readRBM(f *modelfile.Fields) (models.File, error) {
	if err := rejectForeignFields(f.Object, ""); err != nil {
		return nil, err
	}
	if err := renameHint(f.Object); err != nil {
		return nil, err
	}
	w := modelfile.Get(f, "W", json.Value.Table)
	r := Params{M: len(w), C: modelfile.Get(f, "c_visible", json.Value.Numbers),
		B: modelfile.Get(f, "b_hidden", json.Value.Numbers), P1: modelfile.Get(f, "p1", json.Value.Numbers)}
	if f.Err != nil {
		return nil, f.Err
	}
	if r.M == 0 {
		return nil, problem.New("rbm file: W is missing or has no rows; it must be M x J, a row for each visible unit")
	}
	r.J = len(w[0])
	for i, row := range w {
		if len(row) != r.J {
			return nil, problem.New("rbm file: W is ragged: row %d has %d columns, row 0 has %d", i, len(row), r.J)
		}
	}
	r.W, r.unread = w[0][:r.M*r.J], f.Unread()
	return r.checked()
}

// checked returns p, with P1 = Means if P1 is missing, or an error that names a size that does not fit, a rate outside
// [0, 1] or a value that is not finite.
func (p Params) checked() (models.File, error) {
	if p.M < 1 || p.J < 1 {
		return nil, problem.New("rbm file: W is %d x %d; there must be at least one visible and one hidden unit", p.M, p.J)
	}
	if p.M != p.J && len(p.C) == p.J && len(p.B) == p.M {
		return nil, problem.New("rbm file: W is %d x %d, for %d visible and %d hidden biases: it must be visible x hidden, "+
			"so give its transpose, W.T", p.M, p.J, len(p.C), len(p.B))
	}

	for _, b := range []struct {
		name, npzNames, axis string
		n, want              int
	}{{"c_visible", "a or c", "rows", len(p.C), p.M}, {"b_hidden", "b", "columns", len(p.B), p.J}} {
		if b.n == 0 {
			return nil, problem.New("rbm file: %s is missing; it has a bias for each of W's %d %s (the name %s is for .npz "+
				"only); an RBM without these has zeros", b.name, b.want, b.axis, b.npzNames)
		}
		if b.n != b.want {
			return nil, problem.New("rbm file: %s has %d values, W has %d %s", b.name, b.n, b.want, b.axis)
		}
	}

	for _, rates := range []struct {
		name string
		x    []float64
	}{{"p1", p.P1}, {"data_means", p.Means}} {
		if rates.x != nil && len(rates.x) != p.M {
			return nil, problem.New("rbm file: %s has %d values, W has %d rows", rates.name, len(rates.x), p.M)
		}
		for i, x := range rates.x {
			if !(x >= 0 && x <= 1) {
				return nil, problem.New("rbm file: %s[%d] = %v is not a probability", rates.name, i, x)
			}
		}
	}
	if p.P1 == nil {
		p.P1 = p.Means
	}

	// All values must be finite.
	for _, a := range []struct {
		name string
		x    []float64
	}{{"W", p.W}, {"c_visible", p.C}, {"b_hidden", p.B}} {
		if !num.AllFinite(a.x) {
			i := slices.IndexFunc(a.x, func(x float64) bool { return !num.Finite(x) })
			index := fmt.Sprint(i)
			if a.name == "W" {
				index = fmt.Sprintf("%d][%d", i/p.J, i%p.J)
			}
			return nil, problem.New("rbm file: %s[%s] is not finite", a.name, index)
		}
	}
	return p, nil
}

// DigitsFile is a zip archive. Its member DigitsMember holds 2000 (Digits) binarised MNIST test digits of 98 bytes
// each, row-major, most significant bit first.
const (
	DigitsFile   = "digits.zip"
	DigitsMember = "digits.bin"
	Digits       = 2000
)

// stagesSuffix is the suffix of a file with exact log Z_n, n = 1..M, of a bundled model as little-endian float64: first
// in the unit order of the model's .npz file with absent units off, then in the order of FillSampled.
const stagesSuffix = "-stages.bin"

// bundled is the entry of an RBM trained on MNIST: parameters in NAME.npz, digits for reverse chains, and, if log Z is
// exact, log Z of every stage. It is not inlined because it initialises package variables: see RATIONALE.md.
//
//go:noinline
func bundled(name, truth, about string) models.Entry {
	files := []string{name + ".npz", DigitsFile}
	if truth == "exact" {
		files = append(files, name+stagesSuffix)
	}
	return models.Entry{Name: name, Truth: truth, About: about, Files: files,
		Make: func(load func(string) ([]byte, error), m *meter.Meter) (models.File, error) {
			data := make([][]byte, len(files))
			for i, f := range files {
				var err error
				if data[i], err = load(f); err != nil {
					return nil, err
				}
			}

			// Read the parameters, and log Z if the file has it.
			f, err := modelfile.Read(data[0], []modelfile.Reader[models.File]{{Arrays: readRBMArrays}}, m)
			if err != nil {
				return nil, err
			}
			p := f.(Params)
			if p.Truth, err = provenance(p.Provenance); err != nil {
				return nil, err
			}

			// Digits for the reverse chains.
			p.packedData = data[1]
			p.Picture = [2]int{28, 28}

			// The exact log Z of every stage.
			if truth == "exact" {
				if len(data[2]) != 16*p.M {
					return nil, problem.New("its exact log Z_n are %d bytes, not 16 for each of %d units",
						len(data[2]), p.M)
				}
				p.Stages = [2][]float64{readStages(data[2][:8*p.M]), readStages(data[2][8*p.M:])}
			}
			return p, nil
		}}
}

// readStages decodes little-endian float64 numbers.
func readStages(b []byte) (logZ []float64) {
	for r := (wire.Reader{B: b}); len(r.B) > 0; {
		logZ = append(logZ, r.Float())
	}
	return logZ
}

// provenance reads the exact log Z of a bundled file; nil if it has none.
func provenance(b []byte) (*models.Truth, error) {
	wrap := func(err error) (*models.Truth, error) { return nil, problem.New("provenance.json: %w", err) }
	p, err := json.ReadObject(b, nil)
	if err != nil {
		return wrap(err)
	}
	if p["logZ"].IsNull() {
		return nil, nil
	}
	z, err := p["logZ"].Object()
	if err != nil {
		return wrap(err)
	}
	if z["source"].IsNull() || z["value"].IsNull() {
		return nil, nil
	}
	source, err := z["source"].Text()
	if err != nil {
		return wrap(err)
	}
	value, err := z["value"].Number()
	if err != nil {
		return wrap(err)
	}
	if source != "exact" {
		return nil, nil
	}
	return &models.Truth{LogZ: value, Source: "provenance of the bundled file (exact enumeration)"}, nil
}

// ReadDigits unpacks DigitsFile into pictures of m binary pixels. The meter, which may be nil, limits memory and time.
func ReadDigits(file []byte, m int, watch *meter.Meter) ([][]uint8, error) {
	packed, err := modelfile.Read(file, []modelfile.Reader[[]byte]{{
		Arrays: func(a *modelfile.Arrays) ([]byte, error) { return a.Bytes(DigitsMember) }}}, watch)
	if err != nil {
		return nil, err
	}
	size := (m + 7) / 8
	n := len(packed) / size
	bits := make([]byte, 8*size*n)
	unpackBits(bits, packed[:size*n])
	out := make([][]uint8, n)
	for i := range out {
		out[i] = bits[8*size*i:][:m:m]
	}
	return out, nil
}

// unpackBits writes eight bytes of 0 or 1 for each byte, most significant bit first.
func unpackBits(bits, packed []byte) {
	var spread [256]uint64 // bits of each byte, the first bit in the lowest byte
	for b := range spread {
		for k := range 8 {
			spread[b] |= uint64(b>>(7-k)&1) << (8 * k)
		}
	}
	for i, b := range packed {
		binary.LittleEndian.PutUint64(bits[8*i:], spread[b])
	}
}

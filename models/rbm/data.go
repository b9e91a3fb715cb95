package rbm

import (
	"math"
	"slices"
	"strings"
	"sync"

	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
)

// paramData is the parameter that selects a file of data rows for a user's RBM.
var paramData = spec.Param{Name: "data", Type: "string", Check: func(s string) (string, error) {
	if s = strings.ToLower(s); s != "" && !spec.IsFile("file:"+s) {
		return "", problem.New("%q is not the 12 hexadecimal characters of a file of data rows", s)
	}
	return s, nil
}, Help: "Data rows for a model of your own, by the first 12 hexadecimal characters of the SHA-256 of their " +
	"file: they give the base rates, if the model has none or start uses those of the data, and the starting " +
	"points of raise."}

// rowsFile holds a user's file of data rows for an RBM.
type rowsFile struct {
	id   string    // 12 hexadecimal characters
	mean []float64 // base rates: (n_i + 1/2)/(N + 1)
	raw  []float64 // n_i/N: unit i is on in n_i of N rows
	bits [][]uint8 // rows, rounded: values from 1/2 on are 1
	note error     // describes ignored columns and rounding; nil if none
}

// WithRows returns a user's RBM together with a file of data rows, and the value of the parameter data that selects
// them. Without that value the model ignores the rows. The meter, which may be nil, limits memory and time.
func WithRows(f models.File, b []byte, m *meter.Meter) (models.File, string, error) {
	p, ok := f.(Params)
	if !ok {
		return nil, "", problem.New("data rows belong to an RBM of your own; give one as the model")
	}
	bits, mean, note, err := modelfile.ReadRows(b, p.M, m)
	if err != nil {
		return nil, "", err
	}
	n := len(bits) / p.M
	on := make([]float64, p.M)
	for i, bit := range bits {
		on[i%p.M] += float64(bit)
	}
	if !slices.Equal(on, mean) {
		note = models.JoinPhrases(problem.New("rounded to 0 and 1"), note)
	}
	r := &rowsFile{id: strings.TrimPrefix(modelfile.ID(b), "file:"), mean: mean, note: note}
	for i, sum := range mean {
		mean[i] = (sum + .5) / float64(n+1)
		r.raw = append(r.raw, sum/float64(n))
	}
	for k := range n {
		r.bits = append(r.bits, bits[k*p.M:(k+1)*p.M:(k+1)*p.M])
	}
	p.dataRows = r
	return p, r.id, nil
}

// withData applies the parameter data. The selected rows become the data, and their means become Means, and P1 if the
// model has no base rates. id is the value of the parameter; an error says that its file is missing.
func (p Params) withData(id string) (Params, error) {
	if id == "" {
		return p, nil
	}
	if p.dataRows == nil || p.dataRows.id != id {
		return p, problem.New("data=%s names a file of data rows; give that file, too", id)
	}
	p.Data, p.Means, p.Rows = p.dataRows.bits, p.dataRows.raw, len(p.dataRows.bits)
	if p.P1 == nil {
		p.P1 = p.dataRows.mean
	}
	return p, nil
}

// examples are n data rows, unpacked on first use.
type examples struct {
	n         int
	userGiven bool // the user provided the rows
	rows      func() [][]uint8
}

func (p Params) examples() examples {
	data, packed, m := p.Data, p.packedData, p.M
	if data != nil || packed == nil {
		return examples{len(data), len(data) > 0, func() [][]uint8 { return data }}
	}
	return examples{Digits, false, sync.OnceValue(func() [][]uint8 {
		rows, err := ReadDigits(packed, m, nil)
		if err != nil {
			panic(err) // the hash of the file was checked when it was fetched
		}
		return rows
	})}
}

// DataCount returns the number of data rows.
func (m *Model) DataCount() int { return m.data.n }

// OwnData reports whether the user provided the data.
func (m *Model) OwnData() bool { return m.data.userGiven }

// pseudoWork limits the softplus evaluations of a mean pseudo-log-likelihood.
const pseudoWork = 1e8

// MeanLogPseudoLikelihood returns the mean over the data of the pseudo-log-likelihood sum_i log p(v_i | the others) in
// nats, or NaN if keepGoing returns false. Large models use the first data only (pseudoWork). A flip of unit i changes
// the hidden inputs x = b + W'v by row i of W.
func (m *Model) MeanLogPseudoLikelihood(keepGoing func() bool) float64 {
	n, x, sum := min(m.data.n, max(int(pseudoWork/float64(m.M*m.J)), 1)), make([]float64, m.J), 0.0
	for _, v := range m.data.rows()[:n] {
		if !keepGoing() {
			return math.NaN()
		}
		for j, b := range m.b {
			x[j] = num.Mul(float64(b), m.unit)
		}
		for i, on := range v {
			if on != 0 {
				addScaled(x, m.w[i*m.J:(i+1)*m.J], m.unit)
			}
		}
		sum += m.pseudoLogLikelihood(v, x)
	}
	return sum / float64(n)
}

// pseudoLogLikelihood returns the pseudo-log-likelihood of a datum v with inputs x: if flipping unit i changes log f by
// d, then log p(v_i | the others) = -softplus(d).
func (m *Model) pseudoLogLikelihood(v []uint8, x []float64) (sum float64) {
	current := 0.0
	for _, y := range x {
		current += num.Softplus(y)
	}
	for i, on := range v {
		sign := m.unit
		if on != 0 {
			sign = -m.unit
		}
		d := num.Mul(float64(m.c[i]), sign) - current
		for j, w := range m.w[i*m.J : (i+1)*m.J] {
			d += num.Softplus(x[j] + num.Mul(float64(w), sign))
		}
		sum -= num.Softplus(d)
	}
	return sum
}

// LogData sets out[r] to log f(v) = c.v + sum_j softplus(x_j) of row r, x = b + W'v, in nats: h is summed out even in
// the joint form.
func (p *population) LogData(out []float64) {
	p.Softplus(0, len(out), []float64{p.m.unit}, out, false)
	for r := range out {
		out[r] += num.Mul(float64(p.LinC[r]), p.m.unit)
	}
}

// DrawData sets rows to data, a different datum for each slot as long as there are enough. It returns false if there
// are no data.
func (p *population) DrawData(at rng.At) bool {
	if p.m.data.n == 0 {
		return false
	}
	for r := range p.LinC {
		v, h, actH, _ := p.Row(r)
		copy(v, p.m.data.rows()[(int(at.Slot)+r)%p.m.data.n])
		p.Rebuild(r)
		s := at.Row(r)
		kernel.Layer{N: p.m.J, Scale: p.scale[len(p.scale)-1]}.Draw(&s, actH, h, p.On, p.Off)
		p.Rebuild(r)
	}
	return true
}

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

// paramData is the parameter of own RBMs that asks for data rows.
var paramData = spec.Param{Name: "data", Type: "string", Check: func(s string) (string, error) {
	if s = strings.ToLower(s); s != "" && !spec.IsFile("file:"+s) {
		return "", problem.New("%q is not the 12 hex digits of a file of data rows", s)
	}
	return s, nil
}, Help: "Data rows beside a model of your own, by the first 12 hex digits of the SHA-256 of their file: they give " +
	"the base rates, if the model has none or start asks for those of the data, and what raise starts from."}

// rowsFile are data rows beside a machine.
type rowsFile struct {
	id   string    // 12 hex digits
	mean []float64 // base rates: (n_i + 1/2)/(N + 1)
	raw  []float64 // n_i/N, of N rows that have unit i on n_i times
	bits [][]uint8 // rows, on from one half on
	note error     // a phrase of columns that are no units, and of what was rounded; nil: nothing
}

// WithRows is an own RBM with the file of data rows beside it, and the value of the parameter data that asks for them.
// A model without that value takes no notice of the rows. The meter, which may be nil, watches memory and time.
func WithRows(f models.File, b []byte, m *meter.Meter) (models.File, string, error) {
	p, ok := f.(Params)
	if !ok {
		return nil, "", problem.New("data rows can stand beside an RBM of your own; give one as the model")
	}
	bits, mean, left, err := modelfile.ReadRows(b, p.M, m)
	if err != nil {
		return nil, "", err
	}
	n := len(bits) / p.M
	on := make([]float64, p.M)
	for i, bit := range bits {
		on[i%p.M] += float64(bit)
	}
	if !slices.Equal(on, mean) {
		left = models.JoinPhrases(problem.New("rounded to 0 and 1"), left)
	}
	r := &rowsFile{id: strings.TrimPrefix(modelfile.ID(b), "file:"), mean: mean, note: left}
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

// placed is the machine with the rows that a value of the parameter data asks for: its data, the means that a start may
// take as they are, and its base rates if it has none.
func (p Params) withData(id string) (Params, error) {
	if id == "" {
		return p, nil
	}
	if p.dataRows == nil || p.dataRows.id != id {
		return p, problem.New("data=%s asks for a file of data rows; give that file, too", id)
	}
	p.Data, p.Means, p.Rows = p.dataRows.bits, p.dataRows.raw, len(p.dataRows.bits)
	if p.P1 == nil {
		p.P1 = p.dataRows.mean
	}
	return p, nil
}

// examples are n rows, unpacked when they are first asked for.
type examples struct {
	n         int
	userGiven bool // rows that a user gave
	rows      func() [][]uint8
}

func (p Params) examples() examples {
	given, packed, m := p.Data, p.packedData, p.M
	if given != nil || packed == nil {
		return examples{len(given), len(given) > 0, func() [][]uint8 { return given }}
	}
	return examples{Digits, false, sync.OnceValue(func() [][]uint8 {
		rows, err := ReadDigits(packed, m, nil)
		if err != nil {
			panic(err) // who fetched the file has compared its hash
		}
		return rows
	})}
}

// Data is the number of data.
func (m *Model) Data() int { return m.data.n }

// OwnData reports whether a user gave the data.
func (m *Model) OwnData() bool { return m.data.userGiven }

// pseudoWork bounds the softplus functions of a mean pseudo-log-likelihood.
const pseudoWork = 1e8

// MeanPseudo needs x = b + W'v of each datum v, which a unit that flips moves by its row of W.
func (m *Model) MeanPseudo(going func() bool) float64 {
	n, x, sum := min(m.data.n, max(int(pseudoWork/float64(m.M*m.J)), 1)), make([]float64, m.J), 0.0
	for _, v := range m.data.rows()[:n] {
		if !going() {
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

// pseudo is the pseudo-log-likelihood of a datum v with the sums x: with unit i flipped log f changes by d, and
// log p(v_i | the others) = -softplus(d).
func (m *Model) pseudoLogLikelihood(v []uint8, x []float64) (sum float64) {
	above := 0.0
	for _, y := range x {
		above += num.Softplus(y)
	}
	for i, on := range v {
		sign := m.unit
		if on != 0 {
			sign = -m.unit
		}
		d := num.Mul(float64(m.c[i]), sign) - above
		for j, w := range m.w[i*m.J : (i+1)*m.J] {
			d += num.Softplus(x[j] + num.Mul(float64(w), sign))
		}
		sum -= num.Softplus(d)
	}
	return sum
}

// LogData is c.v + sum_j softplus(x_j), x = b + W'v, in either form.
func (p *population) LogData(out []float64) {
	p.Softplus(0, len(out), []float64{p.m.unit}, out, false)
	for r := range out {
		out[r] += num.Mul(float64(p.LinC[r]), p.m.unit)
	}
}

// DrawData sets rows to data, a different datum for each slot while they last.
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

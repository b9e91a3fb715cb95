package rbm

import (
	"math"
	"slices"
	"sync"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/models"
)

// sequences holds the sequences of an RBM: one for each element of models.AbsentValues, and the one fitted to the
// latest samples.
type sequences struct {
	fixed [3]sequence
	fittedSequence
}

// sequence holds the parameters of an RBM with the visible units in the order in which they are added, computed on
// first use.
type sequence struct {
	m        *Model
	once     sync.Once
	order    []int32 // order[n] is the visible unit added at stage n+1
	cell     []int32 // order, nil if the order is the natural one
	c        []int32 // visible biases in this order
	net      *kernel.Net
	fill     [][]int64 // W_i mu_i of each absent unit, packed; nil if mu = 0
	skips    []bool    // by stage; nil if particles move at every stage
	logZOnce sync.Once
	logZ     []float64 // log Z_1..log Z_M, set by StageLogZ
}

// Fill returns the sequence of one of models.AbsentValues: absent units are off, at their base rates, or at means from
// a few steps of mean field.
func (m *Model) Fill(absent string) models.Sequence {
	return m.sequence(max(slices.Index(models.AbsentValues, absent), 0))
}

// Stages returns the number of visible units.
func (m *Model) Stages() int { return m.M }

// NewParticles returns particles that are formed unit by unit, with absent units off.
func (m *Model) NewParticles() models.Particles { return m.sequence(0).NewParticles() }

// StageLogZ returns log Z_1..log Z_N in nats with absent units off, NaN if unknown.
func (m *Model) StageLogZ() []float64 { return m.sequence(0).StageLogZ() }

// SkipsMoves reports whether particles are not moved at a stage.
func (m *Model) SkipsMoves(stage int) bool { return m.sequence(0).SkipsMoves(stage) }

// sequence returns the sequence of models.AbsentValues[absent].
func (m *Model) sequence(absent int) *sequence {
	s := &m.seq.fixed[absent]
	s.once.Do(func() {
		if absent == 0 {
			s.setOrder(m, m.order)
			return
		}
		off := m.sequence(0)
		s.m, s.order, s.cell, s.c, s.net = m, off.order, off.cell, off.c, off.net
		mean := m.rates
		if absent == 2 {
			mean = m.meanField()
		}
		s.packFill(func(u, j int) float64 { return float64(m.w[u*m.J+j]) * mean[u] })
	})
	return s
}

// setOrder sets the parameters to those of m with the visible units in the given order.
func (s *sequence) setOrder(m *Model, order []int32) {
	s.m, s.order, s.net = m, order, m.net
	s.c = make([]int32, m.M)
	for i, u := range order {
		s.c[i] = m.c[u]
		if int32(i) != u {
			s.cell = order
		}
	}
	if s.cell != nil {
		s.net = &kernel.Net{B0: m.net.B0, C0: kernel.Pack(s.c), C: s.c, G: s.c, Base: m.net.Base,
			VH: kernel.NewMatrix(m.M, m.J, func(i, j int) int32 { return m.w[int(order[i])*m.J+j] }),
			HV: kernel.NewMatrix(m.J, m.M, func(j, i int) int32 { return m.w[int(order[i])*m.J+j] })}
	}
}

// packFill sets fill, the contribution of each absent unit to the inputs of the hidden units: fill(u, j) is that of
// visible unit u to hidden unit j in units of 2^-s.
func (s *sequence) packFill(fill func(u, j int) float64) {
	s.fill = make([][]int64, s.m.M)
	row := make([]int32, s.m.J)
	for i, u := range s.order {
		for j := range row {
			row[j] = int32(math.RoundToEven(fill(int(u), j)))
		}
		s.fill[i] = kernel.Pack(row)
	}
}

// meanFieldSteps is small, so that the means of a model with many modes do not converge to one of them.
const meanFieldSteps = 3

// meanField returns base rates improved by mu_i = sigmoid(c_i + sum_j W_ij sigmoid(b_j + sum_k W_kj mu_k)).
func (m *Model) meanField() []float64 {
	mu := slices.Clone(m.rates)
	h, v := make([]float64, m.J), make([]float64, m.M)
	for range meanFieldSteps {
		for j := range h {
			h[j] = float64(m.b[j])
		}
		for i, x := range mu {
			addScaled(h, m.w[i*m.J:(i+1)*m.J], x)
		}
		for j, x := range h {
			h[j] = num.Sigmoid(num.Mul(x, m.unit))
		}
		for i := range v {
			v[i] = float64(m.c[i])
			for j, w := range m.w[i*m.J : (i+1)*m.J] {
				v[i] += num.Mul(float64(w), h[j])
			}
			mu[i] = num.Sigmoid(num.Mul(v[i], m.unit))
		}
	}
	return mu
}

// addScaled adds x w to sum.
func addScaled(sum []float64, w []int32, x float64) {
	for j, w := range w {
		sum[j] += num.Mul(float64(w), x)
	}
}

func (s *sequence) Stages() int { return s.m.M }

func (s *sequence) SkipsMoves(stage int) bool { return s.skips != nil && s.skips[stage] }

// base sets out to the packed hidden inputs at stage n with all present units off, b + sum_{i>n} W_i mu_i.
func (s *sequence) base(n int, out []int64) {
	copy(out, s.m.net.B0)
	if s.fill != nil {
		for _, row := range s.fill[n:] {
			add(out, row, 1)
		}
	}
}

// add adds sign x to packed sums.
func add(sums, x []int64, sign int64) {
	for k, x := range x {
		sums[k] += sign * x
	}
}

// stageWork limits the enumeration of StageLogZ, in states times units.
const stageWork = 1 << 20

// StageLogZ returns log Z_1..log Z_N in nats, NaN where unknown. Some bundled models have these values in a file.
// Otherwise StageLogZ computes them by enumeration: over the hidden units if there are few, or over the first visible
// units for the stages that stageWork allows. The last value is the exact log Z of the model if that is known.
func (s *sequence) StageLogZ() []float64 {
	m := s.m
	s.logZOnce.Do(func() {
		if s.logZ != nil {
			return // from a file
		}
		s.logZ = make([]float64, m.M)
		for n := range s.logZ {
			s.logZ[n] = math.NaN()
		}
		if m.J < 40 && m.M<<m.J <= stageWork {
			s.enumerateHidden()
		} else {
			s.enumerateVisible()
		}
		if t := m.Truth(); t != nil {
			s.logZ[m.M-1] = t.LogZ
		}
	})
	return s.logZ
}

// Enumerate computes log Z_1..log Z_N in nats by enumeration of the hidden units, which takes 2^J states.
func (s *sequence) Enumerate() []float64 {
	s.logZ = make([]float64, s.m.M)
	s.enumerateHidden()
	return s.logZ
}

// enumerateHidden computes Z_n = sum_h exp(b.h + sum_{i>n} mu_i W_i h) prod_{i<=n} (1 + exp(c_i + W_i h)).
func (s *sequence) enumerateHidden() {
	m := s.m
	sums := make([]num.LSE, m.M)
	act := make([]int64, len(s.net.C0))
	h := make([]int32, 0, m.J)

	for state := range 1 << m.J {
		h = h[:0]
		var bias int64
		for j := range m.J {
			if state>>j&1 == 1 {
				h = append(h, int32(j))
				bias += int64(m.b[j])
			}
		}

		// Inputs of the visible units.
		copy(act, s.net.C0)
		s.net.HV.Update(act, h, nil)
		for _, row := range s.fill {
			bias += packedSum(row, h)
		}

		// Factors of the visible units, one stage after another.
		t := 0.0
		for n := range sums {
			if s.fill != nil {
				bias -= packedSum(s.fill[n], h)
			}
			t += num.Softplus(num.Mul(float64(kernel.Get(act, n)), m.unit))
			sums[n].Add(num.Mul(float64(bias), m.unit) + t)
		}
	}
	for n := range sums {
		s.logZ[n] = sums[n].Value()
	}
}

// packedSum returns the sum of the packed numbers at the indices.
func packedSum(packed []int64, indices []int32) (sum int64) {
	for _, j := range indices {
		sum += int64(kernel.Get(packed, int(j)))
	}
	return sum
}

// enumerateVisible computes log Z_n by summing over the states of the first n visible units, while 2^n times the number
// of hidden units is at most stageWork.
func (s *sequence) enumerateVisible() {
	m := s.m
	base, act := make([]int64, len(m.net.B0)), make([]int64, len(m.net.B0))
	on := make([]int32, 0, m.M)
	for n := 0; n < m.M && m.J<<(n+1) <= stageWork; n++ {
		var sum num.LSE
		s.base(n+1, base)
		for state := range 2 << n {
			on = on[:0]
			var bias int64
			for i := range n + 1 {
				if state>>i&1 == 1 {
					on = append(on, int32(i))
					bias += int64(s.c[i])
				}
			}
			copy(act, base)
			s.net.VH.Update(act, on, nil)
			sum.Add(num.Mul(float64(bias), m.unit) + kernel.Softplus(act, m.J, m.unit))
		}
		s.logZ[n] = sum.Value()
	}
}

package rbm

import (
	"math"
	"math/bits"
	"sync"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/problem"
	"logzlab/models"
)

// Enumeration of the smaller layer. With s one of its 2^n states and x_u(s) the input of unit u of the other layer,
//
//	log f(s) = s.bias + sum_u softplus(x_u(s)),
//
// and the sum of softplus is the log of prod_u (1 + exp x_u(s)). Splitting s into a high part, one for each block, and
// a low part of at most lowBits units gives exp x_u = Q_u(high) P_u(low), so a state costs one multiply-add and one
// multiplication for each unit, and no exponential.

// lowBits is the largest number of units in the low part.
const lowBits = 10

// maxExpInput is the largest |x_u| for which products of exponentials are used; above it, softplus is summed.
const maxExpInput = 300

// enumeration holds the tables of an enumeration, computed on first use.
type enumeration struct {
	once     sync.Once
	inner    int       // number of units of the smaller layer
	outer    int       // number of units of the other layer
	lowUnits int       // number of units in the low part
	linear   []float64 // bias sums of the low states
	p        []float64 // P, units x low states; nil if inputs are too large
	xlow     [][]int32 // x_u of the low states alone, used if p is nil
	group    int       // number of factors between renormalisations
	visible  bool      // the visible layer is the smaller one

	cache blockCache
}

// innerBias, outerBias and innerWeight are the parameters by role: inner is the enumerated layer.
func (m *Model) innerBias(a int) int32 {
	if m.enum.visible {
		return m.c[a]
	}
	return m.b[a]
}

func (m *Model) outerBias(u int) int32 {
	if m.enum.visible {
		return m.b[u]
	}
	return m.c[u]
}

func (m *Model) innerWeight(a, u int) int32 {
	if m.enum.visible {
		return m.w[a*m.J+u]
	}
	return m.w[u*m.J+a]
}

// tables returns the tables of the enumeration.
func (m *Model) tables() *enumeration {
	e := &m.enum
	e.once.Do(func() {
		e.visible = m.M < m.J
		e.inner, e.outer = min(m.M, m.J), max(m.M, m.J)
		e.lowUnits = min(e.inner, lowBits)
		states := 1 << e.lowUnits
		// Sums of biases may exceed int32, unlike sums of weights into one unit.
		lin := make([]int64, states)
		subsetSums(lin, m.innerBias)
		e.linear = make([]float64, states)
		for s, x := range lin {
			e.linear[s] = num.Mul(float64(x), m.unit)
		}

		// Use exponentials only if the largest input keeps their products within float64.
		var top int64
		for u := 0; u < e.outer; u++ {
			x := int64(max(m.outerBias(u), -m.outerBias(u)))
			for a := 0; a < e.inner; a++ {
				x += int64(max(m.innerWeight(a, u), -m.innerWeight(a, u)))
			}
			top = max(top, x)
		}
		bound := num.Mul(float64(top), m.unit)
		e.group = int(650 / (bound + 1))

		e.xlow = make([][]int32, e.outer)
		for u := range e.xlow {
			e.xlow[u] = make([]int32, states)
			subsetSums(e.xlow[u], func(a int) int32 { return m.innerWeight(a, u) })
		}
		if bound > maxExpInput {
			return
		}
		e.p = make([]float64, e.outer*states)
		for u, x := range e.xlow {
			exps(e.p[u*states:(u+1)*states], x, m.unit)
		}
		e.xlow = nil
	})
	return e
}

// subsetSums sets x[s] to the sum of at(a) over the bits a of s.
func subsetSums[T int32 | int64](x []T, at func(a int) int32) {
	for s := 1; s < len(x); s++ {
		x[s] = x[s&(s-1)] + T(at(bits.TrailingZeros(uint(s))))
	}
}

// exps sets p[s] = exp(unit x[s]). It is called for each unit and not inlined, because browsers switch to optimised
// WebAssembly code only between calls.
//
//go:noinline
func exps(p []float64, x []int32, unit float64) {
	for s := range x {
		p[s] = num.Exp(num.Mul(float64(x[s]), unit))
	}
}

// Blocks returns the number of blocks, 2^(n - 10) for a smaller layer of n units but at least 1, and false if there are
// more than maxUnits units or the blocks take too long.
func (m *Model) Blocks(maxUnits int) (int, bool) {
	n := min(m.M, m.J)
	if n > maxUnits || maxUnits <= models.MaxExactUnits && max(m.M, m.J)<<n > models.MaxBlockWork {
		return 0, false
	}
	return 1 << max(n-lowBits, 0), true
}

// Refusal returns the error for a smaller layer of more than maxUnits units.
func (m *Model) Refusal(maxUnits int) error {
	return problem.New(
		"this model cannot be enumerated: its smaller layer has more than the %d units allowed; use ais and its sandwich",
		maxUnits)
}

// highPart returns the inputs x_u from the high part of block i, including the bias of unit u, in units of 2^-s, and
// the sum of the biases of the high units that are on, in nats.
func (m *Model) highPart(i int) (x []int32, lin float64) {
	e := m.tables()
	x = make([]int32, e.outer)
	for u := range x {
		x[u] = m.outerBias(u)
	}
	var b int64
	for a := e.lowUnits; a < e.inner; a++ {
		if i>>(a-e.lowUnits)&1 == 1 {
			b += int64(m.innerBias(a))
			for u := range x {
				x[u] += m.innerWeight(a, u)
			}
		}
	}
	return x, num.Mul(float64(b), m.unit)
}

// logBlocks returns log f of every state of up to models.BlocksAtOnce blocks.
func (m *Model) logBlocks(blocks ...int) [][]float64 {
	e := m.tables()
	states := len(e.linear)
	out, x, lin := make([][]float64, len(blocks)), make([][]int32, len(blocks)), make([]float64, len(blocks))
	for b, i := range blocks {
		out[b] = make([]float64, states)
		x[b], lin[b] = m.highPart(i)
	}

	// Sum softplus, or multiply exponentials.
	if e.p == nil {
		for b, out := range out {
			for u, x := range x[b] {
				for s, lo := range e.xlow[u] {
					out[s] += num.Softplus(num.Mul(float64(x+lo), m.unit))
				}
			}
		}
	} else {
		p := kernel.NewProducts(e.p, states, len(blocks), e.group)
		for b := range blocks {
			for u, x := range x[b] {
				p.Q[u*len(blocks)+b] = num.Exp(num.Mul(float64(x), m.unit))
			}
		}
		p.Multiply()
		for b, out := range out {
			logs(out, p.Acc[b*states:], p.Power[b*states:])
		}
	}

	for b, out := range out {
		for s, l := range e.linear {
			out[s] += l + lin[b]
		}
	}
	return out
}

// logs sets out[s] = log(acc[s] 2^power[s]).
//
//go:noinline
func logs(out, acc []float64, power []int64) {
	for s := range out {
		out[s] = num.Log(acc[s]) + num.Mul(float64(power[s]), math.Ln2)
	}
}

// SumName returns "": the enumeration is displayed under its default name.
func (m *Model) SumName() string { return "" }

// LogBlocks sets out[i] to the log of the sum of f over block first+i, in nats.
func (m *Model) LogBlocks(first int, out []float64) {
	for len(out) > 0 {
		var blocks []int
		for i := range min(len(out), models.BlocksAtOnce) {
			blocks = append(blocks, first+i)
		}
		for i, x := range m.logBlocks(blocks...) {
			out[i] = num.LogSumExp(x)
		}
		first, out = first+len(blocks), out[len(blocks):]
	}
}

// BlockMean returns the log of the sum of f over block i, and the mean of v over the block, weighted by f.
func (m *Model) BlockMean(i int) (logw float64, mean []float64) {
	e := m.tables()
	lw := m.logBlocks(i)[0]
	logw = num.LogSumExp(lw)
	weight := make([]float64, len(lw))
	for s := range lw {
		weight[s] = num.Exp(lw[s] - logw)
	}

	// Means of the enumerated layer.
	mean = make([]float64, m.M)
	if e.visible {
		for a := range mean {
			for s, w := range weight {
				if (s|i<<e.lowUnits)>>a&1 == 1 {
					mean[a] += w
				}
			}
		}
		return
	}

	// Means of v given the hidden units.
	x, _ := m.highPart(i)
	for u := range mean {
		if e.p == nil {
			for s, w := range weight {
				mean[u] += num.Mul(w, num.Sigmoid(num.Mul(float64(x[u]+e.xlow[u][s]), m.unit)))
			}
			continue
		}
		q := num.Exp(num.Mul(float64(x[u]), m.unit))
		p := e.p[u*len(weight):]
		for s, w := range weight {
			t := num.Mul(p[s], q)
			mean[u] += num.Mul(w, t/(1+t))
		}
	}
	return
}

// smallWork limits enumerations made by default: 2^n times the size of the other layer.
const smallWork = 1 << 24

// ValueKnown reports whether Truth returns a value.
func (m *Model) ValueKnown() bool {
	n := min(m.M, m.J)
	return m.truth != nil || n <= models.MaxExactUnits && max(m.M, m.J)<<n <= smallWork
}

// Truth returns the exact log Z of a bundled file's provenance, or that of an enumeration of at most smallWork; nil if
// neither is available.
func (m *Model) Truth() *models.Truth {
	if m.truth != nil || !m.ValueKnown() {
		return m.truth
	}
	blocks, _ := m.Blocks(models.MaxExactUnits)
	all := make([]float64, blocks)
	m.LogBlocks(0, all)
	var sum num.LSE
	for _, x := range all {
		sum.Add(x)
	}
	return &models.Truth{LogZ: sum.Value(), Source: "enumeration"}
}

// LadderLogZ returns log Z(beta) of the path in nats for each beta, by a Gray-code walk over the smaller layer: f_beta
// is an RBM with visible biases beta c + (1-beta) logit p1.
func (m *Model) LadderLogZ(betas []float64) ([]float64, error) {
	e := m.tables()
	if e.inner > models.MaxExactUnits || e.outer<<e.inner > smallWork {
		return nil, problem.New("rbm: %d x %d units are too many to enumerate at every beta", m.M, m.J)
	}
	// Start from the state with all units off.
	x := make([]int32, e.outer) // inputs of the outer layer
	outerLogits := make([]int32, e.outer)
	for u := range x {
		x[u] = m.outerBias(u)
	}
	if !e.visible {
		outerLogits = m.baseLogits
	}

	// Visit every state of the inner layer, one flip at a time.
	on := make([]bool, e.inner)
	var biasSum, logitSum int64 // bias and logit sums of the inner layer
	sum := make([]num.LSE, len(betas))
	for code := 1; ; code++ {
		for k, b := range betas {
			targetScale, baseScale := num.Mul(b, m.unit), num.Mul(1-b, m.unit)
			t := num.Mul(targetScale, float64(biasSum)) + num.Mul(baseScale, float64(logitSum))
			for u := range x {
				t += num.Softplus(num.Mul(targetScale, float64(x[u])) + num.Mul(baseScale, float64(outerLogits[u])))
			}
			sum[k].Add(t)
		}
		a := bits.TrailingZeros(uint(code)) // the unit to flip next
		if a >= e.inner {
			break
		}
		sign := int32(1)
		if on[a] {
			sign = -1
		}
		on[a] = !on[a]
		biasSum += int64(sign * m.innerBias(a))
		if e.visible {
			logitSum += int64(sign * m.baseLogits[a])
		}
		for u := range x {
			x[u] += sign * m.innerWeight(a, u)
		}
	}

	out := make([]float64, len(betas))
	for k, b := range betas {
		out[k] = sum[k].Value() + num.Mul(1-b, m.logBase())
	}
	return out, nil
}

// logBase returns the log density of the base at v = 0, for any h: sum_i log(1 - p1_i) - J log 2.
func (m *Model) logBase() float64 { return m.logNorm - num.Mul(float64(m.J), math.Ln2) }

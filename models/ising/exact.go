package ising

import (
	"math"

	"logzlab/core/lazy"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models"
)

// The transfer matrix adds row after row along the longer side of the lattice. Each row has width spins and 2^width
// states, and there are length rows. On a torus the state of the first row is fixed, so Z is a sum of 2^width
// independent terms; an exact sample needs only the term of its own first row.

// transfer is the transfer matrix of a lattice along its longer side.
type transfer struct {
	width, length              int // spins in a row, and number of rows
	torus                      bool
	k                          float64
	sameWeight, oppositeWeight float64   // weights exp(±k - |k|) of a bond between rows, for equal and for opposite spins
	rowWeight                  []float64 // weight of the bonds within a row, for each state of the row
	logScale                   float64   // log of the factor by which the weights of a row are divided
}

// MaxTorusWidth is the largest width of a torus for the sum over all states of the first row.
const MaxTorusWidth = 10

// MaxOpenWidth is the largest width of an open lattice, for which one pass over the rows suffices.
const MaxOpenWidth = 16

// newTransfer returns the transfer matrix of the lattice.
func (m *Lattice) newTransfer() *transfer {
	t := &transfer{width: min(m.L1, m.L2), length: max(m.L1, m.L2), torus: m.torus, k: m.k}
	// exp(k width) would overflow on cold lattices, so every bond is divided by exp |k|.
	abs := math.Abs(t.k)
	t.sameWeight, t.oppositeWeight = num.Exp(t.k-abs), num.Exp(-t.k-abs)
	t.logScale = num.Mul(abs, float64(2*t.width))
	t.rowWeight = make([]float64, 1<<t.width)
	for s := range t.rowWeight {
		sum := 0
		for x := 0; x < t.width; x++ {
			if t.torus || x+1 < t.width {
				sum += spin(s, x) * spin(s, (x+1)%t.width)
			}
		}
		t.rowWeight[s] = num.Exp(num.Mul(t.k, float64(sum)) - num.Mul(abs, float64(t.width)))
	}
	return t
}

// spin returns spin x, 1 or -1, of the row with state s.
func spin(s, x int) int { return 2*(s>>x&1) - 1 }

// apply adds a row to v: it replaces v(s), for every state s of the row, by rowWeight(s) sum_s' exp(k sum_x s_x s'_x)
// v(s'), divides v by its maximum, and returns the log of all factors removed.
func (t *transfer) apply(v []float64) float64 {
	for x := 0; x < t.width; x++ {
		bit := 1 << x
		for s := range v {
			if s&bit == 0 {
				a, b := v[s], v[s|bit]
				v[s] = num.Mul(t.sameWeight, a) + num.Mul(t.oppositeWeight, b)
				v[s|bit] = num.Mul(t.oppositeWeight, a) + num.Mul(t.sameWeight, b)
			}
		}
	}
	top := 0.0
	for s := range v {
		v[s] = num.Mul(v[s], t.rowWeight[s])
		top = max(top, v[s])
	}
	for s := range v {
		v[s] /= top
	}
	return num.Log(top) + t.logScale
}

// backward calls row(y, weight) for y = length-1, ..., 0, where weight[s] is the total weight of rows y..length-1 if
// row y has state s, up to a factor. On a torus row 0 has the state first. backward returns the log of the factor for
// row 0. The slice weight is reused from call to call.
func (t *transfer) backward(first int, row func(y int, weight []float64)) (scale float64) {
	v := make([]float64, len(t.rowWeight))
	y := t.length - 1
	if t.torus {
		v[first] = 1
	} else {
		copy(v, t.rowWeight)
		scale = t.logScale / 2 // the last row has no row below it
		row(y, v)
		y--
	}
	for ; y >= 0; y-- {
		scale += t.apply(v)
		row(y, v)
	}
	return scale
}

// messages returns copies of the weights that backward computes, for all rows.
func (t *transfer) messages(first int) [][]float64 {
	weights := make([][]float64, t.length)
	t.backward(first, func(y int, v []float64) { weights[y] = append([]float64(nil), v...) })
	return weights
}

// blockOps returns the number of operations for one block.
func (m *Lattice) blockOps() int { w := min(m.L1, m.L2); return len(m.neighbours) << w }

// Blocks returns the number of blocks of the exact sum: 2^width on a torus (one for each state of the first row), 1 on
// an open lattice. ok is false if the lattice is too wide or |k| is too large, or if the blocks take too long.
func (m *Lattice) Blocks(maxUnits int) (blocks int, ok bool) {
	w := min(m.L1, m.L2)
	n, widest := 1, MaxTorusWidth
	if m.torus {
		n = 1 << w
	} else if maxUnits > models.MaxExactUnits {
		widest = MaxOpenWidth
	}
	if w > widest || math.Abs(m.k) > 50 || maxUnits <= models.MaxExactUnits && m.blockOps()*n > models.MaxBlockWork {
		return 0, false
	}
	return n, true
}

// Refusal returns the reason why the lattice is not summed.
func (m *Lattice) Refusal(int) error {
	return problem.New(
		"this lattice cannot be summed: a torus may be %d spins wide, an open one %d, and |beta J| at most 50; use ais "+
			"and its sandwich",
		MaxTorusWidth, MaxOpenWidth)
}

// SumName returns "", which stands for an enumeration.
func (m *Lattice) SumName() string { return "" }

// LogBlocks sets out[i] to the log of the sum of f over the states whose first row has state first+i, in nats. On an
// open lattice there is one block, with all states.
func (m *Lattice) LogBlocks(first int, out []float64) {
	for i := range out {
		out[i] = m.logBlock(first + i)
	}
}

// logBlock returns the log of the sum over block i.
func (m *Lattice) logBlock(i int) float64 {
	t := m.transferMatrix()
	sum := 0.0
	scale := t.backward(i, func(y int, v []float64) {
		switch {
		case y > 0:
		case t.torus:
			sum = v[i]
		default:
			for _, x := range v {
				sum += x
			}
		}
	})
	return scale + num.Log(sum)
}

// RowCapabilities returns exact sampling.
func (p *population) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget}
}

// DrawTarget sets every row to an exact sample: it draws the first row of the lattice, then each row given the previous
// one. blocks are the values of LogBlocks for all blocks; only a torus needs them.
func (p *population) DrawTarget(at rng.At, blocks []float64, proceed func() bool) {
	t := p.m.transferMatrix()
	rows := make([]int, t.length)
	logProbs := make([]float64, len(t.rowWeight))
	for r := range p.bondSums {
		s := at.Row(r)
		var weights [][]float64
		y := 0
		if t.torus {
			rows[0] = s.Categorical(blocks)
			weights = t.messages(rows[0])
			y = 1
		} else {
			weights = t.messages(0)
		}

		// Draw each row given the previous one.
		for ; y < t.length; y++ {
			for i := range logProbs {
				logProbs[i] = num.Log(weights[y][i])
				if y > 0 {
					agree := 0
					for x := 0; x < t.width; x++ {
						agree += spin(i, x) * spin(rows[y-1], x)
					}
					logProbs[i] += num.Mul(t.k, float64(agree))
				}
			}
			rows[y] = s.Categorical(logProbs)
		}

		spins := p.row(r)
		for i := range spins {
			a, b := i/p.m.L2, i%p.m.L2
			if p.m.L1 < p.m.L2 {
				a, b = b, a
			}
			spins[i] = uint8(rows[a] >> b & 1)
		}
		p.sumBonds(r)
		if proceed != nil && !proceed() {
			return
		}
	}
}

// maxTruthOps is the largest number of operations of sums that Truth makes; they take well below a second.
const maxTruthOps = 1 << 27

// negligibleCoupling is the |k| below which log Z equals n log 2, the value for free spins, in floating point: the next
// term is of order n k^2.
const negligibleCoupling = 1e-9

// ValueKnown reports whether Truth returns a value.
func (m *Lattice) ValueKnown() bool {
	w := min(m.L1, m.L2)
	switch {
	case m.k == 0:
		return true
	case math.Abs(m.k) > 50:
		return false
	case !m.torus:
		return w <= MaxOpenWidth && m.blockOps() <= maxTruthOps
	}
	return w >= 2 && (m.k > 0 || m.L1%2 == 0 && m.L2%2 == 0) || w <= MaxTorusWidth && m.blockOps()<<w <= maxTruthOps
}

// Truth returns the exact log Z: n log 2 without coupling, Kaufman's formula on a torus, or the transfer matrix on open
// lattices and narrow tori. It returns nil if none of them applies.
func (m *Lattice) Truth() *models.Truth {
	w := min(m.L1, m.L2)
	even := m.L1%2 == 0 && m.L2%2 == 0
	switch {
	case !m.ValueKnown():
		return nil
	case math.Abs(m.k) < negligibleCoupling:
		return &models.Truth{LogZ: m.LogZ0(), Source: "closed form"}
	case !m.torus:
		return &models.Truth{LogZ: m.logBlock(0), Source: "transfer matrix"}
	case w >= 2 && (m.k > 0 || even):
		return &models.Truth{LogZ: kaufman(max(m.L1, m.L2), w, math.Abs(m.k)), Source: "Kaufman"}
	}
	blocks, _ := m.Blocks(MaxTorusWidth)
	var sum num.LSE
	for i := 0; i < blocks; i++ {
		sum.Add(m.logBlock(i))
	}
	return &models.Truth{LogZ: sum.Value(), Source: "transfer matrix"}
}

// LadderLogZ returns log Z(b) in nats for each b: the exact log Z of the lattice with coupling b beta J. It returns an
// error if Truth has no value for one of them.
func (m *Lattice) LadderLogZ(betas []float64) ([]float64, error) {
	out := make([]float64, len(betas))
	for i, b := range betas {
		scaled := *m
		scaled.k = num.Mul(b, m.k)
		scaled.transferMatrix = lazy.Of(scaled.newTransfer)
		t := scaled.Truth()
		if t == nil {
			return nil, problem.New("ising: no exact log Z of a %d x %d lattice at coupling %v", m.L1, m.L2, scaled.k)
		}
		out[i] = t.LogZ
	}
	return out, nil
}

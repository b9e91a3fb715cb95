package kernel

import (
	"math"
	"slices"
	"sync/atomic"

	"logzlab/core/num"
)

// Ladder computes the log densities of a Bernoulli layer at every rung of a ladder of inverse temperatures in less time
// than a sweep takes. The expensive part is
//
//	S(beta) = sum_j log(1 + exp(-beta |x_j|)),  |x_j| <= X = 2^pairs.
//
// As a function of log beta it is band-limited up to 1e-6 for each unit (its poles are at distance pi/2 from the real
// line), so its values at two nodes an octave,
//
//	beta = 2/X, 3/X, 4/X, 6/X, 8/X, 12/X, ... 1, 3/2,
//
// together with S(0) and S'(0) = -sum |x_j|/2 determine it at every rung: a fixed linear combination whose weights are
// fitted once for a ladder. The powers of t = exp(-|x|/X) at those nodes are obtained from t by one multiplication
// each, because both chains, 2 4 8 .. and 3 6 12 .., double: one exponential for each unit, and for every node two
// multiplications and one addition to include it in the product of 1 + t^e.
//
// Nodes are float32 in eight interleaved products, unit j in product j mod 8. The error of S is below 1e-5 for each
// unit and changes sign with |x|: over 500 units it is about 1e-4 nat, at most 5e-4 unless all |x| are equal.
//
// The weights of a range are fitted when a row first needs them, once for all rows and goroutines that share the
// Ladder.
type Ladder struct {
	beta   []float64
	unit   float64
	grids  [maxPairs + 1]atomic.Pointer[ladderGrid]
	slopes *Ladder // ladder of the derivatives; nil if this is the ladder of derivatives
}

// Each row of a grid's weights multiplies one number of the layer, at every rung: first the four that need no
// exponential, then the values at the nodes.
const freeRows = 4

type ladderGrid struct{ weight []float64 } // (freeRows + 2 pairs) x rungs

// The range of log2 X. Below X = 8 interpolation saves nothing; above 256 float32 powers lose precision, and models
// whose chains mix do not have such sums.
const (
	minPairs = 3
	maxPairs = 8
)

// lanes is the number of interleaved products.
const lanes = 8

// nodeChunk limits the units of a product: 120 factors of at most 2 stay below 2^126, and the product of all eight fits
// a float64.
const nodeChunk = 120 * lanes

// NewLadder returns the ladder for rungs beta in [0, 1] and sums that are multiples of unit.
func NewLadder(beta []float64, unit float64) *Ladder {
	beta = slices.Clone(beta)
	return &Ladder{beta: beta, unit: unit, slopes: &Ladder{beta: beta, unit: unit}}
}

// Slopes returns the ladder whose values are the derivatives of those of l with respect to beta.
func (l *Ladder) Slopes() *Ladder { return l.slopes }

// Is reports whether l has the rungs beta.
func (l *Ladder) Is(beta []float64) bool { return slices.Equal(l.beta, beta) }

// Values sets out[k] to
//
//	(1-beta) log0 + beta log1 + sum_j log(1 + exp(beta x_j)),  beta = rung lo+k,
//
// over the n packed sums x_j, or to its derivative with respect to beta,
//
//	log1 - log0 + sum_j x_j / (1 + exp(-beta x_j)),
//
// fitted to the same nodes: its error is below 1e-3 for each unit, changes sign along the ladder, and integrates to the
// error of the log density. If some |x_j| > 256, every rung is computed separately.
func (l *Ladder) Values(acc []int64, n int, log0, log1 float64, lo int, out []float64) {
	top, pos, abs := Extent(acc, n)
	pairs := minPairs
	for float64(float64(top)*l.unit) > float64(int(1)<<pairs) {
		if pairs++; pairs > maxPairs {
			l.direct(acc, n, pos, log0, log1, lo, out)
			return
		}
	}
	grid := l.grids[pairs].Load()
	if grid == nil { // two goroutines may both fit it, to the same bits
		fit := newLadderGrid
		if l.slopes == nil {
			fit = newSlopeGrid
		}
		grid = fit(l.beta, pairs)
		l.grids[pairs].Store(grid)
	}
	var y [freeRows + 2*maxPairs]float64
	scale := float64(l.unit / float64(int(1)<<pairs))
	y[0], y[1] = log0, log1+float64(float64(pos)*l.unit)
	y[2], y[3] = float64(float64(n)*math.Ln2), float64(float64(abs)*scale)
	nodes(acc, n, float32(-scale), y[freeRows:freeRows+2*pairs])
	combine(out, grid.weight[lo:], len(l.beta), y[:freeRows+2*pairs])
}

// direct computes Values rung by rung; pos is the sum of the positive x.
func (l *Ladder) direct(acc []int64, n int, pos int64, log0, log1 float64, lo int, out []float64) {
	for k, beta := range l.beta[lo : lo+len(out)] {
		if l.slopes == nil {
			first, _ := Slope(acc, n, beta, l.unit)
			out[k] = log1 - log0 + first
			continue
		}
		high := log1 + float64(float64(pos)*l.unit)
		out[k] = float64((1-beta)*log0) + float64(beta*high) + SoftplusNegative(acc, n, float64(beta*l.unit))
	}
}

// Extent returns the largest |x|, the sum of the positive x and the sum of |x| over n packed sums, exactly.
func Extent(acc []int64, n int) (top, pos, abs int64) { return extent(acc[:Words(n)]) }

func extentGo(acc []int64) (top, pos, abs int64) {
	for j := range 2 * len(acc) {
		x := int64(Get(acc, j))
		pos += max(x, 0)
		x = max(x, -x)
		abs += x
		top = max(top, x)
	}
	return
}

// nodes sets s[i] to the sum over n packed sums of log(1 + exp(e scale |x|)), for e = 2, 3, 4, 6, 8, 12, ... and -1 <=
// scale |x| <= 0.
func nodes(acc []int64, n int, scale float32, s []float64) {
	clear(s)
	var room [len(ones)]float32
	p := room[:len(s)*lanes]
	for j := 0; j < n; j += nodeChunk {
		m := min(n-j, nodeChunk)
		copy(p, ones[:])
		powers(p, acc[j/2:][:Words(m)], scale)
		shrink := math.Ldexp(1, m-Padded(m)) // each zero of the padding is a factor of 2
		var product [2 * maxPairs]float64
		for i := len(s); i < len(product); i++ {
			product[i] = 1 // to fill the last quad
		}
		for i := range s {
			q := (*[lanes]float32)(p[i*lanes:])
			a := float64(float64(q[0])*float64(q[1])) * float64(float64(q[2])*float64(q[3]))
			b := float64(float64(q[4])*float64(q[5])) * float64(float64(q[6])*float64(q[7]))
			product[i] = float64(float64(a*b) * shrink)
		}
		logs(product[:(len(s)+3)&^3])
		for i := range s {
			s[i] += product[i]
		}
	}
}

// ones has the initial values of the products.
var ones = func() (p [2 * maxPairs * lanes]float32) {
	for i := range p {
		p[i] = 1
	}
	return
}()

// logsGo replaces numbers of at least 1 by their logs.
func logsGo(x []float64) {
	for i, v := range x {
		x[i] = num.Log(v)
	}
}

// powersGo multiplies 1 + exp(e scale |x|) into eight lanes of each node of p, for a
// multiple of eight packed sums.
func powersGo(p []float32, acc []int64, scale float32) {
	var a, b [lanes]float32
	for ; len(acc) >= lanes/2; acc = acc[lanes/2:] {
		for j := range a {
			x := Get(acc, j)
			t := num.Exp32(float32(float32(max(x, -x)) * scale))
			a[j] = float32(t * t)
			b[j] = float32(a[j] * t)
		}
		for rest := p; len(rest) >= 2*lanes; rest = rest[2*lanes:] {
			q := (*[2 * lanes]float32)(rest)
			for j := range a {
				q[j] = float32(q[j] * (1 + a[j]))
				q[j+lanes] = float32(q[j+lanes] * (1 + b[j]))
				a[j] = float32(a[j] * a[j])
				b[j] = float32(b[j] * b[j])
			}
		}
	}
}

// combineGo sets out[k] to the sum over i, in this order, of w[i*stride+k] y[i].
func combineGo(out, w []float64, stride int, y []float64) {
	for k, x := range w[:len(out)] {
		out[k] = float64(x * y[0])
	}
	for i := 1; i < len(y); i++ {
		f := y[i]
		for k, x := range w[i*stride:][:len(out)] {
			out[k] += float64(x * f)
		}
	}
}

// newLadderGrid fits the weights of log densities.
func newLadderGrid(beta []float64, pairs int) *ladderGrid {
	return fitLadder(beta, pairs, func(t float64) (float64, float64) { return 1 - t, t },
		func(t, x float64) float64 { return num.Softplus(-float64(t * x)) })
}

// fitLadder fits weights for |x| <= 2^pairs: least squares of the error of f(beta, x) over points x, four an octave
// from X down to 1/4, and 0. The point 0 counts ten times, as a layer may have many units near it. The fit is nearly
// singular (which is why so few nodes suffice); a ridge of 1e-12 keeps the weights small and the error below 1e-5. ends
// returns the weights of log0 and log1.
func fitLadder(beta []float64, pairs int, ends func(t float64) (w0, w1 float64),
	f func(t, x float64) float64) *ladderGrid {
	const perOctave, ridge = 4, 1e-12
	size := 2 * pairs
	m := 2 + size // log 2, x/X and the nodes
	points := perOctave*(pairs+2) + 2
	x, count, b := make([]float64, points), make([]float64, points), make([]float64, points*m)

	// Every node at every point.
	for i, y := 0, math.Ldexp(1, pairs); i < points; i, y = i+1, float64(y*fourthRoot) {
		x[i], count[i] = y, 1
		if i == points-1 {
			y, x[i], count[i] = 0, 0, 10
		}
		row := b[i*m:][:m]
		row[0], row[1] = math.Ln2, math.Ldexp(y, -pairs)
		for e := range size {
			node := math.Ldexp(float64(2+e%2), e/2-pairs) // 2 3 4 6 8 12 ... over X
			row[2+e] = num.Softplus(-float64(node * y))
		}
	}

	// The normal equations.
	normal := make([]float64, m*m)
	for i := range points {
		row := b[i*m:][:m]
		for r, f := range row {
			for c, g := range row {
				normal[r*m+c] += float64(float64(f*g) * count[i])
			}
		}
	}
	for r := range m {
		normal[r*m+r] += ridge
	}
	num.Cholesky(normal, m, nil) // positive definite because of the ridge

	// The weights of each rung.
	rungs := len(beta)
	g := &ladderGrid{weight: make([]float64, (2+m)*rungs)}
	rhs := make([]float64, m)
	for k, t := range beta {
		clear(rhs)
		for i, y := range x {
			v := float64(f(t, y) * count[i])
			for r, h := range b[i*m:][:m] {
				rhs[r] += float64(v * h)
			}
		}
		num.SolveLower(normal, m, rhs)
		num.SolveUpperT(normal, m, rhs)
		g.weight[k], g.weight[rungs+k] = ends(t)
		for r, w := range rhs {
			g.weight[(2+r)*rungs+k] = w
		}
	}
	return g
}

// fourthRoot is 2^(-1/4).
const fourthRoot = 0.8408964152537145

package rbm

import (
	"math"
	"sync/atomic"

	"logzlab/core/diag"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/models"
)

// FlagQuantised reports that DiagQuantisation exceeds 0.001 nats.
var FlagQuantised = diag.NewFlag("quantised",
	"Rounding the weights to fixed point may have changed log Z by more than 0.001 nats; the diagnostics have the "+
		"bound.")

// DiagQuantisation is an upper bound of the change of log Z by rounding the weights, in nats.
const DiagQuantisation diag.Number = "quantisation_bound"

// Model is a Bernoulli-Bernoulli restricted Boltzmann machine
//
//	log f(v, h) = v.c + v'W h + h.b,  v in {0,1}^M, h in {0,1}^J,
//
// on the geometric path from the base rates p1 ([RTS] eq. 2):
//
//	f_beta(v, h) = (p1(v) 2^-J)^(1-beta) f(v, h)^beta,  Z(0) = 1.
//
// By default h is summed out of every density, log f_beta(v); Joint keeps it, which makes log f_beta linear in beta.
//
// All parameters are integers times 2^-s (see package kernel): this quantised model is the one that every method and
// every exact value evaluates.
type Model struct {
	info  models.Info
	M, J  int
	Joint bool

	unit       float64 // 2^-s
	w          []int32 // M x J
	b, c       []int32
	baseLogits []int32 // logits of the base rates
	net        *kernel.Net
	logNorm    float64   // log prod_i (1 - p1_i): log p1 of the empty picture
	givenRates []float64 // argument of WithBase, nil if it was not called
	truth      *models.Truth
	data       examples  // approximately samples of the target, for reverse chains
	order      []int32   // order in which RM and ARM add the visible units
	rates      []float64 // means of the training data (p1 if unknown), whatever the base
	enum       enumeration
	seq        sequences
	deferred   *Params                       // parameters for WithBase while the base rates are unknown, otherwise nil
	lastLadder atomic.Pointer[kernel.Ladder] // ladder used last; populations with the same rungs reuse it
	start      string                        // one of Starts
	baseSource *Params                       // parameters that determine the base
	fitted     bool                          // the base was fitted to samples
}

// Params are the parameters of an RBM in float64, before quantisation.
type Params struct {
	Name, About string
	M, J        int
	W           []float64 // M x J, row i = weights of visible unit i
	C, B        []float64 // visible and hidden biases
	// P1 are the base rates. If nil, they are E[v] under the target if the smaller layer can be enumerated, otherwise
	// the logistic of the visible biases (flag base_guessed).
	P1 []float64
	// Start is one of Starts, "" for the default. Means and Rows are the means of the training data and their number of
	// rows; nil and 0 if they are unknown. For StartRates and StartSmoothed they take precedence over P1.
	Start   string
	Means   []float64
	Rows    int
	Picture [2]int // width and height of a picture; 0: chosen from M
	Joint   bool
	// Order is the order in which RM and ARM add the visible units, one of Orders. The order by variance is
	// VarianceOrder if that is not nil, otherwise it is computed from Rates, the means of the training data (P1 if
	// Rates is nil). Stages are exact log Z_1..log Z_M: Stages[0] in the order VarianceOrder with absent units off,
	// Stages[1] in the order of FillSampled.
	Order         string
	VarianceOrder []int32
	Rates         []float64
	Stages        [2][]float64
	Truth         *models.Truth
	Data          [][]uint8
	// Provenance is the provenance.json of a bundled file, or nil.
	Provenance []byte

	read *reading // how a file of arrays was read
	// unread lists the fields or arrays that were not read; nil if none
	unread   error
	summary  error     // how a user's file was read
	dataRows *rowsFile // data rows of a user's model
	// digits file of a bundled model: its data if Data is nil
	packedData []byte
}

// maxShift keeps base-rate logits and models with zero weights within int32.
const maxShift = 26

// New quantises p. Weights become multiples of 2^-s, where s is the largest integer with max over units of (sum |w| +
// |bias|) < 2^30 2^-s, so that no sum can exceed int32. Errors name parameters that are not finite or too large. The
// meter, which may be nil, limits memory and time.
func New(p Params, w *meter.Meter) (*Model, error) {
	if p.M < 1 || p.J < 1 {
		return nil, problem.New("rbm: %d visible and %d hidden units: both must be at least 1", p.M, p.J)
	}
	guessed := p.P1 == nil && p.Start != StartBiases && p.Start != StartUniform
	enumerateRates := guessed && min(p.M, p.J) <= models.MaxExactUnits

	// Missing base rates are guessed here. If the model is small, the caller enumerates them later (WithBase).
	original := p
	if p.P1 == nil {
		p.P1 = make([]float64, len(p.C))
		for i, c := range p.C {
			p.P1[i] = num.Sigmoid(c)
		}
	}
	if len(p.W) != p.M*p.J || len(p.C) != p.M || len(p.B) != p.J || len(p.P1) != p.M {
		return nil, problem.New("rbm: W, c_visible, b_hidden and p1 do not fit %d x %d", p.M, p.J)
	}
	if len(p.Rates) != p.M {
		p.Rates = p.P1
	}

	// Check memory and choose the fixed-point unit.
	if err := w.Take(bytesOf(p.M, p.J), problem.New("an RBM of %d x %d units", p.M, p.J),
		problem.New("give a smaller model")); err != nil {
		return nil, err
	}
	w.Expect(4 * quantiseOps * float64(len(p.W)))
	s, err := p.chooseShift(w)
	if err != nil {
		return nil, err
	}

	m := &Model{M: p.M, J: p.J, Joint: p.Joint, start: p.Start, unit: math.Ldexp(1, -s),
		truth: p.Truth, data: p.examples(), rates: p.Rates}
	if len(p.VarianceOrder) == p.M && (p.Order == "" || p.Order == "variance") {
		m.order, m.seq.fixed[0].logZ, m.seq.fittedLogZ = p.VarianceOrder, p.Stages[0], p.Stages[1]
	} else {
		m.order = unitOrder(p.Order, p.Rates)
	}
	bound, err := m.quantise(p, s, w)
	if err != nil {
		return nil, err
	}
	m.net = &kernel.Net{
		VH: kernel.NewMatrix(p.M, p.J, func(i, j int) int32 { return m.w[i*p.J+j] }),
		HV: kernel.NewMatrix(p.J, p.M, func(j, i int) int32 { return m.w[i*p.J+j] }),
		B0: kernel.Pack(m.b), C0: kernel.Pack(m.c), C: m.c}
	m.baseSource = &Params{C: p.C, P1: p.P1, Means: p.Means, Rows: p.Rows}
	m.setBase(p.baseLogits())

	wide, high := pictureSize(p.M, p.Picture)
	m.info = models.Info{Name: p.Name, Kind: "rbm", About: p.About, Understood: p.summary, Dim: p.M, W: wide, H: high,
		Diagnostics: map[diag.Number]float64{DiagQuantisation: bound}}
	if guessed {
		m.info.Flags = append(m.info.Flags, models.FlagBaseGuessed)
	}
	if p.read != nil && p.read.guessed {
		m.info.Flags = append(m.info.Flags, FlagDirectionGuessed)
	}
	if enumerateRates {
		m.deferred = &original
	}
	if bound > 1e-3 {
		m.info.Flags = append(m.info.Flags, FlagQuantised)
	}
	return m, nil
}

// BaseBlocks returns the number of blocks (BlockMean) to enumerate before the base rates are known; 0 if they are.
func (m *Model) BaseBlocks() int {
	if m.deferred == nil {
		return 0
	}
	n, _ := m.Blocks(models.MaxExactUnits)
	return n
}

// WithBase returns the model with base rates p1 in place of the missing ones.
func (m *Model) WithBase(p1 []float64, w *meter.Meter) (models.Model, error) {
	p := *m.deferred
	p.P1 = p1
	n, err := New(p, w)
	if err != nil {
		return nil, err
	}
	n.info.Flags = append(n.info.Flags, models.FlagBaseGuessed)
	n.givenRates = p1
	return n, nil
}

// FoundBase returns the base rates given to WithBase, otherwise nil.
func (m *Model) FoundBase() []float64 { return m.givenRates }

// Capabilities returns the capabilities of an RBM, which depend on its form, start and data. LargeBatches is set for
// 128 hidden units or more: for these a sweep reads the weights once for all rows, tile by tile. In the marginal form
// the hidden units are summed out of every density of the geometric path (SumsOut).
func (m *Model) Capabilities() models.Capabilities {
	c := models.Capabilities{
		Exact:         models.Exact{Truth: m.Truth, LadderLogZ: m.LadderLogZ, Sum: m},
		Bounds:        models.Bounds{Floor: m.Floor, FloorFrom: m.FloorFrom},
		GrowingSpaces: models.GrowingSpaces{Sequence: m, StageCost: m.StageCost, Absent: m},
		Base:          models.Base{Finder: m, WithStart: m.WithStart},
		Kernel:        models.Kernel{Batched: true, LargeBatches: m.J >= 128, SumsOut: !m.Joint},
		Cost:          m.Cost,
	}
	if m.canRefit() {
		c.Base.Refit, c.Base.Uniform, c.Base.FitsFirst = m.Refit, m.Uniform, m.start == StartFitted
	}
	if m.data.n > 0 {
		c.Data = m
	}
	return c
}

// Info returns name, kind, size and flags of the model.
func (m *Model) Info() models.Info { return m.info }

// LogZ0 returns log Z of the base, in nats.
func (m *Model) LogZ0() float64 { return 0 }

// population is the Population of an RBM.
type population struct {
	*kernel.Rows
	m         *Model
	ladder    []float64
	scale     []float32 // 2^-s beta of each rung
	base      []float32 // 1 - beta of each rung
	scales    []float64 // working space of LogF
	target    []float64 // working space: sums at beta = 1
	log0      []float64 // log f at both ends of the path for each row, without the sum over h
	log1      []float64
	fullRungs *kernel.Ladder // for whole-ladder densities, made on first use
	flips     bool           // see FlipUnits
}

// New returns a population of n rows for the rungs of the ladder.
func (m *Model) New(n int, ladder []float64) models.Population {
	p := &population{Rows: kernel.NewRows(m.net, n), m: m, ladder: ladder,
		scale: make([]float32, len(ladder)), base: make([]float32, len(ladder)),
		log0: make([]float64, n), log1: make([]float64, n), target: make([]float64, n)}
	for k, beta := range ladder {
		p.scale[k] = float32(num.Mul(beta, m.unit))
		p.base[k] = float32(1 - beta)
	}
	return p
}

// Draw samples every row from the base: v from the base rates and h uniformly.
func (p *population) Draw(at rng.At) {
	for r := range p.LinC {
		v, h, _, _ := p.Row(r)
		s := at.Row(r)
		kernel.Layer{N: p.m.M, Base: p.Base, BaseScale: 1}.Draw(&s, p.C0, v, p.On, p.Off)
		p.Scale[r], p.BaseScale[r] = 0, 1
		kernel.Layer{N: p.m.J}.Draw(&s, p.B0, h, p.On, p.Off)
		p.Rebuild(r)
	}
}

// Move performs one sweep of every row at its rung: block Gibbs sampling, h given v, then v given h, or single flips of
// v after FlipUnits. As a transition of v alone a sweep is reversible, so back matters only in the joint form, where
// the backward sweep updates v given h, then h given v.
func (p *population) Move(at rng.At, rung []int32, back bool) {
	for r, k := range rung {
		p.Scale[r], p.BaseScale[r] = p.scale[k], p.base[k]
		p.Flip[r] = p.flips && p.base[k] <= .5
	}
	p.Sweep(at, 0, len(rung), p.m.M, back && p.m.Joint)
}

// FlipUnits makes Move update visible units by Metropolized Gibbs at beta >= 1/2. At smaller beta, units are almost
// independent and Move keeps Gibbs sampling: with a uniform base, Metropolized Gibbs would flip every unit in every
// sweep. Hidden units always use Gibbs sampling, as log densities sum over them.
func (p *population) FlipUnits() { p.flips = true }

// manyRungs is the number of rungs above which LogF interpolates.
const manyRungs = 8

// LogF computes, with h summed out and x = b + W'v,
//
//	(1-beta)(log p1(v) - J log 2) + beta c.v + sum_j softplus(beta x_j),
//
// and in the joint form (1-beta)(log p1(v) - J log 2) + beta log f(v, h). For many rungs the sum of softplus, a smooth
// function of beta, is interpolated from a few nodes (kernel.Ladder), with an error of about 1e-4 nat. For few rungs
// exponentials are float32, with an error of at most 1e-7 nat per hidden unit, except at beta = 1: intermediate
// densities may be chosen freely, the target may not.
func (p *population) LogF(lo, n int, out []float64) {
	m := p.m
	p.setEnds()
	switch {
	case m.Joint:
		clear(out)
	case n > manyRungs:
		p.Ladder(p.fullLadder(), lo, n, p.log0, p.log1, out)
		return
	default:
		p.scales = p.scales[:0]
		for _, beta := range p.ladder[lo : lo+n] {
			p.scales = append(p.scales, num.Mul(beta, m.unit))
		}
		p.Softplus(0, len(p.LinC), p.scales, out, true)
		if last := n - 1; p.ladder[lo+last] == 1 {
			p.Softplus(0, len(p.LinC), p.scales[last:], p.target, false)
			for r, x := range p.target {
				out[r*n+last] = x
			}
		}
	}
	for r, log0 := range p.log0 {
		for k, beta := range p.ladder[lo : lo+n] {
			out[r*n+k] += num.Mul(1-beta, log0) + num.Mul(beta, p.log1[r])
		}
	}
}

// setEnds computes log0 and log1 of every row.
func (p *population) setEnds() {
	m := p.m
	for r, lin := range p.LinC {
		if m.Joint {
			_, h, actH, _ := p.Row(r)
			for j, x := range h {
				lin += int64(x) * int64(kernel.Get(actH, j))
			}
		}
		p.log0[r] = m.logNorm + num.Mul(float64(p.LinG[r]), m.unit) - num.Mul(float64(m.J), math.Ln2)
		p.log1[r] = num.Mul(float64(lin), m.unit)
	}
}

// fullLadder returns the ladder for densities at many rungs. New does not make it, because annealing needs pairs of
// rungs only.
func (p *population) fullLadder() *kernel.Ladder {
	if p.fullRungs == nil {
		if p.fullRungs = p.m.lastLadder.Load(); p.fullRungs == nil || !p.fullRungs.Is(p.ladder) {
			p.fullRungs = kernel.NewLadder(p.ladder, p.m.unit)
			p.m.lastLadder.Store(p.fullRungs)
		}
	}
	return p.fullRungs
}

// SlopeAt sets d[r] and curve[r] to the first and second derivative of log f_beta by beta for row r at rung[r], in
// nats. The joint form is linear in beta, so its second derivative is 0.
func (p *population) SlopeAt(rung []int32, d, curve []float64) {
	p.setEnds()
	for r, k := range rung {
		d[r], curve[r] = p.log1[r]-p.log0[r], 0
		if !p.m.Joint {
			_, _, actH, _ := p.Row(r)
			first, second := kernel.Slope(actH, p.m.J, p.ladder[k], p.m.unit)
			d[r], curve[r] = d[r]+first, second
		}
	}
}

// SlopesAtAll sets out, rows x rungs, to the first derivative of log f_beta by beta at all rungs, interpolated as in
// LogF.
func (p *population) SlopesAtAll(out []float64) {
	p.setEnds()
	n := len(p.ladder)
	if !p.m.Joint {
		p.Ladder(p.fullLadder().Slopes(), 0, n, p.log0, p.log1, out)
		return
	}
	for r := range p.LinC {
		for k := range n {
			out[r*n+k] = p.log1[r] - p.log0[r]
		}
	}
}

// Append encodes the units of row r; Load restores them.
func (p *population) Append(r int, w *wire.Writer) {
	v, h, _, _ := p.Row(r)
	w.Bits(v)
	w.Bits(h)
}

// Load restores the units that Append encoded, and computes the inputs of row r.
func (p *population) Load(r int, in *wire.Reader) {
	v, h, _, _ := p.Row(r)
	in.Bits(v)
	in.Bits(h)
	p.Rebuild(r)
}

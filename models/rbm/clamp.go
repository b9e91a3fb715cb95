package rbm

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
)

// clamp is the parameter that clamps pixels: runs of pixels, numbered from 0 row by row, fixed to ink (i) or paper (p).
// 205i3-233p is ink from 205 to 207, paper at 233.
var clamp = spec.Param{Name: "clamp", Type: "string", Target: true, Check: func(s string) (string, error) {
	d, err := frame.ReadDrawing(s)
	return d.String(), err
}, Help: "Pixels that are clamped to ink (i) or paper (p), for example 205i3-233p: ink at 205, 206 and 207, " +
	"paper at 233. log Z then sums over the other pixels; minus log Z of the unclamped model it is log p of the " +
	"drawing."}

// pictureSize returns the width and height of a picture of units visible units: the given size if it is large enough,
// otherwise a width of ceil(sqrt(units)) and as many rows as needed.
func pictureSize(units int, given [2]int) (wide, high int) {
	if wide, high = given[0], given[1]; wide*high < units || wide < 1 {
		wide = int(math.Ceil(math.Sqrt(float64(units))))
		high = (units + wide - 1) / wide
	}
	return wide, high
}

// clamped is an RBM with some visible units clamped. With x_C their values and v the free units,
//
//	log f = c_C.x_C + v.c + v'W h + h.(b + W_C'x_C).
//
// This is an RBM of the free units with shifted hidden biases, plus a constant, which is added to each log density
// along the path and so to log Z(beta) for every beta.
type clamped struct {
	*Model
	constant  float64 // c_C.x_C in nats
	pixel     []int32 // pixel of each free unit
	picture   []uint8 // values of clamped pixels, 2 elsewhere
	unclamped *models.Truth
}

// clamped opens p with the visible units of fixed clamped to their values. Errors name units that do not exist, and
// report a drawing without free units.
func (p Params) clamped(fixed frame.Drawing, w *meter.Meter) (*clamped, error) {
	d := &clamped{unclamped: p.Truth}
	q := p
	q.M, q.W, q.C, q.P1, q.Means, q.Rates = p.M-len(fixed), nil, nil, nil, nil, nil
	q.VarianceOrder, q.Stages, q.Truth, q.Data, q.packedData = nil, [2][]float64{}, nil, nil, nil
	q.B = slices.Clone(p.B)
	q.Picture[0], q.Picture[1] = pictureSize(p.M, p.Picture)
	for k := range fixed {
		if k >= p.M {
			return nil, problem.New("clamp fixes pixel %d, and the model has pixels 0 to %d", k, p.M-1)
		}
	}
	if q.M < 1 {
		return nil, problem.New("clamp fixes all %d pixels; leave one free", p.M)
	}

	// Free units keep their weights; clamped units that are on add to the biases.
	d.picture = slices.Repeat([]uint8{2}, q.Picture[0]*q.Picture[1])
	for i := range p.M {
		row := p.W[i*p.J : (i+1)*p.J]
		x, ok := fixed[i]
		if !ok {
			d.pixel = append(d.pixel, int32(i))
			q.W, q.C = append(q.W, row...), append(q.C, p.C[i])
			if p.P1 != nil {
				q.P1 = append(q.P1, p.P1[i])
			}
			if len(p.Means) == p.M {
				q.Means = append(q.Means, p.Means[i])
			}
			if len(p.Rates) == p.M {
				q.Rates = append(q.Rates, p.Rates[i])
			}
			continue
		}
		if d.picture[i] = x; x == 1 {
			d.constant += p.C[i]
			for j, v := range row {
				q.B[j] += v
			}
		}
	}

	// Open the smaller RBM, and compute log Z of the unclamped one if that is fast.
	var err error
	if d.Model, err = New(q, w); err != nil {
		return nil, err
	}
	if n := min(p.M, p.J); d.unclamped == nil && n <= models.MaxExactUnits && max(p.M, p.J)<<n <= smallWork {
		whole, err := New(p, w)
		if err != nil {
			return nil, err
		}
		d.unclamped = whole.Truth()
	}
	return d, nil
}

// Capabilities returns the capabilities of the RBM, with the constant of the clamped units added.
func (d *clamped) Capabilities() models.Capabilities {
	c := d.Model.Capabilities()
	c.Exact = models.Exact{Truth: d.Truth, LadderLogZ: d.LadderLogZ, Sum: d,
		Unclamped: func() *models.Truth { return d.unclamped }}
	c.Bounds = models.Bounds{Floor: d.Floor, FloorFrom: d.FloorFrom}
	c.GrowingSpaces.Sequence, c.GrowingSpaces.Absent, c.Base.Finder = d, d, d
	if c.Base.Refit != nil {
		c.Base.Refit, c.Base.Uniform = d.Refit, d.Uniform
	}
	return c
}

// LogZ0 returns log Z of the base in nats: the constant.
func (d *clamped) LogZ0() float64 { return d.constant }

// WithBase keeps the clamped units.
func (d *clamped) WithBase(p1 []float64, w *meter.Meter) (models.Model, error) {
	m, err := d.Model.WithBase(p1, w)
	if err != nil {
		return nil, err
	}
	return d.withModel(m), nil
}

// Refit keeps the clamped units.
func (d *clamped) Refit(on []float64, n int) models.Model { return d.withModel(d.Model.Refit(on, n)) }

// Uniform keeps the clamped units.
func (d *clamped) Uniform() models.Model { return d.withModel(d.Model.Uniform()) }

// withModel returns the same clamped units for an RBM with another base.
func (d *clamped) withModel(m models.Model) *clamped {
	e := *d
	e.Model = m.(*Model)
	return &e
}

// addConstant adds the constant to values of log f or log Z.
func (d *clamped) addConstant(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v + d.constant
	}
	return out
}

func (d *clamped) LogBlocks(first int, out []float64) {
	d.Model.LogBlocks(first, out)
	copy(out, d.addConstant(out))
}

// Truth returns the exact log Z if the enumeration is small.
func (d *clamped) Truth() *models.Truth {
	t := d.Model.Truth()
	if t == nil {
		return nil
	}
	return &models.Truth{LogZ: t.LogZ + d.constant, Source: t.Source}
}

func (d *clamped) LadderLogZ(betas []float64) ([]float64, error) {
	z, err := d.Model.LadderLogZ(betas)
	return d.addConstant(z), err
}

func (d *clamped) Floor(going func() bool) (float64, string) {
	floor, kind := d.Model.Floor(going)
	return floor + d.constant, kind
}

// FloorFrom returns the bound reached by an ascent from the free units of a picture.
func (d *clamped) FloorFrom(picture []uint8) float64 {
	v := make([]uint8, len(d.pixel))
	for i, c := range d.pixel {
		v[i] = picture[c]
	}
	return d.Model.FloorFrom(v) + d.constant
}

// showPixels rearranges the rows of a frame, whose pictures begin with the free units, and adds the clamped pixels.
func (d *clamped) showPixels(n int, f *frame.Frame) {
	size := len(d.picture)
	row := make([]uint8, len(d.pixel))
	for r := range n {
		pic := f.Pixels[r*size : (r+1)*size]
		copy(row, pic)
		copy(pic, d.picture)
		for i, c := range d.pixel {
			pic[c] = row[i]
		}
	}
}

func (d *clamped) New(n int, ladder []float64) models.Population {
	return &clampedRows{d.Model.New(n, ladder).(fullPopulation), d}
}

// fullPopulation is a population of an RBM in either form.
type fullPopulation interface {
	models.Population
	models.CapableRows
}

// clampedRows shows the clamped pixels in its pictures.
type clampedRows struct {
	fullPopulation
	d *clamped
}

func (p *clampedRows) Read(n int, f *frame.Frame) {
	p.fullPopulation.Read(n, f)
	p.d.showPixels(n, f)
}

func (d *clamped) Fill(absent string) models.Sequence {
	return &clampedSequence{d.Model.Fill(absent).(*sequence), d}
}

func (d *clamped) FillSampled(lanes [][]byte) models.Sequence {
	return &clampedSequence{d.Model.FillSampled(lanes).(*sequence), d}
}

func (d *clamped) NewParticles() models.Particles {
	return d.Fill(models.AbsentValues[0]).NewParticles()
}

func (d *clamped) StageLogZ() []float64 {
	return d.Fill(models.AbsentValues[0]).StageLogZ()
}

// clampedSequence is a sequence of the free units.
type clampedSequence struct {
	*sequence
	d *clamped
}

func (s *clampedSequence) StageLogZ() []float64 { return s.d.addConstant(s.sequence.StageLogZ()) }

func (s *clampedSequence) NewParticles() models.Particles {
	return &clampedParticles{s.sequence.NewParticles().(*particles), s.d}
}

// clampedParticles shows the clamped pixels at every stage.
type clampedParticles struct {
	*particles
	d *clamped
}

func (p *clampedParticles) Init(at rng.At) float64 { return p.particles.Init(at) + p.d.constant }

func (p *clampedParticles) Read(n int, f *frame.Frame) {
	p.particles.Read(n, f)
	p.d.showPixels(n, f)
	if f.Growth != nil {
		f.Growth.Cell = p.d.pixels(p.seq.order)
	}
}

// pixels returns the pixels of the free units in the given order.
func (d *clamped) pixels(order []int32) []int32 {
	out := make([]int32, len(order))
	for i, u := range order {
		out[i] = d.pixel[u]
	}
	return out
}

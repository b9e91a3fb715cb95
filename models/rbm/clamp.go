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

// clamp is the parameter of a drawing: runs of pixels, numbered from 0 row by row, that are fixed to ink (i) or paper
// (p), as 205i3-233p: ink from 205 to 207, paper at 233.
var clamp = spec.Param{Name: "clamp", Type: "string", Target: true, Check: func(s string) (string, error) {
	d, err := frame.ReadDrawing(s)
	return d.String(), err
}, Help: "Pixels that are fixed to ink (i) or paper (p), as 205i3-233p: ink at 205, 206 and 207, paper at 233. " +

	"log Z is then over the other pixels, and less the log Z of all it is log p of the drawing."}

// pictureSize is the size of a picture of so many visible units: the given one if they fit, else a square.
func pictureSize(units int, given [2]int) (wide, high int) {
	if wide, high = given[0], given[1]; wide*high < units || wide < 1 {
		wide = int(math.Ceil(math.Sqrt(float64(units))))
		high = (units + wide - 1) / wide
	}
	return wide, high
}

// clamped is an RBM of which some visible units are fixed. With x_C their values, log f is
//
//	c_C.x_C + v.c + v'W h + h.(b + W_C'x_C),
//
// v the other units: an RBM of those, whose hidden biases have moved, and a constant that is added to each log density
// along the path, so that log Z(beta) has it for every beta.
type clamped struct {
	*Model
	constant  float64
	pixel     []int32 // of each free unit: its pixel
	picture   []uint8 // of the fixed pixels, 2 elsewhere
	unclamped *models.Truth
}

// clamped opens p with some units fixed.
func (p Params) clamped(fixed frame.Drawing, w *meter.Meter) (*clamped, error) {
	d := &clamped{unclamped: p.Truth}
	q := p
	q.M, q.W, q.C, q.P1, q.Means, q.Rates = p.M-len(fixed), nil, nil, nil, nil, nil
	q.Ranked, q.Stages, q.Truth, q.Data, q.packedData = nil, [2][]float64{}, nil, nil, nil
	q.B = slices.Clone(p.B)
	q.Picture[0], q.Picture[1] = pictureSize(p.M, p.Picture)
	for k := range fixed {
		if k >= p.M {
			return nil, problem.New("clamp fixes pixel %d, and the machine has pixels 0 to %d", k, p.M-1)
		}
	}
	if q.M < 1 {
		return nil, problem.New("clamp fixes all %d pixels; leave one free", p.M)
	}

	// Free units keep their weights; fixed ones that are on move to the biases.
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

	// The smaller machine, and log Z of the whole one where it is known.
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

// Capabilities returns those of the machine, with the constant of the clamped units.
func (d *clamped) Capabilities() models.Capabilities {
	c := d.Model.Capabilities()
	c.Exact = models.Exact{Truth: d.Truth, LadderLogZ: d.LadderLogZ, Sum: d,
		Unclamped: func() *models.Truth { return d.unclamped }}
	c.Bounds = models.Bounds{Floor: d.Floor, FloorFrom: d.Climb}
	c.Formation.Sequence, c.Formation.Absent, c.Base.Finder = d, d, d
	if c.Base.Refit != nil {
		c.Base.Refit, c.Base.Uniform = d.Refit, d.Uniform
	}
	return c
}

func (d *clamped) LogZ0() float64 { return d.constant }

// WithBase keeps the drawing.
func (d *clamped) WithBase(p1 []float64, w *meter.Meter) (models.Model, error) {
	m, err := d.Model.WithBase(p1, w)
	if err != nil {
		return nil, err
	}
	return d.withMachine(m), nil
}

// Refit keeps the drawing.
func (d *clamped) Refit(on []float64, n int) models.Model { return d.withMachine(d.Model.Refit(on, n)) }

// Uniform keeps the drawing.
func (d *clamped) Uniform() models.Model { return d.withMachine(d.Model.Uniform()) }

// on is the drawing on a machine with another base.
func (d *clamped) withMachine(m models.Model) *clamped {
	e := *d
	e.Model = m.(*Model)
	return &e
}

// shift adds the constant to values of log f or log Z.
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

// Truth is a small enumeration.
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

// Climb climbs from the free units of a picture.
func (d *clamped) Climb(picture []uint8) float64 {
	v := make([]uint8, len(d.pixel))
	for i, c := range d.pixel {
		v[i] = picture[c]
	}
	return d.Model.Climb(v) + d.constant
}

// show spreads the rows of a frame, whose pictures begin with the free units, over the pixels.
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

// fullPopulation is a population of an RBM on either path.
type fullPopulation interface {
	models.Population
	models.CapableRows
}

// clampedRows shows the drawing in its pictures.
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

// clampedParticles have the drawing from the start.
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

// pixels are those of the free units in an order.
func (d *clamped) pixels(order []int32) []int32 {
	out := make([]int32, len(order))
	for i, u := range order {
		out[i] = d.pixel[u]
	}
	return out
}

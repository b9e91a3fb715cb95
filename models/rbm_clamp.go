package models

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/rng"
	"logzlab/core/spec"
)

// clamp is the parameter of a drawing: runs of pixels, numbered from 0 row by row, that are fixed to ink (i) or paper
// (p), as 205i3-233p: ink from 205 to 207, paper at 233.
var clamp = spec.Param{Name: "clamp", Type: "string", Target: true, Check: func(s string) (string, error) {
	d, err := frame.ReadDrawing(s)
	return d.String(), err
}, Help: "Pixels that are fixed to ink (i) or paper (p), as 205i3-233p: ink at 205, 206 and 207, paper at 233. " +

	"log Z is then over the other pixels, and less the log Z of all it is log p of the drawing."}

// pictureOf is the size of a picture of so many visible units: the given one if they fit, else a square.
func pictureOf(units int, given [2]int) (wide, high int) {
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
	*RBM
	constant float64
	cell     []int32 // of each free unit: its pixel
	picture  []uint8 // of the fixed pixels, 2 elsewhere
	free     *Truth
}

// clamped opens p with some units fixed.
func (p RBMParams) clamped(fixed frame.Drawing, w *meter.Meter) (*clamped, error) {
	d := &clamped{free: p.Truth}
	q := p
	q.M, q.W, q.C, q.P1, q.Rates = p.M-len(fixed), nil, nil, nil, nil
	q.Ranked, q.Stages, q.Truth, q.Data, q.digits = nil, [2][]float64{}, nil, nil, nil
	q.B = slices.Clone(p.B)
	q.Picture[0], q.Picture[1] = pictureOf(p.M, p.Picture)
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
			d.cell = append(d.cell, int32(i))
			q.W, q.C = append(q.W, row...), append(q.C, p.C[i])
			if p.P1 != nil {
				q.P1 = append(q.P1, p.P1[i])
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
	if d.RBM, err = NewRBM(q, w); err != nil {
		return nil, err
	}
	if n := min(p.M, p.J); d.free == nil && n <= MaxExactUnits && max(p.M, p.J)<<n <= smallWork {
		whole, err := NewRBM(p, w)
		if err != nil {
			return nil, err
		}
		d.free = whole.Truth()
	}
	return d, nil
}

// Free is the exact log Z without the drawing.
func (d *clamped) Free() *Truth { return d.free }

func (d *clamped) LogZ0() float64 { return d.constant }

// WithBase keeps the drawing.
func (d *clamped) WithBase(p1 []float64, w *meter.Meter) (Model, error) {
	m, err := d.RBM.WithBase(p1, w)
	if err != nil {
		return nil, err
	}
	e := *d
	e.RBM = m.(*RBM)
	return &e, nil
}

// Refit keeps the drawing.
func (d *clamped) Refit(on []float64, n int) Model {
	e := *d
	e.RBM = d.RBM.Refit(on, n).(*RBM)
	return &e
}

// shift adds the constant to values of log f or log Z.
func (d *clamped) shift(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v + d.constant
	}
	return out
}

func (d *clamped) LogBlocks(first int, out []float64) {
	d.RBM.LogBlocks(first, out)
	copy(out, d.shift(out))
}

// Truth is a small enumeration.
func (d *clamped) Truth() *Truth {
	t := d.RBM.Truth()
	if t == nil {
		return nil
	}
	return &Truth{LogZ: t.LogZ + d.constant, Source: t.Source}
}

func (d *clamped) LadderLogZ(betas []float64) ([]float64, error) {
	z, err := d.RBM.LadderLogZ(betas)
	return d.shift(z), err
}

func (d *clamped) Floor(going func() bool) (float64, string) {
	floor, kind := d.RBM.Floor(going)
	return floor + d.constant, kind
}

// Climb climbs from the free units of a picture.
func (d *clamped) Climb(picture []uint8) float64 {
	v := make([]uint8, len(d.cell))
	for i, c := range d.cell {
		v[i] = picture[c]
	}
	return d.RBM.Climb(v) + d.constant
}

// show spreads the rows of a frame, whose pictures begin with the free units, over the pixels.
func (d *clamped) show(n int, f *frame.Frame) {
	size := len(d.picture)
	row := make([]uint8, len(d.cell))
	for r := range n {
		pic := f.Pixels[r*size : (r+1)*size]
		copy(row, pic)
		copy(pic, d.picture)
		for i, c := range d.cell {
			pic[c] = row[i]
		}
	}
}

func (d *clamped) New(n int, ladder []float64) Population {
	return &clampedRows{d.RBM.New(n, ladder).(rbmPopulation), d}
}

// rbmPopulation is what populations of an RBM can do, on either path.
type rbmPopulation interface {
	Population
	Curved
	TargetDrawer
	DataDrawer
	Counter
	Flipper
}

// clampedRows shows the drawing in its pictures.
type clampedRows struct {
	rbmPopulation
	d *clamped
}

func (p *clampedRows) Read(n int, f *frame.Frame) {
	p.rbmPopulation.Read(n, f)
	p.d.show(n, f)
}

func (d *clamped) Fill(absent string) Sequential {
	return &clampedSequence{d.RBM.Fill(absent).(*rbmSequence), d}
}

func (d *clamped) FillSampled(lanes [][]byte) Sequential {
	return &clampedSequence{d.RBM.FillSampled(lanes).(*rbmSequence), d}
}

func (d *clamped) NewParticles() Particles { return d.Fill(Absents[0]).NewParticles() }

func (d *clamped) StageLogZ() []float64 { return d.Fill(Absents[0]).(KnownStages).StageLogZ() }

// clampedSequence is a sequence of the free units.
type clampedSequence struct {
	*rbmSequence
	d *clamped
}

func (s *clampedSequence) StageLogZ() []float64 { return s.d.shift(s.rbmSequence.StageLogZ()) }

func (s *clampedSequence) NewParticles() Particles {
	return &clampedParticles{s.rbmSequence.NewParticles().(*rbmParticles), s.d}
}

// clampedParticles have the drawing from the start.
type clampedParticles struct {
	*rbmParticles
	d *clamped
}

func (p *clampedParticles) Init(at rng.At) float64 { return p.rbmParticles.Init(at) + p.d.constant }

func (p *clampedParticles) Read(n int, f *frame.Frame) {
	p.rbmParticles.Read(n, f)
	p.d.show(n, f)
	if f.Growth != nil {
		f.Growth.Cell = p.d.pixels(p.seq.order)
	}
}

// pixels are those of the free units in an order.
func (d *clamped) pixels(order []int32) []int32 {
	out := make([]int32, len(order))
	for i, u := range order {
		out[i] = d.cell[u]
	}
	return out
}

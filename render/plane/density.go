package plane

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// knots is the number of steps of inverse temperature at which a density is summed. Sums between them are
// interpolated.
const knots = 32

// Background is the density of a model in a scene. The quantities that are drawn are computed at first use.
type Background struct {
	field   *frame.Field
	derived *density
}

// Take stores the density of a frame, if it has one.
func (g *Background) Take(f *frame.Frame) {
	if f.Field != nil {
		g.field, g.derived = f.Field, nil
	}
}

// Density returns nil if no density is known.
func (g *Background) Density() *density {
	if g.derived == nil && g.field != nil {
		g.derived = newDensity(g.field)
	}
	return g.derived
}

// density is a field with the quantities that the scene derives from it, once per run. Sums and reliefs are computed
// at first use.
type density struct {
	f             *frame.Field
	log0, log1    []float64 // relative to their peaks, finite
	basin         []uint8   // component of each cell at inverse temperature 1
	sums          [knots + 1]*sums
	reliefs       map[int]*relief // by position on the canvas
	Roi           paint.Rect      // region of the target in data units; y runs down from Roi.Y+Roi.H
	ReliefPending bool            // a relief is out of date
	sd            []float64       // standard deviation of each component, in data units
}

// Fit returns axes that show the region of the target in a box, with the same scale for both.
func (d *density) Fit(b paint.Rect) (sx, sy paint.Axis) {
	v := planeView{d: d, roi: d.Roi}
	return v.Window(b)
}

// whole returns the region of the whole field, in data units.
func (d *density) whole() paint.Rect {
	f := d.f
	return paint.XYWH(float64(f.X0), float64(f.Y0), float64(f.X1-f.X0), float64(f.Y1-f.Y0))
}

// sums are the fractions of the mass by column, row and component at one temperature.
type sums struct{ x, y, components []float64 }

// maxDepth bounds the difference in nats of a log density from its peak.
const maxDepth = 2000

func newDensity(f *frame.Field) *density {
	d := &density{f: f, log0: relativeToPeak(f.Log0), log1: relativeToPeak(f.Log1), reliefs: map[int]*relief{}}
	d.basins()
	d.findRegion()
	return d
}

// relativeToPeak subtracts the peak. Values below -maxDepth and NaN become -maxDepth.
func relativeToPeak(in []float32) []float64 {
	top := math.Inf(-1)
	for _, v := range in {
		if v := float64(v); num.Finite(v) {
			top = max(top, v)
		}
	}
	out := make([]float64, len(in))
	for i, v := range in {
		out[i] = -maxDepth
		if v := float64(v); num.Finite(v) {
			out[i] = max(v-top, -maxDepth)
		}
	}
	return out
}

// cell returns the cell of a point, or the nearest one.
func (d *density) cell(x, y float64) int {
	f := d.f
	at := func(v float64, n int) int { return int(min(max(v*float64(n), 0), float64(n-1))) }
	i := at((x-float64(f.X0))/float64(f.X1-f.X0), f.W)
	j := at((float64(f.Y1)-y)/float64(f.Y1-f.Y0), f.H)
	return j*f.W + i
}

// centre returns the centre of a cell.
func (d *density) centre(k int) (x, y float64) {
	f := d.f
	return float64(f.X0) + (float64(k%f.W)+0.5)*float64(f.X1-f.X0)/float64(f.W),
		float64(f.Y1) - (float64(k/f.W)+0.5)*float64(f.Y1-f.Y0)/float64(f.H)
}

// basins assigns each cell to the component nearest to the end of a steepest ascent of the target from the cell.
func (d *density) basins() {
	f := d.f
	d.basin = make([]uint8, f.W*f.H)
	if len(f.Components) < 2 {
		return
	}
	const unknown = 255
	for k := range d.basin {
		d.basin[k] = unknown
	}

	// Ascend from each cell to a cell with a known component or to a peak. All cells on the path belong to the same
	// component.
	var path []int
	for k := range d.basin {
		path = path[:0]
		for c := k; ; {
			if d.basin[c] != unknown {
				for _, q := range path {
					d.basin[q] = d.basin[c]
				}
				break
			}
			path = append(path, c)
			up := c
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					x, y := c%f.W+dx, c/f.W+dy
					if x >= 0 && x < f.W && y >= 0 && y < f.H && d.log1[y*f.W+x] > d.log1[up] {
						up = y*f.W + x
					}
				}
			}
			if up == c {
				d.basin[c] = d.nearestComponent(d.centre(c))
			}
			c = up
		}
	}
}

func (d *density) nearestComponent(x, y float64) (best uint8) {
	least := math.Inf(1)
	for i, c := range d.f.Components {
		if r := math.Hypot(x-float64(c.X), y-float64(c.Y)); r < least {
			best, least = uint8(i), r
		}
	}
	return best
}

// Components are shown down to componentDepth nats below their own tops, which is three standard deviations of a normal
// density. Components more than lowComponent nats below the highest one are omitted. All paint.Contours are shown, too.
const componentDepth, lowComponent = 4.5, 5

// findRegion computes the bounding box of all components, and the standard deviation of each.
func (d *density) findRegion() {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	n := max(len(d.f.Components), 1)
	mass, square := make([]float64, n), make([]float64, n)
	top := slices.Repeat([]float64{math.Inf(-1)}, 256)
	for k, v := range d.log1 {
		top[d.basin[k]] = max(top[d.basin[k]], v)
	}
	ring := -slices.Max(paint.Contours[:])
	for k, v := range d.log1 {
		x, y := d.centre(k)
		if t := top[d.basin[k]]; v >= ring || v >= t-componentDepth && t >= -lowComponent {
			x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
		}
		if b := int(d.basin[k]); b < len(d.f.Components) {
			c, w := d.f.Components[b], math.Exp(v)
			mass[b] += w
			square[b] += w * (math.Pow(x-float64(c.X), 2) + math.Pow(y-float64(c.Y), 2)) / 2
		}
	}
	// A peak that is one cell wide has a positive extent.
	cw, ch := float64(d.f.X1-d.f.X0)/float64(d.f.W), float64(d.f.Y1-d.f.Y0)/float64(d.f.H)
	if !(x0 <= x1) {
		x0, x1, y0, y1 = float64(d.f.X0), float64(d.f.X1), float64(d.f.Y0), float64(d.f.Y1)
	}
	d.Roi = paint.XYWH(x0-cw, y0-ch, x1-x0+2*cw, y1-y0+2*ch)
	for i := range d.f.Components {
		d.sd = append(d.sd, math.Sqrt(square[i]/max(mass[i], 1e-300)))
	}
}

// at returns the sums at knot k.
func (d *density) at(k int) *sums {
	if d.sums[k] != nil {
		return d.sums[k]
	}
	f, beta := d.f, float64(k)/knots
	s := &sums{make([]float64, f.W), make([]float64, f.H), make([]float64, max(len(f.Components), 1))}
	top := math.Inf(-1)
	for i := range d.log0 {
		top = max(top, (1-beta)*d.log0[i]+beta*d.log1[i])
	}
	total := 0.0
	for i := range d.log0 {
		v := (1-beta)*d.log0[i] + beta*d.log1[i] - top
		if v < -30 {
			continue
		}
		v = math.Exp(v)
		total += v
		s.x[i%f.W] += v
		s.y[i/f.W] += v
		s.components[d.basin[i]] += v
	}
	for _, list := range [...][]float64{s.x, s.y, s.components} {
		for i := range list {
			list[i] /= total
		}
	}
	d.sums[k] = s
	return s
}

// mixture returns the sums of a mixture of n tempered densities, with inverse temperatures temp(i) and weights
// share(i).
func (d *density) mixture(n int, temp, share func(i int) float64) *sums {
	var at [knots + 1]float64
	for i := range n {
		b := temp(i)
		if !num.NotNaN(b) {
			continue
		}
		x := min(max(b, 0), 1) * knots
		k := min(int(x), knots-1)
		at[k] += share(i) * (1 - (x - float64(k)))
		at[k+1] += share(i) * (x - float64(k))
	}
	out := &sums{make([]float64, d.f.W), make([]float64, d.f.H), make([]float64, max(len(d.f.Components), 1))}
	for k, w := range at {
		if w <= 0 {
			continue
		}
		s := d.at(k)
		for _, l := range [...][2][]float64{{out.x, s.x}, {out.y, s.y}, {out.components, s.components}} {
			for i, v := range l[1] {
				l[0][i] += w * v
			}
		}
	}
	return out
}

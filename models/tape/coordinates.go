package tape

import (
	"math"
	"slices"
	"sync"

	"logzlab/core/num"
	ops "logzlab/core/tape"
	"logzlab/models/density"
)

// coordinates are those, z, in which a normal distribution is round: x = mean + root z. Goroutines may use them at the
// same time.
type coordinates struct {
	around density.Base
	idle   sync.Pool // of *place
	many   sync.Pool // of *block
}

// place is a point in both coordinates, and room for a gradient by x.
type place struct{ z, x, slope []float64 }

// block are points x and room for gradients, by rows.
type block struct{ x, slope []float64 }

func newCoordinates(around density.Base) *coordinates {
	dim := len(around.Mean)
	c := &coordinates{around: around}
	c.idle.New = func() any {
		p := &place{make([]float64, dim), make([]float64, dim), make([]float64, dim)}
		p.z[0] = math.NaN() // equal to no point
		return p
	}
	c.many.New = func() any { return new(block) }
	return c
}

// at is a place at z, which is to be put back. As it keeps its point, what is asked about one point again and again is
// converted once.
func (c *coordinates) at(z []float64) *place {
	p := c.idle.Get().(*place)
	if !slices.Equal(p.z, z) {
		copy(p.z, z)
		c.convert(z, p.x)
	}
	return p
}

// shown are the n numbers that a tape shows at z.
func (c *coordinates) shown(points *ops.Points, n int, z []float64) []float64 {
	at, out := c.at(z), make([]float64, n)
	defer c.idle.Put(at)
	points.Show(at.x, out)
	return out
}

func (c *coordinates) convert(z, x []float64) {
	copy(x, c.around.Mean)
	push(c.around.Root, 1, z, x)
}

// block is a block at n points z, which is to be put back.
func (c *coordinates) block(z []float64, n int) *block {
	b, dim := c.many.Get().(*block), len(c.around.Mean)
	b.x, b.slope = num.Sized(b.x, n*dim), num.Sized(b.slope, n*dim)
	for i := 0; i < n*dim; i += dim {
		c.convert(z[i:i+dim], b.x[i:i+dim])
	}
	return b
}

// push adds to x step times root z.
func push(root []float64, step float64, z, x []float64) {
	dim := len(x)
	for i := range x {
		x[i] += num.Mul(step, num.Dot(root[i*dim:i*dim+i+1], z[:i+1]))
	}
}

// pull makes of a gradient by x that by z: root^T times it.
func pull(root, slope, out []float64) {
	dim := len(slope)
	clear(out)
	for i, g := range slope {
		num.Axpy(g, root[i*dim:i*dim+i+1], out[:i+1])
	}
}

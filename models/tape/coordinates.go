package tape

import (
	"math"
	"slices"
	"sync"

	"logzlab/core/num"
	"logzlab/models/density"
)

// coordinates are those, z, in which a normal distribution is round: x = mean + root z. Goroutines may use them at the
// same time.
type coordinates struct {
	around density.Base
	idle   sync.Pool // of *place
}

// place is a point in both coordinates, and room for a gradient by x.
type place struct{ z, x, slope []float64 }

func newCoordinates(around density.Base) *coordinates {
	dim := len(around.Mean)
	return &coordinates{around, sync.Pool{New: func() any {
		p := &place{make([]float64, dim), make([]float64, dim), make([]float64, dim)}
		p.z[0] = math.NaN() // equal to no point
		return p
	}}}
}

// at is a place at z, which is to be put back. As it keeps its point, what is asked about one point again and again, as
// by a leapfrog, is converted once.
func (c *coordinates) at(z []float64) *place {
	p := c.idle.Get().(*place)
	if !slices.Equal(p.z, z) {
		copy(p.z, z)
		copy(p.x, c.around.Mean)
		push(c.around.Root, 1, z, p.x)
	}
	return p
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

package program

import (
	"math"
	"slices"
	"sync"

	"logzlab/core/num"
	"logzlab/models/density"
	"logzlab/models/stan/tape"
)

// coordinates converts points z to points x = mean + root z of a tape, with the mean and the root of a metric.
// Goroutines may use it concurrently.
type coordinates struct {
	metric density.Base
	points sync.Pool // of *cachedPoint
	blocks sync.Pool // of *block
}

// cachedPoint is a point in both coordinates, with space for a gradient with respect to x.
type cachedPoint struct{ z, x, grad []float64 }

// block has points x and gradients with respect to x, by rows.
type block struct{ x, grad []float64 }

func newCoordinates(metric density.Base) *coordinates {
	dim := len(metric.Mean)
	c := &coordinates{metric: metric}
	c.points.New = func() any {
		p := &cachedPoint{make([]float64, dim), make([]float64, dim), make([]float64, dim)}
		p.z[0] = math.NaN() // differs from every point
		return p
	}
	c.blocks.New = func() any { return new(block) }
	return c
}

// pointAt returns the point z in both coordinates. The caller must put it back into the pool. Points in the pool keep
// their values, so a point that is requested several times in a row is converted once.
func (c *coordinates) pointAt(z []float64) *cachedPoint {
	p := c.points.Get().(*cachedPoint)
	if !slices.Equal(p.z, z) {
		copy(p.z, z)
		c.toX(z, p.x)
	}
	return p
}

// outputs returns the n outputs of a tape at z.
func (c *coordinates) outputs(points *tape.EvaluatorPool, n int, z []float64) []float64 {
	at, out := c.pointAt(z), make([]float64, n)
	defer c.points.Put(at)
	points.Outputs(at.x, out)
	return out
}

// toX sets x to mean + root z.
func (c *coordinates) toX(z, x []float64) {
	copy(x, c.metric.Mean)
	addRootTimes(c.metric.Root, 1, z, x)
}

// blockAt returns a block with the points x of n points z. The caller must put it back into the pool.
func (c *coordinates) blockAt(z []float64, n int) *block {
	b, dim := c.blocks.Get().(*block), len(c.metric.Mean)
	b.x, b.grad = num.Sized(b.x, n*dim), num.Sized(b.grad, n*dim)
	for i := 0; i < n*dim; i += dim {
		c.toX(z[i:i+dim], b.x[i:i+dim])
	}
	return b
}

// addRootTimes adds scale times root z to x.
func addRootTimes(root []float64, scale float64, z, x []float64) {
	dim := len(x)
	for i := range x {
		x[i] += num.Mul(scale, num.Dot(root[i*dim:i*dim+i+1], z[:i+1]))
	}
}

// rootTTimes sets out to root^T times slope: it converts a gradient with respect to x = mean + root z to one with
// respect to z.
func rootTTimes(root, slope, out []float64) {
	dim := len(slope)
	clear(out)
	for i, g := range slope {
		num.Axpy(g, root[i*dim:i*dim+i+1], out[:i+1])
	}
}

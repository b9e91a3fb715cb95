package ising

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// clusterSweepName is the value of the parameter sweep for cluster updates.
const clusterSweepName = "clusters"

// bondLimit returns 2^32 times the probability 1 - exp(-2 |b k|) with which a satisfied bond joins its spins at inverse
// temperature b.
func (m *Lattice) bondLimit(b float64) uint64 {
	return uint64(num.Mul(-num.Expm1(num.Mul(-2, math.Abs(num.Mul(b, m.k)))), 1<<32))
}

// cluster updates row r by the algorithm of [Swendsen1987]. A satisfied bond, one with k s_i s_j > 0, joins its spins
// with the probability of bondLimit; each cluster of joined spins flips with probability 1/2. Drawing bonds given spins
// and spins given bonds is Gibbs sampling of a joint distribution, so the sweep leaves f_b invariant and is its own
// reverse, also for frustrated couplings.
func (p *population) cluster(s rng.Stream, r int, limit uint64) {
	row, root, bonds := p.row(r), p.root, p.m.bonds
	p.drawWords(s, len(p.words)-3)
	for i := range root {
		root[i] = int32(i)
	}
	var unequal uint8 // 1 if the spins of a satisfied bond differ
	if p.m.k < 0 {
		unequal = 1
	}
	for t, b := range bonds {
		if row[b[0]]^row[b[1]] == unequal && uint64(p.words[t]) < limit {
			i, j := p.find(b[0]), p.find(b[1])
			root[max(i, j)] = min(i, j)
		}
	}
	flips := p.words[len(bonds):]
	for i, first := range root {
		first = root[first] // roots have the smallest number in their cluster, so root[first] is final
		root[i] = first
		row[i] ^= uint8(flips[first/32] >> (first % 32) & 1)
	}
	p.sumBonds(r)
}

// find returns the root of the tree of spin i, and halves the path from i to it.
func (p *population) find(i int32) int32 {
	for p.root[i] != i {
		p.root[i] = p.root[p.root[i]]
		i = p.root[i]
	}
	return i
}

// Cluster updates replace heat baths from this number of spins and this coupling on. With annealing and with tempering
// they then had the smaller product of squared error and time: by a factor of 1.2 to 2.3 at 24 x 24 spins and k = 0.44,
// and of 4 to 8 at k = 0.5. At 16 x 16 spins, or at k = 0.4, single-site sweeps are as good or better.
const (
	minClusterSpins    = 257
	minClusterCoupling = .42
)

// Faster returns the model with cluster updates if they are more efficient, otherwise the model itself. It never
// chooses them for frustrated couplings: k < 0 on a torus with a side of odd length.
func (m *Lattice) Faster() models.Model {
	hasOddSide := m.torus && (m.L1%2 == 1 || m.L2%2 == 1)
	if len(m.neighbours) < minClusterSpins || math.Abs(m.k) < minClusterCoupling || m.k < 0 && hasOddSide {
		return m
	}
	out := *m
	out.clusterSweeps = true
	return &out
}

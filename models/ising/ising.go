package ising

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/lazy"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/models"
)

// Lattice is the two-dimensional Ising model on an L1 x L2 lattice,
//
//	log f_b(s) = b beta J sum_<ij> s_i s_j,  s_i = ±1,  log Z(0) = L1 L2 log 2,
//
// with periodic boundaries (a torus) or open ones. On a torus every site has one bond to the right and one down.
// Therefore neighbours along a side of length 2 have two bonds, and along a side of length 1 each site has a bond to
// itself, which adds a constant to log f. A sweep is a heat bath over the black, then the white sites of the
// checkerboard, or a cluster update.
type Lattice struct {
	info           models.Info
	L1, L2         int
	torus          bool             // periodic boundaries
	k              float64          // coupling beta J at b = 1
	neighbours     [][]int32        // neighbours of each site; twice for two bonds
	order          []int32          // sites, black first
	selfBonds      int              // number of bonds of a site to itself
	transferMatrix func() *transfer // returns the transfer matrix, computed once
	bonds          [][2]int32       // the two sites of each bond between different sites
	clusterSweeps  bool             // sweeps are cluster updates, not heat baths
}

// New returns the lattice of f at inverse temperature beta, from -100 to 100; other values are an error.
func New(f Params, beta float64) (*Lattice, error) {
	if !(math.Abs(beta) <= 100) {
		return nil, problem.New("ising: beta = %v must be a number between -100 and 100", beta)
	}
	n := f.L1 * f.L2
	m := &Lattice{L1: f.L1, L2: f.L2, torus: f.Periodic, k: num.Mul(beta, f.J), neighbours: make([][]int32, n)}
	bond := func(i, j int) {
		if i == j {
			m.selfBonds++
			return
		}
		m.bonds = append(m.bonds, [2]int32{int32(i), int32(j)})
		m.neighbours[i] = append(m.neighbours[i], int32(j))
		m.neighbours[j] = append(m.neighbours[j], int32(i))
	}
	for y := 0; y < f.L1; y++ {
		for x := 0; x < f.L2; x++ {
			i := y*f.L2 + x
			if m.torus || x+1 < f.L2 {
				bond(i, y*f.L2+(x+1)%f.L2)
			}
			if m.torus || y+1 < f.L1 {
				bond(i, (y+1)%f.L1*f.L2+x)
			}
		}
	}

	// Sites of the checkerboard, black first.
	for colour := 0; colour < 2; colour++ {
		for i := 0; i < n; i++ {
			if (i/f.L2+i%f.L2)%2 == colour {
				m.order = append(m.order, int32(i))
			}
		}
	}

	m.transferMatrix = lazy.Of(m.newTransfer)
	m.info = models.Info{Kind: "ising", Dim: n, W: f.L2, H: f.L1}
	return m, nil
}

// Capabilities returns exact values, a lower bound and a faster kernel.
func (m *Lattice) Capabilities() models.Capabilities {
	return models.Capabilities{
		Exact:  models.Exact{Truth: m.Truth, LadderLogZ: m.LadderLogZ, Sum: m},
		Bounds: models.Bounds{Floor: m.Floor, FloorFrom: m.FloorFrom},
		Kernel: models.Kernel{Faster: m.Faster},
		Cost:   m.Cost,
	}
}

// Info returns name, kind, size and flags of the model.
func (m *Lattice) Info() models.Info { return m.info }

// LogZ0 returns log Z of the base, in nats.
func (m *Lattice) LogZ0() float64 { return num.Mul(float64(len(m.neighbours)), math.Ln2) }

// maxField is the largest number of bonds of a site, so the sum of its neighbouring spins is at most maxField.
const maxField = 4

// population holds rows of a Lattice (models.Population).
type population struct {
	m      *Lattice
	ladder []float64
	// upLimits[k][field+maxField] is 2^32 P(s = 1 | field) at rung k, where field is the sum of the neighbouring spins.
	upLimits [][2*maxField + 1]uint64
	spins    []uint8 // spins by row and site, 1 for +1 and 0 for -1
	bondSums []int   // sum over bonds of s_i s_j, for each row
	words    []uint32
	// For cluster sweeps: the bondLimit of each rung, and the site with the smallest number in each spin's cluster.
	bondLimits []uint64
	root       []int32
}

// New returns a population of n rows for the rungs of the ladder.
func (m *Lattice) New(n int, ladder []float64) models.Population {
	p := &population{m: m, ladder: ladder, upLimits: make([][2*maxField + 1]uint64, len(ladder)),
		spins: make([]uint8, n*len(m.neighbours)), bondSums: make([]int, n), words: make([]uint32, len(m.neighbours)+3)}
	for k, b := range ladder {
		for f := range p.upLimits[k] {
			q := num.Sigmoid(num.Mul(2, num.Mul(b*m.k, float64(f-maxField))))
			p.upLimits[k][f] = uint64(num.Mul(q, 1<<32))
		}
	}
	if m.clusterSweeps {
		p.words, p.root = make([]uint32, len(m.bonds)+len(m.neighbours)/32+4), make([]int32, len(m.neighbours))
		for _, b := range ladder {
			p.bondLimits = append(p.bondLimits, m.bondLimit(b))
		}
	}
	for r := range p.bondSums {
		p.sumBonds(r)
	}
	return p
}

// row returns the spins of row r.
func (p *population) row(r int) []uint8 { n := len(p.m.neighbours); return p.spins[r*n : (r+1)*n] }

// field returns the sum of the spins, 1 or -1, of the neighbours of site i.
func (m *Lattice) field(s []uint8, i int32) int {
	up := 0
	for _, j := range m.neighbours[i] {
		up += int(s[j])
	}
	return 2*up - len(m.neighbours[i])
}

// sumBonds recomputes the sum over bonds of s_i s_j for row r.
func (p *population) sumBonds(r int) {
	s, unequal := p.row(r), 0
	for _, b := range p.m.bonds {
		unequal += int(s[b[0]] ^ s[b[1]])
	}
	p.bondSums[r] = len(p.m.bonds) - 2*unequal + p.m.selfBonds
}

// drawWords sets words to at least n random numbers of 32 bits.
func (p *population) drawWords(s rng.Stream, n int) {
	for i := 0; i < n; i += 4 {
		p.words[i], p.words[i+1], p.words[i+2], p.words[i+3] = s.Block()
	}
}

// Draw sets every row to independent spins with probability 1/2.
func (p *population) Draw(at rng.At) {
	for r := range p.bondSums {
		p.drawWords(at.Row(r), len(p.m.neighbours))
		s := p.row(r)
		for i := range s {
			s[i] = uint8(p.words[i] >> 31)
		}
		p.sumBonds(r)
	}
}

// Move applies one sweep to each row. A heat bath draws every site once given its neighbours, black sites first; if
// reversed is true, in the opposite order, which gives the reversed kernel. A cluster update is its own reverse.
func (p *population) Move(at rng.At, rung []int32, reversed bool) {
	for r, k := range rung {
		if p.bondLimits != nil {
			p.cluster(at.Row(r), r, p.bondLimits[k])
			continue
		}
		p.drawWords(at.Row(r), len(p.m.neighbours))
		s, up, sum := p.row(r), &p.upLimits[k], p.bondSums[r]
		n := len(p.m.order)
		for t := 0; t < n; t++ {
			i := p.m.order[t]
			if reversed {
				i = p.m.order[n-1-t]
			}
			f := p.m.field(s, i)
			var bit uint8
			if uint64(p.words[t]) < up[f+maxField] {
				bit = 1
			}
			sum += 2 * (int(bit) - int(s[i])) * f
			s[i] = bit
		}
		p.bondSums[r] = sum
	}
}

// LogF writes log f_b = b beta J sum_<ij> s_i s_j of every row for the rungs lo..lo+n-1, in nats.
func (p *population) LogF(lo, n int, out []float64) {
	for r, sum := range p.bondSums {
		e := num.Mul(p.m.k, float64(sum))
		for k, b := range p.ladder[lo : lo+n] {
			out[r*n+k] = num.Mul(b, e)
		}
	}
}

// Read writes the spins of rows 0..n-1 into f as pictures of L1 x L2 cells.
func (p *population) Read(n int, f *frame.Frame) {
	f.W, f.H = p.m.L2, p.m.L1
	size := len(p.m.neighbours)
	f.Pixels = num.Sized(f.Pixels, n*size)
	copy(f.Pixels, p.spins[:n*size])
}

// Copy makes row dst a copy of row src.
func (p *population) Copy(dst, src int) {
	copy(p.row(dst), p.row(src))
	p.bondSums[dst] = p.bondSums[src]
}

// Append encodes the spins of row r, one bit each.
func (p *population) Append(r int, w *wire.Writer) { w.Bits(p.row(r)) }

// Load decodes row r as Append encoded it.
func (p *population) Load(r int, in *wire.Reader) {
	in.Bits(p.row(r))
	p.sumBonds(r)
}

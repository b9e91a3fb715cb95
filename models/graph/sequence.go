package graph

import (
	"math"
	"slices"

	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/models"
)

// Particles add one variable after another ([Naesseth2014]). f_n is the product of the tables whose variables are all
// among the first n variables in some order, so
//	 log W = log sum over x_{n+1} of the product of the tables that variable n+1 completes.

// Orders are the values of the parameter order, the default first. connected: next is the variable that shares most
// tables with earlier ones; natural: the order of the file; random: a fixed permutation; ahead: the reverse of an
// elimination order, with lookahead densities (WithLookahead).
var Orders = []string{"connected", "natural", "random", lookahead}

// orderOf returns the variables of a graph in the order with the given name. The random order depends on the number of
// variables only.
func orderOf(g *factor.Graph, name string) []int {
	n := len(g.States)
	out := identityOrder(n)
	switch name {
	case "random":
		s := rng.NewKey(0, "order", n).Stream(0, 0, 0)
		s.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	case "connected", "":
		return connected(g)
	}
	return out
}

// connected returns the order of maximum cardinality search: next is the variable with most neighbours among those
// chosen so far, and among several of them the one with the smallest number.
func connected(g *factor.Graph) []int {
	n := len(g.States)
	neighbours := make([][]int, n)
	for _, f := range g.Factors {
		for _, v := range f.Vars {
			neighbours[v] = append(neighbours[v], f.Vars...)
		}
	}
	for v, list := range neighbours {
		slices.Sort(list)
		neighbours[v] = slices.DeleteFunc(slices.Compact(list), func(w int) bool { return w == v })
	}

	// lists[k] has the variables with k chosen neighbours. Entries are not removed when the number of chosen neighbours
	// grows, so each is checked when it is read.
	chosenNeighbours, isChosen := make([]int, n), make([]bool, n)
	lists := [][]int{identityOrder(n)}
	var out []int
	for len(out) < n {
		maxCount := len(lists) - 1
		best, bestIndex := -1, -1
		list := lists[maxCount][:0]
		for _, v := range lists[maxCount] {
			if !isChosen[v] && chosenNeighbours[v] == maxCount {
				list = append(list, v)
				if best < 0 || v < best {
					best, bestIndex = v, len(list)-1
				}
			}
		}
		if best < 0 {
			lists = lists[:maxCount]
			continue
		}
		lists[maxCount] = slices.Delete(list, bestIndex, bestIndex+1)
		out, isChosen[best] = append(out, best), true
		for _, v := range neighbours[best] {
			if !isChosen[v] {
				if chosenNeighbours[v]++; chosenNeighbours[v] == len(lists) {
					lists = append(lists, nil)
				}
				lists[chosenNeighbours[v]] = append(lists[chosenNeighbours[v]], v)
			}
		}
	}
	return out
}

// Stages returns the number of variables.
func (m *Graph) Stages() int { return len(m.g.States) }

// particles are rows that hold the first n variables of the order (models.Particles).
type particles struct {
	*cells
	m       *Graph
	rows    int                // number of rows
	n       int                // stage: number of variables present
	beta    []float64          // 1 for each row: particles are samples of f_n itself
	isHard  []bool             // true for each row
	stateOf func(r, v int) int // the method state; made once, because frames are read often
}

// NewParticles returns an empty set of particles at stage 1.
func (m *Graph) NewParticles() models.Particles {
	p := &particles{cells: newCells(m.formationLayout(), 0), m: m, n: 1}
	p.stateOf = p.state
	return p
}

// Resize implements models.Particles.
func (p *particles) Resize(n int) {
	p.resize(n)
	for len(p.beta) < n {
		p.beta, p.isHard = append(p.beta, 1), append(p.isHard, true)
	}
	p.rows = n
}

// Init sets every row to a sample of p_1 and returns log Z_1 in nats, with the constant factor of the graph.
func (p *particles) Init(at rng.At) float64 {
	p.n = 0
	logW := make([]float64, max(p.rows, 1))
	p.resize(1)
	p.logW(0, 1, logW)
	p.Augment(at)
	if p.l.constZeros > 0 {
		return math.Inf(-1)
	}
	return logW[0] + p.l.constant
}

// Stage implements models.Particles.
func (p *particles) Stage() int { return p.n }

// SetStage implements models.Particles.
func (p *particles) SetStage(n int) { p.n = n }

// Move applies sweeps of single-site Gibbs sampling to rows lo..hi-1.
func (p *particles) Move(at rng.At, lo, hi, sweeps int) {
	for range sweeps {
		p.sweep(at, p.n, lo, hi, p.beta[lo:hi], p.isHard[lo:hi], false)
		at.Step++
	}
}

// completedTables returns the tables that the next variable completes. They are the first ones in the list of its
// place.
func (p *particles) completedTables() []part {
	parts := p.l.partsAt[p.n]
	end := 0
	for end < len(parts) && int(parts[end].last()) == p.n {
		end++
	}
	return parts[:end]
}

// applyZeros sets the log weight of each state with a zero to -Inf.
func applyZeros(weight []float64, zeros []int32) {
	for i, n := range zeros {
		if n > 0 {
			weight[i] = math.Inf(-1)
		}
	}
}

// LogW writes the log weights of rows lo..hi-1, in nats (models.Particles).
func (p *particles) LogW(lo, hi int, out []float64) { p.logW(lo, hi, out) }

// logW computes the result of LogW.
func (p *particles) logW(lo, hi int, out []float64) {
	if a := p.l.lookahead; a != nil && a.Exact[p.n] {
		clear(out[:hi-lo])
		return
	}
	states := p.l.states[p.n]
	weight, zeros := p.logWeights(p.completedTables(), states, lo, hi)
	applyZeros(weight, zeros)
	var w [maxStates]float64
	for r := range hi - lo {
		for k := range states {
			w[k] = weight[k*(hi-lo)+r]
		}
		out[r] = num.LogSumExp(w[:states])
	}
	if p.l.lookahead != nil {
		p.subtractLeaving(lo, hi, out)
	}
}

// Augment draws the next variable of every row given the present ones. If all its states have a zero, the particle has
// weight 0 and the state is arbitrary.
func (p *particles) Augment(at rng.At) {
	states := p.l.states[p.n]
	weight, zeros := p.logWeights(p.completedTables(), states, 0, p.rows)
	applyZeros(weight, zeros)
	var w [maxStates]float64
	for r, row := 0, p.states(int32(p.n), 0, p.rows); r < len(row); r++ {
		for k := range states {
			w[k] = weight[k*p.rows+r]
		}
		s := at.Row(r)
		row[r] = uint8(max(s.Categorical(w[:states]), 0))
	}
	p.n++
}

// Reseed sets the present variables of rows lo..hi-1 to uniform states and applies the given number of sweeps.
func (p *particles) Reseed(at rng.At, lo, hi, sweeps int) {
	p.drawUniform(at, p.n, lo, hi)
	at.Step++
	p.Move(at, lo, hi, sweeps)
}

// Copy implements models.Particles.
func (p *particles) Copy(dst, src int) { p.copy(dst, src) }

// Read shows the variables present so far; others are absent.
func (p *particles) Read(n int, f *frame.Frame) {
	p.m.grid.fillFrame(n, f, p.stateOf)
	if f.Growth != nil {
		f.Growth.Cell = p.l.orderCells
	}
}

// state returns the state of variable v in row r, -1 if it is not present yet.
func (p *particles) state(r, v int) int {
	place := int(p.l.placeOf[v])
	if place >= p.n {
		return -1
	}
	return int(p.s[place*p.stride+r])
}

// Append encodes the present values of row r.
func (p *particles) Append(r int, w *wire.Writer) { p.append(p.n, r, w) }

// Load decodes row r as Append encoded it.
func (p *particles) Load(r int, in *wire.Reader) { p.load(p.n, r, in) }

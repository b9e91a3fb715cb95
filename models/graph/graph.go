package graph

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/lazy"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models"
)

// Graph is a product of tables over discrete variables on the geometric path from the uniform distribution,
//
//	log f_b(x) = b beta sum_a log T_a(x_a),  log Z(0) = sum_i log states_i.
//
// A zero of a table is a hard constraint. At b = 1 f is 0 for states that break one. For b < 1 the log of the zero is
// replaced by a number penalty nats below the smallest other one of its table, so that chains can cross constraints
// while they are hot. f_1 is positive only where every f_b is, so importance weights are defined and
// unbiased, and states with a broken constraint have weight 0. The mass of such states just below b = 1 is about
// e^-penalty for each constraint.
type Graph struct {
	info   models.Info
	g      *factor.Graph  // in canonical form; zeros are -Inf, tables include beta
	order  string         // in which variables are formed, one of Orders
	view   float64        // entries of the largest tables of lookahead densities
	zeros  bool           // some table has a zero
	empty  bool           // some table has only zeros
	pairs  *couplings     // nil if it is no graph of spins
	small  *smallParts    // nil if sums of spins have too many values
	layout *layout        // in natural order
	formed func() *layout // in order; computed once
	sweeps string         // one of Sweeps
	trees  func() *treeBlocks
	logZ0  float64
	sizes  sizes
	plan   func() factor.Plan // computed once, as are the functions below
	truth  func() *models.Truth
	stages func() []float64
	soft   func() softened
	blocks *blocks
	grid   grid
	drawn  func() *frame.Graph
}

// penalty is how far below the other log values of its table a replaced zero lies, in nats.
const penalty = 30

// FlagZeroSum says that the sum of f over all states is 0.
var FlagZeroSum = diag.NewFlag("zero_sum",
	"No state has a positive probability, so that Z is 0 and log Z is minus infinity.")

// New makes the model of a graph in canonical form at inverse temperature beta.
func New(p Params, beta float64, order string) (*Graph, error) {
	if !(math.Abs(beta) <= 100) {
		return nil, problem.New("graph: beta = %v must be a number between -100 and 100", beta)
	}

	// The tables at beta, with zeros and empty tables noted.
	m := &Graph{g: &factor.Graph{States: p.Graph.States}}
	for _, f := range p.Graph.Factors {
		t := slices.Clone(f.Table)
		empty := true
		for i, x := range t {
			switch {
			case !math.IsInf(x, -1):
				t[i] = num.Mul(beta, x)
				empty = false
			case beta <= 0:
				return nil, problem.New("graph: beta = %v: a graph with zeros needs a beta above 0", beta)
			default:
				m.zeros = true
			}
		}
		if empty {
			m.empty, m.info.Flags = true, []diag.Flag{FlagZeroSum}
		}
		m.g.Factors = append(m.g.Factors, factor.Factor{On: f.On, Table: t})
	}

	// Costly parts are computed on first use.
	m.logZ0, m.sizes = m.g.LogStates(), sizesOf(m.g)
	m.order, m.view = order, aheadEntries
	m.layout = layoutOf(m.g, natural(len(m.g.States)))
	m.formed = lazily(m)
	m.trees = lazy.Of(func() *treeBlocks { return treeBlocksOf(m.layout) })
	m.plan = lazy.Of(m.planned)
	m.blocks = &blocks{made: map[int]*factor.Sampler{}}
	m.truth = lazy.Of(m.sum)
	m.stages = lazy.Of(m.sumStages)
	m.soft = lazy.Of(m.soften)

	// Graphs of spins have faster populations.
	if m.pairs = couplingsOf(m.g, false); m.pairs != nil {
		if m.small = m.pairs.small(); m.small == nil && 2*len(m.pairs.colours) > len(m.g.States) {
			m.pairs = couplingsOf(m.g, true)
		}
	}

	// The shape of the graph.
	m.grid = gridOf(m.g)
	m.drawn = lazy.Of(m.draw)
	m.info.Kind, m.info.Dim = "graph", len(m.g.States)
	m.info.W, m.info.H = m.grid.w, m.grid.h
	return m, nil
}

// Capabilities returns exact values, bounds, the sequence over variables, a faster kernel and a picture.
func (m *Graph) Capabilities() models.Capabilities {
	return models.Capabilities{
		Exact:     models.Exact{Truth: m.Truth, LadderLogZ: m.LadderLogZ, IsZero: m.IsZero, Sum: m},
		Bounds:    models.Bounds{Floor: m.Floor, FloorFrom: m.Climb, Narrow: m.Between},
		Formation: models.Formation{Sequence: m, StageCost: m.StageCost, Lookahead: m.Ahead},
		Kernel:    models.Kernel{Faster: m.Faster},
		Picture:   models.Picture{Graph: m.Graph},
		Cost:      m.Cost,
		Diagnose:  m.Diagnose,
	}
}

func (m *Graph) Info() models.Info { return m.info }
func (m *Graph) LogZ0() float64    { return m.logZ0 }

// New makes the fastest population for the graph. All but tree blocks are single-site Gibbs sampling.
func (m *Graph) New(n int, ladder []float64) models.Population {
	if m.sweeps == trees {
		return newTreeRows(m, n, ladder)
	}
	if m.pairs != nil {
		if p := newSmall(m, n, ladder); p != nil {
			return p
		}
		return newSpins(m, n, ladder)
	}
	p := newRows(m, n, ladder)
	if m.zeros {
		return &broken{p}
	}
	return p
}

// RowCapabilities returns exact sampling.
func (p *rows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget}
}

// RowCapabilities returns exact sampling.
func (p *spins) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget}
}

// RowCapabilities returns exact sampling.
func (p *smallSpins) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget}
}

// RowCapabilities returns exact sampling and the slopes of a path that is not linear in beta.
func (p *broken) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget, Slopes: p}
}

// RowCapabilities returns exact sampling and the slopes of a path that is not linear in beta.
func (p *treeRows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget, Slopes: p}
}

// natural is 0, 1, ..., n-1.
func natural(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

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
// A zero of a table is a hard constraint. At b = 1 it stays one: f is 0 where a constraint is broken. For b < 1 the
// zero is taken for a number that is penalty nats below the smallest other number of its table, so that chains can
// cross constraints while they are hot. f_1 is positive only where every f_b is, so importance weights are defined and
// unbiased, and states with a broken constraint have weight 0. The mass of such states just below b = 1 is about
// e^-penalty for each constraint.
type Graph struct {
	info   models.Info
	g      *factor.Graph  // in its one form; zeros are -Inf, beta is in the tables
	order  string         // in which variables come, one of Orders
	view   float64        // entries of the largest tables of those that look ahead
	zeros  bool           // some table has one
	empty  bool           // some table has nothing else
	pairs  *couplings     // nil: not only spins without zeros on one or two variables
	small  *smallParts    // nil: their sums are large
	layout *layout        // of any graph
	formed func() *layout // in order, made once
	sweeps string         // one of Sweeps
	trees  func() *forests
	logZ0  float64
	sizes  sizes
	plan   func() factor.Plan // made once, as are those that follow
	truth  func() *models.Truth
	stages func() []float64
	soft   func() softened
	blocks *blocks
	grid   grid
	drawn  func() *frame.Graph
}

// penalty is how far below the numbers of its table a zero lies for b < 1, in nats.
const penalty = 30

// FlagZeroSum says that the sum of f over all states is 0.
var FlagZeroSum = diag.NewFlag("zero_sum",
	"No state has a positive probability, so that Z is 0 and log Z is minus infinity.")

// New makes the model of a graph in its one form at inverse temperature beta.
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

	// What the samplers need; the costly parts are made on demand.
	m.logZ0, m.sizes = m.g.LogStates(), sizesOf(m.g)
	m.order, m.view = order, aheadEntries
	m.layout = layoutOf(m.g, natural(len(m.g.States)))
	m.formed = lazily(m)
	m.trees = lazy.Of(func() *forests { return forestsOf(m.layout) })
	m.plan = lazy.Of(m.planned)
	m.blocks = &blocks{made: map[int]*factor.Sampler{}}
	m.truth = lazy.Of(m.sum)
	m.stages = lazy.Of(m.sumStages)
	m.soft = lazy.Of(m.soften)

	// Graphs of spins have kernels of their own.
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

// Capabilities are those of a graph of discrete variables.
func (m *Graph) Capabilities() models.Capabilities {
	return models.Capabilities{
		Exact:     models.Exact{Truth: m.Truth, LadderLogZ: m.LadderLogZ, IsZero: m.IsZero, Sum: m},
		Bounds:    models.Bounds{Floor: m.Floor, Climb: m.Climb, Between: m.Between},
		Formation: models.Formation{Sequence: m, StageCost: m.StageCost, Ahead: m.Ahead},
		Kernel:    models.Kernel{Faster: m.Faster},
		Picture:   models.Picture{Graph: m.Graph},
		Cost:      m.Cost,
		Diagnose:  m.Diagnose,
	}
}

func (m *Graph) Info() models.Info { return m.info }
func (m *Graph) LogZ0() float64    { return m.logZ0 }

// New makes rows of spins where the graph is one of spins.
func (m *Graph) New(n int, ladder []float64) models.Population {
	if m.sweeps == trees {
		return newBoughs(m, n, ladder)
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

// RowCapabilities are exact samples.
func (p *rows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget}
}

// RowCapabilities are exact samples.
func (p *spins) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget}
}

// RowCapabilities are exact samples.
func (p *smallSpins) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget}
}

// RowCapabilities are exact samples and slopes.
func (p *broken) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget, Slopes: p}
}

// RowCapabilities are exact samples and slopes.
func (p *boughs) RowCapabilities() models.RowCapabilities {
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

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

// Graph is a product of tables over discrete variables, on the geometric path from the uniform distribution,
//
//	log f_b(x) = b beta sum_a log T_a(x_a),  log Z(0) = sum_i log states_i.
//
// A zero of a table is a hard constraint: at b = 1, f is 0 for states that violate it. For b < 1 the log of the zero is
// replaced by a finite one, penalty nats below the smallest other log of the table, so that chains can cross
// constraints at high temperatures. Since f_1 > 0 implies f_b > 0 for every b, importance weights are defined and
// unbiased; states that violate a constraint have weight 0. Just below b = 1 the total probability of such states is
// about e^-penalty for each constraint.
type Graph struct {
	info            models.Info
	g               *factor.Graph   // canonical form; tables are multiplied by beta, zeros are -Inf
	order           string          // order in which a sequence adds the variables, one of Orders
	maxEntries      float64         // largest table of lookahead densities
	hasZeros        bool            // some table has a zero
	zeroTable       bool            // some table has only zeros
	couplings       *couplings      // nil unless all variables are spins (see spins.go)
	smallSums       *smallCouplings // nil if sums of spins have too many values (see small.go)
	layout          *layout         // variables in the order of the file
	formationLayout func() *layout  // variables in the order of formation; computed on first use
	sweep           string          // one of Sweeps
	treeBlocks      func() *treeBlocks
	logZ0           float64 // log Z of the base, in nats
	sizes           sizes
	plan            func() factor.Plan // elimination plan; computed on first use, as are the functions below
	truth           func() *models.Truth
	stageLogZ       func() []float64
	soft            func() softGraph
	samplerCache    *samplerCache
	grid            grid                // how frames show the variables
	drawing         func() *frame.Graph // picture of the graph; nil if it is too large
}

// penalty is the difference, in nats, between the smallest nonzero log of a table and the value that replaces a zero
// for b < 1.
const penalty = 30

// FlagZeroSum reports that the sum of f over all states is 0.
var FlagZeroSum = diag.NewFlag("zero_sum",
	"No state has a positive probability, so that Z is 0 and log Z is minus infinity.")

// New returns the model of a graph in canonical form at inverse temperature beta, which multiplies the logs of all
// tables. order is one of Orders. beta must be between -100 and 100, and positive for a graph with zeros.
func New(p Params, beta float64, order string) (*Graph, error) {
	if !(math.Abs(beta) <= 100) {
		return nil, problem.New("graph: beta = %v must be a number between -100 and 100", beta)
	}

	// Multiply the tables by beta and note zeros.
	m := &Graph{g: &factor.Graph{States: p.Graph.States}}
	for _, f := range p.Graph.Factors {
		t := slices.Clone(f.Table)
		allZero := true
		for i, x := range t {
			switch {
			case !math.IsInf(x, -1):
				t[i] = num.Mul(beta, x)
				allZero = false
			case beta <= 0:
				return nil, problem.New("graph: beta = %v: a graph with zeros needs a beta above 0", beta)
			default:
				m.hasZeros = true
			}
		}
		if allZero {
			m.zeroTable, m.info.Flags = true, []diag.Flag{FlagZeroSum}
		}
		m.g.Factors = append(m.g.Factors, factor.Factor{Vars: f.Vars, Table: t})
	}

	// What takes time is computed on first use.
	m.logZ0, m.sizes = m.g.LogStates(), sizesOf(m.g)
	m.order, m.maxEntries = order, maxLookaheadEntries
	m.layout = layoutOf(m.g, identityOrder(len(m.g.States)))
	m.formationLayout = lazyFormation(m)
	m.treeBlocks = lazy.Of(func() *treeBlocks { return treeBlocksOf(m.layout) })
	m.plan = lazy.Of(m.findPlan)
	m.samplerCache = &samplerCache{samplers: map[int]*factor.Sampler{}}
	m.truth = lazy.Of(m.computeTruth)
	m.stageLogZ = lazy.Of(m.computeStageLogZ)
	m.soft = lazy.Of(m.softenZeros)

	// Graphs of spins have faster populations.
	if m.couplings = couplingsOf(m.g, false); m.couplings != nil {
		if m.smallSums = m.couplings.withSmallSums(); m.smallSums == nil && 2*len(m.couplings.colours) > len(m.g.States) {
			m.couplings = couplingsOf(m.g, true)
		}
	}

	m.grid = gridOf(m.g)
	m.drawing = lazy.Of(m.makeDrawing)
	m.info.Kind, m.info.Dim = "graph", len(m.g.States)
	m.info.W, m.info.H = m.grid.w, m.grid.h
	return m, nil
}

// Capabilities returns exact values, bounds, formation by variables, a faster kernel and a picture.
func (m *Graph) Capabilities() models.Capabilities {
	return models.Capabilities{
		Exact:         models.Exact{Truth: m.Truth, LadderLogZ: m.LadderLogZ, IsZero: m.IsZero, Sum: m},
		Bounds:        models.Bounds{Floor: m.Floor, FloorFrom: m.FloorFrom, Narrow: m.Narrow},
		GrowingSpaces: models.GrowingSpaces{Sequence: m, StageCost: m.StageCost, Lookahead: m.WithLookahead},
		Kernel:        models.Kernel{Faster: m.Faster},
		Picture:       models.Picture{Graph: m.Graph},
		Cost:          m.Cost,
		Diagnose:      m.Diagnose,
	}
}

// Info returns name, kind, size and flags of the model.
func (m *Graph) Info() models.Info { return m.info }

// LogZ0 returns log Z of the base, in nats.
func (m *Graph) LogZ0() float64 { return m.logZ0 }

// New returns n rows over a ladder, in the population that is fastest for the graph. Except for tree blocks, all
// populations use single-site Gibbs sampling.
func (m *Graph) New(n int, ladder []float64) models.Population {
	if m.sweep == trees {
		return newTreeRows(m, n, ladder)
	}
	if m.couplings != nil {
		if p := newSmallSpins(m, n, ladder); p != nil {
			return p
		}
		return newSpins(m, n, ladder)
	}
	p := newRows(m, n, ladder)
	if m.hasZeros {
		return &constrainedRows{p}
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
func (p *constrainedRows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget, Slopes: p}
}

// RowCapabilities returns exact sampling and the slopes of a path that is not linear in beta.
func (p *treeRows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{DrawTarget: p.DrawTarget, Slopes: p}
}

// identityOrder returns 0, 1, ..., n-1.
func identityOrder(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

package graph

import (
	"math"
	"sort"
	"sync"

	"logzlab/core/factor"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models"
)

// This file computes the exact log Z and exact samples by variable elimination (package factor), within the limits
// below.

// elimination is the name of the exact method in Truth.Source.
const elimination = "elimination"

const (
	nsPerEntry        = 4                   // time for an entry of a joint table, in ns
	maxTruthOps       = 1 << 24             // table entries that Truth sums
	maxSampleOps      = 1 << 29             // table entries summed for exact samples
	maxConstrainedOps = 1 << 26             // the same for graphs with zeros, whose Z may be 0
	maxZeroTestOps    = 1 << 28             // table entries that Truth sums for graphs with zeros
	maxSumOps         = 1 << 42             // table entries summed at most, at the request of the user
	maxSamplerBytes   = models.MaxSumTables // bytes of the samplers kept in memory
	maxBlocks         = 1 << 20             // blocks of the sum
	pulseOps          = 4e6                 // operations between yields to other work
	maxLadderOps      = 1 << 28             // table entries summed for all rungs of a ladder
	usualRungs        = 100                 // number of rungs assumed if rungs are requested one by one
)

// findPlan returns the plan of the elimination: the order of the variables and the cutset, whose states are the blocks.
// Exact samples need all tables of a block in memory. If these tables are too large, findPlan enlarges the cutset,
// provided that this makes them small enough for at most eight times the work.
func (m *Graph) findPlan() factor.Plan {
	p := m.g.Plan(maxSamplerBytes)
	if p.SamplerBytes > maxSamplerBytes && p.Ops <= maxSumOps {
		if q := m.g.Plan(maxSamplerBytes / 16); q.SamplerBytes <= maxSamplerBytes && q.Ops <= min(8*p.Ops, maxSampleOps) {
			return q
		}
	}
	return p
}

// alwaysProceed yields to other work and returns true, so the sum is never stopped.
func alwaysProceed() bool { meter.Pulse(pulseOps); return true }

// Blocks returns the number of blocks of the plan; ok is false if the sum takes too long. For maxUnits <=
// models.MaxExactUnits the tables must also be small enough for exact samples.
func (m *Graph) Blocks(maxUnits int) (n int, ok bool) {
	p := m.plan()
	maxOps := float64(maxSumOps)
	if maxUnits <= models.MaxExactUnits {
		maxOps = maxSampleOps
	}
	if m.hasZeros && maxUnits <= models.MaxExactUnits && (p.Ops > maxConstrainedOps || math.IsInf(m.truth().LogZ, -1)) {
		return 0, false // there are no samples if Z is 0
	}
	if p.Ops > maxOps || m.g.Entries(p.Cutset) > maxBlocks ||
		maxUnits <= models.MaxExactUnits && p.SamplerBytes > maxSamplerBytes {
		return 0, false
	}
	return p.Blocks(m.g), true
}

// LogBlocks sets out[i] to the log of the sum of f over block first+i, in nats.
func (m *Graph) LogBlocks(first int, out []float64) {
	for i := range out {
		out[i], _ = m.g.Block(m.plan(), first+i, alwaysProceed)
	}
}

// ValueKnown reports whether Truth returns the exact value. The limit is higher for graphs with zeros, because their Z
// may be 0 and chains would then search in vain for a state of positive weight.
func (m *Graph) ValueKnown() bool {
	return m.zeroTable || m.plan().Ops <= maxTruthOps || m.hasZeros && m.plan().Ops <= maxZeroTestOps
}

// SumCost returns the time of the sum in nanoseconds and the memory of its tables in bytes.
func (m *Graph) SumCost() (time, tables float64) {
	p := m.plan()
	return nsPerEntry * p.Ops, p.PeakBytes
}

// Refusal returns the reason why the graph is not summed.
func (m *Graph) Refusal(int) error {
	p := m.plan()
	return problem.New("this graph cannot be summed: its best order of elimination has tables of 2^%.0f entries and takes "+
		"2^%.0f steps; use ais and its sandwich", p.Width, math.Ceil(num.Log(p.Ops)/math.Ln2))
}

// SumName returns "elimination".
func (m *Graph) SumName() string { return elimination }

// Truth returns the exact log Z if elimination is fast, otherwise nil.
func (m *Graph) Truth() *models.Truth {
	if !m.ValueKnown() {
		return nil
	}
	return m.truth()
}

// computeTruth returns the exact log Z by elimination.
func (m *Graph) computeTruth() *models.Truth {
	if m.zeroTable {
		return &models.Truth{LogZ: math.Inf(-1), Source: elimination}
	}
	logZ, _ := m.g.Eliminate(m.plan(), alwaysProceed)
	return &models.Truth{LogZ: logZ, Source: elimination}
}

// StageLogZ returns log Z_n of the first n variables, n = 1..N, in the order of formation (factor.Graph.PrefixLogZ), in
// nats. It returns nil if this is not fast.
func (m *Graph) StageLogZ() []float64 { return m.stageLogZ() }

// computeStageLogZ computes the result of StageLogZ.
func (m *Graph) computeStageLogZ() []float64 {
	if m.order == lookahead {
		return nil // f_n is then an approximate sum over later variables
	}
	return m.g.PrefixLogZ(orderOf(m.g, m.order), alwaysProceed)
}

// softGraph is a graph whose zeros are replaced by finite logs (softTable), with its elimination plan.
type softGraph struct {
	g    *factor.Graph
	plan factor.Plan
}

// softenZeros returns the softGraph of m.
func (m *Graph) softenZeros() softGraph {
	soft := softGraph{&factor.Graph{States: m.g.States}, m.plan()}
	for _, f := range m.g.Factors {
		x, _ := softTable(f.Table)
		soft.g.Factors = append(soft.g.Factors, factor.Factor{Vars: f.Vars, Table: x})
	}
	if soft.plan.Prunable() > 0 { // the plan relies on zeros, which the graph has at b = 1 only
		soft.plan = soft.g.Plan(maxSamplerBytes)
	}
	return soft
}

// LadderLogZ returns log Z(b) in nats for each b, by elimination. For b < 1 zeros are replaced (see Graph). It returns
// an error if the sums take too long.
func (m *Graph) LadderLogZ(betas []float64) ([]float64, error) {
	soft := m.soft()
	p := soft.plan
	if p.Ops*float64(max(len(betas), usualRungs)) > maxLadderOps {
		return nil, problem.New("graph: the exact values of %d rungs take too long", len(betas))
	}
	out := make([]float64, len(betas))
	for i, b := range betas {
		switch {
		case b == 0:
			out[i] = m.logZ0
		case b == 1:
			out[i], _ = m.g.Eliminate(m.plan(), alwaysProceed)
		case m.layout.base != nil:
			out[i], _ = m.power(b).Eliminate(p, alwaysProceed)
		default:
			out[i], _ = soft.g.Power(b).Eliminate(p, alwaysProceed)
		}
	}
	return out, nil
}

// samplerCache keeps the exact samplers of blocks, by block, up to maxSamplerBytes in all.
type samplerCache struct {
	sync.Mutex
	samplers map[int]*factor.Sampler
}

// sampler returns the exact sampler of block i.
func (m *Graph) sampler(i int) *factor.Sampler {
	m.samplerCache.Lock()
	s := m.samplerCache.samplers[i]
	m.samplerCache.Unlock()
	if s != nil {
		return s
	}
	p := m.plan()
	s, _ = m.g.Sampler(p, i, alwaysProceed)
	m.samplerCache.Lock()
	if float64(len(m.samplerCache.samplers)+1)*p.SamplerBytes <= maxSamplerBytes {
		m.samplerCache.samplers[i] = s
	}
	m.samplerCache.Unlock()
	return s
}

// drawTarget calls set(r, x) with an exact sample x for each of n rows. blockWeights are the LogBlocks of all blocks.
// Each row first draws its block; rows are then processed block by block, so that each sampler is made once. proceed,
// unless nil, is called after each row; if it returns false, drawTarget stops.
func (m *Graph) drawTarget(at rng.At, n int, blockWeights []float64, set func(r int, x []int), proceed func() bool) {
	blockOf, order, streams := make([]int, n), identityOrder(n), make([]rng.Stream, n)
	for r := range n {
		streams[r] = at.Row(r)
		if len(blockWeights) > 1 {
			blockOf[r] = max(streams[r].Categorical(blockWeights), 0)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return blockOf[order[i]] < blockOf[order[j]] })
	var s *factor.Sampler
	x := make([]int, len(m.g.States))
	for k, r := range order {
		if k == 0 || blockOf[r] != blockOf[order[k-1]] {
			s = m.sampler(blockOf[r])
		}
		s.Draw(x, streams[r].Float64) // it fails only if no state has positive weight
		set(r, x)
		if proceed != nil && !proceed() {
			return
		}
	}
}

// DrawTarget sets every row to an exact sample (models.RowCapabilities).
func (p *spins) DrawTarget(at rng.At, blocks []float64, proceed func() bool) {
	p.m.drawTarget(at, p.n, blocks, func(r int, x []int) {
		states, _ := p.row(r)
		for v, state := range x {
			states[p.c.placeOf[v]] = uint8(state)
		}
		p.rebuild(r)
	}, proceed)
}

// DrawTarget sets every row to an exact sample (models.RowCapabilities).
func (p *rows) DrawTarget(at rng.At, blocks []float64, proceed func() bool) {
	p.m.drawTarget(at, len(p.logF1), blocks, func(r int, x []int) {
		for v, state := range x {
			p.s[v*p.stride+r] = uint8(state)
		}
	}, proceed)
	p.isStale = true
}

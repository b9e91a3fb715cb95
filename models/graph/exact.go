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

// Exact log Z and exact samples by variable elimination (core/factor), if that does not take too long.

const elimination = "elimination"

const (
	nsPerEntry        = 4       // ns for an entry of a joint table
	maxTruthOps       = 1 << 24 // entries that Truth sums without being asked for a sum
	maxSampleOps      = 1 << 29 // entries summed for exact samples
	maxConstrainedOps = 1 << 26 // the same if Z may be 0
	maxZeroTestOps    = 1 << 28 // entries that Truth sums if Z may be 0
	maxSumOps         = 1 << 42 // entries summed at most
	maxSamplerBytes   = models.MaxSumTables
	maxBlocks         = 1 << 20
	pulseOps          = 4e6
	maxLadderOps      = 1 << 28 // entries of all rungs of a ladder
	usualRungs        = 100     // rungs of a ladder if they are computed one by one
)

// findPlan returns the elimination plan. Exact samples need all tables of a block in memory, so the cutset is enlarged
// if that makes them small enough for little more work.
func (m *Graph) findPlan() factor.Plan {
	p := m.g.Plan(maxSamplerBytes)
	if p.SamplerBytes > maxSamplerBytes && p.Ops <= maxSumOps {
		if q := m.g.Plan(maxSamplerBytes / 16); q.SamplerBytes <= maxSamplerBytes && q.Ops <= min(8*p.Ops, maxSampleOps) {
			return q
		}
	}
	return p
}

// going yields to other work and never stops the sum.
func alwaysProceed() bool { meter.Pulse(pulseOps); return true }

// Blocks returns the number of blocks of the plan, and false if the sum takes too long. Unless maxUnits is above
// models.MaxExactUnits, the tables must be small enough for exact samples.
func (m *Graph) Blocks(maxUnits int) (int, bool) {
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

// LogBlocks computes the log of the sum of f over each block, from block first on, in nats.
func (m *Graph) LogBlocks(first int, out []float64) {
	for i := range out {
		out[i], _ = m.g.Block(m.plan(), first+i, alwaysProceed)
	}
}

// ValueKnown reports whether Truth has the exact value. More work is allowed if Z may be 0, as chains would search for a
// state of positive weight in vain.
func (m *Graph) ValueKnown() bool {
	return m.zeroTable || m.plan().Ops <= maxTruthOps || m.hasZeros && m.plan().Ops <= maxZeroTestOps
}

// SumCost returns the time of the sum in nanoseconds and the memory of its tables in bytes.
func (m *Graph) SumCost() (time, tables float64) {
	p := m.plan()
	return nsPerEntry * p.Ops, p.PeakBytes
}

// Refusal returns the error of a sum that takes too long.
func (m *Graph) Refusal(int) error {
	p := m.plan()
	return problem.New("this graph cannot be summed: its best order of elimination has tables of 2^%.0f entries and takes "+
		"2^%.0f steps; use ais and its sandwich", p.Width, math.Ceil(num.Log(p.Ops)/math.Ln2))
}

// SumName returns the name of the exact method.
func (m *Graph) SumName() string { return elimination }

// Truth returns the exact log Z if elimination is fast, otherwise nil.
func (m *Graph) Truth() *models.Truth {
	if !m.ValueKnown() {
		return nil
	}
	return m.truth()
}

func (m *Graph) computeTruth() *models.Truth {
	if m.zeroTable {
		return &models.Truth{LogZ: math.Inf(-1), Source: elimination}
	}
	logZ, _ := m.g.Eliminate(m.plan(), alwaysProceed)
	return &models.Truth{LogZ: logZ, Source: elimination}
}

// StageLogZ returns log Z_n of the first n variables in order (factor.Graph.PrefixLogZ), or nil if that is not fast.
func (m *Graph) StageLogZ() []float64 { return m.stageLogZ() }

func (m *Graph) computeStageLogZ() []float64 {
	if m.order == lookahead {
		return nil // densities approximate sums over later variables
	}
	return m.g.PrefixLogZ(orderOf(m.g, m.order), alwaysProceed)
}

// softened is a graph whose zeros are replaced (softTable), and its plan.
type softGraph struct {
	g    *factor.Graph
	plan factor.Plan
}

func (m *Graph) softenZeros() softGraph {
	soft := softGraph{&factor.Graph{States: m.g.States}, m.plan()}
	for _, f := range m.g.Factors {
		x, _ := softTable(f.Table)
		soft.g.Factors = append(soft.g.Factors, factor.Factor{Vars: f.Vars, Table: x})
	}
	if soft.plan.Prunable() > 0 { // pruning by constraints holds at b = 1 only
		soft.plan = soft.g.Plan(maxSamplerBytes)
	}
	return soft
}

// LadderLogZ returns log Z(b) in nats for each b; for b < 1 zeros are replaced.
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

// blocks caches samplers of blocks, up to maxSamplerBytes.
type samplerCache struct {
	sync.Mutex
	samplers map[int]*factor.Sampler
}

// sampler returns the sampler of block i.
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

// drawTarget calls set with an exact sample for each of n rows. Each row first draws its block; rows are then visited
// block by block, so that each sampler is made once.
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
		s.Draw(x, streams[r].Float64) // false only if no state has positive weight
		set(r, x)
		if proceed != nil && !proceed() {
			return
		}
	}
}

func (p *spins) DrawTarget(at rng.At, blocks []float64, proceed func() bool) {
	p.m.drawTarget(at, p.n, blocks, func(r int, x []int) {
		states, _ := p.row(r)
		for v, state := range x {
			states[p.c.placeOf[v]] = uint8(state)
		}
		p.rebuild(r)
	}, proceed)
}

func (p *rows) DrawTarget(at rng.At, blocks []float64, proceed func() bool) {
	p.m.drawTarget(at, len(p.logF1), blocks, func(r int, x []int) {
		for v, state := range x {
			p.s[v*p.stride+r] = uint8(state)
		}
	}, proceed)
	p.isStale = true
}

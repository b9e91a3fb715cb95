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

// The exact log Z is by elimination (core/factor), as far as it does not take too long.

const elimination = "elimination"

const (
	entryTime       = 4       // nanoseconds of an entry of a joint table
	knownWork       = 1 << 24 // entries that are summed without a run for it
	targetWork      = 1 << 29 // entries that are summed for exact samples
	constrainedWork = 1 << 26 // the same where the sum may be 0
	zeroWork        = 1 << 28 // entries that are summed without a run to see whether the sum is 0
	mostWork        = 1 << 42 // entries that are summed at all
	mostKept        = models.MaxSumTables
	mostBlocks      = 1 << 20
	pulsedWork      = 4e6
	ladderWorks     = 1 << 28 // entries of all rungs of a ladder
	usualRungs      = 100     // of a ladder, whose rungs may be asked for one by one
)

// planned is how the graph is summed. All tables of a block are kept for exact samples, so that more variables are
// fixed where that makes the tables small enough, takes little more work, and samples will be drawn.
func (m *Graph) planned() factor.Plan {
	p := m.g.Plan(mostKept)
	if p.Kept > mostKept && p.Ops <= mostWork {
		if q := m.g.Plan(mostKept / 16); q.Kept <= mostKept && q.Ops <= min(8*p.Ops, targetWork) {
			return q
		}
	}
	return p
}

// going lets others run.
func going() bool { meter.Pulse(pulsedWork); return true }

// Blocks are those of the plan; by default their tables must be small enough for exact samples.
func (m *Graph) Blocks(maxUnits int) (int, bool) {
	p := m.plan()
	work := float64(mostWork)
	if maxUnits <= models.MaxExactUnits {
		work = targetWork
	}
	if m.zeros && maxUnits <= models.MaxExactUnits && (p.Ops > constrainedWork || math.IsInf(m.truth().LogZ, -1)) {
		return 0, false // where the sum is 0 there is nothing to draw
	}
	if p.Ops > work || m.g.Entries(p.Fixed) > mostBlocks || maxUnits <= models.MaxExactUnits && p.Kept > mostKept {
		return 0, false
	}
	return p.Blocks(m.g), true
}

func (m *Graph) LogBlocks(first int, out []float64) {
	for i := range out {
		out[i], _ = m.g.Block(m.plan(), first+i, going)
	}
}

// Knows reports whether Truth has the exact value. Where it may be that no state meets all constraints, more work is
// worth while: chains would look for such a state for ever.
func (m *Graph) Knows() bool {
	return m.empty || m.plan().Ops <= knownWork || m.zeros && m.plan().Ops <= zeroWork
}

func (m *Graph) SumCost() (time, tables float64) {
	p := m.plan()
	return entryTime * p.Ops, p.Peak
}

// Refusal names the work.
func (m *Graph) Refusal(int) error {
	p := m.plan()
	return problem.New("this graph cannot be summed: its best order of elimination has tables of 2^%.0f entries and takes "+
		"2^%.0f steps; use ais and its sandwich", p.Width, math.Ceil(num.Log(p.Ops)/math.Ln2))
}

// SumName says how the sum is made.
func (m *Graph) SumName() string { return elimination }

// Truth is the exact log Z where elimination is quick.
func (m *Graph) Truth() *models.Truth {
	if !m.Knows() {
		return nil
	}
	return m.truth()
}

func (m *Graph) sum() *models.Truth {
	if m.empty {
		return &models.Truth{LogZ: math.Inf(-1), Source: elimination}
	}
	logZ, _ := m.g.Eliminate(m.plan(), going)
	return &models.Truth{LogZ: logZ, Source: elimination}
}

// StageLogZ is log Z_n of the first n variables in order; nil where the sums are not quick.
func (m *Graph) StageLogZ() []float64 { return m.stages() }

func (m *Graph) sumStages() []float64 {
	if m.order == lookahead {
		return nil // tables stand for what is to come
	}
	return m.g.Growing(orderOf(m.g, m.order), going)
}

// softened is a graph whose zeros are taken for numbers, and how it is summed.
type softened struct {
	g    *factor.Graph
	plan factor.Plan
}

func (m *Graph) soften() softened {
	soft := softened{&factor.Graph{States: m.g.States}, m.plan()}
	for _, f := range m.g.Factors {
		x, _ := crossed(f.Table)
		soft.g.Factors = append(soft.g.Factors, factor.Factor{On: f.On, Table: x})
	}
	if soft.plan.Prunable() > 0 { // pruning by constraints holds at b = 1 only
		soft.plan = soft.g.Plan(mostKept)
	}
	return soft
}

// LadderLogZ is log Z(b), of the graph whose zeros are taken for numbers where b < 1.
func (m *Graph) LadderLogZ(betas []float64) ([]float64, error) {
	soft := m.soft()
	p := soft.plan
	if p.Ops*float64(max(len(betas), usualRungs)) > ladderWorks {
		return nil, problem.New("graph: the exact values of %d rungs take too long", len(betas))
	}
	out := make([]float64, len(betas))
	for i, b := range betas {
		switch {
		case b == 0:
			out[i] = m.logZ0
		case b == 1:
			out[i], _ = m.g.Eliminate(m.plan(), going)
		case m.layout.base != nil:
			out[i], _ = m.power(b).Eliminate(p, going)
		default:
			out[i], _ = soft.g.At(b).Eliminate(p, going)
		}
	}
	return out, nil
}

// blocks are the samplers of blocks that have been made, as long as their tables take little memory together.
type blocks struct {
	sync.Mutex
	made map[int]*factor.Sampler
}

// sampler is that of block i.
func (m *Graph) sampler(i int) *factor.Sampler {
	m.blocks.Lock()
	s := m.blocks.made[i]
	m.blocks.Unlock()
	if s != nil {
		return s
	}
	p := m.plan()
	s, _ = m.g.Sampler(p, i, going)
	m.blocks.Lock()
	if float64(len(m.blocks.made)+1)*p.Kept <= mostKept {
		m.blocks.made[i] = s
	}
	m.blocks.Unlock()
	return s
}

// drawTarget calls set with an exact sample for each of n rows: first each row draws its block, then rows of one block
// come together.
func (m *Graph) drawTarget(at rng.At, n int, weights []float64, set func(r int, x []int), drawn func() bool) {
	of, order, streams := make([]int, n), natural(n), make([]rng.Stream, n)
	for r := range n {
		streams[r] = at.Row(r)
		if len(weights) > 1 {
			of[r] = max(streams[r].Categorical(weights), 0)
		}
	}
	sort.SliceStable(order, func(i, j int) bool { return of[order[i]] < of[order[j]] })
	var s *factor.Sampler
	x := make([]int, len(m.g.States))
	for k, r := range order {
		if k == 0 || of[r] != of[order[k-1]] {
			s = m.sampler(of[r])
		}
		s.Draw(x, streams[r].Float64) // false only where no state has weight
		set(r, x)
		if drawn != nil && !drawn() {
			return
		}
	}
}

func (p *spins) DrawTarget(at rng.At, blocks []float64, drawn func() bool) {
	p.m.drawTarget(at, p.n, blocks, func(r int, x []int) {
		to, _ := p.row(r)
		for v, state := range x {
			to[p.c.place[v]] = uint8(state)
		}
		p.rebuild(r)
	}, drawn)
}

func (p *rows) DrawTarget(at rng.At, blocks []float64, drawn func() bool) {
	p.m.drawTarget(at, len(p.e), blocks, func(r int, x []int) {
		for v, state := range x {
			p.s[v*p.stride+r] = uint8(state)
		}
	}, drawn)
	p.stale = true
}

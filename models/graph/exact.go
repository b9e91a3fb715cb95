package graph

import (
	"fmt"
	"math"

	"logzlab/core/factor"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/rng"
	"logzlab/models"
)

// The exact log Z is by elimination (core/factor), as far as it does not take too long.

const (
	entryTime   = 4       // nanoseconds of an entry of a joint table
	knownWork   = 1 << 24 // entries that are summed without a run for it
	targetWork  = 1 << 29 // entries that are summed for exact samples
	mostWork    = 1 << 42 // entries that are summed at all
	mostKept    = models.MaxSumTables
	mostBlocks  = 1 << 20
	pulsedWork  = 4e6
	ladderWorks = 1 << 28 // entries of all rungs of a ladder
)

// planned is how the graph is summed.
func (m *Graph) planned() factor.Plan { return m.g.Plan(mostKept) }

// going lets others run.
func going() bool { meter.Pulse(pulsedWork); return true }

// Blocks are those of the plan; by default there must be one, whose tables are kept for exact samples.
func (m *Graph) Blocks(maxUnits int) (int, bool) {
	p := m.plan()
	if maxUnits <= models.MaxExactUnits {
		return 1, len(p.Fixed) == 0 && p.Ops <= targetWork && p.Kept <= mostKept
	}
	if p.Ops > mostWork || m.g.Entries(p.Fixed) > mostBlocks {
		return 0, false
	}
	return p.Blocks(m.g), true
}

func (m *Graph) LogBlocks(first int, out []float64) {
	for i := range out {
		out[i], _ = m.g.Block(m.plan(), first+i, going)
	}
}

// Knows reports whether Truth has the exact value.
func (m *Graph) Knows() bool { return m.plan().Ops <= knownWork }

func (m *Graph) SumCost() (time, tables float64) {
	p := m.plan()
	return entryTime * p.Ops, p.Peak
}

// Refusal names the work.
func (m *Graph) Refusal(int) error {
	p := m.plan()
	return fmt.Errorf("this graph cannot be summed: its best order of elimination has tables of 2^%.0f entries and takes "+
		"2^%.0f steps; use ais and its sandwich", p.Width, math.Ceil(math.Log2(p.Ops)))
}

// Truth is the exact log Z where elimination is quick.
func (m *Graph) Truth() *models.Truth {
	if !m.Knows() {
		return nil
	}
	return m.truth()
}

func (m *Graph) sum() *models.Truth {
	logZ, _ := m.g.Eliminate(m.plan(), going)
	return &models.Truth{LogZ: logZ, Source: "elimination"}
}

// LadderLogZ is log Z(b), of the graph whose zeros are taken for numbers where b < 1.
func (m *Graph) LadderLogZ(betas []float64) ([]float64, error) {
	p := m.plan()
	if p.Ops*float64(len(betas)) > ladderWorks {
		return nil, problem.New("graph: the exact values of %d rungs take too long", len(betas))
	}
	soft := &factor.Graph{States: m.g.States}
	for _, f := range m.g.Factors {
		x, _ := crossed(f.Table)
		soft.Factors = append(soft.Factors, factor.Factor{On: f.On, Table: x})
	}
	out := make([]float64, len(betas))
	for i, b := range betas {
		switch {
		case b == 0:
			out[i] = m.logZ0
		case b == 1:
			out[i], _ = m.g.Eliminate(p, going)
		default:
			out[i], _ = soft.At(b).Eliminate(p, going)
		}
	}
	return out, nil
}

// drawTarget calls set with an exact sample for each of n rows.
func (m *Graph) drawTarget(at rng.At, n int, set func(r int, x []int), drawn func() bool) {
	s, ok := m.sampler()
	if !ok {
		return
	}
	x := make([]int, len(m.g.States))
	for r := range n {
		stream := at.Row(r)
		s.Draw(x, stream.Float64)
		set(r, x)
		if drawn != nil && !drawn() {
			return
		}
	}
}

func (p *spins) DrawTarget(at rng.At, _ []float64, drawn func() bool) {
	p.m.drawTarget(at, p.n, func(r int, x []int) {
		to, _ := p.row(r)
		for v, state := range x {
			to[p.c.place[v]] = uint8(state)
		}
		p.rebuild(r)
	}, drawn)
}

func (p *rows) DrawTarget(at rng.At, _ []float64, drawn func() bool) {
	p.m.drawTarget(at, len(p.e), func(r int, x []int) {
		for v, state := range x {
			p.s[v*p.stride+r] = uint8(state)
		}
	}, drawn)
	p.stale = true
}

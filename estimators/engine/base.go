package engine

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/models"
)

// baseRates is the work before a job whose RBM came without base rates: the
// exact E[v], summed block by block.
type baseRates struct {
	m     models.BaseFinder
	lanes int
	todo  []int
	left  int
	logw  []float64
	mean  [][]float64
}

// baseBlocks is the number of blocks in a unit of this work.
const baseBlocks = 4

// baseRound names the work in units.
const baseRound = "base rates"

func newBaseRates(m models.BaseFinder) *baseRates {
	n := m.BaseBlocks()
	b := &baseRates{m: m, lanes: (n + baseBlocks - 1) / baseBlocks, logw: make([]float64, n), mean: make([][]float64, n)}
	b.left = b.lanes
	for i := 0; i < b.lanes; i++ {
		b.todo = append(b.todo, i)
	}
	return b
}

func (b *baseRates) take() *Task {
	if len(b.todo) == 0 {
		return nil
	}
	lane := b.todo[0]
	b.todo = b.todo[1:]
	return &Task{Track: -1, Unit: &estimators.Unit{Round: baseRound, Lane: lane}}
}

// baseLane runs one unit.
func baseLane(m models.BaseFinder, u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		f := frame.Frame{Phase: baseRound}
		var w frame.Writer
		for i := u.Lane * baseBlocks; i < min((u.Lane+1)*baseBlocks, m.BaseBlocks()); i++ {
			logw, mean := m.BlockMean(i)
			w.Float(logw)
			w.Floats(mean)
			f.Step++
			if !yield(&f) {
				return
			}
		}
		u.Partial = w.B
	}
}

// done takes a unit and returns the model with its base rates after the last.
func (b *baseRates) done(k *Task) models.Model {
	r := frame.Reader{B: k.Unit.Partial}
	for i := k.Unit.Lane * baseBlocks; i < min((k.Unit.Lane+1)*baseBlocks, len(b.logw)); i++ {
		if b.mean[i] == nil && i == k.Unit.Lane*baseBlocks {
			b.left--
		}
		b.logw[i], b.mean[i] = r.Float(), r.Floats()
	}
	if b.left > 0 {
		return nil
	}
	m, err := b.m.WithBase(models.BaseRates(b.logw, b.mean))
	if err != nil {
		panic(err) // the same parameters were accepted before
	}
	return m
}

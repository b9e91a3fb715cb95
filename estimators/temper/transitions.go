package temper

// Transitions are the sums of q(l|x) over the states x that moves at rung k led to, for every k and l: a matrix for
// each batch.
var Transitions = &Statistic{
	new: func(r *run, _, chains int) recorder {
		k := len(r.ladder)
		return &transitions{largeSums: largeSums{sums{chains: chains, size: k * k}}, rungs: k,
			from: make([][]float64, chains)}
	},
	floats: func(_ *run, rungs int) int { return rungs * rungs },
}

// transitions records Transitions. The step between rungs adds q(.|x) to the row of the rung at which the chain was
// moved (kernel.Tempering.D).
type transitions struct {
	largeSums
	rungs int
	from  [][]float64
}

// rows returns the rows of the matrices for the rungs of the chains.
func (c *transitions) rows(rung []int32) [][]float64 {
	for i, k := range rung {
		c.from[i] = c.current(i)[int(k)*c.rungs:][:c.rungs]
	}
	return c.from
}

func (c *transitions) observe(*rows, int) {}

func (c *transitions) merge(t *Record, b batchCounts) {
	if len(c.x) == 0 {
		return
	}
	for chain := range c.chains {
		for i := range b.sweeps {
			t.Transitions = append(t.Transitions, c.get(chain, i))
		}
	}
}

package samples

import (
	"strings"

	"logzlab/core/problem"
)

// readStones reads the .ss file of MrBayes: the share of each step in log Z, in a column for each run; nil where it is
// none.
func readStones(t *table) (*part, error) {
	power := t.column("power")
	if t.column("step") < 0 || power < 0 {
		return nil, nil
	}

	// The columns of the runs.
	columns := []int{power}
	for j, n := range t.Names {
		number, ok := strings.CutPrefix(plain(n), "run")
		if ok && number != "" && strings.Trim(number, "0123456789") == "" {
			columns = append(columns, j)
		}
	}
	if len(columns) == 1 {
		return nil, nil
	}

	// The stones, from the posterior to the prior.
	p := newPart(t.source, Stones, "MrBayes stepping stones", "nats")
	p.runs = len(columns) - 1
	err := t.Rows(columns, nil, 0, func(line int, x []float64) error {
		if x[0] < 0 || x[0] > 1 || len(p.stones) > 0 && x[0] > p.stones[len(p.stones)-1].Power {
			return problem.New("%s, line %d: the power is %v; powers must fall from 1 to 0", t.Name, line, x[0])
		}
		if len(p.stones) == maxRungs {
			return tooManyRungs(t.Name)
		}
		p.stones = append(p.stones, Stone{x[0], append([]float64(nil), x[1:]...)})
		return nil
	})
	if err == nil && len(p.stones) == 0 {
		err = noSamples(t.Name)
	}
	return p, err
}

func tooManyRungs(name string) error {
	return problem.New("%s: there are more than %d rungs, the limit", name, maxRungs)
}

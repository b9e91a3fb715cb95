package samples

import (
	"strings"

	"logzlab/core/problem"
)

// readStones reads the .ss file of MrBayes, which has the contribution of each step to log Z, with a column for each
// run. It returns nil if the table has no such columns.
func readStones(t *table) (*fileData, error) {
	power := t.column("power")
	if t.column("step") < 0 || power < 0 {
		return nil, nil
	}

	// The columns of the runs.
	columns := []int{power}
	for j, n := range t.Names {
		number, ok := strings.CutPrefix(plainName(n), "run")
		if ok && number != "" && strings.Trim(number, "0123456789") == "" {
			columns = append(columns, j)
		}
	}
	if len(columns) == 1 {
		return nil, nil
	}

	// Read the steps, whose powers fall from the posterior to the prior.
	p := newFileData(t.source, Stones, "MrBayes stepping stones", "nats")
	p.runs = len(columns) - 1
	err := t.Rows(columns, nil, 0, func(line int, x []float64) error {
		if x[0] < 0 || x[0] > 1 || len(p.stones) > 0 && x[0] > p.stones[len(p.stones)-1].Power {
			return problem.New("%s, line %d: the power is %v; powers must fall from 1 to 0", t.Name, line, x[0])
		}
		if len(p.stones) == maxRungs {
			return errTooManyRungs(t.Name)
		}
		p.stones = append(p.stones, Stone{x[0], append([]float64(nil), x[1:]...)})
		return nil
	})
	if err == nil && len(p.stones) == 0 {
		err = errNoSamples(t.Name)
	}
	return p, err
}

// errTooManyRungs is the error of a file with more than maxRungs rungs.
func errTooManyRungs(name string) error {
	return problem.New("%s: there are more than %d rungs, the limit", name, maxRungs)
}

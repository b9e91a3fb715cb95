package samples

import (
	"bytes"
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/problem"
)

// DrawChain is a chain of posterior draws: all rows of a file, or those rows with the same value in the chain column.
type DrawChain struct {
	File  string
	Lines []int     // line of each draw
	X     []float64 // draws x Options.Draws: numbers of the draws
	// LogP is the log density that the program stored for each draw, up to a constant: Stan's lp__; nil if there is
	// none.
	LogP      []float64
	Divergent int // number of draws after divergent transitions
}

// Names of columns that number the chains, and of columns of weights.
var (
	chainColumns  = []string{".chain", "chain", "chain__"}
	weightColumns = []string{"weight", "weights", "weight__", "log_weight", "log_weights", "lw", "log_w", "log_g__",
		"lp_approx__"}
)

// readDraws reads draws from the posterior of a program, as CmdStan writes them, or any table whose columns have the
// names of the parameters, as a.1.2 or a[1,2]. It leaves out the warm-up, which CmdStan ends with a comment.
func readDraws(t *table) (*fileData, error) {
	if err := checkMethod(t); err != nil {
		return nil, err
	}
	if t.Names == nil {
		return nil, problem.New("%s, line %d: the numbers have no header; it must have the names of the parameters: "+
			"%s",
			t.Name, t.Line+1, csv.Truncate(strings.Join(t.options.Draws, ", ")))
	}
	t.Names = dottedNames(t.Names)

	// Weighted draws are not supported.
	if j := t.extraColumn(weightColumns...); j >= 0 {
		return nil, problem.New("%s, line %d: column %s says that draws have weights or come from an approximation; give "+
			"draws of the posterior, each of weight 1", t.Name, t.Line, t.Names[j])
	}
	columns, err := t.parameterColumns()
	if err != nil {
		return nil, err
	}

	// Columns of the log density, of divergences, and of the chain.
	n := len(columns)
	logP, divergent, chain := t.extraColumn("lp__"), t.extraColumn("divergent__", "n_divergent__"), t.extraColumn(chainColumns...)
	for _, j := range []int{logP, divergent, chain} {
		if j >= 0 {
			columns = append(columns, j)
		}
	}
	p := newFileData(t.source, Draws, "draws of a posterior", "nats")
	if logP >= 0 {
		p.source = "draws of Stan"
	}

	// A comment ends the warm-up: drop the rows before it.
	chainOf := map[float64]*DrawChain{}
	t.Comment = func(comment []byte) {
		if bytes.Contains(comment, []byte("Adaptation terminated")) {
			for _, d := range p.draws {
				p.warmup += len(d.Lines)
			}
			p.draws, chainOf = nil, map[float64]*DrawChain{}
		}
	}

	// Append each draw to the chain that its chain column names.
	err = t.Rows(columns, nil, 0, func(line int, x []float64) error {
		extras, chainNumber := x[n:], 0.
		if chain >= 0 {
			chainNumber = extras[len(extras)-1]
		}
		d := chainOf[chainNumber]
		if d == nil {
			if len(chainOf) == maxRuns {
				return problem.New("%s, line %d: there are more than %d runs, the limit", t.Name, line, maxRuns)
			}
			d = &DrawChain{File: t.Name}
			chainOf[chainNumber], p.draws = d, append(p.draws, d)
		}
		d.Lines, d.X = append(d.Lines, line), append(d.X, x[:n]...)
		if logP >= 0 {
			d.LogP, extras = append(d.LogP, extras[0]), extras[1:]
		}
		if divergent >= 0 && extras[0] != 0 {
			d.Divergent++
		}
		return nil
	})
	if err == nil && len(p.draws) == 0 {
		err = errNoSamples(t.Name)
	}
	return p, err
}

// extraColumn returns the index of the first column that has one of the given names and is not a parameter, -1 if there
// is none.
func (t *table) extraColumn(names ...string) int {
	return slices.IndexFunc(t.Names, func(n string) bool {
		return slices.Contains(names, strings.ToLower(n)) && !slices.Contains(t.options.Draws, n)
	})
}

// checkMethod returns an error if the comments of CmdStan at the top of the file name a method other than sample.
func checkMethod(t *table) error {
	for line := range bytes.Lines(t.Data) {
		if !csv.IsComment(line) {
			return nil
		}
		key, value, _ := strings.Cut(strings.TrimLeft(string(line), "# \t"), "=")
		if words := strings.Fields(value); strings.TrimSpace(key) == "method" && len(words) > 0 && words[0] != "sample" {
			return problem.New("%s: its draws are of the method %s, not of the posterior; give draws of the method sample",
				t.Name, csv.Truncate(words[0]))
		}
	}
	return nil
}

// dottedNames converts names such as a[1,2], which a comma separator may have split, to CmdStan's a.1.2.
func dottedNames(names []string) (out []string) {
	open := false
	for _, name := range names {
		if open {
			out[len(out)-1] += "," + name
		} else {
			out = append(out, name)
		}
		last := out[len(out)-1]
		open = strings.Contains(last, "[") && !strings.HasSuffix(last, "]")
	}
	for i, name := range out {
		if base, inside, ok := strings.Cut(name, "["); ok && strings.HasSuffix(inside, "]") {
			inside = strings.ReplaceAll(strings.TrimSuffix(inside, "]"), " ", "")
			out[i] = base + "." + strings.ReplaceAll(inside, ",", ".")
		}
	}
	return out
}

// parameterColumns returns, for each name in options.Draws, the index of the column with that name. It returns an error
// if a column is missing or occurs twice, or if the table has other columns of the same parameters.
func (t *table) parameterColumns() (columns []int, err error) {
	columnOf := map[string]int{}
	for j, name := range t.Names {
		if k, isDuplicate := columnOf[name]; isDuplicate && k >= 0 {
			columnOf[name] = -1
		} else {
			columnOf[name] = j
		}
	}

	// How many numbers each parameter has.
	sizes, wanted := map[string]int{}, map[string]bool{}
	for _, name := range t.options.Draws {
		base, _, _ := strings.Cut(name, ".")
		sizes[base]++
		wanted[name] = true
	}

	// The column of each number.
	for _, name := range t.options.Draws {
		j, ok := columnOf[name]
		base, _, _ := strings.Cut(name, ".")
		switch {
		case !ok:
			return nil, problem.New("%s, line %d: there is no column %s; the parameter %s of the program has %d numbers, "+
				"and the columns are %s", t.Name, t.Line, name, base, sizes[base], csv.Truncate(strings.Join(t.Names, ", ")))
		case j < 0:
			return nil, problem.New("%s, line %d: there are two columns %s", t.Name, t.Line, name)
		}
		columns = append(columns, j)
	}

	// The table must not have other numbers of these parameters.
	for _, name := range t.Names {
		if base, _, cut := strings.Cut(name, "."); cut && sizes[base] > 0 && !wanted[name] {
			return nil, problem.New("%s, line %d: column %s does not belong to the parameter %s of the program, which has %d "+
				"numbers; are they draws with other data?", t.Name, t.Line, name, base, sizes[base])
		}
	}
	return columns, nil
}

// joinDraws sets the draws of the set to the chains of all files.
func (s *Set) joinDraws(parts []*fileData) error {
	n, warmup := 0, 0
	for _, p := range parts {
		warmup += p.warmup
		for _, d := range p.draws {
			if len(s.Draws) == maxRuns {
				return problem.New("%s, line %d: there are more than %d runs, the limit", p.file, d.Lines[0], maxRuns)
			}
			s.Draws = append(s.Draws, d)
			n += len(d.Lines)
		}
	}
	s.Runs = len(s.Draws)
	s.Notes = append(s.Notes, problem.New("%s: %d draws in %d chains", s.Source, n, s.Runs))
	if warmup > 0 {
		s.Notes = append(s.Notes, problem.New("%d draws of the warm-up left out", warmup))
	}
	return nil
}

package samples

import (
	"bytes"
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/problem"
)

// Drawn is draws of a posterior: a chain that a file has, or a column of the file tells apart.
type Drawn struct {
	File  string
	Lines []int     // of each draw
	X     []float64 // draws x names
	// LogP is the log density that the program of the draws gave each, up to a constant: lp__ of Stan; nil: there is none.
	LogP      []float64
	Divergent int // draws after transitions that went astray
}

// Names of columns by which tables of draws tell chains apart, and by which they weigh draws.
var (
	chainNames  = []string{".chain", "chain", "chain__"}
	weightNames = []string{"weight", "weights", "weight__", "log_weight", "log_weights", "lw", "log_w", "log_g__",
		"lp_approx__"}
)

// readDraws reads draws of a program's posterior, as CmdStan writes them, or any table with the names of its
// parameters: a.1.2 or a[1,2]. Warm-up, which ends with a comment, is left out.
func readDraws(t *table) (*part, error) {
	if err := drawnBy(t); err != nil {
		return nil, err
	}
	if t.Names == nil {
		return nil, problem.New("%s, line %d: no names stand over the numbers; needed are those of the parameters: %s",
			t.Name, t.Line+1, csv.Truncate(strings.Join(t.options.Draws, ", ")))
	}
	t.Names = bracketed(t.Names)

	// Weighted draws are no draws of the posterior.
	if j := t.beside(weightNames...); j >= 0 {
		return nil, problem.New("%s, line %d: column %s says that draws have weights or come from an approximation; give "+
			"draws of the posterior, each of weight 1", t.Name, t.Line, t.Names[j])
	}
	columns, err := t.parameters()
	if err != nil {
		return nil, err
	}

	// The log density, divergences, and the chain.
	n := len(columns)
	logP, stray, chain := t.beside("lp__"), t.beside("divergent__", "n_divergent__"), t.beside(chainNames...)
	for _, j := range []int{logP, stray, chain} {
		if j >= 0 {
			columns = append(columns, j)
		}
	}
	p := newPart(t.source, Draws, "draws of a posterior", "nats")
	if logP >= 0 {
		p.source = "draws of Stan"
	}

	// A comment ends the warm-up.
	of := map[float64]*Drawn{}
	t.Comment = func(comment []byte) { // the rows before it were warm-up
		if bytes.Contains(comment, []byte("Adaptation terminated")) {
			for _, d := range p.draws {
				p.warmup += len(d.Lines)
			}
			p.draws, of = nil, map[float64]*Drawn{}
		}
	}

	// Each draw goes to a chain.
	err = t.Rows(columns, nil, 0, func(line int, x []float64) error {
		more, number := x[n:], 0.
		if chain >= 0 {
			number = more[len(more)-1]
		}
		d := of[number]
		if d == nil {
			if len(of) == maxRuns {
				return problem.New("%s, line %d: there are more than %d runs, the limit", t.Name, line, maxRuns)
			}
			d = &Drawn{File: t.Name}
			of[number], p.draws = d, append(p.draws, d)
		}
		d.Lines, d.X = append(d.Lines, line), append(d.X, x[:n]...)
		if logP >= 0 {
			d.LogP, more = append(d.LogP, more[0]), more[1:]
		}
		if stray >= 0 && more[0] != 0 {
			d.Divergent++
		}
		return nil
	})
	if err == nil && len(p.draws) == 0 {
		err = noSamples(t.Name)
	}
	return p, err
}

// beside is a column that has one of some names and is no parameter, -1 without.
func (t *table) beside(names ...string) int {
	return slices.IndexFunc(t.Names, func(n string) bool {
		return slices.Contains(names, strings.ToLower(n)) && !slices.Contains(t.options.Draws, n)
	})
}

// drawnBy refuses what CmdStan writes by methods that do not sample, as its comments say.
func drawnBy(t *table) error {
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

// bracketed writes names as CmdStan does: a.1.2 for a[1,2], whose comma may have cut the name in two.
func bracketed(names []string) (out []string) {
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

// parameters are the columns of the numbers that are wanted.
func (t *table) parameters() (columns []int, err error) {
	at := map[string]int{}
	for j, name := range t.Names {
		if k, twice := at[name]; twice && k >= 0 {
			at[name] = -1
		} else {
			at[name] = j
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
		j, ok := at[name]
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

	// Numbers the program does not have.
	for _, name := range t.Names {
		if base, _, cut := strings.Cut(name, "."); cut && sizes[base] > 0 && !wanted[name] {
			return nil, problem.New("%s, line %d: column %s does not belong to the parameter %s of the program, which has %d "+
				"numbers; are they draws with other data?", t.Name, t.Line, name, base, sizes[base])
		}
	}
	return columns, nil
}

// joinDraws puts the chains of several files side by side.
func (s *Set) joinDraws(parts []*part) error {
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
	s.Said = append(s.Said, problem.New("%s: %d draws in %d chains", s.Source, n, s.Runs))
	if warmup > 0 {
		s.Said = append(s.Said, problem.New("%d draws of the warm-up left out", warmup))
	}
	return nil
}

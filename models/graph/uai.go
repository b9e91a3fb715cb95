package graph

import (
	"strconv"
	"strings"

	"logzlab/core/factor"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// A .uai file (UAI inference contests) has these words, separated by white space: MARKOV or BAYES, the number of
// variables, the number of states of each variable, the number of factors, for each factor the number of its variables
// and the variables, and then for each factor the number of its table entries and the entries. The state of the last
// variable changes fastest. In a BAYES file the tables are conditional probabilities. In both cases the model is the
// product of all tables.

// scanner reads a text word by word. After a failure, err has the first error and further calls have no effect.
type scanner struct {
	b    []byte       // rest of the text
	line int          // number of the current line, from 1
	m    *meter.Meter // counts the time; may be nil
	err  error

	evidence bool // the file is an evidence file
}

// next returns the next word, "" at the end.
func (s *scanner) next() string {
	at := 0
	for at < len(s.b) && s.b[at] <= ' ' {
		if s.b[at] == '\n' {
			s.line++
		}
		at++
	}
	end := at
	for end < len(s.b) && s.b[end] > ' ' {
		end++
	}
	word := string(s.b[at:end])
	s.b = s.b[end:]
	if s.err == nil {
		s.err = s.m.Did(scanOps)
	}
	return word
}

// scanOps is the number of operations that the meter counts for a word.
const scanOps = 40

// integer returns the next word as an integer from minValue to maxValue. name describes the number in errors. After a
// failure it returns minValue.
func (s *scanner) integer(name error, minValue, maxValue int) int {
	if s.err != nil {
		return minValue
	}
	word := s.next()
	if s.err != nil {
		return minValue
	}
	if word == "" {
		s.fail(problem.New("the file ends where %w should be", name))
		return minValue
	}
	n, err := strconv.Atoi(word)
	if err != nil || n < minValue || n > maxValue {
		s.fail(problem.New("%w is %q; it must be a whole number from %d to %d", name, short(word), minValue, maxValue))
		return minValue
	}
	return n
}

// short returns the first 20 bytes of a word, for errors.
func short(word string) string { return word[:min(len(word), 20)] }

// fail records the first error, with its line.
func (s *scanner) fail(err error) {
	if s.err == nil {
		if s.err = problem.New("graph file: line %d: %w", s.line, err); s.evidence {
			s.err = problem.New("evidence file: line %d: %w", s.line, err)
		}
	}
}

// isUAI reports whether a text is a .uai file, by its first word.
func isUAI(b []byte) bool {
	s := scanner{b: b[:min(len(b), 1<<10)]}
	word := s.next()
	return strings.EqualFold(word, "MARKOV") || strings.EqualFold(word, "BAYES")
}

var (
	nameVariables = problem.New("the number of variables")
	nameFactors   = problem.New("the number of factors")
	nameEntries   = problem.New("the number of entries")
)

// readUAI reads a .uai file. The graph has the tables as logs, in the order of the file.
func readUAI(b []byte, m *meter.Meter) (*factor.Graph, error) {
	s := &scanner{b: b, line: 1, m: m}
	s.next()
	g := &factor.Graph{}

	for i := range s.integer(nameVariables, 1, maxVariables) {
		g.States = append(g.States, s.integer(problem.New("the number of states of variable %d", i), 1, maxStates))
		if s.err != nil {
			return nil, s.err
		}
	}

	// The variables of the factors.
	for i := range s.integer(nameFactors, 1, maxFactors) {
		n := s.integer(problem.New("the number of variables of factor %d", i), 0, maxScope)
		var f factor.Factor
		for range n {
			f.Vars = append(f.Vars, s.integer(problem.New("a variable of factor %d", i), 0, len(g.States)-1))
		}
		if s.err != nil {
			return nil, s.err
		}
		if _, err := tableSize(g, &f); err != nil {
			s.fail(problem.New("factor %d: %w", i, err))
			return nil, s.err
		}
		g.Factors = append(g.Factors, f)
	}

	entries := 0
	for i := range g.Factors {
		f := &g.Factors[i]
		n, _ := tableSize(g, f)
		if entryCount := s.integer(nameEntries, 0, maxVariables*maxTable); s.err == nil && entryCount != n {
			s.fail(problem.New("the table of factor %d has %d entries; its variables have %d states together", i, entryCount, n))
		}
		if entries += n; entries > maxTables {
			return nil, tooManyEntries
		}
		if s.err == nil {
			s.err = m.Take(float64(8*n), problem.New("the tables of the graph"), problem.New("give a smaller model"))
		}
		for k := 0; k < n && s.err == nil; k++ {
			f.Table = append(f.Table, s.entry(i))
		}
		if s.err != nil {
			return nil, s.err
		}
		toLogs(f.Table)
	}

	// Nothing may follow the tables.
	if word := s.next(); word != "" && s.err == nil {
		s.fail(problem.New("%q follows the last table; the counts do not match", short(word)))
	}
	return g, s.err
}

// tooManyEntries is the error of a graph whose tables exceed maxTables entries.
var tooManyEntries = problem.New("graph file: the tables have more than %d entries together; give a smaller model", maxTables)

// entry reads the next entry of the table of factor i.
func (s *scanner) entry(i int) float64 {
	word := s.next()
	switch x, err := num.Parse(word); {
	case s.err != nil:
	case word == "":
		s.fail(problem.New("the file ends within the table of factor %d", i))
	case err != nil || !num.Finite(x):
		s.fail(problem.New("%q in the table of factor %d is not a number", short(word), i))
	case x < 0:
		s.fail(problem.New("%s in the table of factor %d is negative", short(word), i))
	default:
		return x + 0
	}
	return 0
}

// tableSize returns the number of table entries that a factor must have. The variables of f must exist. It returns an
// error if f has too many variables, the same one twice, or too large a table.
func tableSize(g *factor.Graph, f *factor.Factor) (int, error) {
	if len(f.Vars) > maxScope {
		return 0, problem.New("it has %d variables; at most %d are allowed", len(f.Vars), maxScope)
	}
	n := 1
	for i, v := range f.Vars {
		for _, w := range f.Vars[:i] {
			if v == w {
				return 0, problem.New("variable %d occurs twice", v)
			}
		}
		if n *= g.States[v]; n > maxTable {
			return 0, problem.New("its table would have more than %d entries", maxTable)
		}
	}
	return n, nil
}

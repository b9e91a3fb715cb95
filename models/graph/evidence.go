package graph

import (
	"logzlab/core/meter"
	"logzlab/core/problem"
)

// A .evid file has the number of observed variables, then the number and the state of each of them, counted from 0.
// Some files begin with an additional line "1", the number of such lists.

// readEvidence reads a .evid file for variables with the given numbers of states. It returns the state of each observed
// variable.
func readEvidence(b []byte, states []int, m *meter.Meter) (map[int]int, error) {
	count := scanner{b: b}
	words := 0
	for count.next() != "" {
		words++
	}

	// The number of observed variables, perhaps after the number of lists.
	s := &scanner{b: b, line: 1, m: m, evidence: true}
	n := s.integer(nameCount, 0, len(states))
	if line := s.line; n == 1 && words != 3 {
		// 1 is the number of lists, unless the line is "1 0": one variable whose state is missing.
		if n = s.integer(nameCount, 0, len(states)); n == 0 && s.line == line {
			n = 1
		} else {
			words--
		}
	}
	if s.err == nil && words != 1+2*n {
		s.fail(problem.New("the file announces %d observed variables, and %d numbers follow; give each variable with "+
			"its state", n,
			words-1))
	}

	observed := map[int]int{}
	for range n {
		v := s.integer(nameVariable, 0, len(states)-1)
		if s.err != nil {
			break
		}
		x := s.integer(problem.New("the state of variable %d", v), 0, states[v]-1)
		if previous, isRepeated := observed[v]; isRepeated && previous != x {
			s.fail(problem.New("variable %d occurs with two states, %d and %d", v, previous, x))
		}
		observed[v] = x
	}
	if s.err != nil {
		return nil, s.err
	}
	return observed, nil
}

var (
	nameCount    = problem.New("the number of known variables")
	nameVariable = problem.New("a variable")
)

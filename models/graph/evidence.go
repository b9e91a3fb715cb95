package graph

import (
	"logzlab/core/meter"
	"logzlab/core/problem"
)

// A .evid file has the number of observed variables, then each of them with its state, counted from 0. Some files begin
// with a line "1", the number of such lists; "1 0" in one line is a variable without its state.

// readEvidence reads a .evid file for variables with the given numbers of states.
func readEvidence(b []byte, states []int, m *meter.Meter) (map[int]int, error) {
	count := scanner{b: b}
	words := 0
	for count.next() != "" {
		words++
	}

	// The number of observed variables; a count of lists may precede it.
	s := &scanner{b: b, line: 1, m: m, evidence: true}
	n := s.integer(nameCount, 0, len(states))
	if line := s.line; n == 1 && words != 3 { // a count of lists
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

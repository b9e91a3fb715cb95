package priors

import (
	"slices"

	"logzlab/models/stan/tape"
)

// Elements maps each element of a parameter to the coordinates of which it is a function.
type Elements map[tape.Scalar][]int

// Coordinates returns the coordinates of the element that x equals up to an added constant. ok is false if x is not
// such an element.
func (elements Elements) Coordinates(b *tape.Builder, x tape.Scalar) (own []int, ok bool) {
	for !tape.AllConst(x) && elements[x] == nil {
		code, args := b.Operation(x)
		switch {
		case code == tape.Copy && len(args[0]) > 0 || (code == tape.Add || code == tape.Sub) && tape.AllConst(args[1]...):
			x = args[0][0]
		case code == tape.Add && tape.AllConst(args[0]...):
			x = args[1][0]
		default:
			return nil, false
		}
	}
	own, ok = elements[x]
	return own, ok
}

// ElementAndOffset splits x into an element and an added constant.
func (elements Elements) ElementAndOffset(b *tape.Builder, x tape.Scalar) (base tape.Scalar, offset float64) {
	for !tape.AllConst(x) && elements[x] == nil {
		code, args := b.Operation(x)
		switch {
		case code == tape.Copy && len(args[0]) > 0:
			x = args[0][0]
		case (code == tape.Add || code == tape.Sub) && tape.AllConst(args[1]...):
			if c, _ := args[1][0].Const(); code == tape.Add {
				offset += c
			} else {
				offset -= c
			}
			x = args[0][0]
		case code == tape.Add && tape.AllConst(args[0]...):
			c, _ := args[0][0].Const()
			offset += c
			x = args[1][0]
		default:
			return x, offset
		}
	}
	return x, offset
}

// IsolatedTerms returns the coordinates of elements that are terms of the sum x and occur in no other term.
func (elements Elements) IsolatedTerms(b *tape.Builder, x tape.Scalar) (out []int) {
	terms := []tape.Scalar{x}
	for i := 0; i < len(terms); i++ {
		code, args := b.Operation(terms[i])
		if _, isElement := elements.Coordinates(b, terms[i]); !isElement && (code == tape.Add || code == tape.Sub) {
			terms[i] = args[0][0]
			terms = append(terms, args[1][0])
			i--
		}
	}
	for i, t := range terms {
		own, _ := elements.Coordinates(b, t)
		if len(own) == 1 && !b.Coordinates(slices.Delete(slices.Clone(terms), i, i+1)...)[own[0]] {
			out = append(out, own[0])
		}
	}
	return out
}

// SumPrior is a density of a sum or difference of elements, such as x[2] - x[1]. If all its coordinates but one have
// priors, it is a shifted prior of the last one.
type SumPrior struct {
	Family   string
	Isolated []int        // coordinates that are isolated terms of the sum
	All      map[int]bool // coordinates that the sum depends on
}

// ResolveSums adds to families[k], the names of the priors of coordinate k, the priors that the sums give to it. A sum
// gives a prior to a coordinate if that is its only coordinate without a prior; ResolveSums repeats until nothing
// changes.
func ResolveSums(sums []SumPrior, families [][]string) {
	for changed := true; changed; {
		changed = false
		for _, m := range sums {
			last, missing := -1, 0
			for k := range m.All {
				if len(families[k]) == 0 {
					last, missing = k, missing+1
				}
			}
			if missing == 1 && slices.Contains(m.Isolated, last) {
				families[last], changed = append(families[last], m.Family), true
			}
		}
	}
}

package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// uninitialised is the value of a variable before its first assignment: a NaN with a payload of its own, so that NaN
// can be assigned on purpose.
var uninitialised = tape.Const(math.Float64frombits(uninitialisedBits))

// uninitialisedInt is the value of an int before its first assignment.
var uninitialisedInt = tape.Const(math.MinInt32)

const uninitialisedBits = 0x7ff8_0000_5e7a_0000

// isUninitialised reports whether x is the value uninitialised.
func isUninitialised(x tape.Scalar) bool {
	c, known := x.Const()
	return known && math.Float64bits(c) == uninitialisedBits
}

// checkInitialised returns x, and fails if it is uninitialised.
func (r *lowerer) checkInitialised(e *syntax.Expr, x tape.Scalar) tape.Scalar {
	if isUninitialised(x) || x == uninitialisedInt && e.Type.Base == lang.IntType {
		r.failUninitialised(e, "")
	}
	return x
}

// rearranging are functions that only select or arrange elements. Their arguments may be uninitialised; their results
// are checked when the program uses them.
var rearranging = map[string]bool{"head": true, "tail": true, "segment": true, "row": true, "col": true, "block": true,
	"sub_row": true, "sub_col": true, "append_row": true, "append_col": true, "append_array": true, "reverse": true,
	"to_vector": true, "to_row_vector": true, "to_matrix": true, "to_array_1d": true, "to_array_2d": true}

// checkAllInitialised fails if an element of v is uninitialised.
func (r *lowerer) checkAllInitialised(e *syntax.Expr, v lang.Value) lang.Value {
	for i, x := range v.X {
		if isUninitialised(x) {
			element := ""
			if e.Kind == syntax.NameNode {
				element = elementName(v.Dims, i)
			}
			r.failUninitialised(e, element)
		}
	}
	return v
}

// failUninitialised fails with an error that names the variable of e.
func (r *lowerer) failUninitialised(e *syntax.Expr, element string) {
	if root := syntax.Root(e); root.Kind == syntax.NameNode {
		lang.Fail(e.Start, problem.New("%s has no value here", root.Name+element))
	}
}

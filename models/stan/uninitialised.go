package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// unset is what a variable has before its first value: a NaN of its own, so that NaN may be assigned on purpose.
var uninitialised = tape.Const(math.Float64frombits(uninitialisedBits))

// unsetInt is that of a whole number.
var uninitialisedInt = tape.Const(math.MinInt32)

const uninitialisedBits = 0x7ff8_0000_5e7a_0000

func isUninitialised(x tape.Scalar) bool {
	c, known := x.Const()
	return known && math.Float64bits(c) == uninitialisedBits
}

// use is a number of a variable that is read; one without a value is refused.
func (r *lowerer) checkInitialised(e *syntax.Expr, x tape.Scalar) tape.Scalar {
	if isUninitialised(x) || x == uninitialisedInt && e.Type.Base == lang.IntType {
		r.failUninitialised(e, "")
	}
	return x
}

// selects are functions that only choose or arrange elements: a result is checked where the program uses it.
var rearranging = map[string]bool{"head": true, "tail": true, "segment": true, "row": true, "col": true, "block": true,
	"sub_row": true, "sub_col": true, "append_row": true, "append_col": true, "append_array": true, "reverse": true,
	"to_vector": true, "to_row_vector": true, "to_matrix": true, "to_array_1d": true, "to_array_2d": true}

// useAll is the same of the elements of what an operation or function reads.
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

func (r *lowerer) failUninitialised(e *syntax.Expr, element string) {
	if of := syntax.Root(e); of.Kind == syntax.NameNode {
		lang.Fail(e.Start, problem.New("%s has no value here", of.Name+element))
	}
}

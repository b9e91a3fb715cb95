package syntax

import (
	"logzlab/models/stan/lang"
)

// Shape is a declared type.
type Shape uint8

const (
	PlainShape Shape = iota
	SimplexShape
	UnitShape
	OrderedShape
	PositiveShape
	CorrShape
	CovShape
	CorrFactorShape
	CovFactorShape
	SumToZeroShape
	RowSimplexShape    // each row of a matrix is a simplex
	ColumnSimplexShape // each column
	SumToZeroMatrix    // rows and columns
)

// declared are the words that begin a declaration.
var declared = map[string]struct {
	base  lang.Base
	shape Shape
	sizes int // at most
}{
	"int": {lang.IntType, PlainShape, 0}, "real": {lang.RealType, PlainShape, 0},
	"tuple":          {lang.TupleType, PlainShape, 0},
	"complex":        {lang.AnyType, PlainShape, 0}, // not offered, as the next three
	"complex_vector": {lang.AnyType, PlainShape, 1}, "complex_row_vector": {lang.AnyType, PlainShape, 1},
	"complex_matrix": {lang.AnyType, PlainShape, 2},
	"vector":         {lang.VectorType, PlainShape, 1},
	"row_vector":     {lang.RowType, PlainShape, 1}, "matrix": {lang.MatrixType, PlainShape, 2},
	"simplex": {lang.VectorType, SimplexShape, 1}, "unit_vector": {lang.VectorType, UnitShape, 1},
	"ordered": {lang.VectorType, OrderedShape, 1}, "positive_ordered": {lang.VectorType, PositiveShape, 1},
	"corr_matrix": {lang.MatrixType, CorrShape, 1}, "cov_matrix": {lang.MatrixType, CovShape, 1},
	"cholesky_factor_corr":     {lang.MatrixType, CorrFactorShape, 1},
	"cholesky_factor_cov":      {lang.MatrixType, CovFactorShape, 2},
	"sum_to_zero_vector":       {lang.VectorType, SumToZeroShape, 1},
	"sum_to_zero_matrix":       {lang.MatrixType, SumToZeroMatrix, 2},
	"row_stochastic_matrix":    {lang.MatrixType, RowSimplexShape, 2},
	"column_stochastic_matrix": {lang.MatrixType, ColumnSimplexShape, 2},
}

// keywords cannot be names of variables.
var keywords = map[string]bool{"for": true, "in": true, "while": true, "if": true, "else": true, "return": true,
	"break": true, "continue": true, "target": true, "true": true, "false": true, "functions": true, "data": true,
	"parameters": true, "model": true, "generated": true, "quantities": true, "transformed": true, "void": true,
	"array": true, "lower": false, "upper": false, "offset": false, "multiplier": false, "print": true, "reject": true,
	"profile": true}

package syntax

import (
	"logzlab/models/stan/lang"
)

// Constraint is the constraint that a type name imposes, such as simplex. Bounds in < > are separate.
type Constraint uint8

const (
	NoConstraint Constraint = iota
	Simplex
	UnitVector
	Ordered
	PositiveOrdered
	CorrMatrix
	CovMatrix
	CholeskyCorr
	CholeskyCov
	SumToZeroVector
	RowStochastic    // each row of a matrix is a simplex
	ColumnStochastic // each column of a matrix is a simplex
	SumToZeroMatrix  // each row and each column has sum 0
)

// typeWords holds the type names: base type, constraint and largest number of sizes.
var typeWords = map[string]struct {
	base  lang.Base
	shape Constraint
	sizes int // at most
}{
	"int": {lang.IntType, NoConstraint, 0}, "real": {lang.RealType, NoConstraint, 0},
	"tuple":          {lang.TupleType, NoConstraint, 0},
	"complex":        {lang.UnsupportedType, NoConstraint, 0}, // complex types are parsed but not supported
	"complex_vector": {lang.UnsupportedType, NoConstraint, 1}, "complex_row_vector": {lang.UnsupportedType, NoConstraint, 1},
	"complex_matrix": {lang.UnsupportedType, NoConstraint, 2},
	"vector":         {lang.VectorType, NoConstraint, 1},
	"row_vector":     {lang.RowVectorType, NoConstraint, 1}, "matrix": {lang.MatrixType, NoConstraint, 2},
	"simplex": {lang.VectorType, Simplex, 1}, "unit_vector": {lang.VectorType, UnitVector, 1},
	"ordered": {lang.VectorType, Ordered, 1}, "positive_ordered": {lang.VectorType, PositiveOrdered, 1},
	"corr_matrix": {lang.MatrixType, CorrMatrix, 1}, "cov_matrix": {lang.MatrixType, CovMatrix, 1},
	"cholesky_factor_corr":     {lang.MatrixType, CholeskyCorr, 1},
	"cholesky_factor_cov":      {lang.MatrixType, CholeskyCov, 2},
	"sum_to_zero_vector":       {lang.VectorType, SumToZeroVector, 1},
	"sum_to_zero_matrix":       {lang.MatrixType, SumToZeroMatrix, 2},
	"row_stochastic_matrix":    {lang.MatrixType, RowStochastic, 2},
	"column_stochastic_matrix": {lang.MatrixType, ColumnStochastic, 2},
}

// keywords holds the reserved words; those with the value false may be names of variables.
var keywords = map[string]bool{"for": true, "in": true, "while": true, "if": true, "else": true, "return": true,
	"break": true, "continue": true, "target": true, "true": true, "false": true, "functions": true, "data": true,
	"parameters": true, "model": true, "generated": true, "quantities": true, "transformed": true, "void": true,
	"array": true, "lower": false, "upper": false, "offset": false, "multiplier": false, "print": true, "reject": true,
	"profile": true}

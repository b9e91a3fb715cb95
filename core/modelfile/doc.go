// Package modelfile reads the formats of model files: JSON objects, NumPy archives (npz.go), MATLAB files (mat.go),
// safetensors.go, and tables, which core/csv reads. rows.go and bits.go read data rows, check.go and need.go check
// syntax and sizes, write.go writes NumPy archives.
//
// What the fields, arrays and columns mean is told by the Reader of each kind of model. This package must not know
// them, and must not take memory for sizes that a file only claims.
package modelfile

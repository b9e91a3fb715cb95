// Package modelfile reads the formats of model files (modelfile.go): JSON objects, NumPy archives (npz.go), PyTorch
// files (torch.go, pickle.go), MATLAB files (mat.go), safetensors.go, and tables, which core/files/csv reads. known.go names
// formats that are not read. arrays.go has the arrays of a file by name, rows.go and bits.go read data rows. check.go,
// need.go and refuse.go check syntax, sizes and fields, write.go writes NumPy archives, and parts.go joins arrays that
// were saved each alone.
//
// What the fields, arrays and columns mean is told by the Reader of each kind of model. This package must not know
// them, and must not take memory for sizes that a file only claims.
package modelfile

// Package modelfile reads the formats of model files (modelfile.go): JSON objects, NumPy archives (npz.go), PyTorch
// files (torch.go, pickle.go), MATLAB files (mat.go), safetensors.go, and tables by core/files/csv.
// unsupported_formats.go recognises formats that are not supported. arrays.go gives access to the arrays of a file by
// name; rows.go and bits.go read data rows. check.go and need.go check fields and sizes, unsupported_fields.go rejects
// fields that would change the model. write.go writes NumPy archives, and parts.go joins arrays that were saved one by
// one.
//
// The Reader of each kind of model interprets fields, arrays and columns; this package must not know their meaning. It
// must not allocate memory for sizes that a file merely claims.
package modelfile

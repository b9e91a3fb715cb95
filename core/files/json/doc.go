// Package json reads JSON (RFC 8259) that consists mostly of numbers, on top of package jsontext. It reads the weights
// of an RBM of 784 x 500 units in less than half the time of encoding/json and with a quarter of the memory. Values are
// those of encoding/json, except that a repeated name in an object is an error, names match exactly, and a number may
// not be null. decode.go reads tokens and words errors; read.go converts values. Writing is left to encoding/json.
//
// jsontext is imported from github.com/go-json-experiment/json until encoding/json/v2 is in the standard library
// without GOEXPERIMENT=jsonv2.
package json

// Package json reads JSON (RFC 8259) that is mostly numbers, on package jsontext: the weights of a machine of 784 x 500
// units in less than half the time of encoding/json, with a quarter of the memory. Values are those of encoding/json,
// except that a repeated name in an object is an error, that names match exactly, and that a number may not be null.
// decode.go reads tokens and words errors; read.go converts values. encoding/json writes.
//
// jsontext is imported from github.com/go-json-experiment/json until encoding/json/v2 is in the standard library without
// GOEXPERIMENT=jsonv2.
package json

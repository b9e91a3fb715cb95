// Package json reads JSON (RFC 8259) that is mostly numbers: the weights of a machine of 784 x 500 units in half the
// time of encoding/json, with a quarter of the memory. Grammar and values are those of encoding/json, except that a
// double name in an object is an error, and that names match exactly. encoding/json writes. scan.go has the grammar,
// read.go the values.
//
// The decoder of encoding/json/v2 (package jsontext) streams, refuses double names and names the place of an error.
// jsontext replaces this package once encoding/json/v2 is stable, outside of GOEXPERIMENT=jsonv2.
package json

// Package diag has the types of the names of diagnostic numbers and of flags in a result. Each name is declared once,
// next to the code that sets it.
//
// The package must not import the code that sets flags, and it contains English only.
package diag

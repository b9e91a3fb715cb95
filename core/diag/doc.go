// Package diag declares the names of diagnostic numbers and of flags. Each name is declared once, next to the code that
// sets it.
//
// The package must not import the code that sets flags, and it contains English only.
package diag

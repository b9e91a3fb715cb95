// Package diag holds the names of diagnostic numbers and of flags. A name is declared once, beside the code that sets
// it.
//
// It must not know who sets a flag, nor any language but English.
package diag

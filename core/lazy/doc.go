// Package lazy computes values on first use.
//
// A value must depend only on what its make function captures, so that the first caller does not matter.
package lazy

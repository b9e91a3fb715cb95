// Package lazy computes values on first use. A value must depend only on variables that its make function captures, so
// that every first caller computes the same value.
package lazy

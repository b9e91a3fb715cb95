package modelfile

import (
	"logzlab/core/files/json"
	"logzlab/core/problem"
)

// GetRequired reads a number in [lo, hi] that a file of this kind must have.
func GetRequired[T int | float64](f *Fields, kind, name string, read func(json.Value) (T, error), lo, hi T) T {
	x := GetOptional(f, name, read)
	switch {
	case f.Err != nil:
	case x == nil:
		f.Err = problem.New("%s file: %s is missing; it must be a number between %v and %v", kind, name, lo, hi)
	case !(*x >= lo && *x <= hi):
		f.Err = problem.New("%s file: %s = %v must be between %v and %v", kind, name, *x, lo, hi)
	default:
		return *x
	}
	return 0
}

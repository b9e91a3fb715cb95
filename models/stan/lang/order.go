package lang

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// orderFunctions sort and rank. Numbers that depend on parameters are sorted by a sorting network; functions that
// return indices need data.
var orderFunctions = []Builtin{
	{names: "sort_asc", Signatures: "[i:[i [r:[r v:v w:w", Emit: sortFunction(false, false)},
	{names: "sort_desc", Signatures: "[i:[i [r:[r v:v w:w", Emit: sortFunction(true, false)},
	{names: "sort_indices_asc", Signatures: "[r:[i v:[i w:[i", Emit: sortFunction(false, true)},
	{names: "sort_indices_desc", Signatures: "[r:[i v:[i w:[i", Emit: sortFunction(true, true)},
	{names: "rank", Signatures: "[ri:i vi:i wi:i", Emit: func(r *Emitter, _ Type, a []Value) Value {
		x, n := r.Constants(a[0].X, "what is sorted"), 0
		at := r.checkIndex(a[1].int(), len(x))
		for _, v := range x {
			if v < x[at] {
				n++
			}
		}
		return IntValue(n)
	}},
	{names: "quantile", Signatures: "[rr:r vr:r wr:r [r[r:[r v[r:[r w[r:[r", Emit: quantile},
}

// quantile interpolates linearly between the sorted numbers around position 1 + (n - 1) p, as R's type 7. a holds the
// numbers and one or several probabilities p.
func quantile(r *Emitter, t Type, a []Value) Value {
	x := r.Constants(sortFunction(false, false)(r, a[0].T, a[:1]).X, "what is sorted")
	probabilities := r.Constants(a[1].X, "a share")
	out := Value{t, a[1].Dims, make(Scalars, len(probabilities))}
	for i, p := range probabilities {
		if !(p >= 0 && p <= 1) || len(x) == 0 {
			r.Fail(problem.New("the quantile of %d numbers at probability %v is undefined", len(x), p))
		}
		at := num.Mul(float64(len(x)-1), p)
		low := int(at)
		out.X[i] = tape.Const(x[low] + num.Mul(at-float64(low), x[min(low+1, len(x)-1)]-x[low]))
	}
	return out
}

// sortFunction returns a function that sorts numbers, in descending order if descending is set. With returnIndices it
// returns their indices, counted from 1, in place of the numbers.
func sortFunction(descending, returnIndices bool) func(r *Emitter, t Type, a []Value) Value {
	return func(r *Emitter, t Type, a []Value) Value {
		if !returnIndices && !tape.AllConst(a[0].X...) {
			return oneDimensional(t, r.sortingNetwork(a[0].X, descending))
		}
		x := r.Constants(a[0].X, "what is sorted")
		order := make([]int, len(x))
		for i := range order {
			if order[i] = i; math.IsNaN(x[i]) {
				r.Fail(problem.New("NaN cannot be ordered"))
			}
		}
		slices.SortStableFunc(order, func(i, j int) int {
			switch {
			case x[i] == x[j]:
				return 0
			case x[i] < x[j] != descending:
				return -1
			}
			return 1
		})
		out := make(Scalars, len(x))
		for k, i := range order {
			if out[k] = a[0].X[i]; returnIndices {
				out[k] = tape.Const(float64(i + 1))
			}
		}
		return oneDimensional(t, out)
	}
}

// sortingNetwork sorts x by Batcher's odd-even merge sort, whose comparisons do not depend on the values.
func (r *Emitter) sortingNetwork(x Scalars, descending bool) Scalars {
	x = slices.Clone(x)
	n := len(x)
	low, high := tape.Min, tape.Max
	if descending {
		low, high = high, low
	}

	// Merges of runs, twice as long each time.
	for size := 1; size < n; size *= 2 {
		for step := size; step >= 1; step /= 2 {
			var left, right []int
			for j := step % size; j+step < n; j += 2 * step {
				for i := j; i < min(j+step, n-step); i++ {
					if i/(2*size) == (i+step)/(2*size) {
						left, right = append(left, i), append(right, i+step)
					}
				}
			}
			if len(left) == 0 {
				continue
			}

			// All exchanges of a step at once.
			r.CountSteps(len(left))
			var a, b Scalars
			for k := range left {
				a, b = append(a, x[left[k]]), append(b, x[right[k]])
			}
			first, last := r.B.Map(low, a, b), r.B.Map(high, a, b)
			for k := range left {
				x[left[k]], x[right[k]] = first[k], last[k]
			}
		}
	}
	return x
}

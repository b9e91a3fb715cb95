package stan

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// orderFunctions sort. Numbers that depend on parameters are sorted by a network, their places are not known.
var orderFunctions = []builtin{
	{names: "sort_asc", takes: "[i:[i [r:[r v:v w:w", do: inOrder(false, false)},
	{names: "sort_desc", takes: "[i:[i [r:[r v:v w:w", do: inOrder(true, false)},
	{names: "sort_indices_asc", takes: "[r:[i v:[i w:[i", do: inOrder(false, true)},
	{names: "sort_indices_desc", takes: "[r:[i v:[i w:[i", do: inOrder(true, true)},
	{names: "rank", takes: "[ri:i vi:i wi:i", do: func(r *run, _ typ, a []value) value {
		x, n := r.numbers(a[0].x, "what is sorted"), 0
		at := r.checkIndex(a[1].int(), len(x))
		for _, v := range x {
			if v < x[at] {
				n++
			}
		}
		return intValue(n)
	}},
	{names: "quantile", takes: "[rr:r vr:r wr:r [r[r:[r v[r:[r w[r:[r", do: quantile},
}

// quantile is between the two sorted numbers around 1 + (n - 1) p, as R's type 7.
func quantile(r *run, t typ, a []value) value {
	x := r.numbers(inOrder(false, false)(r, a[0].t, a[:1]).x, "what is sorted")
	shares := r.numbers(a[1].x, "a share")
	out := value{t, a[1].dims, make(numbers, len(shares))}
	for i, p := range shares {
		if !(p >= 0 && p <= 1) || len(x) == 0 {
			r.fail(problem.New("there is no quantile of %d numbers for the share %v", len(x), p))
		}
		at := num.Mul(float64(len(x)-1), p)
		low := int(at)
		out.x[i] = tape.Const(x[low] + num.Mul(at-float64(low), x[min(low+1, len(x)-1)]-x[low]))
	}
	return out
}

// inOrder sorts numbers, or their places.
func inOrder(down, places bool) func(r *run, t typ, a []value) value {
	return func(r *run, t typ, a []value) value {
		if !places && !tape.Known(a[0].x...) {
			return list(t, r.network(a[0].x, down))
		}
		x := r.numbers(a[0].x, "what is sorted")
		order := make([]int, len(x))
		for i := range order {
			if order[i] = i; math.IsNaN(x[i]) {
				r.fail(problem.New("NaN has no place in an order"))
			}
		}
		slices.SortStableFunc(order, func(i, j int) int {
			switch {
			case x[i] == x[j]:
				return 0
			case x[i] < x[j] != down:
				return -1
			}
			return 1
		})
		out := make(numbers, len(x))
		for k, i := range order {
			if out[k] = a[0].x[i]; places {
				out[k] = tape.Const(float64(i + 1))
			}
		}
		return list(t, out)
	}
}

// network sorts by exchanges that depend on no value: Batcher's merges of odd and even places.
func (r *run) network(x numbers, down bool) numbers {
	x = slices.Clone(x)
	n := len(x)
	low, high := tape.Min, tape.Max
	if down {
		low, high = high, low
	}
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
			r.step(len(left))
			var a, b numbers
			for k := range left {
				a, b = append(a, x[left[k]]), append(b, x[right[k]])
			}
			first, last := r.b.Map(low, a, b), r.b.Map(high, a, b)
			for k := range left {
				x[left[k]], x[right[k]] = first[k], last[k]
			}
		}
	}
	return x
}

package stan

import (
	"math"
	"slices"

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

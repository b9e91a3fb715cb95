package format

import "math"

// near forgives a tick that rounding has put just outside the range.
const near = 1e-9

// Step is the smallest step of the form 1, 2 or 5 times a power of ten that is at least
// span / (n - 1): n ticks reach from one end to the other. It is 1 without a span.
func Step(span float64, n int) float64 {
	if !(span > 0) || math.IsInf(span, 0) {
		return 1
	}
	return roundUp(span / float64(max(n-1, 1)))
}

// roundUp is the smallest 1, 2 or 5 times a power of ten that is at least x.
func roundUp(x float64) float64 {
	unit := power(exponent(x))
	for _, m := range [...]float64{1, 2, 5} {
		if m*unit >= x*(1-near) {
			return m * unit
		}
	}
	return 10 * unit
}

// Ticks are the multiples in [lo, hi] of a step of the form 1, 2 or 5 times a power of
// ten, at most n of them, and that step. There are none where hi is not above lo.
func Ticks(lo, hi float64, n int) (at []float64, step float64) {
	if !(hi > lo) || hi-lo > math.MaxFloat64 || n < 1 {
		return nil, 1
	}
	inside := func(step float64) (first, count float64) {
		first = math.Ceil(lo/step - near)
		return first, math.Floor(hi/step+near) - first + 1
	}
	// With one tick more a finer step may do, because the ends need not be ticks.
	step = Step(hi-lo, n+1)
	first, count := inside(step)
	if count > float64(n) {
		step = Step(hi-lo, n)
		first, count = inside(step)
	}
	for i := range min(int(count), n) {
		at = append(at, float64((first+float64(i))*step))
	}
	return at, step
}

// LogTicks are round values in [lo, hi], both positive, for a logarithmic axis, at most n
// of them: 1, 2, 5 or 1, 3 times each power of ten, or powers of ten only; less than a
// decade takes steps as on a linear axis.
func LogTicks(lo, hi float64, n int) []float64 {
	first, last := exponent(lo), exponent(hi*(1+near))

	// Round values in every decade.
	for _, multiples := range [...][]float64{{1, 2, 5}, {1, 3}, {1}} {
		var at []float64
		for e := first; e <= last; e++ {
			for _, m := range multiples {
				if v := m * power(e); v >= lo*(1-near) && v <= hi*(1+near) {
					at = append(at, v)
				}
			}
		}
		if len(at) < 2 {
			break
		}
		if len(at) <= n {
			return at
		}
	}

	// Less than a decade has a linear axis.
	if hi <= 10*lo {
		at, _ := Ticks(lo, hi, n)
		return at
	}

	// Powers of ten, evenly spaced.
	if power(first) < lo*(1-near) {
		first++
	}
	stride := (last - first + max(n-1, 1)) / max(n-1, 1)
	var at []float64
	for e := first; e <= last; e += max(stride, 1) {
		at = append(at, power(e))
	}
	return at
}

// StepDecimals is the number of decimals that multiples of a step need, at most 9.
func StepDecimals(step float64) int {
	return min(max(-exponent(step*(1+near)), 0), 9)
}

// Tick is the label of a tick: 1,500 as it is when steps are fine, else 10 k, 2 M.
func Tick(v, step float64) string {
	if v == 0 {
		return "0"
	}
	for _, u := range units[1:] {
		if step >= u.size {
			return Grouped(v/u.size, StepDecimals(step/u.size)) + space + u.name
		}
	}
	return Grouped(v, StepDecimals(step))
}

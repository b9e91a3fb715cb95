package format

import "math"

// tickTol is the relative tolerance for a tick that rounding has put just outside the range.
const tickTol = 1e-9

// Step returns the smallest step of the form 1, 2 or 5 times a power of ten that is at least span / (n - 1), so that n
// ticks cover the span. It is 1 if span is not positive and finite.
func Step(span float64, n int) float64 {
	if !(span > 0) || math.IsInf(span, 0) {
		return 1
	}
	return niceCeil(span / float64(max(n-1, 1)))
}

// niceCeil returns the smallest number of the form 1, 2 or 5 times a power of ten that is at least x.
func niceCeil(x float64) float64 {
	unit := pow10(exponent(x))
	for _, m := range [...]float64{1, 2, 5} {
		if m*unit >= x*(1-tickTol) {
			return m * unit
		}
	}
	return 10 * unit
}

// Ticks returns a step of the form 1, 2 or 5 times a power of ten, and its multiples in [lo, hi], of which there are at
// most n. If hi <= lo there are no ticks and the step is 1.
func Ticks(lo, hi float64, n int) (at []float64, step float64) {
	if !(hi > lo) || hi-lo > math.MaxFloat64 || n < 1 {
		return nil, 1
	}
	inside := func(step float64) (first, count float64) {
		first = math.Ceil(lo/step - tickTol)
		return first, math.Floor(hi/step+tickTol) - first + 1
	}
	// The finer step for n+1 ticks may give only n ticks in the range, because the ends need not be ticks.
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

// LogTicks returns at most n round values in [lo, hi], both positive, for a logarithmic axis: 1, 2, 5 or 1, 3 times
// each power of ten, or powers of ten only. A range of less than a decade gets the steps of a linear axis.
func LogTicks(lo, hi float64, n int) []float64 {
	first, last := exponent(lo), exponent(hi*(1+tickTol))

	// Round values in every decade.
	for _, multiples := range [...][]float64{{1, 2, 5}, {1, 3}, {1}} {
		var at []float64
		for e := first; e <= last; e++ {
			for _, m := range multiples {
				if v := m * pow10(e); v >= lo*(1-tickTol) && v <= hi*(1+tickTol) {
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
	if pow10(first) < lo*(1-tickTol) {
		first++
	}
	stride := (last - first + max(n-1, 1)) / max(n-1, 1)
	var at []float64
	for e := first; e <= last; e += max(stride, 1) {
		at = append(at, pow10(e))
	}
	return at
}

// StepDecimals returns the number of decimals that multiples of a step need, at most 9.
func StepDecimals(step float64) int {
	return min(max(-exponent(step*(1+tickTol)), 0), 9)
}

// Tick formats the label of a tick: 1,500 if steps are smaller than 1000, else with an SI prefix: 10 k, 2 M.
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

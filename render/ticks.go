package render

import (
	"math"
	"strconv"
	"strings"
)

// axis maps data linearly to device pixels.
type axis struct{ d0, d1, p0, p1 float64 }

// at is where v lies. Values far off stay a few axes away: they are cut by the
// clip, and a line of a million pixels would take a million dashes.
func (a axis) at(v float64) float64 {
	return a.p0 + min(max((v-a.d0)/(a.d1-a.d0), -3), 4)*(a.p1-a.p0)
}

// step125 is the smallest step of the form 1, 2 or 5 times a power of ten with
// which at most n ticks fall in a range of the given span.
func step125(span float64, n int) float64 {
	if !(span > 0) || math.IsInf(span, 0) {
		return 1
	}
	raw := span / float64(max(n-1, 1))
	mag := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range [...]float64{1, 2, 5} {
		if m*mag >= raw*(1-1e-9) {
			return m * mag
		}
	}
	return 10 * mag
}

// ticks lists the multiples of a 1-2-5 step in [lo, hi], at most n of them.
func ticks(lo, hi float64, n int) (at []float64, step float64) {
	count := func(step float64) (first, n float64) {
		first = math.Ceil(lo/step - 1e-9)
		return first, math.Floor(hi/step+1e-9) - first + 1
	}
	// With one tick more a finer step may do, because the ends need not be ticks.
	step = step125(hi-lo, n+1)
	first, k := count(step)
	if k > float64(n) {
		step = step125(hi-lo, n)
		first, k = count(step)
	}
	for i := range min(int(k), n) {
		at = append(at, (first+float64(i))*step)
	}
	return at, step
}

// logTicks lists round values in [10^lo, 10^hi], at most n: 1-2-5 or 1-3 in each
// decade, or decades only. Less than a decade takes linear steps.
func logTicks(lo, hi float64, n int) []float64 {
	for _, m := range [...][]float64{{1, 2, 5}, {1, 3}, {1}} {
		var at []float64
		for d := math.Floor(lo); d <= hi+1e-9; d++ {
			for _, k := range m {
				if v := d + math.Log10(k); v >= lo-1e-9 && v <= hi+1e-9 {
					at = append(at, k*math.Pow(10, d))
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
	if hi-lo > 1 {
		stride := math.Ceil((hi - lo) / float64(n-1))
		var at []float64
		for d := math.Ceil(lo); d <= hi; d += stride {
			at = append(at, math.Pow(10, d))
		}
		return at
	}
	at, _ := ticks(math.Pow(10, lo), math.Pow(10, hi), n)
	return at
}

// decimal writes v with the given decimals, thousands set off by commas and a real
// minus sign.
func decimal(v float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, frac, _ := strings.Cut(s, ".")
	var b strings.Builder
	if v < 0 && strings.Trim(s, "0.") != "" {
		b.WriteString("\u2212")
	}
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if frac != "" {
		b.WriteByte('.')
		b.WriteString(frac)
	}
	return b.String()
}

// axisLabel writes a tick: 1,500 as it is when steps are fine, else 10 k, 2 M.
func axisLabel(v, step float64) string {
	unit := ""
	switch {
	case v == 0:
		return "0"
	case step >= 1e9:
		v, step, unit = v/1e9, step/1e9, " G"
	case step >= 1e6:
		v, step, unit = v/1e6, step/1e6, " M"
	case step >= 1e3:
		v, step, unit = v/1e3, step/1e3, " k"
	}
	return decimal(v, min(max(0, int(-math.Floor(math.Log10(step)+1e-9))), 9)) + unit
}

// countLabel writes a value of a log axis of counts: 500, 2 k, 1.5 M.
func countLabel(v float64) string {
	unit := ""
	for _, u := range [...]string{" k", " M", " G", " T"} {
		if v < 1000*(1-1e-9) {
			break
		}
		v, unit = v/1000, u
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + unit
}

// valueLabel writes an estimate down to the digit its error bar reaches: one
// significant digit of the error, two if that digit is a one.
func valueLabel(v, se float64) string {
	d := 2
	if se > 0 && !math.IsInf(se, 0) {
		e := math.Floor(math.Log10(se))
		d = int(-e)
		if se/math.Pow(10, e) < 2 {
			d++
		}
	}
	return decimal(v, min(max(d, 0), 6))
}

// betaLabel writes an inverse temperature with at most two decimals.
func betaLabel(b float64) string {
	s := strconv.FormatFloat(b, 'f', 2, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return strings.Replace(s, "-", "\u2212", 1)
}

// spread moves labels apart so that neighbours are at least gap from each other,
// as little as possible in the sense of least squares (isotonic regression of
// y_i - i gap), and keeps them in [lo, hi] where they fit. y is sorted.
func spread(y []float64, gap, lo, hi float64) []float64 {
	type block struct{ sum, n float64 }
	var bs []block
	for i, v := range y {
		b := block{v - float64(i)*gap, 1}
		for len(bs) > 0 && bs[len(bs)-1].sum/bs[len(bs)-1].n > b.sum/b.n {
			last := bs[len(bs)-1]
			b = block{b.sum + last.sum, b.n + last.n}
			bs = bs[:len(bs)-1]
		}
		bs = append(bs, b)
	}
	out := make([]float64, 0, len(y))
	top := max(lo, hi-float64(len(y)-1)*gap)
	for _, b := range bs {
		for range int(b.n) {
			out = append(out, min(max(b.sum/b.n, lo), top)+float64(len(out))*gap)
		}
	}
	return out
}

package tape

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models"
)

// end is the tail between the last two planes where M can be measured.
func (a *tails) end(r *ray) tail {
	var far *stop
	for k := len(r.at) - 1; k >= 0; k-- {
		s := &r.at[k]
		if s.w == nil {
			a.measure(r, s, far, tailTold)
		}
		switch {
		case math.IsNaN(s.logM):
			far = nil
		case far == nil:
			far = s
		default:
			log := num.Log(far.t / s.t)
			if slope := (far.logM - s.logM) / log; num.Finite(slope) {
				return tail{slope, (far.f - s.f) / log, far.t, r.i, r.last().y}
			}
			return noTail
		}
	}
	return noTail
}

// measure finds the mass of a box. Its side out of the plane goes along the ray, or along the coordinate where this is
// the longer one. Sides are looked for near those of another box, if there is one. The mass is NaN where a side is less
// than a share of how far out it is.
func (a *tails) measure(r *ray, s, like *stop, share float64) (logM float64) {
	y, ray, axis := make([]float64, a.dim), slices.Clone(s.y), make([]float64, a.dim)
	side := func(u []float64, most, guess float64) float64 {
		return width(most, guess, func(h float64) bool {
			for _, h := range [2]float64{h, -h} {
				copy(y, s.y)
				num.Axpy(h, u, y)
				if !(a.logF(y) > s.f-1) {
					return false
				}
			}
			return true
		})
	}
	s.w, s.logM = make([]float64, a.dim), 0
	for j := range s.w {
		if j != r.i {
			axis[j] = 1
			guess := 1.
			if like != nil {
				guess = like.w[j]
			}
			s.w[j] = side(axis, s.t/2, guess)
			s.logM += num.Log(s.w[j])
			axis[j] = 0
		}
	}
	if !(a.narrowest(r.i, s) > share) {
		s.logM = math.NaN()
		return s.logM
	}
	axis[r.i] = 1
	for j := range ray {
		ray[j] /= s.t
	}
	out, thick := ray, side(ray, s.t/3, 1)
	if h := side(axis, s.t/3, 1); h > thick {
		out, thick = axis, h
	}
	s.logM += num.Log(thick)

	// The mean in the box.
	logs := make([]float64, len(a.box))
	for k, u := range a.box {
		copy(y, s.y)
		for j, w := range s.w {
			y[j] += num.Mul(w, u[j])
		}
		num.Axpy(num.Mul(thick, u[r.i]), out, y)
		logs[k] = a.logF(y)
	}
	s.logM += num.LogMeanExp(logs)
	return s.logM
}

// sure is the end of a ray, where its mass does not fall only if that is certain: as far as tailSure, or to where e^x
// overflows. Else the mass may fall where no box can be measured: there is no tail where the density alone does so, and
// nobody can say what comes behind the last point.
func (a *tails) sure(r *ray, end tail) tail {
	if end.slope <= models.EndlessTail || num.Mul(end.t, a.sd[r.i]) >= tailSure ||
		end.power > -tailSteady && a.ends(r.i, r.sign) {
		return end
	}
	power, ok := a.onRidge(r)
	if n := len(r.at); !ok && r.last().t > end.t && a.narrowest(r.i, r.last()) > tailGrid {
		now, near := r.last(), &r.at[n-2]
		power, ok = (now.f-near.f)/num.Log(now.t/near.t), now.f < near.f-1
	}
	switch slope := end.slope - end.power + power; {
	case !ok:
	case slope < models.SlowTail:
		return noTail
	case slope > models.EndlessTail:
		return end
	}
	end.slope = models.EndlessTail
	return end
}

// narrowest is the least side of a box on plane y_i = t, as a share of how far out it is along the side.
func (a *tails) narrowest(i int, s *stop) float64 {
	least := math.Inf(1)
	for j, w := range s.w {
		if x := s.y[j] + a.mean[j]/a.sd[j]; j != i && x != 0 {
			least = min(least, w/math.Abs(x))
		}
	}
	return least
}

// onRidge is the power by which a density changes, far out, on a ridge that is too narrow for numbers. It is followed
// where the shares of coordinates in its direction are multiples of 1/60: whole multiples of that by powers of two are
// exact, so no rounding leaves the ridge.
func (a *tails) onRidge(r *ray) (power float64, ok bool) {
	var far, near *stop // the last boxes
	for k := range r.at {
		if s := &r.at[k]; s.w != nil && !math.IsNaN(s.logM) {
			near, far = far, s
		}
	}
	if near == nil {
		return 0, false
	}
	x, u := slices.Clone(a.inX(far.y)), make([]float64, a.dim)
	for j := range u {
		unit := num.Mul(a.sd[r.i]/a.sd[j], far.t-near.t) / 60
		moved := far.y[j] - near.y[j]
		if u[j] = math.Round(moved / unit); j != r.i && math.Abs(moved-num.Mul(u[j], unit)) > far.w[j] {
			return 0, false
		}
	}

	// The power from 1e120 to 1e150, and less than that near the end of numbers, if the density is a number there.
	logF := func(m int) float64 {
		for j, v := range u {
			if v != 0 {
				x[j] = math.Ldexp(v, m)
			}
		}
		a.left--
		return a.points.LogF(x)
	}
	for _, m := range [2][2]int{{400, 500}, {980, 990}} {
		if p := (logF(m[1]) - logF(m[0])) / (math.Ln2 * float64(m[1]-m[0])); num.Finite(p) {
			power, ok = min(power, p), true
		}
	}
	return power, ok
}

// width is about the largest h below most at which ok holds, as it does below; 0 where it holds nowhere. It is looked
// for from a guess on, by steps that grow.
func width(most, guess float64, ok func(h float64) bool) float64 {
	if ok(most) {
		return most
	}

	// A bracket.
	lo, hi, h, step := 0., most, min(guess, most/2), 1.2
	up := ok(h)
	for h > 1e-100 {
		if up {
			if lo = h; lo*step >= hi {
				break
			}
			h *= step
			if !ok(h) {
				hi = h
				break
			}
		} else {
			hi = h
			if h /= step; ok(h) {
				lo = h
				break
			}
		}
		step *= step
	}

	// Its halves.
	for lo > 0 && hi/lo > 1.01 {
		if mid := math.Sqrt(lo) * math.Sqrt(hi); ok(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// numericEdge reports whether numbers, not the support, end at a coordinate x of the tape: where the inverse logit of x
// rounds to 1 (37), or e^x or e^-x overflows (some 709 to 745).
func numericEdge(x float64) bool {
	x = math.Abs(x)
	return x > 34 && x < 38 || x > 690 && x < 760
}

// edges counts the coordinates along which the support ends at once: the density is 0 a step beyond a point where it is
// about that of a draw. Steps go from the first draw of the chains, 4 standard deviations both ways; coordinates are
// looked at as long as a tenth of the evaluations lasts.
func (a *tails) edges() (n int) {
	left := num.Mul(.9, a.left)
	for i := range a.dim {
		y, found := slices.Clone(a.draws[0]), false
		from := y[i]
		f := a.logF(y)
		for _, step := range [2]float64{4, -4} {
			in, out := 0., step
			if y[i] = from + step; a.left < left || !math.IsInf(a.logF(y), -1) {
				continue
			}
			last := f
			for range 40 {
				mid := num.Mul(.5, in+out)
				y[i] = from + mid
				if g := a.logF(y); math.IsInf(g, -1) {
					out = mid
				} else {
					in, last = mid, g
				}
			}
			found = found || last > f-tailFall
			if x := a.mean[i] + num.Mul(a.sd[i], from+num.Mul(.5, in+out)); numericEdge(x) {
				a.cutOff = max(a.cutOff, last-f)
			}
		}
		if found {
			n++
		}
	}
	return n
}

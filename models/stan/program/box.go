package program

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/models"
)

// measureTail returns the tail computed from the last two neighbouring planes whose boxes can be measured, or noTail if
// there are none.
func (a *tails) measureTail(r *ray) tail {
	var far *plane
	for k := len(r.planes) - 1; k >= 0; k-- {
		s := &r.planes[k]
		if s.sides == nil {
			a.boxMass(r, s, far, minBoxSide)
		}
		switch {
		case math.IsNaN(s.logM):
			far = nil
		case far == nil:
			far = s
		default:
			log := num.Log(far.t / s.t)
			if slope := (far.logM - s.logM) / log; num.Finite(slope) {
				return tail{slope, (far.logF - s.logF) / log, far.t, r.i, r.last().y}
			}
			return noTail
		}
	}
	return noTail
}

// boxMass measures the box of a plane: it sets its sides and log M, and returns log M. The side out of the plane is
// along the ray, or along coordinate i if that side is longer. guesses, unless nil, is a plane whose sides are the
// initial guesses. log M is NaN if a side is less than minSide times its distance from 0 (narrowestSide).
func (a *tails) boxMass(r *ray, s, guesses *plane, minSide float64) (logM float64) {
	y, rayDirection, axis := make([]float64, a.dim), slices.Clone(s.y), make([]float64, a.dim)

	// side returns the distance in both directions along u within which log f falls by at most 1, up to limit.
	side := func(u []float64, limit, guess float64) float64 {
		return sideLength(limit, guess, func(h float64) bool {
			for _, h := range [2]float64{h, -h} {
				copy(y, s.y)
				num.Axpy(h, u, y)
				if !(a.logF(y) > s.logF-1) {
					return false
				}
			}
			return true
		})
	}
	s.sides, s.logM = make([]float64, a.dim), 0
	for j := range s.sides {
		if j != r.i {
			axis[j] = 1
			guess := 1.
			if guesses != nil {
				guess = guesses.sides[j]
			}
			s.sides[j] = side(axis, s.t/2, guess)
			s.logM += num.Log(s.sides[j])
			axis[j] = 0
		}
	}
	if !(a.narrowestSide(r.i, s) > minSide) {
		s.logM = math.NaN()
		return s.logM
	}
	axis[r.i] = 1
	for j := range rayDirection {
		rayDirection[j] /= s.t
	}
	depthDirection, depth := rayDirection, side(rayDirection, s.t/3, 1)
	if h := side(axis, s.t/3, 1); h > depth {
		depthDirection, depth = axis, h
	}
	s.logM += num.Log(depth)

	// Average the density over random points of the box.
	logs := make([]float64, len(a.box))
	for k, u := range a.box {
		copy(y, s.y)
		for j, w := range s.sides {
			y[j] += num.Mul(w, u[j])
		}
		num.Axpy(num.Mul(depth, u[r.i]), depthDirection, y)
		logs[k] = a.logF(y)
	}
	s.logM += num.LogMeanExp(logs)
	return s.logM
}

// confirmTail returns the tail of a ray if its mass decreases, or if it certainly does not: up to certainDistance, or
// to where e^x overflows. Otherwise the mass may still decrease farther out, where no box can be measured. There only
// the power of the density is measured, as far as floating point allows. If it decreases fast there is no tail; if the
// question stays open the slope becomes InfiniteTail, the limit between finite and infinite.
func (a *tails) confirmTail(r *ray, end tail) tail {
	if end.slope <= models.InfiniteTail || num.Mul(end.t, a.sd[r.i]) >= certainDistance ||
		end.power > -flatSlope && a.endsAtOverflow(r.i, r.sign) {
		return end
	}
	power, ok := a.ridgePower(r)
	if n := len(r.planes); !ok && r.last().t > end.t && a.narrowestSide(r.i, r.last()) > rounding {
		last, previous := r.last(), &r.planes[n-2]
		power, ok = (last.logF-previous.logF)/num.Log(last.t/previous.t), last.logF < previous.logF-1
	}
	switch slope := end.slope - end.power + power; {
	case !ok:
	case slope < models.SlowTail:
		return noTail
	case slope > models.InfiniteTail:
		return end
	}
	end.slope = models.InfiniteTail
	return end
}

// narrowestSide returns the smallest side of the box of a plane y_i = t, each as a share of |x_j|, which floating-point
// numbers must resolve.
func (a *tails) narrowestSide(i int, s *plane) float64 {
	narrowest := math.Inf(1)
	for j, w := range s.sides {
		if x := s.y[j] + a.mean[j]/a.sd[j]; j != i && x != 0 {
			narrowest = min(narrowest, w/math.Abs(x))
		}
	}
	return narrowest
}

// ridgePower returns d log f / d log t, at most 0, far out on a ridge that is narrower than the spacing of
// floating-point numbers there. ok is false unless the direction of the ridge is a multiple of 1/60 in each coordinate:
// then integers times powers of two are points exactly on the ridge.
func (a *tails) ridgePower(r *ray) (power float64, ok bool) {
	var far, near *plane // the last two measured boxes
	for k := range r.planes {
		if s := &r.planes[k]; s.sides != nil && !math.IsNaN(s.logM) {
			near, far = far, s
		}
	}
	if near == nil {
		return 0, false
	}
	x, u := slices.Clone(a.toX(far.y)), make([]float64, a.dim)
	for j := range u {
		unit := num.Mul(a.sd[r.i]/a.sd[j], far.t-near.t) / 60
		moved := far.y[j] - near.y[j]
		if u[j] = math.Round(moved / unit); j != r.i && math.Abs(moved-num.Mul(u[j], unit)) > far.sides[j] {
			return 0, false
		}
	}

	// The smallest of 0 and the finite powers from 2^400 to 2^500 (1e120 to 1e150) and from 2^980 to 2^990.
	logF := func(m int) float64 {
		for j, v := range u {
			if v != 0 {
				x[j] = math.Ldexp(v, m)
			}
		}
		a.budget--
		return a.points.LogF(x)
	}
	for _, m := range [2][2]int{{400, 500}, {980, 990}} {
		if p := (logF(m[1]) - logF(m[0])) / (math.Ln2 * float64(m[1]-m[0])); num.Finite(p) {
			power, ok = min(power, p), true
		}
	}
	return power, ok
}

// sideLength returns, to 1 %, the largest h up to limit at which holds returns true, and 0 if it is false everywhere.
// holds must be true below some h and false above. sideLength brackets that h from a guess by growing factors and then
// bisects its log.
func sideLength(limit, guess float64, holds func(h float64) bool) float64 {
	if holds(limit) {
		return limit
	}
	lo, hi, h, step := 0., limit, min(guess, limit/2), 1.2
	up := holds(h)
	for h > 1e-100 {
		if up {
			if lo = h; lo*step >= hi {
				break
			}
			h *= step
			if !holds(h) {
				hi = h
				break
			}
		} else {
			hi = h
			if h /= step; holds(h) {
				lo = h
				break
			}
		}
		step *= step
	}
	for lo > 0 && hi/lo > 1.01 {
		if mid := math.Sqrt(lo) * math.Sqrt(hi); holds(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// isNumericEdge reports whether a density that becomes 0 at the coordinate x of the tape does so because of floating
// point and not of its support: the inverse logit of x rounds to 1 (37), or e^x or e^-x overflows (709 to 745).
func isNumericEdge(x float64) bool {
	x = math.Abs(x)
	return x > 34 && x < 38 || x > 690 && x < 760
}

// countEdges returns the number of coordinates along which the support ends abruptly: the density becomes 0 right
// beyond a point whose log density is less than negligibleDrop below that of a draw. It bisects between the first draw
// of the chains and 4 standard deviations from it, in both directions, for as many coordinates as a tenth of the budget
// allows. It also sets cutOff.
func (a *tails) countEdges() (n int) {
	minBudget := num.Mul(.9, a.budget)
	for i := range a.dim {
		y, hasEdge := slices.Clone(a.draws[0]), false
		from := y[i]
		f := a.logF(y)
		for _, step := range [2]float64{4, -4} {
			inside, outside := 0., step
			if y[i] = from + step; a.budget < minBudget || !math.IsInf(a.logF(y), -1) {
				continue
			}
			last := f
			for range 40 {
				mid := num.Mul(.5, inside+outside)
				y[i] = from + mid
				if g := a.logF(y); math.IsInf(g, -1) {
					outside = mid
				} else {
					inside, last = mid, g
				}
			}
			hasEdge = hasEdge || last > f-negligibleDrop
			if x := a.mean[i] + num.Mul(a.sd[i], from+num.Mul(.5, inside+outside)); isNumericEdge(x) {
				a.cutOff = max(a.cutOff, last-f)
			}
		}
		if hasEdge {
			n++
		}
	}
	return n
}

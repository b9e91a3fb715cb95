package tape

import (
	"slices"

	"logzlab/core/num"
	"logzlab/core/rng"
	ops "logzlab/core/tape"
)

// centring is a family of coordinates of one tape: how far parameters whose scale is a parameter are centred
// (Tape.Changed). Log Z is the same in all of them; chains and a fitted base suit some better than others.
type centring struct {
	t       *ops.Tape // of the program
	family  *ops.Tape // with a precision p and p times a location, h, for each changed coordinate
	changed []int
}

// newCentring reads the family of a tape; ok is false where there is none.
func newCentring(t *ops.Tape) (c centring, ok bool) {
	family, err := ops.Read([]byte(t.Note(ops.NoteNonCentred)))
	if err != nil {
		return c, false
	}
	c = centring{t, family, family.ChangedCoordinates()}
	n := len(c.changed)
	return c, n > 0 && family.Dim() == t.Dim()+2*n && len(family.Names()) == len(t.Names())+1+3*n
}

// Sizes of the search for coordinates: draws by which the data are measured; the effective share of draws from the base
// from which on no better coordinates are looked for, and below which the pilot's draws may not be where the target is;
// rounds.
const (
	centringDraws  = 8
	centringEnough = .4
	centringLeast  = .05
	centringRounds = 2
)

// best is the pilot, of the one in the coordinates of the program and those in other coordinates of the family, whose
// base is nearest to the target. None of them is complete yet. Where the base of the program's own is near enough there is nothing to look for. Else
// it tries coordinates in which each parameter is centred as far as data inform it, by draws of the best pilot so far,
// and non-centred ones: these first where the draws of the program's own pilot are of little use.
func (c centring) best(p *pilot) *pilot {
	spent := p.spent
	var tried [][]float64 // a pilot depends on its coordinates alone
	try := func(values []float64) {
		same := func(other []float64) bool { return slices.Equal(other, values) }
		if values == nil || p.share() >= centringEnough || slices.ContainsFunc(tried, same) {
			return
		}
		tried = append(tried, values)
		t, err := c.family.Bound(values)
		if err != nil {
			return
		}
		q := newPilot(t)
		spent += q.spent
		if q.nearer(p) {
			p = q
		}
	}
	none := make([]float64, 2*len(c.changed))
	if p.share() < centringLeast {
		try(none)
	}
	for range centringRounds {
		before := p
		if try(c.fitted(p)); p == before {
			break
		}
	}
	if p.t == c.t {
		try(none)
	}
	p.spent = spent
	return p
}

// fitted are the precision p and h = p times the location of what all terms of the log density but its own prior say of
// each changed coordinate x, on average over the draws of a pilot:
//
//	p = -d^2 log f/dx^2 - 1/s^2,  h = p x + d log f/dx + (x - m)/s^2.
//
// Where p is not above 0, both are 0: the data say nothing of x. nil: no draw has these numbers.
func (c centring) fitted(p *pilot) []float64 {
	dim, names := c.t.Dim(), len(c.t.Names())
	own := c.t.Points()
	free, err := c.family.Bound(make([]float64, 2*len(c.changed)))
	if err != nil {
		return nil
	}
	points, shown := free.Points(), make([]float64, len(free.Names()))
	numbers := func(i int) (m, s, x float64) {
		at := shown[names+1+3*i:]
		return at[0], at[1], at[2]
	}
	sums, used := make([]float64, 2*len(c.changed)), 0
	slope, up, down := make([]float64, dim), make([]float64, dim), make([]float64, dim)
	draws := len(p.draws) / dim
	for r := range min(centringDraws, draws) {
		x := c.own(p, p.draws[(r*draws/min(centringDraws, draws))*dim:][:dim])
		if f := own.Slope(x, slope); !num.Finite(f) || !num.AllFinite(slope) {
			continue
		}

		// The means m and scales s at x: they may depend on changed coordinates, so z is found by iteration.
		z := slices.Clone(x)
		for _, k := range c.changed {
			z[k] = 0
		}
		for range 6 {
			points.Show(z, shown)
			for i, k := range c.changed {
				if m, s, _ := numbers(i); s > 0 {
					z[k] = (x[k] - m) / s
				} else {
					z[k] = x[k]
				}
			}
		}
		points.Show(z, shown)
		ok := true
		more := make([]float64, len(sums))
		for i, k := range c.changed {
			m, s, _ := numbers(i)
			if !(s > 0) {
				continue
			}
			step, before := num.Mul(1e-3, s), x[k]
			x[k] = before + step
			own.Slope(x, up)
			x[k] = before - step
			own.Slope(x, down)
			x[k] = before
			prior := 1 / num.Mul(s, s)
			precision := max((down[k]-up[k])/num.Mul(2, step)-prior, 0)
			more[2*i] = precision
			if precision > 0 {
				more[2*i+1] = num.Mul(precision, before) + slope[k] + num.Mul(before-m, prior)
			}
			ok = ok && num.Finite(more[2*i]) && num.Finite(more[2*i+1])
		}
		if ok {
			used++
			num.Axpy(1, more, sums)
		}
	}
	if used == 0 {
		return nil
	}
	for i := range sums {
		sums[i] /= float64(used)
	}
	return sums
}

// own is a draw of a pilot in the coordinates of the program.
func (c centring) own(p *pilot, draw []float64) []float64 {
	x := slices.Clone(draw)
	if p.t == c.t {
		return x
	}
	shown := make([]float64, len(p.t.Names()))
	p.t.Points().Show(draw, shown)
	for i, k := range c.changed {
		x[k] = shown[len(c.t.Names())+1+3*i+2]
	}
	return x
}

// share is the effective share of draws from the base.
func (p *pilot) share() float64 {
	share, _ := p.quality()
	return share
}

// nearer reports whether the base of p is nearer to the target than that of q, in other coordinates: the effective share
// of draws from it is larger, and it finds as much of the target.
func (p *pilot) nearer(q *pilot) bool {
	mine, mass := p.quality()
	other, massOther := q.quality()
	return num.Finite(mass) && mass > massOther-1 && !(mine < other)
}

// quality is the effective share of draws from the base of a pilot, and the log of the integral that they find.
func (p *pilot) quality() (share, integral float64) {
	if !p.judged {
		logW := logWeights(&p.base, p.t.Dim(), p.t.Points().LogF, rng.NewKey(0, "nearer", p.t.Dim()), 9)
		p.effective, p.judged = 0, true
		if p.drawn = num.LogSumExp(logW); num.Finite(p.drawn) {
			p.effective = essShare(logW, p.drawn)
		}
	}
	return p.effective, p.drawn - num.Log(floorDraws)
}

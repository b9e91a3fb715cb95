package tape

import (
	"strconv"
	"strings"
)

// LocationScale is the location m and the scale s of the prior of a coordinate given the other coordinates, as in x ~
// normal(m, s).
type LocationScale struct{ Location, Scale Scalar }

// Reparametrise returns the tape in coordinates z, in which the coordinates x with a prior (not nil) are partially
// non-centred ([Papaspiliopoulos2007]):
//
//	x = (m + s^2 h)/(1 + p s^2) + s/sqrt(1 + p s^2) z.
//
// The first term is the posterior mean of x for a normal prior and data with precision p and mean h/p, and the factor
// of z is the posterior standard deviation. With p = h = 0 this is x = m + s z. The pairs p, h are additional
// coordinates at the end of the new tape, in the order of the reparametrised coordinates; FixLast makes them constants.
// The log density includes the log Jacobian, so its integral over z equals the integral over x for any p and h.
//
// The outputs of the new tape are those of this one, then the log Jacobian, and then m, s and x of each coordinate in
// NoteReparametrised. A coordinate whose location or scale depends on the coordinate itself is left as it is. The
// result is nil if no coordinate is reparametrised, or if the tape would be too long.
func (b *Builder) Reparametrise(changes []*LocationScale) *Tape {
	const maxLooked = 200_000_000 // operations that Advance may examine in all
	wanted := append([]Scalar(nil), b.target...)
	for _, s := range b.outputs {
		wanted = append(wanted, s.x)
	}

	dim := int(b.t.dim)
	count := 0
	for _, change := range changes {
		if change != nil {
			count++
		}
	}
	target := NewBuilder(dim + 2*count)
	z := target.Inputs()
	c := b.Copier(target, wanted...)
	pairs := make([][]Scalar, len(changes)) // p and h of each reparametrised coordinate
	unused := z[dim:]
	var pending []int
	for k, change := range changes {
		if change == nil {
			c.Set(k, z[k])
			continue
		}
		pending = append(pending, k)
		pairs[k], unused = unused[:2], unused[2:]
	}

	// A coordinate is reparametrised as soon as its location and scale are known, which may depend on others.
	shown := make([][]Scalar, len(changes)) // m, s and x
	var logScales []Scalar
	for visited := 0; len(pending) > 0; visited += c.Pending() + len(pending) {
		c.Advance()
		var later []int
		for _, k := range pending {
			m, haveLocation := c.Copied(changes[k].Location)
			s, haveScale := c.Copied(changes[k].Scale)
			if !haveLocation || !haveScale {
				later = append(later, k)
				continue
			}
			variance := target.Do(Square, s)
			denominator := target.Do(Add, Const(1), target.Do(Mul, pairs[k][0], variance))
			location := target.Do(Div, target.Do(Add, m, target.Do(Mul, variance, pairs[k][1])), denominator)
			scale := target.Do(Div, s, target.Do(Sqrt, denominator))
			x := target.Do(Add, location, target.Do(Mul, scale, z[k]))
			c.Set(k, x)
			shown[k], logScales = []Scalar{m, s, x}, append(logScales, target.Do(Log, scale))
		}
		if len(later) == len(pending) { // a cycle: leave one coordinate as it is
			c.Set(later[0], z[later[0]])
			later = later[1:]
		}
		if pending = later; visited > maxLooked || target.err != nil {
			return nil
		}
	}

	// Log density with the Jacobian, and outputs.
	if c.Advance(); len(logScales) == 0 {
		return nil
	}
	logJacobian := target.Sum(logScales)
	target.Target(logJacobian)
	for _, x := range b.target {
		x, _ = c.Copied(x)
		target.Target(x)
	}
	for _, s := range b.outputs {
		x, _ := c.Copied(s.x)
		target.Output(s.name, x)
	}
	target.Output("", logJacobian)
	var changed []string
	for k, numbers := range shown {
		if changes[k] == nil {
			continue
		}
		changed = append(changed, strconv.Itoa(k))
		if numbers == nil { // the coordinate was left as it is; a scale of 0 says so
			numbers = []Scalar{Const(0), Const(0), z[k]}
		}
		for _, x := range numbers {
			target.Output("", x)
		}
	}
	target.Note(NoteReparametrised, strings.Join(changed, " "))
	t, err := target.Finish()
	if err != nil {
		return nil
	}
	return t
}

// ReparametrisedCoordinates returns the coordinates in NoteReparametrised; nil if there is no such note.
func (t *Tape) ReparametrisedCoordinates() (out []int) {
	for _, text := range strings.Fields(t.Note(NoteReparametrised)) {
		k, err := strconv.Atoi(text)
		if err != nil || k < 0 || k >= t.Dim() {
			return nil
		}
		out = append(out, k)
	}
	return out
}

// FixLast returns the tape with its last coordinates replaced by constants, without its notes. There must be fewer
// values than coordinates.
func (t *Tape) FixLast(values []float64) (*Tape, error) {
	dim := t.Dim() - len(values)
	to := NewBuilder(dim)
	wanted := []int32{t.target}
	for _, s := range t.outputs {
		wanted = append(wanted, s.slot)
	}
	c := t.copier(to)
	for i, need := range t.needed(wanted...) {
		if need {
			c.pending = append(c.pending, &t.ops[i])
		}
	}
	for k, z := range to.Inputs() {
		c.Set(k, z)
	}
	for i, v := range values {
		c.Set(dim+i, Const(v))
	}
	c.Advance()
	to.Target(c.copiedAt(t.target))
	for _, s := range t.outputs {
		to.Output(s.name, c.copiedAt(s.slot))
	}
	return to.Finish()
}

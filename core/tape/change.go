package tape

import (
	"strconv"
	"strings"
)

// Change is the location At and the scale By of the prior of a coordinate given the other coordinates, as the mean and the
// standard deviation of x ~ normal(m, s).
type Change struct{ At, By Scalar }

// Changed is the tape in coordinates z in which those with a change are partly non-centred ([Papaspiliopoulos2007]):
//
//	x = (m + s^2 h)/(1 + p s^2) + s/sqrt(1 + p s^2) z,  m = At, s = By.
//
// That is the mean and the standard deviation of a normal variable with this prior and data of precision p and mean h/p.
// With p = h = 0 it is x = m + s z. The pairs p, h are coordinates of the new tape, two for each changed coordinate,
// after all others, in the order of the changed coordinates; Bound makes them constants. The log density has the log of
// the Jacobian, so its integral over z is that over x for any p and h.
//
// After the numbers that this tape shows, the new one shows the log of the Jacobian, and m, s and x for each changed
// coordinate; NoteChanged lists these coordinates. A change that depends on its own coordinate is left out. The result is
// nil where there is no change, or where the tape would be too long.
func (b *Builder) Changed(changes []*Change) *Tape {
	const most = 200_000_000 // operations that are looked at
	want := append([]Scalar(nil), b.target...)
	for _, s := range b.shows {
		want = append(want, s.x)
	}

	// A copy in the new coordinates.
	dim := int(b.t.dim)
	count := 0
	for _, change := range changes {
		if change != nil {
			count++
		}
	}
	to := NewBuilder(dim + 2*count)
	z := to.Inputs()
	c := b.Copier(to, want...)
	pairs := make([][]Scalar, len(changes)) // p and h of each changed coordinate
	rest := z[dim:]
	var left []int
	for k, change := range changes {
		if change == nil {
			c.Set(k, z[k])
			continue
		}
		left = append(left, k)
		pairs[k], rest = rest[:2], rest[2:]
	}

	// Changes, as soon as the coordinates that they depend on are there.
	done := make([][]Scalar, len(changes)) // m, s and x
	var logs []Scalar
	for looked := 0; len(left) > 0; looked += c.Left() + len(left) {
		c.Advance()
		var later []int
		for _, k := range left {
			m, ok := c.At(changes[k].At)
			s, also := c.At(changes[k].By)
			if !ok || !also {
				later = append(later, k)
				continue
			}
			square := to.Do(Square, s)
			total := to.Do(Add, Const(1), to.Do(Mul, pairs[k][0], square))
			at := to.Do(Div, to.Do(Add, m, to.Do(Mul, square, pairs[k][1])), total)
			by := to.Do(Div, s, to.Do(Sqrt, total))
			x := to.Do(Add, at, to.Do(Mul, by, z[k]))
			c.Set(k, x)
			done[k], logs = []Scalar{m, s, x}, append(logs, to.Do(Log, by))
		}
		if len(later) == len(left) { // a circle: a coordinate that is kept breaks it
			c.Set(later[0], z[later[0]])
			later = later[1:]
		}
		if left = later; looked > most || to.err != nil {
			return nil
		}
	}

	// The log density with the Jacobian, and the numbers shown.
	if c.Advance(); len(logs) == 0 {
		return nil
	}
	log := to.Sum(logs)
	to.Target(log)
	for _, x := range b.target {
		x, _ = c.At(x)
		to.Target(x)
	}
	for _, s := range b.shows {
		x, _ := c.At(s.x)
		to.Show(s.name, x)
	}
	to.Show("", log)
	var changed []string
	for k, numbers := range done {
		if changes[k] == nil {
			continue
		}
		changed = append(changed, strconv.Itoa(k))
		if numbers == nil { // left out
			numbers = []Scalar{Const(0), Const(0), z[k]}
		}
		for _, x := range numbers {
			to.Show("", x)
		}
	}
	to.Note(NoteChanged, strings.Join(changed, " "))
	t, err := to.Finish()
	if err != nil {
		return nil
	}
	return t
}

// ChangedCoordinates are those of NoteChanged, nil where a tape has no such note.
func (t *Tape) ChangedCoordinates() (out []int) {
	for _, text := range strings.Fields(t.Note(NoteChanged)) {
		k, err := strconv.Atoi(text)
		if err != nil || k < 0 || k >= t.Dim() {
			return nil
		}
		out = append(out, k)
	}
	return out
}

// Bound is the tape with its last coordinates set to these values. There must be fewer values than coordinates. Notes are
// not kept.
func (t *Tape) Bound(values []float64) (*Tape, error) {
	dim := t.Dim() - len(values)
	to := NewBuilder(dim)
	at := func(place int32, c *Copier) Scalar {
		if place < 0 {
			return Const(t.numbers[^place])
		}
		return c.moved[place]
	}
	want := []int32{t.target}
	for _, s := range t.shown {
		want = append(want, s.at)
	}
	c := &Copier{from: t, to: to, moved: make([]Scalar, t.slots), known: make([]bool, t.slots)}
	for i, need := range t.needed(want...) {
		if need {
			c.left = append(c.left, &t.ops[i])
		}
	}
	for k, z := range to.Inputs() {
		c.Set(k, z)
	}
	for i, v := range values {
		c.Set(dim+i, Const(v))
	}
	c.Advance()
	to.Target(at(t.target, c))
	for _, s := range t.shown {
		to.Show(s.name, at(s.at, c))
	}
	return to.Finish()
}

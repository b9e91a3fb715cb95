package tape

// Change is what takes the place of a coordinate: At + By z, with By above 0.
type Change struct{ At, By Scalar }

// Changed is the tape in other coordinates, z: coordinate k of this one is At + By z_k where it has a change, else z_k.
// The log density has the log of the Jacobian, so that its integral is the same; that log is the last number shown. A
// change that depends on its own coordinate is left out. nil: there is none, or the tape would be too long.
func (b *Builder) Changed(changes []*Change) *Tape {
	const most = 200_000_000 // operations that are looked at
	want := append([]Scalar(nil), b.target...)
	for _, s := range b.shows {
		want = append(want, s.x)
	}

	// A copy in the new coordinates.
	to := NewBuilder(int(b.t.dim))
	c, z := b.Copier(to, want...), to.Inputs()
	var left []int
	for k, change := range changes {
		if change == nil {
			c.Set(k, z[k])
		} else {
			left = append(left, k)
		}
	}
	var logs []Scalar

	// Changes, as soon as their coordinates are there.
	for looked := 0; len(left) > 0; looked += c.Left() + len(left) {
		c.Advance()
		var later []int
		for _, k := range left {
			at, ok := c.At(changes[k].At)
			by, also := c.At(changes[k].By)
			if !ok || !also {
				later = append(later, k)
				continue
			}
			c.Set(k, to.Do(Add, at, to.Do(Mul, by, z[k])))
			logs = append(logs, to.Do(Log, by))
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
	t, err := to.Finish()
	if err != nil {
		return nil
	}
	return t
}

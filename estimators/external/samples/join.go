package samples

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// join makes a Set of what files say.
func join(parts []*part, o Options) (*Set, error) {
	parts, err := pair(parts)
	if err != nil {
		return nil, err
	}
	a := parts[0]

	// All files are of one experiment.
	for _, b := range parts[1:] {
		switch {
		case a.kind != b.kind || a.units != b.units:
			return nil, problem.New("%s is of another kind (%s) than %s (%s); give files of one experiment only", b.file,
				b.source, a.file, a.source)
		case num.Known(a.temperature) && a.temperature != b.temperature:
			return nil, problem.New("%s was run at %v K, %s at %v K; windows must have one temperature", a.file,
				a.temperature,
				b.file, b.temperature)
		}
	}

	// The set, by the kind of samples.
	s := &Set{Kind: a.kind, Source: a.source, Units: a.units, Temperature: a.temperature}
	switch s.Kind {
	case Stones:
		err = s.joinStones(parts)
	case Points:
		if s.Points, err = joinPoints(parts); err == nil {
			s.Runs = len(s.Points)
			s.Said = append(s.Said, s.pointsText())
		}
	case Draws:
		err = s.joinDraws(parts)
	default:
		var said error
		if said, err = placeSteps(parts, o.Alpha); err != nil {
			return nil, err
		}
		parts = slices.DeleteFunc(parts, func(p *part) bool { return num.Known(p.power) })
		if len(parts) == 0 {
			return nil, problem.New("%s: a step of BEAST 2 without its log; give step*/likelihood.log too", a.file)
		}
		if err = s.joinBlocks(parts); err == nil && said != nil {
			s.Said = append(s.Said, said)
		}
	}
	return s, err
}

// pointsText is a phrase about dead points.
func (s *Set) pointsText() error {
	n := 0
	for _, r := range s.Points {
		n += len(r.LogL)
	}
	return problem.New("%s: %w %w", s.Source, problem.Plural(n, problem.New("1 point"), problem.New("%d points", n)),
		s.inRuns())
}

// joinStones puts the runs of several files side by side.
func (s *Set) joinStones(parts []*part) error {
	a := parts[0]
	for i := range a.stones {
		s.Stones = append(s.Stones, Stone{a.stones[i].Power, slices.Clone(a.stones[i].LogZ)})
	}
	s.Runs = a.runs
	for _, b := range parts[1:] {
		if len(b.stones) != len(s.Stones) {
			return problem.New("%s has %d stones, %s %d; give runs over the same powers", a.file, len(a.stones), b.file,
				len(b.stones))
		}
		for i, x := range b.stones {
			if x.Power != s.Stones[i].Power {
				return problem.New("%s has a stone at %v, %s at %v; give runs over the same powers", a.file, s.Stones[i].Power,
					b.file, x.Power)
			}
			s.Stones[i].LogZ = append(s.Stones[i].LogZ, x.LogZ...)
		}
		s.Runs += b.runs
	}
	n := len(s.Stones)
	s.Said = append(s.Said, problem.New("%s: %w %w, sums without samples", s.Source,
		problem.Plural(n, problem.New("1 stone"), problem.New("%d stones", n)), s.inRuns()))
	return nil
}

// joinBlocks makes chains of blocks.
func (s *Set) joinBlocks(parts []*part) error {
	if err := s.findRungs(parts); err != nil {
		return err
	}
	if n := s.energies(parts); n > maxNumbers {
		return problem.New("%s: with it there are more than %d million numbers, the limit; leave samples out evenly",
			parts[len(parts)-1].file, int(maxNumbers/1e6))
	}

	// Energies in the order of rungs.
	columns := make([][]int, len(parts)) // of LogF, in the order of rungs
	for i, p := range parts {
		for _, state := range p.states {
			columns[i] = append(columns[i], s.rungOf(state))
		}
	}
	for i, p := range parts {
		for _, b := range p.blocks {
			b.Rung.At = s.Rungs[s.rungOf(b.Rung)].At
			s.widen(b, columns[i])
		}
	}

	// Chains, by rung and run.
	if err := s.link(parts); err != nil {
		return err
	}
	slices.SortStableFunc(s.Chains, func(a, b Chain) int {
		if a.Rung != b.Rung {
			return a.Rung - b.Rung
		}
		return a.Run - b.Run
	})
	s.Complete = !slices.ContainsFunc(s.Chains, func(c Chain) bool {
		return c.LogL == nil && (c.LogF == nil || slices.ContainsFunc(c.LogF,
			func(x float64) bool { return !num.Known(x) }))
	})

	// Remarks on the rungs.
	s.Said = append(s.Said, s.rungsText())
	for _, p := range parts {
		if b := p.unsorted(); b != nil {
			s.Said = append(s.Said, problem.New("%s, line %d: power %s is out of order; powers were sorted", p.file, b.line,
				b.Label))
		}
	}
	for k, r := range s.Rungs {
		if !s.sampled(k) {
			s.Said = append(s.Said, problem.New("no samples at rung %s", r.Label))
		}
	}
	return nil
}

// unsorted is the first block of a file whose power neither goes on up or down from those before nor begins again where
// the file began; nil: there is none.
func (p *part) unsorted() *block {
	way := 0.0
	for i := 1; i < len(p.blocks); i++ {
		b := p.blocks[i]
		step := b.At[0] - p.blocks[i-1].At[0]
		switch {
		case p.kind != Powers || step == 0 || b.At[0] == p.blocks[0].At[0]:
		case way != 0 && (way > 0) != (step > 0):
			return b
		default:
			way = step
		}
	}
	return nil
}

// energies is how many numbers the samples take at all rungs.
func (s *Set) energies(parts []*part) (n float64) {
	for _, p := range parts {
		for _, b := range p.blocks {
			if len(p.states) > 0 {
				n += num.Mul(float64(len(b.LogF)/len(p.states)), float64(len(s.Rungs)))
			}
		}
	}
	return n
}

// findRungs collects the rungs of all blocks and columns, from the base to the target.
func (s *Set) findRungs(parts []*part) error {
	take := func(p *part, r Rung) error {
		if len(s.Rungs) > 0 && len(r.At) != len(s.Rungs[0].At) {
			return problem.New("%s: state %s has %d components, others have %d", p.file, r.Label, len(r.At),
				len(s.Rungs[0].At))
		}
		at, found := slices.BinarySearchFunc(s.Rungs, r, func(a, b Rung) int {
			if a.same(b) {
				return 0
			}
			return slices.Compare(a.At, b.At)
		})
		if s.Kind == Powers { // powers may lie closer than states
			at, found = slices.BinarySearchFunc(s.Rungs, r, func(a, b Rung) int { return slices.Compare(a.At, b.At) })
		}
		if found {
			return nil
		}
		if len(s.Rungs) == maxRungs {
			return tooManyRungs(p.file)
		}
		s.Rungs = slices.Insert(s.Rungs, at, r)
		return nil
	}

	// The rungs of all files.
	for _, p := range parts {
		for _, r := range p.states {
			if err := take(p, r); err != nil {
				return err
			}
		}
		for _, b := range p.blocks {
			if err := take(p, b.Rung); err != nil {
				return err
			}
		}
	}

	// The order, and a ladder of several rungs.
	s.order(parts)
	if len(s.Rungs) < 2 {
		return problem.New("%s: all samples are at one rung (%s); log Z needs samples at several, from the prior to the "+
			"posterior or from one state to the other", parts[0].file, s.Rungs[0].Label)
	}
	return nil
}

// order keeps the order in which a file lists the states, where it lists all of them: a path may turn, as charges that
// vanish before sizes do, so that places alone do not tell it.
func (s *Set) order(parts []*part) {
	for _, p := range parts {
		if len(p.states) != len(s.Rungs) {
			continue
		}
		s.Rungs = slices.Clone(p.states)
		return
	}
}

// rungOf is the place of a rung in the ladder.
func (s *Set) rungOf(r Rung) int {
	return slices.IndexFunc(s.Rungs, func(o Rung) bool {
		if s.Kind == Powers {
			return o.At[0] == r.At[0]
		}
		return o.same(r)
	})
}

// widen puts the energies of a block into the order of the ladder. Those that are not there are NaN.
func (s *Set) widen(b *block, columns []int) {
	if b.LogF == nil || len(columns) == 0 {
		return
	}
	n := len(b.LogF) / len(columns)
	sorted := len(columns) == len(s.Rungs) && slices.IsSorted(columns)
	if !sorted {
		out := make([]float64, n*len(s.Rungs))
		for i := range out {
			out[i] = math.NaN()
		}
		for i := range n {
			for j, k := range columns {
				out[i*len(s.Rungs)+k] = b.LogF[i*len(columns)+j]
			}
		}
		b.LogF = out
	}
}

// end is where a chain ended.
type end struct {
	chain     int // in s.Chains
	last, run float64
	file      string
}

// goesOn tells whether a block of n samples goes on with a chain: by the number of its run, by its time, or, without
// either, where lines of one file come by turns.
func (e *end) goesOn(b *block, file string, n int) bool {
	switch {
	case num.Known(b.run):
		return e.run == b.run && e.file == file
	case num.Known(b.first):
		return b.first > e.last
	}
	return e.file == file && n == 1
}

// link makes chains: a block goes on with the chain of its rung if its time does, or begins another run. Energies and
// slopes of the same samples, which alchemlyb keeps in two tables, become one chain.
func (s *Set) link(parts []*part) error {
	ends := make([][]end, len(s.Rungs)) // by run
	for _, p := range parts {
		for _, b := range p.blocks {
			k := s.rungOf(b.Rung)
			if b.Len(s) == 0 {
				continue
			}

			// Two tables of the same samples are one chain.
			if twin := s.twin(b, k); twin != nil {
				if b.LogF != nil {
					twin.LogF = b.LogF
				} else {
					twin.Slopes = b.Slopes
				}
				continue
			}

			// The block goes on with a chain.
			n := len(ends[k])
			if i := slices.IndexFunc(ends[k], func(e end) bool { return e.goesOn(b, p.file, b.Len(s)) }); i >= 0 {
				c := &s.Chains[ends[k][i].chain]
				c.LogL = append(c.LogL, b.LogL...)
				c.LogF = append(c.LogF, b.LogF...)
				c.Slopes = append(c.Slopes, b.Slopes...)
				ends[k][i].last = b.last
				continue
			}

			// A new run.
			if n == maxRuns {
				return problem.New("%s, line %d: there are more than %d runs, the limit", p.file, b.line, maxRuns)
			}
			ends[k] = append(ends[k], end{len(s.Chains), b.last, b.run, p.file})
			c := b.Chain
			c.Rung, c.Run = k, n
			s.Chains = append(s.Chains, c)
			s.Runs = max(s.Runs, n+1)
		}
	}
	return nil
}

// twin is a chain of the rung with as many samples that has energies where the block has slopes, or the other way.
func (s *Set) twin(b *block, rung int) *Chain {
	if s.Kind != States || (b.LogF != nil) == (b.Slopes != nil) {
		return nil
	}
	for i := range s.Chains {
		c := &s.Chains[i]
		if c.Rung == rung && (c.LogF != nil) == (b.Slopes != nil) && (c.Slopes != nil) == (b.LogF != nil) &&
			c.Len(s) == b.Len(s) {
			return c
		}
	}
	return nil
}

package samples

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// join makes a Set of the data of several files. It returns an error if they are not of the same kind, units and
// temperature.
func join(parts []*fileData, o Options) (*Set, error) {
	parts, err := pairArrays(parts)
	if err != nil {
		return nil, err
	}
	a := parts[0]

	// All files must belong to one experiment.
	for _, b := range parts[1:] {
		switch {
		case a.kind != b.kind || a.units != b.units:
			return nil, problem.New("%s is of another kind (%s) than %s (%s); give files of one experiment only", b.file,
				b.source, a.file, a.source)
		case num.NotNaN(a.temperature) && a.temperature != b.temperature:
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
			s.Notes = append(s.Notes, s.pointsNote())
		}
	case Draws:
		err = s.joinDraws(parts)
	default:
		var note error
		if note, err = setStepPowers(parts, o.Alpha); err != nil {
			return nil, err
		}
		parts = slices.DeleteFunc(parts, func(p *fileData) bool { return num.NotNaN(p.power) })
		if len(parts) == 0 {
			return nil, problem.New("%s: a step of BEAST 2 without its log; give step*/likelihood.log too", a.file)
		}
		if err = s.joinBlocks(parts); err == nil && note != nil {
			s.Notes = append(s.Notes, note)
		}
	}
	return s, err
}

// pointsNote returns a phrase with the numbers of points and runs of nested sampling.
func (s *Set) pointsNote() error {
	n := 0
	for _, r := range s.Points {
		n += len(r.LogL)
	}
	return problem.New("%s: %w %w", s.Source, problem.Plural(n, problem.New("1 point"), problem.New("%d points", n)),
		s.inRunsPhrase())
}

// joinStones sets the step sums of the set to those of all runs in all files. The files must have the same powers.
func (s *Set) joinStones(parts []*fileData) error {
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
	s.Notes = append(s.Notes, problem.New("%s: %w %w, sums without samples", s.Source,
		problem.Plural(n, problem.New("1 stone"), problem.New("%d stones", n)), s.inRunsPhrase()))
	return nil
}

// joinBlocks sets the rungs and the chains of the set from the blocks of all files.
func (s *Set) joinBlocks(parts []*fileData) error {
	if err := s.findRungs(parts); err != nil {
		return err
	}
	if n := s.energyCount(parts); n > maxNumbers {
		return problem.New("%s: with it there are more than %d million numbers, the limit; leave samples out evenly",
			parts[len(parts)-1].file, int(maxNumbers/1e6))
	}

	// Order the energies by rung.
	columns := make([][]int, len(parts)) // by file: rung of each column of LogF
	for i, p := range parts {
		for _, state := range p.states {
			columns[i] = append(columns[i], s.rungOf(state))
		}
	}
	for i, p := range parts {
		for _, b := range p.blocks {
			b.Rung.At = s.Rungs[s.rungOf(b.Rung)].At
			s.alignColumns(b, columns[i])
		}
	}

	// Sort the chains by rung and run.
	if err := s.linkBlocks(parts); err != nil {
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
			func(x float64) bool { return !num.NotNaN(x) }))
	})

	// Notes on the rungs, on powers out of order, and on rungs without samples.
	s.Notes = append(s.Notes, s.rungsNote())
	for _, p := range parts {
		if b := p.firstUnsorted(); b != nil {
			s.Notes = append(s.Notes, problem.New("%s, line %d: power %s is out of order; powers were sorted", p.file, b.line,
				b.Label))
		}
	}
	for k, r := range s.Rungs {
		if !s.sampled(k) {
			s.Notes = append(s.Notes, problem.New("no samples at rung %s", r.Label))
		}
	}
	return nil
}

// firstUnsorted returns the first block of a file that breaks the order of the powers: it reverses their direction
// (rising or falling) without returning to the first power. It returns nil if there is none.
func (p *fileData) firstUnsorted() *block {
	direction := 0.0
	for i := 1; i < len(p.blocks); i++ {
		b := p.blocks[i]
		step := b.At[0] - p.blocks[i-1].At[0]
		switch {
		case p.kind != Powers || step == 0 || b.At[0] == p.blocks[0].At[0]:
		case direction != 0 && (direction > 0) != (step > 0):
			return b
		default:
			direction = step
		}
	}
	return nil
}

// energyCount returns samples x rungs, the number of energies in memory after joining.
func (s *Set) energyCount(parts []*fileData) (n float64) {
	for _, p := range parts {
		for _, b := range p.blocks {
			if len(p.states) > 0 {
				n += num.Mul(float64(len(b.LogF)/len(p.states)), float64(len(s.Rungs)))
			}
		}
	}
	return n
}

// findRungs sets the rungs of the set to those of all blocks and columns, from the base to the target.
func (s *Set) findRungs(parts []*fileData) error {
	addRung := func(p *fileData, r Rung) error {
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
			return errTooManyRungs(p.file)
		}
		s.Rungs = slices.Insert(s.Rungs, at, r)
		return nil
	}

	// The rungs of all files.
	for _, p := range parts {
		for _, r := range p.states {
			if err := addRung(p, r); err != nil {
				return err
			}
		}
		for _, b := range p.blocks {
			if err := addRung(p, b.Rung); err != nil {
				return err
			}
		}
	}

	// Adopt the order of a file if one lists all rungs; there must be at least two rungs.
	s.useFileOrder(parts)
	if len(s.Rungs) < 2 {
		return problem.New("%s: all samples are at one rung (%s); log Z needs samples at several, from the prior to the "+
			"posterior or from one state to the other", parts[0].file, s.Rungs[0].Label)
	}
	return nil
}

// useFileOrder adopts the order of the states in the first file that lists all of them. The order of the lambda values
// is not enough for a path that turns, for example one that first removes charges and then radii.
func (s *Set) useFileOrder(parts []*fileData) {
	for _, p := range parts {
		if len(p.states) != len(s.Rungs) {
			continue
		}
		s.Rungs = slices.Clone(p.states)
		return
	}
}

// rungOf returns the index of a rung in the ladder.
func (s *Set) rungOf(r Rung) int {
	return slices.IndexFunc(s.Rungs, func(o Rung) bool {
		if s.Kind == Powers { // powers may be closer than states
			return o.At[0] == r.At[0]
		}
		return o.same(r)
	})
}

// alignColumns puts the energies of a block (samples x columns) into the order of the ladder. columns has the rung of
// each column. Energies at rungs without a column are set to NaN.
func (s *Set) alignColumns(b *block, columns []int) {
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

// chainEnd describes the last block of a chain, to decide whether a further block continues the chain.
type chainEnd struct {
	chain     int     // index in s.Chains
	last, run float64 // time of the last sample, and number of the run in the file; NaN if not known
	file      string
}

// continuedBy reports whether a block of n samples in a file continues the chain. A block with a run number must have
// the same run number and file; a block with times must begin after the chain ends. A block with neither continues the
// chain if it is a single line of the same file, because lines of different rungs then alternate.
func (e *chainEnd) continuedBy(b *block, file string, n int) bool {
	switch {
	case num.NotNaN(b.run):
		return e.run == b.run && e.file == file
	case num.NotNaN(b.first):
		return b.first > e.last
	}
	return e.file == file && n == 1
}

// linkBlocks makes the chains of the set: each block continues a chain of its rung or begins another run. Energies and
// slopes of the same samples, which alchemlyb stores in two tables, become one chain.
func (s *Set) linkBlocks(parts []*fileData) error {
	ends := make([][]chainEnd, len(s.Rungs)) // by rung and run
	for _, p := range parts {
		for _, b := range p.blocks {
			k := s.rungOf(b.Rung)
			if b.Len(s) == 0 {
				continue
			}

			// Energies and slopes of the same samples become one chain.
			if twin := s.twin(b, k); twin != nil {
				if b.LogF != nil {
					twin.LogF = b.LogF
				} else {
					twin.Slopes = b.Slopes
				}
				continue
			}

			// The block may continue a chain.
			n := len(ends[k])
			if i := slices.IndexFunc(ends[k], func(e chainEnd) bool { return e.continuedBy(b, p.file, b.Len(s)) }); i >= 0 {
				c := &s.Chains[ends[k][i].chain]
				c.LogL = append(c.LogL, b.LogL...)
				c.LogF = append(c.LogF, b.LogF...)
				c.Slopes = append(c.Slopes, b.Slopes...)
				ends[k][i].last = b.last
				continue
			}

			// Otherwise it begins a run.
			if n == maxRuns {
				return problem.New("%s, line %d: there are more than %d runs, the limit", p.file, b.line, maxRuns)
			}
			ends[k] = append(ends[k], chainEnd{len(s.Chains), b.last, b.run, p.file})
			c := b.Chain
			c.Rung, c.Run = k, n
			s.Chains = append(s.Chains, c)
			s.Runs = max(s.Runs, n+1)
		}
	}
	return nil
}

// twin returns the chain of a rung that has the other quantity, energies or slopes, of the same samples as block b: it
// has energies if b has slopes or slopes if b has energies, and the same number of samples. It returns nil if there is
// none.
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

package temper

import (
	"iter"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// adaptation is a stretch of a run in which islands of tempering chains adapt log Zhat, each on its own. A lane is an
// island, whatever the number of workers.
type adaptation struct {
	estimators.Config
	estimators.Lanes
	ladder []float64
	prior  prior
	rule   gainRule
	length int  // sweeps of each chain
	visits bool // c is the share of visits, not the mean of q(k|x)
	climbs bool

	done    int
	islands []*island // after the last round, nil before it
}

// island is the decoded partial of an island.
type island struct {
	*adaptedWeights
	chains  int
	trips   int // round trips of its chains since the ladder was filled
	climbed []float64
}

// adapting is the name of the phase, shown to users.
const adapting = "adapting"

// adaptChains is the number of chains of an island that makes a first guess.
const adaptChains = 10

// adaptCut is the cut of rounds, in sweeps.
const adaptCut = 1000

// round returns the next stretch of sweeps, up to a cut.
func (a *adaptation) round(states [][]byte) *estimators.Round {
	n := min(a.length-a.done, a.RoundSweepsOr(adaptCut))
	var w wire.Writer
	w.Int(a.done)
	w.Int(n)
	a.done += n
	return &estimators.Round{Name: adapting, Work: workAdapt, Plan: w.B, Lanes: a.Count(), States: states,
		Sweeps: float64(n * a.N), Time: a.time(a.Costs(), n)}
}

// read decodes the partials that are not nil.
func (a *adaptation) read(partials [][]byte) []*island {
	var out []*island
	for lane, p := range partials {
		if p == nil {
			continue
		}
		in := wire.Reader{B: p}
		_, n := a.Span(lane)
		out = append(out, &island{adaptedWeights: readAdaptedWeights(&in), chains: n, trips: in.Int(), climbed: in.Floats()})
		estimators.MustDecode(&in)
	}
	return out
}

// mean returns the mean over islands of the vector of(l), weighted by the number of chains.
func mean(islands []*island, of func(l *island) []float64) []float64 {
	var sum []float64
	chains := 0
	for _, l := range islands {
		x := of(l)
		if sum == nil {
			sum = make([]float64, len(x))
		}
		for k := range sum {
			sum[k] += num.Mul(float64(l.chains), x[k])
		}
		chains += l.chains
	}
	for k := range sum {
		sum[k] /= float64(chains)
	}
	return sum
}

func zhatOf(l *island) []float64 { return l.zhat }

// guesses returns the means of log Zhat over islands, after numbers of sweeps that grow by half, and at the end.
func guesses(islands []*island, z0 float64) (out []estimators.Guess) {
	if len(islands) == 0 {
		return nil
	}
	rungs, last := len(islands[0].zhat), islands[0].sweeps
	for _, l := range islands {
		last = min(last, l.sweeps)
	}
	for s, i := 1, 0; s < last; s, i = nextGuess(s), i+rungs {
		out = append(out,
			estimators.Guess{Sweeps: s, LogZ: mean(islands, func(l *island) []float64 { return l.guesses[i : i+rungs] })})
	}
	out = append(out, estimators.Guess{Sweeps: last, LogZ: mean(islands, zhatOf)})
	for _, g := range out {
		for k := range g.LogZ {
			g.LogZ[k] += z0
		}
	}
	return out
}

// rows splits the states of all islands into states of single chains, in the form that a tempering lane loads.
func (a *adaptation) rows(states [][]byte) [][]byte {
	var out [][]byte
	for lane, s := range states {
		in := wire.Reader{B: s}
		readAdaptedWeights(&in)
		for _, n := a.Span(lane); n > 0; n-- {
			out = append(out, in.Bytes())
			in.Int()
			in.Int()
		}
		estimators.MustDecode(&in)
	}
	return out
}

// lane runs a stretch of the sweeps of an island.
func (a *adaptation) lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		i := a.newIsland(u)
		for t := i.from; t < i.to; t++ {
			i.at.Step = uint32(t + 1)
			a.sweep(i)
			i.note(a.length)
			i.v.Trips = i.trips[0].n
			if !yield(i.v.Show(t + 1)) {
				return
			}
		}
		if a.climbs && i.to == a.length {
			i.climbed = a.Climb(min(len(i.v.Rung), estimators.ClimbedChains-int(i.at.Slot)), i.v.Pop.Read)
		}
		u.State, u.Partial = i.state(), i.partial()
	}
}

// sweep is one sweep of Wang-Landau and of SAMS, which differ only in the rule of the gain. A chain is at (x, k).
func (a *adaptation) sweep(i *runningIsland) {
	v, step := i.v, i.step

	// Move x by a kernel that leaves f_k invariant.
	v.Pop.Move(i.at, v.Rung, false)

	// Add q(.|x) of all chains to c ([RTS] eq. 7), and draw each chain's next k from its q(.|x).
	clear(i.c)
	v.Pop.LogF(0, len(a.ladder), step.X)
	stepRungs(step, i.at)
	copy(v.Rung, step.Rung)
	a.divide(i.c, v.Rung)

	// Raise log Zhat, which step reads, by the gain times c/r (eq. 19), and let the gain follow its rule.
	i.update(i.c, a.rule, len(v.Rung))
	a.prior.setLevels(step.Y, i.zhat)
}

// divide turns the sums c of q(k|x) over chains into means or, with increments = visits, into the shares of chains that
// chose each rung, and divides these by K r_k.
func (a *adaptation) divide(c []float64, rung []int32) {
	chains := float64(len(rung))
	for k := range c {
		c[k] /= chains
	}
	if a.visits {
		clear(c)
		for _, k := range rung {
			c[k] += 1 / chains
		}
	}
	for k, x := range c {
		c[k] = a.prior.over(k, x)
	}
}

// runningIsland is an island in its lane. Its state is the adapted weights, then row, rung and round trips of each
// chain.
type runningIsland struct {
	*adaptedWeights
	v        *estimators.View
	at       rng.At // random-number address of the first chain
	from, to int    // sweeps
	step     *kernel.Tempering
	c        []float64 // sums of q(k|x) in a sweep
	trips    []trip    // of each chain
	next     int       // sweep after which log Zhat is next stored for pictures
	climbed  []float64
}

// newIsland makes the island of a unit, from its state or from the base.
func (a *adaptation) newIsland(u *estimators.Unit) *runningIsland {
	plan := wire.Reader{B: u.Plan}
	from, n := plan.IntWithin(0, a.length), plan.IntWithin(0, a.length)
	estimators.MustDecode(&plan)
	first, rows := a.Span(u.Lane)
	rungs := len(a.ladder)
	v := estimators.NewView(a.Config, a.ladder, u, a.Lanes)
	i := &runningIsland{v: v, at: a.At(estimators.PhaseForward, first), from: from, to: from + n,
		adaptedWeights: newAdaptedWeights(rungs), c: make([]float64, rungs), trips: make([]trip, rows), next: 1}
	v.LogW = nil
	if v.SnapshotRungs != nil {
		v.SnapshotRungs, v.EvenSnapshots = nil, 32
	}
	v.Frame.Steps = a.length
	u.LastStep, u.Peek = i.to, i.partial

	// Load the chains, or draw them from the base.
	if u.State != nil {
		i.Load(u.State)
	} else {
		v.Pop.Draw(a.At(estimators.PhaseStart, first))
		for r := range v.Rung {
			s := i.at.Row(r)
			v.Rung[r] = int32(s.Intn(rungs))
		}
	}

	// Allocate room for all guesses before the loop.
	for i.next <= i.sweeps {
		i.next = nextGuess(i.next)
	}
	room := 0
	for s := i.next; s <= i.to; s = nextGuess(s) {
		room += rungs
	}
	i.guesses = slices.Grow(i.guesses, room)

	// The step reads log Zhat itself or, with a prior r, the copy that levels makes.
	i.step = kernel.NewTempering(make([]float64, rows*rungs), a.prior.levels(i.zhat))
	for range rows {
		i.step.C = append(i.step.C, i.c) // all add to one sum, in order
	}
	return i
}

// note updates diagnostics and pictures after a sweep. length is the number of sweeps of the run.
func (i *runningIsland) note(length int) {
	if i.period >= searching {
		for r, k := range i.v.Rung {
			i.trips[r].visit(int(k), len(i.zhat))
		}
	}
	if i.sweeps == length/2 {
		i.half = i.zhat[len(i.zhat)-1]
	}
	if i.sweeps == i.next {
		i.guesses = append(i.guesses, i.zhat...)
		i.next = nextGuess(i.next)
	}
}

func (i *runningIsland) Load(state []byte) {
	in := wire.Reader{B: state}
	rungs := len(i.zhat)
	i.adaptedWeights = readAdaptedWeights(&in)
	estimators.CorruptIf(len(i.zhat) != rungs || len(i.occupancy) != rungs || len(i.guesses)%rungs != 0 ||
		i.sweeps != i.from || i.period < rising || i.period > falling)
	for r := range i.trips {
		row := wire.Reader{B: in.Bytes()}
		i.v.Pop.Load(r, &row)
		i.v.Rung[r] = int32(row.IntWithin(0, len(i.zhat)-1))
		estimators.MustDecode(&row)
		i.trips[r].load(&in)
	}
	estimators.MustDecode(&in)
}

func (i *runningIsland) state() []byte {
	var w wire.Writer
	i.adaptedWeights.Append(&w)
	for r := range i.trips {
		var row wire.Writer
		i.v.Pop.Append(r, &row)
		row.Int(int(i.v.Rung[r]))
		w.Bytes(row.B)
		i.trips[r].append(&w)
	}
	return w.B
}

func (i *runningIsland) partial() []byte {
	var w wire.Writer
	i.adaptedWeights.Append(&w)
	trips := 0
	for r := range i.trips {
		trips += i.trips[r].n
	}
	w.Int(trips)
	w.Floats(i.climbed)
	return w.B
}

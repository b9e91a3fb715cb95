package temper

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/kernel"
	"logzlab/core/num"
	"logzlab/core/wire"
	"logzlab/estimators"
)

// adaptation is a stretch of a run in which islands of tempering chains learn log Zhat, each on its own: a lane is an
// island, whatever the number of workers. One sweep of an island moves every chain at its rung, adds q(k|x) of the new
// states to c (learner.learn), and then draws each chain's next rung from it, as temper does.
type adaptation struct {
	estimators.Config
	estimators.Lanes
	ladder []float64
	rule   gainRule
	length int // sweeps of each chain
	climbs bool

	done    int
	islands []*learnt // after the last round, nil before it
}

// learnt is what the partial of an island holds.
type learnt struct {
	*learner
	chains  int
	trips   int // round trips of its chains since the ladder was filled
	climbed []float64
}

// adapting is what lanes do here, for people.
const adapting = "adapting"

// adaptChains is the number of chains of an island that makes a first guess.
const adaptChains = 10

// adaptCut is the cut of rounds, in sweeps.
const adaptCut = 1000

// round is the next stretch of sweeps up to a cut.
func (a *adaptation) round(states [][]byte) *estimators.Round {
	n := min(a.length-a.done, a.CutAfter(adaptCut))
	var w wire.Writer
	w.Int(a.done)
	w.Int(n)
	a.done += n
	return &estimators.Round{Name: adapting, Work: workAdapt, Plan: w.B, Lanes: a.Count(), States: states,
		Sweeps: float64(n * a.N), Time: a.time(a.Costs(), n)}
}

// read takes the partials of islands that have any.
func (a *adaptation) read(partials [][]byte) []*learnt {
	var out []*learnt
	for lane, p := range partials {
		if p == nil {
			continue
		}
		in := wire.Reader{B: p}
		_, n := a.Span(lane)
		out = append(out, &learnt{learner: readLearner(&in), chains: n, trips: in.Int(), climbed: in.Floats()})
		estimators.Must(&in)
	}
	return out
}

// mean is the mean over chains of log Zhat, or of what of gives for an island.
func mean(islands []*learnt, of func(l *learnt) []float64) []float64 {
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

func zhatOf(l *learnt) []float64 { return l.zhat }

// guesses are the means of log Zhat over islands after numbers of sweeps that grow by half, and the last.
func guesses(islands []*learnt, z0 float64) (out []estimators.Guess) {
	if len(islands) == 0 {
		return nil
	}
	rungs, last := len(islands[0].zhat), islands[0].sweeps
	for _, l := range islands {
		last = min(last, l.sweeps)
	}
	for s, i := 1, 0; s < last; s, i = nextGuess(s), i+rungs {
		out = append(out,
			estimators.Guess{Sweeps: s, LogZ: mean(islands, func(l *learnt) []float64 { return l.guesses[i : i+rungs] })})
	}
	out = append(out, estimators.Guess{Sweeps: last, LogZ: mean(islands, zhatOf)})
	for _, g := range out {
		for k := range g.LogZ {
			g.LogZ[k] += z0
		}
	}
	return out
}

// rows cuts the states of all islands into those of their chains, as temper loads them.
func (a *adaptation) rows(states [][]byte) [][]byte {
	var out [][]byte
	for lane, s := range states {
		in := wire.Reader{B: s}
		readLearner(&in)
		for _, n := a.Span(lane); n > 0; n-- {
			out = append(out, in.Bytes())
			in.Int()
			in.Int()
		}
		estimators.Must(&in)
	}
	return out
}

// lane runs the sweeps of an island. State: the learner, then of each chain its row with its rung, and its trips.
func (a *adaptation) lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		plan := wire.Reader{B: u.Plan}
		from, n := plan.Int(), plan.Int()
		first, rows := a.Span(u.Lane)
		rungs := len(a.ladder)
		v := estimators.NewView(a.Config, a.ladder, u, a.Lanes)
		v.LogW = nil
		if v.Film != nil {
			v.Film, v.Hops = nil, 32
		}
		v.Frame.Steps = a.length
		u.Last = from + n
		at := a.At(estimators.PhaseForward, first)
		i := &islandAtWork{v: v, learner: newLearner(rungs), trips: make([]chainRecord, rows)}
		for r := range i.trips {
			i.trips[r].rungs = rungs
		}
		if u.State != nil {
			i.load(u.State)
		} else {
			v.Pop.Draw(a.At(estimators.PhaseStart, first))
			for r := range v.Rung {
				s := at.Row(r)
				v.Rung[r] = int32(s.Intn(rungs))
			}
		}
		next := 1
		for next <= i.sweeps {
			next = nextGuess(next)
		}
		if keeps := len(i.guesses); next <= u.Last { // room for all, so that the loop allocates nothing
			for s := next; s <= u.Last; s = nextGuess(s) {
				keeps += rungs
			}
			i.guesses = append(make([]float64, 0, keeps), i.guesses...)
		}
		between := kernel.NewTempering(make([]float64, rows*rungs), i.zhat)
		c := make([]float64, rungs)
		for range rows {
			between.C = append(between.C, c) // all add to one sum, in order
		}
		u.Peek = i.partial
		for t := from; t < from+n; t++ {
			at.Step = uint32(t + 1)
			v.Pop.Move(at, v.Rung, false)
			v.Pop.LogF(0, rungs, between.X)
			for r := range between.U {
				between.U[r] = at.Key.Uniform(at.Phase|choosePhase, at.Slot+uint32(r), at.Step)
			}
			clear(c)
			between.Step()
			for k := range c {
				c[k] /= float64(rows)
			}
			i.sweep(c, a.rule, between.Rung)
			if i.sweeps == a.length/2 {
				i.half = i.zhat[rungs-1]
			}
			if i.sweeps == next {
				i.guesses = append(i.guesses, i.zhat...)
				next = nextGuess(next)
			}
			if !yield(v.Show(int(at.Step))) {
				return
			}
		}
		if a.climbs && u.Last == a.length {
			i.climbed = a.Climb(min(rows, estimators.ClimbedChains-first), v.Pop.Read)
		}
		u.State, u.Partial = i.state(), i.partial()
	}
}

// islandAtWork is an island in its lane.
type islandAtWork struct {
	*learner
	v       *estimators.View
	trips   []chainRecord // of each chain, nothing else is recorded
	climbed []float64
}

// sweep ends a sweep whose states have shares c of the rungs, and have drawn their next ones.
func (i *islandAtWork) sweep(c []float64, rule gainRule, rung []int32) {
	i.learn(c, rule, len(rung))
	for r, k := range rung {
		i.v.Rung[r] = k
		if i.period >= searching {
			i.trips[r].trip(int(k))
		}
	}
}

func (i *islandAtWork) load(state []byte) {
	in := wire.Reader{B: state}
	i.learner = readLearner(&in)
	for r := range i.trips {
		row := wire.Reader{B: in.Bytes()}
		i.v.Pop.Load(r, &row)
		i.v.Rung[r] = int32(row.Int())
		estimators.Must(&row)
		i.trips[r].ends, i.trips[r].trips = in.Int(), in.Int()
	}
	estimators.Must(&in)
}

func (i *islandAtWork) state() []byte {
	var w wire.Writer
	i.learner.append(&w)
	for r := range i.trips {
		var row wire.Writer
		i.v.Pop.Append(r, &row)
		row.Int(int(i.v.Rung[r]))
		w.Bytes(row.B)
		w.Int(i.trips[r].ends)
		w.Int(i.trips[r].trips)
	}
	return w.B
}

func (i *islandAtWork) partial() []byte {
	var w wire.Writer
	i.learner.append(&w)
	trips := 0
	for r := range i.trips {
		trips += i.trips[r].trips
	}
	w.Int(trips)
	w.Floats(i.climbed)
	return w.B
}

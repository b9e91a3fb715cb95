package tape

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/cubature"
	"logzlab/core/diag"
	"logzlab/core/lazy"
	"logzlab/core/meter"
	"logzlab/core/modelfile"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/rng"
	"logzlab/core/spec"
	ops "logzlab/core/tape"
	"logzlab/models"
	"logzlab/models/density"
)

// Kind is the kind of programs.
var Kind = models.Kind{Name: "tape", Label: "program", Title: "Programs",
	Traits: models.Traits{Look: models.Points, Axes: models.Parameters, Use: spec.Fits},
	Reads:  modelfile.Reader[models.File]{Text: readText},
	Params: []spec.Param{
		{Name: "moves", Type: "int", Default: "1", Min: 1, Max: 10000, For: spec.Moves,
			Help: "Transitions in one sweep."},
		{Name: "proposal", Type: "choice", Default: "hmc", Choices: []string{"hmc", "mh", "slice"}, For: spec.Moves,
			Help: "Kernel: Hamiltonian, whose steps a pilot run finds (hmc), random-walk Metropolis-Hastings (mh), or slice " +
				"sampling coordinate by coordinate (slice)."},
		{Name: "base", Type: "choice", Default: baseFitted, Choices: []string{baseFitted, basePrior}, For: spec.Bridges,
			Help: "Where the path starts: at a density that a pilot run fits to the target (fitted), or at the prior, where " +
				"the program states one that can be drawn from (prior)."},
		density.ParamLeaps.When("proposal", "hmc"),
	},
}

// Params is a tape that has been read.
type Params struct{ Tape *ops.Tape }

// Kind is tape.
func (p Params) Kind() *models.Kind { return &Kind }

// Canonical are the bytes of the tape.
func (p Params) Canonical() []byte { return p.Tape.Bytes() }

func readText(b []byte, _ *meter.Meter) (f models.File, mine bool, err error) {
	if !ops.IsFile(b) {
		return nil, false, nil
	}
	t, err := ops.Read(b)
	return Params{t}, true, err
}

// onTape is what is known of a tape, whatever the base.
type onTape struct {
	info     models.Info
	t        *ops.Tape
	kernel   density.Kernel
	pilot    lazy.Value[*pilot]
	space    lazy.Value[*density.Space]
	integral lazy.Value[cubature.Result]
	prior    *prior // nil: the path starts at the base of the pilot
}

// Model is a program on the path from a base that a pilot fits, a mixture of normal distributions, or t distributions
// where the target has such tails, to its density. Its
// coordinates z are those in which the target is about round at its highest mode: x = mean + root z. So the units in
// which a program is written do not matter.
type Model struct{ *onTape }

// Prior is a program on the path from its prior: the likelihood grows in powers from 0 to 1.
type Prior struct{ *onTape }

// Open makes the model.
func (p Params) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	const rows = pilotChains
	if err := w.Take(p.Tape.Memory(rows), problem.New("the numbers of the program"),
		problem.New("give a smaller model")); err != nil {
		return nil, err
	}
	m := &onTape{t: p.Tape, kernel: density.Kernel{Name: "hmc", Moves: 1, Leaps: v.Int("leaps")}}
	if v["proposal"] != "" {
		m.kernel.Name = v["proposal"]
	}
	if v["moves"] != "" {
		m.kernel.Moves = v.Int("moves")
	}
	m.info = models.Info{Name: name, Kind: Kind.Name, About: about, Dim: p.Tape.Dim(), Data: p.Tape.Note(ops.NoteData)}
	m.tellPriors()
	if err := someNumber(p.Tape); err != nil {
		return nil, err
	}
	if v["base"] == basePrior {
		var err error
		m.prior, err = priorOf(p.Tape)
		return Prior{m}, err
	}
	return Model{m}, nil
}

// someNumber is an error where a density is above 0 at none of the starts of the search for modes: there is nothing to
// integrate, as where the log of a negative number is taken everywhere. It names the parameters to blame.
func someNumber(t *ops.Tape) error {
	points, dim := t.Points(), t.Dim()
	x := make([]float64, dim)
	if num.Finite(points.LogF(x)) {
		return nil
	}
	s := newSearch(t, points, rng.NewKey(0, "number", dim))
	s.addPlaces()
	for _, x := range s.queue {
		if num.Finite(points.LogF(x)) {
			return nil
		}
	}
	const starts = 60
	for i := range uint32(starts) {
		if num.Finite(points.LogF(s.start(i))) { // each kind of start is tried many times
			return nil
		}
	}
	why := problem.New("the log density is no number at 0, and at none of %d starts up to %g away from 0, at constants of the "+
		"program and at draws of the prior", starts*pilotDraws, outerScale)
	if names := blamed(t, x); names != "" {
		return problem.New("%w; at 0 a term that depends on %s is no number: give it a prior or bounds under which it is", why,
			names)
	}
	return why
}

// blamed lists the parameters that a term of the log density depends on which is no number at x.
func blamed(t *ops.Tape, x []float64) string {
	const most = 5
	names, here, there := t.Names(), make([]float64, len(t.Names())), make([]float64, len(t.Names()))
	points := t.Points()
	points.Show(x, here)
	var out []string
	for _, k := range t.Blame(x) {
		y := slices.Clone(x)
		y[k] += .5
		points.Show(y, there)
		for i, name := range names {
			if here[i] != there[i] && !slices.Contains(out, name) {
				out = append(out, name)
				break
			}
		}
	}
	if len(out) > most {
		out = append(out[:most], "...")
	}
	return strings.Join(out, ", ")
}

// Info describes the model.
func (m *onTape) Info() models.Info { return m.info }

// LogZ0 is 0: the base is normalised.
func (m *onTape) LogZ0() float64 { return 0 }

// New makes rows of the space around the base.
func (m *onTape) New(n int, ladder []float64) models.Population { return m.Space().New(n, ladder) }

// Tailed is the space with bases of a method's choice.
func (m *onTape) Tailed(df int) models.Refittable { return m.Space().Tailed(df) }

// Closely is the space with a normal base that has the mean and the covariance of samples.
func (m *onTape) Closely() models.Refittable { return m.Space().Closely() }

// Space is the space of the coordinates z, with the base of the pilot.
func (m *onTape) Space() *density.Space {
	return m.space.Get(func() *density.Space {
		p := m.found()
		k := m.kernel
		if k.Name == "hmc" {
			k.Across, k.Jumps = .2, true
			switch {
			case m.prior != nil && k.Leaps == 0: // a tuning run follows the path, which may begin wide
				k.Name = "hmc_tuned"
			case k.Leaps == 0:
				k.Leaps = leapsOf(p.step)
			}
			if m.prior == nil {
				k.Step, k.Finer = func(float64) float64 { return p.step }, p.lost > models.MostAstray
			}
		}
		s, err := density.New(m.info, m.density(p), k)
		if err != nil {
			panic(err) // the density has all that the kernels need
		}
		return s
	})
}

// found is what the pilot finds, in the coordinates of the program or in others that suit it better.
func (m *onTape) found() *pilot {
	return m.pilot.Get(func() *pilot {
		p := newPilot(m.t)
		if c, ok := newCentring(m.t); ok && m.prior == nil {
			p = c.best(p)
		}
		p.complete()
		return p
	})
}

// SearchTime is the planned time of some climbs and of the chains around one mode; there may be more of both.
func (m Model) SearchTime() float64 {
	const climbs, chains = 4000, 10000 // gradients
	gradient := num.Mul(4, m.t.Work())
	return min(searchWork, num.Mul(climbs, gradient)) + min(pilotWork, num.Mul(chains, gradient))
}

// Parts is the number of parts of the base.
func (m Model) Parts() int { return len(m.found().base.parts) }

// Modes lists the modes that the search found.
func (m *onTape) Modes() []models.Mode { return m.found().found }

// HeavyTailed reports whether a part of the base has tails as the target does.
func (m Model) HeavyTailed() bool {
	return slices.ContainsFunc(m.found().base.parts, func(p part) bool { return p.heavy != nil })
}

// FlagNonCentred says that a program is run in other coordinates than its own.
var FlagNonCentred = diag.NewFlag("non_centred", "Parameters whose scale is a parameter were moved as multiples of it, "+
	"since the fitted base is nearer to the target in these coordinates. Log Z and the parameters are those of the program.")

// FlagUnseen says that the look at tails did not come to its end.
var FlagUnseen = diag.NewFlag("tails_unseen", "Evaluations ran out before the tails along all coordinates were looked "+
	"at, so nobody has checked whether the integral is finite along the others.")

// Diagnose tells what the search for modes found.
func (m *onTape) Diagnose() (numbers map[diag.Number]float64, flags []diag.Flag) {
	p := m.found()
	if p.t != m.t {
		flags = []diag.Flag{FlagNonCentred}
	}
	numbers = map[diag.Number]float64{models.DiagClimbs: float64(p.climbs), models.DiagModes: float64(p.modes),
		models.DiagAstray: p.lost}
	if num.Finite(p.cutOff) {
		numbers[models.DiagCutOff] = p.cutOff
	}
	if num.Known(p.unseenModes) {
		numbers[models.DiagUnseenModes] = p.unseenModes
	}
	for number, x := range map[diag.Number]float64{models.DiagEdges: float64(p.edges), models.DiagBeyond: p.beyond,
		models.DiagUnseen: float64(p.unseen)} {
		if x > 0 {
			numbers[number] = x
		}
	}
	if p.unseen > 0 {
		flags = append(flags, FlagUnseen)
	}
	return numbers, flags
}

// density is that of the coordinates z.
func (m *onTape) density(p *pilot) density.Density {
	dim, root := m.t.Dim(), p.space.Root
	logDet := num.CholLogDet(root, dim) / 2
	points, work := p.t.Points(), p.t.Work()
	var from base = &p.base
	least := p.least
	if m.prior != nil {
		from, least = m.prior, floorOf(m.prior, dim, points.LogF, rng.NewKey(0, basePrior, dim))
	}
	in := newCoordinates(p.space)

	// known makes of a log density at x one that may be multiplied by beta. low says that it is the floor.
	sure := from.peak() + least
	known := func(f float64, x []float64) (g float64, low bool) {
		if !(f > density.Unlikely && f < math.Inf(1)) {
			f = density.Unlikely
		}
		if f < sure {
			if low := from.Log(x) + least; f < low {
				return low + logDet, true
			}
		}
		return f + logDet, false
	}

	// The density in the pilot's coordinates.
	names, shown := m.t.Names(), len(p.t.Names()) // other coordinates show the log of a Jacobian after the names, and more
	d := density.Density{Dim: dim, Names: names,
		LogUnit: func(z []float64) float64 {
			if p.t == m.t {
				return logDet
			}
			return logDet + in.shown(points, shown, z)[len(names)] // the log of a Jacobian
		},
		LogBase: func(z []float64) float64 {
			at := in.at(z)
			defer in.idle.Put(at)
			return from.Log(at.x) + logDet
		},
		LogF: func(z []float64) float64 {
			meter.Pulse(work)
			at := in.at(z)
			defer in.idle.Put(at)
			f, _ := known(points.LogF(at.x), at.x)
			return f
		},
		DrawBase: func(s *rng.Stream, z []float64) {
			from.Draw(s, z)
			for i := range z {
				z[i] -= p.space.Mean[i]
			}
			num.SolveLower(root, dim, z)
		},
		SlopeBase: func(z, out []float64) {
			at := in.at(z)
			defer in.idle.Put(at)
			from.Slope(at.x, at.slope)
			pull(root, at.slope, out)
		},
		SlopesAndLogF: func(z []float64, n int, out, logF []float64) {
			b := in.block(z, n)
			defer in.many.Put(b)
			for r := 0; r < n; r += points.AtOnce() {
				some := min(points.AtOnce(), n-r)
				meter.Pulse(float64(some) * (3 * work))
				points.Slopes(b.x[r*dim:], some, b.slope[r*dim:], logF[r:])
			}
			for r := range n {
				x, slope, low := b.x[r*dim:(r+1)*dim], b.slope[r*dim:(r+1)*dim], false
				if logF[r], low = known(logF[r], x); low {
					from.Slope(x, slope)
				}
				pull(root, slope, out[r*dim:(r+1)*dim])
			}
		},
		Show: func(z, out []float64) { copy(out, in.shown(points, shown, z)) },
	}
	d.Slope = func(z, out []float64) { d.SlopesAndLogF(z, 1, out, make([]float64, 1)) }
	return d
}

// Cost is that of the program's operations, with trajectories of some leaps.
func (m *onTape) Cost() models.Cost { return m.cost(4) }

// Measured is Cost with the trajectories of the pilot.
func (m Model) Measured() models.Cost { return m.cost(leapsOf(m.found().step)) }

// cost is that of trajectories of so many leaps, where the user gives no number.
func (m *onTape) cost(leaps int) models.Cost {
	work, dim := m.t.Work(), float64(m.info.Dim)
	turn := num.Mul(2*dim, dim) + 100 // of coordinates
	c := models.PointsCost(m.info.Dim, m.kernel.Moves, work+turn)
	c.Shared = num.Mul(16, float64(m.t.Slots())) + num.Mul(8*dim, dim)
	if m.kernel.Name == "hmc" {
		if m.kernel.Leaps > 0 {
			leaps = m.kernel.Leaps
		}
		each := num.Mul(5, work) + num.Mul(3, turn)
		c.Sweep = num.Mul(float64(m.kernel.Moves), num.Mul(80, dim)+200+num.Mul(float64(leaps+2), each))
	}
	return c
}

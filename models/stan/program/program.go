package program

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/diag"
	"logzlab/core/files/modelfile"
	"logzlab/core/lazy"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/cubature"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/stan/tape"
)

// Kind describes programs compiled to a tape to the catalogue of models: their parameters and file format.
var Kind = models.Kind{Name: "tape", Label: "program", Title: "Programs",
	Traits: models.Traits{Look: models.Points, Axes: models.Parameters, Use: spec.Fits},
	Reader: modelfile.Reader[models.File]{Text: readText},
	Params: []spec.Param{
		{Name: "moves", Type: "int", Default: "1", Min: 1, Max: 10000, For: spec.Moves,
			Help: "Transitions in one sweep."},
		{Name: "proposal", Type: "choice", Default: "hmc", Choices: []string{"hmc", "mh", "slice"}, For: spec.Moves,
			Help: "Kernel: Hamiltonian, whose steps a pilot run finds (hmc), random-walk Metropolis-Hastings (mh), or slice " +
				"sampling coordinate by coordinate (slice)."},
		{Name: "base", Type: "choice", Default: baseFitted, Choices: []string{baseFitted, basePrior}, For: spec.Bridges,
			Help: "Base of the path: a density that a pilot run fits to the target (fitted), or the prior, if the program " +
				"states one that can be sampled (prior)."},
		density.ParamLeaps.When("proposal", "hmc"),
	},
}

// Params is a model file with a tape.
type Params struct{ Tape *tape.Tape }

// Kind returns the variable Kind.
func (p Params) Kind() *models.Kind { return &Kind }

// Canonical returns the bytes of the tape.
func (p Params) Canonical() []byte { return p.Tape.Bytes() }

// readText reads a tape; isTape is false for other files.
func readText(b []byte, _ *meter.Meter) (f models.File, isTape bool, err error) {
	if !tape.IsFile(b) {
		return nil, false, nil
	}
	t, err := tape.Read(b)
	return Params{t}, true, err
}

// programModel is the common part of Model and Prior. The pilot, the space and the integral are computed when they are
// first needed.
type programModel struct {
	info     models.Info
	t        *tape.Tape
	kernel   density.Kernel
	pilot    lazy.Value[*pilot]
	space    lazy.Value[*density.Space]
	integral lazy.Value[cubature.Result]
	prior    *prior // base of the path; nil: the base fitted by the pilot
}

// Model is a program on the path from a base fitted by a pilot run (mixture) to its density. Chains move in coordinates
// z, x = mean + root z, in which the covariance of the pilot's chains around one mode is the identity. The units in
// which a program is written therefore do not matter.
type Model struct{ *programModel }

// Prior is a program on the path prior x likelihood^beta, in the same coordinates z.
type Prior struct{ *programModel }

// Open returns a Model, or a Prior if base=prior.
func (p Params) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	const rows = chainsPerMode
	if err := w.Take(p.Tape.Memory(rows), problem.New("the numbers of the program"),
		problem.New("give a smaller model")); err != nil {
		return nil, err
	}
	set := struct {
		density.Kernel
		Base string `param:"base"`
	}{Kernel: density.Kernel{Name: "hmc", Moves: 1}}
	v.Fill(&set)
	m := &programModel{t: p.Tape, kernel: set.Kernel}
	m.info = models.Info{Name: name, Kind: Kind.Name, About: about, Dim: p.Tape.Dim(), Data: p.Tape.Note(tape.NoteData)}
	m.describeProgram()
	if err := checkFiniteSomewhere(p.Tape); err != nil {
		return nil, err
	}
	if set.Base == basePrior {
		var err error
		m.prior, err = priorOf(p.Tape)
		return Prior{m}, err
	}
	return Model{m}, nil
}

// checkFiniteSomewhere returns an error if the log density is finite at none of the starts of the search for modes, for
// example because the log of a negative number is taken everywhere. The error names the parameters on which a term
// depends that is not finite at 0.
func checkFiniteSomewhere(t *tape.Tape) error {
	points, dim := t.EvaluatorPool(), t.Dim()
	x := make([]float64, dim)
	if num.Finite(points.LogF(x)) {
		return nil
	}
	s := newSearch(t, points, rng.NewKey(0, "number", dim))
	s.queueCentres()
	for _, x := range s.queue {
		if num.Finite(points.LogF(x)) {
			return nil
		}
	}
	const starts = 60
	for i := range uint32(starts) {
		if num.Finite(points.LogF(s.randomStart(i))) { // randomStart draws up to maxRedraws points
			return nil
		}
	}
	why := problem.New("the log density is not finite at 0, nor at any of %d starts up to %g away from 0, at constants of "+
		"the program and at draws of the prior", starts*maxRedraws, largestScale)
	if names := nonFiniteNames(t, x); names != "" {
		return problem.New("%w; at 0 a term that depends on %s is not finite: give it a prior or bounds that make it finite",
			why, names)
	}
	return why
}

// nonFiniteNames lists, for each coordinate in Tape.NonFiniteCoordinates at x, the first parameter that depends on it.
func nonFiniteNames(t *tape.Tape, x []float64) string {
	const maxNames = 5
	names, values, moved := t.OutputNames(), make([]float64, len(t.OutputNames())), make([]float64, len(t.OutputNames()))
	points := t.EvaluatorPool()
	points.Outputs(x, values)
	var out []string
	for _, k := range t.NonFiniteCoordinates(x) {
		y := slices.Clone(x)
		y[k] += .5
		points.Outputs(y, moved)
		for i, name := range names {
			if values[i] != moved[i] && !slices.Contains(out, name) {
				out = append(out, name)
				break
			}
		}
	}
	if len(out) > maxNames {
		out = append(out[:maxNames], "...")
	}
	return strings.Join(out, ", ")
}

// Capabilities returns the capabilities that Model and Prior have in common.
func (m *programModel) Capabilities() models.Capabilities {
	c := models.Capabilities{Cost: m.Cost, Diagnose: m.Diagnose}
	c.Search = models.Search{Modes: m.Modes, TailSlope: m.TailSlope}
	c.Base = models.Base{StudentT: m.StudentT, Normal: m.Normal}
	if c.Exact.NoIntegral = m.tooManyForCubature(); c.Exact.NoIntegral == nil {
		c.Exact.Integral = m
	}
	return c
}

// Capabilities adds the fitted base.
func (m Model) Capabilities() models.Capabilities {
	c := m.programModel.Capabilities()
	c.Base.Prefitted = m
	return c
}

// Info returns the description of the model.
func (m *programModel) Info() models.Info { return m.info }

// LogZ0 returns 0, because the base is normalised.
func (m *programModel) LogZ0() float64 { return 0 }

// New returns n rows of the Space.
func (m *programModel) New(n int, ladder []float64) models.Population {
	return m.Space().New(n, ladder)
}

// StudentT returns the Space with a Refit that fits a t base of df degrees of freedom, or a normal one for df = 0.
func (m *programModel) StudentT(df int) models.Model { return m.Space().StudentT(df) }

// Normal returns the Space with a Refit that fits a normal base with the mean and the covariance of samples.
func (m *programModel) Normal() models.Model { return m.Space().Normal() }

// Space returns the model in the coordinates z, with the kernel adapted by the pilot.
func (m *programModel) Space() *density.Space {
	return m.space.Get(func() *density.Space {
		p := m.fittedPilot()
		k := m.kernel
		if k.Name == "hmc" {
			k.LineShare, k.BaseProposals = .2, true
			switch {
			case m.prior != nil && k.Leaps == 0: // the prior may be wide, so the step depends on beta and needs a tuning run
				k.Name = "hmc_tuned"
			case k.Leaps == 0:
				k.Leaps = meanLeaps(p.stepSize)
			}
			if m.prior == nil {
				k.Step, k.MixSteps = func(float64) float64 { return p.stepSize }, p.divergent > models.MaxDivergent
			}
		}
		s, err := density.New(m.info, m.pathDensity(p), k)
		if err != nil {
			panic(err) // the density provides everything that the kernels need
		}
		return s
	})
}

// fittedPilot returns the complete pilot, in the coordinates of the program or in partially non-centred ones if these
// suit the program better (centring.go).
func (m *programModel) fittedPilot() *pilot {
	return m.pilot.Get(func() *pilot {
		p := newPilot(m.t)
		if c, ok := newCentring(m.t); ok && m.prior == nil {
			p = c.bestPilot(p)
		}
		p.complete()
		return p
	})
}

// SearchTime returns the planned nanoseconds of a pilot of typical length: some climbs and the chains around one mode,
// which make minWindow transitions of several leapfrog steps in each window even if this exceeds maxPilotTime.
func (m Model) SearchTime() float64 {
	// Gradients of all climbs, leapfrog steps of all chains, and leapfrog steps of a transition.
	const climbs, leaps, typicalLeaps = 4000, 10000, 8
	gradient, leap := num.Mul(4, m.t.EvalTime()), leapTime(m.t)
	minLeaps := float64(len(adaptationWindows) * minWindow * chainsPerMode * typicalLeaps)
	return min(maxSearchTime, num.Mul(climbs, gradient)) + max(min(maxPilotTime, num.Mul(leaps, leap)), num.Mul(minLeaps, leap))
}

// Components returns the number of components of the base.
func (m Model) Components() int { return len(m.fittedPilot().base.components) }

// Modes returns the modes found by the search, in descending order of mass.
func (m *programModel) Modes() []models.Mode { return m.fittedPilot().modeList }

// HeavyTailed reports whether the base has a component with heavy tails.
func (m Model) HeavyTailed() bool {
	return slices.ContainsFunc(m.fittedPilot().base.components, func(p component) bool { return p.heavyTailed != nil })
}

// flagNonCentred reports that a program is run in partially non-centred coordinates.
var flagNonCentred = diag.NewFlag("non_centred", "Some parameters were sampled in non-centred coordinates, in which "+
	"the fitted base is closer to the target. Log Z and the reported parameters are those of the program.")

// flagUnseenTails reports that the tails along some coordinates were not measured.
var flagUnseenTails = diag.NewFlag("tails_unseen", "The budget of evaluations ran out before the tails along all "+
	"coordinates were measured, so it is unknown whether the integral is finite along the others.")

// Diagnose returns the diagnostics of the pilot.
func (m *programModel) Diagnose() (numbers map[diag.Number]float64, flags []diag.Flag) {
	p := m.fittedPilot()
	if p.t != m.t {
		flags = []diag.Flag{flagNonCentred}
	}
	numbers = map[diag.Number]float64{models.DiagClimbs: float64(p.climbs), models.DiagModes: float64(p.modes),
		models.DiagDivergent: p.divergent}
	if len(p.modeList) > 1 {
		numbers[models.DiagLogZLaplace] = p.modeList[0].LogMass
	}
	if num.Finite(p.logMassNearModes) {
		numbers[models.DiagLogZModes] = p.logMassNearModes
	}
	if num.Finite(p.cutOff) {
		numbers[models.DiagCutOff] = p.cutOff
	}
	if num.NotNaN(p.newModeShare) {
		numbers[models.DiagUnseenModes] = p.newModeShare
	}
	for number, x := range map[diag.Number]float64{models.DiagEdges: float64(p.supportEdges),
		models.DiagFarMass: p.farExcess, models.DiagUnseenTails: float64(p.uncheckedTails)} {
		if x > 0 {
			numbers[number] = x
		}
	}
	if p.uncheckedTails > 0 {
		flags = append(flags, flagUnseenTails)
	}
	return numbers, flags
}

// pathDensity returns base and target as densities of the coordinates z. Both include the log determinant of root, so
// integrals over z equal integrals over x.
func (m *programModel) pathDensity(p *pilot) density.Density {
	dim, root := m.t.Dim(), p.metric.Root
	logDet := num.CholLogDet(root, dim) / 2
	points, work := p.t.EvaluatorPool(), p.t.EvalTime()
	var base baseDensity = &p.base
	floor := p.floor
	if m.prior != nil {
		base, floor = m.prior, floorOf(m.prior, dim, points.LogF, rng.NewKey(0, basePrior, dim))
	}
	coords := newCoordinates(p.metric)

	// bounded converts the log density f at x to a finite log density at z: max(f, log base + floor) + logDet, with
	// MinLogEstimate for an f that is not finite. low reports whether f was below the floor, which is impossible above
	// floorBound; this saves evaluations of the base.
	floorBound := base.logBound() + floor
	bounded := func(f float64, x []float64) (g float64, low bool) {
		if !(f > density.MinLogEstimate && f < math.Inf(1)) {
			f = density.MinLogEstimate
		}
		if f < floorBound {
			if low := base.Log(x) + floor; f < low {
				return low + logDet, true
			}
		}
		return f + logDet, false
	}

	// A reparametrised tape has more outputs than the program; the first of them is the log Jacobian.
	names, outputCount := m.t.OutputNames(), len(p.t.OutputNames())
	d := density.Density{Dim: dim, Names: names,
		LogJacobian: func(z []float64) float64 {
			if p.t == m.t {
				return logDet
			}
			return logDet + coords.outputs(points, outputCount, z)[len(names)]
		},
		LogBase: func(z []float64) float64 {
			at := coords.pointAt(z)
			defer coords.points.Put(at)
			return base.Log(at.x) + logDet
		},
		LogF: func(z []float64) float64 {
			meter.Pulse(work)
			at := coords.pointAt(z)
			defer coords.points.Put(at)
			f, _ := bounded(points.LogF(at.x), at.x)
			return f
		},
		DrawBase: func(s *rng.Stream, z []float64) {
			base.Draw(s, z)
			for i := range z {
				z[i] -= p.metric.Mean[i]
			}
			num.SolveLower(root, dim, z)
		},
		GradBase: func(z, out []float64) {
			at := coords.pointAt(z)
			defer coords.points.Put(at)
			base.Grad(at.x, at.grad)
			rootTTimes(root, at.grad, out)
		},
		GradsAndLogF: func(z []float64, n int, out, logF []float64) {
			b := coords.blockAt(z, n)
			defer coords.blocks.Put(b)
			for r := 0; r < n; r += points.MaxPoints() {
				count := min(points.MaxPoints(), n-r)
				meter.Pulse(float64(count) * (3 * work))
				points.Gradients(b.x[r*dim:], count, b.grad[r*dim:], logF[r:])
			}
			for r := range n {
				x, slope, low := b.x[r*dim:(r+1)*dim], b.grad[r*dim:(r+1)*dim], false
				if logF[r], low = bounded(logF[r], x); low {
					base.Grad(x, slope)
				}
				rootTTimes(root, slope, out[r*dim:(r+1)*dim])
			}
		},
		Quantities: func(z, out []float64) { copy(out, coords.outputs(points, outputCount, z)) },
	}
	d.Grad = func(z, out []float64) { d.GradsAndLogF(z, 1, out, make([]float64, 1)) }
	return d
}

// Cost returns the planned cost before the pilot has run, for trajectories of four leapfrog steps.
func (m *programModel) Cost() models.Cost { return m.cost(4) }

// MeasuredCost returns the cost for the trajectory length found by the pilot.
func (m Model) MeasuredCost() models.Cost { return m.cost(meanLeaps(m.fittedPilot().stepSize)) }

// cost returns the cost by the operations of the program, for trajectories of the given number of leapfrog steps unless
// the user has set it.
func (m *programModel) cost(leaps int) models.Cost {
	work, dim := m.t.EvalTime(), float64(m.info.Dim)
	changeTime := num.Mul(2*dim, dim) + 100 // nanoseconds of a change of coordinates
	c := models.PointsCost(m.info.Dim, m.kernel.Moves, work+changeTime)
	c.Shared = num.Mul(16, float64(m.t.NumSlots())) + num.Mul(8*dim, dim)
	if m.kernel.Name == "hmc" {
		if m.kernel.Leaps > 0 {
			leaps = m.kernel.Leaps
		}
		leap := num.Mul(5, work) + num.Mul(3, changeTime)
		c.Sweep = num.Mul(float64(m.kernel.Moves), num.Mul(80, dim)+200+num.Mul(float64(leaps+2), leap))
	}
	return c
}

package density

import (
	"fmt"
	"strings"

	"logzlab/core/frame"
	"logzlab/core/lazy"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/models"
)

// Density is a base and a target on R^Dim, given by their log densities. With a Kernel it makes a Model on the
// geometric path
//
//	log f_beta(x) = (1-beta) LogBase(x) + beta LogF(x).
//
// Goroutines may call its functions concurrently.
type Density struct {
	Dim   int
	LogZ0 float64 // log of the integral of exp LogBase, in nats; 0 if LogBase is normalised
	// LogBase and LogF are log f_0 and log f_1, the target whose log Z is wanted.
	LogBase, LogF func(x []float64) float64
	// Estimate replaces LogF if only an unbiased estimate of the likelihood f_1/f_0 is available (pseudo_marginal.go).
	// It makes an estimator of log f_1 - log f_0 for the rows of one lane.
	Estimate func() models.Estimator
	// DrawBase sets x to a sample of f_0.
	DrawBase func(s *rng.Stream, x []float64)
	// DrawTarget sets x to an exact sample of f_1; nil if there is none.
	DrawTarget func(s *rng.Stream, x []float64)
	// GradBase and Grad set out to the gradients of LogBase and LogF. The kernel hmc needs them.
	GradBase, Grad func(x, out []float64)
	// GradsAndLogF computes Grad and LogF of n points, stored by rows, in less time than n separate calls. It may be
	// nil.
	GradsAndLogF func(x []float64, n int, out, logF []float64)
	// Unimodal is true if f_1 has one mode. Space.Refit may then fit a normal base to samples.
	Unimodal bool
	// Centred is true if f_0 is a normal distribution with mean 0, as the kernel ess requires.
	Centred bool
	// Plane has at most two directions, onto which Read projects points. Nil means the first two coordinates.
	Plane [][]float64
	// Names are the names of the coordinates, or of the quantities if Quantities is not nil. If Names is nil, frames
	// have no values of single coordinates.
	Names []string
	// Quantities sets out to the quantities that frames and results show in place of the coordinates of x, one for each
	// of Names. Nil means the coordinates themselves.
	Quantities func(x, out []float64)
	// LogJacobian returns the log Jacobian that LogF contains because of a change of coordinates; LogF minus
	// LogJacobian is the log density in the original coordinates. Nil means 0.
	LogJacobian func(x []float64) float64
	// RunFilter runs the particle filter through the data at the parameters x once more, for a picture. Its random
	// numbers depend on round only. It returns the particles (nil if all of them died) and the cost, in evaluations of
	// LogF or Estimate. It is nil for models without a particle filter.
	RunFilter func(round uint32, x []float64) (flow *frame.Flow, cost float64)
}

// Kernel selects a Markov chain kernel for a Density.
type Kernel struct {
	// Name is one of Kernels: mh (random-walk Metropolis-Hastings, the default), hmc (Hamiltonian Monte Carlo with unit
	// masses), hmc_tuned (the same with a tuned number of leapfrog steps), ess (elliptical slice sampling;
	// [Murray2010]) or slice (slice sampling of one coordinate after another with stepping out; [Neal2003]).
	Name string `param:"proposal"`
	// Moves is the number of transitions in a sweep; 0 means 1.
	Moves int `param:"moves"`
	// Leaps is the mean number of leapfrog steps of an hmc transition. 0 means three for hmc; for hmc_tuned it means
	// that the tuning run chooses the number.
	Leaps int `param:"leaps"`
	// Step returns the step at beta: the standard deviation of a proposal of mh, the leapfrog step of hmc or the
	// initial width of a slice. Nil means that a tuning run finds it (see Space).
	Step func(beta float64) float64
	// LineShare is the probability with which slice sampling along a random direction replaces an hmc transition.
	// Without these moves a row would be stuck where every trajectory is rejected.
	LineShare float64
	// BaseProposals adds an independence Metropolis-Hastings step to each sweep, whose proposal is a draw of the base.
	// Rows can then move between all modes that the base covers.
	BaseProposals bool
	// MixSteps multiplies the step of each hmc trajectory by a random element of StepFactors, for targets that are much
	// narrower in some places than in others, as in the neck of a funnel.
	MixSteps bool
	// Root is the Cholesky factor of the covariance of mh proposals of step 1, and of the inverse mass matrix of hmc.
	// Nil means the identity.
	Root []float64
}

// Kernels are the names of the kernels; the first one is the default.
var Kernels = []string{"mh", "hmc", "hmc_tuned", "ess", "slice"}

// Space is a Model made of a Density and a Kernel; see the example of New.
//
// If Kernel gives no step, a tuning run finds it once for each model. Chains go from beta = 0 to 1 over a grid and
// adapt the step at each point of the grid to an acceptance rate of 0.65 for hmc, and 0.234 for mh and slice (0.44 in
// one or two dimensions). For hmc_tuned the tuning run also finds, at each point, the number of leapfrog steps with the
// largest expected squared jump per gradient ([Pasarica2010]). Its random numbers are its own, so the step is a
// function of the model and beta alone: it does not depend on ladder, lane, worker or seed, and the kernel is fixed
// before the first sweep of a run. Between grid points step^-2 is interpolated linearly, which is exact for Gaussians.
type Space struct {
	info          models.Info
	d             Density            // density
	k             Kernel             // kernel, with its defaults filled in
	tuning        lazy.Value[*tuned] // result of the tuning run
	quantileCache lazy.Value[quantiles]

	hasFittedBase bool // the base was fitted by Refit
	importance    lazy.Value[ImportanceFit]
}

// New makes a model of a density and a kernel. Of info only Name and Kind need to be set. It returns an error if the
// density lacks a function that the kernel needs, or if a number of the kernel is out of range.
func New(info models.Info, d Density, k Kernel) (*Space, error) {
	info.Dim = d.Dim
	if k.Name == "" {
		k.Name = Kernels[0]
	}
	if k.Moves == 0 {
		k.Moves = 1
	}
	if k.Leaps == 0 && k.Name != "hmc_tuned" {
		k.Leaps = hmcLeaps
	}
	m := &Space{info: info, d: d, k: k}
	switch {
	case d.Dim < 1 || d.LogBase == nil || d.LogF == nil && d.Estimate == nil || d.DrawBase == nil:
		return nil, fmt.Errorf("density: Dim, LogBase, LogF and DrawBase must be given")
	case k.Moves < 1 || k.Leaps < 0:
		return nil, fmt.Errorf("density: moves = %d must be at least 1, and leaps = %d at least 0", k.Moves, k.Leaps)
	case transitions[k.Name] == nil:
		return nil, fmt.Errorf("density: kernel %q is not known", k.Name)
	case d.Estimate != nil && k.Name != "mh":
		return nil, fmt.Errorf("density: an estimated likelihood needs the kernel mh")
	case (k.Name == "hmc" || k.Name == "hmc_tuned") && (d.GradBase == nil || d.Grad == nil):
		return nil, fmt.Errorf("density: hmc needs gradients")
	case k.Name == "ess" && !d.Centred:
		return nil, fmt.Errorf("density: ess needs a normal base with mean 0")
	}
	return m, nil
}

// Info returns the description of the model.
func (m *Space) Info() models.Info { return m.info }

// LogZ0 returns log Z of the base in nats.
func (m *Space) LogZ0() float64 { return m.d.LogZ0 }

// Density and Kernel return the parts of the model; the defaults of the kernel are filled in.
func (m *Space) Density() Density { return m.d }
func (m *Space) Kernel() Kernel   { return m.k }

// transition applies one transition at beta to row r.
type transition func(p *pointRows, s *rng.Stream, r int, beta, step float64)

// transitions are the functions of the kernels, by name.
var transitions = map[string]transition{
	"mh": (*pointRows).metropolis, "hmc": (*pointRows).hmc, "hmc_tuned": (*pointRows).hmc,
	"ess": (*pointRows).ellipticalSlice, "slice": (*pointRows).slice}

// pointRows are the rows of a Space (models.Population): points with their log densities.
type pointRows struct {
	m            *Space
	move         transition // transition of the kernel
	ladder       []float64
	steps        []float64 // step at each rung; nil before the first move
	leaps        []int     // mean number of leapfrog steps at each rung
	x            []float64 // coordinates by rows
	logF0, logF1 []float64 // log f_0 and log f_1 of each row, in nats
	pseudoMarginal
	evaluations, filterCost float64 // densities evaluated so far, and the part spent by showFilter

	trajectories                      trajectories // trajectories of hmc
	proposal, normals, grad, gradBase []float64    // work space of a kernel; normals are standard normal numbers
	stream                            rng.Stream   // of the row being moved; a field, because functions take its address
	meanLeaps                         int          // mean number of leapfrog steps of a transition
	logAccept                         float64      // log acceptance ratio of the last proposal, for the tuning run
	reversed                          bool         // the current sweep applies the reversed kernel

	watchedRow  int // arguments of WatchMoves
	observeMove func(x, y float32, accepted bool)
}

// exactRows are the rows of a density that has DrawTarget.
type exactRows struct{ *pointRows }

// New returns n rows, all at the origin, over a ladder of inverse temperatures.
func (m *Space) New(n int, ladder []float64) models.Population {
	p := m.rows(n)
	p.ladder = ladder
	switch {
	case m.d.DrawTarget != nil:
		return exactRows{p}
	case m.d.Estimate != nil:
		return estimatedRows{p}
	}
	return p
}

// findSteps sets the steps and the numbers of leapfrog steps of all rungs.
func (p *pointRows) findSteps() {
	p.steps, p.leaps = make([]float64, len(p.ladder)), make([]int, len(p.ladder))
	for k, beta := range p.ladder {
		p.steps[k], p.leaps[k] = p.m.StepAt(beta)
	}
}

// rows returns n rows without a ladder, all at the origin.
func (m *Space) rows(n int) *pointRows {
	p := &pointRows{m: m, move: transitions[m.k.Name], meanLeaps: max(m.k.Leaps, 1),
		x: make([]float64, n*m.d.Dim), logF0: make([]float64, n), logF1: make([]float64, n)}
	for _, x := range []*[]float64{&p.proposal, &p.normals, &p.grad, &p.gradBase} {
		*x = make([]float64, m.d.Dim)
	}
	if strings.HasPrefix(m.k.Name, "hmc") {
		p.trajectories = newTrajectories(n, m.d.Dim)
	}
	if m.d.Estimate != nil {
		p.estimate = m.d.Estimate()
		return p // Draw sets the rows, so an estimate at the origin is not needed
	}
	p.refresh(nil, 0) // row 0 stands for all rows, which are at the origin
	for r := range p.logF0 {
		p.logF0[r], p.logF1[r] = p.logF0[0], p.logF1[0]
	}
	return p
}

// row returns the coordinates of row r.
func (p *pointRows) row(r int) []float64 { d := p.m.d.Dim; return p.x[r*d : (r+1)*d] }

// refresh recomputes the log densities of row r; s gives the random numbers of an estimate.
func (p *pointRows) refresh(s *rng.Stream, r int) { p.logF0[r], p.logF1[r] = p.density(s, p.row(r)) }

// Draw sets every row to an independent sample of the base.
func (p *pointRows) Draw(at rng.At) {
	for r := range p.logF0 {
		s := at.Row(r)
		p.m.d.DrawBase(&s, p.row(r))
		p.refresh(&s, r)
	}
}

// DrawTarget sets every row to an exact sample of the target. It does not need the blocks.
func (p exactRows) DrawTarget(at rng.At, _ []float64, proceed func() bool) {
	for r := range p.logF0 {
		s := at.Row(r)
		p.m.d.DrawTarget(&s, p.row(r))
		p.refresh(&s, r)
		if proceed != nil && !proceed() {
			return
		}
	}
}

// Move applies one sweep to each row: Moves transitions, and a proposal from the base if BaseProposals is set. Every
// transition is reversible and all have the same kernel, so the reversed sweep only changes the order: the proposal
// from the base comes first instead of last, and the kernel slice visits the coordinates in the opposite order.
func (p *pointRows) Move(at rng.At, rung []int32, reversed bool) {
	p.reversed = reversed
	proposesFromBase := p.m.k.BaseProposals && p.proposalRoot == nil
	if p.steps == nil && p.proposalRoot == nil {
		p.findSteps()
	}
	if p.trajectories.active != nil && p.proposalRoot == nil { // after SetProposal every kernel is mh
		p.moveHMC(at, rung)
		return
	}
	for r, k := range rung {
		p.stream = at.Row(r)
		if proposesFromBase && reversed {
			p.independenceMove(&p.stream, r, p.ladder[k])
		}
		for range p.m.k.Moves {
			if p.proposalRoot != nil {
				p.metropolis(&p.stream, r, p.ladder[k], 1)
				continue
			}
			p.meanLeaps = p.leaps[k]
			p.move(p, &p.stream, r, p.ladder[k], p.steps[k])
		}
		if proposesFromBase && !reversed {
			p.independenceMove(&p.stream, r, p.ladder[k])
		}
	}
}

// independenceMove proposes a draw of the base for row r (independence Metropolis-Hastings).
func (p *pointRows) independenceMove(s *rng.Stream, r int, beta float64) {
	p.m.d.DrawBase(s, p.proposal)
	l0, l1 := p.density(s, p.proposal)
	logRatio := num.Mul(beta, (l1-l0)-(p.logF1[r]-p.logF0[r]))
	accepted := num.Log(s.Float64()) < logRatio
	if accepted {
		p.setRow(r, p.proposal, l0, l1)
	}
	p.noteMove(r, p.proposal, accepted)
}

// WatchMoves implements models.RowCapabilities.WatchMoves.
func (p *pointRows) WatchMoves(r int, observe func(x, y float32, accepted bool)) {
	p.watchedRow, p.observeMove = r, observe
}

// noteMove calls observeMove for a proposal x of row r if this row is watched.
func (p *pointRows) noteMove(r int, x []float64, accepted bool) {
	if p.observeMove != nil && r == p.watchedRow {
		point := p.planePoint(x)
		p.observeMove(point[0], point[1], accepted)
	}
}

// LogF writes (1-beta) log f_0 + beta log f_1.
func (p *pointRows) LogF(lo, n int, out []float64) {
	for r := range p.logF0 {
		for k, b := range p.ladder[lo : lo+n] {
			out[r*n+k] = num.Mul(1-b, p.logF0[r]) + num.Mul(b, p.logF1[r])
		}
	}
}

// Read writes the projections of rows 0..n-1 onto Density.Plane into f, by default their first two coordinates (the
// second is 0 in one dimension), and the quantities.
func (p *pointRows) Read(n int, f *frame.Frame) {
	f.Points = f.Points[:0]
	for r := range n {
		point := p.planePoint(p.row(r))
		f.Points = append(f.Points, point[0], point[1])
	}
	p.readParameters(n, f)
}

// planePoint returns the projection of a state onto the plane that Read shows.
func (p *pointRows) planePoint(state []float64) [2]float32 {
	x := p.quantities(state)
	point := [2]float64{x[0]}
	if len(x) > 1 {
		point[1] = x[1]
	}
	for k, direction := range p.m.d.Plane {
		point[k] = num.Dot(direction, x)
	}
	return [2]float32{float32(point[0]), float32(point[1])}
}

// quantities returns Density.Quantities of a state, or its coordinates.
func (p *pointRows) quantities(x []float64) []float64 {
	if p.m.d.Quantities == nil {
		return x
	}
	out := make([]float64, len(p.m.d.Names))
	p.m.d.Quantities(x, out)
	return out
}

// Names returns Density.Names.
func (p *pointRows) Names() []string { return p.m.d.Names }

// Quantities sets out to the quantities of row r and returns the log density of the target without LogJacobian.
func (p *pointRows) Quantities(r int, out []float64) float64 {
	copy(out, p.quantities(p.row(r)))
	if p.m.d.LogJacobian == nil {
		return p.logF1[r]
	}
	return p.logF1[r] - p.m.d.LogJacobian(p.row(r))
}

// Copy makes row dst a copy of row src.
func (p *pointRows) Copy(dst, src int) {
	copy(p.row(dst), p.row(src))
	p.logF0[dst], p.logF1[dst] = p.logF0[src], p.logF1[src]
}

// Append encodes row r, with its log density if this is an estimate.
func (p *pointRows) Append(r int, w *wire.Writer) {
	for _, x := range p.row(r) {
		w.Float(x)
	}
	if p.estimate != nil {
		w.Float(p.logF1[r])
	}
}

// Load decodes row r as Append encoded it.
func (p *pointRows) Load(r int, in *wire.Reader) {
	x := p.row(r)
	for i := range x {
		x[i] = in.Float()
	}
	if p.estimate != nil {
		p.logF0[r], p.logF1[r] = p.m.d.LogBase(x), in.Float()
		return
	}
	p.refresh(nil, r)
}

// setRow sets row r to the point x with log densities l0 = log f_0 and l1 = log f_1.
func (p *pointRows) setRow(r int, x []float64, l0, l1 float64) {
	copy(p.row(r), x)
	p.logF0[r], p.logF1[r] = l0, l1
}

// metropolis is random-walk Metropolis-Hastings. The covariance of its proposals is step^2 L L', with L from
// SetProposal or else from Kernel.Root.
func (p *pointRows) metropolis(s *rng.Stream, r int, beta, step float64) {
	s.Norms(p.normals)
	x := p.row(r)
	root := p.proposalRoot
	if root == nil {
		root = p.m.k.Root
	}
	for i := range x {
		delta := p.normals[i]
		if root != nil {
			delta = num.Dot(root[i*len(x):i*len(x)+i+1], p.normals[:i+1])
		}
		p.proposal[i] = x[i] + num.Mul(step, delta)
	}
	l0, l1 := p.density(s, p.proposal)
	logRatio := num.Mul(1-beta, l0-p.logF0[r]) + num.Mul(beta, l1-p.logF1[r])
	p.logAccept = logRatio
	p.acceptSum += acceptProb(logRatio)
	p.proposals++
	accepted := num.Log(s.Float64()) < logRatio
	if accepted {
		p.setRow(r, p.proposal, l0, l1)
	}
	p.noteMove(r, p.proposal, accepted)
}

// acceptProb returns the acceptance probability min(1, exp logAccept), and 0 for NaN.
func acceptProb(logAccept float64) float64 {
	switch {
	case logAccept >= 0:
		return 1
	case logAccept < 0:
		return num.Exp(logAccept)
	}
	return 0
}

// RowCapabilities returns coordinates, moments and the sums for Base.Refit.
func (p *pointRows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{Points: p, AddMoments: p.AddMoments, RefitSums: p.RefitSums, WatchMoves: p.WatchMoves}
}

// RowCapabilities returns those of pointRows, and exact sampling.
func (p exactRows) RowCapabilities() models.RowCapabilities {
	c := p.pointRows.RowCapabilities()
	c.DrawTarget = p.DrawTarget
	return c
}

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

// Density is a pair of log densities on R^Dim that can be evaluated at a point. With a
// Kernel it makes a Model on the geometric path
//
//	log f_beta(x) = (1-beta) LogBase(x) + beta LogF(x).
//
// Its functions may be called by goroutines at the same time.
type Density struct {
	Dim   int
	LogZ0 float64 // log of the integral of exp LogBase, in nats; 0 when it is normalised
	// LogBase and LogF are log f_0 and log f_1, the target whose log Z is wanted.
	LogBase, LogF func(x []float64) float64
	// Estimate, in place of LogF, makes what estimates log f_1 - log f_0 for the rows of one lane (noisy.go).
	Estimate func() models.Estimator
	// DrawBase sets x to a sample of f_0.
	DrawBase func(s *rng.Stream, x []float64)
	// DrawTarget, unless nil, sets x to an exact sample of f_1.
	DrawTarget func(s *rng.Stream, x []float64)
	// SlopeBase and Slope are the gradients of LogBase and LogF, which hmc needs.
	SlopeBase, Slope func(x, out []float64)
	// SlopesAndLogF, unless nil, sets out and logF to Slope and LogF of n points by rows, for less than each by itself.
	SlopesAndLogF func(x []float64, n int, out, logF []float64)
	// OneMode says that f_1 has one mode: auto may start from a normal base around this mode.
	Unimodal bool
	// Centred says that f_0 is a normal distribution with mean 0, as ess needs.
	Centred bool
	// Plane are the directions that Read shows points along, at most two; nil: the first two coordinates.
	Plane [][]float64
	// Names are the names of the coordinates, or of what Show makes of them; without names pictures show no single one.
	Names []string
	// Show, unless nil, sets out to what is shown in place of the coordinates of x: a number for each of Names.
	Show func(x, out []float64)
	// LogUnit, unless nil, is to be taken from LogF for the log density in the coordinates in which people know the model.
	LogUnit func(x []float64) float64
	// Follow, unless nil, runs the particle filter through the data at x once more, for pictures. It returns what the
	// filter did, nil where there is nothing to show, and its cost in evaluations of LogF or Estimate. Each round has
	// random numbers of its own.
	Follow func(round uint32, x []float64) (flow *frame.Flow, worth float64)
}

// Kernel is a Markov chain kernel for a Density.
type Kernel struct {
	// Name is one of Kernels: random-walk Metropolis-Hastings (mh, the default),
	// Hamiltonian Monte Carlo with mass 1 (hmc, and hmc_tuned, which differ in Leaps), elliptical
	// slice sampling (ess; [Murray2010]) or slice sampling coordinate by coordinate with stepping out
	// (slice; [Neal2003]).
	Name string `param:"proposal"`
	// Moves are the transitions of a sweep, 1 where it is 0.
	Moves int `param:"moves"`
	// Leaps is the mean number of leapfrog steps of a transition of hmc. 0: three for hmc, as many as
	// the tuning run finds for hmc_tuned.
	Leaps int `param:"leaps"`
	// Step is the standard deviation of a proposal of mh, the step of the leapfrog of hmc
	// or the width of a slice, at beta. Nil: found by a tuning run (see Space).
	Step func(beta float64) float64
	// Across is the share of the transitions of hmc that sample a line in a random direction instead, so that no row stays
	// where a trajectory is always rejected. 0: none.
	Across float64
	// Jumps says that each sweep ends with a proposal drawn from the base, by which rows pass between modes that the base
	// covers.
	Jumps bool
	// Finer says that trajectories of hmc take one of FinerSteps each, by chance: the density is narrower in places, as in
	// the neck of a funnel, than one step suits.
	Finer bool
	// Root is the Cholesky factor of the covariance of proposals of mh whose step is 1, and of the inverse masses of hmc.
	// Nil: they are round, and masses 1.
	Root []float64
}

// Kernels are the names of kernels, the default first.
var Kernels = []string{"mh", "hmc", "hmc_tuned", "ess", "slice"}

// Space is a Model made of a Density and a Kernel; see the example of New.
//
// A step that Kernel does not give is found once for a model, by a tuning run: chains go from
// beta = 0 to 1 over a grid and adapt the step at each to an acceptance of 0.65 for hmc,
// 0.234 for mh and slice (0.44 in one or two dimensions). For hmc_tuned it also takes, at each point, the number of
// leaps with the largest expected squared jump for each gradient ([Pasarica2010]). The tuning run has a key of its own,
// so the step is a function of beta and the model alone: no ladder, lane, worker or seed changes
// it, and kernels are frozen before the first sweep that counts. Between the points of the grid
// step^-2 is interpolated, which is linear in beta for Gaussians.
type Space struct {
	info models.Info
	d    Density
	k    Kernel
	tune lazy.Value[*tuned]
	ends lazy.Value[quantiles]

	fitted bool // the base is that of Refit
	rough  lazy.Value[Roughed]
}

// New makes a model of a density. info needs Name and Kind only; errors name what
// the kernel lacks.
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
	case (k.Name == "hmc" || k.Name == "hmc_tuned") && (d.SlopeBase == nil || d.Slope == nil):
		return nil, fmt.Errorf("density: hmc needs gradients")
	case k.Name == "ess" && !d.Centred:
		return nil, fmt.Errorf("density: ess needs a normal base with mean 0")
	}
	return m, nil
}

func (m *Space) Info() models.Info { return m.info }

func (m *Space) LogZ0() float64 { return m.d.LogZ0 }

// Density and Kernel are what the model is made of, the kernel with its defaults filled in.
func (m *Space) Density() Density { return m.d }
func (m *Space) Kernel() Kernel   { return m.k }

// transition moves row r at beta once.
type transition func(p *spaceRows, s *rng.Stream, r int, beta, step float64)

var transitions = map[string]transition{
	"mh": (*spaceRows).walk, "hmc": (*spaceRows).hamilton, "hmc_tuned": (*spaceRows).hamilton,
	"ess": (*spaceRows).ellipse, "slice": (*spaceRows).slice}

// spaceRows are rows of points.
type spaceRows struct {
	m      *Space
	move   transition
	ladder []float64
	step   []float64 // of each rung, nil before the first move
	leaps  []int     // of each rung
	x      []float64
	l0, l1 []float64 // log densities of each row
	pseudoMarginal
	spent, flows float64 // see follow

	orbits                orbits     // of hamilton
	try, p, slope, slope0 []float64  // room for a kernel
	stream                rng.Stream // of the row that moves; here, because functions take its address
	mean                  int        // leaps of a transition, about
	gain                  float64    // log of the acceptance of the last proposal, for the tuning run
	back                  bool
}

// drawnRows are those of a density whose target can be drawn exactly.
type drawnRows struct{ *spaceRows }

func (m *Space) New(n int, ladder []float64) models.Population {
	p := m.rows(n)
	p.ladder = ladder
	switch {
	case m.d.DrawTarget != nil:
		return drawnRows{p}
	case m.d.Estimate != nil:
		return noisyRows{p}
	}
	return p
}

// tune finds the steps of all rungs.
func (p *spaceRows) tune() {
	p.step, p.leaps = make([]float64, len(p.ladder)), make([]int, len(p.ladder))
	for k, beta := range p.ladder {
		p.step[k], p.leaps[k] = p.m.StepAt(beta)
	}
}

func (m *Space) rows(n int) *spaceRows {
	p := &spaceRows{m: m, move: transitions[m.k.Name], mean: max(m.k.Leaps, 1),
		x: make([]float64, n*m.d.Dim), l0: make([]float64, n), l1: make([]float64, n)}
	for _, x := range []*[]float64{&p.try, &p.p, &p.slope, &p.slope0} {
		*x = make([]float64, m.d.Dim)
	}
	if strings.HasPrefix(m.k.Name, "hmc") {
		p.orbits = newOrbits(n, m.d.Dim)
	}
	if m.d.Estimate != nil {
		p.estimate = m.d.Estimate()
		return p // densities of what was not drawn would be estimated in vain
	}
	p.refresh(nil, 0) // all rows are at 0
	for r := range p.l0 {
		p.l0[r], p.l1[r] = p.l0[0], p.l1[0]
	}
	return p
}

func (p *spaceRows) row(r int) []float64 { d := p.m.d.Dim; return p.x[r*d : (r+1)*d] }

func (p *spaceRows) refresh(s *rng.Stream, r int) { p.l0[r], p.l1[r] = p.density(s, p.row(r)) }

func (p *spaceRows) Draw(at rng.At) {
	for r := range p.l0 {
		s := at.Row(r)
		p.m.d.DrawBase(&s, p.row(r))
		p.refresh(&s, r)
	}
}

// DrawTarget samples the target directly; it needs no blocks.
func (p drawnRows) DrawTarget(at rng.At, _ []float64, drawn func() bool) {
	for r := range p.l0 {
		s := at.Row(r)
		p.m.d.DrawTarget(&s, p.row(r))
		p.refresh(&s, r)
		if drawn != nil && !drawn() {
			return
		}
	}
}

// Move applies transitions. Each is reversible and all are alike, so the reversed kernel is the
// same, except that slice then goes through the coordinates in the opposite order.
func (p *spaceRows) Move(at rng.At, rung []int32, back bool) {
	p.back = back
	jumps := p.m.k.Jumps && p.root == nil
	if p.step == nil && p.root == nil {
		p.tune()
	}
	if p.orbits.of != nil && p.root == nil { // SetProposal makes all kernels walk
		p.together(at, rung)
		return
	}
	for r, k := range rung {
		p.stream = at.Row(r)
		if jumps && back {
			p.jump(&p.stream, r, p.ladder[k])
		}
		for range p.m.k.Moves {
			if p.root != nil {
				p.walk(&p.stream, r, p.ladder[k], 1)
				continue
			}
			p.mean = p.leaps[k]
			p.move(p, &p.stream, r, p.ladder[k], p.step[k])
		}
		if jumps && !back {
			p.jump(&p.stream, r, p.ladder[k])
		}
	}
}

// jump proposes a draw of the base to row r. The proposal does not depend on the row, so a chain may pass from one mode
// to another.
func (p *spaceRows) jump(s *rng.Stream, r int, beta float64) {
	p.m.d.DrawBase(s, p.try)
	l0, l1 := p.density(s, p.try)
	gain := num.Mul(beta, (l1-l0)-(p.l1[r]-p.l0[r]))
	if num.Log(s.Float64()) < gain {
		p.keep(r, p.try, l0, l1)
	}
}

// LogF is (1-beta) log f_0 + beta log f_1.
func (p *spaceRows) LogF(lo, n int, out []float64) {
	for r := range p.l0 {
		for k, b := range p.ladder[lo : lo+n] {
			out[r*n+k] = num.Mul(1-b, p.l0[r]) + num.Mul(b, p.l1[r])
		}
	}
}

// Read shows the plane of the density, by default the first two coordinates (the second is 0 in one dimension).
func (p *spaceRows) Read(n int, f *frame.Frame) {
	f.Points = f.Points[:0]
	for r := range n {
		x := p.shown(r)
		at := [2]float64{x[0]}
		if len(x) > 1 {
			at[1] = x[1]
		}
		for k, dir := range p.m.d.Plane {
			at[k] = num.Dot(dir, x)
		}
		f.Points = append(f.Points, float32(at[0]), float32(at[1]))
	}
	p.readParameters(n, f)
}

// shown is what is shown of row r.
func (p *spaceRows) shown(r int) []float64 {
	if p.m.d.Show == nil {
		return p.row(r)
	}
	out := make([]float64, len(p.m.d.Names))
	p.m.d.Show(p.row(r), out)
	return out
}

// Names are those of what is shown of a row.
func (p *spaceRows) Names() []string { return p.m.d.Names }

// Shown is what is shown of row r, and the log density of the target there.
func (p *spaceRows) Quantities(r int, out []float64) float64 {
	copy(out, p.shown(r))
	if p.m.d.LogUnit == nil {
		return p.l1[r]
	}
	return p.l1[r] - p.m.d.LogUnit(p.row(r))
}

func (p *spaceRows) Copy(dst, src int) {
	copy(p.row(dst), p.row(src))
	p.l0[dst], p.l1[dst] = p.l0[src], p.l1[src]
}

func (p *spaceRows) Append(r int, w *wire.Writer) {
	for _, x := range p.row(r) {
		w.Float(x)
	}
	if p.estimate != nil {
		w.Float(p.l1[r])
	}
}

func (p *spaceRows) Load(r int, in *wire.Reader) {
	x := p.row(r)
	for i := range x {
		x[i] = in.Float()
	}
	if p.estimate != nil {
		p.l0[r], p.l1[r] = p.m.d.LogBase(x), in.Float()
		return
	}
	p.refresh(nil, r)
}

// keep makes x the state of row r.
func (p *spaceRows) keep(r int, x []float64, l0, l1 float64) {
	copy(p.row(r), x)
	p.l0[r], p.l1[r] = l0, l1
}

// walk is random-walk Metropolis-Hastings, with the adapted proposal if a method has set one (SetProposal).
func (p *spaceRows) walk(s *rng.Stream, r int, beta, step float64) {
	s.Norms(p.p)
	x := p.row(r)
	root := p.root
	if root == nil {
		root = p.m.k.Root
	}
	for i := range x {
		push := p.p[i]
		if root != nil {
			push = num.Dot(root[i*len(x):i*len(x)+i+1], p.p[:i+1])
		}
		p.try[i] = x[i] + num.Mul(step, push)
	}
	l0, l1 := p.density(s, p.try)
	gain := num.Mul(1-beta, l0-p.l0[r]) + num.Mul(beta, l1-p.l1[r])
	p.gain = gain
	p.chance += chance(gain)
	p.tried++
	if num.Log(s.Float64()) < gain {
		p.keep(r, p.try, l0, l1)
	}
}

// chance is min(1, exp gain), 0 for NaN.
func chance(gain float64) float64 {
	switch {
	case gain >= 0:
		return 1
	case gain < 0:
		return num.Exp(gain)
	}
	return 0
}

// RowCapabilities returns the coordinates, their moments and sums for Base.Refit.
func (p *spaceRows) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{Points: p, AddTo: p.AddTo, Count: p.Count}
}

// RowCapabilities adds exact sampling to those of spaceRows.
func (p drawnRows) RowCapabilities() models.RowCapabilities {
	c := p.spaceRows.RowCapabilities()
	c.DrawTarget = p.DrawTarget
	return c
}

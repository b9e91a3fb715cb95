package tape

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
	"logzlab/core/rng"
	"logzlab/core/stats"
	ops "logzlab/core/tape"
	"logzlab/models"
	"logzlab/models/density"
)

// Sizes of the pilot.
const (
	pilotStarts = 12  // climbs at least
	pilotDraws  = 100 // of a start whose density is 0, at most
	pilotEach   = 5   // climbs for each mode, or modes as wide would be missed: of six, 6 (5/6)^30 = .03 in 30
	mostStarts  = 60  // climbs at most
	pilotModes  = 12  // modes that get a part of the base, at most
	pilotChains = 16  // around each mode
	pilotLeaps  = 4   // of a transition, about
	pilotWork   = 2e9 // nanoseconds that it may plan to take
	pilotFar    = 4   // standard deviations between modes that are two
	pilotWide   = 1.5 // times the covariance of the chains that the base has
	pilotMissed = 3   // nats of the target that are found elsewhere than in the base
)

// windows are the transitions of the chains between two fits of their covariance.
var windows = [...]int{15, 25, 40, 80}

// pilot is the run that makes a base, and what it has found so far. It depends on the tape alone.
type pilot struct {
	t             *ops.Tape
	base          mixture
	around        []density.Base // the chains around each mode
	steps         []float64      // of their leapfrogs
	draws         []float64      // last points of all chains, by rows
	space         density.Base   // of the coordinates: one of around
	step          float64        // of a leapfrog in these coordinates
	climbs, modes int            // climbs that ended at a mode, and modes found
	spent         int            // evaluations
	least         float64        // see floor
	level         float64        // mean log density of the chains around the last part
	tails         []tail         // of each coordinate
	unseen        int            // coordinates whose tails were not looked at
	beyond        float64        // nats by which mass far out is more than all that was found
	edges         int            // coordinates along which the support ends at once
	lost          float64        // share of the trajectories of a walk that went astray at full steps
}

// findBase looks for the base of a tape's path. Climbs from scattered starts find modes. Around each mode, chains of
// Hamiltonian Monte Carlo run at the target, and are fitted several times, each time with a metric by what they were
// before; the last fit, widened, is a part of the base. Modes without mass, as in the neck of a funnel, do not count.
func findBase(t *ops.Tape) *pilot {
	dim := t.Dim()
	key := rng.NewKey(0, "base", dim)
	p := &pilot{t: t}
	points := t.Points()
	parts := p.findModes(t, points, key)
	for k, part := range parts {
		p.addPart(t, part, key, k, len(parts))
	}
	p.finish(points.LogF, key)

	// What the climbs cannot find.
	for k, part := range parts[:min(p.modes, len(parts))] { // without a mode there is no top
		if wide, ok := p.wider(points.LogF, part, key, k); ok {
			p.modes++
			p.addPart(t, wide, key, len(p.base.parts), 1)
			p.finish(points.LogF, key)
		}
	}
	if part, found := scattered(points.LogF, key, dim); found > p.found()+pilotMissed {
		if p.addPart(t, part, key, len(p.base.parts), 1); p.outweighs(points.LogF, key) {
			p.climbs, p.modes = 0, 0
		}
	}
	if p.climbs < models.LeastClimbs {
		p.walk(t, points, key)
	}

	// Tails.
	for range mostFarther {
		tails := newTails(p)
		p.edges = tails.edges()
		if p.tails, p.unseen = tails.look(); !p.goFarther(t, &tails.heaviest, key) {
			break
		}
	}
	if p.modes > 0 {
		p.addHeavy(parts[0], key)
	}
	return p
}

// addPart adds a part to the base: chains around a normal distribution are fitted. of is the number of parts that share
// the work.
func (p *pilot) addPart(t *ops.Tape, around density.Base, key rng.Key, number, of int) {
	c := newChains(t, around, key, uint32(number), pilotChains)
	each := float64(pilotChains*pilotLeaps*of) * 4 * t.Work()
	most := max(30, int(pilotWork/each))
	for _, n := range windows {
		n = max(min(n, most*n/160), 8)
		c.run(n)
		c.refit()
	}
	p.spent += c.spent
	p.level, _ = stats.MeanVar(c.f)
	p.base.parts = append(p.base.parts, part{Base: c.base()})
	p.around, p.steps = append(p.around, c.around), append(p.steps, c.step)
	p.draws = append(p.draws, c.x...)
}

// found is the log of the integral that draws of the base find.
func (p *pilot) found() float64 { return p.least + floorBelow }

// outweighs weighs the parts, and leaves only the last one where it has about all of the target.
func (p *pilot) outweighs(logF func(x []float64) float64, key rng.Key) bool {
	last := len(p.base.parts) - 1
	p.finish(logF, key)
	if p.base.logW[last] <= num.Log(1-num.Mul(2*leastShare, float64(last))) {
		return false
	}
	p.base.parts, p.around, p.steps = p.base.parts[last:], p.around[last:], p.steps[last:]
	p.finish(logF, key)
	return true
}

// finish weighs the parts, and takes the coordinates of that with the highest mode, or of a heavier one.
func (p *pilot) finish(logF func(x []float64) float64, key rng.Key) {
	n := len(p.base.parts)
	p.base.logW = slices.Repeat([]float64{-num.Log(float64(n))}, n)
	if n > 1 {
		p.base.weigh(logF, key, len(p.around[0].Mean))
	}
	best := 0
	for k, w := range p.base.logW {
		if w > p.base.logW[best]+1 {
			best = k
		}
	}
	p.space, p.step = p.around[best], p.steps[best]
	p.least = floorOf(&p.base, len(p.space.Mean), logF, key)
}

// scattered is a narrow normal distribution around the heaviest of points that are scattered around 0, and the log of
// the integral that they find. Where that is more than the base finds, the base missed most of the target, as in a
// funnel, whose mode is in the neck and has next to no mass.
func scattered(logF func(x []float64) float64, key rng.Key, dim int) (part density.Base, found float64) {
	wide := density.Base{Mean: make([]float64, dim), Root: make([]float64, dim*dim)}
	for i := range dim {
		wide.Root[i*dim+i] = 1
	}
	wide.Normalise()
	logW, x, top := make([]float64, floorDraws), make([]float64, dim), 0
	at := make([][]float64, floorDraws)
	for i := range logW {
		s := key.Stream(4, uint32(i), 0)
		wide.Draw(&s, x)
		if logW[i] = logF(x) - wide.Log(x); !num.Finite(logW[i]) {
			logW[i] = math.Inf(-1)
		}
		at[i] = slices.Clone(x)
		if logW[i] > logW[top] {
			top = i
		}
	}
	part = density.Base{Mean: at[top], Root: wide.Root}
	for i := range dim {
		part.Root[i*dim+i] = .5
	}
	return part, num.LogMeanExp(logW)
}

// findModes makes normal distributions around the modes that climbs find, the highest first; one around the best start
// where no climb ends at a mode.
func (p *pilot) findModes(t *ops.Tape, points *ops.Points, key rng.Key) []density.Base {
	dim := t.Dim()
	budget := int(.3 * pilotWork / (4 * t.Work()))
	c := climber{dim: dim, slope: points.Slope, left: max(min(budget, pilotStarts*400), 200)}
	began := c.left
	type hill struct {
		density.Base
		top float64
	}
	var hills []hill

	// Climbs, from scattered starts.
	best, bestAt := math.Inf(-1), make([]float64, dim)
	for i := range uint32(mostStarts) {
		if i >= pilotStarts && p.climbs >= pilotEach*len(hills) {
			break
		}
		x, s := make([]float64, dim), key.Stream(0, i, 0)
		if i > 0 {
			scatter(&s, x)
		}
		f := points.LogF(x)
		for k := 0; i > 0 && math.IsInf(f, -1) && k < pilotDraws; k++ { // a density of 0 says nothing of where to climb
			scatter(&s, x)
			f = points.LogF(x)
		}
		if f > best || i == 0 {
			best, bestAt = f, slices.Clone(x)
		}
		if f = c.climb(x); math.IsInf(f, -1) {
			continue
		}
		root, ok := around(&c, x)
		if !ok {
			continue
		}
		h := hill{density.Base{Mean: x, Root: root}, f}
		if h.Normalise() {
			p.climbs++
			if !slices.ContainsFunc(hills, func(o hill) bool { return near(&o.Base, x) }) {
				hills = append(hills, h)
			}
		}
		if c.left <= 0 {
			break
		}
	}

	// The largest hills come first.
	p.spent, p.modes = began-c.left, len(hills)
	sort.SliceStable(hills, func(i, j int) bool {
		// By the log of the integral of the normal density through the top.
		a, b := hills[i], hills[j]
		return a.top-a.Log(a.Mean) > b.top-b.Log(b.Mean)
	})

	// Hills too small to matter are left out.
	var out []density.Base
	for _, h := range hills[:min(len(hills), pilotModes)] {
		if h.top-h.Log(h.Mean) > hills[0].top-hills[0].Log(hills[0].Mean)-10 {
			out = append(out, h.Base)
		}
	}

	// Without a hill, the best start has to do.
	if len(out) == 0 {
		root := make([]float64, dim*dim)
		for i := range dim {
			root[i*dim+i] = .5
		}
		out = append(out, density.Base{Mean: bestAt, Root: root})
	}
	return out
}

// scatter draws a start.
func scatter(s *rng.Stream, x []float64) {
	for k := range x {
		x[k] = num.Mul(4, s.Float64()) - 2
	}
}

// around is the factor of the covariance that the curvature at a mode means. ok is false where it is no covariance.
func around(c *climber, x []float64) (root []float64, ok bool) {
	dim := c.dim
	scale := make([]float64, dim)
	for i, v := range x {
		scale[i] = max(1, math.Abs(v))
	}
	h := make([]float64, dim*dim)
	for range 2 { // the second time with steps by the scales that the first time found
		if !c.curvature(x, scale, h) {
			return nil, false
		}
		for i := range scale {
			if v := h[i*dim+i]; v > 0 {
				scale[i] = 1 / math.Sqrt(v)
			}
		}
	}
	if !num.Invert(h, dim) {
		return nil, false
	}
	return h, num.Cholesky(h, dim, nil) && num.AllFinite(h)
}

// near reports whether a point is within the reach of a normal distribution.
func near(b *density.Base, x []float64) bool {
	d := slices.Clone(x)
	for i := range d {
		d[i] -= b.Mean[i]
	}
	num.SolveLower(b.Root, len(d), d)
	return num.Dot(d, d) < pilotFar*pilotFar
}

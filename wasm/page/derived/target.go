package derived

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
)

// Target has properties of a model that need no sampling: the exact log Z along ladders, computed step by step, and the
// density of a model in the plane. It must not depend on jobs, lanes or views.
type Target struct {
	Paths          map[string]*exactPath      // by method
	plane          *grid                      // the density of a mixture in the displayed plane
	orthogonalLogZ func(beta float64) float64 // log Z(beta) of the directions orthogonal to that plane
	Density        []byte                     // the encoded density of the model with the key densityKey
	densityKey     string
}

// exactPath is the exact log Z along a ladder, computed rung by rung so that the controller stays responsive. NaN marks
// values that are unknown or not computed yet.
type exactPath struct {
	beta, z []float64
	pending []int
}

const (
	exactRungs  = 100 // number of rungs of a ladder with an exact value
	stepSeconds = .02 // seconds of computation in each tick
)

// NewTarget returns an empty Target.
func NewTarget() Target { return Target{Paths: map[string]*exactPath{}} }

// KnownAlong returns the known exact log Z at a report's rungs, nil if there is none, and schedules the rest for
// Advance.
func (t *Target) KnownAlong(r *report.Report) []float64 {
	if len(r.Ladder) == 0 {
		return nil
	}
	e := t.Paths[r.Method]
	if e == nil || len(e.beta) != len(r.Ladder) {
		e = &exactPath{beta: betas(r), z: make([]float64, len(r.Ladder))}
		t.Paths[r.Method] = e
		for k := range e.z {
			e.z[k] = math.NaN()
			if k*exactRungs/len(e.z) != (k-1)*exactRungs/len(e.z) || k == 0 || k == len(e.z)-1 {
				e.pending = append(e.pending, k)
			}
		}
	}
	if slices.ContainsFunc(e.z, func(z float64) bool { return num.NotNaN(z) }) {
		return e.z
	}
	return nil
}

// Advance computes more exact values for a short time, and reports whether it found any.
func (t *Target) Advance(m models.Model, methods []string, now func() float64) (hasNews bool) {
	start := now()
	for _, method := range methods {
		for e := t.Paths[method]; e != nil && len(e.pending) > 0; {
			k := e.pending[0]
			e.pending = e.pending[1:]
			if e.z[k] = t.ExactAt(m, e.beta[k]); !num.NotNaN(e.z[k]) {
				e.pending = nil
				break
			}
			if hasNews = true; now()-start > stepSeconds {
				return hasNews
			}
		}
	}
	return hasNews
}

// ExactAt returns log Z at one beta if it takes no noticeable time, else NaN: a lattice has a closed form, a mixture in
// the plane a sum over its grid. With a step of half the narrowest standard deviation the error of that sum is far
// below any error bar; directions orthogonal to the plane have a closed form.
func (t *Target) ExactAt(model models.Model, beta float64) float64 {
	if exact := models.CapabilitiesOf(model).Exact; exact.LadderLogZ != nil && catalog.Kinds.Of(model.Info().Kind).FastLadderLogZ {
		if z, err := exact.LadderLogZ([]float64{beta}); err == nil {
			return z[0]
		}
	}
	if t.plane == nil {
		return math.NaN()
	}
	var sum num.LSE
	for i, l0 := range t.plane.log0 {
		sum.Add(float64((1-beta)*l0) + float64(beta*t.plane.log1[i]))
	}
	return sum.Value() + math.Log(t.plane.cell) + t.orthogonalLogZ(beta)
}

// grid holds log f_0 and log f over a part of the plane, row by row from the top.
type grid struct {
	cell       float64 // area of a cell
	log0, log1 []float64
}

// newGrid evaluates a model of the plane at the centres of w x h cells.
func newGrid(m models.Model, x0, x1, y0, y1 float64, w, h int) *grid {
	g := &grid{cell: (x1 - x0) / float64(w) * (y1 - y0) / float64(h)}
	pop := m.New(1, []float64{0, 1})
	var out [2]float64
	for row := range h {
		for col := range w {
			var at wire.Writer
			at.Float(x0 + (x1-x0)*(float64(col)+.5)/float64(w))
			at.Float(y1 - (y1-y0)*(float64(row)+.5)/float64(h))
			pop.Load(0, &wire.Reader{B: at.B})
			pop.LogF(0, 2, out[:])
			g.log0, g.log1 = append(g.log0, out[0]), append(g.log1, out[1])
		}
	}
	return g
}

// Numbers of cells along each side.
const (
	fieldCells = 96
	maxGrid    = 300 // largest grid that is summed
)

// Field evaluates the density of a model in the plane, once for each run; false if the model has none.
func (t *Target) Field(s *spec.Spec, model models.Model) bool {
	t.plane = nil
	plane := models.CapabilitiesOf(model).Picture.Plane
	if plane == nil {
		return false
	}
	m, across := plane()
	if m == nil {
		return false
	}
	t.orthogonalLogZ = across

	// The part of the plane that contains the components.
	hills, base := m.Components()
	x0, x1, y0, y1 := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	f := &frame.Field{W: fieldCells, H: fieldCells}
	for _, h := range hills {
		x, y := float64(3.5*h.SD[0])+float64(.15*base.SD[0]), float64(3.5*h.SD[1])+float64(.15*base.SD[1])
		x0, x1 = min(x0, h.Mean[0]-x), max(x1, h.Mean[0]+x)
		y0, y1 = min(y0, h.Mean[1]-y), max(y1, h.Mean[1]+y)
		f.Components = append(f.Components, frame.Component{X: float32(h.Mean[0]), Y: float32(h.Mean[1]), Mass: float32(h.Weight)})
	}
	if editable := models.CapabilitiesOf(model).Picture.Hills; editable != nil {
		f.Hills = frame.HillsText(editable())
		x, y := float64(2*base.SD[0]), float64(2*base.SD[1]) // hills may be moved anywhere where the base has mass
		x0, x1, y0, y1 = min(x0, -x), max(x1, x), min(y0, -y), max(y1, y)
	}
	f.X0, f.X1, f.Y0, f.Y1 = float32(x0), float32(x1), float32(y0), float32(y1)

	// The densities of base and target there.
	g := newGrid(m, x0, x1, y0, y1, f.W, f.H)
	for i := range g.log0 {
		f.Log0, f.Log1 = append(f.Log0, float32(g.log0[i])), append(f.Log1, float32(g.log1[i]))
	}

	// The grid whose sum is the exact log Z.
	if !catalog.Kinds.Of(model.Info().Kind).FastLadderLogZ {
		// All of the mass: six standard deviations of the base and of every component.
		narrow, far := base.SD[0], 0.0
		for _, h := range append(hills, base) {
			narrow = min(narrow, h.SD[0])
			far = max(far, math.Abs(h.Mean[0])+float64(6*h.SD[0]), math.Abs(h.Mean[1])+float64(6*h.SD[1]))
		}
		if n := int(4 * far / narrow); n <= maxGrid {
			t.plane = newGrid(m, -far, far, -far, far, n, n)
		}
	}
	t.Density, t.densityKey = (&frame.Frame{Model: s.Model, Field: f}).Append(nil), engine.ModelKey(s, catalog.Names{})
	return true
}

// IsFor reports whether the density belongs to the model of an experiment.
func (t *Target) IsFor(s *spec.Spec) bool { return t.densityKey == engine.ModelKey(s, catalog.Names{}) }

package frame

import (
	"math"

	"logzlab/core/wire"
)

// Field is the density of a model in the plane, on a grid of W x H cells over [X0, X1] x [Y0, Y1], row 0 at the top
// (largest y). Log0 and Log1 are log f at the cell centres at inverse temperatures 0 and 1; in between log f_beta =
// (1-beta) Log0 + beta Log1.
type Field struct {
	X0, X1, Y0, Y1 float32
	W, H           int
	Log0, Log1     []float32
	Components     []Component
	Hills          string // the hills that the viewer can change by hand (ReadHills), "" for none
}

// Component is a mixture component of the target: its position and its exact mass at inverse temperature 1.
type Component struct{ X, Y, Mass float32 }

// Ladder has a method's estimates at its rungs after a phase. Every slice is empty or has an entry for each rung;
// Overlap has an entry for each pair of neighbouring rungs. Unknown entries are NaN.
type Ladder struct {
	Method, Phase string
	Beta          []float64
	Occupancy     []float64 // c_k / r_k: visits divided by planned visits
	LogZ, SE      []float64 // nats
	Exact         []float64 // exact log Z, nats
	Overlap       []float64 // mean acceptance probability of a move between rungs k and k+1
	Guesses       []Guess   // earlier estimates of the method, oldest first
}

// Limits of decoded lengths.
const (
	maxCells      = 1 << 17
	maxComponents = 64
	maxLadders    = 256
	maxRungs      = 1 << 16
)

func (f *Field) append(w *wire.Writer) {
	w.Bool(f != nil)
	if f == nil {
		return
	}
	for _, x := range [...]float32{f.X0, f.X1, f.Y0, f.Y1} {
		w.Float32(x)
	}
	w.Int(f.W)
	w.Int(f.H)
	w.Float32s(f.Log0)
	w.Float32s(f.Log1)
	w.Uint(uint64(len(f.Components)))
	for _, h := range f.Components {
		w.Float32(h.X)
		w.Float32(h.Y)
		w.Float32(h.Mass)
	}
	w.String(f.Hills)
}

func readField(r *wire.Reader) *Field {
	if !r.Bool() {
		return nil
	}
	f := &Field{}
	for _, x := range [...]*float32{&f.X0, &f.X1, &f.Y0, &f.Y1} {
		*x = r.Float32()
	}
	f.W, f.H = r.Int(), r.Int()
	f.Log0, f.Log1 = r.Float32s(), r.Float32s()
	f.Components = make([]Component, r.Length(12))
	for i := range f.Components {
		f.Components[i] = Component{r.Float32(), r.Float32(), r.Float32()}
	}
	f.Hills = r.String()
	if r.Err == nil && !f.ok() {
		r.Fail()
	}
	return f
}

// ok reports whether f is a valid grid.
func (f *Field) ok() bool {
	wide := func(a, b float32) bool { return a < b && !math.IsInf(float64(b-a), 0) }
	_, err := ReadHills(f.Hills)
	return err == nil && f.W >= 2 && f.H >= 2 && f.W <= maxCells && f.H <= maxCells && f.W*f.H <= maxCells &&
		len(f.Log0) == f.W*f.H && len(f.Log1) == f.W*f.H && len(f.Components) <= maxComponents &&
		wide(f.X0, f.X1) && wide(f.Y0, f.Y1)
}

func (l *Ladder) append(w *wire.Writer) {
	w.String(l.Method)
	w.String(l.Phase)
	for _, x := range [...][]float64{l.Beta, l.Occupancy, l.LogZ, l.SE, l.Exact, l.Overlap} {
		w.Floats(x)
	}
	w.Uint(uint64(len(l.Guesses)))
	for i := range l.Guesses {
		l.Guesses[i].append(w)
	}
}

// minLadderBytes is the smallest size of an encoded ladder.
const minLadderBytes = 9

func readLadder(r *wire.Reader) Ladder {
	l := Ladder{Method: r.String(), Phase: r.String()}
	for _, x := range [...]*[]float64{&l.Beta, &l.Occupancy, &l.LogZ, &l.SE, &l.Exact, &l.Overlap} {
		*x = r.Floats()
	}
	for range r.Length(minGuessBytes) {
		l.Guesses = append(l.Guesses, readGuess(r))
	}
	n := len(l.Beta)
	if r.Err == nil && (n > maxRungs || len(l.Guesses) > maxGuesses ||
		!validLen(len(l.Occupancy), n) || !validLen(len(l.LogZ), n) || !validLen(len(l.SE), n) ||
		!validLen(len(l.Exact), n) || !validLen(len(l.Overlap), n-1)) {
		r.Fail()
	}
	return l
}

package frame

import "logzlab/core/wire"

// Travel is how the chains of a tempering run went over its ladder, as far as the run has come. A slice may be empty:
// it was not recorded.
type Travel struct {
	Methods []string // that read the run, in the order of the page
	Chains  int      // of the run
	Total   int      // round trips of all chains: from the base to the target and back
	Trips   []int32  // round trips of each of the first chains

	Up     []float64 // of each rung: share of the visits by chains that were at the base last, and not at the target
	Visits []float64 // of each rung: visits of all chains against those planned
}

// Guess is what a method took log Z of its rungs to be after some sweeps. The slices have as many entries as each
// other; entry i of n is that of rung i (K-1) / (n-1), rounded down.
type Guess struct {
	Sweeps float64   // of each chain
	LogZ   []float64 // nats
	LogC   []float64 // log of the share of samples at each rung that led to this guess, by q(k|x); may be empty
}

// Limits on what is decoded.
const (
	maxTravels = 16
	maxTrips   = 1 << 10
	maxGuesses = 256
)

func (t *Travel) append(w *wire.Writer) {
	w.Uint(uint64(len(t.Methods)))
	for _, m := range t.Methods {
		w.String(m)
	}
	w.Int(t.Chains)
	w.Int(t.Total)
	w.Ints(t.Trips)
	w.Floats(t.Up)
	w.Floats(t.Visits)
}

// leastTravel is the least number of bytes of an encoded travel.
const leastTravel = 6

func readTravel(r *wire.Reader) (t Travel) {
	for range r.Length(1) {
		t.Methods = append(t.Methods, r.String())
	}
	t.Chains, t.Total = r.Int(), r.Int()
	t.Trips, t.Up, t.Visits = r.Ints(), r.Floats(), r.Floats()
	if r.Err == nil && (len(t.Trips) > maxTrips || len(t.Up) > maxRungs || len(t.Visits) > maxRungs) {
		r.Fail()
	}
	return t
}

func (g *Guess) append(w *wire.Writer) {
	w.Float(g.Sweeps)
	w.Floats(g.LogZ)
	w.Floats(g.LogC)
}

// leastGuess is the least number of bytes of an encoded guess.
const leastGuess = 10

func readGuess(r *wire.Reader) (g Guess) {
	g.Sweeps = r.Float()
	g.LogZ, g.LogC = r.Floats(), r.Floats()
	if n := len(g.LogZ); n > maxRungs || !fits(len(g.LogC), n) {
		r.Fail()
	}
	return g
}

package frame

import "logzlab/core/wire"

// Travel has statistics of the movement of the chains of a tempering run on its ladder so far. A slice that was not
// recorded is empty.
type Travel struct {
	Methods []string // methods that read the run, in the order of the page
	Chains  int      // number of chains
	Total   int      // round trips of all chains, from the base to the target and back
	Trips   []int32  // round trips of each of the first len(Trips) chains

	FractionUp []float64 // fraction of the visits at each rung by chains that visited the base more recently than the target
	Visits     []float64 // visits of all chains at each rung divided by planned visits
}

// Guess is a method's estimate of log Z at its rungs after some sweeps. The slices have equal lengths; entry i of n is
// for rung floor(i (K-1) / (n-1)).
type Guess struct {
	Sweeps float64   // sweeps of each chain
	LogZ   []float64 // nats
	LogC   []float64 // log of the fraction of samples at each rung, by q(k|x), that led to this estimate; may be empty
}

// Limits of decoded lengths.
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
	w.Int32s(t.Trips)
	w.Floats(t.FractionUp)
	w.Floats(t.Visits)
}

// minTravelBytes is the smallest size of an encoded Travel.
const minTravelBytes = 6

func readTravel(r *wire.Reader) (t Travel) {
	for range r.Length(1) {
		t.Methods = append(t.Methods, r.String())
	}
	t.Chains, t.Total = r.Int(), r.Int()
	t.Trips, t.FractionUp, t.Visits = r.Int32s(), r.Floats(), r.Floats()
	if r.Err == nil && (len(t.Trips) > maxTrips || len(t.FractionUp) > maxRungs || len(t.Visits) > maxRungs) {
		r.Fail()
	}
	return t
}

func (g *Guess) append(w *wire.Writer) {
	w.Float(g.Sweeps)
	w.Floats(g.LogZ)
	w.Floats(g.LogC)
}

// minGuessBytes is the smallest size of an encoded Guess.
const minGuessBytes = 10

func readGuess(r *wire.Reader) (g Guess) {
	g.Sweeps = r.Float()
	g.LogZ, g.LogC = r.Floats(), r.Floats()
	if n := len(g.LogZ); n > maxRungs || !validLen(len(g.LogC), n) {
		r.Fail()
	}
	return g
}

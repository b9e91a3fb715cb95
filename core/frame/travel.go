package frame

import "logzlab/core/wire"

// Travel is how the chains of a tempering run went over its ladder, as far as the run has come. A slice may be empty:
// it was not recorded.
type Travel struct {
	Methods []string // that read the run, in the order of the page
	Chains  int      // of the run
	Steps   int      // sweeps planned for each chain
	Total   int      // round trips of all chains: from the base to the target and back

	// Of the first chains:
	Every int       // sweeps from one entry of Paths to the next
	Paths [][]int32 // the rung after each Every-th sweep
	Trips []int32   // round trips
	Turns [][]int32 // sweeps at which the chain came to the base, to the target, to the base ..., the last ones

	Up     []float64 // of each rung: share of the visits by chains that were at the base last, and not at the target
	Visits []float64 // of each rung: visits of all chains against those planned

	// Matrix is the overlap of rungs, M x M with M at most MaxOverlap: of samples of rung k, the mean chance q(l|x)
	// that they belong to rung l. With more rungs than M, entry i stands for those with k M / K = i, rounded down.
	Matrix []float64
}

// MaxOverlap is the most rows of Travel.Matrix.
const MaxOverlap = 40

// Guess is what a method took log Z of its rungs to be after some sweeps. The slices have as many entries as each
// other; entry i of n is that of rung i (K-1) / (n-1), rounded down.
type Guess struct {
	Sweeps float64   // of each chain
	LogZ   []float64 // nats
	LogC   []float64 // log of the share of samples at each rung that led to this guess, by q(k|x); may be empty
	Counts []float64 // the same by counting visits
}

// Limits on what is decoded.
const (
	maxTravels = 16
	maxPaths   = 1 << 10
	maxGuesses = 256
)

func (t *Travel) append(w *wire.Writer) {
	w.Uint(uint64(len(t.Methods)))
	for _, m := range t.Methods {
		w.String(m)
	}
	for _, x := range [...]int{t.Chains, t.Steps, t.Total, t.Every} {
		w.Int(x)
	}
	w.Ints(t.Trips)
	for _, lists := range [...][][]int32{t.Paths, t.Turns} {
		w.Uint(uint64(len(lists)))
		for _, x := range lists {
			w.Ints(x)
		}
	}
	for _, x := range [...][]float64{t.Up, t.Visits, t.Matrix} {
		w.Floats(x)
	}
}

// leastTravel is the least number of bytes of an encoded travel.
const leastTravel = 11

func readTravel(r *wire.Reader) (t Travel) {
	for range r.Length(1) {
		t.Methods = append(t.Methods, r.String())
	}
	for _, x := range [...]*int{&t.Chains, &t.Steps, &t.Total, &t.Every} {
		*x = r.Int()
	}
	t.Trips = r.Ints()
	for _, lists := range [...]*[][]int32{&t.Paths, &t.Turns} {
		for range r.Length(1) {
			*lists = append(*lists, r.Ints())
		}
	}
	for _, x := range [...]*[]float64{&t.Up, &t.Visits, &t.Matrix} {
		*x = r.Floats()
	}
	n := t.Size()
	if r.Err == nil && (len(t.Trips) > maxPaths || len(t.Paths) != len(t.Trips) || !fits(len(t.Turns), len(t.Paths)) ||
		len(t.Paths) > 0 && t.Every < 1 || len(t.Up) > maxRungs || len(t.Visits) > maxRungs ||
		n > MaxOverlap || n*n != len(t.Matrix)) {
		r.Fail()
	}
	return t
}

// Size is the number of rows of Matrix.
func (t *Travel) Size() (n int) {
	for n*n < len(t.Matrix) && n <= MaxOverlap {
		n++
	}
	return n
}

func (g *Guess) append(w *wire.Writer) {
	w.Float(g.Sweeps)
	for _, x := range [...][]float64{g.LogZ, g.LogC, g.Counts} {
		w.Floats(x)
	}
}

// leastGuess is the least number of bytes of an encoded guess.
const leastGuess = 11

func readGuess(r *wire.Reader) (g Guess) {
	g.Sweeps = r.Float()
	for _, x := range [...]*[]float64{&g.LogZ, &g.LogC, &g.Counts} {
		*x = r.Floats()
	}
	if n := len(g.LogZ); n > maxRungs || !fits(len(g.LogC), n) || !fits(len(g.Counts), n) {
		r.Fail()
	}
	return g
}

package frame

import (
	"math"

	"logzlab/core/wire"
)

// Growth describes a resample-move run, which adds one coordinate to all particles in each stage: the number of
// coordinates so far, the ancestry of particles, and a record of the stages.
//
// The Phase of such a frame is the last operation on the rows: "init", "move", "smooth", "generate", "resample" or
// "augment". In "generate", rows from R on are new.
type Growth struct {
	Stage, Stages int // stage n of N
	R             int // number of particles after resampling
	// Parents has, for each row of the lane, the row of the lane's previous frame that it descends from, -1 for a new
	// row; empty if every row continues itself. There are at least N and at most MaxLines entries; only N rows have a
	// picture. Rows generated beyond R may be omitted; the children of an omitted row then descend from the row that it
	// was copied from. The previous frame may have had more rows or fewer.
	Parents []int32
	// Threshold is the ratio of effective sample size to number of particles below which the method arm adds particles
	// and the method rm resamples them.
	Threshold float32
	// Batches has the numbers of particles of the current stage by batch: the initial particles, then the particles of
	// each generate step. Empty once the weights of the stage have been averaged.
	Batches []int32
	// Record has an entry for every stage whose weights have been averaged.
	Record []StageRecord
	// Exact has the exact log Z_1..log Z_Stages (nats), NaN if unknown; empty if none is known.
	Exact []float64
	// Cell has the picture cell of each coordinate in their order; empty if coordinate n is cell n or there is no picture.
	Cell []int32
}

// StageRecord describes the step from stage n to n+1.
type StageRecord struct {
	N         int
	Batches   []int32 // numbers of particles by batch, as in Growth.Batches
	ESS       float32 // effective sample size of the weights
	Gamma     float32 // ESS divided by the number of particles
	Resampled bool
	LogZ      float64 // log Z_{n+1} (nats)
}

// Latent has the random functions of a classifier, as values on a grid and as probabilities of labels at the data. Data
// are added one by one; the first Growth.Stage data are present.
type Latent struct {
	D      int       // dimensions of X that are shown: 1 or 2; 0 for pictures only
	X      []float32 // data in order of arrival, D each
	Label  []int32   // -1 or 1
	X0, X1 float32   // range of the grid, and of the second coordinate
	Y0, Y1 float32
	// The grid has GW x GH points (GH = 1 if D = 1). For D = 1, Values has a row of GW*GH latent values for each particle
	// shown. Mean is the weighted mean of the probability of label 1.
	GW, GH int
	Values []float32
	Mean   []float32
	// Pictures of the data, W x H cells of 0..255 each; empty if the data are no pictures.
	W, H     int
	Pictures []byte
	// ProbAtData is the probability of label 1 at each datum present.
	ProbAtData []float32
}

// MaxLines is the largest number of rows whose parents a frame lists. It exceeds the largest number of particles of an
// island.
const MaxLines = 1 << 17

const (
	maxStages  = 1 << 13
	maxBatches = 1 << 10
	maxGrid    = 1 << 12
)

// ExactAt returns the exact log Z_n (nats), NaN if unknown.
func (g *Growth) ExactAt(n int) float64 {
	if n < 1 || n > len(g.Exact) {
		return math.NaN()
	}
	return g.Exact[n-1]
}

func (g *Growth) append(w *wire.Writer) {
	w.Bool(g != nil)
	if g == nil {
		return
	}
	for _, x := range [...]int{g.Stage, g.Stages, g.R} {
		w.Int(x)
	}
	writeParents(w, g.Parents)
	w.Float32(g.Threshold)
	w.Uint(uint64(len(g.Record)))
	for i := range g.Record {
		s := &g.Record[i]
		w.Int(s.N)
		w.Int32s(s.Batches)
		w.Float32(s.ESS)
		w.Float32(s.Gamma)
		w.Bool(s.Resampled)
		w.Float(s.LogZ)
	}
	w.Floats(g.Exact)
	w.Int32s(g.Cell)
	w.Int32s(g.Batches)
}

// writeParents writes the number of rows, then runs of rows whose parents have the same offset (or no parent, -1): the
// length of each run and the offset of its first parent from its first row. Most rows descend from themselves, so most
// frames have one run.
func writeParents(w *wire.Writer, x []int32) {
	w.Uint(uint64(len(x)))
	for i, j := 0, 0; i < len(x); i = j {
		for j = i + 1; j < len(x) && (x[i] < 0 && x[j] == x[i] || x[i] >= 0 && int(x[j]) == int(x[i])+j-i); j++ {
		}
		w.Uint(uint64(j - i))
		w.Int(int(x[i]) - i)
	}
}

// readParents decodes at most MaxLines rows, whatever the encoding claims.
func readParents(r *wire.Reader) []int32 {
	n := r.Uint()
	if n > MaxLines {
		r.Fail()
		return nil
	}
	var x []int32
	for len(x) < int(n) {
		run, p := r.Uint(), r.Int()
		if run == 0 || run > n-uint64(len(x)) || p > MaxLines {
			r.Fail()
			return nil
		}
		step := int32(1)
		if p += len(x); p == -1 {
			step = 0
		}
		if p < -1 || p+int(run) > MaxLines { // the frame before may have had more rows
			r.Fail()
			return nil
		}
		for k := range int32(run) {
			x = append(x, int32(p)+k*step)
		}
	}
	return x
}

// minRecordBytes is the smallest size of an encoded StageRecord.
const minRecordBytes = 19

func readGrowth(r *wire.Reader, rows int) *Growth {
	if !r.Bool() {
		return nil
	}
	g := &Growth{}
	for _, x := range [...]*int{&g.Stage, &g.Stages, &g.R} {
		*x = r.Int()
	}
	g.Parents = readParents(r)
	g.Threshold = r.Float32()
	for range r.Length(minRecordBytes) {
		s := StageRecord{N: r.Int(), Batches: r.Int32s(), ESS: r.Float32(), Gamma: r.Float32(), Resampled: r.Bool(),
			LogZ: r.Float()}
		if len(s.Batches) > maxBatches {
			r.Fail()
		}
		g.Record = append(g.Record, s)
	}
	g.Exact = r.Floats()
	g.Cell = r.Int32s()
	g.Batches = r.Int32s()
	if r.Err == nil && !g.ok(rows) {
		r.Fail()
	}
	return g
}

// ok reports whether lengths and numbers are consistent.
func (g *Growth) ok(rows int) bool {
	if g.Stage < 0 || g.Stage > g.Stages || g.Stages > maxStages || g.R < 0 || len(g.Record) > maxStages ||
		len(g.Cell) > maxStages || len(g.Batches) > maxBatches || len(g.Parents) > 0 && len(g.Parents) < rows ||
		!validLen(len(g.Exact), g.Stages) {
		return false
	}
	for i, s := range g.Record {
		if s.N < 0 || s.N > g.Stages || i > 0 && s.N <= g.Record[i-1].N {
			return false
		}
	}
	return true
}

func (l *Latent) append(w *wire.Writer) {
	w.Bool(l != nil)
	if l == nil {
		return
	}
	for _, x := range [...]int{l.D, l.GW, l.GH, l.W, l.H} {
		w.Int(x)
	}
	for _, x := range [...]float32{l.X0, l.X1, l.Y0, l.Y1} {
		w.Float32(x)
	}
	for _, x := range [...][]float32{l.X, l.Values, l.Mean, l.ProbAtData} {
		w.Float32s(x)
	}
	w.Int32s(l.Label)
	w.Bytes(l.Pictures)
}

func readLatent(r *wire.Reader, rows int) *Latent {
	if !r.Bool() {
		return nil
	}
	l := &Latent{}
	for _, x := range [...]*int{&l.D, &l.GW, &l.GH, &l.W, &l.H} {
		*x = r.Int()
	}
	for _, x := range [...]*float32{&l.X0, &l.X1, &l.Y0, &l.Y1} {
		*x = r.Float32()
	}
	for _, x := range [...]*[]float32{&l.X, &l.Values, &l.Mean, &l.ProbAtData} {
		*x = r.Float32s()
	}
	l.Label = r.Int32s()
	l.Pictures = r.Bytes()
	if r.Err == nil && !l.ok(rows) {
		r.Fail()
	}
	return l
}

// ok reports whether lengths and numbers are consistent.
func (l *Latent) ok(rows int) bool {
	n := len(l.Label)
	small := func(x int) bool { return x >= 0 && x <= maxGrid }
	return l.D >= 0 && l.D <= 2 && small(l.GW) && small(l.GH) && small(l.W) && small(l.H) &&
		len(l.X) == n*l.D && validLen(len(l.Values), rows*l.GW*l.GH) && validLen(len(l.Mean), l.GW*l.GH) &&
		validLen(len(l.Pictures), n*l.W*l.H) && len(l.ProbAtData) <= n
}

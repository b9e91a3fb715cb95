package frame

import "logzlab/core/wire"

// Frame is one picture of a run. Empty fields mean "does not apply"; a scene
// draws every estimator that fills the fields it needs.
type Frame struct {
	Model  string // name shown to people
	Method string // URL name of the estimator
	Phase  string // what the lane does now: "forward", "reverse", "initial 3", "final", ...
	Step   int    // sweeps done in this phase
	Steps  int    // sweeps planned in this phase

	// Rows of one lane. First is the slot of row 0; N their number; Total the
	// rows of the whole run.
	First, N, Total int
	// Pictures: each row is W x H cells in Pixels (N*W*H long, row after row):
	// 0 off, 1 on, 2 absent. Empty for models without a picture.
	W, H   int
	Pixels []byte
	// Shades are the probability of each cell of Pixels to be on, given the hidden units of its row, 255 for 1; empty for
	// rows without.
	Shades []byte
	// Points: two coordinates of each row (2N long), for models in R^d.
	Points []float32
	Beta   []float32 // inverse temperature of each row
	Rung   []int32   // index on the ladder of each row
	LogW   []float32 // log weight of each row (nats)
	// Parents is the row of an earlier frame of the lane (Weighing.Before) that each row descends from, where rows were
	// resampled between the two; empty: every row continues itself. There are at least N entries and at most MaxLines.
	// Runs with Growth tell it there.
	Parents []int32
	Rungs   int // rungs on the ladder

	// Curves: the estimate of each method against its cost.
	Curves []Curve
	// Truth is the exact log Z where HasTruth.
	Truth    float64
	HasTruth bool

	// Field is the density of a model in the plane: sent once a run.
	Field *Field
	// Ladders: the estimates of each method at its rungs, newest last; earlier ones of a
	// method are its initial iterations. They come with the Curves.
	Ladders []Ladder
	// Travels tell how the chains of each tempering run went over its ladder. They come with the Curves.
	Travels []Travel
	// Path is what schedules of a method mean on its way from base to target.
	Path *Path
	// Plan is how often a tempering run is to visit its rungs.
	Plan *Plan
	// Noise is what noise in estimated likelihoods costs.
	Noise *Noise
	// Means are how often each unit is on.
	Means *Means

	// Weighing is set by runs that weigh and resample particles, in frames that tell their Parents.
	Weighing *Weighing
	// Graph is the graph that rows are states of. It comes from the page.
	Graph *Graph
	// Unresampled comes from the page: the weights of particles that are never resampled.
	Unresampled *Unresampled
	// Growth and Latent are set by runs that form their particles step by step.
	Growth *Growth
	Latent *Latent
	// Training is set by runs that train a machine.
	Training *Training

	// Parameters are the rows by their coordinates; Flow comes with them now and then.
	Parameters *Parameters
	Flow       *Flow
}

// Curve is one method's history.
type Curve struct {
	Method string
	Run    int // methods with the same number read one run, at one cost
	Points []Point
	Course []Course
}

// Course is where estimates of a method stood after equal work, for a race: the middle one of its replicates, and the
// range of most of them; of a single run its estimate and error bar.
type Course struct {
	Sweeps       float64 // of one run
	LogZ         float64 // nats
	Lower, Upper float64
	Off          float64 // root mean square distance to the exact value, or the error bar where that is not known; nats
}

// Point is an estimate at a cost. NaN marks what is not known.
type Point struct {
	Sweeps       float64 // total chain-sweeps spent
	LogZ, SE     float64 // nats
	Lower, Upper float64 // sandwich, nats
	Final        bool    // false: provisional
}

// Append encodes f at the end of b.
func (f *Frame) Append(b []byte) []byte {
	w := wire.Writer{B: b}
	w.String(f.Model)
	w.String(f.Method)
	w.String(f.Phase)
	for _, x := range [...]int{f.Step, f.Steps, f.First, f.N, f.Total, f.W, f.H, f.Rungs} {
		w.Int(x)
	}

	// The rows: pictures or points, temperatures, weights and parents.
	w.Bytes(f.Pixels)
	w.Bytes(f.Shades)
	w.Float32s(f.Points)
	w.Float32s(f.Beta)
	w.Ints(f.Rung)
	w.Float32s(f.LogW)
	writeParents(&w, f.Parents)

	// The curves of log Z.
	w.Uint(uint64(len(f.Curves)))
	for _, c := range f.Curves {
		w.String(c.Method)
		w.Int(c.Run)
		w.Uint(uint64(len(c.Points)))
		for _, p := range c.Points {
			for _, x := range [...]float64{p.Sweeps, p.LogZ, p.SE, p.Lower, p.Upper} {
				w.Float(x)
			}
			w.Bool(p.Final)
		}
		w.Uint(uint64(len(c.Course)))
		for _, p := range c.Course {
			for _, x := range [...]float64{p.Sweeps, p.LogZ, p.Lower, p.Upper, p.Off} {
				w.Float(x)
			}
		}
	}

	// The truth, the density in the plane, and ladders.
	w.Float(f.Truth)
	w.Bool(f.HasTruth)
	f.Field.append(&w)
	w.Uint(uint64(len(f.Ladders)))
	for i := range f.Ladders {
		f.Ladders[i].append(&w)
	}
	w.Uint(uint64(len(f.Travels)))
	for i := range f.Travels {
		f.Travels[i].append(&w)
	}

	// What panels show.
	f.Path.append(&w)
	f.Plan.append(&w)
	f.Noise.append(&w)
	f.Means.append(&w)
	f.Graph.append(&w)
	f.Weighing.append(&w)
	f.Unresampled.append(&w)
	f.Growth.append(&w)
	f.Latent.append(&w)
	f.Training.append(&w)
	f.Parameters.append(&w)
	f.Flow.append(&w)
	return w.B
}

// Decode reads a frame; a damaged one is an error, never a panic. Pixels and Shades view b.
func Decode(b []byte) (*Frame, error) {
	r := wire.Reader{B: b}
	f := &Frame{Model: r.String(), Method: r.String(), Phase: r.String()}
	for _, x := range [...]*int{&f.Step, &f.Steps, &f.First, &f.N, &f.Total, &f.W, &f.H, &f.Rungs} {
		*x = r.Int()
	}

	// The rows: pictures or points, temperatures, weights and parents.
	f.Pixels = r.Bytes()
	f.Shades = r.Bytes()
	f.Points = r.Float32s()
	f.Beta = r.Float32s()
	f.Rung = r.Ints()
	f.LogW = r.Float32s()
	f.Parents = readParents(&r)

	// The curves of log Z.
	f.Curves = make([]Curve, r.Length(4))
	for i := range f.Curves {
		f.Curves[i].Method = r.String()
		f.Curves[i].Run = r.Int()
		f.Curves[i].Points = make([]Point, r.Length(41))
		for j := range f.Curves[i].Points {
			p := &f.Curves[i].Points[j]
			for _, x := range [...]*float64{&p.Sweeps, &p.LogZ, &p.SE, &p.Lower, &p.Upper} {
				*x = r.Float()
			}
			p.Final = r.Bool()
		}
		for range r.Length(40) {
			f.Curves[i].Course = append(f.Curves[i].Course, Course{Sweeps: r.Float(), LogZ: r.Float(), Lower: r.Float(),
				Upper: r.Float(), Off: r.Float()})
		}
	}

	// The truth, the density in the plane, and ladders.
	f.Truth = r.Float()
	f.HasTruth = r.Bool()
	f.Field = readField(&r)
	for range r.Length(least) {
		f.Ladders = append(f.Ladders, readLadder(&r))
	}
	for range r.Length(leastTravel) {
		f.Travels = append(f.Travels, readTravel(&r))
	}

	// What panels show.
	f.Path = readPath(&r)
	f.Plan = readPlan(&r)
	f.Noise = readNoise(&r)
	f.Means = readMeans(&r)
	f.Graph = readGraph(&r)
	rows := min(max(f.N, 0), 1<<20)
	f.Weighing = readWeighing(&r)
	f.Unresampled = readUnresampled(&r)
	f.Growth = readGrowth(&r, rows)
	f.Latent = readLatent(&r, rows)
	f.Training = readTraining(&r)
	f.Parameters = readParameters(&r, rows)
	f.Flow = readFlow(&r)

	// Damage: numbers must fit each other.
	if r.Err != nil {
		return nil, r.Err
	}
	if len(f.Ladders) > maxLadders || len(f.Travels) > maxTravels ||
		f.N < 0 || f.W < 0 || f.H < 0 || f.N > 1<<20 || f.W > 1<<12 || f.H > 1<<12 ||
		!fits(len(f.Pixels), f.N*f.W*f.H) || !fits(len(f.Shades), len(f.Pixels)) ||
		!fits(len(f.Points), 2*f.N) || !fits(len(f.Beta), f.N) || !fits(len(f.Rung), f.N) || !fits(len(f.LogW), f.N) ||
		len(f.Parents) > 0 && (f.N == 0 || len(f.Parents) < f.N) {
		return nil, wire.ErrShort
	}
	return f, nil
}

// fits reports whether an optional per-row field is absent or complete.
func fits(have, want int) bool { return have == 0 || have == want }

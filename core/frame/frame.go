package frame

import "logzlab/core/wire"

// Frame is a snapshot of a run. A field that does not apply to the method is empty; a scene of the picture draws every
// method that sets the fields that the scene needs.
type Frame struct {
	Model  string // displayed name
	Method string // name of the method in links
	Phase  string // current phase of the lane: "forward", "reverse", "initial 3", "final", ...
	Step   int    // number of sweeps completed in this phase
	Steps  int    // number of sweeps planned in this phase

	// Rows of one lane, each a chain or a particle: First is the number of row 0 in the run, N the number of rows, Total
	// the number of rows of the whole run.
	First, N, Total int
	// Pixels has W x H cells for each row (length N*W*H): 0 off, 1 on, 2 absent. Empty for models without a picture.
	W, H   int
	Pixels []byte
	// Shades has the probability that each cell of Pixels is on, given the hidden units of its row, times 255; empty if
	// unknown.
	Shades []byte
	// Points has two coordinates of each row (length 2N), for models in R^d.
	Points []float32
	Beta   []float32 // inverse temperature of each row
	Rung   []int32   // rung of each row
	LogW   []float32 // log weight of each row (nats)
	// Parents has, for each row, the row that it descends from in an earlier frame of the lane (number
	// Weighing.ParentFrame), if rows were resampled between the two frames; empty if every row continues itself. There
	// are at least N and at most MaxLines entries. Runs with Growth use Growth.Parents instead.
	Parents []int32
	Rungs   int // number of rungs of the ladder

	// Curves has the estimates of each method against cost.
	Curves []Curve
	// Truth is the exact log Z, if HasTruth.
	Truth    float64
	HasTruth bool

	// Field is the density of a model in the plane, sent once for each run.
	Field *Field
	// Ladders has the estimates of each method at its rungs, newest last; the ladders before the last are of initial
	// iterations. They are sent with the Curves.
	Ladders []Ladder
	// Travels has the movement of the chains of each tempering run on its ladder. It is sent with the Curves.
	Travels []Travel
	// Path has schedules and statistics of a method's path from base to target.
	Path *Path
	// Plan has the planned frequencies of visits of a tempering run to its rungs.
	Plan *Plan
	// Noise has the cost of noise in estimated likelihoods.
	Noise *Noise
	// Means has the probability of each unit to be on.
	Means *Means

	// Weighing is set by runs that weigh and resample particles.
	Weighing *Weighing
	// Graph is the graph of the model, set by the page.
	Graph *Graph
	// Unresampled has the weights of particles that are never resampled, set by the page.
	Unresampled *Unresampled
	// Growth and Latent are set by runs that form their particles step by step.
	Growth *Growth
	Latent *Latent
	// Training is set by training runs.
	Training *Training

	// Chain has the last moves of the first chain of the run.
	Chain *Chain
	// Parameters has the coordinates of the rows; Flow is sent with some of them.
	Parameters *Parameters
	Flow       *Flow
}

// Curve has the estimates of one method during a run.
type Curve struct {
	Method string
	Run    int // methods with the same number share a run and its cost
	Points []Point
	Course []Course
}

// Course summarises a method's estimates after a given number of sweeps: the median of its replicates and an interval
// with most of them; for a single run, its estimate and the ends of its error bar.
type Course struct {
	Sweeps       float64 // sweeps of one run
	LogZ         float64 // nats
	Lower, Upper float64
	Error        float64 // root mean square error, or the error bar if the exact value is unknown; nats
}

// Point is an estimate at a cost. Unknown values are NaN.
type Point struct {
	Sweeps       float64 // total chain-sweeps spent
	LogZ, SE     float64 // nats
	Lower, Upper float64 // sandwich, nats
	Final        bool    // false: provisional
}

// Append appends the encoding of f to b.
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
	w.Int32s(f.Rung)
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
			for _, x := range [...]float64{p.Sweeps, p.LogZ, p.Lower, p.Upper, p.Error} {
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

	// Parts with their own codecs.
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
	f.Chain.append(&w)
	return w.B
}

// Decode decodes a frame. It returns an error, and never panics, if b is corrupt. Pixels and Shades alias b.
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
	f.Rung = r.Int32s()
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
				Upper: r.Float(), Error: r.Float()})
		}
	}

	// The truth, the density in the plane, and ladders.
	f.Truth = r.Float()
	f.HasTruth = r.Bool()
	f.Field = readField(&r)
	for range r.Length(minLadderBytes) {
		f.Ladders = append(f.Ladders, readLadder(&r))
	}
	for range r.Length(minTravelBytes) {
		f.Travels = append(f.Travels, readTravel(&r))
	}

	// Parts with their own codecs.
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
	f.Chain = readChain(&r)

	// Lengths and sizes must be consistent.
	if r.Err != nil {
		return nil, r.Err
	}
	if len(f.Ladders) > maxLadders || len(f.Travels) > maxTravels ||
		f.N < 0 || f.W < 0 || f.H < 0 || f.N > 1<<20 || f.W > 1<<12 || f.H > 1<<12 ||
		!validLen(len(f.Pixels), f.N*f.W*f.H) || !validLen(len(f.Shades), len(f.Pixels)) ||
		!validLen(len(f.Points), 2*f.N) || !validLen(len(f.Beta), f.N) || !validLen(len(f.Rung), f.N) ||
		!validLen(len(f.LogW), f.N) ||
		len(f.Parents) > 0 && (f.N == 0 || len(f.Parents) < f.N) {
		return nil, wire.ErrDamaged
	}
	return f, nil
}

// validLen reports whether an optional field is absent or has the required length.
func validLen(have, want int) bool { return have == 0 || have == want }

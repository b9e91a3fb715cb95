package resamplemove

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/models"
)

// resampleMove is the run of all these methods: islands, each a lane with its own particles, go through the stages of a
// model ([ARM] Algorithms 1 and 2). A round takes every island through some stages. The partial of a lane is its record
// (island), the state the record and the particles.
type resampleMove struct {
	estimators.Config
	name string
	seq  models.Sequence
	n    int // number of stages N
	params
	rule      batchRule // chooses generated particles
	mean      bool      // log Z is the mean of log Zhat over islands, else the log of the mean of Zhat
	maxGrowth float64   // largest number of particles of an island at once, in units of R

	rough        models.AbsentFiller // the model, if rough samples determine the sequence, else nil
	samples      [][]byte            // the rough samples, by lane of their round
	pilot        bool                // the pilot is running
	sizes        []int32             // particles of each stage; nil: R
	from         int                 // next stage
	known        []*island
	pilotRecords []*island // records of the pilot
}

// maxStages is the largest number of stages.
const maxStages = 1 << 13

// newResampleMove makes the run of a method from its parameters.
func newResampleMove(c estimators.Config, name string) (*resampleMove, error) {
	f := &resampleMove{Config: c, name: name, from: 1, maxGrowth: 1}
	c.Values.Fill(&f.params)
	if f.MinESS < 0 {
		f.MinESS = f.Gamma
	}
	can := models.CapabilitiesOf(c.Model).GrowingSpaces
	if can.NoSequence != nil {
		return nil, can.NoSequence
	}
	if f.seq = can.Sequence; f.seq == nil {
		return nil, problem.New("the method %s grows a model unit by unit; a model of kind %s cannot be grown so: "+
			"choose a method that goes through temperatures", name, c.Model.Info().Kind)
	}

	// Coordinates not yet present: the sequence comes from rough samples, or they are filled in.
	if can.Absent != nil && f.Absent == models.Sampled {
		f.rough = can.Absent
	} else if can.Absent != nil {
		f.seq = can.Absent.Fill(f.Absent)
	}
	if f.n = f.seq.Stages(); f.n > maxStages {
		return nil, problem.New("the method %s grows a model by at most %d units; this model has %d: "+
			"choose a method that goes through temperatures",
			name, maxStages, f.n)
	}

	// A batch of arm-anticipate has at most 2 R particles.
	most := float64(f.Particles) * float64(1+2*f.IMax)
	if most > 1<<estimators.IslandBits {
		return nil, problem.New("%s: particles = %d with i_max = %d may make %.0f particles in a group; at most %d "+
			"fit: lower one of them", name, f.Particles, f.IMax, most, 1<<estimators.IslandBits)
	}
	return f, nil
}

// params are the parameters of these methods; 0 if a method lacks the parameter.
type params struct {
	Particles      int     `param:"particles"` // R
	Islands        int     `param:"islands"`
	Moves          int     `param:"moves"`
	Resample       string  `param:"resample"` // scheme of core/num/resample
	MinESS         float64 `param:"ess"`      // resample below this ratio of ESS to particles
	Gamma          float64 `param:"gamma"`    // generate below this ratio of ESS to particles; 0: never
	IMax           int     `param:"i_max"`
	DiscardInitial bool    `param:"discard_initial"` // drop the first batch if others are generated
	ExtraCopies    bool    `param:"extra_copies"`    // one copy more of each particle of large weight
	ReseedSweeps   int     `param:"reseed_sweeps"`   // sweeps of each new particle
	Absent         string  `param:"absent"`
}

// Parameters of several of these methods.
var (
	paramParticles = estimators.MainParam("particles", "400", 1, 1e5, "Number R of particles in a group.")
	paramIslands   = estimators.IslandsParam("12")
	paramMoves     = estimators.IntParam("moves", "3", 0, 1e4,
		"Kernel applications to each particle at a stage; with absent = sampled only where the new units weigh enough. "+
			"Without any (0), copies stay equal.")
	paramAbsent = spec.Param{Name: "absent", Type: "choice", Default: models.Sampled, Choices: models.AbsentValues,
		For: spec.Fills, Help: "How the units of an RBM that are not present yet act on its hidden units: by weights that " +
			"fit samples of a short run, which also orders the units (sampled), not at all (off, as in the paper), by their " +
			"base rates (rates), or by rates that mean-field theory makes of those (mean-field)."}
)

// particles returns the number of particles at the beginning of stage n.
func (f *resampleMove) particles(n int) int {
	if n <= len(f.sizes) {
		return int(f.sizes[n-1])
	}
	return f.Particles
}

func (f *resampleMove) Sweeps() float64 {
	return float64(f.Islands) * float64(f.Moves) * float64((f.n-1)*f.Particles)
}

// A unit makes about unitWork particle-sweeps, in at most unitStages stages.
const (
	unitWork   = 100000
	unitStages = 64
)

// nextStages returns the next round, which takes every island through some stages.
func (f *resampleMove) nextStages(states [][]byte) *estimators.Round {
	from := f.from
	moves := max(f.Moves, 1)
	n := min(max(unitWork/(moves*f.Particles), 1), unitStages)
	if f.RoundSweeps > 0 {
		n = max(f.RoundSweeps/moves, 1)
	}
	f.from = min(from+n, f.n)
	var w wire.Writer
	w.Int(from)
	w.Int(f.from)
	w.Bool(f.pilot)
	w.Int32s(f.sizes)
	w.Uint(uint64(len(f.samples)))
	for _, b := range f.samples {
		w.Bytes(b)
	}
	round := &estimators.Round{Name: "growing", Plan: w.B, Lanes: f.Islands, States: states, Time: f.time(from, f.from),
		Sweeps: float64(f.Islands*f.Moves) * float64((f.from-from)*f.Particles)}
	if f.pilot {
		round.Name = "pilot"
		round.Sweeps *= float64(pilotParticles(f.Particles)) / float64(f.Particles)
	}
	return round
}

func (f *resampleMove) Next(partials, states [][]byte) (*estimators.Round, error) {
	if partials != nil {
		f.known = readIslands(partials)
		if f.from == f.n {
			return nil, nil
		}
	}
	return f.nextStages(states), nil
}

func (f *resampleMove) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) { f.newLane(u).run(yield) }
}

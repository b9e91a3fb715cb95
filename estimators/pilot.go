package estimators

import (
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/core/spec"
)

// piloted is a run whose schedule comes from a pilot: a cheap annealing pass with random numbers of its own learns how
// hard each part of the path is (schedule.Learn); then the run begins, on the ladder that is made of it ([VAROPT]
// Algorithm 2). The pilot's ladder is linear as there, with as many rungs again that crowd towards 0: a posterior is
// often far from its prior, and on a linear ladder all chains but one would lose their weight in the first step.
type piloted struct {
	Config
	make  func(Config) (Method, error)
	pilot *anneal
	run   Method // on a linear ladder until the pilot is over
	over  bool
	coded []byte // the pilot's findings, which every lane of the run needs for its ladder
	seen  int    // lanes of the pilot in found
	found *schedule.Pilot
}

// Chains of a pilot, and the steps of the linear half of its ladder.
const (
	pilotChains = 100
	pilotSteps  = 150
)

// pilotLadder has the rungs i/n, and (i/n)^5 between them.
func pilotLadder() (out []float64) {
	for i := range pilotSteps + 1 {
		x := float64(i) / pilotSteps
		out = append(out, x)
		if i > 0 && i < pilotSteps {
			out = append(out, float64(float64(x*x)*float64(x*x))*x)
		}
	}
	slices.Sort(out)
	return out
}

const pilotRound = "pilot"

// workPilot is added to the work of the pilot's rounds.
const workPilot Work = 1 << 9

// Piloted is a run that begins with a pilot, and tells what it finds while it goes on.
type Piloted interface {
	Found(partials [][]byte) *schedule.Pilot
}

// scheduled makes a run, with a pilot if its schedule needs one.
func scheduled(make func(Config) (Method, error)) func(Config) (Method, error) {
	return func(c Config) (Method, error) {
		if !schedule.Learned(c.Values["schedule"]) {
			return make(c)
		}
		return afterPilot(c, schedule.Unknown, make)
	}
}

// afterPilot is a run that needs a pilot. guess stands for its findings where the run is planned before it.
func afterPilot(c Config, guess *schedule.Pilot, make func(Config) (Method, error)) (Method, error) {
	p := &piloted{Config: c, make: make}
	p.Pilot = guess
	run, err := make(p.Config)
	if err != nil {
		return nil, err
	}
	p.run = run
	c.Key[1]++
	c.Readers = nil
	c.Values = spec.Values{"chains": strconv.Itoa(pilotChains), "sweeps": "1"}
	p.pilot = c.annealAlong(pilotLadder())
	return p, nil
}

func (p *piloted) Next(partials, states [][]byte) (*Round, error) {
	if !p.over {
		r, err := p.pilot.Next(partials, states)
		if err != nil || r != nil {
			if r != nil {
				r.Name, r.Work = pilotRound, r.Work|workPilot
			}
			return r, err
		}
		p.over, partials, states = true, nil, nil
		found := p.learn()
		var w frame.Writer
		appendPilot(&w, found)
		if err := p.begin(w.B); err != nil {
			return nil, err
		}
		p.Pilot.Raw = found.Raw
	}
	r, err := p.run.Next(partials, states)
	if err != nil || r == nil {
		return nil, err
	}
	var w frame.Writer
	w.Bytes(p.coded)
	r.Plan = append(w.B, r.Plan...)
	return r, nil
}

// learn reads the works of the pilot's chains at every rung.
func (p *piloted) learn() *schedule.Pilot {
	rows := p.pilot.known.rows()
	found := schedule.Learn(p.pilot.ladder, rows, schedule.Kept(p.Values["schedule"]))
	found.Lags = schedule.Lags(p.pilot.ladder, rows)
	return found
}

// Found is what the chains of the pilot that are done have found, for pictures; nil where that is nothing yet, and when
// the pilot is over.
func (p *piloted) Found(partials [][]byte) *schedule.Pilot {
	a := p.pilot
	if p.over || a.stage != annealForward || a.from < len(a.ladder) {
		return nil
	}
	if way := a.merge(partials); len(way) > p.seen {
		p.seen = len(way)
		known := AnnealRecord{Betas: a.known.Betas, LogW: way}
		if p.found = schedule.Learn(a.ladder, known.rows(), 0); slices.Max(p.found.Var) == 0 {
			p.found = nil
		}
	}
	return p.found
}

// begin makes the run on the ladder that a pilot's findings give.
func (p *piloted) begin(coded []byte) (err error) {
	p.coded, p.Pilot = coded, readPilot(&frame.Reader{B: coded})
	p.run, err = p.make(p.Config)
	return err
}

func (p *piloted) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		lane, plan, work := p.pilot.Lane, u.Plan, u.Work
		defer func() { u.Plan, u.Work = plan, work }()
		if u.Work &^= workPilot; u.Work == work {
			r := frame.Reader{B: plan}
			coded := r.Bytes()
			must(&r)
			if string(coded) != string(p.coded) { // in a worker, which had no fold
				if err := p.begin(coded); err != nil {
					panic(err)
				}
			}
			lane, u.Plan = p.run.Lane, r.B
		}
		for f := range lane(u) {
			if !yield(f) {
				return
			}
		}
	}
}

// Estimate adds what the pilot cost and found to the results of the run.
func (p *piloted) Estimate(peeked [][]byte) []*Result {
	if !p.over {
		return nil
	}
	results := p.run.Estimate(peeked)
	if results == nil {
		return nil
	}
	predicted := math.NaN() // where runs choose their ladders themselves
	if ladder, err := p.ladder(); err == nil {
		predicted = schedule.Predicted(p.Pilot.Betas, p.Pilot.Var, ladder)
	}
	spent := p.pilot.Sweeps()
	out := make([]*Result, len(results))
	for i, r := range results {
		with := *r // a run may give the same result again
		with.Diagnostics = maps.Clone(r.Diagnostics)
		with.Sweeps += spent
		with.Evaluations += 2 * float64(pilotChains*(len(p.pilot.ladder)-1))
		with.learned(p.Pilot, predicted)
		out[i] = &with
	}
	return out
}

func (p *piloted) Sweeps() float64 { return p.pilot.Sweeps() + p.run.Sweeps() }

func (p *piloted) Need() Need { return p.run.Need().and(p.pilot.Need()) }

// learned reports what is known of the path: F of the linear and of the optimal schedule, which are k-1 times
// Var(log w) of annealing with perfect moves at k temperatures ([VAROPT] Theorem 1), and, where the estimate is made of
// such weights, the variance that is to be expected of them on the ladder of the run.
func (r *Result) learned(p *schedule.Pilot, predicted float64) {
	r.Learned = p
	linear, optimal := schedule.Functionals(p.Betas, p.Var)
	r.diagnose(DiagPathLinear, linear)
	r.diagnose(DiagPathOptimal, optimal)
	if _, ok := r.Diagnostics[DiagVarLogWeight]; ok && predicted == predicted {
		r.diagnose(DiagVarPredicted, predicted)
		r.diagnose(DiagESSPredicted, float64(r.Diagnostics[DiagChains]*num.Exp(-predicted)))
	}
}

func appendPilot(w *frame.Writer, p *schedule.Pilot) {
	for _, y := range [][]float64{p.Betas, p.Mean, p.Var, p.Steps, p.Lags} {
		w.Floats(y)
	}
	w.Float(p.Lag)
}

func readPilot(r *frame.Reader) *schedule.Pilot {
	p := &schedule.Pilot{}
	for _, y := range []*[]float64{&p.Betas, &p.Mean, &p.Var, &p.Steps, &p.Lags} {
		*y = r.Floats()
	}
	p.Lag = r.Float()
	must(r)
	return p
}

package smc

import (
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/wire"
)

// What an island shows and records of its way. No particle depends on it.

// observe shows the particles after a phase at a rung, or after move t of it. ess is the effective sample size of their
// weights as a share of the particles.
func (l *lane) observe(phase string, t int, ess float64) bool {
	x := l.v.Weighing
	x.Phase, x.ESS, x.LogZ = phase, float32(ess), l.logZ+l.Model.LogZ0()
	switch phase {
	case frame.PhaseResample:
		t = 1
	case frame.PhaseMove:
		t += 2
	case frame.PhaseGenerate: // in the place of the last move
		t = l.moves + 1
	}
	return l.yield(l.v.Show(l.rung*l.frames() + t))
}

// end shows the particles as the last phase left them, in the last frame of a rung.
func (l *lane) end() bool { return l.yield(l.v.Show(l.lastFrame())) }

func (l *lane) lastFrame() int { return (l.rung+1)*l.frames() - 1 }

// observeBatch shows the last of several batches, with its share of the weights.
func (l *lane) observeBatch(ess float64) bool {
	l.v.Weighing.Phase, l.v.Weighing.ESS = frame.PhaseReweight, float32(ess)
	return l.end()
}

// record keeps log Z at the rungs that an estimate lists.
func (l *lane) record() {
	if i := len(l.logZs); i < len(l.recorded) && l.recorded[i] == l.rung {
		l.logZs = append(l.logZs, l.logZ)
		if l.mean {
			l.shifts = append(l.shifts, l.shifted)
		}
	}
}

// growth is what an island records of generated particles; all 0 in others.
type growth struct {
	particles float64   // at all steps
	cut       float64   // steps at which generating was cut short
	shifted   float64   // how far later batches have moved log Z
	shifts    []float64 // the same at the recorded rungs passed
}

func (d *growth) append(w *wire.Writer) {
	for _, x := range [...]float64{d.particles, d.cut, d.shifted} {
		w.Float(x)
	}
	w.Floats(d.shifts)
}

func readGrowth(r *wire.Reader) growth {
	return growth{particles: r.Float(), cut: r.Float(), shifted: r.Float(), shifts: r.Floats()}
}

// noteBatches records how many particles a step had, how far later batches have moved log Z, and whether ess, as a
// share of the particles, would have asked for more of them.
func (l *lane) noteBatches(moved, ess float64) {
	l.particles += float64(len(l.batches.a))
	if num.Finite(moved) {
		l.shifted += moved
	}
	if l.iMax > 0 && ess < l.gamma {
		l.cut++
	}
}

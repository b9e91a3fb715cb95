package resamplemove

import (
	"slices"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/models"
)

// stageView makes the frames of an island.
type stageView struct {
	f        frame.Frame
	g        frame.Growth
	rest     frame.Frame // a frame with progress but no picture
	weighing frame.Weighing
	u        *estimators.Unit
	p        models.Particles
	// lineage holds the ancestor of each row in the last frame shown, -1 for a new row.
	lineage []int32
	// source holds, for each generated row, the listed row that it was copied from, directly or through other generated
	// rows, -1 if none. Frames list only some rows; the others count as descendants of their source.
	source []int32
	kept   int // number of rows that were not generated
	seq    models.Sequence
}

// listed returns the number of rows listed in frames: all but generated rows beyond estimators.MaxShown.
func (v *stageView) listed() int { return min(max(estimators.MaxShown, v.kept), frame.MaxLines) }

// Steps of a stage, in the frames of an island.
const (
	stepInit = iota
	stepMove
	stepSmooth
	stepGenerate
	stepResample
	stepAugment
	stepsPerStage = 8
)

// phases are the names of the steps.
var phases = [...]string{stepInit: frame.PhaseInit, stepMove: frame.PhaseMove, stepSmooth: frame.PhaseSmooth,
	stepGenerate: frame.PhaseGenerate, stepResample: frame.PhaseResample, stepAugment: frame.PhaseAugment}

// observe shows the particles after a step of stage n, with the weights that they have after it.
func (l *lane) observe(n, step int) {
	logw, x := l.lw, &l.view.weighing
	x.ESS, x.LogZ = float32(l.ESS)/float32(l.Rows), l.logZ(n)
	if step > stepGenerate {
		x.LogZ = l.logZ(n + 1)
	}
	if l.view.g.Batches = nil; step == stepSmooth || step == stepGenerate {
		l.view.g.Batches, logw = l.set.batches, l.a
		x.ESS = float32(l.ratio())
	}
	l.out.Show(l.view.show(phases[step], l.step(n, step), l.Rows, l.particles(n), logw, l.Stages))
}

// tick returns a frame with progress only.
func (v *stageView) tick() *frame.Frame { return &v.rest }

// filmStages is the number of stages, evenly spaced, at which the first island makes a picture for the film of the run.
// Without these, a fast run would have too few pictures for stepping through it.
const filmStages = 96

// filmPhaseStages is the number of these stages at which each phase has a picture.
const filmPhaseStages = 32

// show returns the frame after a phase of the stage, for rows particles with log weights logw, of which r began the
// stage. It has a picture only if the unit is watched, for the film, and in the last frame of a unit.
func (v *stageView) show(phase string, step, rows, r int, logw []float64, stages []stage) *frame.Frame {
	v.rest.Phase, v.rest.Step = phase, step
	n := v.p.Stage()
	kept := func(most int) bool { return n*most/v.g.Stages != (n-1)*most/v.g.Stages }
	met := v.u.Snapshots && v.f.First == 0 && (phase == frame.PhaseMove && kept(filmStages) || kept(filmPhaseStages))
	if !v.u.Watched && step != v.u.LastStep && !met {
		return &v.rest
	}
	f, g := &v.f, &v.g
	f.Phase, f.Step, f.Steps = phase, step, v.rest.Steps
	f.N = min(rows, estimators.MaxShown)
	f.Growth, f.Weighing = g, &v.weighing
	v.weighing.Phase, v.weighing.ParentFrame, v.weighing.FrameNumber = phase, v.weighing.FrameNumber, step
	if phase == frame.PhaseSmooth {
		v.weighing.Phase = frame.PhaseReweight
	}
	g.Stage, g.R = v.p.Stage(), r
	v.record(stages)
	f.LogW = f.LogW[:0]
	for _, w := range logw[:f.N] {
		f.LogW = append(f.LogW, float32(w))
	}
	g.Parents = append(g.Parents[:0], v.lineage[:min(rows, v.listed())]...)
	v.shown(rows)
	v.p.Read(f.N, f)
	return f
}

// record adds the new stages to the frame.
func (v *stageView) record(stages []stage) {
	if v.g.Exact == nil {
		v.g.Exact = v.seq.StageLogZ()
	}
	for n := len(v.g.Record) + 1; n <= len(stages); n++ {
		s := &stages[n-1]
		r := frame.StageRecord{N: n, Batches: s.Batches, ESS: float32(s.ESS), Gamma: float32(s.gamma()),
			Resampled: s.Resampled, LogZ: s.LogZ}
		v.g.Record = append(v.g.Record, r)
	}
	// The last stage may have been shown before it was known to be resampled.
	if n := len(stages); n > 0 {
		v.g.Record[n-1].Resampled = stages[n-1].Resampled
	}
}

// begin starts with n rows without ancestors.
func (v *stageView) begin(n int) {
	v.lineage, v.kept = slices.Repeat([]int32{-1}, n), n
}

// load starts with the n rows of the last frame of the previous unit.
func (v *stageView) load(n int) {
	v.kept = n
	v.shown(n)
}

// shown makes the frame just shown the start of the lineage of all rows.
func (v *stageView) shown(rows int) {
	v.lineage = v.lineage[:0]
	for i := range rows {
		v.lineage = append(v.lineage, v.listedParent(i))
	}
}

// listedParent returns row i if it is listed, else the listed row that it was copied from, or -1.
func (v *stageView) listedParent(i int) int32 {
	switch {
	case i < v.listed():
		return int32(i)
	case i < len(v.source):
		return v.source[i]
	}
	return -1
}

// descend makes row i a copy of row parents[i].
func (v *stageView) descend(parents []int32) {
	for len(v.lineage) < len(parents) {
		v.lineage = append(v.lineage, -1)
	}
	for i, p := range parents {
		v.lineage[i] = v.lineage[p] // in place, as resample.Parents keeps parents in their rows
	}
	v.lineage, v.source, v.kept = v.lineage[:len(parents)], v.source[:0], len(parents)
}

// dropFirst drops the first dead rows.
func (v *stageView) dropFirst(dead int) {
	v.lineage, v.source = slices.Delete(v.lineage, 0, dead), v.source[:0]
	v.kept = len(v.lineage)
}

// addRow appends a copy of row src, or a new row if src is -1.
func (v *stageView) addRow(src int) {
	line, from := int32(-1), int32(-1)
	if src >= 0 {
		line, from = v.lineage[src], v.listedParent(src)
	}
	for len(v.source) < len(v.lineage) {
		v.source = append(v.source, -1)
	}
	v.lineage, v.source = append(v.lineage, line), append(v.source, from)
}

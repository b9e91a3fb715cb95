package trainer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// session is one training: the settings of the form, and the run with these settings, which computes rounds of updates
// one after another. session does not depend on texts or views.
type session struct {
	link               training.Link // settings of the form, or of the run if there is one
	nextLink           training.Link // settings of a link that was opened during a run, for the next run; empty if none
	userRows           trainRows     // the user's rows
	run                *training.Run // nil before the run
	rows               trainRows     // rows of the run
	round              *estimators.Round
	sentRound          *workerpool.BackgroundUnit // the round that was sent to a worker last
	phase              state.TrainingPhase
	errorText          string     // error message
	suggestedThreshold float64    // a threshold that would fix the error, or 0
	usedModel          state.File // the trained model, if it became the model of the experiment
	storedAt           float64    // time at which the session was last stored
	isRequested        bool       // the stored session was requested
}

// trainRows are training rows.
type trainRows struct {
	name, id  string
	raw       []byte // the original file
	bits      []uint8
	threshold float64 // numbers of at least this are ones; NaN for none
	m         int     // number of columns
	file      []byte  // the bits as a file for workers
}

// begin starts a run on the given rows with the settings of the form. It fails if the run needs more than limit bytes.
func (t *session) begin(rows trainRows, limit float64) error {
	run, err := t.link.Open(rows.bits, rows.m)
	if err != nil {
		return err
	}
	memoryNeed := run.Need()
	memory := meter.Meter{Limit: limit}
	if err := memory.Take(memoryNeed.Shared+memoryNeed.Retained+memoryNeed.Lane, problem.New("training %d x %d units", rows.m,
		run.Params.Hidden), problem.New("use fewer hidden units or chains")); err != nil {
		return err
	}
	rows.file = engine.TrainingFile(rows.bits, rows.m)
	t.run, t.rows, t.phase = run, rows, state.TrainRunning
	t.round, err = run.Resume()
	return err
}

// fold adds the result u of the current round to the run, and begins the next round or ends the run.
func (t *session) fold(u *estimators.Unit) (err error) {
	t.round, err = t.run.Next([][]byte{u.Partial}, [][]byte{u.State})
	if t.round == nil || err != nil {
		t.finish()
	}
	return err
}

// finish ends the run; its model stays.
func (t *session) finish() { t.phase, t.round = state.TrainDone, nil }

// reset discards the run and keeps its form.
func (t *session) reset() {
	if t.nextLink.Data != "" {
		t.link = t.nextLink
	}
	*t = session{link: t.link, userRows: t.userRows, usedModel: t.usedModel, isRequested: true}
}

// update returns the current update, as last reported by the worker.
func (t *session) update() int {
	done := t.run.Done()
	if t.sentRound != nil && t.phase != state.TrainDone {
		done = max(done, int(t.sentRound.Share*float64(t.run.Params.Updates)))
	}
	return done
}

// model returns the trained model as a file; ok is false before the first round is finished.
func (t *session) model(note, zNote string) (f state.File, ok bool) {
	w, update := t.run.Result()
	if w == nil {
		return f, false
	}
	f.Name = fmt.Sprintf("%s-%s-%d-%d.npz", t.rows.name, t.run.Params.Gradient, w.J, update)
	sum := sha256.Sum256(t.rows.bits)
	p := training.Provenance{Name: f.Name, Note: note + " " + t.link.String(), Update: update, LogZNote: zNote,
		Data: training.Origin{Name: t.rows.name, Source: t.link.Data, Rule: "as given", Train: hex.EncodeToString(sum[:])}}
	if num.NotNaN(t.link.Threshold) {
		p.Data.Rule = fmt.Sprint("number >= ", t.link.Threshold)
	}
	if at, ok := t.run.At(update); ok && num.NotNaN(at.LogZ) {
		p.LogZ = training.LogZ{Lower: at.LogZ - float64(2*at.SE), Upper: at.LogZ + float64(2*at.SE), Value: at.LogZ,
			Source: "rts"}
		p.LogLikelihood = training.Likelihood{Train: at.Train}
		if num.NotNaN(at.Validation) {
			p.LogLikelihood.Test = &at.Validation
		}
	}
	var err error
	f.Data, err = training.Pack(w, t.run.Data.Train, training.Recipe(t.link.Values, t.link.Seed), p)
	return f, err == nil
}

// append encodes the run for storage in the browser.
func (t *session) append(w *wire.Writer) {
	w.String(t.link.String())
	w.String(t.rows.name)
	w.Bytes(t.rows.file)
	w.Bool(t.phase == state.TrainDone)
	w.String(t.usedModel.Name)
	w.Bytes(t.usedModel.Data)
	t.run.Append(w)
}

// load decodes a run that append has encoded. A run in progress is paused.
func (t *session) load(in *wire.Reader) error {
	link, err := training.ParseLink(in.String())
	rows := trainRows{name: in.String(), id: link.Data, file: in.Bytes()}
	done := in.Bool()
	used := state.File{Name: in.String(), Data: in.Bytes()}
	if err == nil {
		rows.bits, rows.m, err = engine.ReadTrainingFile(rows.file)
	}
	if err != nil {
		return err
	}
	run, err := link.Open(rows.bits, rows.m)
	if err != nil {
		return err
	}
	if err := run.Load(in); err != nil {
		return err
	}
	loaded := session{link: link, userRows: t.userRows, run: run, rows: rows, usedModel: used, phase: state.TrainPaused, isRequested: true}
	if loaded.round, err = run.Resume(); done || loaded.round == nil || err != nil {
		loaded.finish()
	}
	*t = loaded
	return nil
}

// snapshot returns the state of the training for the views. isWaiting tells that no worker has the current round.
func (t *session) snapshot(isWaiting bool) state.Training {
	f := state.Training{Link: t.link, OwnID: t.userRows.id, Own: t.userRows.name, ErrorText: t.errorText, SuggestedThreshold: t.suggestedThreshold, Phase: t.phase,
		Begun: t.run != nil, Waiting: isWaiting, Rows: t.rows.name, Columns: t.rows.m}
	if t.run != nil {
		f.Train, f.Test = len(t.run.Data.Train)/t.rows.m, len(t.run.Data.Test)/t.rows.m
		f.Done, f.Update, f.Params, f.Log = t.run.Done(), t.update(), t.run.Params, t.run.Log
	}
	return f
}

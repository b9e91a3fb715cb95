package state

import (
	"logzlab/core/words"
	"logzlab/estimators/training"
)

// TrainingPhase is the phase of a training.
type TrainingPhase byte

// Phases of a training.
const (
	TrainForm    TrainingPhase = iota // there is no run
	TrainLoading                      // its rows are being loaded
	TrainRunning
	TrainPaused
	TrainDone // or stopped, or failed
)

// Training is the state of a training: its form and its run.
type Training struct {
	Link               training.Link // settings of the form; of the run once there is one
	OwnID, Own         string        // id and name of the user's file of rows
	ErrorText          string        // error message
	SuggestedThreshold float64       // a threshold that would fix the error, or 0
	Phase              TrainingPhase
	Begun              bool   // there is a run; the fields below describe it
	Waiting            bool   // it waits for a worker
	Rows               string // name of the rows
	Columns            int    // number of columns of the rows
	Train, Test        int    // number of training and of validation rows
	Done               int    // updates in finished rounds
	Update             int    // current update
	Params             training.RunParams
	Log                training.Log // log-likelihoods and checks so far
}

// RowsName returns the name of a run's rows for people.
func RowsName(w *words.Language, name string) string {
	switch name {
	case training.Digits, training.Stripes:
		return w.T("train." + name)
	}
	return name
}

// TrainingURL returns the link of the training.
func (s *Snapshot) TrainingURL() string { return s.publicBase() + "#" + s.Training.Link.String() }

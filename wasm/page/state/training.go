package state

import (
	"logzlab/core/words"
	"logzlab/estimators/training"
)

// TrainingPhase is how far a training is.
type TrainingPhase byte

// Phases of a training.
const (
	TrainForm    TrainingPhase = iota // there is no run
	TrainFetches                      // its rows are on their way
	TrainWorks
	TrainPaused
	TrainDone // or stopped, or failed
)

// Training are the form of a training and how its run stands.
type Training struct {
	Link        training.Link // as the form stands; of the run, once there is one
	OwnID, Own  string        // the file of the user's rows, and its name
	Why         string        // what is wrong, for people
	Level       float64       // a threshold that would mend it, 0: none would
	Phase       TrainingPhase
	Begun       bool   // there is a run, of which the following tell
	Waits       bool   // for a worker
	Rows        string // the name of the rows
	Columns     int    // of the rows
	Train, Test int    // rows of each kind
	Done        int    // updates of the rounds that are over
	Update      int    // that the run is at
	Params      training.RunParams
	Log         training.Log // what is known of the machines so far
}

// RowsName is what people call the rows of a run.
func RowsName(w *words.Language, name string) string {
	switch name {
	case training.Digits, training.Stripes:
		return w.T("train." + name)
	}
	return name
}

// TrainingURL is the link of the training.
func (s *Snapshot) TrainingURL() string { return s.base() + "#" + s.Training.Link.String() }

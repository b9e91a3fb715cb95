package words

// errorsTrainingDE belongs to errorsDE: training, and the rows for it.
var errorsTrainingDE = []string{
	"data file: its shape is %v; it must have rows of zeros and ones",
	"Datendatei: ihre Form ist %s; sie muss Zeilen aus Nullen und Einsen haben",
	"data file: row %d, column %d is not a number", "Datendatei: Zeile %s, Spalte %s ist keine Zahl",
	"data file: row %d, column %d is %v; data to train on must be 0 or 1: give a threshold, such as %v",
	"Datendatei: Zeile %s, Spalte %s ist %s; Daten zum Trainieren müssen 0 oder 1 sein: gib eine Schwelle an, " +
		"etwa %s",
	"data file: line %d: %q is not index:value", "Datendatei: Zeile %s: %s ist nicht Index:Wert",
	"train: %d rows of data are fewer than a batch of %d; give a smaller batch",
	"Training: %s Datenzeilen sind weniger als ein Stapel von %s; nimm einen kleineren Stapel",
	"train: a batch of %d is above the limit of %d", "Training: ein Stapel von %s ist mehr als erlaubt (%s)",
	"the rows of %s are 0 and 1 already; leave threshold out", "die Zeilen von %s sind schon 0 und 1; threshold weglassen",
	"train=%s is not known; it must be digits, bars or file:<12 hex digits>",
	"train=%s gibt es nicht; möglich sind digits, bars oder file:<12 Hex-Ziffern>",
	"training %d x %d units", "ein Training mit %s x %s Einheiten",
	"use fewer hidden units or chains", "nimm weniger verborgene Einheiten oder Ketten",
	"%s is not a parameter of training", "%s ist kein Parameter des Trainings",
	"chains = 0 goes with neither gradient = rts, patience nor check: all need tempering chains",
	"chains = 0 geht weder mit gradient = rts noch mit patience noch mit check: alle brauchen Ketten über Temperaturen",
	"patience needs rows for validation, and there are none: raise validation",
	"patience braucht Zeilen zur Prüfung, und es gibt keine: validation erhöhen",
	"train: there are no data", "Training: es gibt keine Daten",
	"train: every column of the data is constant, so there is nothing to learn",
	"Training: jede Spalte der Daten ist konstant, also gibt es nichts zu lernen",
	"train: after %d updates the data are far less likely than with independent columns: the run diverges; lower " +
		"the learning rate",
	"Training: nach %s Schritten sind die Daten weit weniger wahrscheinlich als bei unabhängigen Spalten: der Lauf " +
		"divergiert; senke die Lernrate",
	"train: the weights diverge; lower the learning rate",
	"Training: die Gewichte divergieren; senke die Lernrate",
}

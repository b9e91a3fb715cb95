package frame

// Phases of a stage of a forming run, in order; values of the field Phase of its frames.
const (
	PhaseInit     = "init" // before the first stage
	PhaseMove     = "move"
	PhaseSmooth   = "smooth"
	PhaseReweight = "reweight" // PhaseSmooth of a run along temperatures
	PhaseGenerate = "generate"
	PhaseResample = "resample"
	PhaseAugment  = "augment"
)

// FormingPhases lists the phases of a stage.
var FormingPhases = [...]string{PhaseInit, PhaseMove, PhaseSmooth, PhaseGenerate, PhaseResample, PhaseAugment}

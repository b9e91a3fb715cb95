package frame

// Phases of a stage of a forming run, in their order; the field Phase of its frames.
const (
	PhaseInit     = "init" // before the first stage
	PhaseMove     = "move"
	PhaseSmooth   = "smooth"
	PhaseReweight = "reweight" // the same of a run along temperatures
	PhaseGenerate = "generate"
	PhaseResample = "resample"
	PhaseAugment  = "augment"
)

// FormingPhases lists them.
var FormingPhases = [...]string{PhaseInit, PhaseMove, PhaseSmooth, PhaseGenerate, PhaseResample, PhaseAugment}

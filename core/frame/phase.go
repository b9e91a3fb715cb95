package frame

// Phases of a stage of a run that forms particles coordinate by coordinate (resample-move), in order: the values of the
// field Phase of its frames.
const (
	PhaseInit     = "init" // before the first stage
	PhaseMove     = "move"
	PhaseSmooth   = "smooth"
	PhaseReweight = "reweight" // takes the place of PhaseSmooth in a run along temperatures
	PhaseGenerate = "generate"
	PhaseResample = "resample"
	PhaseAugment  = "augment"
)

// FormingPhases lists the phases of a stage.
var FormingPhases = [...]string{PhaseInit, PhaseMove, PhaseSmooth, PhaseGenerate, PhaseResample, PhaseAugment}

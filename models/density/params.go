package density

import "logzlab/core/spec"

// ParamLeaps is the parameter "leaps", which several kinds of models have.
var ParamLeaps = spec.Param{Name: "leaps", Type: "int", Default: "0", Min: 0, Max: 10000, For: spec.Moves,
	Help: "Leapfrog steps in one transition of the Hamiltonian samplers; 0 means the sampler's default."}

// ProposalHelp is the help text of the parameter "proposal", which several kinds of models have.
const ProposalHelp = "Kernel: random-walk Metropolis-Hastings (mh), or Hamiltonian Monte Carlo: with step sizes from a " +
	"pilot run (hmc), or with step sizes and numbers of leapfrog steps from a pilot run (hmc_tuned)."

// Package stan compiles a Stan program and its data to a tape (models/stan/tape). The compiler executes the program
// once: it evaluates what depends on data only, emits tape operations for what depends on parameters, and unrolls
// loops. Both branches of a condition on parameters are lowered, and the tape selects one. All constants of densities
// are kept, also after ~, because the evidence needs them.
//
// The phases are: lexer and parser (package syntax), type checker (check.go, check_assign.go, check_call.go,
// check_expr.go), lowering to the tape (lower_stmt.go, lower_expr.go, lower_if.go, lower_index.go, tilde.go,
// uninitialised.go, tuple.go) with types, functions and distributions (package lang), range analysis (package ranges),
// and optimisation (package tape). program.go and compile.go have the entry points.
//
// Parameters and data: constrain.go, unconstrain.go and transform_functions.go transform parameters to and from
// unconstrained coordinates; validate.go checks declared constraints (package constraints); data.go reads data; link.go
// packs a program into a link. Priors: stated_priors.go (which parameters have priors, with package priors),
// truncation_loss*.go (priors that declarations truncate without normalising), priors_only.go (the program without its
// likelihood), prior_sampler*.go (independent draws from the prior), noncentred.go (non-centred form).
//
// The package does not know models, and reads no files.
package stan

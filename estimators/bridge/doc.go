// Package bridge implements bridge sampling: log Z of a model of points from draws of the target and draws of a density
// that is fitted to it: a normal density or, if the target has several modes or heavy tails, the base of the model.
//
// The phases of a run (bridge.go has the fold, lane.go the chains):
//
//  1. base: for a posterior with one mode, a normal density fitted to rough samples (estimators.AfterFit)
//  2. cooling: chains start from the base and move to the target over a short ladder
//  3. burn-in: blocks of sweeps at the target, each twice as long as the previous one, until log f has no trend
//  4. fit: the first half of the kept sweeps; the density is fitted to them, and then stays fixed
//  5. bridge: the second half; each chain also makes independent draws from the density
//  6. target check by exact samples, if they can be drawn (estimators/target_check.go)
//
// estimate.go has the estimate, its standard error and its diagnostics, checks.go the checks of results, need.go memory
// and time.
//
// The package must not depend on other families.
package bridge

// Package external estimates log Z from samples that other programs have drawn, and judges how far the result can be
// trusted. Open reads files into a Case, Case.Judge returns a Report for each method, and Read does both. Subpackage
// samples reads the files, draws handles posterior draws, and show writes the report as HTML.
//
// Files in reading order:
//
//  1. external.go, options.go: Read, the methods, options
//  2. ladder.go: chains without burn-in, and ends of the ladder without samples; burnin.go estimates the burn-in
//  3. stones.go, integral.go, reweight.go: stepping stones in both directions, ti (thermodynamic integration) with its
//     quadrature rules, bar and mbar by package mbar; each returns log Z with the influence of every sample on its error
//  4. bars.go: error bars for autocorrelated samples and for several runs
//  5. sums.go, nested.go: step sums without samples; nested sampling
//  6. checks.go, fit.go: diagnostics with limits; whether the samples of neighbouring rungs fit their densities;
//     advice.go: what to run next, predicted from the measured variances
//  7. report.go: the JSON and its hash; plotdata.go: data for plots
//
// The package must not open files, and it must not depend on which program drew the samples.
package external

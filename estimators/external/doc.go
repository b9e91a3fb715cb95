// Package external estimates log Z from samples that other programs have written, and says how far to trust the result.
// Read takes files and returns a Report for each method; Judge takes a samples.Set. Below it, package samples reads the
// files, package draws handles draws of a posterior, and package show writes the report as a page.
//
// Files in reading order:
//
//  1. external.go, options.go: Read, methods by name, options
//  2. ladder.go: chains without their burn-in, and ends of the ladder that nobody sampled; burnin.go finds where chains
//     have settled
//  3. stones.go, integral.go, weigh.go: stepping stones from both ends, ti by its rules, bar and mbar by package
//     mbar; each as an estimate with the part of every sample in its error
//  4. bars.go: error bars of correlated samples and of several runs
//  5. sums.go, nested.go: sums of stones without samples; dead points
//  6. checks.go, fit.go: what is wrong, and where; whether rungs lie apart as their densities say; advice.go: what to
//     run next, predicted from the variances measured
//  7. report.go: the JSON and its hash; show.go: what pictures show
//
// It must not open files, nor know who drew the samples.
package external

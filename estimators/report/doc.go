// Package report turns the results of a job into reports: combined replicates, exact values, hashes, flags and
// verdicts, and the JSON of the command. It also lists what there is and checks the golden links.
//
// Files in reading order:
//
//  1. report.go, reports.go: a Report, and how a job's results become reports
//  2. replicates.go: replicates are combined by log-mean-exp, or by the mean
//  3. verdict.go, opinion.go, calibrate.go: how far a result can be trusted; disagreements; how bars like this one held
//  4. floor.go, logp.go, bayes.go: lower bounds, log probability of a drawing, Bayes factors of models of the same data
//  5. provenance.go, path.go, moments.go: what a number depends on, the path it learned, moments of a posterior;
//     data.go, followed.go: log Z beside data rows, and beside what a training followed
//  6. json.go, csv.go, list.go: how results are written
//  7. golden.go: the promised digits, which Check compares with ==
//
// A value that cannot be computed is null, with a flag that says why. Checks never look at the exact value, except the
// check that says so. The list of what the hash covers is in site/docs/contract.md.
//
// It owns the meaning of a result in English and the fields of contract.md. It must not know the page or its languages.
package report

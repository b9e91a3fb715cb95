// Package report makes reports from the results of a job (package engine): combined replicates, exact values, hashes,
// flags and verdicts, and their JSON. It also lists all models and methods, and checks the golden links.
//
// Files in reading order:
//
//  1. report.go, reports.go: Report, and how the results of a job become reports
//  2. replicates.go: replicates are combined by log-mean-exp, or by the mean
//  3. verdict.go, opinion.go, calibrate.go: the verdict; agreement between methods; coverage of the error bar
//  4. floor.go, logp.go, bayes.go: bounds of log Z, log probability of a drawing, Bayes factors of models of the same data
//  5. provenance.go, path.go, moments.go: the elements of the algorithm behind a result, statistics of the path, moments of
//     a posterior; data.go, followed.go: likelihood of data rows, and comparison with log Z during training
//  6. json.go, csv.go, list.go: output formats
//  7. golden.go: links whose results must not change, and Check, which runs them
//
// A value that cannot be computed is null, with a flag that gives the reason. Only the check of the distance to the truth
// uses the exact value. site/docs/contract.md describes the fields of the JSON and the numbers in the hash.
//
// The package writes texts in English. It must not depend on the page or on translations.
package report

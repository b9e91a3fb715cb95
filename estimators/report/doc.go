// Package report turns the results of a job into reports: combined replicates, exact values, hashes, flags and
// verdicts, and the JSON of the command. It also lists all models and methods, and checks the golden links.
//
// Files in reading order:
//
//  1. report.go, reports.go: Report, and how the results of a job become reports
//  2. replicates.go: replicates are combined by log-mean-exp, or by the mean
//  3. verdict.go, opinion.go, calibrate.go: the verdict; agreement between methods; coverage of the error bar
//  4. floor.go, logp.go, bayes.go: lower bounds, log probability of a drawing, Bayes factors of models of the same data
//  5. provenance.go, path.go, moments.go: the parts that a result depends on, the learned path, moments of a posterior;
//     data.go, followed.go: likelihood of data rows, and comparison with log Z during training
//  6. json.go, csv.go, list.go: output formats
//  7. golden.go: the promised results, which Check compares with ==
//
// A value that cannot be computed is null, with a flag that gives the reason. No check looks at the exact value, except
// the check of that name. site/docs/contract.md lists what the hash covers.
//
// The package owns the meaning of a result in English and the fields of contract.md. It must not know the page or its
// languages.
package report

// Package verdict has the parts of every verdict: levels and checks (verdict.go), numbers in JSON (number.go), and the
// comparison of two models by their evidences (odds.go). It is separate from estimators/report so that a program can
// judge results without importing all methods and models.
//
// The package must not know what is judged.
package verdict

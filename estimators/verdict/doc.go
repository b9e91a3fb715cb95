// Package verdict defines the verdict on a result: its level and checks (verdict.go), numbers in JSON (number.go), and the
// comparison of two models by their evidences (odds.go). It is separate from estimators/report so that a program can
// judge results without importing all methods and models.
//
// The package does not depend on the kind of result.
package verdict

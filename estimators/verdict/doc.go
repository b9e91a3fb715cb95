// Package verdict has what every verdict is made of: levels and the checks that give them (verdict.go), numbers as JSON
// has them (number.go), and what two evidences say about their models (odds.go). It is apart from estimators/report so
// that a program may judge without all methods and models.
//
// It must not know what is judged.
package verdict

// Package bound limits the time and memory of one input of a fuzz test. Only tests import it. bound.go has the limits;
// spent.go and spent_js.go measure the CPU time, natively and under Node.
package bound

// Package bound limits what one input of a fuzz test may take. Only tests import it. bound.go counts; spent.go and
// spent_js.go have the processor time, natively and under Node.
package bound

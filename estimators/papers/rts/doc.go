// Package rts has the experiments on Rao-Blackwellized tempered sampling (Carlson, Stinson, Pakman and Paninski):
// rts.go has what they share; initial.go with initial_chart.go is figure 1, mixture.go figure 2, rbms.go figure 3 and
// appendix F, rungs.go figure 4, and training.go with training_chart.go figure 5. It imports no other paper.
package rts

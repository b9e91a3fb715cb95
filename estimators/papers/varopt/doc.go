// Package varopt has the experiments on variational optimization of annealing schedules: varopt.go has what they share;
// schedules.go is figure 1, rungs.go figures 2 and 3 and table 1, course.go figure 4, large.go figures 5 and 6 and
// table 2. It imports no other paper.
package varopt

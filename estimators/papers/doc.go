// Package papers runs named experiments, each of which reproduces a figure of a paper. An experiment runs points on a
// grid of methods and sizes, one after another, and writes a table, a chart and a text that states the paper's claims
// and whether this run agrees. experiment.go has the loop over the points, measure.go a single point, part.go a share
// of the points; row.go is the result of a point, table.go writes rows to a file and reads them, extra.go stores what
// tables cannot hold, link.go reads values of links; rbm.go has the RBMs of several papers, judge.go the findings;
// page.go, text.go, chart.go and plot.go write the output, index.go the list of pages.
//
// The experiments are in the packages below, one for each paper (arm, rts, varopt, aisel) and one for this lab (costs);
// figures lists them. This package knows none of them. It is native only; no browser loads it. It must not change how
// methods run.
package papers

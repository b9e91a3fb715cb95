// Package papers runs named experiments, each of which reproduces a figure of a paper. An experiment runs points on a
// grid of methods and sizes, one after another, and writes a table, a chart and a text that states the paper's claims
// and whether this run agrees.
//
// experiment.go has the loop over the points, measure.go runs a single point, and part.go selects a share of the points
// for one of several processes. row.go is the result of a point, table.go writes rows to a CSV file and reads them,
// extra.go stores data that tables cannot hold, and link.go reads values of links. rbm.go has the RBMs of several
// papers, judge.go the findings. page.go, text.go, chart.go and plot.go write the output, index.go the list of pages.
//
// The experiments are in subpackages, one for each paper (arm, rts, varopt, aisel) and one for this lab (costs);
// package figures lists them all. This package must not import them, and it must not change how methods run. It is only
// built for native programs, not for the browser.
package papers

// Package papers runs named experiments. Each reproduces a figure of a paper: it runs points on a grid of methods and
// sizes, one after another, and writes a table, a chart, and in words what the paper found and whether this run agrees.
// experiment.go has the fold, measure.go a point of it, part.go a share of the points; row.go is a point's result,
// table.go the rows as a file, keep.go what no table holds, link.go what links say; machine.go has the machines of
// several papers, judge.go the judgements; page.go, text.go, chart.go and plot.go write what is found, index.go the
// list of pages.
//
// The experiments are in the packages below, one for each paper (arm, rts, varopt, aisel), and one of this lab (costs);
// figures lists them. This package knows none of them. It is native only; no browser loads it. It must not change how a
// method runs.
package papers

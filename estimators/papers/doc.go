// Package papers holds named experiments. Each reproduces a figure of a paper: it runs points on a grid of methods and
// sizes, one after another, and writes a table, a chart, and in words what the paper found and whether this run agrees.
// experiment.go has the list and the fold; row.go is a point's result, table.go the rows as a file, link.go what links
// say; machine.go has the machines of several experiments, judge.go the judgements; page.go, text.go, chart.go and
// plot.go write what is found; the other files are experiments, named by their paper (rts, varopt, aisel) or by their
// model.
//
// It is native only; no browser loads it. It must not change how a method runs.
package papers

// Package show writes the report on external samples as HTML, with charts as SVG. A Session handles requests of the
// page: it reads the files, judges them (package external), and renders the report, first without the parts that take
// long.
//
// Files in reading order:
//
//  1. session.go: requests and answers
//  2. report.go, tables.go: the report as HTML
//  3. plot.go, charts.go, nested.go, traces.go: its charts
//
// The package must not know the page; the HTML has controls whose events the page handles.
package show

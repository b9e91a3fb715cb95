// Package show writes the report on external samples as HTML, with charts as SVG. A Session handles requests of the web
// page: it reads the files, judges the samples (package external), and renders the report, first without the charts
// that take long to compute.
//
// Files in reading order:
//
//  1. session.go: requests and answers
//  2. report.go, tables.go: the report as HTML
//  3. plot.go, charts.go, nested.go, traces.go: its charts
//
// The package must not depend on the code of the page. The HTML has controls whose events the page handles.
package show

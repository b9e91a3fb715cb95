// Package show writes the report on external samples as HTML, with its charts as SVG. A Session answers the orders of the
// page: it reads the files, judges them (package external), and renders the report, first without what takes long.
//
// Files in reading order:
//
//  1. job.go: orders and answers
//  2. paper.go, tables.go: the report as HTML
//  3. plot.go, pictures.go, points.go, traces.go: its charts
//
// It must not know the page: the HTML has controls whose events the page handles.
package show

// Command court reads samples of other programs and makes the report that the page shows (estimators/external/samples,
// estimators/external), in a worker of the page. It is a program of its own, fetched when such files first come, so that
// the page's first number need not wait for it. Build it with GOOS=js GOARCH=wasm; main_js.go has the protocol.
//
// Files in reading order:
//
//  1. job.go: orders and answers
//  2. paper.go, tables.go: the report as markup
//  3. plot.go, pictures.go, points.go, traces.go: its pictures
//
// It must not know the page: the markup has controls whose events the page knows.
package main

// Command external reads samples of other programs and makes the report that the page shows (package
// estimators/external/show), in a worker of the page. It is a separate program, fetched when such files are first
// opened, so that the page's first result does not wait for it. Build it with GOOS=js GOARCH=wasm; main_js.go has the
// protocol.
//
// It must not depend on the page; the report has controls whose events the page handles.
package main

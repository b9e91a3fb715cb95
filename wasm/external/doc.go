// Command external reads samples of other programs and makes the report that the page shows (package
// estimators/external/show), in a worker of the page. It is a program of its own, fetched when such files first come, so
// that the page's first number need not wait for it. Build it with GOOS=js GOARCH=wasm; main_js.go has the protocol.
//
// It must not know the page: the markup has controls whose events the page knows.
package main

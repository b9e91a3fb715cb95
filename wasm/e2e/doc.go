// Package e2e tests the built site in headless Chromium. The tests rely only on the interface that the section "The
// page" of contract.md documents. A smoke test runs in Firefox and WebKitGTK, through W3C WebDriver commands. Run
// ./build.sh build first, or ./build.sh e2e, which builds the site itself.
package e2e

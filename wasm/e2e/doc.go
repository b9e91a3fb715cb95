// Package e2e tests the built site in real headless Chromium, as acceptance
// does: by what contract.md, The page, says, and nothing else.
// A smoke test does so in Firefox and WebKitGTK, by the W3C's WebDriver.
// Run ./build.sh build first, or ./build.sh e2e, which does.
package e2e

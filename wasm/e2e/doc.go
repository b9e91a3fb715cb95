// Package e2e tests the built site in real headless Chromium, as acceptance
// does: by what the contract says about the page, section 5, and nothing else.
// Run ./build.sh build first, or ./build.sh e2e, which does.
package e2e

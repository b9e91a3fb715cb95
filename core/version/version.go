// Package version has the version of the program. The JSON of a result, receipts, the page's help and `logz version`
// show it. It is in no hash, so that equal results of different versions have equal hashes.
package version

// Number is the version of this program, as in https://semver.org. CHANGELOG.md and CITATION.cff name the same version
// (TestVersion in wasm/logz). The version of links and of the JSON is spec.Version.
const Number = "1.0.0"

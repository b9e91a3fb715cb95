// Package tier selects how much the tests do: ./build.sh quick, test or release.
package tier

import (
	"os"
	"testing"
)

// releases is the environment variable that ./build.sh release sets to request every test.
const releases = "LOGZ_RELEASE"

// Releases reports whether every test is requested.
func Releases() bool { return os.Getenv(releases) != "" }

// Release skips the test unless every test is requested: tests of speed or memory, and tests that take minutes. The
// other tiers are ./build.sh quick, which sets testing.Short, and ./build.sh test.
func Release(t testing.TB) {
	t.Helper()
	if !Releases() {
		t.Skipf("for ./build.sh release, or %s=1", releases)
	}
}

// Test skips the test in ./build.sh quick: it takes more than a few seconds.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() && !Releases() {
		t.Skip("for ./build.sh test")
	}
}

// Data returns the folder of files that may not be redistributed (./build.sh data), from LOGZ_DATA. It skips the test
// if the variable is not set; ./build.sh published sets it.
func Data(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("LOGZ_DATA")
	if dir == "" {
		t.Skip("for ./build.sh published: it reads files that may not be passed on")
	}
	return dir
}

// Size returns the amount of work for the current tier, such as a number of seeds.
func Size[T any](quick, test, release T) T {
	switch {
	case Releases():
		return release
	case testing.Short():
		return quick
	}
	return test
}

// Draws returns a number of draws for the current tier: n for release, n/4 for test, n/10 for quick.
func Draws(n int) int { return n / Size(10, 4, 1) }

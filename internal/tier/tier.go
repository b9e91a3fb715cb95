// Package tier says how much of the tests was asked for: by ./build.sh quick, test or release.
package tier

import (
	"os"
	"testing"
)

// releases is the variable by which ./build.sh release asks for every test there is.
const releases = "LOGZ_RELEASE"

// Releases reports whether every test is asked for.
func Releases() bool { return os.Getenv(releases) != "" }

// Release leaves a test to ./build.sh release: one of speed or memory, or one that takes minutes. The other tiers are
// ./build.sh quick, which has testing.Short, and ./build.sh test.
func Release(t testing.TB) {
	t.Helper()
	if !Releases() {
		t.Skipf("for ./build.sh release, or %s=1", releases)
	}
}

// Test leaves a test of more than a few seconds to ./build.sh test.
func Test(t testing.TB) {
	t.Helper()
	if testing.Short() && !Releases() {
		t.Skip("for ./build.sh test")
	}
}

// Data is the folder of files that may not be passed on (./build.sh data). It leaves a test that reads one of them to
// ./build.sh published, which names the folder in LOGZ_DATA.
func Data(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("LOGZ_DATA")
	if dir == "" {
		t.Skip("for ./build.sh published: it reads files that may not be passed on")
	}
	return dir
}

// Size picks how much a test does in the tier that runs, such as a number of seeds.
func Size[T any](quick, test, release T) T {
	switch {
	case Releases():
		return release
	case testing.Short():
		return quick
	}
	return test
}

// Draws is n in release, a quarter of n in test, and a tenth in quick.
func Draws(n int) int { return n / Size(10, 4, 1) }

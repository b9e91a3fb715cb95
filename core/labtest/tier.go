package labtest

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

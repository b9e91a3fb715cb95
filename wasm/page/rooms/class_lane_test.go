//go:build !js

package rooms

import (
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
)

// Lanes are cut small enough for a class, but only lanes of chains, and no smaller than the messages are worth.
func TestClassLane(t *testing.T) {
	for link, want := range map[string]int{
		"v=1&model=mixture2&method=ais,rts&ais.chains=40&rts.chains=30":   1,
		"v=1&model=mixture2&method=ais&ais.chains=400":                    7,
		"v=1&model=mixture2&method=ais&ais.chains=5000":                   0,
		"v=1&model=mixture2&method=ais,rts&ais.chains=2000&rts.chains=20": 4, "v=1&model=mixture2&method=is": 0,
	} {
		s, err := spec.ParseLink(link, catalog.Names{})
		if err != nil {
			t.Fatal(err)
		}
		if got := ClassLane(s); got != want {
			t.Errorf("%s: lanes of %d chains, want %d", link, got, want)
		}
	}
}

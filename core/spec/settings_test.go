package spec_test

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"logzlab/core/spec"
)

// Percent-encoding is decoded as net/url decodes paths, where + is a plus sign.
func TestUnescape(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "%", "%2", "%2c", "%2C%2c", "%zz", "%+1", "%-1", "%_1", "%0x", "% 1", "a%20b%", "100%25",
		"%ff%C3%A9", "+a+", "é%"}
	for range 20000 {
		b := make([]byte, r.IntN(8))
		for i := range b {
			b[i] = "%%%+-_ x0129aAfFgG"[r.IntN(18)]
		}
		texts = append(texts, string(b))
	}
	for _, s := range texts {
		want, err := url.PathUnescape(s)
		if got, ok := spec.Unescape(s); got != want || ok != (err == nil) {
			t.Errorf("Unescape(%q) = %q, %v; net/url gives %q, %v", s, got, ok, want, err)
		}
	}
}

// All errors of a link are reported at once, but none that depends on another error.
func TestAllErrorsAreReported(t *testing.T) {
	t.Parallel()
	for link, want := range map[string][]string{
		"v=1&model=mixture2&method=ais&ais.chains=many&ais.temperatures=1&nonsense=3&seed=x": {"ais.chains",
			"ais.temperatures", "nonsense", "seed"},
		"v=1&model=mixture2&method=ais&bogus&Seed=7&ais.chains=0": {"bogus", "Seed", "ais.chains"},
		"v=1&model=gpc-1d&method=rm&rm.absent=rates&sampler=ess":  {"rm.absent", "sampler"},
		"v=3&model=attic&method=ais":                              {"v=3", "attic"},
	} {
		_, err := spec.ParseLink(link, names)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %v does not name %s", link, err, w)
			}
		}
	}
	_, err := spec.ParseLink("v=1&model=gpc-1d&method=rts&rts.init=what&rts.adapt_sweeps=9", names)
	if err == nil || strings.Contains(err.Error(), "adapt_sweeps") {
		t.Errorf("error %v reports adapt_sweeps, which may be valid", err)
	}
}

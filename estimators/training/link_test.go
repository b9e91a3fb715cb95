package training

import (
	"strings"
	"testing"
)

// A parsed link has the canonical text of its training, and errors name the wrong value.
func TestLinkRoundTrip(t *testing.T) {
	for link, want := range map[string]string{
		"#v=1&train=digits": "v=1&train=digits",
		"https://lab.example/#v=1&train=bars&hidden=20&gradient=rts": "v=1&train=bars&gradient=rts",
		"v=1&train=file:0123456789ab&rate=.5&threshold=128&seed=7&hidden=20&view.lang=de": "v=1&" +
			"train=file:0123456789ab&threshold=128&seed=7&rate=0.5",
	} {
		l, err := ParseLink(link)
		if err != nil || l.String() != want || !IsLink(link) {
			t.Errorf("%s: %s, error %v; want %s", link, l, err, want)
		}
	}
	for link, want := range map[string]string{
		"v=1&train=dna":                         "train=dna is not known",
		"v=2&train=bars":                        "it must begin with v=1",
		"v=1&train=bars&hidden=0":               "hidden = 0 is out of range",
		"v=1&train=bars&seed=-1":                "seed = -1 is out of range",
		"v=1&train=bars&hidden=3&hidden=3":      "hidden is given twice",
		"v=1&train=bars&model=mixture2":         "model is not a parameter of training",
		"v=1&train=bars&chains=0&gradient=rts":  "chains = 0 goes with neither gradient",
		"v=1&train=file:0123456789ab&threshold": "is not key=value",
		"v=1&train=digits&threshold=1":          "the rows of digits are 0 and 1 already; leave threshold out",
	} {
		if _, err := ParseLink(link); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", link, err, want)
		}
	}
	if IsLink("#v=1&model=mixture2&method=ais") {
		t.Error("an experiment is no training")
	}
}

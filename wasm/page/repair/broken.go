package repair

import (
	"slices"
	"strings"
)

// Experiments that are broken on purpose. A sheet runs one of them; the student says what is wrong, and the page
// answers from the run itself (diagnosis.go), not from the known fault.

// Broken are the experiments by reason, each on several models; view.break counts from 1.
var Broken = [Reasons][]string{
	badStart:      brokenOn("ais&ais.chains=20&ais.temperatures=300&start=uniform", "rbm-pcd-20", "rbm-cd1-20"),
	starvedLadder: brokenOn(starved, "ising16", "rbm-pcd-20", "rbm-cd1-20"),
	missedMode: slices.Concat(brokenOn("smc&smc.islands=8&smc.particles=10&smc.temperatures=60", "rbm-cd25-20"),
		brokenOn("smc&smc.islands=8&smc.particles=6&smc.temperatures=40", "rbm-cd1-20")),
	FewParticles:    brokenOn("ais&ais.chains=6", "mixture2", "mixture10"),
	sharedSeed:      brokenOn(oneRun, "ising16", "bmm-digits", "mixture10"),
	FewTemperatures: brokenOn("ais&ais.temperatures=10", "ising16", "mixture2", "mixture10"),
}

const starved = "rts&rts.chains=10&rts.init=ones&rts.init_rounds=0&rts.sweeps=50&rts.temperatures=20"

// oneRun is five methods that use the same run.
var oneRun = together("chains=40", "sweeps=300", "temperatures=40")

func together(settings ...string) string {
	methods := []string{"rts", "rts-stationary", "ti-rb", "bar", "mbar"}
	link := strings.Join(methods, ",")
	for _, m := range methods {
		for _, x := range settings {
			link += "&" + m + "." + x
		}
	}
	return link
}

// Not inlined, as it fills package variables: see RATIONALE.md.
//
//go:noinline
func brokenOn(rest string, models ...string) (links []string) {
	for _, m := range models {
		links = append(links, "v=1&model="+m+"&method="+rest)
	}
	return links
}

// corrections are the changes that correct an experiment, by the reason found in its run.
var corrections = [Reasons][]lever{
	badStart: {fromRates, {param: "temperatures", by: times, of: 4}},
	starvedLadder: {fromRates, {param: "init", to: "ais"}, {param: "init_rounds", by: rounds},
		{param: "sweeps", by: times, of: 10}},
	missedMode: {{param: "particles", by: times, of: 20}, {param: "chains", by: times, of: 10},
		{param: "sweeps", by: times, of: 4}, {param: "temperatures", by: times, of: 4}},
	FewParticles: {{param: "islands", by: times, of: 2}, {param: "particles", by: times, of: 30},
		{param: "chains", by: times, of: 20}},
	sharedSeed:      {{param: "replicates", by: times, of: 8}},
	FewTemperatures: {fromRates, {param: "temperatures", by: times, of: 200}},
}

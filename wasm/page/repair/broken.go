package repair

import (
	"slices"
	"strings"
)

// This file has experiments that are broken on purpose. A sheet of the page runs one of them, and the student chooses
// what is wrong. The page judges the choice by the report of the run (Diagnose), not by the fault that was built in.

// Broken has the links of the broken experiments by reason, each on several models. view.break is the index plus 1.
var Broken = [Reasons][]string{
	badStart:      linksFor("ais&ais.chains=20&ais.temperatures=300&start=uniform", "rbm-pcd-20", "rbm-cd1-20"),
	starvedLadder: linksFor(shortFixedRun, "ising16", "rbm-pcd-20", "rbm-cd1-20"),
	missedMode: slices.Concat(linksFor("smc&smc.islands=8&smc.particles=10&smc.temperatures=60", "rbm-cd25-20"),
		linksFor("smc&smc.islands=8&smc.particles=6&smc.temperatures=40", "rbm-cd1-20")),
	FewParticles:    linksFor("ais&ais.chains=6", "mixture2", "mixture10"),
	sharedSeed:      linksFor(sharedRunMethods, "ising16", "bmm-digits", "mixture10"),
	FewTemperatures: linksFor("ais&ais.temperatures=10", "ising16", "mixture2", "mixture10"),
}

const shortFixedRun = "rts&rts.chains=10&rts.init=ones&rts.init_rounds=0&rts.sweeps=50&rts.temperatures=20"

// sharedRunMethods are five methods that use the same run.
var sharedRunMethods = withSettings("chains=40", "sweeps=300", "temperatures=40")

func withSettings(settings ...string) string {
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
func linksFor(query string, models ...string) (links []string) {
	for _, m := range models {
		links = append(links, "v=1&model="+m+"&method="+query)
	}
	return links
}

// corrections are the changes that correct an experiment, by the reason that its run shows.
var corrections = [Reasons][]lever{
	badStart: {startFromBaseRates, {param: "temperatures", factorOf: fixedFactor, target: 4}},
	starvedLadder: {startFromBaseRates, {param: "init", choice: "ais"}, {param: "init_rounds", factorOf: moreInitRounds},
		{param: "sweeps", factorOf: fixedFactor, target: 10}},
	missedMode: {{param: "particles", factorOf: fixedFactor, target: 20}, {param: "chains", factorOf: fixedFactor, target: 10},
		{param: "sweeps", factorOf: fixedFactor, target: 4}, {param: "temperatures", factorOf: fixedFactor, target: 4}},
	FewParticles: {{param: "islands", factorOf: fixedFactor, target: 2}, {param: "particles", factorOf: fixedFactor, target: 30},
		{param: "chains", factorOf: fixedFactor, target: 20}},
	sharedSeed:      {{param: "replicates", factorOf: fixedFactor, target: 8}},
	FewTemperatures: {startFromBaseRates, {param: "temperatures", factorOf: fixedFactor, target: 200}},
}

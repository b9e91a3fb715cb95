package estimators

// SAMS is self-adjusted mixture sampling ([Tan2017]): as WL, with the gain of selfAdjusted. What the start contributes
// to the bias falls as 1/sweeps.
var SAMS = Info{
	Name: "sams", Label: "SAMS", Short: "self-adjusted", Path: Tempered, Provenance: OnRungs, Adapts: true,
	About: "Self-adjusted mixture sampling: as Wang-Landau, with steps that fall as 1/sweeps, the best rate, once all " +
		"rungs have been visited alike.",
	Params: adaptParams, Checks: adaptChecks,
	New: scheduled(func(c Config) (Method, error) { return newAdapt(c, selfAdjusted) }),
}

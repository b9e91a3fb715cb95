package estimators

// WL is the Wang-Landau algorithm on the rungs of a ladder ([Wang2001], [Atchade2010]). Islands of tempering chains
// adapt log Zhat with every sweep (learner.learn), with the gain of wangLandau. log Z is the mean over islands of the
// last log Zhat, its error bar from their spread. The bias has no fixed sign; what the start contributes to the bias
// falls as 1/sweeps^2.
var WL = Info{
	Name: "wl", Label: "WL", Short: "flat visits", Path: Tempered, Provenance: OnRungs, Adapts: true,
	About: "Wang-Landau: a rung that is visited is made less likely, and by ever less, until all are visited alike; " +
		"what that took is log Z.",
	Params: adaptParams, Checks: adaptChecks,
	New: scheduled(func(c Config) (Method, error) { return newAdapt(c, wangLandau(4, 2)) }),
}

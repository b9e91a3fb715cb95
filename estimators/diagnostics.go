package estimators

import "logzlab/core/diag"

// Diagnostics of results. Logarithms are in nats.
const (
	DiagChains diag.Number = "chains" // number of chains behind the estimate
	// log Z by Bennett's equation from forward and reverse samples, for ladders of two rungs
	DiagLogZBennett    diag.Number = "logz_bennett"
	DiagLogZEnumerated diag.Number = "logz_enumerated" // log Z by the enumeration that precedes exact draws of the target
	DiagGammaMean      diag.Number = "gamma_mean"      // mean ESS ratio of the stages
	DiagGammaMin       diag.Number = "gamma_min"       // smallest ESS ratio of a stage
	DiagStagesBelow    diag.Number = "stages_below"    // share of stages whose ESS ratio is below the limit
	DiagParticlesMean  diag.Number = "particles_mean"  // mean number of particles at a stage
	// smallest possible variance of log Zhat for the same total number of independent particles, nats^2 ([ARM] eq. 7)
	DiagVMin      diag.Number = "v_min"
	DiagIMaxShare diag.Number = "i_max_share" // share of stages at which generating was cut short
	DiagESS       diag.Number = "ess"         // effective sample size of the weights, 1/(1+CV^2) n
	// shape of the Pareto distribution that the largest weights follow (stats.ParetoK); for bridge sampling the larger
	// of the shapes of its two sums; for smc the mean over steps and islands
	DiagParetoK       diag.Number = "pareto_k"
	DiagESSKish       diag.Number = "ess_kish"        // effective sample size by Kish, 1/sum W^2
	DiagSEJackknife   diag.Number = "se_jackknife"    // jackknife standard error of log Z
	DiagLogZJackknife diag.Number = "logz_jackknife"  // jackknife estimate of log Z
	DiagMeanLogWeight diag.Number = "mean_log_weight" // mean of the log weights, without log Z of the base
	DiagVarLogWeight  diag.Number = "var_log_weight"  // variance of the log weights
	DiagVarPredicted  diag.Number = "var_predicted"   // predicted var_log_weight if moves gave independent samples on this ladder
	DiagESSPredicted  diag.Number = "ess_predicted"   // predicted ess if moves gave independent samples on this ladder
	// auto: the lag of the pilot's chains (schedule.PathStats); the planned work (ns) of annealing and of tempering for
	// the wanted error; log Z and its standard error by the strategy that was not chosen
	DiagLag           diag.Number = "lag"
	DiagCostAnnealing diag.Number = "cost_annealing"
	DiagCostTempering diag.Number = "cost_tempering"
	DiagLogZOther     diag.Number = "logz_other"
	DiagLogZOtherSE   diag.Number = "logz_other_se"
	// auto with a sequential check: log Z and its standard error by resample-move if it confirms annealing and
	// tempering (logz_formed), or by annealing or tempering if the estimate is by resample-move (logz_first)
	DiagLogZGrown   diag.Number = "logz_formed"
	DiagLogZGrownSE diag.Number = "logz_formed_se"
	DiagLogZFirst   diag.Number = "logz_first"
	DiagLogZFirstSE diag.Number = "logz_first_se"

	DiagBaseSamples diag.Number = "base_samples" // preliminary samples that the base was fitted to
	// F = (K-1) Var(log w) of the linear and of the optimal schedule if moves gave independent samples. If hidden units
	// are summed out, the joint variants use the joint density of visible and hidden units instead
	DiagPathLinear       diag.Number = "f_linear"
	DiagPathOptimal      diag.Number = "f_optimal"
	DiagPathLinearJoint  diag.Number = "f_linear_joint"
	DiagPathOptimalJoint diag.Number = "f_optimal_joint"
	// mean and variance of the log weights of reverse chains
	DiagReverseMeanLogWeight diag.Number = "reverse_mean_log_weight"
	DiagReverseVarLogWeight  diag.Number = "reverse_var_log_weight"
	DiagLogZReverse          diag.Number = "logz_reverse" // log Z from the reverse chains alone
	// standard error of logz_reverse, if the chains start from exact samples and the weights are even
	DiagLogZReverseSE diag.Number = "logz_reverse_se"
	DiagReverseESS    diag.Number = "reverse_ess" // effective sample size of the reverse weights
	DiagESSBennett    diag.Number = "ess_bennett" // effective number of pairs of chains, by Bennett's equation
	// log Z and its standard error by the forward chains alone, if the estimate also uses other chains
	DiagLogZForward   diag.Number = "logz_forward"
	DiagLogZForwardSE diag.Number = "logz_forward_se"
	DiagLogZPooled    diag.Number = "logz_pooled" // log Z from the mean weight over all chains that start from data
	DiagData          diag.Number = "data"        // number of data points that chains started from
	// mean log-likelihood of the data rows, biased down, and its standard error
	DiagMeanLogLikelihood   diag.Number = "mean_log_likelihood"
	DiagMeanLogLikelihoodSE diag.Number = "mean_log_likelihood_se"
	DiagIslands             diag.Number = "islands" // number of independent sets of particles
	// standard error under the assumption that the particles within an island are independent
	DiagSEWithin  diag.Number = "se_within"
	DiagIslandsSD diag.Number = "islands_sd" // standard deviation of log Zhat between islands
	DiagAncestors diag.Number = "ancestors"  // without moves: mean number of initial particles with descendants at the end
	// second opinion by separate annealed chains: log Z, its standard error, and the effective sample size and the
	// variance of the log weights of these chains
	DiagLogZAnnealed   diag.Number = "logz_annealed"
	DiagLogZAnnealedSE diag.Number = "logz_annealed_se"
	DiagESSAnnealed    diag.Number = "ess_annealed"
	DiagVarAnnealed    diag.Number = "var_log_weight_annealed"
	DiagMergedBatches  diag.Number = "merged_batches"  // tempering rounds merged into the estimate
	DiagBiasEq16       diag.Number = "bias_eq16"       // bias of log Z by [RTS] eq. 16
	DiagOccupancyMin   diag.Number = "occupancy_min"   // smallest c_k/r_k
	DiagOccupancyMax   diag.Number = "occupancy_max"   // largest c_k/r_k
	DiagRoundTrips     diag.Number = "round_trips"     // round trips from the lowest rung to the highest and back, summed over chains
	DiagInitialMaxDev  diag.Number = "initial_max_dev" // max |c_k/r_k - 1| in the last initial iteration
	// adaptive weights: the amount (nats) that the last sweep would add to log Zhat of a rung with all chains
	DiagGain    diag.Number = "gain"
	DiagSettled diag.Number = "settled" // fraction of islands whose gain falls as 1/sweeps
	// fraction of the initial error of log Zhat that remains at the end, for chains that mix immediately; the initial
	// error is that at the time when every rung has first been visited
	DiagLeftOver         diag.Number = "left_over"
	DiagDrift            diag.Number = "drift"             // change of log Z over the last half of the sweeps
	DiagDriftSE          diag.Number = "drift_se"          // standard error of drift, from the spread between islands
	DiagTemperaturesUsed diag.Number = "temperatures_used" // mean number of rungs used
	DiagResamplings      diag.Number = "resamplings"       // mean number of resamplings of an island
	// thermodynamic integration: log Z by the right, left and trapezoidal rule, and by the corrected trapezoidal rule
	DiagTIRight     diag.Number = "ti_right"
	DiagTILeft      diag.Number = "ti_left"
	DiagTITrapezoid diag.Number = "ti_trapezoid"
	DiagTICorrected diag.Number = "ti_corrected"
	DiagRuleError   diag.Number = "rule_error"  // estimated error of the integration rule
	DiagSESampling  diag.Number = "se_sampling" // standard error from sampling alone, without the error of the integration rule
	DiagSlopeEvery  diag.Number = "slope_every" // sweeps between two measurements of the slopes
	DiagEmptyRungs  diag.Number = "empty_rungs" // rungs without samples
	DiagSamplesMin  diag.Number = "samples_min" // fewest samples at a rung
	// chains at fixed rungs: standard error between chains divided by the standard error between batches within chains
	DiagChainsApart diag.Number = "chains_apart"
	DiagSampleEvery diag.Number = "sample_every" // bar and mbar: sweeps after burn-in per sample
	DiagOverlapMin  diag.Number = "overlap_min"  // smallest overlap of neighbouring rungs
	DiagSEPairs     diag.Number = "se_pairs"     // standard error if all samples and pairs of rungs were independent
	DiagSEIID       diag.Number = "se_iid"       // standard error if all samples were independent
	// statistical inefficiency: the variance of log Z divided by its variance for independent samples
	DiagInefficiency diag.Number = "inefficiency"
	DiagSpectralGap  diag.Number = "spectral_gap" // 1 - second largest eigenvalue of the overlap matrix
	DiagEffectiveMin diag.Number = "n_eff_min"    // smallest effective number of samples of a rung
	// log Z by the power posterior, its standard error, and the estimated error of the trapezoidal rule
	DiagLogZPower   diag.Number = "logz_power"
	DiagLogZPowerSE diag.Number = "logz_power_se"
	DiagPowerRule   diag.Number = "logz_power_rule"
	DiagAcceptance  diag.Number = "acceptance" // mean probability that a learned proposal was accepted
	// estimated likelihoods: draws per estimate, variance of the log estimates at posterior draws, tau of the ladder,
	// and the predicted loss of effective sample size against exact likelihoods, e^(-tau variance)
	DiagInner     diag.Number = "inner_draws"
	DiagNoise     diag.Number = "noise_variance"
	DiagTau       diag.Number = "tau"
	DiagNoiseLoss diag.Number = "ess_ratio_predicted"
	// bridge: overlap of the target and the density fitted to it, 1 if they are equal
	DiagOverlap diag.Number = "overlap"
	// log Z by the second half of the draws minus log Z by the first, and its standard error
	DiagHalves   diag.Number = "halves"
	DiagHalvesSE diag.Number = "halves_se"
	DiagRHat     diag.Number = "rhat"    // largest R-hat of a coordinate
	DiagBurnIn   diag.Number = "burn_in" // burn-in sweeps of a chain
	// increase of log Z over the last rungs by exact samples, minus the increase by the run (target_check.go)
	DiagTargetGap   diag.Number = "target_gap"
	DiagTargetGapSE diag.Number = "target_gap_se" // standard error of target_gap
)

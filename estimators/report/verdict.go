package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
)

// Verdict says how far a result can be trusted, and why.
type Verdict struct {
	Level  string         `json:"level"` // trust, caution or stop
	Checks []VerdictCheck `json:"checks"`
}

// VerdictCheck is one condition of trust: what it is, the value found, what it needs,
// what a failure means and what to do about it.
type VerdictCheck struct {
	Name  string `json:"name"`
	Value Number `json:"value"`
	Needs string `json:"needs"`
	OK    bool   `json:"ok"`
	Means string `json:"means"`
	Do    string `json:"do"`

	Text string `json:"-"` // the value for people
	bad  bool   // so far off that the number must not be used
}

// Levels of a verdict.
const (
	Trust   = "trust"
	Caution = "caution"
	Stop    = "stop"
)

// nearEnough is a distance (nats) that is harmless, however short the error bar.
const nearEnough = .01

// Judge checks a report. A check that fails badly makes the level stop, any
// other failure caution. No check looks at the truth except the one that says so.
func (r *Report) Judge() *Verdict {
	v := &Verdict{Level: Trust}
	d := func(name string) float64 {
		if x, ok := r.Diagnostics[name]; ok {
			return float64(x)
		}
		return math.NaN()
	}
	se := float64(r.SE)
	bar := se // 0 where there is none
	if bar != bar {
		bar = 0
	}
	if !IsNumber(r.LogZ) {
		v.add(VerdictCheck{Name: "A result", Value: r.LogZ, Text: "none", Needs: "a number", bad: true,
			Means: "There is no estimate.", Do: "Run the method again with more work."})
		return v
	}
	if !(se >= 0) {
		c := VerdictCheck{Name: "An error bar", Value: r.SE, Text: "none", Needs: "≥ 2 chains",
			Means: "One chain says nothing about its own error.", Do: "Use ten chains or more."}
		if r.SEMethod == "islands" {
			c.Needs, c.Means, c.Do = "≥ 2 islands", "One island says nothing about its own error.", "Use four islands or more."
		}
		v.add(c)
	} else if n := d("islands"); r.SEMethod == "islands" && n < 4 {
		v.add(VerdictCheck{Name: "An error bar", Value: Number(n), Text: fmt.Sprintf("%.0f islands", n), Needs: "≥ 4",
			Means: "The spread of so few islands may be small by luck, and the error bar with it.", Do: "Use four islands or more."})
	}
	// From ESS samples an error bar is known to one part in sqrt(2 ESS): to 16 % from 20.
	if ess := d("ess"); ess == ess {
		v.add(VerdictCheck{Name: "Effective sample size", Value: Number(ess), Text: beside(ess, 20, 0), Needs: "≥ 20",
			OK: ess >= 20, bad: ess < 5,
			Means: "A few heavy weights carry the estimate, so the error bar is too small.",
			Do:    "Use more temperatures first, then more chains."})
	}
	if catalog.Path(r.Method) != estimators.Direct { // for plain draws the spread of log weights says little
		if s2 := d("var_log_weight"); s2 == s2 {
			v.add(VerdictCheck{Name: "Spread of log weights", Value: Number(s2), Text: beside(s2, 1, 2), Needs: "≤ 1",
				OK: s2 <= 1, bad: s2 > 25,
				Means: "The chains lag behind the moving target.", Do: "Use more temperatures."})
		}
	}
	up := d("logz_reverse")
	if both := d("logz_bennett"); both == both { // reverse plain draws alone are too rough
		up = both
	}
	if up == up {
		gap := up - float64(r.LogZ)
		limit := .5
		if 3*se > limit {
			limit = 3 * se
		}
		v.add(VerdictCheck{Name: "Reverse gap", Value: Number(gap), Text: format.Fixed(gap, 2) + " nats", Needs: fmt.Sprintf("≤ %.2f", limit),
			OK: math.Abs(gap) <= limit, bad: math.Abs(gap) > 3 && !(math.Abs(gap) <= 10*se),
			Means: "Chains that start at the target find another log Z than chains that start at the base: one of them misses part of the target.",
			Do:    "Choose a better start (base rates), or use more temperatures."})
	}
	if width := float64(r.Upper - r.Lower); width == width && catalog.Path(r.Method) != estimators.Direct {
		v.add(VerdictCheck{Name: "Sandwich width", Value: Number(width), Text: beside(width, 3, 1) + " nats", Needs: "≤ 3",
			OK: width <= 3, bad: width > 15,
			Means: "The bounds from below and above are far apart, so little is certain.", Do: "Use more temperatures."})
	}
	v.tempering(r, d)
	if gap, bar := d("target_gap"), d("target_gap_se"); gap == gap && bar > 0 {
		off := math.Abs(gap) / bar
		v.add(VerdictCheck{Name: "Bars off exact samples", Value: Number(off), Text: beside(off, 3, 1), Needs: "≤ 3",
			OK: off <= 3 || math.Abs(gap) < nearEnough, bad: off > 20,
			Means: "Exact samples of the target give log Z another rise over the last rungs than the chains: the chains miss part of the target.",
			Do:    "Trust another method, or start elsewhere and use more sweeps."})
	}
	v.forming(r, d)
	// Methods that form their particles do not start from the base.
	if slices.Contains(r.Flags, "base_guessed") && !IsNumber(r.Upper) && r.Truth == nil && catalog.Path(r.Method) != estimators.Sequential {
		v.add(VerdictCheck{Name: "A known start", Value: Number(math.NaN()), Text: "a guess", Needs: "base rates p1",
			Means: "The file has no base rates, so the start is a guess, and no upper bound can expose a bad one.",
			Do:    "Add p1, the mean of the training data, to the file."})
	}
	if t := r.Truth; t != nil && se >= 0 {
		off := math.Abs(float64(r.LogZ - t.LogZ))
		bars := off / math.Max(bar, 1e-9)
		c := VerdictCheck{Name: "Bars off the truth", Value: Number(bars), Text: beside(bars, 3, 1), Needs: "≤ 3",
			OK: bars <= 3, bad: bars > 6 && off > .5,
			Means: "The exact value lies outside the error bar: the bar is too short.", Do: "Trust the exact value, and give the method more work."}
		if !c.OK && off < nearEnough {
			c.Name, c.Value, c.Text, c.Needs, c.OK = "Distance to the truth", Number(off), fmt.Sprintf("%.1g nats", off), "< 0.01", true
		}
		v.add(c)
	}
	return v
}

// tempering adds the checks of methods that move between rungs.
func (v *Verdict) tempering(r *Report, d func(string) float64) {
	if lo, hi := d("occupancy_min"), d("occupancy_max"); lo == lo && hi == hi {
		worst := lo
		if 1/hi < lo {
			worst = hi
		}
		v.add(VerdictCheck{Name: "Occupancy c/r", Value: Number(worst), Text: fmt.Sprintf("%.2g", worst), Needs: "0.1–10",
			OK: lo >= .1 && hi <= 10, bad: lo < .001 || hi > 1000,
			Means: "Some rung is visited far less, or more, than planned, so few chains pass it.",
			Do:    "Allow more initial rounds, or add rungs there."})
	}
	if trips := d("round_trips"); trips == trips {
		v.add(VerdictCheck{Name: "Round trips", Value: Number(trips), Text: fmt.Sprintf("%.0f", trips), Needs: "≥ 10",
			OK: trips >= 10, Means: "Too few chains have been up and down the whole ladder.", Do: "Use more sweeps."})
	}
	if dev := d("initial_max_dev"); dev == dev {
		v.add(VerdictCheck{Name: "Starting guess", Value: Number(dev), Text: beside(dev, 1, 2) + " off flat", Needs: "≤ 1",
			OK: dev <= 1, bad: dev > 20,
			Means: "The initial iterations ended before the rungs were visited evenly.", Do: "Allow more initial rounds or sweeps."})
	}
}

// forming adds the checks of methods whose islands of particles are weighted,
// resampled and multiplied.
func (v *Verdict) forming(r *Report, d func(string) float64) {
	const more = "Use more particles, or more moves at every stage."
	info, _ := catalog.Method(r.Method)
	if n, err := strconv.Atoi(r.Spec.Params["particles"]); err == nil && info.LeastParticles > 0 {
		v.add(VerdictCheck{Name: "Particles", Value: Number(n), Text: strconv.Itoa(n), Needs: fmt.Sprintf("≥ %d", info.LeastParticles), OK: n >= info.LeastParticles,
			Means: "Batches are generated until the weights look even, and these weights are averaged: with few particles that moves log Z by more than the bar.", Do: "Use more particles."})
	}
	if sd := d("islands_sd"); sd == sd {
		v.add(VerdictCheck{Name: "Islands agree", Value: Number(sd), Text: beside(sd, 1, 2) + " nats", Needs: "≤ 1",
			OK: sd <= 1, bad: sd > 5,
			Means: "Sets of particles that never met end far apart, so each misses part of the target.", Do: more})
		v.add(VerdictCheck{Name: "Bias", Value: Number(sd * sd / 2), Text: beside(sd*sd/2, .1, 3) + " nats", Needs: "≤ 0.1",
			OK:    sd*sd/2 <= .1,
			Means: "The log of a noisy Z is too low by about half its variance.", Do: more})
	}
	if share := d("stages_below"); share == share {
		v.add(VerdictCheck{Name: "Uneven stages", Value: Number(share), Text: beside(100*share, 10, 0) + " %", Needs: "≤ 10 %",
			OK: share <= .1, bad: d("gamma_min") < .02 && share > .5,
			Means: "At these stages few particles carry most of the weight.", Do: more})
	}
	if share := d("i_max_share"); share == share {
		v.add(VerdictCheck{Name: "Generating cut short", Value: Number(share), Text: beside(100*share, 10, 0) + " %", Needs: "≤ 10 %",
			OK:    share <= .1,
			Means: "At many stages i_max batches were not enough to even the weights.", Do: "Raise i_max, or use more particles."})
	}
}

// beside is x as it stands beside a limit: with so many digits, or more where rounding
// would carry it to the limit or over it.
func beside(x, limit float64, digits int) string {
	for x != limit && digits < 9 && format.Fixed(x, digits) == format.Fixed(limit, digits) {
		digits++
	}
	return format.Fixed(x, digits)
}

func (v *Verdict) add(c VerdictCheck) {
	v.Checks = append(v.Checks, c)
	switch {
	case c.OK:
	case c.bad:
		v.Level = Stop
	case v.Level == Trust:
		v.Level = Caution
	}
}

// Level is the level that the check alone gives.
func (c *VerdictCheck) Level() string {
	switch {
	case c.OK:
		return Trust
	case c.bad:
		return Stop
	}
	return Caution
}

// Failing is the check that decides the level: the first bad one, else the first
// that fails, nil when all pass.
func (v *Verdict) Failing() *VerdictCheck {
	for _, bad := range []bool{true, false} {
		for i := range v.Checks {
			if c := &v.Checks[i]; !c.OK && (c.bad || !bad) {
				return c
			}
		}
	}
	return nil
}

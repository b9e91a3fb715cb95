package verdict

import "slices"

// Verdict says how far a result can be trusted, and why.
type Verdict struct {
	Level  string  `json:"level"` // trust, caution or stop
	Checks []Check `json:"checks"`
}

// Check is one condition of trust: name, value found, limit, meaning of a failure, and advice.
type Check struct {
	Name  string `json:"name"`
	Value Number `json:"value"`
	Needs string `json:"needs"`
	OK    bool   `json:"ok"`
	Means string `json:"means"`
	Do    string `json:"do"`
	At    string `json:"at,omitempty"` // where it is, as a rung of given samples

	Text string `json:"-"` // the value for people
	Near bool   `json:"-"` // it passes, and by so little that the page shows a neutral mark
	Bad  bool   `json:"-"` // so far off that the number must not be used
}

// Levels of a verdict.
const (
	Trust   = "trust"
	Caution = "caution"
	Stop    = "stop"
)

// Add takes a check, and its level if that is worse.
func (v *Verdict) Add(c Check) {
	v.Checks = append(v.Checks, c)
	switch {
	case c.OK:
	case c.Bad:
		v.Level = Stop
	case v.Level == Trust:
		v.Level = Caution
	}
}

// Passes reports whether a check of this name was made and passed.
func (v *Verdict) Passes(name string) bool {
	return slices.ContainsFunc(v.Checks, func(c Check) bool { return c.Name == name && c.OK })
}

// Without is the verdict without the checks of some names.
func (v *Verdict) Without(names ...string) *Verdict {
	out := &Verdict{Level: Trust}
	for _, c := range v.Checks {
		if !slices.Contains(names, c.Name) {
			out.Add(c)
		}
	}
	return out
}

// Level is the level that the check alone gives.
func (c *Check) Level() string {
	switch {
	case c.OK:
		return Trust
	case c.Bad:
		return Stop
	}
	return Caution
}

// Failing is the check that decides the level: the first bad one, else the first
// that fails, nil when all pass.
func (v *Verdict) Failing() *Check {
	for _, bad := range []bool{true, false} {
		for i := range v.Checks {
			if c := &v.Checks[i]; !c.OK && (c.Bad || !bad) {
				return c
			}
		}
	}
	return nil
}

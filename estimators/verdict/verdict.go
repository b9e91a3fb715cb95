package verdict

import "slices"

// Verdict states whether a result can be trusted, and why.
type Verdict struct {
	Level  string  `json:"level"` // trust, caution or stop
	Checks []Check `json:"checks"`
}

// Check is one check of a result. Meaning and Advice are for users if the check fails.
type Check struct {
	Name    string `json:"name"`
	Value   Number `json:"value"`
	Needs   string `json:"needs"`
	OK      bool   `json:"ok"`
	Meaning string `json:"means"`
	Advice  string `json:"do"`
	At      string `json:"at,omitempty"` // part of the data where it failed, such as a rung

	Text string `json:"-"` // the value for people
	Near bool   `json:"-"` // passed narrowly, so the page shows a neutral symbol
	Bad  bool   `json:"-"` // failed by so much that the result must not be used
}

// Levels of a verdict.
const (
	Trust   = "trust"
	Caution = "caution"
	Stop    = "stop"
)

// Add adds a check. If the level of the check is worse than that of the verdict, it becomes the level of the verdict.
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

// Without returns the verdict without the named checks.
func (v *Verdict) Without(names ...string) *Verdict {
	out := &Verdict{Level: Trust}
	for _, c := range v.Checks {
		if !slices.Contains(names, c.Name) {
			out.Add(c)
		}
	}
	return out
}

// Level returns the level of a verdict with this check alone.
func (c *Check) Level() string {
	switch {
	case c.OK:
		return Trust
	case c.Bad:
		return Stop
	}
	return Caution
}

// Failing returns the check that decides the level: the first that fails badly, else the first that fails, nil if all
// pass.
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

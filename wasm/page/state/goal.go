package state

import (
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/report"
)

// Goal is what an assignment asks of a finished run: every method must meet each condition. A link states it as
// view.goal=se:0.1,verdict:trust. The zero value asks for nothing.
type Goal struct {
	SE      float64 // largest standard error of log Z, in nats; 0 for no condition
	Verdict string  // trust; or caution, which trust meets, too; "" for no condition
}

// ParseGoal parses a goal as links write it: conditions se:X, with X from 1e-9 to 1000 nats, and verdict:trust or
// verdict:caution, separated by commas, each at most once.
func ParseGoal(text string) (g Goal, err error) {
	for _, condition := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(strings.TrimSpace(condition), ":")
		x, notNumber := strconv.ParseFloat(value, 64)
		switch {
		case key == "se" && g.SE == 0 && notNumber == nil && x >= 1e-9 && x <= 1000:
			g.SE = x
		case key == "verdict" && g.Verdict == "" && (value == report.Trust || value == report.Caution):
			g.Verdict = value
		default:
			return Goal{}, problem.New("the goal %q is not understood; write for example se:0.1,verdict:trust, with se from 1e-9 "+
				"to 1000 nats, and verdict trust or caution", text)
		}
	}
	return g, nil
}

// String returns the goal as links write it, "" for the zero value.
func (g Goal) String() string {
	var conditions []string
	if g.SE > 0 {
		conditions = append(conditions, "se:"+spec.Decimal(g.SE))
	}
	if g.Verdict != "" {
		conditions = append(conditions, "verdict:"+g.Verdict)
	}
	return strings.Join(conditions, ",")
}

// Unmet returns the conditions that the reports of finished methods do not meet, as phrases that can be translated; nil
// if all methods are finished and meet the goal.
func (g Goal) Unmet(reports []*report.Report) (unmet []error) {
	for _, r := range reports {
		switch se := float64(r.SE); {
		case r.State != runstate.MethodDone:
			return append(unmet, problem.New("the run is not finished"))
		case g.SE > 0 && !report.IsNumber(r.SE):
			unmet = append(unmet, problem.New("%s has no error bar", r.Method))
		case g.SE > 0 && se > g.SE:
			unmet = append(unmet, problem.New("the standard error of %s is %s, more than %s", r.Method,
				format.Value(se, se/10), spec.Decimal(g.SE)))
		}
		if r.Verdict == nil {
			continue
		}
		if level := r.Verdict.Level; level == report.Stop && g.Verdict != "" || level == report.Caution && g.Verdict == report.Trust {
			unmet = append(unmet, problem.New("the verdict on %s is %w, not %w", r.Method, verdictName(level),
				verdictName(g.Verdict)))
		}
	}
	return unmet
}

// verdictName returns the name of a verdict as a phrase that can be translated.
func verdictName(level string) error {
	switch level {
	case report.Trust:
		return problem.New("trust")
	case report.Caution:
		return problem.New("caution")
	}
	return problem.New("do not trust")
}

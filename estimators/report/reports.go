package report

// All lists a report for each method, final or so far, in the order of the
// spec. seconds is wall time.
func (j *Reports) All(seconds float64) []*Report {
	var out []*Report
	for _, name := range j.job.Spec.Methods {
		r := *j.report(name, seconds)
		out = append(out, &r)
	}
	j.floor(out)
	j.Opinions(out)
	return out
}

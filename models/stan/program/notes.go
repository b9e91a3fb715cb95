package program

import (
	"strconv"
	"strings"

	"logzlab/core/diag"
	"logzlab/core/problem"
	"logzlab/models"
	"logzlab/models/stan/tape"
)

// describeProgram adds to the model's Info the size of the program, the parameters without a prior, and those whose
// prior is not normalised.
func (m *programModel) describeProgram() {
	var improper, truncated error
	if names := m.t.Note(tape.NoteImproper); names != "" {
		m.info.Flags = append(m.info.Flags, models.FlagImproper)
		improper = problem.New("no prior found for %s, so log Z may be defined only up to a constant", names)
	}
	if nats, names, ok := strings.Cut(m.t.Note(tape.NoteTruncated), " "); ok {
		m.info.Flags = append(m.info.Flags, models.FlagTruncated)
		truncated = problem.New("the prior of %s is not normalised because of its declaration, so log Z differs from the value "+
			"for the normalised prior", names)
		if v, err := strconv.ParseFloat(nats, 64); err == nil {
			m.info.Diagnostics = map[diag.Number]float64{models.DiagTruncation: v}
			truncated = problem.New("the prior of %s is not normalised because of its declaration: log Z minus the value for the "+
				"normalised prior is %s", names, strconv.FormatFloat(-v, 'g', 3, 64))
		}
	}
	m.info.Understood = models.JoinPhrases(problem.New("coordinates: %d, operations: %d", m.t.Dim(), m.t.NumOps()), improper, truncated)
}

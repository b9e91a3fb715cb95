package papers

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"text/tabwriter"

	"logzlab/core/format"
)

// madeText returns a sentence that says when, on which system and at which size the results were computed.
func (out *Outcome) madeText() string {
	size := map[Size]string{Small: "a miniature", Normal: "default sizes",
		Full: "the paper's own sizes"}[out.Size]
	s := fmt.Sprintf("Made by logz experiment %s on %s, %s/%s with %d cores, in %.1f minutes of processor time: %s.",
		out.Name,
		out.When.Format("2 January 2006"), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), out.minutes(), size)
	if out.reached < out.Planned {
		s += fmt.Sprintf(" Not complete: %d of %d points.", out.reached, out.Planned)
	}
	return s
}

// minutes returns the processor time of all points; series of the same run share it.
func (out *Outcome) minutes() float64 {
	t := 0.0
	for _, r := range out.Rows {
		t += r.Seconds * float64(r.N) / float64(60*max(1, len(r.Readers)))
	}
	return t
}

// notesHeading returns the heading of the notes.
func (out *Outcome) notesHeading() string {
	if out.By != "" {
		return "What to know"
	}
	return "What is different from the paper"
}

// capital returns s with a capital first letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Summary returns a sentence with the numbers of findings by answer.
func (out *Outcome) Summary() string { return summarize(out.Findings, out.claimant()) }

// text returns the content of NAME.txt: the claims with their results, the notes, and the table of numbers.
func (out *Outcome) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n%s\n\n%s\n\n", out.Name, out.Figure, out.madeText(), out.Summary())
	for _, ours := range []bool{false, true} {
		claimant := capital(strings.TrimPrefix(out.claimant(), "the "))
		if ours {
			claimant = "Ours"
		}
		for _, f := range out.Findings {
			if f.Ours == ours {
				fmt.Fprintf(&b, "%-8s  %s\nThis run  %s\n          %s\n\n", claimant, f.Claim(), strings.TrimSuffix(f.Here+" "+
					f.Theory(), " "), strings.ToUpper(f.Answer.String()))
			}
		}
	}

	// Notes, and how to read the findings.
	fmt.Fprintln(&b, out.notesHeading()+":")
	for _, n := range out.Notes {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	fmt.Fprintf(&b, "A finding agrees if the claim holds by more than %d standard errors, and contradicts if its "+
		"opposite does;\notherwise this run is too small to decide. Without any effect, %.1f %% of the claims would be "+
		"decided by chance.\n\n", Sigmas, 100*chanceRate)

	// The table of numbers.
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	essHeading := ""
	if out.Axes.ESS {
		essHeading = "\tess"
	}
	secondsHeadings := ""
	if out.Axes.Needs {
		secondsHeadings = "\tto 0.1\tto 0.05"
	}
	fmt.Fprintln(w, "panel\tmethod\tparameters\testimates\tlog mean\tmean\tsd\trmse"+essHeading+"\tseconds"+secondsHeadings)
	for _, r := range out.Rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d", r.Panel, r.Series, r.Params, r.N)
		for _, x := range []float64{r.LogMeanExp, r.Mean, r.SD, r.RMS()} {
			fmt.Fprintf(w, "\t%s", format.ASCII(format.Glance(x)))
		}
		if out.Axes.ESS {
			fmt.Fprint(w, "\t"+format.ASCII(r.Effective()))
		}
		fmt.Fprintf(w, "\t%.3g", r.Seconds)
		if secondsHeadings != "" {
			fmt.Fprintf(w, "\t%s\t%s", r.Needed(.1), r.Needed(.05))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.Bytes()
}

// size returns the value of the quantity that grows along the line, as text: Step, the number of particles R, or the
// number of temperatures; "" if none is known.
func (r *Row) size() string {
	if r.Step != "" {
		return r.Step
	}
	if r.R > 0 {
		return fmt.Sprintf("R = %d", r.R)
	}
	for _, p := range strings.Fields(r.Params) {
		if k, ok := strings.CutPrefix(p, "temperatures="); ok {
			return k + " temperatures"
		}
	}
	return ""
}

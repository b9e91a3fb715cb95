package main

import (
	"bytes"
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// page returns the page of the documentation with the table of all rows, which are sorted by name.
func page(rows []row, at time.Time) []byte {
	var out bytes.Buffer
	count, stopped := map[string]int{}, map[string]int{}
	builds := map[string]int{}
	var buildOrder []string
	seconds := 0.
	for _, r := range rows {
		if builds[r.Build]++; builds[r.Build] == 1 {
			buildOrder = append(buildOrder, r.Build)
		}
		count[r.Status]++
		if r.Status == overTime {
			stopped[r.Reason]++
		}
		if r.Status == done && !isFinite(r.SecondSeconds) {
			count["alone"]++
		}
		if r.Status == done {
			count[r.Verdict]++
		}
		if r.compiled() {
			count["compiled"]++
			seconds += r.Seconds
		}
		if r.compared() {
			kind := map[bool]string{true: "agree", false: "disagree"}[r.agrees()]
			count[kind]++
			count[kind+r.Verdict]++
		}
	}
	limits := ""
	for _, reason := range slices.Sorted(maps.Keys(stopped)) {
		limits += fmt.Sprintf("| %s: %s | %d |\n", overTime, reason, stopped[reason])
	}
	fmt.Fprintf(&out, `# Posteriors of posteriordb

The log [evidence](glossary.md#evidence) of the programs of posteriordb, a collection of posteriors for testing methods
(Magnusson and others, arXiv:2407.04967), by %[1]sauto%[1]s with seed 1 and all defaults, and by a second method that shares only
the log density with it.

| | |
|---|---:|
| posteriors | %[2]d |
| not compiled | %[12]d |
| compiled | %[3]d |
| verdict trust | %[4]d |
| verdict caution | %[5]d |
| verdict stop | %[6]d |
%[7]s| second method not run | %[13]d |
| compared with the second method | %[8]d |
| of these agree | %[9]d |
| compared, and trusted | %[10]d |
| of these agree | %[11]d |
`, "`", len(rows), count["compiled"], count["trust"], count["caution"], count["stop"], limits,
		count["agree"]+count["disagree"], count["agree"], count["agreetrust"]+count["disagreetrust"], count["agreetrust"],
		count[notCompiled], count["alone"])
	fmt.Fprintf(&out, "\n%.1f minutes of one processor for the first method. ", seconds/60)
	if len(buildOrder) == 1 {
		fmt.Fprintf(&out, "Build %s, %s.\n", buildOrder[0], at.Format(time.DateOnly))
	} else {
		var names []string
		for _, b := range buildOrder {
			names = append(names, fmt.Sprintf("%s (%d rows)", b, builds[b]))
		}
		fmt.Fprintf(&out, "Builds %s, %s.\n", strings.Join(names, ", "), at.Format(time.DateOnly))
	}
	out.WriteString("`./build.sh posteriors DIR` makes this page; [its rows](posteriors.csv) have more columns.\n")

	fmt.Fprintf(&out, `
## What the columns mean

- **Posterior**: its name in posteriordb, data first, and a link that runs it. If the program is too long for a link, the
  page asks for it; drop the program and its data there.
- **d**: number of unconstrained coordinates, over which the density is integrated.
- **log Z**, **±**: the estimate in nats, with all constants, and its standard error.
- **k**: the Pareto shape of the largest weights, if the method has weights. Above 0.7 a few weights dominate the
  estimate.
- **Verdict**: [trust, caution or stop](error-bars.md). If a program has a flat prior on all real numbers, its log Z is
  defined only up to a constant, so its verdict is caution at best, however precise the number is. *%s* means
  that the run was stopped after the given seconds; the estimate so far precedes it.
- **s**: seconds of one processor, compilation of the program included.
- **Second method**, **±**: four chains of a No-U-Turn sampler as in Stan, started between -2 and 2, in the program's own
  coordinates, with 1,000 transitions for adaptation and 1,000 kept. Log Z is by bridge sampling with a normal distribution
  fitted to half of the draws, as in [samples of other programs](samples.md#draws-of-stan). It shares neither the search,
  nor the base, the path or the moves with the first method.
- **Agree**: whether both are within four standard errors of each other, or within 0.1 nat. A dash means that the second
  method gives no answer: its verdict is stop, for example because its chains are in different modes, its error is above %v nat, it took
  too long, or it was not run.
- **Hash**: the hash of the result of the first method.

## Log Z

| Posterior | d | log Z | ± | k | Verdict | s | Second method | ± | Agree | Hash |
|---|---:|---:|---:|---:|---|---:|---:|---:|---|---|
`, overTime, maxSecondSE)
	for _, r := range rows {
		if !r.compiled() {
			continue
		}
		name := r.Name
		if r.Link != "" {
			name = fmt.Sprintf("[%s](../index.html#%s)", name, r.Link)
		}
		verdict, hash := r.Verdict, ""
		if r.Status == overTime {
			verdict = overTime
		}
		if r.Hash != "" {
			hash = "`" + r.Hash + "`"
		}
		second, bar, agree := fixed3(r.SecondLogZ), formatError(r.SecondSE), "–"
		if r.compared() {
			agree = map[bool]string{true: "yes", false: "**no**"}[r.agrees()]
		} else if !r.hasSecond() {
			second, bar = "–", ""
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name, whole(r.Dim), fixed3(r.LogZ),
			formatError(r.SE), formatFixed(r.ParetoK, 2), verdict, formatFixed(r.Seconds, 1), second, bar, agree, hash)
	}
	if len(rows) > count["compiled"] {
		out.WriteString("\n## Not computed\n\n| Posterior | Why |\n|---|---|\n")
		for _, r := range rows {
			if !r.compiled() {
				why := r.Reason
				if r.Status == overTime {
					why = overTime + ": " + why
				}
				fmt.Fprintf(&out, "| %s | %s |\n", r.Name, cell(why))
			}
		}
	}
	return out.Bytes()
}

// cell escapes a text for a table.
func cell(text string) string {
	text = strings.NewReplacer("|", "\\|", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "\n", " ").Replace(text)
	return strings.ReplaceAll(html.EscapeString(text), "&#34;", `"`)
}

// fixed3 formats a number with three decimals, whole without decimals.
func fixed3(x float64) string { return formatFixed(x, 3) }
func whole(x float64) string  { return formatFixed(x, 0) }

// formatFixed formats a number with a number of decimals, or returns "" for NaN.
func formatFixed(x float64, digits int) string {
	if !isFinite(x) {
		return ""
	}
	text := strconv.FormatFloat(x, 'f', digits, 64)
	return strings.Replace(text, "-", "−", 1)
}

// formatError formats an error bar.
func formatError(x float64) string {
	switch {
	case !isFinite(x):
		return ""
	case x < .001:
		return strconv.FormatFloat(x, 'e', 0, 64)
	}
	return strconv.FormatFloat(x, 'f', 3, 64)
}

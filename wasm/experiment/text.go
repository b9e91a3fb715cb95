package experiment

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"runtime"
	"strings"
	"text/tabwriter"
)

// sizes in words.
func (out *Outcome) made() string {
	size := map[Size]string{Small: "a miniature", Normal: "sizes for a few minutes on two cores", Full: "the paper's own sizes"}[out.Size]
	s := fmt.Sprintf("Made by logz experiment %s on %s, %s/%s with %d cores, in %.1f minutes of processor time: %s.", out.Name,
		out.When.Format("2 January 2006"), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), out.minutes(), size)
	if len(out.Rows) < out.Planned {
		s += fmt.Sprintf(" Not complete: %d of %d points.", len(out.Rows), out.Planned)
	}
	return s
}

// minutes is the processor time of all points.
func (out *Outcome) minutes() float64 {
	t := 0.0
	for _, r := range out.Rows {
		t += r.Seconds * float64(r.N) / 60
	}
	return t
}

// Summary is the answer in a sentence.
func (out *Outcome) Summary() string { return verdict(out.Findings) }

// text is NAME.txt: what the paper found, what this run found, and the numbers.
func (out *Outcome) text() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n%s\n\n%s\n\n", out.Name, out.Figure, out.made(), verdict(out.Findings))
	for _, f := range out.Findings {
		fmt.Fprintf(&b, "Paper     %s\nThis run  %s\n          %s\n\n", f.Paper, f.Here, strings.ToUpper(f.Answer.String()))
	}
	fmt.Fprintln(&b, "What is different from the paper:")
	for _, n := range out.notes {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	fmt.Fprintf(&b, "A finding agrees or differs when it clears %d standard errors, else it is left open.\n\n", sigmas)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "panel\tmethod\tparameters\testimates\tlog mean\tmean\tsd\tseconds")
	for _, r := range out.Rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%s\t%s\t%s\t%.3g\n", r.Panel, r.Series, r.Params, r.N, nats(r.LogMeanExp), nats(r.Mean), nats(r.SD), r.Seconds)
	}
	w.Flush()
	return b.Bytes()
}

// nats is a number to hundredths.
func nats(x float64) string {
	if x-x != 0 {
		return "-"
	}
	if math.Abs(x) >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	if math.Abs(x) < .1 {
		return fmt.Sprintf("%.3f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// signs are those that print better than the ones on a keyboard.
var signs = strings.NewReplacer("+-", "±", " -", " −")

// page is NAME.html, a page of site/experiments in the look of the lessons.
func (out *Outcome) page(extension string) []byte {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	e := html.EscapeString
	minus := func(s string) string { return strings.ReplaceAll(s, "-", "−") }
	say(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s · LogZ Lab</title>
<link rel="icon" href="../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../style.css">
</head>
<body>
<header class="top"><a class="mark" href="../index.html"><span class="math">log <i>Z</i></span> Lab</a><nav class="top-nav" aria-label="Pages"><a class="quiet" href="index.html">Experiments</a></nav></header>
<main class="page broad">
<p class="lesson-n">%s</p>
<h1>%s</h1>
<p class="first">%s %s</p>
<p class="live"><a class="button" href="../index.html#%s">%s</a></p>
<figure tabindex="0"><img src="%s%s" alt="%s"><figcaption>%s</figcaption></figure>
<h2>What the paper found, and what this run found</h2>
<table class="answers"><thead><tr><th scope="col">The paper</th><th scope="col">This run</th><th scope="col">Answer</th></tr></thead><tbody>`,
		e(out.title), e(out.Figure), e(out.title), e(out.lead), e(verdict(out.Findings)), e(out.live[0]), e(out.live[1]), out.Name, extension, e(out.alt), e(out.made()))
	for _, f := range out.Findings {
		say(`<tr class="%s"><th scope="row">%s</th><td>%s</td><td>%s</td></tr>`, [...]string{"open", "agrees", "differs"}[f.Answer], e(f.Paper), e(signs.Replace(f.Here)), f.Answer)
	}
	say("</tbody></table>\n<p class=\"why\">A finding agrees or differs when it clears two standard errors, else it is left open.</p>\n<h2>What is different</h2>\n<ul class=\"notes\">")
	for _, n := range out.notes {
		say("<li>%s</li>", e(n))
	}
	say("</ul>\n<h2>The numbers</h2>\n<p>Each name opens that point in the lab, where one estimate of it runs in this browser.</p>\n<div class=\"sheet\">")
	for _, panel := range panels(out.Rows) {
		say(`<table><caption>%s</caption><thead><tr><th scope="col">Method</th><th scope="col">Estimates</th><th scope="col">Log mean</th><th scope="col">Mean</th><th scope="col">sd</th><th scope="col">Seconds</th></tr></thead><tbody>`, e(panel))
		for _, r := range out.Rows {
			if r.Panel == panel {
				say(`<tr><th scope="row"><a href="../index.html#%s">%s</a></th><td>%d</td><td>%s</td><td>%s</td><td>%s</td><td>%.3g</td></tr>`,
					e(single(r.Link)), e(strings.TrimSuffix(r.Series+", "+r.size(), ", ")), r.N, minus(nats(r.LogMeanExp)), minus(nats(r.Mean)), minus(nats(r.SD)), r.Seconds)
			}
		}
		say("</tbody></table>")
	}
	say(`</div>
<p>The same as a file: <a href="%s.csv">%s.csv</a>, <a href="%s.txt">%s.txt</a>.</p>
<p class="why">To make it again: <code>logz experiment %s</code>, or <code>-full</code> for the paper's sizes.</p>
<nav class="turn" aria-label="Other experiments"><a href="index.html">All experiments</a><a href="../lessons/index.html">Lessons</a></nav>
</main>
</body>
</html>`, out.Name, out.Name, out.Name, out.Name, out.Name)
	return []byte(b.String())
}

// single is the link without its replicates.
func single(link string) string {
	link, _, _ = strings.Cut(link, "&replicates=")
	return link
}

// size is what grows along the line.
func (r *Row) size() string {
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

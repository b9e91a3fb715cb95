package papers

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
)

// shell.html is the template of the header and footer of all written pages of the site (TestPagesUseShell checks the
// lessons and the tables of contents). figure.html is the template of the content of an experiment's page.
var (
	//go:embed shell.html
	shellText string
	//go:embed figure.html
	figureText string

	shell  = template.Must(template.New("shell").Parse(shellText))
	figure = template.Must(template.New("figure").Funcs(template.FuncMap{
		"lab":   func(link string) template.URL { return template.URL("../index.html#" + WithoutReplicates(link)) },
		"nats":  format.Glance,
		"signs": signs.Replace,
		"class": func(a Answer) string { return [...]string{"unseen", "agrees", "contradicts"}[a] },
	}).Parse(figureText))
)

// signs replaces keyboard characters by typographic ones.
var signs = strings.NewReplacer("+-", "±", " -", " −")

// page is the data of shell.html.
type page struct {
	Title, Label, LinkTo, LinkText string // LinkTo and LinkText are the link in the header, Label describes its navigation bar
	Main                           template.HTML
	Live                           bool // the page has an interactive figure
}

// page returns the content of NAME.html, a page of site/experiments in the style of the lessons. extension is that of
// the chart's file.
func (out *Outcome) page(extension string) ([]byte, error) {
	type panel struct {
		Name string
		Rows []Row
	}
	var panels []panel
	for _, name := range Panels(out.Rows) {
		p := panel{Name: name}
		for _, r := range out.Rows {
			if r.Panel == name {
				p.Rows = append(p.Rows, r)
			}
		}
		panels = append(panels, p)
	}

	// Make the content, then the page around it.
	var main, b bytes.Buffer
	err := figure.Execute(&main, map[string]any{
		"Name": out.Name, "File": out.File, "IsRows": out.Experiment.Rows, "Files": out.files(),
		"Figure": out.Figure, "Title": out.Title,
		"Lead":    out.Lead,
		"Summary": out.Summary(), "Claimant": out.claimant(), "Who": capital(out.claimant()), "Ours": out.By != "",
		"NotesHead": out.notesHeading(),
		"LiveLink":  out.Live[0], "LiveWords": out.Live[1], "Image": out.Name + extension, "Alt": out.Alt,
		"Made": out.madeText(), "Claims": out.claims(), "Notes": out.Notes, "Panels": panels,
		"Chance": fmt.Sprintf("%.1f", 100*chanceRate),
		"RMSE":   out.Axes.RMSE, "Needs": out.Axes.Needs, "ESS": out.Axes.ESS,
	})
	if err != nil {
		return nil, err
	}
	err = shell.Execute(&b, page{Title: out.Title, Label: "Pages", LinkTo: "index.html", LinkText: "Experiments",
		Main: template.HTML(strings.TrimSuffix(main.String(), "\n"))})
	return b.Bytes(), err
}

// claims are the findings of one claimant, under a heading.
type claims struct {
	Head, Who, Class string
	Findings         []Finding
}

// claims returns the findings of the paper and, separately, this lab's own and those on other models.
func (out *Outcome) claims() (groups []claims) {
	for _, ours := range []bool{false, true} {
		c := claims{"What " + out.claimant() + " says, and what this run found", capital(out.claimant()), "", nil}
		if ours {
			c.Head, c.Who = "Claims of this lab, and of the paper on other models", "Claim"
		}
		if ours || out.By != "" {
			c.Class = " ours"
		}
		for _, f := range out.Findings {
			if f.Ours == ours {
				c.Findings = append(c.Findings, f)
			}
		}
		if len(c.Findings) > 0 || ours && len(groups) == 0 {
			groups = append(groups, c)
		}
	}
	return groups
}

// Effective formats the effective sample size with its standard error, "-" if it is not known. A relative size, at most
// 1, has more decimals.
func (r Row) Effective() string {
	switch {
	case !(r.ESS > 0):
		return "-"
	case r.ESS <= 1:
		return fmt.Sprintf("%.3f ± %.3f", r.ESS, r.ESSSE)
	}
	return fmt.Sprintf("%.1f ± %.1f", r.ESS, r.ESSSE)
}

// Needed formats the seconds until the error of log Z is a number of nats (SecondsTo) with two digits, "-" if the error
// is not known.
func (r *Row) Needed(nats float64) string {
	if t := r.SecondsTo(nats); num.Finite(t) {
		return fmt.Sprintf("%.2g", t)
	}
	return "-"
}

// Label returns the label of the row: its series and the quantity that grows along the line.
func (r Row) Label() string { return strings.TrimSuffix(r.Series+", "+r.size(), ", ") }

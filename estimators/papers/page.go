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

// shell.html is the head and foot that all written pages of the site share; a test holds
// the lessons and the two tables of contents to it. figure.html is what an experiment
// puts between them.
var (
	//go:embed shell.html
	shellText string
	//go:embed figure.html
	figureText string

	shell  = template.Must(template.New("shell").Parse(shellText))
	figure = template.Must(template.New("figure").Funcs(template.FuncMap{
		"lab":   func(link string) template.URL { return template.URL("../index.html#" + Single(link)) },
		"nats":  format.Glance,
		"signs": signs.Replace,
		"class": func(a Answer) string { return [...]string{"unseen", "agrees", "contradicts"}[a] },
	}).Parse(figureText))
)

// signs are those that print better than the ones on a keyboard.
var signs = strings.NewReplacer("+-", "±", " -", " −")

// page is what a written page puts into the shell.
type page struct {
	Title, Label, To, Words string // Label, To and Words: of the link in the head
	Main                    template.HTML
	Live                    bool // it has a figure that runs
}

// page is NAME.html, a page of site/experiments in the look of the lessons.
func (out *Outcome) page(extension string) ([]byte, error) {
	type panel struct {
		Name string
		Rows []Row
	}
	var all []panel
	for _, name := range Panels(out.Rows) {
		p := panel{Name: name}
		for _, r := range out.Rows {
			if r.Panel == name {
				p.Rows = append(p.Rows, r)
			}
		}
		all = append(all, p)
	}

	// The figure with its words, then the page around.
	var main, b bytes.Buffer
	err := figure.Execute(&main, map[string]any{
		"Name": out.Name, "File": out.File, "IsRows": out.Experiment.Rows, "Files": out.files(),
		"Figure": out.Figure, "Title": out.Title,
		"Lead":    out.Lead,
		"Summary": out.Summary(), "Claimant": out.claimant(), "Who": capital(out.claimant()), "Ours": out.By != "",
		"NotesHead": out.notesHead(),
		"LiveLink":  out.Live[0], "LiveWords": out.Live[1], "Image": out.Name + extension, "Alt": out.Alt,
		"Made": out.made(), "Claims": out.claims(), "Notes": out.Notes, "Panels": all,
		"Chance": fmt.Sprintf("%.1f", 100*byChance),
		"RMSE":   out.Axes.RMSE, "Needs": out.Axes.Needs, "ESS": out.Axes.ESS,
	})
	if err != nil {
		return nil, err
	}
	err = shell.Execute(&b, page{Title: out.Title, Label: "Pages", To: "index.html", Words: "Experiments",
		Main: template.HTML(strings.TrimSuffix(main.String(), "\n"))})
	return b.Bytes(), err
}

// claims are findings of one claimant, under a heading.
type claims struct {
	Head, Who, Class string
	Findings         []Finding
}

// claims are the findings of the paper, and apart from them this lab's own and those on other models.
func (out *Outcome) claims() (all []claims) {
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
		if len(c.Findings) > 0 || ours && len(all) == 0 {
			all = append(all, c)
		}
	}
	return all
}

// Effective is the effective sample size with its standard error, "-" where it is not known. A share of a size has more
// decimals.
func (r Row) Effective() string {
	switch {
	case !(r.ESS > 0):
		return "-"
	case r.ESS <= 1:
		return fmt.Sprintf("%.3f ± %.3f", r.ESS, r.ESSSE)
	}
	return fmt.Sprintf("%.1f ± %.1f", r.ESS, r.ESSSE)
}

// Needed is Need in two digits, "-" where the error is not known.
func (r *Row) Needed(nats float64) string {
	if t := r.Need(nats); num.Finite(t) {
		return fmt.Sprintf("%.2g", t)
	}
	return "-"
}

// Label names the row: its method and what grows along the line.
func (r Row) Label() string { return strings.TrimSuffix(r.Series+", "+r.size(), ", ") }

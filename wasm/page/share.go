package page

import (
	"fmt"
	"slices"
	"strings"

	"rsc.io/qr/coding"

	"logzlab/core/spec"
	"logzlab/estimators/report"
)

// url is the whole address of this experiment with the given view.
func (b *Brain) url(view Settings) string {
	return b.base + "#" + b.spec.Link() + view.Link()
}

// shared is the view that the share sheet puts into its link.
func (b *Brain) shared() Settings {
	s := b.set
	s.Hide, s.Expect, s.Projector, s.Embed = b.hides, nil, false, false
	if b.receipted {
		s.Expect = append(s.Expect, b.hashes()...)
	}
	return s
}

// hashes of the finished run, nil before its end.
func (b *Brain) hashes() (out []string) {
	if b.job == nil || b.state != "done" {
		return nil
	}
	for _, r := range b.reports.All(0) {
		out = append(out, r.Hash)
	}
	return out
}

// command is the same experiment for a terminal.
func (b *Brain) command() string {
	s := b.spec
	out := []string{"logz run -model", s.Model, "-method", strings.Join(s.Methods, ",")}
	if spec.IsFile(s.Model) && b.src.Name != "" {
		out[1] = quote(b.src.Name)
	}
	if s.Seed != spec.DefaultSeed {
		out = append(out, "-seed", fmt.Sprint(s.Seed))
	}
	keys := make([]string, 0, len(s.Set))
	for k := range s.Set {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		out = append(out, "-set", quote(k+"="+s.Set[k]))
	}
	if s.Replicates != 1 {
		out = append(out, "-replicates", fmt.Sprint(s.Replicates))
	}
	return strings.Join(append(out, "-json"), " ")
}

// quote protects a word from the shell where it needs it.
func quote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// embedCode is an iframe for somebody else's page.
func (b *Brain) embedCode() string {
	s := b.shared()
	s.Embed = true
	return `<iframe src="` + escape(b.url(s)) + `" title="LogZ Lab" width="100%" height="640" loading="lazy" allow="clipboard-write"></iframe>`
}

// qr is a QR code as one path.
func (p *pane) qr(url string) HTML {
	if p.qrOf != url {
		p.qrOf, p.qrHTML = url, drawQR(url, p.w.T("qr"))
	}
	return p.qrHTML
}

// drawQR encodes text at level L, in bytes; "" where it is too long for a code.
func drawQR(s, says string) HTML {
	data := coding.String(s)
	for v := coding.Version(coding.MinVersion); v <= coding.MaxVersion; v++ {
		if data.Bits(v) > v.DataBytes(coding.L)*8 {
			continue
		}
		plan, err := coding.NewPlan(v, coding.L, 0)
		if err != nil {
			return ""
		}
		code, err := plan.Encode(data)
		if err != nil {
			return ""
		}
		var path strings.Builder
		for y := range code.Size {
			for x := 0; x < code.Size; x++ {
				run := x
				for run < code.Size && code.Black(run, y) {
					run++
				}
				if run > x {
					fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x, y, run-x, run-x)
					x = run
				}
			}
		}
		return el("svg", at(` class="qr" shape-rendering="crispEdges" role="img"`, "viewBox", fmt.Sprintf("-4 -4 %d %d", code.Size+8, code.Size+8), "aria-label", says),
			el("path", at(``, "d", path.String())))
	}
	return ""
}

// export makes a file of the results, or of the picture, for the user to keep.
func (b *Brain) export(what string) {
	if b.spec == nil {
		return
	}
	name := strings.ReplaceAll("logz-"+b.spec.Model+"-"+strings.Join(b.spec.Methods, "-")+fmt.Sprintf("-seed%d", b.spec.Seed), ":", "-")
	switch what {
	case "command":
		b.host.Copy(b.command())
		return
	case "picture":
		b.host.Picture(name + ".png")
		return
	}
	if b.job == nil {
		return
	}
	reports := b.reports.All(b.elapsed())
	switch what {
	case "csv":
		b.host.Download(name+".csv", "text/csv", report.CSV(reports))
	case "json":
		b.host.Download(name+".json", "application/json", string(report.JSON(reports))+"\n")
	}
}

// tellParent sends the state and the result to the page that embeds this one.
func (b *Brain) tellParent(reports []*report.Report) {
	if !b.set.Embed {
		return
	}
	switch {
	case b.told == "" && b.job != nil:
		b.told = "ready"
		b.host.Parent("ready", "")
	case b.told == "ready" && b.state == "done":
		b.told = "result"
		b.host.Parent("result", string(report.JSON(reports)))
	}
}

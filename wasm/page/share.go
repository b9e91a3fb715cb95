package page

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"rsc.io/qr/coding"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/words"
)

// sharing is what the user takes away: the parts to hide in the share sheet's link, and what was copied.
type sharing struct {
	hides     []string // ticked off in the share sheet
	receipted bool     // the link expects the hashes
	fresh     bool     // whoever opens the link gets a new seed, so that there are no hashes to expect
	copied    string   // what was copied, while that is news
	copiedAt  float64
	told      string // last state sent to the embedding page: "", ready or result
	qr        qrCode // the last one
	at        string // address of the site that others reach, "" for the page's own
	short     short
}

// tick follows a box of the share sheet.
func (s *sharing) tick(name string, on bool) {
	s.hides = slices.DeleteFunc(s.hides, func(h string) bool { return h == name })
	switch {
	case name == "receipt":
		s.receipted = on
	case name == "fresh":
		s.fresh = on
	case !on && slices.Contains(Hideable, name):
		s.hides = append(s.hides, name)
		sortBy(s.hides, Hideable)
	}
}

// qrCode is the code of an address, with its description.
type qrCode struct {
	of, says string
	html     HTML
}

// copiedTime is how long it is news that something was copied, in seconds.
const copiedTime = 3

// forget ends the news that something was copied, and reports whether there was any.
func (s *sharing) forget(now float64) bool {
	old := s.copied != "" && now-s.copiedAt > copiedTime
	if old {
		s.copied = ""
	}
	return old
}

// notCopied gives the user a text to copy by hand, in the open sheet until that is closed.
func (b *Brain) notCopied(text string) {
	if b.panels.sheet != "" {
		b.sharing.copied, b.sharing.copiedAt = text, math.Inf(1)
		return
	}
	b.problem = &Message{Level: "info", Text: text}
}

// url is the whole address of this experiment with the given view.
func (b *Brain) url(view Settings) string {
	return b.base() + "#" + b.spec.Link() + view.Link()
}

// shared is the view that the share sheet puts into its link.
func (b *Brain) shared() Settings {
	s := b.set
	s.Hide, s.Expect, s.Projector, s.Embed, s.Fresh = b.sharing.hides, nil, false, false, b.sharing.fresh
	if b.sharing.receipted && !s.Fresh {
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
func (b *Brain) command() string { return Command(b.spec, b.own.name, b.own.rows.name) }

// Command is the command that runs an experiment, for a shell. file and rows are the names of an own file and of its
// data rows, "" where they are not known.
func Command(s *spec.Spec, file, rows string) string {
	model := s.Model
	if spec.IsFile(model) && file != "" {
		if model = quote(file); (catalog.Names{}).HasModel(file) {
			model = "./" + file
		}
	}
	out := []string{"logz run -model", model, "-method", strings.Join(s.Methods, ",")}
	for _, x := range s.Settings() {
		key, value, _ := strings.Cut(x, "=")
		switch {
		case slices.Contains(spec.Common, key):
			out = append(out, "-"+key, value)
		case key == "data" && rows != "":
			out = append(out, "-data", quote(rows))
		case strings.Contains(key, "."):
			out = append(out, "-set", quote(x))
		default: // a method may have a parameter of this name, too
			out = append(out, "-set", quote("model."+x))
		}
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

// local reports whether no other computer can open the address of this page.
func (b *Brain) local() bool {
	_, host, _ := strings.Cut(b.browser.Base, "://")
	return slices.ContainsFunc([]string{"localhost", "127.", "[::1]", "/"}, func(own string) bool { // "/": a file
		return strings.HasPrefix(host, own)
	})
}

// embedCode is an iframe for somebody else's page.
func (b *Brain) embedCode() string {
	s := b.shared()
	s.Embed = true
	return `<iframe src="` + escape(b.url(s)) +
		`" title="LogZ Lab" width="100%" height="640" loading="lazy" allow="clipboard-write"></iframe>`
}

// draw is the code of a text, drawn anew only when that is another one.
func (c *qrCode) draw(of, says string) HTML {
	if c.of != of || c.says != says {
		*c = qrCode{of, says, drawQR(of, says)}
	}
	return c.html
}

// qr is a QR code as one path.
func (p *pane) qr(url string) HTML { return p.sharing.qr.draw(url, p.w.T("qr")) }

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
		blocks(&path, 0, 0, code.Size, code.Size, code.Black)
		return el(`svg class="qr" shape-rendering="crispEdges" role="img"`,
			at("viewBox", fmt.Sprintf("-4 -4 %d %d", code.Size+8, code.Size+8), "aria-label", says),
			el("path", at("d", path.String())))
	}
	return ""
}

// export makes a file of the results, or of the picture, for the user to keep.
func (b *Brain) export(what string) {
	if b.spec == nil {
		return
	}
	name := fmt.Sprintf("logz-%s-%s-seed%d", b.spec.Model, strings.Join(b.spec.Methods, "-"), b.spec.Seed)
	name = strings.ReplaceAll(name, ":", "-")
	switch what {
	case "command":
		b.host.Copy(b.command())
		return
	case "picture":
		head, foot := b.pane().frame()
		b.host.Picture(name+".png", head, foot)
		return
	}
	if b.job == nil {
		return
	}
	reports := b.reports.Kept(b.elapsed())
	switch what {
	case "alone":
		b.alone(name + ".html")
	case "result":
		b.host.Download(name+".txt", "text/plain", b.resultCode()+"\n")
	case "chart":
		b.host.Download(name+".svg", "image/svg+xml", b.pane().chart())
	case "csv":
		b.host.Download(name+".csv", "text/csv", report.CSV(reports))
	case "json":
		b.host.Download(name+".json", "application/json", string(report.JSON(reports))+"\n")
	}
}

// lone is what a page that is one file is told: its link, where the lab stands, to which its links lead, and the names
// of the user's own model file and of the data rows beside it, if there are any.
type lone struct {
	Link string `json:"link"`
	Lab  string `json:"lab"`
	Own  string `json:"own,omitempty"`
	Rows string `json:"rows,omitempty"`
}

// alone lets the user keep the page with this experiment as one file, whose link expects the digits of a finished run.
func (b *Brain) alone(name string) {
	view := b.shared()
	view.Hide, view.Expect = nil, b.hashes()
	about, files := lone{Link: "#" + b.spec.Link() + view.Link(), Lab: b.browser.Base}, map[string][]byte{}
	for _, f := range catalog.Kinds.Files(b.spec.Model) {
		files["models/"+f] = b.came[f]
	}
	if b.fetched != nil {
		files[words.File(b.words.Lang)] = b.fetched
	}
	if b.ownChosen() {
		about.Own, files["own"] = b.own.name, b.own.data
		if b.spec.Set["data"] != "" {
			about.Rows, files["rows"] = b.own.rows.name, b.own.rows.data
		}
	}
	text, _ := json.Marshal(about) // strings only
	b.host.Alone(name, string(text), files)
}

// site is the address of a page of the site.
func (b *Brain) site(page string) string {
	if !b.browser.Alone {
		return page
	}
	return b.browser.Base[:strings.LastIndex(b.browser.Base, "/")+1] + page
}

// tellParent sends the state and the result to the page that embeds this one.
func (b *Brain) tellParent(reports []*report.Report) {
	if !b.set.Embed {
		return
	}
	switch {
	case b.sharing.told == "" && b.job != nil:
		b.sharing.told = "ready"
		b.host.Parent("ready", "")
	case b.sharing.told == "ready" && b.state == "done":
		b.sharing.told = "result"
		b.host.Parent("result", string(report.JSON(reports)))
	}
}

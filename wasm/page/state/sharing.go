package state

import (
	"fmt"
	"slices"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/render/html"
)

// Sharing is the state of the share sheet.
type Sharing struct {
	Hides         []string // parts that the shared link hides
	ExpectsHashes bool     // the shared link contains the checksums
	Fresh         bool     // the shared link draws a new seed, and so cannot contain checksums
	Copied        string   // message about what was copied, while it is recent
	PublicURL     string   // public address of the site, "" for the page's own
	ShortLink     ShortLink
}

// ShortLink is the short link of an experiment, which a server with rooms stores.
type ShortLink struct {
	Target string // the link that it stands for
	URL    string // the short link, "" until the server has answered
	Reason string // the reason if there is none
}

// URL returns the full address of this experiment with the given view settings.
func (s *Snapshot) URL(view Settings) string {
	return s.publicBase() + "#" + s.Spec.Link() + view.Link()
}

// DeckURL returns the full address of a lecture of the site in the language on show.
func (s *Snapshot) DeckURL(name string) string {
	view := Settings{Deck: name}
	if s.Words.Lang != "en" {
		view.Lang = s.Words.Lang
	}
	return s.publicBase() + "#" + strings.TrimPrefix(view.Link(), "&")
}

// SharedView returns the view settings of the shared link.
func (s *Snapshot) SharedView() Settings {
	view := s.Settings
	view.Hide, view.Expect, view.Projector, view.Embed = s.Sharing.Hides, nil, false, false
	if view.Fresh = s.Sharing.Fresh; s.Sharing.ExpectsHashes && !view.Fresh {
		view.Expect = append(view.Expect, s.Hashes()...)
	}
	return view
}

// Hashes returns the checksums of the finished run, nil before its end.
func (s *Snapshot) Hashes() (out []string) {
	if !s.Begun() || s.State != runstate.Done {
		return nil
	}
	for _, r := range s.Reports {
		out = append(out, r.Hash)
	}
	return out
}

// Command returns the command that runs the same experiment in a terminal.
func (x *Experiment) Command() string { return Command(x.Spec, x.Own.Name, x.Own.Rows.Name) }

// Command returns the shell command that runs an experiment. file and rows are the names of an own model file and of
// its data rows, "" if unknown.
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
		default: // a method may have a parameter of the same name
			out = append(out, "-set", quote("model."+x))
		}
	}
	return strings.Join(append(out, "-json"), " ")
}

// BoundsCommand returns the command that recomputes the bounds of the model.
func BoundsCommand(x *Experiment) string {
	command := "logz bounds " + quote(x.Spec.Link())
	if x.UsesOwnFile() {
		command += " -model " + quote(x.Own.Name)
	}
	return command
}

// quote quotes a word for the shell if necessary.
func quote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Local reports whether other computers cannot open the address of this page.
func (s *Snapshot) Local() bool {
	_, host, _ := strings.Cut(s.Browser.Base, "://")
	return slices.ContainsFunc([]string{"localhost", "127.", "[::1]", "/"}, func(own string) bool { // "/" for a file
		return strings.HasPrefix(host, own)
	})
}

// Unreachable reports whether no address of this page is known that other computers can open.
func (s *Snapshot) Unreachable() bool { return s.Local() && s.Sharing.PublicURL == "" }

// EmbedCode returns an iframe that embeds the experiment in another page.
func (s *Snapshot) EmbedCode() string {
	view := s.SharedView()
	view.Embed = true
	return `<iframe src="` + html.Escape(s.URL(view)) +
		`" title="LogZ Lab" width="100%" height="640" loading="lazy" allow="clipboard-write"></iframe>`
}

// FileName returns the name, without extension, of files saved from this experiment.
func (s *Snapshot) FileName() string {
	name := fmt.Sprintf("logz-%s-%s-seed%d", s.Spec.Model, strings.Join(s.Spec.Methods, "-"), s.Spec.Seed)
	return strings.ReplaceAll(name, ":", "-")
}

// LoopFile returns the file name of an animated loop.
func (s *Snapshot) LoopFile() string { return s.FileName() + "-loop.gif" }

// LoopLine returns the HTML that shows the loop, saved beside the page, as a link to this experiment.
func (s *Snapshot) LoopLine() string {
	says := s.Spec.Model
	for _, r := range s.Reports {
		if report.IsNumber(r.LogZ) {
			says += fmt.Sprintf(", %s: log Z = %s", r.Method, s.FormatLogZ(r))
		}
	}
	return `<a href="` + html.Escape(s.URL(s.SharedView())) + `"><img src="` + html.Escape(s.LoopFile()) + `" alt="` +
		html.Escape(says) + `"></a>`
}

// ShortLinkTarget returns the link that a short link stands for, with the checksums if the run is finished.
func (s *Snapshot) ShortLinkTarget() string {
	view := s.SharedView()
	if !view.Fresh {
		view.Expect = s.Hashes()
	}
	return s.Spec.Link() + view.Link()
}

// publicBase returns the address of this page for other computers, as far as it is known.
func (s *Snapshot) publicBase() string {
	if s.Sharing.PublicURL != "" {
		return s.Sharing.PublicURL
	}
	return s.Browser.Base
}

// SiteBase returns the folder of base.
func (s *Snapshot) SiteBase() string {
	return s.publicBase()[:strings.LastIndex(s.publicBase(), "/")+1]
}

// InvitationView returns the view settings of the QR code on a projector.
func (s *Snapshot) InvitationView() Settings {
	return Settings{Scene: s.Settings.Scene, Focus: s.Settings.Focus, Lesson: s.Settings.Lesson}
}

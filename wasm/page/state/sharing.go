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

// Sharing are what the user takes away: the parts to hide in the share sheet's link, and what was copied.
type Sharing struct {
	Hides     []string // ticked off in the share sheet
	Receipted bool     // the link expects the hashes
	Fresh     bool     // whoever opens the link gets a new seed, so that there are no hashes to expect
	Copied    string   // what was copied, while that is news
	At        string   // address of the site that others reach, "" for the page's own
	ShortLink ShortLink
}

// ShortLink is the short link of an experiment, which the page's server keeps where it has rooms.
type ShortLink struct {
	Of  string // what it leads to, as asked for
	At  string // where it is, "" until the server has answered
	Why string // it has none
}

// URL is the whole address of this experiment with the given view.
func (s *Snapshot) URL(view Settings) string {
	return s.base() + "#" + s.Spec.Link() + view.Link()
}

// Shared is the view that the share sheet puts into its link.
func (s *Snapshot) Shared() Settings {
	view := s.Settings
	view.Hide, view.Expect, view.Projector, view.Embed = s.Sharing.Hides, nil, false, false
	if view.Fresh = s.Sharing.Fresh; s.Sharing.Receipted && !view.Fresh {
		view.Expect = append(view.Expect, s.Hashes()...)
	}
	return view
}

// Hashes of the finished run, nil before its end.
func (s *Snapshot) Hashes() (out []string) {
	if !s.Begun() || s.State != runstate.Done {
		return nil
	}
	for _, r := range s.Reports {
		out = append(out, r.Hash)
	}
	return out
}

// Command is the same experiment for a terminal.
func (x *Experiment) Command() string { return Command(x.Spec, x.Own.Name, x.Own.Rows.Name) }

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

// BoundsCommand is the command that makes the bounds of the model again.
func BoundsCommand(x *Experiment) string {
	command := "logz bounds " + quote(x.Spec.Link())
	if x.OwnChosen() {
		command += " -model " + quote(x.Own.Name)
	}
	return command
}

// quote protects a word from the shell where it needs it.
func quote(s string) string {
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// Local reports whether no other computer can open the address of this page.
func (s *Snapshot) Local() bool {
	_, host, _ := strings.Cut(s.Browser.Base, "://")
	return slices.ContainsFunc([]string{"localhost", "127.", "[::1]", "/"}, func(own string) bool { // "/": a file
		return strings.HasPrefix(host, own)
	})
}

// Unreachable reports whether a link to this page is of no use on other computers: no address is known that opens it.
func (s *Snapshot) Unreachable() bool { return s.Local() && s.Sharing.At == "" }

// EmbedCode is an iframe for somebody else's page.
func (s *Snapshot) EmbedCode() string {
	view := s.Shared()
	view.Embed = true
	return `<iframe src="` + html.Escape(s.URL(view)) +
		`" title="LogZ Lab" width="100%" height="640" loading="lazy" allow="clipboard-write"></iframe>`
}

// FileName is the name, without its ending, of what is kept of this experiment.
func (s *Snapshot) FileName() string {
	name := fmt.Sprintf("logz-%s-%s-seed%d", s.Spec.Model, strings.Join(s.Spec.Methods, "-"), s.Spec.Seed)
	return strings.ReplaceAll(name, ":", "-")
}

// LoopFile is the name of a loop of the scene on show.
func (s *Snapshot) LoopFile() string { return s.FileName() + "-loop.gif" }

// LoopLine is a line of HTML for somebody else's page: a loop that leads to this experiment, beside which it is to lie.
func (s *Snapshot) LoopLine() string {
	says := s.Spec.Model
	for _, r := range s.Reports {
		if report.IsNumber(r.LogZ) {
			says += fmt.Sprintf(", %s: log Z = %s", r.Method, s.WithBar(r))
		}
	}
	return `<a href="` + html.Escape(s.URL(s.Shared())) + `"><img src="` + html.Escape(s.LoopFile()) + `" alt="` +
		html.Escape(says) + `"></a>`
}

// Shortened is what a short link of this experiment leads to: with the receipt of its digits once there are any.
func (s *Snapshot) Shortened() string {
	view := s.Shared()
	if !view.Fresh {
		view.Expect = s.Hashes()
	}
	return s.Spec.Link() + view.Link()
}

// base is the address of this page for other computers, as far as known.
func (s *Snapshot) base() string {
	if s.Sharing.At != "" {
		return s.Sharing.At
	}
	return s.Browser.Base
}

// SiteBase is the folder of the site at that address.
func (s *Snapshot) SiteBase() string { return s.base()[:strings.LastIndex(s.base(), "/")+1] }

// Inviting is the view that the invitation on a projector opens with.
func (s *Snapshot) Inviting() Settings {
	return Settings{Scene: s.Settings.Scene, Focus: s.Settings.Focus, Lesson: s.Settings.Lesson}
}

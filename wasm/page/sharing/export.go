package sharing

import (
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/estimators/smc"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// Events are the events of sharing and exporting.
func (x *Sharing) Events() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"share": func(state.Event) { x.Queue(effect.ShowSheet{Name: "share"}) },
		"show": func(e state.Event) {
			if e.Value == "lend" { // a check box of the room panel
				x.Queue(effect.LendComputer{On: e.On})
				return
			}
			x.setOption(e.Value, e.On)
		},
		"copy": func(e state.Event) {
			if x.facts.Spec() != nil {
				s := x.Snapshots.Snapshot()
				x.Host.Copy(map[string]string{"link": s.URL(s.SharedView()), "command": s.Command(), "embed": s.EmbedCode(),
					"result": s.ResultCode(), "training": s.TrainingURL(), "short": s.Sharing.ShortLink.URL}[e.Value])
			}
		},
		"copied":     func(state.Event) { x.showCopied(x.Words.T("copied")) },
		"not-copied": func(e state.Event) { x.notCopied(x.Words.T("copy.hand", e.Value)) },
		"export":     func(e state.Event) { x.export(e.Value) },
		"result":     func(e state.Event) { x.TakeCode(e.Value) },
		"shorten":    func(state.Event) { x.shorten() },
	}
}

// export saves the results or the picture as a file in the given format, or copies a text.
func (x *Sharing) export(format string) {
	if x.facts.Spec() == nil {
		return
	}
	name := x.Snapshots.Snapshot().FileName()

	// Exports that need no results.
	switch format {
	case "command":
		x.Host.Copy(x.facts.Experiment().Command())
		return
	case "picture":
		head, foot := view.Frame(x.Snapshots.Snapshot())
		x.Host.SavePicture(name+".png", head, foot)
		return
	case "svg":
		x.Host.SaveFilm(name+".svg", "svg")
		return
	case "loop":
		x.Host.SaveFilm(x.Snapshots.Snapshot().LoopFile(), "film")
		x.showCopied(x.Words.T("loop.soon"))
		return
	case "video":
		x.Host.SaveFilm(x.Snapshots.Snapshot().FileName()+"-loop.webm", "video")
		x.showCopied(x.Words.T("loop.soon"))
		return
	case "loop.line":
		x.Host.Copy(x.Snapshots.Snapshot().LoopLine())
		return
	}

	// Files of results.
	if x.facts.Job() == nil {
		return
	}
	reports := x.facts.FinalReports()
	switch format {
	case "draws":
		x.saveDraws(name + "-draws.csv")
	case "alone":
		x.savePage(name + ".html")
	case "result":
		x.Host.Download(name+".txt", "text/plain", x.Snapshots.Snapshot().ResultCode()+"\n")
	case "chart":
		x.Host.Download(name+".svg", "image/svg+xml", view.Chart(x.Snapshots.Snapshot()))
	case "csv":
		x.Host.Download(name+".csv", "text/csv", report.CSV(reports))
	case "json":
		x.Host.Download(name+".json", "application/json", string(report.JSON(reports))+"\n")
	}
}

// saveDraws samples the posterior, in steps, and saves the draws as a CSV file with this name.
func (x *Sharing) saveDraws(name string) {
	m, seed := x.facts.Job().Model, x.facts.Spec().Seed
	shared.Cancel(&x.Reading)
	var d *smc.Draws
	var err error
	x.Reading = shared.NewWork(x.Host.Now(), func(w *shared.Work) {
		w.Description = "draws.posterior"
		d, err = smc.Sample(m, seed)
	}, func() {
		if err != nil {
			x.Problem = &state.Message{Level: "error", Text: x.Words.Sentence(err)}
			return
		}
		x.Host.Download(name, "text/csv", d.CSV(m.Info().Name))
	})
	x.Work()
}

// savePage saves the page with this experiment as a single file. Its link contains the checksums of a finished run.
func (x *Sharing) savePage(name string) {
	s := x.Snapshots.Snapshot()
	view := s.SharedView()
	view.Hide, view.Expect = nil, s.Hashes()
	about, files := shared.SingleFile{Lab: x.Browser.Base}, map[string][]byte{}
	if example, programs := s.Samples.SingleFileParts(files); programs != nil {
		view.Samples, about.Programs = example, programs
	}
	about.Link = "#" + s.Spec.Link() + view.Link()
	for _, f := range catalog.Kinds.Files(s.Spec.Model) {
		files["models/"+f] = x.Models[f]
	}
	if s.UsesOwnFile() {
		about.Own, files["own"] = s.Own.Name, s.Own.Data
		if s.Spec.Set["data"] != "" {
			about.Rows, files["rows"] = s.Own.Rows.Name, s.Own.Rows.Data
		}
	}
	x.SaveSingleFile(name, about, files)
}

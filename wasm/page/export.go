package page

import (
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/estimators/smc"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// shareEvents are about what the user takes away.
func (b *Brain) shareEvents() map[string]func(state.Event) {
	return map[string]func(state.Event){
		"share": func(state.Event) { b.OpenSheet("share") },
		"show": func(e state.Event) {
			if e.Value == "lend" { // the box of a room
				b.room.Lends(e.On)
				return
			}
			b.sharing.tick(e.Value, e.On)
		},
		"copy": func(e state.Event) {
			if b.Spec != nil {
				s := b.Snapshot()
				b.Host.Copy(map[string]string{"link": s.URL(s.Shared()), "command": s.Command(), "embed": s.EmbedCode(),
					"result": s.ResultCode(), "training": s.TrainingURL(), "short": s.Sharing.ShortLink.At}[e.Value])
			}
		},
		"copied":     func(state.Event) { b.sharing.Copied, b.sharing.copiedAt = b.Words.T("copied"), b.Host.Now() },
		"not-copied": func(e state.Event) { b.notCopied(b.Words.T("copy.hand", e.Value)) },
		"export":     func(e state.Event) { b.export(e.Value) },
		"result":     func(e state.Event) { b.takeCode(e.Value) },
		"shorten":    func(state.Event) { b.shorten() },
	}
}

// export makes a file of the results, or of the picture, for the user to keep.
func (b *Brain) export(what string) {
	if b.Spec == nil {
		return
	}
	name := b.Snapshot().FileName()
	switch what {
	case "command":
		b.Host.Copy(b.Command())
		return
	case "picture":
		head, foot := view.Frame(b.Snapshot())
		b.Host.Picture(name+".png", head, foot)
		return
	case "loop":
		b.Host.Film(b.Snapshot().LoopFile(), "film")
		b.sharing.Copied, b.sharing.copiedAt = b.Words.T("loop.soon"), b.Host.Now()
		return
	case "video":
		b.Host.Film(b.Snapshot().FileName()+"-loop.webm", "video")
		b.sharing.Copied, b.sharing.copiedAt = b.Words.T("loop.soon"), b.Host.Now()
		return
	case "loop.line":
		b.Host.Copy(b.Snapshot().LoopLine())
		return
	}
	if b.Job == nil {
		return
	}
	reports := b.Reports.Kept(b.Elapsed())
	switch what {
	case "draws":
		b.draws(name + "-draws.csv")
	case "alone":
		b.alone(name + ".html")
	case "result":
		b.Host.Download(name+".txt", "text/plain", b.Snapshot().ResultCode()+"\n")
	case "chart":
		b.Host.Download(name+".svg", "image/svg+xml", view.Chart(b.Snapshot()))
	case "csv":
		b.Host.Download(name+".csv", "text/csv", report.CSV(reports))
	case "json":
		b.Host.Download(name+".json", "application/json", string(report.JSON(reports))+"\n")
	}
}

// draws samples the posterior, in pieces, and lets the user keep the draws.
func (b *Brain) draws(name string) {
	m, seed := b.Job.Model, b.Spec.Seed
	desk.End(&b.Reading)
	var d *smc.Draws
	var err error
	b.Reading = desk.NewWork(b.Host.Now(), func(w *desk.Work) {
		w.Stage = "draws.posterior"
		d, err = smc.Sample(m, seed)
	}, func() {
		if err != nil {
			b.Problem = &state.Message{Level: "error", Text: b.Words.Sentence(err)}
			return
		}
		b.Host.Download(name, "text/csv", d.CSV(m.Info().Name))
	})
	b.Work()
}

// alone lets the user keep the page with this experiment as one file, whose link expects the digits of a finished run.
func (b *Brain) alone(name string) {
	s := b.Snapshot()
	view := s.Shared()
	view.Hide, view.Expect = nil, s.Hashes()
	about, files := desk.Alone{Lab: b.Browser.Base}, map[string][]byte{}
	if about.Programs = b.readings.Alone(files); about.Programs != nil {
		view.Samples = b.readings.Example
	}
	about.Link = "#" + b.Spec.Link() + view.Link()
	for _, f := range catalog.Kinds.Files(b.Spec.Model) {
		files["models/"+f] = b.Came[f]
	}
	if b.OwnChosen() {
		about.Own, files["own"] = b.Own.Name, b.Own.Data
		if b.Spec.Set["data"] != "" {
			about.Rows, files["rows"] = b.Own.Rows.Name, b.Own.Rows.Data
		}
	}
	b.SaveAlone(name, about, files)
}

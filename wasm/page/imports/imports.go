package imports

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/estimators/external/samples"
	"logzlab/render/html"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// Importer handles files of samples from other programs. A separate worker, the reader (estimators/external/show),
// makes a report of them. Importer does not depend on the experiment of the page.
type Importer struct {
	*shared.Context
	state.Samples
	facts         run.Facts
	requestNumber int  // number of the last request to the reader
	hasFiles      bool // the reader has received files
	lang          string
	method        string            // method whose report is shown, "" for the best one
	options       map[string]string // options of the form
}

// New returns an Importer without samples.
func New(d *shared.Context, f run.Facts) Importer {
	return Importer{Context: d, facts: f, options: map[string]string{}}
}

// Events are the events that choose files and options.
func (r *Importer) Events() map[string]func(state.Event) {
	handlers := map[string]func(state.Event){
		"samples-example": func(e state.Event) { r.loadExample(e.Value) },
		"samples-second":  func(state.Event) { r.Comparing = !r.Comparing },
		"samples-cancel":  func(state.Event) { r.cancel() },
		"samples-copy":    func(state.Event) { r.Host.Copy(r.JSON) },
		"samples-save":    func(state.Event) { r.Host.Download("reading.json", "application/json", r.JSON+"\n") },
		"samples-method":  func(e state.Event) { r.method = e.Value; r.requestAgain() },
		"lost-external": func(e state.Event) {
			r.reset()
			if r.Err = problem.New("the reader of samples stopped: %s", e.Value); e.Key == shared.NotLoaded && r.Browser.SingleFile {
				r.Err = problem.New("this file was saved without the program that reads samples; give them to the lab that it "+
					"comes from (%s)", r.Browser.Base)
			}
		},
	}
	for _, key := range []string{"units", "independent", "burn_in", "rule", "alpha"} {
		handlers["samples-"+key] = func(e state.Event) {
			if r.options[key] != e.Value {
				r.options[key] = strings.TrimSpace(e.Value)
				r.requestAgain()
			}
		}
	}
	return handlers
}

// TakeHeads receives the beginnings and ends of chosen files, from which it recognises samples. It tells the page which
// files go to the reader and which are delivered one by one as files. n is the number of the event.
func (r *Importer) TakeHeads(names []string, heads [][]byte, n int) {
	r.Repaint.LastEvent = max(r.Repaint.LastEvent, n)
	r.Repaint.AtOnce()
	var sampleFiles []int
	arrays := 0
	for i, h := range heads {
		if bytes.HasPrefix(h, []byte("\x93NUMPY")) {
			arrays++
		}
		if r.Panels.Sheet == "samples" || r.Panels.Sheet != "train" && samples.Sniff(h) {
			sampleFiles = append(sampleFiles, i)
		}
	}
	if sampleFiles == nil && arrays == 2 && len(names) == 2 { // u_kn and N_k
		sampleFiles = []int{0, 1}
	}
	others := slices.Clone(names)
	for _, i := range sampleFiles {
		others[i] = ""
	}
	r.Host.AnswerHeads(n, sampleFiles, modelfile.GroupFiles(others))
	if sampleFiles == nil {
		return
	}
	if !r.facts.Active() { // large samples need the memory of the workers
		r.Workers.ReleaseIdle()
	}
	if r.Snapshots.Outline().Hero.Shown {
		r.Queue(effect.OpenLink{Link: state.DefaultLink})
	}
	r.Panels.Sheet, r.Settings.Samples = "samples", ""
	r.Example = ""
	r.request(&workerapi.ReportRequest{Read: true})
}

// request requests a report from the reader. New files (o.Read) replace the current ones, unless the user wants to
// compare both.
func (r *Importer) request(o *workerapi.ReportRequest) {
	r.requestNumber++
	o.N, o.Method, o.Lang, o.Translations, o.Units = r.requestNumber, r.method, r.Words.Lang, r.Translations, r.options["units"]
	o.Second = o.Read && r.Comparing && r.hasFiles && r.Body != ""
	for _, key := range slices.Sorted(maps.Keys(r.options)) {
		if value := r.options[key]; key != "units" && value != "" {
			o.Set = append(o.Set, key+"="+value)
		}
	}
	keepsReader := r.hasFiles && (!o.Read || o.Second)
	if !keepsReader {
		r.Body, r.JSON, r.method, o.Method = "", "", "", ""
	}
	r.Busy, r.Err, r.CurrentFile, r.Share, r.hasFiles, r.lang = true, nil, "", 0, true, o.Lang
	var w wire.Writer
	w.Value(o)
	r.Host.SendRequest(workerapi.Reader, keepsReader, w.B)
	r.Repaint.Dirty = true
}

// requestAgain requests the report again, for the same files with the current options.
func (r *Importer) requestAgain() {
	if r.hasFiles {
		r.request(&workerapi.ReportRequest{})
	}
}

// FollowLanguage requests the report again if the language of the page has changed.
func (r *Importer) FollowLanguage() {
	if r.hasFiles && r.Body != "" && !r.Busy && r.lang != r.Words.Lang {
		r.requestAgain()
	}
}

// cancel ends the reader and discards its files and report.
func (r *Importer) cancel() {
	r.reset()
	r.Host.SendRequest(workerapi.Reader, false, nil)
}

// reset discards the report, and makes answers to earlier requests invalid.
func (r *Importer) reset() {
	r.requestNumber++
	r.Samples, r.hasFiles, r.method = state.Samples{Example: r.Example, Files: r.Files}, false, ""
	r.Repaint.Dirty = true
}

// TakeAnswer handles an answer of the reader: progress, an error, or a report. Answers to earlier requests are dropped.
func (r *Importer) TakeAnswer(data []byte) {
	var a workerapi.ReportAnswer
	in := wire.Reader{B: data}
	in.Value(&a)
	if a.N != r.requestNumber {
		return // other files were chosen meanwhile
	}
	r.Repaint.Dirty = true
	if r.Busy, r.CurrentFile, r.Share = a.Busy, a.Doing, a.Share; in.Err != nil {
		a.Err = in.Err
	}
	if a.Err != nil {
		r.Err = a.Err
		r.Busy, r.hasFiles = false, r.Body != "" // the previous report stays
		r.Repaint.AtOnce()
	}
	if a.Body != "" {
		if r.Body == "" {
			r.Queue(effect.SetSummary{Text: a.Said})
		}
		r.Body, r.JSON, r.Summary, r.Comparing = html.HTML(a.Body), a.JSON, a.Said, false
		r.Repaint.AtOnce()
	}
}

// loadExample loads the files of an example from the site and requests a report of them.
func (r *Importer) loadExample(name string) {
	r.Example = name
	i := slices.IndexFunc(state.SampleSets, func(s struct {
		Name  string
		Files []string
	}) bool {
		return s.Name == name
	})
	if i < 0 {
		return
	}

	// The files may have been loaded before.
	r.Panels.Sheet, r.Busy, r.Err = "samples", true, nil
	r.requestNumber++
	n, files := r.requestNumber, state.SampleSets[i].Files
	if r.Files != nil && r.Files[0].Name == files[0] {
		r.request(&workerapi.ReportRequest{Read: true, Files: r.Files})
		return
	}

	// Load all files, then read them.
	loaded, remaining := make([]workerapi.File, len(files)), len(files)
	for i, f := range files {
		r.Host.Fetch("samples/"+f, false, func(data []byte, err error) {
			if r.requestNumber != n {
				return
			}
			if err != nil {
				r.reset()
				r.Err = problem.New("the example %s could not be loaded: %w", name, err)
				return
			}
			loaded[i] = workerapi.File{Name: f, Data: data}
			if remaining--; remaining == 0 {
				r.Files = loaded
				r.request(&workerapi.ReportRequest{Read: true, Files: loaded})
			}
		})
	}
}

// OpenLinked opens the sheet of samples if the link has view.samples, with the example that it names.
func (r *Importer) OpenLinked() {
	switch name := r.Settings.Samples; name {
	case "":
	case state.OwnSamples:
		r.Panels.Sheet = "samples"
	default:
		r.loadExample(name)
	}
}

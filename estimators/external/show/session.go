package show

import (
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/words"
	"logzlab/core/workerapi"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// Session handles requests about external samples in a worker of the page. It keeps the current files, and a second set
// of files to compare with.
type Session struct {
	first, second *fileSet
	words         *words.Language
}

// fileSet holds files that belong together, their samples and the results.
type fileSet struct {
	name    string         // name of the first file, followed by ", …" if there are more
	files   []samples.File // kept because they are read again if alpha changes
	alpha   float64        // option alpha with which the files were read
	data    *external.Case
	reports []*external.Report
	plots   *external.PlotData
}

// Do handles a request. It calls post with the progress, then with a report without the convergence plot, which takes
// long to compute, then with the complete report; or else with an error. files are the files to read if the request
// says so.
func (s *Session) Do(request *workerapi.ReportRequest, files []samples.File, post func(*workerapi.ReportAnswer)) {
	fail := func(err error) { post(&workerapi.ReportAnswer{N: request.N, Err: err}) }
	if err := s.setLanguage(request); err != nil {
		fail(err)
		return
	}
	options, err := external.ParseOptions(request.Set)
	if err != nil {
		fail(err)
		return
	}

	// Read new files of the first or the second set.
	progress := &meter.Meter{Yield: func(share float64) error {
		post(&workerapi.ReportAnswer{N: request.N, Busy: true, Share: share})
		return nil
	}}
	if request.Read {
		x := &fileSet{files: files}
		if err := x.read(request, options, post); err != nil {
			fail(err)
			return
		}
		if s.second = nil; request.Second && s.first != nil {
			s.second = x
		} else {
			s.first = x
		}
	}
	if s.first == nil {
		fail(problem.New("there are no samples yet; choose files"))
		return
	}

	// Judge each set.
	for _, x := range s.sets() {
		if options.Alpha != x.alpha {
			err = x.read(request, options, post)
		}
		if err == nil {
			progress.NextPart()
			x.reports, err = x.data.Judge(nil, options, progress)
		}
		if err != nil {
			fail(err)
			return
		}
		x.plots = x.data.PlotData(options)
	}

	// Send the report, then compute the estimates from growing parts of the samples.
	s.sendReport(request, true, post)
	progress.NextPart()
	progress.Yield = nil // no more progress reports: the report is already shown
	if err := s.first.data.AddConvergence(s.first.plots, s.selected(request).Method, options, progress); err != nil {
		fail(err)
		return
	}
	s.sendReport(request, false, post)
}

// sets returns the set of files and, if there is one, the set to compare with.
func (s *Session) sets() []*fileSet {
	if s.second != nil {
		return []*fileSet{s.first, s.second}
	}
	return []*fileSet{s.first}
}

// setLanguage loads the language of a request, unless it is already loaded.
func (s *Session) setLanguage(request *workerapi.ReportRequest) (err error) {
	if s.words != nil && s.words.Lang == request.Lang {
		return nil
	}
	if s.words = words.New(request.Lang); len(request.Translations) > 0 {
		s.words, err = words.Read(request.Lang, request.Translations)
	}
	return err
}

// read reads the files and posts the progress as a share of all bytes.
func (x *fileSet) read(request *workerapi.ReportRequest, options external.Options, post func(*workerapi.ReportAnswer)) error {
	files := x.files
	var before []float64
	total := 0.0
	for _, f := range files {
		before = append(before, total)
		total += float64(f.Len()) + 1
	}
	current := 0
	postProgress := func(share float64) {
		post(&workerapi.ReportAnswer{N: request.N, Busy: true, Doing: files[current].Name,
			Share: (before[current] + share*float64(files[current].Len())) / total})
	}
	progress := &meter.Meter{Yield: func(share float64) error { postProgress(share); return nil }}
	c, err := external.Open(files, options, func(file int) { current = file; postProgress(0) }, progress)
	if err != nil {
		return err
	}
	x.data, x.alpha, x.name = c, options.Alpha, files[0].Name
	if i := strings.LastIndexAny(x.name, `/\`); i >= 0 {
		x.name = x.name[i+1:]
	}
	if len(files) > 1 {
		x.name += ", …"
	}
	return nil
}

// selected returns the report on the first set by the requested method, or else the report with the best verdict.
func (s *Session) selected(request *workerapi.ReportRequest) *external.Report {
	for _, r := range s.first.reports {
		if r.Method == request.Method {
			return r
		}
	}
	return external.Best(s.first.reports)
}

// sendReport renders the selected report and posts it. busy says that a more complete report will follow.
func (s *Session) sendReport(request *workerapi.ReportRequest, busy bool, post func(*workerapi.ReportAnswer)) {
	r := s.selected(request)
	p := &reportPage{w: s.words, reports: s.first.reports, r: r, plots: s.first.plots, units: unitsOf(request.Units, r)}
	if s.second != nil {
		p.setSecond(s.first.name, s.second)
	}
	a := &workerapi.ReportAnswer{N: request.N, Busy: busy, Share: 1, Body: string(p.article()), JSON: string(external.JSON(s.first.reports))}
	if p.second != nil {
		a.JSON = `{"a":` + a.JSON + `,"b":` + string(external.JSON(s.second.reports)) + `}`
	}
	if verdict.IsNumber(r.LogZ) {
		a.Said = p.headline() + ": " + p.w.T("verdict."+r.Verdict.Level)
	}
	post(a)
}

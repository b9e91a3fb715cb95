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

// Session handles requests about external samples. It keeps the files of one worker, and a second set to compare with.
type Session struct {
	first, second *fileSet
	words         *words.Language
}

// fileSet holds files that belong together, and their results.
type fileSet struct {
	name    string
	files   []samples.File // they are read again if alpha changes
	alpha   float64
	data    *external.Case
	reports []*external.Report
	plots   *external.PlotData
}

// Do handles a request. It calls post with the progress, then with the report without the parts that take long, then
// with the complete report.
func (s *Session) Do(o *workerapi.ReportRequest, files []samples.File, post func(*workerapi.ReportAnswer)) {
	fail := func(err error) { post(&workerapi.ReportAnswer{N: o.N, Err: err}) }
	if err := s.setLanguage(o); err != nil {
		fail(err)
		return
	}
	options, err := external.ParseOptions(o.Set)
	if err != nil {
		fail(err)
		return
	}

	// Read new files of the first or the second set.
	work := &meter.Meter{Yield: func(share float64) error {
		post(&workerapi.ReportAnswer{N: o.N, Busy: true, Share: share})
		return nil
	}}
	if o.Read {
		x := &fileSet{files: files}
		if err := x.read(o, options, post); err != nil {
			fail(err)
			return
		}
		if s.second = nil; o.Second && s.first != nil {
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
			err = x.read(o, options, post)
		}
		if err == nil {
			work.NextPart()
			x.reports, err = x.data.Judge(nil, options, work)
		}
		if err != nil {
			fail(err)
			return
		}
		x.plots = x.data.PlotData(options)
	}

	// Send the report, then compute the estimates from growing parts of the samples.
	s.sendReport(o, true, post)
	work.NextPart()
	work.Yield = nil // no more progress reports: the report is already shown
	if err := s.first.data.AddConvergence(s.first.plots, s.selected(o).Method, options, work); err != nil {
		fail(err)
		return
	}
	s.sendReport(o, false, post)
}

// sets returns the one or two sets of files.
func (s *Session) sets() []*fileSet {
	if s.second != nil {
		return []*fileSet{s.first, s.second}
	}
	return []*fileSet{s.first}
}

// setLanguage loads the language of a request.
func (s *Session) setLanguage(o *workerapi.ReportRequest) (err error) {
	if s.words != nil && s.words.Lang == o.Lang {
		return nil
	}
	if s.words = words.New(o.Lang); len(o.Translations) > 0 {
		s.words, err = words.Read(o.Lang, o.Translations)
	}
	return err
}

// read reads the files, and reports the progress in bytes.
func (x *fileSet) read(o *workerapi.ReportRequest, options external.Options, post func(*workerapi.ReportAnswer)) error {
	files := x.files
	var before []float64
	total := 0.0
	for _, f := range files {
		before = append(before, total)
		total += float64(f.Len()) + 1
	}
	at := 0
	say := func(share float64) {
		post(&workerapi.ReportAnswer{N: o.N, Busy: true, Doing: files[at].Name,
			Share: (before[at] + share*float64(files[at].Len())) / total})
	}
	work := &meter.Meter{Yield: func(share float64) error { say(share); return nil }}
	c, err := external.Open(files, options, func(file int) { at = file; say(0) }, work)
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

// selected returns the report of the requested method, or else the best one.
func (s *Session) selected(o *workerapi.ReportRequest) *external.Report {
	for _, r := range s.first.reports {
		if r.Method == o.Method {
			return r
		}
	}
	return external.Best(s.first.reports)
}

// sendReport renders and sends the report.
func (s *Session) sendReport(o *workerapi.ReportRequest, busy bool, post func(*workerapi.ReportAnswer)) {
	r := s.selected(o)
	p := &reportPage{w: s.words, all: s.first.reports, r: r, plots: s.first.plots, units: unitsOf(o.Units, r)}
	if s.second != nil {
		p.setOther(s.first.name, s.second)
	}
	a := &workerapi.ReportAnswer{N: o.N, Busy: busy, Share: 1, Body: string(p.body()), JSON: string(external.JSON(s.first.reports))}
	if p.other != nil {
		a.JSON = `{"a":` + a.JSON + `,"b":` + string(external.JSON(s.second.reports)) + `}`
	}
	if verdict.IsNumber(r.LogZ) {
		a.Said = p.headline() + ": " + p.w.T("verdict."+r.Verdict.Level)
	}
	post(a)
}
